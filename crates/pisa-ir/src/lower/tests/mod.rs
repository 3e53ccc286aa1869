//! Each sequence against what the operation means.

mod counts;
mod engine;
mod masks;
mod reductions;
mod run;
mod shuffles;
mod votes;

use crate::test_support::{Builder, assert_valid};
use crate::{CrossLane, Element, Function, Operand, Operation, Terminator, Value};
use pisa_module::{FunctionKind, RegisterType};

const WORD: RegisterType = RegisterType::scalar(32);

/// A function that returns what one operation gives, and its operands.
#[derive(Clone)]
struct Case {
    function: Function,
    result: Value,
    data: Option<Value>,
    index: Option<Value>,
    mask: Option<Value>,
    kept: Option<Value>,
}

/// Whether the mask is an operand, or all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mask {
    /// All lanes; nobody keeps anything.
    All,
    /// A register, and lanes outside keep something.
    Register,
    /// A constant, and lanes outside keep something.
    Constant(u32),
}

impl Case {
    /// An operation; `index` is a constant where it is given.
    fn cross_lane(operation: CrossLane, index: Option<u32>, mask: Mask) -> Case {
        let mut builder = Builder::kernel();
        let [block] = builder.blocks();
        let mut value = |wanted: bool, ty| wanted.then(|| builder.value(block, ty));
        let data = value(operation.has_data(), operation.element.register());
        let index_value = value(operation.has_index() && index.is_none(), WORD);
        let takes_mask = operation.has_mask();
        let mask_value = value(takes_mask && mask == Mask::Register, WORD);
        let keeps = operation.has_pass_through() && mask != Mask::All;
        let kept = value(keeps, operation.result());
        let mut operands: Vec<Operand> = data.into_iter().map(Operand::from).collect();
        operands.extend(index_value.map(Operand::from));
        operands.extend(index.filter(|_| operation.has_index()).map(Operand::word));
        if takes_mask {
            operands.push(match (mask, mask_value) {
                (_, Some(value)) => value.into(),
                (Mask::Constant(mask), _) => Operand::word(mask),
                _ => Operand::ALL_LANES,
            });
        }
        if operation.has_pass_through() {
            operands.push(kept.map_or(Operand::Dead, Operand::from));
        }
        let mut case = Case::new(builder, Operation::CrossLane(operation), operands, operation.result());
        (case.data, case.index, case.mask, case.kept) = (data, index_value, mask_value, kept);
        case
    }

    fn new(mut builder: Builder, operation: Operation, operands: Vec<Operand>, ty: RegisterType) -> Case {
        let block = builder.function.layout[0];
        let result = builder.function.append_value(block, operation, operands, ty);
        let mut function = builder.function;
        function.kind = FunctionKind::Function { result: Some(ty), parameters: Vec::new() };
        function.blocks[block.index()].terminator = Terminator::Return(Some(result.into()));
        Case { function, result, data: None, index: None, mask: None, kept: None }
    }

    /// The function with the operation lowered.
    fn lowered(&self, is_full: bool) -> Function {
        let mut function = self.function.clone();
        super::lower(&mut function, &move |_| is_full);
        let left = function
            .all_instructions()
            .find(|&(_, i)| super::needs_lowering(&function.instruction(i).operation));
        assert_eq!(left, None, "{:?}", self.function.instructions.last());
        assert_valid(&function);
        function
    }
}

/// Numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
    fn word(&mut self) -> u32 {
        self.next() as u32
    }

    /// A set of lanes: all, runs of lanes, patterns of bytes, few, many, any. Never empty.
    fn lanes(&mut self) -> u32 {
        let word = match self.below(8) {
            0 => u32::MAX,
            1 | 2 => {
                let first = self.below(32);
                let last = first + self.below(32 - first);
                (u32::MAX >> (31 - last)) & (u32::MAX << first)
            }
            3 => (self.word() & 0xFF) * 0x0101_0101,
            4 => 1 << self.below(32) | 1 << self.below(32) | 1 << self.below(32),
            5 => !(1 << self.below(32) | 1 << self.below(32)),
            6 => [0xFFFF, 0xFF, 0xF, 0x3][self.below(4) as usize] << (8 * self.below(4)),
            _ => self.word(),
        };
        if word == 0 { 1 << self.below(32) } else { word }
    }

    /// An element: of floats often a special one, of integers often an extreme one, and often one that other lanes have.
    fn element(&mut self, element: Element) -> u128 {
        let width = u32::from(element.bits());
        let cut = |bits: u64| u128::from(bits) & (u128::MAX >> (128 - width));
        let (exponent, quiet): (u64, u64) = match element {
            Element::Hf | Element::Hfx2 => (0x7C00, 0x200),
            Element::Bf | Element::Bfx2 => (0x7F80, 0x40),
            Element::F => (0x7F80_0000, 0x40_0000),
            Element::Df => (0x7FF0_0000_0000_0000, 0x8_0000_0000_0000),
            _ => {
                return match self.below(4) {
                    0 => cut([0, 1, 2, 3, u64::MAX, 1 << (width - 1), (1 << (width - 1)) - 1]
                        [self.below(7) as usize]),
                    1 => cut(self.below(16)),
                    _ => cut(self.next()),
                };
            }
        };
        let sign = self.below(2) << (width - 1);
        match self.below(16) {
            0 => cut(sign),
            1 => cut(sign | exponent),
            2 => cut(sign | exponent | quiet | self.below(9)),
            3 => cut(sign | exponent | (1 + self.below(9))),
            4 => cut(sign | self.below(3)),
            5 => cut(self.next()),
            // Near 1, so that sums and products stay finite.
            _ => {
                let bias = (exponent >> 1) & exponent;
                let step = exponent & exponent.wrapping_neg();
                let near = bias - step * self.below(3) + step * self.below(3) + self.below(step);
                cut(sign | near)
            }
        }
    }
}
