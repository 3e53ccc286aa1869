//! The words of findings about values that were never given.

use super::origin::{OriginId, Origins, Root};
use crate::check::Context;
use crate::finding::{Findings, Text};
use pisa_diag::Code;
use pisa_diag::codes::finding::initialisation as codes;
use pisa_isa::Opcode;
use pisa_machine::{Step, lane_ranges};
use pisa_module::RegisterId;

/// Where a value is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// It decides where lanes go.
    Branch,
    /// It is part of an address.
    Address,
    /// It goes to memory that the host can see, or decides what does.
    Store,
    /// It goes into a cross-lane result.
    Contribution,
    /// It says which lanes take part, or which lane is read.
    Choice,
    /// It is what is called.
    Call,
    /// An atomic operation on memory that lacks a value.
    Atomic,
}

/// What is to be reported.
pub(crate) struct Complaint {
    pub(crate) how: Use,
    pub(crate) register: Option<RegisterId>,
    pub(crate) lanes: u32,
    pub(crate) origin: OriginId,
}

impl Use {
    fn code(self) -> Code {
        match self {
            Use::Branch => codes::BRANCH,
            Use::Address => codes::ADDRESS,
            Use::Store => codes::STORE,
            Use::Contribution => codes::CONTRIBUTION,
            Use::Choice => codes::CHOICE,
            Use::Call => codes::CALL,
            Use::Atomic => codes::ATOMIC,
        }
    }

    fn message(self, name: &str) -> String {
        match self {
            Use::Branch => format!("the branch depends on `{name}`, which has no value"),
            Use::Address => format!("the address depends on `{name}`, which has no value"),
            Use::Store => format!("`{name}` goes to memory that others see, but has no value"),
            Use::Contribution => format!("`{name}` goes into a result across lanes, but has no value"),
            Use::Choice => format!("`{name}` chooses lanes, but has no value"),
            Use::Call => format!("the call goes through `{name}`, which has no value"),
            Use::Atomic => "the atomic operation changes memory that has no value".to_owned(),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Use::Branch => "where lanes go is left to chance",
            Use::Address => "it goes anywhere",
            Use::Store => "others see what happens to be there",
            Use::Contribution => "every lane that takes part gets a wrong result",
            Use::Choice => "which lanes take part is left to chance",
            Use::Call => "it goes anywhere",
            Use::Atomic => "it starts from what happens to be there",
        }
    }
}

/// Reports.
pub(crate) fn complain(
    context: &Context<'_>,
    step: &Step<'_>,
    complaint: &Complaint,
    origins: &Origins,
    findings: &mut Findings,
) {
    let origin = origins.get(complaint.origin);
    let other = origin.and_then(|origin| origin.place).filter(|&place| place != step.instruction.place);
    findings.report(complaint.how.code(), step, complaint.lanes, other, || {
        let function = context.image.program.function(step.function);
        let register = complaint.register.and_then(|id| function.registers.get(id.index()));
        let name = register.map_or(String::new(), |register| format!("%{}", register.name));
        let mut text = Text {
            message: complaint.how.message(&name),
            label: complaint.how.label().to_owned(),
            spec: section(step.instruction.row().opcode, origin.map(|origin| &origin.root)),
            ..Text::default()
        };
        if complaint.lanes != step.lanes {
            let others = step.lanes & !complaint.lanes;
            text.notes.push(format!("in lanes {} it has one", lane_ranges(others)));
        }
        let root = origin.map(|origin| &origin.root);
        match (origin, other) {
            (Some(origin), Some(place)) => text.also.push((place, origin.text.clone())),
            (Some(origin), None) => text.notes.push(origin.text.clone()),
            (None, _) => {}
        }
        text.help = match complaint.how {
            Use::Atomic => {
                "store a first value before, or let the host give one: `NAME=zeros:TYPE:N` at the launch"
                    .to_owned()
            }
            _ if root == Some(&Root::Memory) => {
                "store to that memory before it is loaded, on every path and for every work-item".to_owned()
            }
            _ if root == Some(&Root::Result) => {
                "let the function give a value with `return` on every path".to_owned()
            }
            _ => {
                let name = match root {
                    Some(Root::Register(root)) => format!("%{root}"),
                    _ => name,
                };
                format!(
                    "give `{name}` a value on every path that leads there, loops that run no turn included"
                )
            }
        };
        text
    });
}

/// The sections of what lacked a value and of the instruction.
fn section(opcode: Opcode, root: Option<&Root>) -> &'static str {
    let memory = root == Some(&Root::Memory);
    match opcode {
        Opcode::Goto | Opcode::Call | Opcode::Return if memory => "2.4 Memory Variables, 6 Control Flow",
        Opcode::Goto | Opcode::Call | Opcode::Return => {
            "2.2 Register Variables, 2.3 Predicate Variables, 6 Control Flow"
        }
        Opcode::Ld | Opcode::St | Opcode::Iatom | Opcode::Fatom | Opcode::LdParam if memory => {
            "2.4 Memory Variables, 8 Memory"
        }
        Opcode::Ld | Opcode::St | Opcode::Iatom | Opcode::Fatom | Opcode::LdParam => {
            "2.2 Register Variables, 8 Memory"
        }
        _ if memory => "2.4 Memory Variables, 7 Sub-group Communication",
        _ => "2.2 Register Variables, 7 Sub-group Communication",
    }
}
