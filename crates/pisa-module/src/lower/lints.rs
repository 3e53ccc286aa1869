//! Legal, but doubtful: constants that cannot be meant (D-01, S-05, S-08, S-09, S-14, S-16, A-06, A-07, B-01, B-03).

use super::mnemonic::Candidate;
use super::operands::Resolved;
use super::rules::section;
use super::{Lowerer, codes};
use crate::{Operand, RegisterUse};
use pisa_diag::Span;
use pisa_isa::{Opcode, Qualifier, SlotName};

impl<'t> Lowerer<'t> {
    pub(super) fn lint_instruction(
        &mut self,
        candidate: &Candidate,
        operands: &[Operand],
        written: &[Resolved<'t>],
        mnemonic: &str,
        span: Span,
    ) {
        let constant = |i: usize| match operands.get(i) {
            Some(Operand::Immediate { bits, .. }) => Some(*bits),
            _ => None,
        };
        let at = |i: usize| written.get(i).map_or(span, Resolved::span);
        match candidate.row.opcode {
            Opcode::F2i | Opcode::Pf2i => self.bare_conversion(candidate, mnemonic, span),
            Opcode::Redfirstidx if constant(1) == Some(0) => {
                self.empty_mask(candidate, at(1), "every lane gets 0xffffffff");
            }
            Opcode::Ired | Opcode::Fred if constant(2) == Some(0) => {
                self.empty_mask(candidate, at(2), "no lane takes part and nothing is written");
            }
            Opcode::Shfl => {
                if constant(3) == Some(0) {
                    self.empty_mask(candidate, at(3), "no lane takes part and nothing is written");
                }
                if let Some(control) = constant(2) {
                    self.shuffle_control(candidate, control as u32, at(2));
                    if let Some(mask) = constant(3) {
                        self.partners(candidate, control as u32, mask as u32, at(3));
                    }
                }
            }
            Opcode::Sdiv | Opcode::Udiv if constant(2) == Some(0) => {
                let diagnostic = self
                    .lint(codes::DIVISION_BY_ZERO, at(2), "division by zero is undefined")
                    .spec(section(candidate.row))
                    .note("here the quotient has all bits set and the remainder is the dividend");
                self.report(diagnostic);
            }
            Opcode::Mov => {
                // D-10: by the letter only a register can be moved into an element.
                let into_element =
                    matches!(operands.first(), Some(Operand::Register(RegisterUse { swizzle: Some(_), .. })));
                if into_element && constant(1).is_some() {
                    let diagnostic = self
                        .departure(
                            codes::IMMEDIATE_INTO_ELEMENT,
                            at(1),
                            "an immediate moved into an element of a vector",
                        )
                        .spec("4.14 mov, scalar to vector copy: src0 is a register")
                        .help("move it into a register first");
                    self.report(diagnostic);
                }
            }
            Opcode::Shl | Opcode::Shr | Opcode::Asr => {
                if let Some(amount) = constant(2) {
                    self.shift_amount(candidate, amount, at(2));
                }
            }
            _ => {}
        }
    }

    /// D-01, E11: the specification rounds to even, LLVM means truncation.
    fn bare_conversion(&mut self, candidate: &Candidate, mnemonic: &str, span: Span) {
        if candidate.has(SlotName::Rndmode) || self.options.f2i_toward_zero {
            return;
        }
        let diagnostic = self
            .lint(
                codes::BARE_F2I,
                span,
                format!("`{mnemonic}` has no rounding mode and rounds to even: 2.7 gives 3"),
            )
            .spec("3.2 rounding modes: the default is .re for all floating-point operations")
            .help(format!("write `{mnemonic}.rz` to cut off the fraction, `{mnemonic}.re` to round"))
            .note("LLVM prints it where it means .rz; `--assume f2i=rz` reads it so");
        self.report(diagnostic);
    }

    fn empty_mask(&mut self, candidate: &Candidate, span: Span, result: &str) {
        let diagnostic = self
            .lint(codes::EMPTY_MASK, span, format!("the mask is empty: {result}"))
            .spec(section(candidate.row))
            .help("0xffffffff names all lanes");
        self.report(diagnostic);
    }

    fn shuffle_control(&mut self, candidate: &Candidate, control: u32, span: Span) {
        let up = candidate.value(SlotName::Op) == Some(Qualifier::Up);
        let segments = candidate.has(SlotName::Sg);
        let spec = section(candidate.row);
        // S-16: which bits count.
        let used = if segments { 0x001f_1f1f } else { 0x1f };
        if control & !used != 0 {
            let diagnostic = self
                .lint(
                    codes::SHFL_IGNORED_BITS,
                    span,
                    format!("bits {:#x} of the control word are ignored", control & !used),
                )
                .spec(spec.clone())
                .help(if segments {
                    "the offset is bits 4:0, the clamp value 12:8, the segment mask 20:16"
                } else {
                    "the offset is bits 4:0; clamp value and segment mask need `.sg`"
                });
            self.report(diagnostic);
        }
        if control & 31 == 0 && candidate.value(SlotName::Op) != Some(Qualifier::Idx) {
            let diagnostic = self
                .lint(codes::SHFL_CLAMP_ZERO, span, "the offset is 0: every lane gets its own value")
                .spec(spec)
                .help("offsets that move something are 1 to 31");
            self.report(diagnostic);
            return;
        }
        if !segments {
            return;
        }
        let (offset, clamp, mask) = (control & 31, control >> 8 & 31, control >> 16 & 31);
        if !matches!(mask, 0b11110 | 0b11100 | 0b11000 | 0b10000 | 0) {
            let diagnostic = self
                .lint(codes::SHFL_SEGMENT, span, format!("{mask:#07b} is no segment mask of the table"))
                .spec(spec)
                .help("masks: 0x1e for segments of 2 lanes, 0x1c of 4, 0x18 of 8, 0x10 of 16, 0 of 32");
            self.report(diagnostic);
            return;
        }
        let free = !mask & 31;
        if up && clamp & free == free {
            let diagnostic = self
                .lint(
                    codes::SHFL_CLAMP_ZERO,
                    span,
                    "the clamp value is that of the last lane: all lanes are out of bounds, and keep their value",
                )
                .spec(spec)
                .help(format!("`{:#x}` clamps at the first lane of the segment, as `.up` needs", control & !0x1f00 | mask << 8));
            self.report(diagnostic);
        } else if !up && clamp & free == 0 {
            // S-08: only the first lane of a segment is within bounds.
            let right = control & !0x1f00 | 0x1f00;
            let diagnostic = self
                .lint(
                    codes::SHFL_CLAMP_ZERO,
                    span,
                    "the clamp value is 0: all lanes but the first of a segment are out of bounds, and keep their value",
                )
                .spec(spec)
                .help(format!("`{right:#x}` clamps at the end of the segment"));
            self.report(diagnostic);
        } else if !up && clamp & mask != mask {
            let diagnostic = self
                .lint(
                    codes::SHFL_SEGMENT,
                    span,
                    format!("the clamp value {clamp:#07b} does not repeat the segment mask {mask:#07b}"),
                )
                .spec(spec)
                .help(format!("`{:#x}` means the same and is in the table", control | mask << 8));
            self.report(diagnostic);
        } else if candidate.value(SlotName::Op) == Some(Qualifier::Xor) && offset & mask != 0 {
            let diagnostic = self
                .lint(
                    codes::SHFL_CROSSES_SEGMENTS,
                    span,
                    format!("offset {offset} reaches into other segments of {} lanes", free + 1),
                )
                .spec(spec)
                .help(format!("offsets within a segment are below {}", free + 1));
            self.report(diagnostic);
        }
    }

    /// The lanes that an exclusive-or shuffle pairs are both in the mask, or neither: it has no edge at which a lane keeps its value
    /// on purpose.
    fn partners(&mut self, candidate: &Candidate, control: u32, mask: u32, span: Span) {
        let offset = control & 31;
        if candidate.value(SlotName::Op) != Some(Qualifier::Xor) || candidate.has(SlotName::Sg) || mask == 0 {
            return;
        }
        let alone = (0..32).filter(|&lane| mask >> lane & 1 == 1 && mask >> (lane ^ offset) & 1 == 0).count();
        if alone == 0 {
            return;
        }
        let diagnostic = self
            .lint(
                codes::SHUFFLE_OUT_OF_MASK,
                span,
                format!("{alone} lanes of the mask have their partner, {offset} away, outside of it, and keep their value"),
            )
            .spec(section(candidate.row))
            .help("begin the ladder with an offset whose pairs are in the mask, or name all lanes");
        self.report(diagnostic);
    }

    fn shift_amount(&mut self, candidate: &Candidate, amount: u64, span: Span) {
        let Some(ty) = candidate.value(SlotName::Type) else { return };
        if ty.packed().is_some() {
            // B-03: the low half takes bits 5:0, the high half bits 21:16.
            if amount != 0 && amount < 0x10000 {
                let diagnostic = self
                    .lint(codes::PACKED_SHIFT, span, "this shifts the low half only")
                    .spec(section(candidate.row))
                    .help(format!("`{:#x}` shifts both halves", amount << 16 | amount));
                self.report(diagnostic);
            }
            return;
        }
        let width = u64::from(ty.bits().unwrap_or(64));
        let counted = amount & 63;
        let message = if amount > 63 {
            format!("only the low six bits of a shift amount count: {amount} shifts by {counted}")
        } else if counted >= width {
            let result = if candidate.row.opcode == Opcode::Asr { "the sign in every bit" } else { "zero" };
            format!("a shift of {width} bits by {counted} gives {result}")
        } else {
            return;
        };
        let diagnostic = self
            .lint(codes::SHIFT_TOO_FAR, span, message)
            .spec(section(candidate.row))
            .help(format!("amounts that move something are 0 to {}", width - 1));
        self.report(diagnostic);
    }
}
