//! The code of functions made by hand, against text written by hand.

mod blocks;
mod operands;
mod random;
mod vectors;

use super::export;
use crate::samples::{function, kernel, name_block, name_value};
use crate::{Block, Constant, Function, Module, Operand, Operation, Target, Terminator, Value};
use pisa_isa::Version;
use pisa_module::{FunctionKind, Options, RegisterType};

const B32: RegisterType = RegisterType::scalar(32);
const B64: RegisterType = RegisterType::scalar(64);

/// A function that is built by mnemonics.
struct Build(Function);

impl Build {
    fn kernel(parameters: &[&str]) -> Build {
        Build(kernel("k", parameters))
    }
    fn function(result: Option<RegisterType>, arguments: &[RegisterType]) -> (Build, Block, Vec<Value>) {
        let kind = FunctionKind::Function { result, parameters: Vec::new() };
        let names = ["a", "b", "c", "d"];
        let mut build = Build(function("f", kind, arguments, &names[..arguments.len()]));
        let entry = build.block("");
        let values = arguments.iter().map(|&ty| build.0.add_parameter(entry, ty)).collect();
        (build, entry, values)
    }
    fn block(&mut self, name: &str) -> Block {
        let block = self.0.append_block();
        if !name.is_empty() {
            name_block(&mut self.0, block, name);
        }
        block
    }
    fn parameter(&mut self, block: Block, name: &str, ty: RegisterType) -> Value {
        let value = self.0.add_parameter(block, ty);
        self.named(value, name)
    }
    fn named(&mut self, value: Value, name: &str) -> Value {
        if !name.is_empty() {
            name_value(&mut self.0, value, name);
        }
        value
    }
    /// An instruction of the table with this many results, by the form of that number which takes the mnemonic.
    fn table<const N: usize>(
        &mut self,
        block: Block,
        mnemonic: &str,
        form: usize,
        operands: &[Operand],
        types: [RegisterType; N],
    ) -> [Value; N] {
        let split = pisa_isa::split_mnemonic(mnemonic).unwrap();
        let found = pisa_isa::match_mnemonic(split.opcode, split.qualifiers()).unwrap();
        let operation = Operation::Table { form: found[form].form, qualifiers: found[form].values };
        self.put(block, operation, operands, types)
    }
    fn put<const N: usize>(
        &mut self,
        block: Block,
        operation: Operation,
        operands: &[Operand],
        types: [RegisterType; N],
    ) -> [Value; N] {
        let made = self.0.append(block, operation, operands.iter().copied(), types, None);
        self.0.instruction(made).results[..].try_into().unwrap()
    }
    /// One with a 32-bit result of this name.
    fn word(&mut self, block: Block, name: &str, mnemonic: &str, operands: &[Operand]) -> Value {
        let [value] = self.table(block, mnemonic, 0, operands, [B32]);
        self.named(value, name)
    }
    /// A comparison.
    fn test(&mut self, block: Block, name: &str, mnemonic: &str, operands: &[Operand]) -> Value {
        let [value] = self.table(block, mnemonic, 0, operands, [RegisterType::PREDICATE]);
        self.named(value, name)
    }
    fn initial(&mut self, block: Block, name: &str, ty: RegisterType) -> Value {
        let [value] = self.put(block, Operation::Initial, &[], [ty]);
        self.named(value, name)
    }
    fn goto(&mut self, block: Block, to: Target) {
        self.0.blocks[block.index()].terminator = Terminator::Goto(to);
    }
    fn branch(&mut self, block: Block, condition: impl Into<Operand>, taken: Target, otherwise: Target) {
        self.0.blocks[block.index()].terminator =
            Terminator::Branch { condition: condition.into(), taken, otherwise };
    }
    fn give(&mut self, block: Block, value: impl Into<Operand>) {
        self.0.blocks[block.index()].terminator = Terminator::Return(Some(value.into()));
    }
    /// The text between the braces of the only function.
    fn text(self) -> String {
        let module = Module {
            version: Version(0, 1),
            target: pisa_isa::Target::T100,
            variables: vec![],
            functions: vec![self.0],
        };
        body(&module)
    }
}

fn number(value: u32) -> Operand {
    Operand::word(value)
}

fn long(value: u64) -> Operand {
    Operand::Constant(Constant::scalar(u128::from(value), 64))
}

fn to(block: Block, arguments: &[Operand]) -> Target {
    Target { block, arguments: arguments.iter().copied().collect() }
}

/// The text of the first function, between its braces, after it was read again without a complaint and found the same.
fn body(module: &Module) -> String {
    let exported = export(module).unwrap();
    let text = pisa_module::print(&exported);
    let mut sources = pisa_diag::Sources::new();
    let file = sources.add("test.pisa", &*text);
    let tree = pisa_syntax::parse(file, text.as_str().into());
    assert!(tree.diagnostics.is_empty(), "{text}\n{:?}", tree.diagnostics);
    let lowered = pisa_module::lower(&tree, &Options { strict: true, ..Options::default() });
    // Functions that return vectors are a departure of the functions, not of their code.
    let errors = lowered.diagnostics.iter();
    let errors = errors.filter(|d| d.severity == pisa_diag::Severity::Error && d.code.0 != "W0027");
    let errors: Vec<_> = errors.collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    let read = pisa_module::lower(&tree, &Options::default()).module.unwrap();
    assert!(pisa_module::same(&read, &exported), "{text}");
    let from = text.find("{\n").unwrap() + 2;
    let until = text[from..].find("}\n").unwrap();
    text[from..from + until].to_owned()
}

/// Compares text but for the margin.
fn assert_text(found: &str, expected: &str) {
    let trim =
        |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(trim(found), trim(expected), "found:\n{found}");
}
