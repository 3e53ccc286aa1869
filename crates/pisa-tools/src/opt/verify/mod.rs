//! Runs every function before and after, and compares what is left in memory.
//!
//! Launches are random: sizes with partial sub-groups and work-groups, buffers and arguments of several kinds, and, for functions,
//! which lanes of a sub-group call them. Both modules run on the reference engine under `lexical`; where the source leaves the
//! same under every schedule, the optimised module must, too. A launch that the source does not bring to its end says nothing and is
//! only counted. The first difference is made small.

mod launches;
mod report;
mod shrink;

pub use report::{Difference, Place};

use crate::run::{Refused, Run, RunOptions};
use crate::{Failure, Session};
use launches::Random;
use pisa_diag::Sources;
use pisa_machine::{LaunchFile, ScheduleChoice, StopReason};
use pisa_module::{Function, Linkage, Module};
use pisa_reference::ReferenceEngine;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// Launches of each function.
    pub launches: u32,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for VerifyOptions {
    fn default() -> VerifyOptions {
        VerifyOptions { launches: 24, seed: 0 }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Kernels and functions that ran.
    pub functions: usize,
    /// Launches that were compared.
    pub launches: usize,
    /// Of these, comparisons under a schedule other than `lexical`.
    pub schedules: usize,
    /// Launches that the source did not bring to its end.
    pub without_end: usize,
    /// Functions of which no launch came to its end, or that cannot run on their own: why.
    pub not_compared: Vec<(String, String)>,
    /// The first function that does something else, with a small launch that shows it.
    pub difference: Option<Difference>,
}

/// A launch of a kernel, or of a function by some lanes.
#[derive(Clone, PartialEq, Debug)]
pub struct Launching {
    /// Sizes and values.
    pub launch: LaunchFile,
    /// The function that is called, if it is no kernel.
    pub function: Option<String>,
    /// The lanes of each sub-group that call it; `None`: all.
    pub active: Option<u32>,
}

/// 32-lane instructions of a launch of the source.
const FUEL: u64 = 200_000;

/// Compares each function of `before` with that of the same name in `after`. `progress` hears how many functions are done.
///
/// `sources` have the files that places of the modules speak of.
pub fn verify(
    before: &Module,
    after: &Module,
    sources: &Sources,
    options: VerifyOptions,
    progress: &dyn Fn(usize),
) -> Verified {
    let pair = Pair { before, after, sources };
    let mut verified = Verified::default();
    for (number, function) in before.functions.iter().enumerate() {
        progress(number);
        if function.linkage == Linkage::Import {
            continue;
        }
        let mut random = Random(options.seed.wrapping_mul(0x0100_0000_01b3) ^ number as u64);
        if let Some((launching, differs)) =
            pair.function(function, options.launches, &mut random, &mut verified)
        {
            let (launching, differs) = shrink::shrink(&pair, launching, differs);
            verified.difference = Some(report::difference(&pair, function, launching, differs));
            break;
        }
    }
    verified
}

/// The two modules.
pub(super) struct Pair<'a> {
    before: &'a Module,
    after: &'a Module,
    sources: &'a Sources,
}

/// How a launch ended.
struct Ran {
    run: Run,
    stop: Option<StopReason>,
    instructions: u64,
    objects: Vec<(String, Vec<u8>)>,
}

/// In what a launch differs.
#[derive(Clone, Debug)]
pub(super) enum Differs {
    /// This byte of this object, under this schedule.
    Memory { schedule: ScheduleChoice, object: usize, byte: usize },
    /// The optimised module does not come to its end.
    Stops { schedule: ScheduleChoice, reason: String },
}

/// What comparing a launch gave.
enum Compared {
    Same {
        schedules: usize,
    },
    /// Under `lexical`.
    Differs(Differs),
    /// Under another schedule alone, while the source gives one result under all.
    DiffersElsewhere(Differs),
    /// The same under `lexical`; the source gives other results under other schedules.
    Depends,
    /// The source does not come to its end, or cannot be launched.
    Nothing(String),
}

