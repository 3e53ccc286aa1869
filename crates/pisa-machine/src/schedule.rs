//! Schedules: which of the lanes of a sub-group that can run go on (design: execution model; ).
//!
//! PISA 0.1 does not say where lanes that part meet again, so each of these conforms.

use std::fmt;

/// Which of the lanes of a sub-group that can run go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Schedule {
    /// The deepest call first, in it the lowest instruction; lanes meet at the same instruction of the same
    /// activation.
    #[default]
    Lexical,
    /// Lanes that part at a branch meet again at its immediate post-dominator, and nowhere else.
    Ipdom,
    /// Fair, and different for each seed: any set of lanes may go on, for one instruction at a time.
    Independent(u64),
    /// Each lane on its own, the lowest first.
    Lanes,
}

impl Schedule {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Schedule::Lexical => "lexical",
            Schedule::Ipdom => "ipdom",
            Schedule::Independent(_) => "independent",
            Schedule::Lanes => "lanes",
        }
    }
}

impl fmt::Display for Schedule {
    /// As reports name it: `lexical`, `independent (seed 1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Independent(seed) => write!(f, "independent (seed {seed})"),
            other => f.write_str(other.name()),
        }
    }
}
