//! The lane model: straight-line IR run on an explicit active set, from what each operation means.
//!
//! It is an oracle, for how operations are lowered and for rules that rewrite them, and so shares nothing with either:
//! cross-lane operations are plain loops over lanes, written from the words of [`CrossLaneKind`](crate::CrossLaneKind).
//! What an instruction of the table computes comes from [`pisa_reference::Evaluator`], arithmetic from [`pisa_float`].
//!
//! A value has elements in each active lane, and an element may be *undefined*: what is read from a lane that does not
//! take part where [`InactiveSource::Undefined`](crate::InactiveSource::Undefined) holds, what an operation gives
//! whose operands are not what its words ask for, and what is computed from such elements. So a rule may put anything in
//! its place. A checker that wants to see what follows from one choice gives undefined elements a pattern
//! ([`Lanes::with_undefined`]).
//!
//! Memory, calls and barriers are no part of it; but an instruction whose results are given is not run, so that a load
//! can be stood in for by what it gives.

mod arithmetic;
mod cross_lane;
mod masks;
mod reduce;
mod shuffle;
mod table;
#[cfg(test)]
mod tests;
mod vectors;

use crate::{Block, Function, Instruction, Operand, Operation, Value};
use pisa_module::{RegisterType, SpecialRegister};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;

/// Lanes of a sub-group.
pub const LANES: usize = 32;

/// What a value is in one lane: the bits of each element, `None` where they are undefined.
pub type Elements = SmallVec<[Option<u128>; 1]>;

/// What a value is in all lanes; empty in those that are not active.
pub type Datum = [Elements; LANES];

/// A scalar or predicate by lane.
pub fn scalars(of_lane: impl Fn(usize) -> u128) -> Datum {
    std::array::from_fn(|lane| smallvec::smallvec![Some(of_lane(lane))])
}

/// The lanes of a set, lowest first.
fn lanes_of(set: u32) -> impl DoubleEndedIterator<Item = usize> + Clone {
    (0..LANES).filter(move |lane| set >> lane & 1 == 1)
}

/// The low `width` bits.
fn truncate(bits: u128, width: u32) -> u128 {
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

/// Why the model does not run an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotModelled {
    /// Memory, control flow, a barrier or a fence, without its results given.
    Reaches(Instruction),
    /// A value that comes from elsewhere is not given.
    NoValue(Value),
    /// A special register that is not given, or an address, which only a launch has.
    Launch(Operand),
    /// Operands, results or qualifiers are none that the operation takes.
    IllFormed(Instruction),
}

impl fmt::Display for NotModelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotModelled::Reaches(i) => {
                write!(f, "instruction {} reaches memory or changes the flow of control", i.0)
            }
            NotModelled::NoValue(value) => write!(f, "value {} is not given", value.0),
            NotModelled::Launch(operand) => write!(f, "{operand:?} is known in a launch only"),
            NotModelled::IllFormed(i) => write!(f, "instruction {} is not well-formed", i.0),
        }
    }
}

impl std::error::Error for NotModelled {}

/// Values in the lanes of a sub-group.
#[derive(Clone, PartialEq, Debug)]
pub struct Lanes {
    active: u32,
    values: FxHashMap<Value, Datum>,
    specials: Vec<(SpecialRegister, [u128; LANES])>,
    undefined: Option<u128>,
}

impl Lanes {
    /// Lanes of which these are active, without values.
    pub fn new(active: u32) -> Lanes {
        Lanes { active, values: FxHashMap::default(), specials: Vec::new(), undefined: None }
    }

    /// The same, but each element that would be undefined has these bits, cut to its width.
    pub fn with_undefined(mut self, bits: u128) -> Lanes {
        self.undefined = Some(bits);
        self
    }

    /// The active lanes.
    pub fn active(&self) -> u32 {
        self.active
    }

    /// Gives a value.
    pub fn set(&mut self, value: Value, datum: Datum) {
        self.values.insert(value, datum);
    }

    /// Gives a special register by lane. `%laneid` and `%subgroup_size` are known.
    pub fn set_special(&mut self, register: SpecialRegister, lanes: [u128; LANES]) {
        self.specials.retain(|(known, _)| *known != register);
        self.specials.push((register, lanes));
    }

    /// A value in all lanes; `None` where it has neither been given nor computed.
    pub fn get(&self, value: Value) -> Option<&Datum> {
        self.values.get(&value)
    }

