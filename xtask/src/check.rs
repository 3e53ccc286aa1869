//! What a check is: a range of inputs, cut into pieces, and a function that compares two results for each.

use std::ops::Range;

/// Inputs of one piece.
pub const PIECE: u64 = 1 << 24;

/// Compares the results for a range of inputs.
pub type Run = Box<dyn Fn(Range<u64>, &mut Tally) + Sync>;

/// A set of comparisons over all inputs of some kind.
pub struct Check {
    /// The name that `--only` takes.
    pub name: String,
    /// What is compared, in a few words.
    pub what: &'static str,
    /// How many inputs there are; they are numbered from 0.
    pub inputs: u64,
    /// Why it cannot run here, if so.
    pub missing: Option<&'static str>,
    /// Compares the results for a range of inputs.
    pub run: Run,
}

impl Check {
    /// How many pieces the inputs make.
    pub fn pieces(&self) -> u64 {
        self.inputs.div_ceil(PIECE)
    }

    /// Runs the first inputs of a piece.
    pub fn piece(&self, number: u64, inputs: u64) -> Tally {
        let mut tally = Tally::default();
        let first = number * PIECE;
        let end = if self.inputs < PIECE { self.inputs } else { first + PIECE };
        (self.run)(first..end.min(first + inputs), &mut tally);
        tally
    }
}

/// What came of comparisons.
#[derive(Default)]
pub struct Tally {
    /// Results compared.
    pub cases: u64,
    /// Of those, how many differed.
    pub differences: u64,
    /// The first of them in words.
    pub examples: Vec<String>,
}

impl Tally {
    /// Notes a comparison.
    #[inline(always)]
    pub fn compare(&mut self, got: u64, expected: u64, case: impl Fn() -> String) {
        self.cases += 1;
        if got != expected {
            self.differ(got, expected, &case());
        }
    }

    /// Notes the comparisons of a block of results.
    #[inline(always)]
    pub fn compare_all<R: Copy + Eq + Into<u64>, const N: usize>(
        &mut self,
        got: &[R; N],
        expected: &[R; N],
        case: impl Fn(usize) -> String,
    ) {
        if got == expected {
            self.cases += N as u64;
        } else {
            self.compare_each(got, expected, &case);
        }
    }

    #[cold]
    #[inline(never)]
    fn compare_each<R: Copy + Eq + Into<u64>>(
        &mut self,
        got: &[R],
        expected: &[R],
        case: &dyn Fn(usize) -> String,
    ) {
        for (index, (&got, &expected)) in got.iter().zip(expected).enumerate() {
            self.compare(got.into(), expected.into(), || case(index));
        }
    }

    #[cold]
    #[inline(never)]
    fn differ(&mut self, got: u64, expected: u64, case: &str) {
        self.differences += 1;
        if self.examples.len() < 5 {
            self.examples.push(format!("{case}: 0x{got:x}, expected 0x{expected:x}"));
        }
    }
}
