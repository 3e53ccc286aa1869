//! Verdicts in words.

use super::{Condition, Obstacle, Reason, Verdict, Witness};
use crate::active_sets::Cause;
use crate::{Function, Instruction, Operand, Terminator, Value};
use pisa_diag::Place;

impl Verdict {
    /// One sentence without a full stop: `other lanes may be active there: lanes part on %p`.
    pub fn text(&self, function: &Function) -> String {
        match self {
            Verdict::Yes => "the same lanes take part".into(),
            Verdict::Narrowed(conditions) => {
                let conditions: Vec<String> =
                    conditions.iter().map(|condition| condition.text(function)).collect();
                format!(
                    "the same lanes take part with the mask narrowed to lanes where {}",
                    conditions.join(" and ")
                )
            }
            Verdict::No(obstacle) => obstacle.text(function),
        }
    }

    /// The same without the witness.
    pub fn reason(&self, function: &Function) -> String {
        match self {
            Verdict::No(obstacle) => obstacle.reason_text(function),
            _ => self.text(function),
        }
    }
}

impl Condition {
    /// `%p holds`, `%p does not hold`.
    pub fn text(&self, function: &Function) -> String {
        let verb = if self.holds { "holds" } else { "does not hold" };
        format!("{} {verb}", operand(function, self.operand))
    }
}

impl Obstacle {
    /// One sentence without a full stop, with the witness if there is one.
    pub fn text(&self, function: &Function) -> String {
        let reason = self.reason_text(function);
        match self.witness {
            Some(witness) => format!("{reason} ({})", witness.text()),
            None => reason,
        }
    }

    /// Where the text has what is in the way: the branch that parts lanes, the call in which they may meet, the instruction that writes.
    pub fn place(&self, function: &Function) -> Option<Place> {
        let of = |instruction: Instruction| function.instruction(instruction).place;
        match &self.reason {
            Reason::Lanes(cause) | Reason::NoParticipant(cause) => match *cause {
                Cause::Branch(block) | Cause::Loop(block) | Cause::Return(block) | Cause::Join(block) => {
                    function.block(block).place
                }
                Cause::Waiting(instruction) => of(instruction),
                Cause::Entry => None,
            },
            Reason::Operand(value) | Reason::Use(value) => function.defining(*value).and_then(of),
            Reason::Memory(writer) => writer.and_then(of),
            Reason::Effect | Reason::Different(_) => None,
        }
    }

    /// The same without the witness.
    pub fn reason_text(&self, function: &Function) -> String {
        match &self.reason {
            Reason::Lanes(cause) => {
                format!("other lanes may be active there: {}", cause_text(function, *cause))
            }
            Reason::Operand(value) => format!("{} is not computed there yet", value_text(function, *value)),
            Reason::Use(value) => {
                format!("{} is used in a place that is not behind it", value_text(function, *value))
            }
            Reason::Memory(Some(writer)) => {
                format!("{} may write what it reads", instruction_text(function, *writer))
            }
            Reason::Memory(None) => "other lanes or sub-groups may write what it reads in between".into(),
            Reason::Effect => "it writes memory, or lanes wait in it, so that it stays where it is".into(),
            Reason::NoParticipant(cause) => format!(
                "there may be no lane there that takes part, and it needs one: {}",
                cause_text(function, *cause)
            ),
            Reason::Different(None) => "they are not the same operation".into(),
            Reason::Different(Some(number)) => format!("their operands {number} differ"),
        }
    }
}

impl Witness {
    /// `with lanes 0x0000ffff active here and 0xffffffff there the results differ`.
    pub fn text(&self) -> String {
        format!(
            "with lanes {:#010x} active here and {:#010x} there the results differ",
            self.here, self.there
        )
    }
}

fn cause_text(function: &Function, cause: Cause) -> String {
    match cause {
        Cause::Entry => "the function begins there".into(),
        Cause::Branch(block) => match &function.block(block).terminator {
            Terminator::Branch { condition, .. } => {
                format!("lanes part on {}", operand(function, *condition))
            }
            Terminator::ReturnIf { condition, .. } => {
                format!("lanes return on {}", operand(function, *condition))
            }
            _ => "lanes that have parted come together only there".into(),
        },
        Cause::Loop(_) => "the loop may run in some lanes longer than in others".into(),
        Cause::Return(block) => match function.block(block).terminator.operands().first() {
            Some(condition) if matches!(function.block(block).terminator, Terminator::ReturnIf { .. }) => {
                format!("lanes may have returned on {}", operand(function, *condition))
            }
            _ => "lanes may have returned".into(),
        },
        Cause::Waiting(instruction) => {
            format!("lanes may meet others in {}", instruction_text(function, instruction))
        }
        Cause::Join(_) => "lanes also come there from elsewhere".into(),
    }
}

fn value_text(function: &Function, value: Value) -> String {
    match function.name(function.value(value).name) {
        Some(name) => format!("`%{name}`"),
        None => format!("value {}", value.0),
    }
}

fn operand(function: &Function, operand: Operand) -> String {
    match operand {
        Operand::Value(value) => value_text(function, value),
        Operand::Negated(value) => format!("not {}", value_text(function, value)),
        Operand::Constant(constant) => format!("{:#x}", constant.bits()),
        _ => "its operand".into(),
    }
}

fn instruction_text(function: &Function, instruction: Instruction) -> String {
    let data = function.instruction(instruction);
    match (data.operation.opcode(), data.result()) {
        (Some(opcode), _) => format!("the `{}`", opcode.text()),
        (None, Some(value)) => format!("what gives {}", value_text(function, value)),
        (None, None) => "a call".into(),
    }
}
