//! Folding, by hand.

use super::{evaluate, fold};
use crate::test_support::{Builder, assert_valid};
use crate::{Block, Constant, MaskOperation, Operand, Operation, Scope, Target, Terminator, VectorOperation};
use pisa_isa::{match_mnemonic, split_mnemonic};
use pisa_module::RegisterType;

const W: RegisterType = RegisterType::scalar(32);

fn table(mnemonic: &str) -> Operation {
    let split = split_mnemonic(mnemonic).unwrap();
    let found = match_mnemonic(split.opcode, split.qualifiers()).unwrap();
    Operation::Table { form: found[0].form, qualifiers: found[0].values }
}

fn constant(bits: u128, ty: RegisterType) -> Operand {
    Operand::Constant(Constant::new(bits, ty))
}

/// What one result is, as bits.
fn one(operation: Operation, operands: &[Operand], ty: RegisterType) -> Option<u128> {
    evaluate(&operation, operands, &[ty]).map(|results| results[0].bits())
}

#[test]
fn table_operations() {
    let word = |bits: u32| Operand::word(bits);
    // 1.3: modulo 2^32.
    assert_eq!(one(table("iadd.32b"), &[word(0xFFFF_FFFF), word(2)], W), Some(1));
    // 2.2: 1 + 2^-24 is a tie, to even; upwards with .ru.
    let floats = [word(0x3F80_0000), word(0x3380_0000)];
    assert_eq!(one(table("fadd.f"), &floats, W), Some(0x3F80_0000));
    assert_eq!(one(table("fadd.ru.f"), &floats, W), Some(0x3F80_0001));
    // .ftz: the least denormal is 0.
    assert_eq!(one(table("fadd.f"), &[word(1), word(0)], W), Some(1));
    assert_eq!(one(table("fadd.ftz.f"), &[word(1), word(0)], W), Some(0));
    // A packed sum, element by element.
    let packed = RegisterType { elements: 2, bits: 16 };
    let operands = [constant(0x0003_FFFF, packed), constant(0x0004_0002, packed)];
    assert_eq!(one(table("iadd.16bx2"), &operands, packed), Some(0x0007_0001));
    // What is no constant, and what needs more than its operands.
    assert_eq!(one(table("iadd.32b"), &[word(1), Operand::Dead], W), None);
    assert_eq!(one(table("ired.sum.32b"), &[word(1), word(1)], W), None);
    assert_eq!(one(table("ld.global.32b"), &[constant(0, RegisterType::scalar(64)), word(0)], W), None);
}

#[test]
fn masks_and_vectors() {
    let word = |bits: u32| Operand::word(bits);
    let mask = |operation, operands: &[Operand], ty| one(Operation::Mask(operation), operands, ty);
    assert_eq!(mask(MaskOperation::FindLeast, &[word(0x50)], W), Some(4));
    assert_eq!(mask(MaskOperation::FindMost, &[word(0x50)], W), Some(6));
    assert_eq!(mask(MaskOperation::FindMost, &[word(0)], W), Some(0xFFFF_FFFF));
    assert_eq!(mask(MaskOperation::BitCount(Scope::Reduce), &[word(0x50)], W), Some(2));
    assert_eq!(mask(MaskOperation::BitCount(Scope::Inclusive), &[word(0x50)], W), None);
    assert_eq!(mask(MaskOperation::InverseBallot, &[word(0x50)], RegisterType::PREDICATE), None);
    // The low 5 bits count: lane 4.
    assert_eq!(mask(MaskOperation::BitExtract, &[word(0x50), word(36)], RegisterType::PREDICATE), Some(1));
    let vector = |operation, operands: &[Operand], ty| one(Operation::Vector(operation), operands, ty);
    let four = RegisterType { elements: 4, bits: 16 };
    let two = RegisterType { elements: 2, bits: 16 };
    let row = constant(0x4444_3333_2222_1111, four);
    assert_eq!(vector(VectorOperation::Extract { first: 1 }, &[row], two), Some(0x3333_2222));
    assert_eq!(vector(VectorOperation::Extract { first: 3 }, &[row], two), None);
    let insert = VectorOperation::Insert { first: 2 };
    assert_eq!(vector(insert, &[row, constant(0xBBBB_AAAA, two)], four), Some(0xBBBB_AAAA_2222_1111));
    assert_eq!(vector(VectorOperation::Pack, &[row], RegisterType::scalar(64)), Some(0x4444_3333_2222_1111));
}

