//! What an engine is and what it reports.

use crate::{Image, Launch, Memory, Observer};
use pisa_diag::Place;

/// An engine runs launches.
pub trait Engine {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Runs a launch to its end or to what stopped it. Never panics, whatever the program does.
    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome;
}

/// An engine that lets somebody watch.
pub trait ObservedEngine: Engine {
    /// [`Engine::run`] on one thread, with somebody who watches.
    fn run_observed(
        &self,
        image: &Image,
        memory: &Memory,
        launch: &Launch,
        observer: &mut dyn Observer,
    ) -> Outcome;
}

/// How a launch went.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was counted.
    pub statistics: Statistics,
    /// What stopped it before its end.
    pub stop: Option<Stop>,
}

/// Counts of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// 32-lane instructions executed: one per instruction and sub-group with an active lane.
    pub instructions: u64,
    /// Active lanes summed over them.
    pub active_lanes: u64,
    /// Work-groups that ran to their end.
    pub work_groups: u64,
}

/// Why a launch stopped early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// What happened.
    pub reason: StopReason,
    /// The instruction.
    pub place: Option<Place>,
    /// The work-group.
    pub group: [u64; 3],
    /// The sub-group in it.
    pub subgroup: u32,
    /// The lanes it concerns.
    pub lanes: u32,
    /// Where the lanes stand that a deadlock or livelock is made of; the first ones.
    pub standing: Vec<Standing>,
}

/// Where some lanes of one sub-group stand when a launch stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The work-group.
    pub group: [u64; 3],
    /// The sub-group in it.
    pub subgroup: u32,
    /// The lanes.
    pub lanes: u32,
    /// What they do.
    pub doing: Doing,
    /// The instruction; `None` at the end of a function.
    pub place: Option<Place>,
}

/// What lanes do that get nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// They run in circles.
    Spin,
    /// They wait for those of their sub-group that come first in the schedule.
    WaitForThem,
    /// They wait at a barrier for the rest of their work-group.
    WaitAtBarrier,
}

/// What stopped it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A call through a register that holds no function's handle (C-03).
    CallTarget(u64),
    /// Calls nested deeper than [`Launch::max_call_depth`] (F-08).
    CallDepth(u32),
    /// An atomic access that is not aligned (M-13): the address and the alignment it needs.
    Misaligned(u64, u32),
    /// An atomic access through a generic address of private memory (M-21).
    AtomicOnPrivate(u64),
    /// A store to constant memory (V-14).
    StoreToConst(u64),
    /// The fuel of the launch is used up.
    OutOfFuel(u64),
    /// Every live lane waits at a barrier that cannot be released (Y-01).
    Deadlock,
    /// Lanes spin on a value that no lane that can run will change.
    Livelock,
    /// The host could not give the memory the launch needs.
    OutOfMemory(String),
    /// A bug of the engine: it met what no linked program has (exit status 70).
    Internal(String),
}

impl StopReason {
    /// Whether it is a trap (exit status 5) rather than fuel, deadlock or livelock (6).
    pub fn is_trap(&self) -> bool {
        !matches!(self, StopReason::OutOfFuel(_) | StopReason::Deadlock | StopReason::Livelock)
    }
}
