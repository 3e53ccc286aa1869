use super::*;
use crate::{Constant, LaneMask, MaskOperation, Scope, VectorOperation};
use pisa_isa::{match_mnemonic, split_mnemonic};

const WORD: RegisterType = RegisterType::scalar(32);

/// An instruction of the table; `title` tells apart forms of one mnemonic.
fn table(mnemonic: &str, title: &str) -> Operation {
    let parts = split_mnemonic(mnemonic).unwrap();
    let found = match_mnemonic(parts.opcode, parts.qualifiers()).unwrap();
    let found = found.iter().find(|found| pisa_isa::form(found.form).title.contains(title)).unwrap();
    Operation::Table { form: found.form, qualifiers: found.values }
}

/// Runs one operation on these operands in lanes 0 to 3: the elements of the result by lane.
fn run(operation: Operation, operands: &[Operand], ty: RegisterType) -> [Elements; 4] {
    let mut function = function();
    let block = function.append_block();
    let result = function.append_value(block, operation, operands.iter().copied(), ty);
    let lanes = run_block(&function, block, &[], 0b1111).unwrap();
    let datum = lanes.get(result).unwrap();
    assert!(datum[4..].iter().all(|elements| elements.is_empty()));
    std::array::from_fn(|lane| datum[lane].clone())
}

/// The same of a scalar result.
fn scalar(operation: Operation, operands: &[Operand], ty: RegisterType) -> [u128; 4] {
    run(operation, operands, ty).map(|elements| {
        assert_eq!(elements.len(), 1);
        elements[0].unwrap()
    })
}

const LANE_ID: Operand = Operand::Special(SpecialRegister::LaneId);

fn vector(bits: u128, elements: u8, width: u8) -> Operand {
    Operand::Constant(Constant::new(bits, RegisterType { elements, bits: width }))
}

fn elements(bits: &[u128]) -> Elements {
    bits.iter().map(|&bits| Some(bits)).collect()
}

#[test]
fn instructions_of_the_table() {
    let sum = scalar(table("iadd.32b", ""), &[LANE_ID, Operand::word(u32::MAX)], WORD);
    assert_eq!(sum, [0xFFFF_FFFF, 0, 1, 2]);
    assert_eq!(scalar(table("mov.32b", "Scalar to scalar"), &[LANE_ID], WORD), [0, 1, 2, 3]);
    let below =
        scalar(table("ucmp.lt.32b", "predicate"), &[LANE_ID, Operand::word(2)], RegisterType::PREDICATE);
    assert_eq!(below, [1, 1, 0, 0]);
    let pair = RegisterType { elements: 2, bits: 16 };
    let packed =
        run(table("iadd.16bx2", ""), &[vector(0xFFFF_0001, 2, 16), vector(0x0002_0003, 2, 16)], pair);
    assert_eq!(packed[0], elements(&[4, 1]));
    // The old value comes last.
    let four = RegisterType { elements: 4, bits: 32 };
    let old = vector(4 << 96 | 3 << 64 | 2 << 32 | 1, 4, 32);
    assert_eq!(run(table("insert.2.32b", "scalar"), &[LANE_ID, old], four)[3], elements(&[1, 2, 3, 4]));
    assert_eq!(run(table("insert.2.32b", "scalar"), &[LANE_ID, old], four)[1], elements(&[1, 2, 1, 4]));
}

#[test]
fn several_results() {
    let mut function = function();
    let block = function.append_block();
    let operands = [LANE_ID, Operand::word(0xFFFF_FFFE)];
    let types = [WORD, RegisterType::PREDICATE];
    let sum = function.append(block, table("uaddc.co.32b", ""), operands, types, None);
    let [low, carry] = function.instruction(sum).results[..] else { panic!() };
    let lanes = run_block(&function, block, &[], 0b1111).unwrap();
    assert_eq!(element(&lanes, low, 0)[..4], [0xFFFF_FFFE, 0xFFFF_FFFF, 0, 1]);
    assert_eq!(element(&lanes, carry, 0)[..4], [0, 0, 1, 1]);
}

#[test]
fn masks_of_lanes() {
    let lanes = |relation| scalar(Operation::Mask(MaskOperation::Lanes(relation)), &[], WORD)[2];
    assert_eq!(lanes(LaneMask::Equal), 0b100);
    assert_eq!(lanes(LaneMask::GreaterEqual), 0xFFFF_FFFC);
    assert_eq!(lanes(LaneMask::Greater), 0xFFFF_FFF8);
    assert_eq!(lanes(LaneMask::LessEqual), 0b111);
    assert_eq!(lanes(LaneMask::Less), 0b011);
    let of = |operation, mask, ty| scalar(Operation::Mask(operation), &[Operand::word(mask)], ty);
    let word = |operation, mask| of(operation, mask, WORD);
    assert_eq!(of(MaskOperation::InverseBallot, 0b0110, RegisterType::PREDICATE), [0, 1, 1, 0]);
    assert_eq!(word(MaskOperation::BitCount(Scope::Reduce), 0x8000_0105), [4; 4]);
    assert_eq!(word(MaskOperation::BitCount(Scope::Inclusive), 0b1101), [1, 1, 2, 3]);
    assert_eq!(word(MaskOperation::BitCount(Scope::Exclusive), 0b1101), [0, 1, 1, 2]);
    assert_eq!(
        [word(MaskOperation::FindLeast, 0x8000_0010)[0], word(MaskOperation::FindLeast, 0)[0]],
        [4, 0xFFFF_FFFF]
    );
    assert_eq!(
        [word(MaskOperation::FindMost, 0x8000_0010)[0], word(MaskOperation::FindMost, 0)[0]],
        [31, 0xFFFF_FFFF]
    );
    let bits = scalar(
        Operation::Mask(MaskOperation::BitExtract),
        &[Operand::word(0b0101), LANE_ID],
        RegisterType::PREDICATE,
    );
    assert_eq!(bits, [1, 0, 1, 0]);
    let wraps = [Operand::word(0b0101), Operand::word(34)];
    assert_eq!(scalar(Operation::Mask(MaskOperation::BitExtract), &wraps, RegisterType::PREDICATE), [1; 4]);
}

