//! Each invariant is broken once, and seen to be.

use super::*;
use crate::cross_lane::*;
use crate::function::*;
use crate::operation::*;
use crate::samples::*;
use pisa_isa::{Opcode, Qualifier, SlotName, Value as SlotValue};
use pisa_module::{Linkage, ParameterId, RegisterType, Space, SpecialRegister, VariableId};

/// Breaks a module in one way; gives the function that is broken.
type Break = fn(&mut Module) -> usize;

const ENTRY: usize = 0;
const TURN: usize = 1;
const DONE: usize = 2;

/// The instruction with a mnemonic.
fn find<'m>(module: &'m mut Module, function: usize, mnemonic: &str) -> &'m mut InstructionData {
    let function = &mut module.functions[function];
    let found = function
        .instructions
        .iter_mut()
        .find(|data| crate::text::words::other_text(&data.operation).starts_with(mnemonic));
    found.expect("an instruction")
}

fn push(
    module: &mut Module,
    block: usize,
    operation: Operation,
    operands: &[Operand],
    result: RegisterType,
) -> Value {
    let function = &mut module.functions[0];
    function.append_value(Block(block as u32), operation, operands.iter().copied(), result)
}

fn cross_lane(kind: CrossLaneKind, element: Element) -> Operation {
    Operation::CrossLane(CrossLane { kind, element, inactive: InactiveSource::Own })
}

fn reduce(reduction: Reduction, cluster: u8, partitioned: bool) -> CrossLaneKind {
    let cluster = ClusterSize::new(cluster).expect("a size");
    CrossLaneKind::Reduce { reduction, scope: Scope::Reduce, cluster, partitioned }
}

