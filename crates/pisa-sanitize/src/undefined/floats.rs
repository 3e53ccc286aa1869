//! Conversions and floating-point values (D-01, D-07, D-08, M-19, P-24).

use super::rule::{Float, Integer, Mode};
use super::{Here, lanes_where, read};
use crate::describe::{first_lane, signed};
use crate::finding::{Findings, Text};
use pisa_diag::codes::finding::undefined as codes;
use pisa_machine::{GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG, LANES};

/// The integer that `f2i` gives when it rounds one way and when it cuts off (D-02).
fn conversions(value: f64, to: Integer) -> (i128, i128) {
    let (least, largest) = to.range();
    // A float beyond the range of i128 is cut to it, NaN to 0.
    let clamp = |value: f64| (value as i128).clamp(least, largest);
    (clamp(value.round_ties_even()), clamp(value.trunc()))
}

/// Whether a denormal of the source would become more than 0 in the target by IEEE 754.
fn survives(value: f64, to: Float, mode: Mode) -> bool {
    let (magnitude, least) = (value.abs(), to.least());
    match mode {
        Mode::NearestEven => magnitude > least / 2.0,
        Mode::NearestAway => magnitude >= least / 2.0,
        Mode::Up => value > 0.0 || magnitude >= least,
        Mode::Down => value < 0.0 || magnitude >= least,
        Mode::Zero => magnitude >= least,
    }
}

impl Here<'_, '_> {
    /// D-01, D-21: `.re` and `.rz` differ for a value that is converted.
    pub(super) fn bare_conversion(&self, from: Float, to: Integer, elements: u32, findings: &mut Findings) {
        for element in 0..elements as usize {
            let values = read(self.step, 1, element);
            let differ = |bits: u64| {
                let (even, cut) = conversions(from.value(bits), to);
                even != cut
            };
            let lanes = lanes_where(self.step, &values, differ);
            if lanes == 0 {
                continue;
            }
            findings.report(codes::ROUNDED_CONVERSION, self.step, lanes, None, || {
                let lane = first_lane(lanes);
                let value = from.value(values[lane]);
                let (even, cut) = conversions(value, to);
                let mnemonic = self.conversion();
                Text {
                    message: format!("{value} becomes {even}, cut off it would be {cut}"),
                    label: format!("lane {lane}: `{}` is {value}", self.name(1)),
                    notes: vec![
                        "without a rounding mode PISA rounds to even; LLVM prints it where it means to cut off"
                            .to_owned(),
                    ],
                    spec: "3.2 rounding modes: the default is .re for all floating-point operations",
                    help: format!(
                        "write `{mnemonic}.rz` to cut off, `{mnemonic}.re` to round; `--assume f2i=rz` reads it as LLVM does"
                    ),
                    ..Text::default()
                }
            });
        }
    }

    /// D-07: the table makes 0 of every denormal.
    pub(super) fn denormals(
        &self,
        source: usize,
        from: Float,
        to: Float,
        mode: Mode,
        findings: &mut Findings,
    ) {
        let values = read(self.step, source, 0);
        let lost = lanes_where(self.step, &values, |bits| {
            let value = from.value(bits);
            value != 0.0 && value.abs() < from.least_normal() && survives(value, to, mode)
        });
        if lost == 0 {
            return;
        }
        findings.report(codes::DENORMAL_TRUNCATION, self.step, lost, None, || {
            let lane = first_lane(lost);
            let value = from.value(values[lane]);
            Text {
                message: format!(
                    "the denormal {value:e} becomes 0, though `{}` has a number as small",
                    to.text()
                ),
                label: format!("lane {lane}: `{}` is {value:e}", self.name(source)),
                notes: vec!["the table makes 0 of every denormal; IEEE 754 would round it".to_owned()],
                spec: "4.8 ftrunc",
                help: "scale the value before, or write `.ftz` to say that it may be lost".to_owned(),
                ..Text::default()
            }
        });
    }

    /// D-08: above the largest number, the result is infinite in every rounding mode.
    pub(super) fn overflow(
        &self,
        source: usize,
        from: Float,
        to: Float,
        mode: Mode,
        findings: &mut Findings,
    ) {
        let values = read(self.step, source, 0);
        let infinite = lanes_where(self.step, &values, |bits| {
            let value = from.value(bits);
            value.is_finite() && value.abs() >= to.limit() && mode.is_toward_zero(value < 0.0)
        });
        if infinite != 0 {
            let value = from.value(values[first_lane(infinite)]);
            self.report_overflow(source, infinite, format!("{value:e}"), to, "4.8 ftrunc", findings);
        }
    }

    /// D-08 for integers.
    pub(super) fn integer_overflow(&self, from: Integer, mode: Mode, findings: &mut Findings) {
        let values = read(self.step, 1, 0);
        let value = |bits: u64| {
            if from.signed { i128::from(signed(bits, from.width)) } else { i128::from(bits) }
        };
        let infinite = lanes_where(self.step, &values, |bits| {
            let value = value(bits);
            value.unsigned_abs() >= 65536 && mode.is_toward_zero(value < 0)
        });
        if infinite != 0 {
            let shown = value(values[first_lane(infinite)]).to_string();
            self.report_overflow(1, infinite, shown, Float::Hf, "4.10 i2f", findings);
        }
    }

    fn report_overflow(
        &self,
        source: usize,
        lanes: u32,
        value: String,
        to: Float,
        spec: &'static str,
        findings: &mut Findings,
    ) {
        findings.report(codes::OVERFLOW_TO_INFINITY, self.step, lanes, None, || Text {
            message: format!("{value} becomes infinite, though the rounding mode goes towards zero"),
            label: format!("lane {}: `{}` is {value}", first_lane(lanes), self.name(source)),
            notes: vec![format!(
                "the largest number of `{}` is {}; IEEE 754 would give that",
                to.text(),
                to.largest()
            )],
            spec,
            help: "`.dsat` gives the largest number instead".to_owned(),
            ..Text::default()
        });
    }

