//! The engine.

use crate::Level;
use crate::batch::MAX_BATCH;
use crate::cohort::Packing;
use crate::decode::{DecodeError, decode};
use crate::memory::{Window, performer};
use crate::pool::Pool;
use crate::run::{Runner, entry_runner};
use crate::worker::Worker;
use pisa_machine::{
    Engine, Image, Launch, Memory, ObservedEngine, Observer, Outcome, Schedule, Statistics, Stop, StopReason,
};

/// Private memory that a batch may take for the kernel's own frame before it gets fewer sub-groups.
const MOST_PRIVATE_BYTES: u64 = 128 << 20;
/// Registers that a batch may take for the kernel's own frame before it gets fewer sub-groups.
const MOST_FRAME_BYTES: u64 = 64 << 20;

/// The fast engine: runs up to eight sub-groups a step, on several threads.
#[derive(Clone, Copy, Debug)]
pub struct VectorEngine {
    level: Level,
}

impl VectorEngine {
    /// With the best vector instructions of the host, or what `PISA_SIMD` (`plain`, `avx2`, `avx512`) allows.
    pub fn new() -> VectorEngine {
        VectorEngine { level: Level::detect() }
    }

    /// With certain vector instructions, or fewer where the host does not have them.
    pub fn with_level(level: Level) -> VectorEngine {
        VectorEngine { level: level.min(Level::host()) }
    }

    /// The vector instructions in use.
    pub fn level(&self) -> Level {
        self.level
    }
}

impl Default for VectorEngine {
    fn default() -> VectorEngine {
        VectorEngine::new()
    }
}

impl Engine for VectorEngine {
    fn name(&self) -> &'static str {
        "vector"
    }

    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome {
        self.launch(image, memory, launch, None)
    }
}

impl ObservedEngine for VectorEngine {
    fn run_observed(
        &self,
        image: &Image,
        memory: &Memory,
        launch: &Launch,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.launch(image, memory, launch, Some(observer))
    }
}

impl VectorEngine {
    fn launch(
        &self,
        image: &Image,
        memory: &Memory,
        launch: &Launch,
        observer: Option<&mut dyn Observer>,
    ) -> Outcome {
        let wanted = observer.as_deref().map(|observer| wanted(image, observer));
        let code = match decode(image, launch, self.level, wanted.as_deref()) {
            Ok(code) => code,
            Err(error) => return refused(image, error),
        };
        let frame =
            code.function(launch.kernel).map_or(0, |f| u64::from(f.frame) + u64::from(code.fixed.size));
        let private = u64::from(image.frame_size(launch.kernel)) * 32;
        let widest = (MOST_PRIVATE_BYTES / private.max(1)).min(MOST_FRAME_BYTES / frame.max(1));
        // Other schedules have one sub-group a batch, and a fixed order.
        let lexical = launch.schedule == Schedule::Lexical;
        let widest = if lexical { widest.clamp(1, MAX_BATCH as u64) as usize } else { 1 };
        let total = launch.group_count().iter().fold(1u64, |product, &n| product.saturating_mul(n));
        let threads = if observer.is_some() || !lexical { 1 } else { launch.threads };
        let packing = Packing::new(launch, total, threads, widest);
        let cohorts = total.div_ceil(packing.groups);
        let threads = (threads.max(1) as u64).min(cohorts).max(1) as usize;
        let pool = Pool::new(launch, threads);
        let run_entry = if observer.is_some() {
            entry_runner::<true>(self.level)
        } else {
            entry_runner::<false>(self.level)
        };
        let runner = || Runner {
            code: &code,
            image,
            launch,
            memory,
            pool: &pool,
            level: self.level,
            perform: performer(self.level),
            run_entry,
            windows: vec![Window::EMPTY; code.memory_sites],
            fuel: pool.take_fuel(),
            statistics: Statistics::default(),
            changed: false,
            observer: None,
        };
        let statistics = if threads == 1 {
            let observer = observer.map(|observer| observer as &mut dyn Observer);
            Worker::new(0, Runner { observer, ..runner() }, packing).work()
        } else {
            let work = |number: usize| Worker::new(number, runner(), packing).work();
            std::thread::scope(|scope| {
                let helpers: Vec<_> = (1..threads).map(|number| scope.spawn(move || work(number))).collect();
                helpers.into_iter().fold(work(0), |sum, helper| {
                    // A helper cannot panic; if it did, its counts would be all that is lost.
                    add(sum, helper.join().unwrap_or_default())
                })
            })
        };
        let stop = pool.into_stop();
        // On several threads, a last share of the fuel may not have been enough.
        let spent = stop.is_none() && statistics.instructions > launch.fuel;
        Outcome { statistics, stop: if spent { Some(out_of_fuel(image, launch)) } else { stop } }
    }
}

/// The end of a launch that has come to its end with more than its fuel.
fn out_of_fuel(image: &Image, launch: &Launch) -> Stop {
    let place = image.program.function(launch.kernel).code.last().map(|instruction| instruction.place);
    let reason = StopReason::OutOfFuel(launch.fuel);
    Stop { reason, place, group: [0; 3], subgroup: 0, lanes: 0, standing: Vec::new() }
}

/// By function and instruction whether an observer wants to see it.
fn wanted(image: &Image, observer: &dyn Observer) -> Vec<Vec<bool>> {
    let program = &image.program;
    let functions = program.functions().map(|(id, function)| {
        (0..function.code.len() as u32).map(|index| observer.wants(program, id, index)).collect()
    });
    functions.collect()
}

fn add(a: Statistics, b: Statistics) -> Statistics {
    Statistics {
        instructions: a.instructions + b.instructions,
        active_lanes: a.active_lanes + b.active_lanes,
        work_groups: a.work_groups + b.work_groups,
    }
}

fn refused(image: &Image, error: DecodeError) -> Outcome {
    let (reason, place) = match error {
        DecodeError::TooLarge(message) => (StopReason::OutOfMemory(message), None),
        DecodeError::Invalid(id, index) => {
            let function = image.program.function(id);
            let place = function.code.get(index as usize).map(|instruction| instruction.place);
            let message =
                format!("instruction {index} of `@{}` has operands that no form takes", function.name);
            (StopReason::Internal(message), place)
        }
    };
    let stop = Stop { reason, place, group: [0; 3], subgroup: 0, lanes: 0, standing: Vec::new() };
    Outcome { statistics: Statistics::default(), stop: Some(stop) }
}
