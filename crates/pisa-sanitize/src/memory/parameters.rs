//! `ld.param`: bounds and alignment of parameters, and what pointers among them promise (8.4, K-03, K-04, K-06, K-11).

use crate::check::Context;
use crate::describe::{bytes, first_lane, operand_text};
use crate::finding::{Findings, Text};
use pisa_diag::codes::finding::memory as codes;
use pisa_isa::{Qualifier, SlotName};
use pisa_machine::{LANES, Launch, Step};
use pisa_module::{AddressOffset, Function, Instruction, KernelParameter, Operand};

/// What an instruction reads of a parameter.
struct Read<'a> {
    parameter: &'a KernelParameter,
    offset: AddressOffset,
    /// Index of the operand.
    operand: usize,
    /// Bytes of an element.
    bytes: u32,
    elements: u32,
}

impl Read<'_> {
    fn of<'a>(function: &'a Function, instruction: &Instruction) -> Option<Read<'a>> {
        let operand = instruction.operands.iter().position(|o| matches!(o, Operand::Parameter { .. }))?;
        let Some(Operand::Parameter { parameter, offset }) = instruction.operands.get(operand) else {
            return None;
        };
        let bytes = u32::from(instruction.qualifier(SlotName::Type)?.bits()?) / 8;
        let elements = instruction.qualifier(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1);
        let parameter = function.kernel_parameters().get(parameter.index())?;
        Some(Read { parameter, offset: *offset, operand, bytes, elements: u32::from(elements) })
    }

    fn size(&self) -> i64 {
        i64::from(self.bytes) * i64::from(self.elements)
    }

    fn alignment(&self) -> i64 {
        i64::from(super::alignment(self.bytes, self.elements))
    }

    fn is_outside(&self, offset: i64) -> bool {
        offset < 0 || offset + self.size() > i64::from(self.parameter.size)
    }

    fn is_misaligned(&self, offset: i64) -> bool {
        // The argument buffer is aligned to 64 bytes (K-02).
        (i64::from(self.parameter.offset) + offset).rem_euclid(self.alignment()) != 0
    }

    /// E9, E10: LLVM's back end reads a byte as 16 bits, and five to seven elements as eight.
    fn is_over_read(&self, offset: i64) -> bool {
        let inside = i64::from(self.parameter.size) - offset;
        match (self.elements, self.bytes) {
            (1, 2) => offset == 0 && inside == 1,
            (8, 4) => offset >= 0 && (20..32).contains(&inside),
            (3, 8) => offset >= 0 && (20..24).contains(&inside),
            _ => false,
        }
    }

    /// The value of a pointer that breaks its `.ptr_align`.
    fn broken_promise(&self, launch: &Launch) -> Option<(u64, u32)> {
        let align = self.parameter.pointer_align?;
        if self.offset != AddressOffset::Immediate(0) {
            return None;
        }
        let start = self.parameter.offset as usize;
        let value = launch.arguments.get(start..start + (self.parameter.size as usize).min(8))?;
        let value = value.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
        (value & (u64::from(align) - 1) != 0).then_some((value, align))
    }
}

/// Whether there can be anything to say.
pub(super) fn wants(launch: &Launch, function: &Function, instruction: &Instruction) -> bool {
    let Some(read) = Read::of(function, instruction) else { return false };
    match read.offset {
        AddressOffset::Immediate(offset) => {
            let offset = i64::from(offset);
            read.is_outside(offset) || read.is_misaligned(offset) || read.broken_promise(launch).is_some()
        }
        _ => true,
    }
}

/// Looks at what the lanes read.
pub(super) fn check(context: &Context<'_>, step: &Step<'_>, tolerate: bool, findings: &mut Findings) {
    let function = context.image.program.function(step.function);
    let Some(read) = Read::of(function, step.instruction) else { return };
    let mut offsets = [0; LANES as usize];
    step.view.read(read.operand, 0, &mut offsets);
    let (mut outside, mut misaligned, mut tolerated) = (0u32, 0u32, 0);
    for lane in (0..LANES as usize).filter(|lane| step.lanes >> lane & 1 == 1) {
        let offset = offsets[lane] as i64;
        if read.is_outside(offset) {
            if tolerate && read.is_over_read(offset) {
                tolerated += 1;
            } else {
                outside |= 1 << lane;
            }
        } else if read.is_misaligned(offset) {
            misaligned |= 1 << lane;
        }
    }
    findings.tolerate_over_reads(tolerated);
    let operand = &step.instruction.operands[read.operand];
    let operand = operand_text(&context.image.program, function, operand);
    let parameter = read.parameter;
    let size = bytes(u64::from(parameter.size));
    let declared = (parameter.place, format!("`%{}` has {size}", parameter.name));
    if outside != 0 {
        findings.report(codes::PARAMETER_OUT_OF_BOUNDS, step, outside, None, || {
            let offset = offsets[first_lane(outside)] as i64;
            let lanes = (0..LANES as usize).filter(|lane| outside >> lane & 1 == 1);
            let greatest = lanes.map(|lane| offsets[lane] as i64).max().unwrap_or(offset);
            let last = (i64::from(parameter.size) - read.size()).max(0);
            Text {
                message: format!(
                    "load of {} at offset {offset} of the parameter `%{}`, which has {size}",
                    bytes(read.size() as u64),
                    parameter.name
                ),
                label: format!("lane {}: `{operand}` has the offset {offset}", first_lane(outside)),
                also: vec![declared.clone()],
                notes: Vec::new(),
                spec: "3.3 Address Operands: an out-of-bounds memory access results in undefined behavior",
                help: if greatest < i64::from(parameter.size) {
                    format!("offsets from 0 to {last} are within it")
                } else {
                    format!(
                        "offsets from 0 to {last} are within it; for all that is read here it would be `.param[{}]`",
                        greatest.saturating_add(read.size()).max(1)
                    )
                },
            }
        });
    }
    if misaligned != 0 {
        findings.report(codes::MISALIGNED_ACCESS, step, misaligned, None, || {
            let (offset, align) = (offsets[first_lane(misaligned)] as i64, read.alignment());
            Text {
                message: format!(
                    "load of {} at offset {offset} of the parameter `%{}`, which is not aligned to {align} bytes",
                    bytes(read.size() as u64),
                    parameter.name
                ),
                label: format!("lane {}: `{operand}` has the offset {offset}", first_lane(misaligned)),
                also: vec![(
                    parameter.place,
                    format!(
                        "`%{}` begins at byte {} of the arguments",
                        parameter.name, parameter.offset
                    ),
                )],
                notes: Vec::new(),
                spec: "5.1 Access Alignment",
                help: format!("use a multiple of {align}, and leave the parameter its alignment of 8"),
            }
        });
    }
    if let Some((value, align)) = read.broken_promise(context.launch) {
        findings.report(codes::POINTER_ALIGNMENT, step, step.lanes, None, || Text {
            message: format!(
                "`%{}` promises a multiple of {align}, the launch gives it {value:#x}",
                parameter.name
            ),
            label: String::new(),
            also: vec![(parameter.place, format!("`.ptr_align({align})`"))],
            notes: Vec::new(),
            spec: "4.2.1 Parameter Attributes: `.ptr_align`",
            help: format!("pass an address that is a multiple of {align}, or promise less"),
        });
    }
}
