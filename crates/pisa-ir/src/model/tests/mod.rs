//! Expected values are worked by hand from the words of each operation and from the specification; what PISA has as one
//! instruction is compared with the executable specification as well.

mod native;
mod order;
mod per_lane;
mod reductions;
mod shuffles;
mod votes;

use super::*;
use crate::{CrossLane, CrossLaneKind, Element, InactiveSource};
use pisa_diag::{FileId, Place, Span};
use pisa_module::{FunctionKind, Linkage};

/// A lane that has a result without a value.
const UNDEFINED: i128 = -1;
/// A lane without a result.
const INACTIVE: i128 = -2;

/// A function without blocks.
fn function() -> Function {
    Function {
        name: "f".into(),
        linkage: Linkage::Internal,
        kind: FunctionKind::Function { result: None, parameters: Vec::new() },
        arguments: Vec::new(),
        argument_names: Vec::new(),
        variables: Vec::new(),
        layout: Vec::new(),
        blocks: Vec::new(),
        instructions: Vec::new(),
        values: Vec::new(),
        names: Vec::new(),
        place: Place { file: FileId(0), span: Span::default() },
    }
}

/// One element of a value, by lane.
fn element(lanes: &Lanes, value: Value, element: usize) -> Vec<i128> {
    let datum = lanes.get(value).unwrap();
    let number = |elements: &Elements| match elements.get(element) {
        None => INACTIVE,
        Some(None) => UNDEFINED,
        Some(Some(bits)) => *bits as i128,
    };
    datum.iter().map(number).collect()
}

/// A cross-lane operation with what it is given.
struct Case {
    operation: CrossLane,
    active: u32,
    data: Datum,
    index: Datum,
    mask: Datum,
    pass_through: Option<Datum>,
}

/// Of data 100, 101, … by lane, with the index 0, all lanes in the mask, and a pass-through that nobody looks at.
fn case(kind: CrossLaneKind, element: Element) -> Case {
    let data = |lane| match element {
        Element::Predicate => 0,
        _ => 100 + lane as u128,
    };
    let datum =
        std::array::from_fn(|lane| smallvec::smallvec![Some(data(lane)); usize::from(element.elements())]);
    Case {
        operation: CrossLane { kind, element, inactive: InactiveSource::Own },
        active: u32::MAX,
        data: datum,
        index: scalars(|_| 0),
        mask: scalars(|_| u128::from(u32::MAX)),
        pass_through: None,
    }
}

impl Case {
    fn active(mut self, active: u32) -> Case {
        self.active = active;
        self
    }
    fn undefined(mut self) -> Case {
        self.operation.inactive = InactiveSource::Undefined;
        self
    }
    fn data(mut self, of_lane: impl Fn(usize) -> u128) -> Case {
        self.data = scalars(of_lane);
        self
    }
    /// The data of the first lanes, 0 in the others.
    fn list(self, data: &[u128]) -> Case {
        self.data(|lane| data.get(lane).copied().unwrap_or(0))
    }
    fn index(mut self, of_lane: impl Fn(usize) -> u128) -> Case {
        self.index = scalars(of_lane);
        self
    }
    fn mask(mut self, mask: u32) -> Case {
        self.mask = scalars(|_| u128::from(mask));
        self
    }
    fn pass_through(mut self, value: u128) -> Case {
        self.pass_through = Some(scalars(|_| value));
        self
    }
    fn element(&self, number: usize) -> Vec<i128> {
        let (result, lanes) = self.execute();
        element(&lanes.unwrap(), result, number)
    }
    fn run(&self) -> Vec<i128> {
        self.element(0)
    }
    fn execute(&self) -> (Value, Result<Lanes, NotModelled>) {
        let mut function = function();
        let block = function.append_block();
        let (mut operands, mut inputs) = (Vec::new(), Vec::new());
        let word = RegisterType::scalar(32);
        let o = &self.operation;
        let given = [
            (o.has_data(), o.element.register(), Some(&self.data)),
            (o.has_index(), word, Some(&self.index)),
            (o.has_mask(), word, Some(&self.mask)),
            (o.has_pass_through(), o.result(), self.pass_through.as_ref()),
        ];
        for (_, ty, datum) in given.into_iter().filter(|(has, ..)| *has) {
            let Some(datum) = datum else {
                operands.push(Operand::Dead);
                continue;
            };
            let value = function.add_parameter(block, ty);
            operands.push(Operand::Value(value));
            inputs.push((value, datum.clone()));
        }
        let result = function.append_value(block, Operation::CrossLane(*o), operands, o.result());
        (result, run_block(&function, block, &inputs, self.active))
    }
}
