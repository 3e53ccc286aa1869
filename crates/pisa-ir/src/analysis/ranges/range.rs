//! Intervals of integers.

/// What a scalar of up to 64 bits lies between, read as an unsigned and as a signed number; bounds are inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// Width in bits.
    pub bits: u8,
    /// Least and greatest unsigned value.
    pub unsigned: (u64, u64),
    /// Least and greatest signed value.
    pub signed: (i64, i64),
}

impl Range {
    /// Everything of a width up to 64.
    pub const fn full(bits: u8) -> Range {
        let greatest = u64::MAX >> (64 - bits);
        let half = (greatest >> 1) as i64;
        Range { bits, unsigned: (0, greatest), signed: (-half - 1, half) }
    }
    /// One value, cut to the width.
    pub fn constant(value: u64, bits: u8) -> Range {
        let cut = value & Range::full(bits).unsigned.1;
        Range::of_unsigned(cut, cut, bits)
    }
    /// Between two unsigned values that fit the width.
    pub fn of_unsigned(least: u64, greatest: u64, bits: u8) -> Range {
        Range { unsigned: (least, greatest), ..Range::full(bits) }.tighten()
    }
    /// Between two signed values that fit the width.
    pub fn of_signed(least: i64, greatest: i64, bits: u8) -> Range {
        Range { signed: (least, greatest), ..Range::full(bits) }.tighten()
    }
    /// The value, if there is only one.
    pub fn value(&self) -> Option<u64> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }
    /// Whether a value, cut to the width, can be in it.
    pub fn contains(&self, value: u64) -> bool {
        let value = value & Range::full(self.bits).unsigned.1;
        let signed = sign_extend(value, self.bits);
        let (u, s) = (self.unsigned, self.signed);
        u.0 <= value && value <= u.1 && s.0 <= signed && signed <= s.1
    }
    /// Whether no value is 0.
    pub fn is_non_zero(&self) -> bool {
        !self.contains(0)
    }
    /// What is in one or the other.
    pub fn join(self, other: Range) -> Range {
        let (u, v) = (self.unsigned, other.unsigned);
        let (s, t) = (self.signed, other.signed);
        Range {
            bits: self.bits,
            unsigned: (u.0.min(v.0), u.1.max(v.1)),
            signed: (s.0.min(t.0), s.1.max(t.1)),
        }
    }
    /// What is in both; where nothing is, this one, as such a place is never reached.
    pub fn meet(self, other: Range) -> Range {
        let (u, v) = (self.unsigned, other.unsigned);
        let (s, t) = (self.signed, other.signed);
        let both = Range {
            bits: self.bits,
            unsigned: (u.0.max(v.0), u.1.min(v.1)),
            signed: (s.0.max(t.0), s.1.min(t.1)),
        };
        let is_empty = |r: &Range| r.unsigned.0 > r.unsigned.1 || r.signed.0 > r.signed.1;
        if is_empty(&both) {
            return self;
        }
        let tight = both.tighten();
        if is_empty(&tight) { self } else { tight }
    }
    /// Bounds that have moved since `before` go on to the next of the steps, or as far as they can. Steps are in order, by either reading.
    pub(super) fn widen(self, before: Range, steps: &[u64], signed_steps: &[i64]) -> Range {
        let full = Range::full(self.bits);
        let (u, v) = (self.unsigned, before.unsigned);
        let (s, t) = (self.signed, before.signed);
        Range {
            bits: self.bits,
            unsigned: (
                if u.0 < v.0 { below(steps, u.0).unwrap_or(full.unsigned.0) } else { u.0 },
                if u.1 > v.1 { above(steps, u.1, full.unsigned.1) } else { u.1 },
            ),
            signed: (
                if s.0 < t.0 { below(signed_steps, s.0).unwrap_or(full.signed.0) } else { s.0 },
                if s.1 > t.1 { above(signed_steps, s.1, full.signed.1) } else { s.1 },
            ),
        }
    }
    /// What the bounds of one reading say of the other.
    fn tighten(mut self) -> Range {
        let half = Range::full(self.bits).signed.1;
        let (u, s) = (self.unsigned, self.signed);
        if u.1 <= half as u64 || u.0 > half as u64 {
            let (least, greatest) = (sign_extend(u.0, self.bits), sign_extend(u.1, self.bits));
            self.signed = (s.0.max(least), s.1.min(greatest));
        }
        if s.0 >= 0 || s.1 < 0 {
            let cut = Range::full(self.bits).unsigned.1;
            self.unsigned = (u.0.max(s.0 as u64 & cut), u.1.min(s.1 as u64 & cut));
        }
        self
    }
}

/// The signed number of the low `bits` bits.
fn sign_extend(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits);
    ((value << shift) as i64) >> shift
}

/// The last step that is not above a number.
fn below<T: Copy + Ord>(steps: &[T], number: T) -> Option<T> {
    steps[..steps.partition_point(|&step| step <= number)].last().copied()
}

/// The first step that is not below a number, but no more than the greatest.
fn above<T: Copy + Ord>(steps: &[T], number: T, greatest: T) -> T {
    let next = steps[steps.partition_point(|&step| step < number)..].first();
    next.map_or(greatest, |&step| step.min(greatest))
}