#[test]
fn vectors() {
    let four = vector(0x0044_0033_0022_0011, 4, 16);
    let pair = RegisterType { elements: 2, bits: 16 };
    let of = |operation, operands: &[Operand], ty| run(Operation::Vector(operation), operands, ty)[0].clone();
    assert_eq!(of(VectorOperation::Extract { first: 2 }, &[four], pair), elements(&[0x33, 0x44]));
    assert_eq!(
        of(VectorOperation::Extract { first: 1 }, &[four], RegisterType::scalar(16)),
        elements(&[0x22])
    );
    let whole = RegisterType { elements: 4, bits: 16 };
    let inserted = of(VectorOperation::Insert { first: 2 }, &[four, vector(0x0088_0077, 2, 16)], whole);
    assert_eq!(inserted, elements(&[0x11, 0x22, 0x77, 0x88]));
    assert_eq!(
        of(VectorOperation::Pack, &[four], RegisterType::scalar(64)),
        elements(&[0x0044_0033_0022_0011])
    );
    let row = Operand::Constant(Constant::scalar(0x0044_0033_0022_0011, 64));
    assert_eq!(of(VectorOperation::Unpack, &[row], whole), elements(&[0x11, 0x22, 0x33, 0x44]));
}

#[test]
fn unwritten_registers_have_their_pattern() {
    // 0xCD is 1100 1101.
    assert_eq!(scalar(Operation::Initial, &[], WORD), [0xCDCD_CDCD; 4]);
    assert_eq!(scalar(Operation::Initial, &[], RegisterType::PREDICATE), [1, 0, 1, 1]);
}

#[test]
fn what_is_given_is_not_run() {
    let mut function = function();
    let block = function.append_block();
    let address = [Operand::word(0), Operand::word(0)];
    let loaded = function.append_value(block, table("ld.shared.32b", ""), address, WORD);
    let twice = function.append_value(block, table("iadd.32b", ""), [loaded.into(), loaded.into()], WORD);
    let load = function.defining(loaded).unwrap();
    assert_eq!(run_block(&function, block, &[], 1), Err(NotModelled::Reaches(load)));
    let lanes = run_block(&function, block, &[(loaded, scalars(|lane| 5 + lane as u128))], 0b11).unwrap();
    assert_eq!(element(&lanes, twice, 0)[..3], [10, 12, INACTIVE]);
}

#[test]
fn what_is_not_given_is_named() {
    let mut function = function();
    let block = function.append_block();
    let x = function.add_parameter(block, WORD);
    function.append_value(block, table("not.32b", ""), [x.into()], WORD);
    assert_eq!(run_block(&function, block, &[], 1), Err(NotModelled::NoValue(x)));
    let mut lanes = Lanes::new(1);
    let group = SpecialRegister::GroupId(pisa_module::Dimension::X);
    assert!(matches!(lanes.read(Operand::Special(group), 0), Err(NotModelled::Launch(_))));
    lanes.set_special(group, [7; LANES]);
    assert_eq!(lanes.read(Operand::Special(group), 0), Ok(elements(&[7])));
    assert_eq!(lanes.read(Operand::Special(SpecialRegister::SubgroupSize), 0), Ok(elements(&[32])));
}

#[test]
fn undefined_elements_spread_but_not_through_what_is_not_chosen() {
    let mut function = function();
    let block = function.append_block();
    let x = function.add_parameter(block, WORD);
    let p = function.add_parameter(block, RegisterType::PREDICATE);
    let sum = function.append_value(block, table("iadd.32b", ""), [x.into(), Operand::word(1)], WORD);
    let select = table("sel.32b", "predicate");
    let chosen = function.append_value(block, select, [sum.into(), Operand::word(3), p.into()], WORD);
    let other =
        function.append_value(block, select, [sum.into(), Operand::word(3), Operand::Negated(p)], WORD);
    let x_lanes = std::array::from_fn(|lane| smallvec::smallvec![(lane != 1).then_some(8)]);
    let inputs = [(x, x_lanes), (p, scalars(|lane| u128::from(lane < 2)))];
    let lanes = run_block(&function, block, &inputs, 0b111).unwrap();
    assert_eq!(element(&lanes, sum, 0)[..3], [9, UNDEFINED, 9]);
    assert_eq!(element(&lanes, chosen, 0)[..3], [9, UNDEFINED, 3]);
    assert_eq!(element(&lanes, other, 0)[..3], [3, 3, 9]);
}

#[test]
fn an_undefined_element_may_be_given_a_pattern() {
    let mut function = function();
    let block = function.append_block();
    let operation = CrossLane {
        kind: CrossLaneKind::QuadSwap(crate::Axis::Horizontal),
        element: Element::I16,
        inactive: InactiveSource::Undefined,
    };
    let operands = [Operand::Constant(Constant::scalar(5, 16)), Operand::ALL_LANES, Operand::Dead];
    let short = RegisterType::scalar(16);
    let swapped = function.append_value(block, Operation::CrossLane(operation), operands, short);
    let mut lanes = Lanes::new(0b0111).with_undefined(0xABCD_EF01);
    lanes.execute(&function, function.defining(swapped).unwrap()).unwrap();
    assert_eq!(element(&lanes, swapped, 0)[..4], [5, 5, 0xEF01, INACTIVE]);
}
