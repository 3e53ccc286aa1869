//! Import and export change nothing that can be seen: what a program is after both leaves the same memory and stops for the
//! same reason, in every launch of the examples and of the book of facts, and in random programs.

use super::{TestOptions, read_all, run_file};
use crate::run::RunOptions;
use pisa_ir::{export::export, import, verify::verify};
use pisa_machine::{
    Engine, Image, Launch, LaunchFile, Memory, ObservedEngine, Observer, Outcome, Schedule, Stop, StopReason,
};
use pisa_module::{Module, Program};
use pisa_reference::ReferenceEngine;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The module after import and export. Checks have to accept its text, and to find the same module in it.
fn round_trip(module: &Module) -> Result<Module, String> {
    let ir = import(module);
    if let Some(error) = verify(&ir).first() {
        return Err(format!("what is imported is ill-formed: {error}"));
    }
    let exported = export(&ir).map_err(|error| error.to_string())?;
    let text = pisa_module::print(&exported);
    let mut session = crate::Session::default();
    let input = session.add_text("exported.pisa", text.as_str());
    let checked = session.check_inputs(vec![input]);
    let Some(again) = checked.modules.first().filter(|_| !checked.is_refused()) else {
        let errors = checked.diagnostics.iter().map(|d| pisa_diag::render::short(d, &session.sources));
        return Err(format!(
            "what is exported is refused:\n{}\n{text}",
            errors.collect::<Vec<_>>().join("\n")
        ));
    };
    if !pisa_module::same(&exported, again) {
        return Err(format!("what is exported is another module when it is read again\n{text}"));
    }
    Ok(exported)
}

/// The reference engine, which runs each launch also after import and export, and keeps what differs.
#[derive(Default)]
struct RoundTrip {
    /// Whether a launch runs under each schedule, rather than its own.
    every_schedule: bool,
    found: Arc<Mutex<Found>>,
}

#[derive(Default)]
struct Found {
    /// Launches.
    launches: usize,
    /// Those of them that leave one result under all schedules.
    settled: usize,
    differences: Vec<String>,
    /// Executed instructions before and after, by kernel.
    instructions: BTreeMap<String, (u64, u64)>,
}

/// What a launch leaves: why it stopped, and all of memory.
#[derive(Clone, PartialEq, Eq)]
struct Left {
    reason: String,
    memory: Vec<(String, Vec<u8>)>,
}

impl Left {
    fn of(outcome: &Outcome, memory: &Memory) -> Left {
        Left { reason: reason(&outcome.stop), memory: contents(memory) }
    }

    fn differs(&self, other: &Left) -> Option<String> {
        if self.reason != other.reason {
            return Some(format!(
                "the launch came to {}, after import and export to {}",
                self.reason, other.reason
            ));
        }
        // Code of another length is stopped elsewhere.
        if self.reason == OUT_OF_FUEL {
            return None;
        }
        self.memory.iter().zip(&other.memory).find_map(|((name, a), (_, b))| {
            let at = a.iter().zip(b).position(|(a, b)| a != b)?;
            let range = at / 16 * 16..(at / 16 * 16 + 16).min(a.len());
            let (a, b) = (&a[range.clone()], &b[range]);
            Some(format!("`{name}` at byte {at}: {a:02x?}\nafter import and export {b:02x?}"))
        })
    }
}

const OUT_OF_FUEL: &str = "the end of its fuel";

/// Why a launch stopped, without what it counts.
fn reason(stop: &Option<Stop>) -> String {
    match stop.as_ref().map(|stop| &stop.reason) {
        None => "its end".to_owned(),
        Some(StopReason::OutOfFuel(_)) => OUT_OF_FUEL.to_owned(),
        Some(reason) => format!("{reason:?}"),
    }
}

fn contents(memory: &Memory) -> Vec<(String, Vec<u8>)> {
    memory.objects().iter().map(|o| (o.name.clone(), o.bytes().unwrap_or_default())).collect()
}

fn restore(memory: &Memory, contents: &[(String, Vec<u8>)]) {
    for (object, (_, bytes)) in memory.objects().iter().zip(contents) {
        object.write(0, bytes);
    }
}

const SCHEDULES: [Schedule; 5] =
    [Schedule::Lexical, Schedule::Ipdom, Schedule::Independent(1), Schedule::Independent(2), Schedule::Lanes];

impl RoundTrip {
    /// Compares a launch with what it is after import and export, which is what is left in memory.
    fn compare(&self, image: &Image, memory: &Memory, launch: &Launch) -> Result<Outcome, String> {
        let module = round_trip(image.program.module())?;
        let text = pisa_module::print(&module);
        let program = Program::from_module(module).map_err(|errors| format!("no program: {errors:?}"))?;
        // Variables and functions keep their numbers, so that everything is where it was.
        let mut other = image.clone();
        other.program = Arc::new(program);
        let before = contents(memory);
        let run = |image: &Image, schedule: Schedule| {
            restore(memory, &before);
            let launch = Launch { threads: 1, schedule, ..launch.clone() };
            let outcome = ReferenceEngine::new().run(image, memory, &launch);
            let left = Left::of(&outcome, memory);
            (outcome, left)
        };
        let own = launch.schedule;
        let (outcome, expected) = run(image, own);
        // Only under `lexical` have all programs one result.
        let mut schedules = vec![own];
        let others = || SCHEDULES.into_iter().filter(|&schedule| schedule != own);
        let is_settled = (self.every_schedule || own != Schedule::Lexical)
            && others().all(|schedule| run(image, schedule).1 == expected);
        if is_settled {
            schedules.splice(0..0, others());
        } else if own != Schedule::Lexical {
            schedules.clear();
        }
        for schedule in schedules {
            if let Some(difference) = expected.differs(&run(&other, schedule).1) {
                return Err(format!("{schedule}: {difference}\n{text}"));
            }
        }
        // What is left is what came of both, or under another schedule of the program as it is.
        let same = is_settled || own == Schedule::Lexical;
        let (found, _) = run(if same { &other } else { image }, own);
        let kernel = image.program.function(launch.kernel).name.to_string();
        let mut all = self.found.lock().map_err(|_| "a test has panicked")?;
        let counts = all.instructions.entry(kernel).or_default();
        counts.0 += outcome.statistics.instructions;
        counts.1 += found.statistics.instructions;
        all.settled += usize::from(is_settled);
        Ok(found)
    }
}