    /// The first element of a value in a lane; `None` where it is undefined or there is none.
    pub fn scalar(&self, value: Value, lane: usize) -> Option<u128> {
        self.values.get(&value)?.get(lane)?.first().copied().flatten()
    }

    /// What an operand is in a lane.
    pub fn read(&self, operand: Operand, lane: usize) -> Result<Elements, NotModelled> {
        let value_of = |value| {
            let datum = self.values.get(&value).ok_or(NotModelled::NoValue(value))?;
            Ok(datum[lane].clone())
        };
        Ok(match operand {
            Operand::Value(value) => value_of(value)?,
            Operand::Negated(value) => {
                value_of(value)?.into_iter().map(|bit| bit.map(|bit| bit ^ 1)).collect()
            }
            Operand::Constant(constant) => {
                let width = u32::from(constant.ty.bits);
                let element = |i| truncate(constant.bits().checked_shr(i * width).unwrap_or(0), width);
                (0..u32::from(constant.ty.elements)).map(|i| Some(element(i))).collect()
            }
            Operand::Special(register) => {
                let given = self.specials.iter().find(|(known, _)| *known == register);
                let bits = match (given, register) {
                    (Some((_, lanes)), _) => lanes[lane],
                    (None, SpecialRegister::LaneId) => lane as u128,
                    (None, SpecialRegister::SubgroupSize) => LANES as u128,
                    _ => return Err(NotModelled::Launch(operand)),
                };
                smallvec::smallvec![Some(bits)]
            }
            Operand::Dead => smallvec::smallvec![self.undefined_element(128)],
            Operand::Variable(_) | Operand::Function(_) | Operand::Parameter(_) => {
                return Err(NotModelled::Launch(operand));
            }
        })
    }

    /// An element that is undefined.
    fn undefined_element(&self, width: u32) -> Option<u128> {
        self.undefined.map(|bits| truncate(bits, width))
    }

    /// A value whose elements are all undefined.
    fn undefined(&self, ty: RegisterType) -> Elements {
        smallvec::smallvec![self.undefined_element(u32::from(ty.bits)); usize::from(ty.elements)]
    }

    /// An operand in the active lanes.
    fn datum(&self, operand: Operand) -> Result<Datum, NotModelled> {
        let mut datum = Datum::default();
        for lane in lanes_of(self.active) {
            datum[lane] = self.read(operand, lane)?;
        }
        Ok(datum)
    }

    /// Runs an instruction, unless all its results are there already.
    pub fn execute(&mut self, function: &Function, instruction: Instruction) -> Result<(), NotModelled> {
        let data = function.instruction(instruction);
        if !data.results.is_empty() && data.results.iter().all(|result| self.values.contains_key(result)) {
            return Ok(());
        }
        let types: SmallVec<[RegisterType; 1]> =
            data.results.iter().map(|&result| function.value(result).ty).collect();
        let results = match (&data.operation, &types[..]) {
            (Operation::Table { form, qualifiers }, _) => {
                self.table(instruction, *form, qualifiers, &data.operands, &types)?
            }
            (Operation::CrossLane(operation), [_]) => {
                vec![self.cross_lane(instruction, operation, &data.operands)?]
            }
            (Operation::Mask(operation), [_]) => vec![self.mask(instruction, *operation, &data.operands)?],
            (Operation::Vector(operation), &[ty]) => {
                vec![self.vector(instruction, *operation, &data.operands, ty)?]
            }
            (Operation::Initial, &[ty]) => vec![self.initial(ty)],
            (Operation::Call { .. }, _) => return Err(NotModelled::Reaches(instruction)),
            _ => return Err(NotModelled::IllFormed(instruction)),
        };
        self.values.extend(data.results.iter().copied().zip(results));
        Ok(())
    }
}

/// Runs the instructions of a block, not its terminator, on the active lanes of a sub-group: every value that it uses and
/// does not define is among the inputs.
pub fn run_block(
    function: &Function,
    block: Block,
    inputs: &[(Value, Datum)],
    active: u32,
) -> Result<Lanes, NotModelled> {
    let mut lanes = Lanes::new(active);
    for (value, datum) in inputs {
        lanes.set(*value, datum.clone());
    }
    for &instruction in &function.block(block).instructions {
        lanes.execute(function, instruction)?;
    }
    Ok(lanes)
}