/// A way to break each invariant, and a part of what is said of it.
const BREAKS: &[(u8, Break, &str)] = &[
    (
        1,
        |m| {
            m.functions[0].layout.push(Block(9));
            0
        },
        "the layout has block 9, the function has none of that number",
    ),
    (
        1,
        |m| {
            m.functions[0].layout.push(Block(1));
            0
        },
        "the block stands twice in the layout",
    ),
    (
        1,
        |m| {
            m.functions[1].layout.clear();
            1
        },
        "a function that is not imported has at least one block",
    ),
    (
        1,
        |m| {
            m.functions[2].append_block();
            2
        },
        "an imported function has no blocks",
    ),
    (
        2,
        |m| {
            let first = m.functions[0].blocks[ENTRY].instructions[0];
            m.functions[0].blocks[DONE].instructions.push(first);
            0
        },
        "the instruction is listed twice",
    ),
    (
        2,
        |m| {
            m.functions[0].blocks[DONE].instructions.push(Instruction(99));
            0
        },
        "lists instruction 99",
    ),
    (
        3,
        |m| {
            m.functions[0].values[0].definition = Definition::Parameter(Block(1), 0);
            0
        },
        "`%p` is defined here, but says that something else defines it",
    ),
    (
        3,
        |m| {
            m.functions[0].blocks[DONE].parameters.push(Value(77));
            0
        },
        "value 77 is defined here",
    ),
    (
        4,
        |m| {
            let instructions = &mut m.functions[0].blocks[ENTRY].instructions;
            instructions.remove(1);
            0
        },
        "`%a.8` is used, but nothing in the function defines it",
    ),
    (
        4,
        |m| {
            m.functions[0].values[0].name = Some(1000);
            0
        },
        "a name of the block or its values is not in the list",
    ),
    (
        5,
        |m| {
            m.functions[0].values[0].ty = RegisterType { elements: 1, bits: 24 };
            0
        },
        "`%p` has the type `24b`, which PISA does not have",
    ),
    (
        5,
        |m| {
            let wide = RegisterType { elements: 8, bits: 32 };
            find(m, 0, "iadd").operands[1] = Operand::Constant(Constant::new(0, wide));
            0
        },
        "a constant cannot have the type `v8.32b`",
    ),
    (
        6,
        |m| {
            m.functions[0].blocks[DONE].terminator = Terminator::Goto(Target::new(Block(0)));
            0
        },
        "`entry` is the entry block, which nothing may go to",
    ),
    (
        7,
        |m| {
            let lost = m.functions[0].new_block();
            m.functions[0].blocks[DONE].terminator = Terminator::Goto(Target::new(lost));
            0
        },
        "`block3` is gone to, but is not in the function",
    ),
    (
        8,
        |m| {
            m.functions[0].blocks[DONE].terminator = Terminator::Goto(Target::new(Block(1)));
            0
        },
        "`turn` has 1 parameters, here it is given 0",
    ),
    (
        8,
        |m| {
            let arguments = [Operand::Constant(Constant::scalar(1, 64))].into_iter().collect();
            m.functions[0].blocks[DONE].terminator = Terminator::Goto(Target { block: Block(1), arguments });
            0
        },
        "`1: 64b` is given for `%s.4`, which is `32b`",
    ),
    (
        9,
        |m| {
            let Terminator::Branch { condition, .. } = &mut m.functions[0].blocks[ENTRY].terminator else {
                return 0;
            };
            *condition = Operand::Value(Value(1));
            0
        },
        "the block ends on `%a`, which is no predicate",
    ),
    (
        10,
        |m| {
            m.functions[0].blocks[DONE].terminator = Terminator::Return(Some(Operand::word(1)));
            0
        },
        "`1: 32b` is returned, there is no result to give",
    ),
    (
        10,
        |m| {
            m.functions[1].blocks[0].terminator = Terminator::Return(None);
            1
        },
        "no value is returned, the function gives `32b`",
    ),
    (
        10,
        |m| {
            m.functions[1].blocks[0].terminator = Terminator::Return(Some(Value(1).into()));
            1
        },
        "`%1` is returned and is `64b`, the function gives `32b`",
    ),
    (
        11,
        |m| {
            m.functions[1].arguments[1] = B32;
            1
        },
        "`%1` is `64b`, the argument of the function is `32b`",
    ),
    (
        11,
        |m| {
            m.functions[0].add_parameter(Block(0), B32);
            0
        },
        "the entry block has 1 parameters, the function has 0 arguments",
    ),
    (
        12,
        |m| {
            let shuffle =
                table(Opcode::Shfl, 0, &[(SlotName::Op, Qualifier::Idx), (SlotName::Type, Qualifier::B32)]);
            let zero = Operand::word(0);
            push(m, DONE, shuffle, &[zero, zero, zero, zero], B32);
            0
        },
        "`shfl` is a cross-lane operation, no table operation",
    ),
    (
        12,
        |m| {
            push(m, DONE, table(Opcode::Goto, 0, &[]), &[], B32);
            0
        },
        "`goto` is a call or the end of a block",
    ),
    (
        12,
        |m| {
            let mov = table(Opcode::Mov, 0, &[(SlotName::Type, Qualifier::B64)]);
            push(m, ENTRY, mov, &[Value(0).into()], B64);
            0
        },
        "`mov` gives a name to a constant or special register",
    ),
    (
        13,
        |m| {
            let Operation::Table { qualifiers, .. } = &mut find(m, 0, "iadd").operation else { return 0 };
            qualifiers[1] = SlotValue::Named(Qualifier::F);
            0
        },
        "`iadd` cannot have what it has for `.type`",
    ),
    (
        13,
        |m| {
            let load = table(
                Opcode::Ld,
                0,
                &[
                    (SlotName::Addrspace, Qualifier::Private),
                    (SlotName::Memorder, Qualifier::Weak),
                    (SlotName::Type, Qualifier::B32),
                ],
            );
            let zero = Operand::word(0);
            push(m, ENTRY, load, &[zero, zero], B32);
            0
        },
        "qualifier .memorder must not be specified when",
    ),
    (
        14,
        |m| {
            find(m, 0, "iadd").operands.pop();
            0
        },
        "the operation takes 2 operands, here it has 1",
    ),
    (
        14,
        |m| {
            find(m, 0, "call").operands.remove(3);
            0
        },
        "the operation takes 5 operands, here it has 4",
    ),
    (
        15,
        |m| {
            find(m, 0, "ld.param").operands[0] = Value(0).into();
            0
        },
        "parameter is `%p`, there has to be a kernel parameter",
    ),
    (
        15,
        |m| {
            find(m, 0, "iadd").operands[0] = Operand::Variable(VariableId(1));
            0
        },
        "src0 is `@table`, there has to be a value",
    ),
    (
        16,
        |m| {
            find(m, 0, "iadd").operands[0] = Value(0).into();
            0
        },
        "src0 is `%p` of type `64b`, it has to be `32b`",
    ),
    (
        16,
        |m| {
            find(m, 0, "shuffle").operands[2] = Operand::Constant(Constant::scalar(0, 64));
            0
        },
        "mask is `0: 64b` of type `64b`, it has to be `32b`",
    ),
    (
        16,
        |m| {
            find(m, 0, "ld.global").operands[1] = Operand::Constant(Constant::scalar(0, 128));
            0
        },
        "it has to be a scalar of at most 64 bits",
    ),
    (
        16,
        |m| {
            let [two, four] = [2, 4].map(|elements| RegisterType { elements, bits: 32 });
            let old = push(m, ENTRY, Operation::Initial, &[], two);
            let insert = Operation::Table {
                form: pisa_isa::forms_of(Opcode::Insert)[0].id(),
                qualifiers: [
                    SlotValue::Number(0),
                    SlotValue::Named(Qualifier::B32),
                    SlotValue::Absent,
                    SlotValue::Absent,
                    SlotValue::Absent,
                    SlotValue::Absent,
                ],
            };
            push(m, ENTRY, insert, &[Operand::word(1), old.into()], four);
            0
        },
        "is kept and is `v2.32b`, the result is `v4.32b`",
    ),
    (
        17,
        |m| {
            m.functions[0].values[1].ty = B64;
            0
        },
        "`%a` is `64b`, the result is `32b`",
    ),
    (
        17,
        |m| {
            find(m, 0, "barrier").results.clear();
            find(m, 0, "iadd").results.clear();
            m.functions[0].blocks[TURN].instructions.pop();
            m.functions[0].blocks[TURN].terminator = Terminator::Return(None);
            0
        },
        "the operation gives 1 results, here it has 0",
    ),
    (
        18,
        |m| {
            find(m, 0, "iadd").operands[0] = Operand::Negated(Value(1));
            0
        },
        "src0 is `!%a`: only predicates are negated",
    ),
    (
        18,
        |m| {
            let read = cross_lane(CrossLaneKind::ReadFirstInvocation, Element::Predicate);
            let operands = [Operand::Negated(Value(3)), Operand::ALL_LANES, Operand::Dead];
            push(m, TURN, read, &operands, RegisterType::PREDICATE);
            0
        },
        "data is `!%3`: the operation has no negated predicate there",
    ),
    (
        19,
        |m| {
            find(m, 0, "iadd").operands[0] = Operand::Special(SpecialRegister::ActiveMask);
            0
        },
        "src0 is `%activemask`, which `activemask` has to give a value",
    ),
    (
        20,
        |m| {
            find(m, 0, "iadd").operands[0] = Operand::Dead;
            0
        },
        "src0 is `dead`, which only the pass-through can be",
    ),
    (
        21,
        |m| {
            find(m, 0, "st.shared").operands[0] = Operand::Variable(VariableId(1));
            0
        },
        "`@table` is in `.const`, the operation is on `.shared`",
    ),
    (
        21,
        |m| {
            m.variables[0].space = Space::Private;
            0
        },
        "`@tile` is in `.private`, the operation is on `.shared`",
    ),
    (
        21,
        |m| {
            m.variables[0].owner = Some(FunctionId(1));
            0
        },
        "`@tile` belongs to another function",
    ),
    (
        21,
        |m| {
            m.functions[0].variables.clear();
            0
        },
        "`@tile` is not in the list of the function's variables",
    ),
    (
        21,
        |m| {
            find(m, 0, "ld.param").operands[0] = Operand::Parameter(ParameterId(5));
            0
        },
        "there is no kernel parameter 5",
    ),
    (
        21,
        |m| {
            let address = table(Opcode::Addrof, 0, &[(SlotName::Type, Qualifier::B32)]);
            push(m, ENTRY, address, &[Operand::Variable(VariableId(1))], B32);
            0
        },
        "addresses of `.const` variables have 64 bits, the operation gives 32",
    ),
    (
        21,
        |m| {
            push(m, DONE, Operation::Call { conditional: false }, &[Operand::Function(FunctionId(0))], B32);
            m.functions[0].instructions.last_mut().expect("the call").results.clear();
            0
        },
        "`@sum` is a kernel, which only the host starts",
    ),
    (
        22,
        |m| {
            let pair = RegisterType { elements: 2, bits: 32 };
            let pair = push(m, ENTRY, Operation::Initial, &[], pair);
            push(m, ENTRY, Operation::Vector(VectorOperation::Extract { first: 2 }), &[pair.into()], B32);
            0
        },
        "elements 2 to 2 are past the end of `v2.32b`",
    ),
    (
        22,
        |m| {
            let pair = RegisterType { elements: 2, bits: 32 };
            let pair = push(m, ENTRY, Operation::Initial, &[], pair);
            push(m, ENTRY, Operation::Vector(VectorOperation::Pack), &[pair.into()], B32);
            0
        },
        "`v2.32b` and `32b` have different numbers of bits",
    ),
    (
        23,
        |m| {
            let sum = cross_lane(reduce(Reduction::Fmin, 32, false), Element::I32);
            push(m, ENTRY, sum, &[Value(1).into(), Operand::ALL_LANES, Operand::Dead], B32);
            0
        },
        "`reduce.fmin.i32`: the reduction is not defined on this type",
    ),
    (
        23,
        |m| {
            let sum = cross_lane(reduce(Reduction::Sum, 8, true), Element::I32);
            let all = Operand::ALL_LANES;
            push(m, ENTRY, sum, &[Value(1).into(), all, all, Operand::Dead], B32);
            0
        },
        "a partition and a cluster together",
    ),
    (
        23,
        |m| {
            let ballot = cross_lane(CrossLaneKind::Ballot { bits: 16 }, Element::Predicate);
            push(
                m,
                TURN,
                ballot,
                &[Value(3).into(), Operand::ALL_LANES, Operand::Dead],
                RegisterType::scalar(16),
            );
            0
        },
        "a ballot has 32 or 64 bits",
    ),
    (
        23,
        |m| {
            let vote = cross_lane(CrossLaneKind::VoteAny, Element::I32);
            let operands = [Value(1).into(), Operand::ALL_LANES, Operand::Dead];
            push(m, TURN, vote, &operands, RegisterType::PREDICATE);
            0
        },
        "`vote_any.i32` is on predicates only",
    ),
    (
        24,
        |m| {
            push(m, DONE, Operation::Initial, &[], B32);
            0
        },
        "`initial` stands in the entry block only",
    ),
    (
        25,
        |m| {
            m.functions[0].blocks[ENTRY].instructions.swap(0, 1);
            0
        },
        "`%p` is used before it is defined",
    ),
    (
        25,
        |m| {
            let value = Operand::Value(find(m, 0, "iadd").results[0]);
            let add = find(m, 0, "iadd").operation;
            push(m, DONE, add, &[value, value], B32);
            0
        },
        "is used where control comes without passing `turn`, which defines it",
    ),
    (
        26,
        |m| {
            find(m, 0, "activemask").active = None;
            0
        },
        "the instruction is convergent and has no active set",
    ),
    (
        26,
        |m| {
            find(m, 0, "activemask").active = Some(ActiveSet::Entry(Block(1)));
            0
        },
        "the instruction says that it runs `in turn`, here it is `in after #1`",
    ),
    (
        26,
        |m| {
            find(m, 0, "iadd").active = Some(ActiveSet::Entry(Block(1)));
            0
        },
        "the instruction has an active set, but does not depend on it",
    ),
];