impl Pair<'_> {
    fn function(
        &self,
        function: &Function,
        launches: u32,
        random: &mut Random,
        verified: &mut Verified,
    ) -> Option<(Launching, Differs)> {
        let (mut compared, mut reason) = (0, String::new());
        // A source may give one result under all schedules for some inputs only, such as a ladder of shuffles for equal values. Nothing is
        // promised of such a source under others than `lexical`.
        let (mut depends, mut elsewhere) = (false, None);
        for _ in 0..launches {
            let launching = launches::random(function, random);
            match self.compare(&launching) {
                Compared::Same { schedules } => {
                    compared += 1;
                    verified.schedules += schedules;
                }
                Compared::Differs(differs) => {
                    verified.launches += compared + 1;
                    verified.functions += 1;
                    return Some((launching, differs));
                }
                Compared::DiffersElsewhere(differs) => {
                    compared += 1;
                    elsewhere = elsewhere.or(Some((launching, differs)));
                }
                Compared::Depends => {
                    compared += 1;
                    depends = true;
                }
                Compared::Nothing(why) => {
                    verified.without_end += 1;
                    reason = why;
                }
            }
        }
        verified.launches += compared;
        if compared > 0 {
            verified.functions += 1;
        } else {
            verified.not_compared.push((function.name.to_string(), reason));
        }
        elsewhere.filter(|_| !depends)
    }

    /// Runs a launch with both modules.
    fn compare(&self, launching: &Launching) -> Compared {
        let before = match run(self, self.before, launching, ScheduleChoice::Lexical, FUEL) {
            Ok(ran) => ran,
            Err(failure) => return Compared::Nothing(failure.message),
        };
        if let Some(reason) = &before.stop {
            return Compared::Nothing(stop_text(reason));
        }
        if let Some(differs) = self.differs(launching, &before, ScheduleChoice::Lexical) {
            return Compared::Differs(differs);
        }
        let others = [ScheduleChoice::Ipdom, ScheduleChoice::Lanes, ScheduleChoice::Independent];
        let same = |schedule: ScheduleChoice| {
            run(self, self.before, launching, schedule, FUEL * 8)
                .is_ok_and(|ran| ran.stop.is_none() && ran.objects == before.objects)
        };
        if !others.into_iter().all(same) {
            return Compared::Depends;
        }
        match others.into_iter().find_map(|schedule| self.differs(launching, &before, schedule)) {
            Some(differs) => Compared::DiffersElsewhere(differs),
            None => Compared::Same { schedules: others.len() },
        }
    }

    /// How the optimised module differs from what the source has left.
    fn differs(&self, launching: &Launching, before: &Ran, schedule: ScheduleChoice) -> Option<Differs> {
        // Lanes that run apart take an instruction each.
        let fuel =
            (before.instructions * 4 + 10_000) * if schedule == ScheduleChoice::Lexical { 1 } else { 32 };
        let after = match run(self, self.after, launching, schedule, fuel) {
            Ok(ran) => ran,
            Err(failure) => return Some(Differs::Stops { schedule, reason: failure.message }),
        };
        if let Some(reason) = &after.stop {
            return Some(Differs::Stops { schedule, reason: stop_text(reason) });
        }
        let pairs = before.objects.iter().zip(&after.objects).enumerate();
        pairs.into_iter().find_map(|(object, ((_, a), (_, b)))| {
            let byte = a.iter().zip(b).position(|(x, y)| x != y)?;
            Some(Differs::Memory { schedule, object, byte })
        })
    }
}

fn stop_text(reason: &StopReason) -> String {
    match crate::test::stop_code(reason) {
        Some(code) => format!("it is stopped with {}", code.0),
        None => "the host has no memory for it".to_owned(),
    }
}

/// Prepares and runs a launch from fresh memory.
fn run(
    pair: &Pair<'_>,
    module: &Module,
    launching: &Launching,
    schedule: ScheduleChoice,
    fuel: u64,
) -> Result<Ran, Failure> {
    let mut launch = launching.launch.clone();
    launch.fuel = Some(fuel);
    launch.schedule = Some(schedule);
    launch.seed = (schedule == ScheduleChoice::Independent).then_some(1);
    let options =
        RunOptions { launch, function: launching.function.clone(), active: launching.active, threads: 1 };
    let mut session = Session { sources: pair.sources.clone(), ..Session::default() };
    let run = session.prepare(vec![module.clone()], options).map_err(|refused| match refused {
        Refused::Launch(failure) => failure,
        Refused::Link(diagnostics) => {
            Failure::usage(diagnostics.first().map_or_else(String::new, |d| d.message.clone()))
        }
    })?;
    let outcome = run.outcome(&ReferenceEngine::new());
    let objects = run.objects();
    let stop = outcome.stop.map(|stop| stop.reason);
    Ok(Ran { run, stop, instructions: outcome.statistics.instructions, objects })
}
