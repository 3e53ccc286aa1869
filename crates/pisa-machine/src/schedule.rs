//! Schedules: which of the lanes of a sub-group that can run go on (design: execution model; ).
//!
//! PISA 0.1 does not say where lanes that part meet again, so each of these conforms. `docs/schedules.md` defines them;
//! here are their names, and what the engines must have in common so that a schedule is the same run in each.

use crate::{Image, Launch, work_items};
use std::fmt;
use std::str::FromStr;

/// Which of the lanes of a sub-group that can run go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Schedule {
    /// The deepest call first, in it the lowest instruction; lanes meet at the same instruction of the same
    /// activation.
    #[default]
    Lexical,
    /// Lanes that part at a branch wait for each other at its immediate post-dominator, lanes that part at a call behind
    /// it, and nowhere else. Of the parts the one with the lowest target goes first, until it has arrived or waits at a
    /// barrier. Lanes that return just leave.
    Ipdom,
    /// Fair, and different for each seed: any set of lanes may go on, for one instruction at a time. Lanes that stand at
    /// the same instruction of the same activation are one set.
    Independent(u64),
    /// Each lane on its own, the lowest first, until it waits at a barrier, leaves, or has jumped back
    /// [`JUMPS_A_TURN`] times.
    Lanes,
}

impl Schedule {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.choice().name()
    }

    /// It without its seed.
    pub fn choice(self) -> ScheduleChoice {
        match self {
            Schedule::Lexical => ScheduleChoice::Lexical,
            Schedule::Ipdom => ScheduleChoice::Ipdom,
            Schedule::Independent(_) => ScheduleChoice::Independent,
            Schedule::Lanes => ScheduleChoice::Lanes,
        }
    }

    /// Its seed, where it has one.
    pub fn seed(self) -> Option<u64> {
        match self {
            Schedule::Independent(seed) => Some(seed),
            _ => None,
        }
    }

    /// Whether every lane that can run goes on after a while, whatever the others do.
    pub fn is_fair(self) -> bool {
        matches!(self, Schedule::Independent(_) | Schedule::Lanes)
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

/// A schedule as a command line or a launch file names it, the seed apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScheduleChoice {
    /// [`Schedule::Lexical`].
    Lexical,
    /// [`Schedule::Ipdom`].
    Ipdom,
    /// [`Schedule::Independent`].
    Independent,
    /// [`Schedule::Lanes`].
    Lanes,
    /// All of them one after the other, compared.
    All,
}

impl ScheduleChoice {
    /// Every choice.
    pub const ALL: [ScheduleChoice; 5] = [
        ScheduleChoice::Lexical,
        ScheduleChoice::Ipdom,
        ScheduleChoice::Independent,
        ScheduleChoice::Lanes,
        ScheduleChoice::All,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ScheduleChoice::Lexical => "lexical",
            ScheduleChoice::Ipdom => "ipdom",
            ScheduleChoice::Independent => "independent",
            ScheduleChoice::Lanes => "lanes",
            ScheduleChoice::All => "all",
        }
    }

    /// The schedule, where it is one.
    pub fn with_seed(self, seed: u64) -> Option<Schedule> {
        Some(match self {
            ScheduleChoice::Lexical => Schedule::Lexical,
            ScheduleChoice::Ipdom => Schedule::Ipdom,
            ScheduleChoice::Independent => Schedule::Independent(seed),
            ScheduleChoice::Lanes => Schedule::Lanes,
            ScheduleChoice::All => return None,
        })
    }
}

impl fmt::Display for ScheduleChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no schedule's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSchedule(String);