/// Constants go on through names, operations and parameters.
#[test]
fn constants_go_through_blocks() {
    let mut builder = Builder::kernel();
    let [top, then, join] = builder.blocks();
    let f = &mut builder.function;
    let p = f.append_value(top, Operation::Initial, [], RegisterType::PREDICATE);
    let five = f.append_value(top, table("mov.32b"), [Operand::word(5)], W);
    let six = f.append_value(top, table("iadd.32b"), [five.into(), Operand::word(1)], W);
    let lane =
        f.append_value(top, table("mov.32b"), [Operand::Special(pisa_module::SpecialRegister::LaneId)], W);
    let parameter = f.add_parameter(join, W);
    let other = f.add_parameter(join, W);
    let target = |argument| Target { block: join, arguments: smallvec::smallvec![six.into(), argument] };
    let branch =
        Terminator::Branch { condition: p.into(), taken: Target::new(then), otherwise: target(lane.into()) };
    f.blocks[top.index()].terminator = branch;
    f.blocks[then.index()].terminator = Terminator::Goto(target(Operand::word(7)));
    let sum = f.append_value(join, table("iadd.32b"), [parameter.into(), Operand::word(1)], W);
    let last = f.append_value(join, table("iadd.32b"), [sum.into(), other.into()], W);
    let address = f.append_value(
        join,
        table("mov.64b"),
        [constant(64, RegisterType::scalar(64))],
        RegisterType::scalar(64),
    );
    builder.store(join, address, last.into());
    let f = &mut builder.function;
    assert!(fold(f));
    assert_valid(f);
    assert_eq!(f.block(join).parameters, [other]);
    let [add, store] = f.block(join).instructions[..] else { panic!("{:?}", f.block(join)) };
    assert_eq!(f.instruction(add).operands[..], [Operand::word(7), other.into()]);
    assert_eq!(f.instruction(store).operands[0], constant(64, RegisterType::scalar(64)));
    let arguments: Vec<_> = f.targets(top)[1].arguments.to_vec();
    assert_eq!(arguments, [Operand::Special(pisa_module::SpecialRegister::LaneId)]);
    assert_eq!(f.block(top).instructions.len(), 1);
    assert!(!fold(f));
}

/// Parameters of nested loops that only go round.
#[test]
fn parameters_that_go_round() {
    let mut builder = Builder::kernel();
    let [top, outer, inner, exit] = builder.blocks();
    let f = &mut builder.function;
    let x = f.append_value(top, Operation::Initial, [], W);
    let p = f.append_value(top, Operation::Initial, [], RegisterType::PREDICATE);
    let (a, b) = (f.add_parameter(outer, W), f.add_parameter(inner, W));
    let count = f.add_parameter(inner, W);
    let to = |block: Block, arguments: &[Operand]| Target { block, arguments: arguments.into() };
    f.blocks[top.index()].terminator = Terminator::Goto(to(outer, &[x.into()]));
    f.blocks[outer.index()].terminator = Terminator::Goto(to(inner, &[a.into(), Operand::word(0)]));
    let more = f.append_value(inner, table("iadd.32b"), [count.into(), b.into()], W);
    let onwards = f.append_block();
    f.blocks[inner.index()].terminator = Terminator::Branch {
        condition: p.into(),
        taken: to(inner, &[b.into(), more.into()]),
        otherwise: to(onwards, &[]),
    };
    f.blocks[onwards.index()].terminator =
        Terminator::Branch { condition: p.into(), taken: to(outer, &[b.into()]), otherwise: to(exit, &[]) };
    f.layout = vec![top, outer, inner, onwards, exit];
    assert!(fold(f));
    assert_valid(f);
    assert_eq!(f.block(outer).parameters, []);
    assert_eq!(f.block(inner).parameters, [count]);
    assert_eq!(f.instruction(f.block(inner).instructions[0]).operands[..], [count.into(), x.into()]);
}
