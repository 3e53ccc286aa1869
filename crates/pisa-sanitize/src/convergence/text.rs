//! What findings about cross-lane instructions say.

use super::{Here, Site, goes_up};
use crate::describe::{first_lane, operand_text};
use crate::finding::Text;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::{Doing, lane_ranges};
use pisa_module::Instruction;

/// `lane 3`, `lanes 0-7`.
fn lanes_text(lanes: u32) -> String {
    let word = if lanes.is_power_of_two() { "lane" } else { "lanes" };
    format!("{word} {}", lane_ranges(lanes))
}

/// `is`, `are`.
fn verb<'a>(lanes: u32, one: &'a str, several: &'a str) -> &'a str {
    if lanes.is_power_of_two() { one } else { several }
}

/// What is odd about the control word of a shuffle that comes from a register (S-08, S-09, S-14, S-16).
pub(super) fn control_fault(instruction: &Instruction, control: u64) -> Option<String> {
    let control = control as u32;
    if !instruction.has(SlotName::Sg) {
        return (control > 31).then(|| format!("the offset {control} counts modulo 32, as {}", control & 31));
    }
    let (offset, clamp, mask) = (control & 31, control >> 8 & 31, control >> 16 & 31);
    if !matches!(mask, 0b11110 | 0b11100 | 0b11000 | 0b10000 | 0) {
        return Some(format!("{mask:#07b} is no segment mask of the table"));
    }
    if control & !0x001F_1F1F != 0 {
        return Some(format!("bits {:#x} of the control word are ignored", control & !0x001F_1F1F));
    }
    let up = goes_up(instruction);
    if !up && clamp & !mask & 31 == 0 {
        return Some(
            "the clamp value is 0, so that all lanes but the first of a segment keep their value".to_owned(),
        );
    }
    let xor = instruction.qualifier(SlotName::Op) == Some(Qualifier::Xor);
    (xor && offset & mask != 0).then(|| format!("the offset {offset} reaches into other segments"))
}