impl fmt::Display for UnknownSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ScheduleChoice::ALL.map(ScheduleChoice::name).join(", ");
        write!(f, "there is no schedule `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownSchedule {}

impl FromStr for ScheduleChoice {
    type Err = UnknownSchedule;
    fn from_str(text: &str) -> Result<ScheduleChoice, UnknownSchedule> {
        let found = ScheduleChoice::ALL.into_iter().find(|choice| choice.name() == text);
        found.ok_or_else(|| UnknownSchedule(text.to_owned()))
    }
}

/// Jumps back, calls included, that end a turn of a sub-group under [`Schedule::Ipdom`] and [`Schedule::Lanes`].
pub const JUMPS_A_TURN: u32 = 256;

/// Most instructions of a turn of a sub-group under [`Schedule::Independent`].
pub const MOST_INSTRUCTIONS_A_TURN: u32 = 64;

/// What a sub-group draws under [`Schedule::Independent`]: the same in each engine.
///
/// At the start of a turn, when a lane can run, it draws how many instructions the turn has, one to
/// [`MOST_INSTRUCTIONS_A_TURN`]. Before each step, when there is more than one set of lanes that can run, it draws one of
/// them; sets are counted in the order of their lowest lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draws(u64);

impl Draws {
    /// For one sub-group of a launch; `group` is the number of its work-group in the fixed order.
    pub fn new(seed: u64, group: u64, subgroup: u32) -> Draws {
        // Each number is mixed in alone, so that neighbours draw differently.
        Draws(mix(mix(mix(seed) ^ group) ^ u64::from(subgroup)))
    }

    /// A number below `count`, each as likely; 0 where `count` is 0.
    pub fn below(&mut self, count: u32) -> u32 {
        // SplitMix64: a counter and a mixing function.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (((mix(self.0) >> 32) * u64::from(count)) >> 32) as u32
    }

    /// How many instructions a turn has.
    pub fn instructions_of_a_turn(&mut self) -> u32 {
        1 + self.below(MOST_INSTRUCTIONS_A_TURN)
    }
}

/// The mixing function of SplitMix64: every bit of the result depends on every bit of the number.
fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// Work-items of the work-groups that take turns at the same time, as far as it is more than one group.
const MOST_ITEMS: u64 = 1 << 16;
/// Bytes that these take at first, as far as it is more than one group.
const MOST_BYTES: u64 = 1 << 30;

/// Most work-groups that take turns at the same time under every schedule but [`Schedule::Lexical`].
///
/// In a round the next work-group begins, if there is one and room for it; then each that has begun and is not over gets a
/// turn, in the order in which they began. A turn of a work-group is a turn of each of its sub-groups, in order, and
/// then, when every live work-item waits at a barrier, another one.
pub fn resident_groups(image: &Image, launch: &Launch) -> u64 {
    let items = u64::from(work_items(launch.local)).max(1);
    let kernel = image.program.function(launch.kernel);
    let elements: u64 = kernel.registers.iter().map(|register| u64::from(register.ty.elements)).sum();
    let lane = elements * 16 + u64::from(image.frame_size(launch.kernel));
    let bytes = items * lane + u64::from(launch.shared_size);
    (MOST_ITEMS / items).min(MOST_BYTES / bytes.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_read_back() {
        for choice in ScheduleChoice::ALL {
            assert_eq!(choice.name().parse(), Ok(choice));
            assert!(choice.with_seed(3).is_none_or(|schedule| schedule.choice() == choice));
        }
        let error = "warp".parse::<ScheduleChoice>().unwrap_err().to_string();
        assert!(error.contains("`warp`") && error.contains("ipdom"), "{error}");
        assert_eq!(Schedule::Independent(7).to_string(), "independent (seed 7)");
        assert_eq!(Schedule::Lanes.to_string(), "lanes");
    }

    #[test]
    fn draws_are_spread_and_differ_between_subgroups() {
        let mut draws = Draws::new(1, 0, 0);
        let mut counts = [0u32; 5];
        (0..50_000).for_each(|_| counts[draws.below(5) as usize] += 1);
        // 10 000 each; the deviation of a fair draw is about 90.
        assert!(counts.iter().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
        assert_eq!(Draws::new(1, 0, 0).below(0), 0);
        assert_eq!(Draws::new(1, 0, 0).below(1), 0);
        let first = |seed, group, subgroup| {
            let mut draws = Draws::new(seed, group, subgroup);
            [0; 8].map(|_| draws.below(1 << 30))
        };
        assert_eq!(first(1, 2, 3), first(1, 2, 3));
        let others = [first(1, 0, 0), first(0, 1, 0), first(0, 0, 1), first(2, 0, 0), first(0, 2, 0)];
        for (index, one) in others.iter().enumerate() {
            assert!(others[..index].iter().all(|other| other != one) && *one != first(0, 0, 0));
        }
        let mut draws = Draws::new(5, 0, 0);
        let turns: BTreeSet<u32> = (0..2000).map(|_| draws.instructions_of_a_turn()).collect();
        assert!(turns.into_iter().eq(1..=MOST_INSTRUCTIONS_A_TURN));
    }
}
