//! Makes a launch smaller while a finding persists.
//!
//! Every attempt is the launch with one thing less: fewer work-groups, smaller ones, fewer or plainer values. It runs
//! under the sanitizer from fresh memory and with little fuel; what still shows the same code at the same place is kept.

mod values;

use super::{Run, name_buffers};
use pisa_diag::{Code, Place};
use pisa_machine::{Argument, DEFAULT_FUEL, Extent, Launch, LaunchFile, ObservedEngine};
use pisa_sanitize::{Finding, Options, Sanitizer};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most attempts.
const ATTEMPTS: usize = 600;

/// A smaller launch with the same finding.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The launch. What was to be saved, printed and compared is gone: it spoke of the larger one.
    pub launch: LaunchFile,
    /// The finding as it happens there.
    pub finding: Finding,
    /// Runs that it took.
    pub attempts: usize,
}

/// A launch in hand.
struct Candidate {
    file: LaunchFile,
    global: [u64; 3],
    local: [u32; 3],
    finding: Finding,
}

/// The search.
struct Shrinker<'a> {
    run: &'a Run,
    engine: &'a dyn ObservedEngine,
    options: Options,
    code: Code,
    place: Place,
    fuel: u64,
    attempts: &'a AtomicUsize,
    best: Candidate,
}

impl Run {
    /// Makes the launch that this was prepared from smaller while a finding persists. `instructions`: how many the launch
    /// has executed; an attempt gets little more. `attempts` counts them for who wants to show it.
    pub fn shrink(
        &self,
        launch: &LaunchFile,
        engine: &dyn ObservedEngine,
        options: Options,
        finding: &Finding,
        instructions: u64,
        attempts: &AtomicUsize,
    ) -> Shrunk {
        let mut file = launch.clone();
        file.save.clear();
        file.print.clear();
        file.expect.clear();
        let Launch { global, local, .. } = self.prepared.launch;
        let fuel = instructions.saturating_mul(2).saturating_add(1_000_000);
        let best = Candidate { file, global, local, finding: finding.clone() };
        let (code, place) = (finding.code, finding.place);
        let mut shrinker = Shrinker { run: self, engine, options, code, place, fuel, attempts, best };
        shrinker.search();
        Shrunk {
            launch: shrinker.best.file,
            finding: shrinker.best.finding,
            attempts: attempts.load(Ordering::Relaxed),
        }
    }
}

impl Shrinker<'_> {
    /// Tries everything again and again, as what becomes smaller lets other things become smaller.
    fn search(&mut self) {
        loop {
            let before = self.best.file.clone();
            self.groups();
            self.sizes();
            self.offset();
            self.values();
            if self.best.file == before || self.is_over() {
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.attempts.load(Ordering::Relaxed) >= ATTEMPTS
    }

    /// Keeps a launch where it shows the finding.
    fn keep(&mut self, file: LaunchFile) -> bool {
        if self.is_over() || file == self.best.file {
            return false;
        }
        self.attempts.fetch_add(1, Ordering::Relaxed);
        match self.attempt(file) {
            Some(candidate) => {
                self.best = candidate;
                true
            }
            None => false,
        }
    }

    fn attempt(&self, file: LaunchFile) -> Option<Candidate> {
        let mut spec = file.spec().ok()?;
        spec.fuel = self.fuel.min(file.fuel.unwrap_or(DEFAULT_FUEL));
        name_buffers(&self.run.image.program, &mut spec);
        let (image, memory, prepared) = self.run.again(&spec).ok()?;
        let launch = &prepared.launch;
        let mut sanitizer = Sanitizer::new(self.options, &image, &memory, launch);
        self.engine.run_observed(&image, &memory, launch, &mut sanitizer);
        let fits = |finding: &Finding| finding.code == self.code && finding.place == self.place;
        let finding = sanitizer.finish().into_iter().find(fits)?;
        Some(Candidate { file, global: launch.global, local: launch.local, finding })
    }

    /// The launch with these sizes, and no more dimensions than they need.
    fn sized(&self, global: [u64; 3], local: [u32; 3]) -> LaunchFile {
        let dimensions =
            (1..=3).rev().find(|&d| d == 1 || global[d - 1] > 1 || local[d - 1] > 1).unwrap_or(1);
        let mut file = self.best.file.clone();
        file.global = Extent::new(&global[..dimensions]);
        file.local = Extent::new(&local.map(u64::from)[..dimensions]);
        file.offset = file.offset.and_then(|offset| Extent::new(&offset.or(0)[..dimensions]));
        file
    }

    /// Fewer work-groups.
    fn groups(&mut self) {
        for dimension in 0..3 {
            loop {
                let Candidate { global, local, .. } = self.best;
                let size = u64::from(local[dimension]).max(1);
                let count = global[dimension].div_ceil(size);
                let mut counts = vec![1, count / 2, count.saturating_sub(1)];
                counts.retain(|&fewer| fewer > 0 && fewer < count);
                counts.dedup();
                let smaller = |fewer: u64| {
                    let mut global = global;
                    global[dimension] = fewer * size;
                    global
                };
                if !counts.into_iter().any(|fewer| self.keep(self.sized(smaller(fewer), local))) {
                    break;
                }
            }
        }
    }

    /// Smaller work-groups, and a last one with fewer work-items.
    fn sizes(&mut self) {
        for dimension in 0..3 {
            loop {
                let Candidate { global, local, .. } = self.best;
                let (size, items) = (u64::from(local[dimension]).max(1), global[dimension]);
                let count = items.div_ceil(size);
                let mut sizes = vec![1, 32, size / 2, size.saturating_sub(1)];
                sizes.retain(|&less| less > 0 && less < size);
                let of = |less: u64| {
                    let (mut global, mut local) = (global, local);
                    global[dimension] = count * less;
                    local[dimension] = less as u32;
                    (global, local)
                };
                let smaller = sizes.into_iter().any(|less| {
                    let (global, local) = of(less);
                    self.keep(self.sized(global, local))
                });
                let mut fewer = global;
                fewer[dimension] = items.saturating_sub(1).max(1);
                if !smaller && (items == 1 || !self.keep(self.sized(fewer, local))) {
                    break;
                }
            }
        }
    }

    fn offset(&mut self) {
        if self.best.file.offset.is_some() {
            let file = LaunchFile { offset: None, ..self.best.file.clone() };
            self.keep(file);
        }
    }

    /// Plainer and fewer values, one argument or buffer after the other.
    fn values(&mut self) {
        let arguments = self.best.file.arguments.len();
        for index in 0..arguments + self.best.file.buffers.len() {
            let argument = |file: &LaunchFile| match index.checked_sub(arguments) {
                None => file.arguments[index].clone(),
                Some(buffer) => file.buffers[buffer].clone(),
            };
            let with = |mut file: LaunchFile, value: Argument| {
                match index.checked_sub(arguments) {
                    None => file.arguments[index] = value,
                    Some(buffer) => file.buffers[buffer] = value,
                }
                file
            };
            loop {
                let current = argument(&self.best.file);
                let mut simpler = values::simpler(&current).into_iter();
                if !simpler.any(|value| self.keep(with(self.best.file.clone(), value))) {
                    break;
                }
            }
        }
    }
}
