//! `addrcast` and `isaddr`: what is cast has to be an address of the space that is named (4.1, D-24 to D-26, D-28).

use super::accesses::NARROW_NULL;
use super::frames::Frames;
use crate::access::Access;
use crate::check::{Check, Context};
use crate::describe::{first_lane, operand_text};
use crate::finding::{Findings, Text};
use crate::objects::Layout;
use pisa_diag::Code;
use pisa_diag::codes::finding::memory as codes;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::{Entry, GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG, LANES, Step, SubGroupId};
use pisa_module::{Function, FunctionId, Instruction, Operand};

/// The check of casts.
pub(crate) struct Casts {
    shared: Layout,
    /// By function.
    private: Vec<Layout>,
    frames: Frames,
    /// By function and instruction: whether the source of a cast is compared somewhere in the function.
    compared: Vec<Vec<bool>>,
}

impl Casts {
    pub(crate) fn new(context: &Context<'_>) -> Casts {
        let program = &context.image.program;
        let frame = |(id, _): (FunctionId, &Function)| Layout::frame(context, program, id);
        let compared = program.functions().map(|(_, function)| {
            let compares = |instruction: &Instruction| {
                source(instruction).is_some_and(|operand| is_compared(function, operand))
            };
            function.code.iter().map(compares).collect()
        });
        Casts {
            shared: Layout::shared(context),
            private: program.functions().map(frame).collect(),
            frames: Frames::default(),
            compared: compared.collect(),
        }
    }
}

/// The operand that a cast or a question reads.
fn source(instruction: &Instruction) -> Option<&Operand> {
    match instruction.row().opcode {
        Opcode::Addrcast | Opcode::Isaddr => instruction.operands.get(1),
        _ => None,
    }
}

/// Whether the function compares the operand with something: then it looks for null itself, before the cast or after it.
fn is_compared(function: &Function, operand: &Operand) -> bool {
    function.code.iter().any(|instruction| {
        matches!(instruction.row().opcode, Opcode::Ucmp | Opcode::Scmp)
            && instruction.operands.iter().any(|other| other == operand)
    })
}

/// What is wrong with a cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Space,
    Null,
    Nowhere,
}

impl Fault {
    const ALL: [Fault; 3] = [Fault::Space, Fault::Null, Fault::Nowhere];

    fn code(self) -> Code {
        match self {
            Fault::Space => codes::WRONG_SPACE,
            Fault::Null => codes::NULL_CAST,
            Fault::Nowhere => codes::CAST_OF_NO_OBJECT,
        }
    }
}

/// The space that a generic address belongs to (D-24, D-28).
fn space_of(address: u64) -> Qualifier {
    match address & GENERIC_TAG {
        GENERIC_SHARED => Qualifier::Shared,
        GENERIC_PRIVATE => Qualifier::Private,
        _ => Qualifier::Global,
    }
}

impl Check for Casts {
    fn wants(&self, _: &Function, instruction: &Instruction) -> bool {
        source(instruction).is_some_and(|operand| !matches!(operand, Operand::Variable(_)))
    }

    fn end_group(&mut self, _: &Context<'_>, group: u64) {
        self.frames.end_group(group);
    }

    fn enter(&mut self, _: &Context<'_>, entry: &Entry) {
        self.frames.enter(entry);
    }

    fn leave(&mut self, _: &Context<'_>, subgroup: SubGroupId, activation: u64, lanes: u32) {
        self.frames.leave(subgroup, activation, lanes);
    }

    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        _: Option<&Access>,
        findings: &mut Findings,
    ) {
        let mut values = [0; LANES as usize];
        step.view.read(1, 0, &mut values);
        let compared = self.compared.get(step.function.index());
        let compared = compared.and_then(|all| all.get(step.index as usize)).copied().unwrap_or(false);
        let mut lanes = [0u32; Fault::ALL.len()];
        for (lane, &value) in values.iter().enumerate() {
            if step.lanes >> lane & 1 == 1
                && let Some(fault) = self.judge(context, step, value, compared)
            {
                lanes[fault as usize] |= 1 << lane;
            }
        }
        for fault in Fault::ALL {
            let lanes = lanes[fault as usize];
            if lanes != 0 {
                let lane = first_lane(lanes);
                let text = || text(context, step, fault, lane, values[lane]);
                findings.report(fault.code(), step, lanes, None, text);
            }
        }
    }
}

