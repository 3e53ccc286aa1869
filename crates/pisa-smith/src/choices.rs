//! Where decisions come from.

/// What a program is made of.
#[derive(Clone, Debug)]
pub enum Seed {
    /// The start of a sequence of random numbers.
    Number(u64),
    /// Bytes that are used up one after another, as fuzzers give them; behind their end every decision is the first.
    Bytes(Vec<u8>),
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        Seed::Number(number)
    }
}

impl From<&[u8]> for Seed {
    fn from(bytes: &[u8]) -> Seed {
        Seed::Bytes(bytes.to_vec())
    }
}

/// A stream of decisions.
pub(crate) enum Choices {
    Random(u64),
    Bytes { bytes: Vec<u8>, at: usize },
}

/// A number that depends on all bits of `state` (SplitMix64).
pub(crate) fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Choices {
    pub fn new(seed: Seed) -> Choices {
        match seed {
            // Seeds that follow each other start far apart.
            Seed::Number(number) => Choices::Random(mix(number)),
            Seed::Bytes(bytes) => Choices::Bytes { bytes, at: 0 },
        }
    }

    fn take(&mut self, count: usize) -> u64 {
        match self {
            Choices::Random(state) => {
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                mix(*state)
            }
            Choices::Bytes { bytes, at } => {
                let mut number = 0;
                for i in 0..count {
                    number |= u64::from(bytes.get(*at + i).copied().unwrap_or(0)) << (8 * i);
                }
                *at += count;
                number
            }
        }
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.take(8)
    }

    /// A number below `n`; 0 where there is none.
    pub fn below(&mut self, n: usize) -> usize {
        let bytes = match n {
            0 | 1 => return 0,
            2..=256 => 1,
            257..=65536 => 2,
            _ => 8,
        };
        (self.take(bytes) % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        // Bytes that have run out say no.
        self.below(n) == n - 1
    }

    /// One of these, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