impl Here<'_, '_> {
    fn spec(&self) -> &'static str {
        match self.step.instruction.row().opcode {
            Opcode::Shfl => "7.4 shfl",
            Opcode::Fred => "7.1 fred",
            Opcode::Redfirstidx => "7.3 redfirstidx",
            _ => "7.2 ired",
        }
    }

    /// The mask as the text has it.
    fn mask_name(&self) -> String {
        let program = &self.context.image.program;
        let function = program.function(self.step.function);
        match self.step.instruction.operands.get(self.site.mask()) {
            Some(pisa_module::Operand::Immediate { bits, .. }) => format!("{bits:#010x}"),
            Some(operand) => format!("`{}`", operand_text(program, function, operand)),
            None => String::new(),
        }
    }

    /// Where absent lanes are, and since when they are apart from the others.
    fn show(&self, absent: u32, text: &mut Text) {
        for standing in self.step.view.elsewhere() {
            let lanes = standing.lanes & absent;
            if lanes == 0 {
                continue;
            }
            let doing = match standing.doing {
                Doing::WaitAtBarrier => verb(lanes, "waits at the barrier", "wait at the barrier"),
                _ => verb(lanes, "waits here", "wait here"),
            };
            match standing.place {
                Some(place) if place != self.step.instruction.place => {
                    text.also.push((place, format!("{} {doing}", lanes_text(lanes))));
                }
                Some(_) => {
                    let note = format!(
                        "{} {} here by another call or later",
                        lanes_text(lanes),
                        verb(lanes, "comes", "come")
                    );
                    text.notes.push(note);
                }
                None => {
                    let end = verb(lanes, "waits", "wait");
                    text.notes.push(format!("{} {end} at the end of the function", lanes_text(lanes)));
                }
            }
        }
        for (place, lanes) in self.check.branches(self.step, absent) {
            if text.also.iter().all(|(other, _)| *other != place) {
                text.also.push((place, format!("{} parted here", lanes_text(lanes))));
            }
        }
    }

    pub(super) fn absent_source(&self, readers: u32, read: u32) -> Text {
        let own = verb(readers, "it keeps its own value", "each of them keeps its own value");
        let mut text = Text {
            message: format!(
                "{} {} {}, which {} alive but elsewhere",
                lanes_text(readers),
                verb(readers, "reads", "read"),
                lanes_text(read),
                verb(read, "is", "are")
            ),
            label: own.to_owned(),
            spec: "7.4 shfl: a source that does not take part gives the own value",
            help: "shuffle before the branch, where all lanes are together; or name only the lanes that are here in the mask, \
                   if it is meant that each then keeps its own value: either way the source is out of reach here"
                .to_owned(),
            ..Text::default()
        };
        self.show(read, &mut text);
        let is_sum =
            matches!(self.step.instruction.qualifier(SlotName::Op), Some(Qualifier::Xor | Qualifier::Dn));
        if is_sum {
            text.notes.push("for a sum over the lanes that are here, `ired.sum` needs no shuffle".to_owned());
        }
        text
    }

    pub(super) fn source_left(&self, readers: u32, left: u32) -> Text {
        let mut text = Text {
            message: format!(
                "shuffle from {} that {} left the kernel: {} keeps its own value",
                lanes_text(left),
                verb(left, "has", "have"),
                if readers.is_power_of_two() { lanes_text(readers) } else { "each reader".to_owned() }
            ),
            label: format!(
                "{} {} {}",
                lanes_text(readers),
                verb(readers, "reads", "read"),
                verb(left, "it", "them")
            ),
            spec: "7.4 shfl: a source that does not take part gives the own value",
            help: "keep the lanes past the end: give them a neutral value (0 for a sum) instead of an early return, \
                   and let them go round the loads and stores alone; or leave lanes that are gone out of the mask"
                .to_owned(),
            ..Text::default()
        };
        for (place, lanes) in self.check.branches(self.step, left) {
            text.also.push((place, format!("{} parted from the others here", lanes_text(lanes))));
        }
        text
    }

    pub(super) fn not_uniform(&self, differing: u32) -> Text {
        let first = first_lane(self.step.lanes);
        let other = first_lane(differing);
        Text {
            message: format!("the mask {} is not the same in all active lanes", self.mask_name()),
            label: format!(
                "{:#010x} in lane {first}, {:#010x} in lane {other}",
                self.masks[first] as u32, self.masks[other] as u32
            ),
            notes: vec!["each lane goes by its own mask here; other machines may take any".to_owned()],
            spec: match self.step.instruction.row().opcode {
                Opcode::Shfl => "7.4 shfl: `src2` is a sub-group-uniform bit mask",
                Opcode::Fred => "7.1 fred: `src1` is a sub-group-uniform bit mask",
                Opcode::Redfirstidx => "7.3 redfirstidx: `src0` is a sub-group-uniform bit mask",
                _ => "7.2 ired: `src1` is a sub-group-uniform bit mask",
            },
            help: "let one lane choose the mask and hand it to the others with `shfl.idx`, or branch on what differs"
                .to_owned(),
            ..Text::default()
        }
    }

    pub(super) fn nobody(&self, empty: u32) -> Text {
        let lane = first_lane(empty);
        Text {
            message: format!("no active lane is in the mask {}", self.mask_name()),
            label: format!(
                "the mask is {:#010x}, active are {:#010x}; nothing is written",
                self.masks[lane] as u32, self.step.lanes
            ),
            spec: self.spec(),
            help: "name active lanes, 0xffffffff names whoever is active; or go round the instruction"
                .to_owned(),
            ..Text::default()
        }
    }

    pub(super) fn outside(&self, lanes: u32) -> Text {
        let lane = first_lane(lanes);
        Text {
            message: format!(
                "{} {} not in the mask {}",
                lanes_text(lanes),
                verb(lanes, "is", "are"),
                self.mask_name()
            ),
            label: format!(
                "the mask is {:#010x} in lane {lane}; nothing is written there",
                self.masks[lane] as u32
            ),
            spec: self.spec(),
            help: "send lanes that take no part round the instruction, so that no old result is read"
                .to_owned(),
            ..Text::default()
        }
    }

    pub(super) fn absent(&self, naming: u32) -> Text {
        let lane = first_lane(naming);
        let absent = self.masks[lane] as u32 & self.live & !self.step.lanes;
        let mut text = Text {
            message: format!(
                "the mask {} names {}, which {} alive but elsewhere",
                self.mask_name(),
                lanes_text(absent),
                verb(absent, "is", "are")
            ),
            label: format!(
                "only {} {} part",
                lanes_text(self.step.lanes & self.masks[lane] as u32),
                verb(self.step.lanes & self.masks[lane] as u32, "takes", "take")
            ),
            spec: self.spec(),
            help: match self.site {
                Site::Shuffle => {
                    "shuffle where all lanes of the mask are together, or name only those that are here"
                }
                _ => {
                    "reduce where all lanes of the mask are together, or write 0xffffffff for whoever is here"
                }
            }
            .to_owned(),
            ..Text::default()
        };
        self.show(absent, &mut text);
        text
    }

    pub(super) fn active_mask(&self) -> Text {
        let absent = self.live & !self.step.lanes;
        let mut text = Text {
            message: format!(
                "`%activemask` is {:#010x} here, but {} {} alive elsewhere",
                self.step.lanes,
                lanes_text(absent),
                verb(absent, "is", "are")
            ),
            label: "another schedule may give another value".to_owned(),
            spec: "Special registers: %activemask",
            help: "read it where all lanes are together; `--schedule all` shows what depends on it"
                .to_owned(),
            ..Text::default()
        };
        self.show(absent, &mut text);
        text
    }

    pub(super) fn control(&self, lanes: u32, value: u64) -> Text {
        let program = &self.context.image.program;
        let function = program.function(self.step.function);
        let name = self.step.instruction.operands.get(2).map(|o| operand_text(program, function, o));
        Text {
            message: control_fault(self.step.instruction, value).unwrap_or_default(),
            label: format!("lane {}: `{}` is {:#x}", first_lane(lanes), name.unwrap_or_default(), value as u32),
            spec: "7.4 shfl: offset in bits 4:0, clamp value in 12:8, segment mask in 20:16",
            help: if self.step.instruction.has(SlotName::Sg) {
                "masks: 0x1e for segments of 2 lanes, 0x1c of 4, 0x18 of 8, 0x10 of 16, 0 of 32; the clamp value repeats them"
            } else {
                "`and.32b` with 31 says that it is meant"
            }
            .to_owned(),
            ..Text::default()
        }
    }
}