impl Casts {
    fn judge(&self, context: &Context<'_>, step: &Step<'_>, value: u64, compared: bool) -> Option<Fault> {
        if step.instruction.row().opcode == Opcode::Isaddr {
            return (value == 0 && !compared).then_some(Fault::Null);
        }
        let to = step.instruction.qualifier(SlotName::To)?;
        let from = step.instruction.qualifier(SlotName::From)?;
        if to == Qualifier::Generic {
            return match from {
                Qualifier::Shared | Qualifier::Private if value == NARROW_NULL => {
                    (!compared).then_some(Fault::Null)
                }
                Qualifier::Shared => self.shared.at(value).is_none().then_some(Fault::Nowhere),
                Qualifier::Private => (!self.is_private(step, value)).then_some(Fault::Nowhere),
                // Null is 0 in both.
                _ if value == 0 => None,
                _ if matches!(space_of(value), Qualifier::Shared | Qualifier::Private) => Some(Fault::Space),
                _ => (!is_global(context, value)).then_some(Fault::Nowhere),
            };
        }
        if value == 0 {
            return (to != Qualifier::Global && !compared).then_some(Fault::Null);
        }
        if space_of(value) != to {
            // A null pointer that was made generic without a look at it was reported there; one that is
            // compared later on is cast in vain.
            return Some(Fault::Space);
        }
        let low = value & 0xFFFF_FFFF;
        let fits = match to {
            Qualifier::Shared => self.shared.at(low).is_some() || low == NARROW_NULL,
            Qualifier::Private => self.is_private(step, low) || low == NARROW_NULL,
            _ => is_global(context, value),
        };
        (!fits).then_some(Fault::Nowhere)
    }

    /// Whether the address lies in a private variable that lives, or at its end.
    fn is_private(&self, step: &Step<'_>, address: u64) -> bool {
        // At the end of the last variable of a frame the address may already be outside of it.
        [address, address.wrapping_sub(1)].into_iter().any(|inside| {
            let frame = self.frames.live_at(step.subgroup, step.activation, inside);
            frame.is_some_and(|frame| {
                let layout = self.private.get(frame.function.index());
                layout.is_some_and(|l| l.at(address - u64::from(frame.range.start)).is_some())
            })
        })
    }
}

/// Whether the address lies in an object of global or constant memory, or at its end.
fn is_global(context: &Context<'_>, address: u64) -> bool {
    let object = context.memory.nearest_below(address);
    object.is_some_and(|object| address - object.address <= object.size)
}

fn text(context: &Context<'_>, step: &Step<'_>, fault: Fault, lane: usize, value: u64) -> Text {
    let program = &context.image.program;
    let function = program.function(step.function);
    let name = step.instruction.operands.get(1).map(|operand| operand_text(program, function, operand));
    let name = name.unwrap_or_default();
    let label = format!("lane {lane}: `{name}` is {value:#x}");
    if step.instruction.row().opcode == Opcode::Isaddr {
        return Text {
            message: format!("`isaddr` of the null pointer `{name}`"),
            label,
            notes: vec!["0 has no tag, so it counts as an address of global memory".to_owned()],
            spec: "4.13 isaddr",
            help: format!("compare `{name}` with 0 before"),
            ..Text::default()
        };
    }
    let qualifier = |slot| step.instruction.qualifier(slot).map_or("", Qualifier::text);
    let (to, from) = (qualifier(SlotName::To), qualifier(SlotName::From));
    match fault {
        Fault::Space => {
            let is = space_of(value).text();
            Text {
                message: format!("`addrcast{to}{from}` of an address of `{is}` memory"),
                label,
                notes: Vec::new(),
                spec: "4.1 addrcast: behavior is undefined if the address space of src0 does not match",
                help: if from == ".generic" {
                    format!("ask `isaddr{to}` before, or cast with `addrcast{is}.generic`")
                } else {
                    format!("`{name}` is generic already: leave the cast out")
                },
                ..Text::default()
            }
        }
        Fault::Null => {
            let result = if to == ".generic" {
                "the result is not the null pointer of generic addresses, 0"
            } else {
                "the result is 0, a good address there; its null pointer is 0xffffffff"
            };
            Text {
                message: format!("`addrcast{to}{from}` of the null pointer `{name}`"),
                label,
                notes: vec![format!("`addrcast` does not map null to null: {result}")],
                spec: "4.1 addrcast, 2.1 Memory Address Spaces",
                help: format!("compare `{name}` with its null value, and choose the other null with `sel`"),
                ..Text::default()
            }
        }
        Fault::Nowhere => {
            let space = if to == ".generic" { from } else { to };
            Text {
                message: format!(
                    "`addrcast{to}{from}` of an address that is in no object of `{space}` memory"
                ),
                label,
                notes: vec!["the end of an object counts as in it".to_owned()],
                spec: "4.1 addrcast",
                help: format!("look where `{name}` comes from"),
                ..Text::default()
            }
        }
    }
}