#[test]
fn the_sample_is_well_formed() {
    assert_eq!(verify(&sample()), []);
}

#[test]
fn each_invariant_is_seen_to_be_broken() {
    for (number, change, said) in BREAKS {
        let mut module = sample();
        let function = change(&mut module);
        let errors = verify(&module);
        let messages: Vec<_> = errors.iter().map(|e| (e.invariant, e.message.as_str())).collect();
        let expected = errors.iter().find(|e| e.invariant == *number && e.message.contains(said));
        let error = expected.unwrap_or_else(|| panic!("{number}, {said}: {messages:?}"));
        assert_eq!(error.function.index(), function);
        assert!(error.to_string().contains(&format!("@{}", module.functions[function].name)));
    }
}

#[test]
fn every_invariant_of_the_list_has_its_test() {
    let text = include_str!("mod.rs");
    let listed: Vec<u8> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//!")?.trim_start().split_once(". ")?.0.parse().ok())
        .collect();
    let count = listed.len() as u8;
    assert_eq!(listed, (1..=count).collect::<Vec<_>>());
    let mut tested: Vec<u8> = BREAKS.iter().map(|b| b.0).collect();
    tested.dedup();
    assert_eq!(tested, listed);
}

#[test]
fn what_is_fine_stays_fine() {
    let mut module = sample();
    // Constants and special registers stand wherever values do, predicates are negated where the table has it.
    let lane = Operand::Special(SpecialRegister::LaneId);
    let mov = table(Opcode::Mov, 0, &[(SlotName::Type, Qualifier::B32)]);
    push(&mut module, ENTRY, mov, &[lane], B32);
    let select = table(Opcode::Sel, 1, &[(SlotName::Type, Qualifier::B32)]);
    push(&mut module, TURN, select, &[lane, Operand::word(1), Operand::Negated(Value(3))], B32);
    // A value may be used anywhere in code that nothing reaches.
    let dead = module.functions[0].append_block();
    let value = Operand::Value(find(&mut module, 0, "iadd").results[0]);
    let add = find(&mut module, 0, "iadd").operation;
    push(&mut module, dead.index(), add, &[value, value], B32);
    // An offset may be narrower than the address.
    find(&mut module, 0, "ld.global").operands[1] = lane;
    // What no block lists may be as it likes.
    module.functions[0].new_instruction(add, [Operand::Dead], [B64], None);
    // A kept value of a reduction in a loop, and a handle that is called.
    let sum = cross_lane(reduce(Reduction::Sum, 8, false), Element::Hf);
    let half = RegisterType::scalar(16);
    let operands =
        [Operand::Constant(Constant::scalar(0x3c00, 16)), lane, Operand::Constant(Constant::scalar(0, 16))];
    push(&mut module, DONE, sum, &operands, half);
    let call = Operation::Call { conditional: true };
    let one = Operand::word(1);
    let handle = Operand::Constant(Constant::scalar(5, 64));
    push(&mut module, DONE, call, &[Operand::Constant(Constant::predicate(true)), handle, one, one], B32);
    assert_eq!(verify(&module), []);
}

#[test]
fn an_error_says_where() {
    let mut module = sample();
    find(&mut module, 0, "iadd").operands[1] = Operand::Dead;
    let errors = verify(&module);
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].block, Some(Block(1)));
    assert_eq!(
        errors[0].to_string(),
        "src1 is `dead`, which only the pass-through can be\n  @sum, block turn: %7: 32b = iadd.32b %6, dead"
    );
    assert_eq!(module.functions[2].linkage, Linkage::Import);
}

#[test]
fn a_hundred_thousand_instructions_and_no_end_of_errors() {
    let mut module = sample();
    let add = find(&mut module, 0, "iadd").operation;
    let function = &mut module.functions[0];
    for _ in 0..100_000 {
        function.append(Block(2), add, [Operand::word(1), Operand::word(2)], [B32], None);
    }
    assert_eq!(verify(&module), []);
    for instruction in &mut module.functions[0].instructions {
        instruction.operands.push(Operand::Dead);
    }
    assert_eq!(verify(&module).len(), MOST_ERRORS);
}
