//! Time of the export by size of the function: `cargo run --release -p pisa-ir --example measure_export`.

use pisa_ir::{Block, Constant, Function, Module, Operand, Operation, Target, Terminator, Value};
use pisa_isa::{Qualifier, SlotName, Version};
use pisa_module::{FunctionKind, RegisterType};

const WORD: RegisterType = RegisterType::scalar(32);

fn table(opcode: pisa_isa::Opcode, values: &[(SlotName, Qualifier)]) -> Operation {
    Operation::table(&pisa_isa::forms_of(opcode)[0], values).expect("a form")
}

/// Blocks of so many additions in a chain of small loops; values of the last blocks and of far ones are operands. `kept` values of the
/// first block are needed to the end, `carried` ones go through every block as parameters.
fn function(instructions: usize, block: usize, kept: usize, carried: usize) -> Function {
    let kind = FunctionKind::Function { result: Some(WORD), parameters: Vec::new() };
    let span = pisa_diag::Span::new(0, 0);
    let mut f = Function::new("f", kind, pisa_diag::Place { file: pisa_diag::FileId(0), span });
    f.arguments = vec![WORD];
    f.argument_names = vec!["a".into()];
    let add = table(pisa_isa::Opcode::Iadd, &[(SlotName::Type, Qualifier::B32)]);
    let less =
        table(pisa_isa::Opcode::Ucmp, &[(SlotName::Cop, Qualifier::Lt), (SlotName::Type, Qualifier::B32)]);
    let names: Vec<u32> = (0..carried).map(|i| f.add_name(&format!("c{i}"))).collect();
    let entry = f.append_block();
    let argument = f.add_parameter(entry, WORD);
    let number = |n: usize| Operand::Constant(Constant::scalar(n as u128, 32));
    let first: Vec<Value> =
        (0..kept).map(|n| f.append_value(entry, add, [argument.into(), number(n)], WORD)).collect();
    let mut current: Vec<Operand> = (0..carried).map(number).collect();
    let mut before = entry;
    for number_of in 0..instructions / block {
        let next = f.append_block();
        let parameters: Vec<Value> = names
            .iter()
            .map(|&name| {
                let value = f.add_parameter(next, WORD);
                f.values[value.index()].name = Some(name);
                value
            })
            .collect();
        let arguments = current.iter().copied().collect();
        match &mut f.blocks[before.index()].terminator {
            Terminator::Branch { otherwise, .. } => *otherwise = Target { block: next, arguments },
            terminator => *terminator = Terminator::Goto(Target { block: next, arguments }),
        }
        let mut last: Operand = parameters.first().map_or(argument.into(), |&v| v.into());
        let mut values: Vec<Operand> = parameters.iter().map(|&v| v.into()).collect();
        for n in 0..block {
            let other = match (first.get((n * 7 + number_of) % kept.max(1)), n % 3) {
                (Some(&kept), 0) => kept.into(),
                _ => number(n),
            };
            last = f.append_value(next, add, [last, other], WORD).into();
            if let (Some(slot), 1) = (values.len().checked_sub(1), n % 5) {
                let at = n % (slot + 1);
                values[at] = last;
                if let Operand::Value(value) = last {
                    f.values[value.index()].name = Some(names[at]);
                }
            }
        }
        let again = f.append_value(next, less, [last, number(1000)], RegisterType::PREDICATE);
        let arguments = values.iter().copied().collect();
        f.blocks[next.index()].terminator = Terminator::Branch {
            condition: again.into(),
            taken: Target { block: next, arguments },
            otherwise: Target::new(Block(0)),
        };
        current = values;
        before = next;
    }
    let end = f.append_block();
    match &mut f.blocks[before.index()].terminator {
        Terminator::Branch { otherwise, .. } => *otherwise = Target::new(end),
        terminator => *terminator = Terminator::Goto(Target::new(end)),
    }
    f.blocks[end.index()].terminator = Terminator::Return(Some(argument.into()));
    f
}

fn main() {
    for (block, kept, carried) in [(100_000, 10, 0), (50, 10, 4), (5, 10, 4), (5, 1000, 8), (5, 10, 100)] {
        for instructions in [10_000, 100_000] {
            let function = function(instructions.max(block), block, kept, carried);
            let count = function.instructions.len();
            let module = Module {
                version: Version(0, 1),
                target: pisa_isa::Target::T100,
                variables: vec![],
                functions: vec![function],
            };
            let begin = std::time::Instant::now();
            let exported = pisa_ir::export::export(&module);
            let time = begin.elapsed();
            let (code, registers) = match &exported {
                Ok(module) => (module.functions[0].code.len(), module.functions[0].registers.len()),
                Err(error) => panic!("{error}"),
            };
            let text = format!(
                "{count} instructions in blocks of {block}, {kept} kept, {carried} carried: {time:?}, {code} of code, {registers} registers\n"
            );
            std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).expect("standard output");
        }
    }
}