impl Engine for RoundTrip {
    fn name(&self) -> &'static str {
        "import and export"
    }

    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome {
        let result = self.compare(image, memory, launch);
        let mut found = self.found.lock().expect("no test has panicked");
        found.launches += 1;
        result.unwrap_or_else(|difference| {
            found.differences.push(difference);
            Outcome::default()
        })
    }
}

impl ObservedEngine for RoundTrip {
    /// Findings name places, so that what is watched is the program as it is.
    fn run_observed(
        &self,
        image: &Image,
        memory: &Memory,
        launch: &Launch,
        observer: &mut dyn Observer,
    ) -> Outcome {
        ReferenceEngine::new().run_observed(image, memory, launch, observer)
    }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

#[track_caller]
fn nothing_differs(found: &Found) {
    let differences = &found.differences;
    assert!(differences.is_empty(), "{} launches\n{}", differences.len(), differences[0]);
}

/// Facts, launches and traps; expectations hold after import and export, too.
#[test]
fn every_launch_of_the_book_of_facts() {
    let engine = RoundTrip::default();
    let found = Arc::clone(&engine.found);
    let engines: Vec<Box<super::TestEngine>> = vec![Box::new(engine)];
    let paths = [folder("conformance").to_string_lossy().into_owned()];
    let mut failures = Vec::new();
    for file in read_all(&paths).unwrap_or_default() {
        let report = run_file(&file, &TestOptions::default(), &engines);
        // Findings are about the program as it is written.
        let failed = report.failures.iter().filter(|failure| !failure.name.contains("finding["));
        failures.extend(failed.map(|failure| format!("{failure:?}")));
    }
    let found = found.lock().expect("no test has panicked");
    nothing_differs(&found);
    assert!(failures.is_empty(), "{} expectations\n{}", failures.len(), failures[0]);
    assert!(found.launches > 500, "{} launches", found.launches);
}

/// Runs a launch file of modules.
fn launch(session: &mut crate::Session, checked: crate::CheckResult, launch: LaunchFile, engine: &RoundTrip) {
    assert!(!checked.is_refused(), "{:?}", checked.diagnostics);
    let options = RunOptions { launch, function: None, active: None, threads: 1 };
    let run = session.prepare(checked.modules, options).unwrap_or_else(|refused| panic!("{refused:?}"));
    run.execute(engine);
    for result in run.compare() {
        assert!(result.is_ok(), "{result:?}");
    }
}

/// Each takes no more instructions than before.
#[test]
fn every_launch_of_the_examples() {
    let mut report = String::new();
    let mut longer = Vec::new();
    for entry in std::fs::read_dir(folder("examples")).expect("the examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file = LaunchFile::load(&path.to_string_lossy()).expect("a launch file");
        let engine = RoundTrip::default();
        let mut session = crate::Session::default();
        let checked = session.check(&file.files);
        launch(&mut session, checked, file, &engine);
        let found = engine.found.lock().expect("no test has panicked");
        nothing_differs(&found);
        for (kernel, (before, after)) in &found.instructions {
            let _ = writeln!(report, "@{kernel}: {before} instructions, {after} after import and export");
            if after > before {
                longer.push(kernel.clone());
            }
        }
    }
    assert!(longer.is_empty(), "longer: {longer:?}\n{report}");
}

/// `PISA_SMITH_COUNT` programs from `PISA_SMITH_SEED` on, or 500 from 0 on; those with one result under all schedules have it
/// under all schedules afterwards.
#[test]
fn random_programs() {
    let number = |variable: &str, otherwise: u64| {
        std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let first = number("PISA_SMITH_SEED", 0);
    let count = number("PISA_SMITH_COUNT", 500);
    let engine = RoundTrip { every_schedule: true, ..RoundTrip::default() };
    for seed in first..first + count {
        let case = pisa_smith::generate(seed);
        let names = case.file_names("case");
        let mut session = crate::Session::default();
        let inputs = names.iter().zip(&case.modules);
        let inputs = inputs.map(|(name, text)| session.add_text(name, text.as_str())).collect();
        let checked = session.check_inputs(inputs);
        let file = case.launch_file(&names).expect("a launch");
        launch(&mut session, checked, file, &engine);
        let found = engine.found.lock().expect("no test has panicked");
        assert!(found.differences.is_empty(), "seed {seed}: {}\n{}", found.differences[0], case.text());
    }
    let found = engine.found.lock().expect("no test has panicked");
    assert!(found.settled as u64 * 2 > count, "{} programs have one result", found.settled);
}