    /// M-19: NaN is equal to nothing, and the two zeros are equal.
    pub(super) fn compare_and_swap(&self, format: Float, compared: usize, findings: &mut Findings) {
        let values = read(self.step, compared, 0);
        let nan = lanes_where(self.step, &values, |bits| format.value(bits).is_nan());
        if nan != 0 {
            findings.report(codes::NAN_COMPARED_AND_SWAPPED, self.step, nan, None, || Text {
                message: format!(
                    "`{}` is NaN, which is equal to nothing: this never swaps",
                    self.name(compared)
                ),
                label: format!("lane {}", first_lane(nan)),
                notes: vec![
                    "`fatom.cas` compares numbers; a loop that repeats it until it swaps never ends"
                        .to_owned(),
                ],
                spec: "8.1 fatom",
                help: "`iatom.cas` compares the bits".to_owned(),
                ..Text::default()
            });
        }
        let zero = lanes_where(self.step, &values, |bits| format.value(bits) == 0.0);
        if zero == 0 {
            return;
        }
        // Where the other zero lies in memory, bits and numbers differ.
        let addresses = read(self.step, 1, 0);
        let size = match format {
            Float::Hf | Float::Bf => 2,
            Float::F => 4,
            Float::Df => 8,
        };
        let mut other = 0u32;
        for lane in (0..LANES as usize).filter(|lane| zero >> lane & 1 == 1) {
            let address = addresses[lane];
            if matches!(address & GENERIC_TAG, GENERIC_SHARED | GENERIC_PRIVATE) {
                continue;
            }
            let Some(object) = self.context.memory.find(address, size) else { continue };
            let mut old = [0; 8];
            object.read(address - object.address, &mut old[..size as usize]);
            let old = u64::from_le_bytes(old);
            other |= u32::from(format.value(old) == 0.0 && old != values[lane]) << lane;
        }
        if other != 0 {
            findings.report(codes::NAN_COMPARED_AND_SWAPPED, self.step, other, None, || Text {
                message: format!(
                    "`{}` and the value in memory are zeros of different signs, and this swaps",
                    self.name(compared)
                ),
                label: format!("lane {}", first_lane(other)),
                notes: vec!["`fatom.cas` compares numbers, and -0 is equal to +0".to_owned()],
                spec: "8.1 fatom",
                help: "`iatom.cas` compares the bits".to_owned(),
                ..Text::default()
            });
        }
    }

    /// P-24: the difference to the next lower integer rounds to 1.
    pub(super) fn fraction(&self, findings: &mut Findings) {
        let flush = self.step.instruction.has(pisa_isa::SlotName::Ftz);
        let values = read(self.step, 1, 0);
        let lanes = lanes_where(self.step, &values, |bits| {
            let value = Float::F.value(bits);
            let flushed = flush && value.abs() < Float::F.least_normal();
            // Below 1 numbers are 2^-24 apart; half of that goes up to 1, which is even.
            (-(2f64.powi(-25))..0.0).contains(&value) && !flushed
        });
        if lanes == 0 {
            return;
        }
        findings.report(codes::FRACTION_OF_ONE, self.step, lanes, None, || {
            let lane = first_lane(lanes);
            let value = Float::F.value(values[lane]);
            Text {
                message: format!("the fractional part of {value:e} rounds to 1.0"),
                label: format!("lane {lane}: `{}` is {value:e}", self.name(1)),
                notes: vec![
                    "a table of n entries that is indexed by n times it is left at the end".to_owned(),
                ],
                spec: "2.12 frc",
                help: "`fmin.f` with 0x3f7fffff keeps the result below 1".to_owned(),
                ..Text::default()
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_and_cutting_are_told_apart() {
        let s32 = Integer { signed: true, width: 32 };
        assert_eq!(conversions(2.7, s32), (3, 2));
        assert_eq!(conversions(2.5, s32), (2, 2));
        assert_eq!(conversions(-1.5, s32), (-2, -1));
        assert_eq!(conversions(3e10, s32), (i128::from(i32::MAX), i128::from(i32::MAX)));
        assert_eq!(conversions(f64::NAN, s32), (0, 0));
        let u8 = Integer { signed: false, width: 8 };
        assert_eq!(conversions(-0.7, u8), (0, 0));
        assert_eq!(conversions(255.5, u8), (255, 255));
    }

    #[test]
    fn denormals_that_ieee_keeps() {
        // Appendix F: f 0x00400000 is a bf denormal, 0x007fffff rounds to the least normal.
        let f = |bits| Float::F.value(bits);
        assert!(survives(f(0x0040_0000), Float::Bf, Mode::NearestEven));
        assert!(survives(f(0x007F_FFFF), Float::Bf, Mode::NearestEven));
        // The least f denormal vanishes in bf, unless it is rounded away from 0.
        assert!(!survives(f(1), Float::Bf, Mode::NearestEven));
        assert!(survives(f(1), Float::Bf, Mode::Up));
        assert!(!survives(f(0x8000_0001), Float::Bf, Mode::Up));
        assert!(survives(f(0x8000_0001), Float::Hf, Mode::Down));
        // Half of the least bf denormal goes to even.
        assert!(!survives(f(0x8000), Float::Bf, Mode::NearestEven));
        assert!(survives(f(0x8000), Float::Bf, Mode::NearestAway));
    }
}
