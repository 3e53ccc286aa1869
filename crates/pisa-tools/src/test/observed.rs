//! Both engines tell an observer the same of every launch: of the conformance files, of the examples, of random programs.

use super::*;
use crate::run::RunOptions;
use crate::{Input, Session};
use pisa_isa::Access;
use pisa_machine::{
    Engine, Entry, GroupBegin, Image, LANES, Launch, LaunchFile, Memory, ObservedEngine, Observer, Outcome,
    Step, SubGroupId,
};
use pisa_module::{FunctionId, Operand};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What one sub-group has met. Activations count in the order in which the sub-group entered them.
#[derive(PartialEq, Debug)]
enum Event {
    Enters { caller: Option<(usize, u32)>, function: FunctionId, lanes: u32, private: std::ops::Range<u32> },
    Leaves { activation: usize, lanes: u32 },
    Step(Shown),
    GoesOn,
    Ends,
}

/// An instruction.
#[derive(PartialEq, Debug)]
struct Shown {
    activation: usize,
    opcode: &'static str,
    index: u32,
    function: FunctionId,
    lanes: u32,
    group: [u64; 3],
    size: [u32; 3],
    /// Stands for all that can be read.
    rest: u64,
}

/// What one sub-group has met, in order.
type Log = Vec<Event>;

/// What an engine has told of one launch.
#[derive(Default)]
struct Recorder {
    logs: BTreeMap<SubGroupId, Log>,
    /// By sub-group: the activations in the order in which they were entered. Engines number them as they like.
    activations: BTreeMap<SubGroupId, Vec<u64>>,
    /// Work-groups that have begun, and whether they have ended.
    groups: BTreeMap<u64, bool>,
}

/// Mixes numbers into one.
struct Mix(u64);

impl Mix {
    fn add(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

impl Recorder {
    fn note(&mut self, subgroup: SubGroupId, event: Event) {
        assert_eq!(self.groups.get(&subgroup.group), Some(&false), "{event:?} outside of its work-group");
        self.logs.entry(subgroup).or_default().push(event);
    }

    /// The number of an activation among those of its sub-group.
    fn activation(&self, subgroup: SubGroupId, activation: u64) -> usize {
        let known = self.activations.get(&subgroup);
        let position = known.and_then(|known| known.iter().position(|&one| one == activation));
        position.unwrap_or_else(|| panic!("{subgroup:?}: activation {activation} was never entered"))
    }

    fn note_group(&mut self, group: u64, event: fn() -> Event) {
        let all = SubGroupId { group, number: 0 }..=SubGroupId { group, number: u32::MAX };
        for (_, log) in self.logs.range_mut(all) {
            log.push(event());
        }
    }
}

/// All that can be read of a step, as one number.
fn mixed(step: &Step<'_>) -> u64 {
    let mut mix = Mix(0);
    let lanes = || (0..LANES as usize).filter(|lane| step.lanes >> lane & 1 == 1);
    let view = step.view;
    let mut values = [0; LANES as usize];
    for (index, operand) in step.instruction.operands.iter().enumerate() {
        // What is only written may hold what an atomic gave, which depends on the order of sub-groups.
        let definition = step.instruction.row().operands.get(index);
        let is_written = definition.is_some_and(|definition| definition.access == Access::Write);
        if is_written || matches!(operand, Operand::Void) {
            continue;
        }
        // Some elements more than there are: those behind the last say the same on every engine, too.
        for element in 0..3 {
            view.read(index, element, &mut values);
            lanes().for_each(|lane| mix.add(values[lane]));
        }
        match operand {
            Operand::Predicate { .. } => mix.add(u64::from(view.predicate(index))),
            Operand::Register(used) => {
                view.read_register(used.register, 0, &mut values);
                lanes().for_each(|lane| mix.add(values[lane]));
            }
            _ => {}
        }
    }
    let frame = view.private_frame();
    mix.add(u64::from(frame.start) << 32 | u64::from(frame.end));
    mix.add(u64::from(view.live()));
    for standing in view.elsewhere() {
        mix.add(u64::from(standing.lanes) << 32 | u64::from(standing.subgroup) << 8 | standing.doing as u64);
        mix.add(standing.place.map_or(0, |place| u64::from(place.span.start)));
    }
    for frame in view.calls() {
        mix.add(u64::from(frame.caller.0) << 32);
        mix.add(frame.place.map_or(0, |place| u64::from(place.span.start)));
    }
    mix.0
}

impl Observer for Recorder {
    fn wants(&self, _: &pisa_module::Program, _: FunctionId, _: u32) -> bool {
        true
    }
    fn begin_group(&mut self, group: &GroupBegin) {
        assert!(self.groups.insert(group.number, false).is_none(), "{group:?} begins twice");
    }
    fn end_group(&mut self, group: u64) {
        self.note_group(group, || Event::Ends);
        assert_eq!(self.groups.insert(group, true), Some(false), "work-group {group} ends, but does not run");
    }
    fn enter(&mut self, entry: &Entry) {
        let known = self.activations.entry(entry.subgroup).or_default();
        assert!(!known.contains(&entry.activation), "{entry:?}: not a new number");
        known.push(entry.activation);
        let caller = entry.call.map(|(caller, index)| (self.activation(entry.subgroup, caller), index));
        let Entry { subgroup, function, lanes, ref private, .. } = *entry;
        self.note(subgroup, Event::Enters { caller, function, lanes, private: private.clone() });
    }
    fn leave(&mut self, subgroup: SubGroupId, activation: u64, lanes: u32) {
        let activation = self.activation(subgroup, activation);
        self.note(subgroup, Event::Leaves { activation, lanes });
    }
    fn before(&mut self, step: &Step<'_>) {
        assert_ne!(step.lanes, 0);
        let shown = Shown {
            activation: self.activation(step.subgroup, step.activation),
            opcode: step.instruction.row().opcode.text(),
            index: step.index,
            function: step.function,
            lanes: step.lanes,
            group: step.group,
            size: step.size,
            rest: mixed(step),
        };
        self.note(step.subgroup, Event::Step(shown));
    }
    fn release(&mut self, group: u64) {
        self.note_group(group, || Event::GoesOn);
    }
}

/// Kernels whose sub-groups wait for stores of others or race on purpose: what they read depends on the order of sub-groups.
const UNORDERED: [&str; 4] = ["spin", "turns", "handed_over", "untorn"];

/// What an engine has told of all launches that it ran.
#[derive(Default, Clone)]
struct Told(Arc<Mutex<Vec<(Recorder, bool)>>>);

/// An engine that is watched whenever it runs.
struct Watched<E>(E, Told);

impl<E: ObservedEngine> Engine for Watched<E> {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome {
        let mut recorder = Recorder::default();
        let outcome = self.0.run_observed(image, memory, launch, &mut recorder);
        let steps = recorder.logs.values().flatten().filter(|event| matches!(event, Event::Step(_))).count();
        let stopped = outcome.stop.is_some();
        // The instruction that stops a launch is shown to sub-groups of a batch that do not come to execute it.
        if !stopped {
            assert_eq!(steps as u64, outcome.statistics.instructions);
            assert!(recorder.groups.values().all(|&ended| ended));
            assert_eq!(recorder.groups.len() as u64, launch.groups());
        }
        if UNORDERED.contains(&&*image.program.function(launch.kernel).name) {
            recorder = Recorder::default();
        }
        self.1.0.lock().unwrap().push((recorder, stopped));
        outcome
    }
}

impl<E: ObservedEngine> ObservedEngine for Watched<E> {
    fn run_observed(
        &self,
        image: &Image,
        memory: &Memory,
        launch: &Launch,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.0.run_observed(image, memory, launch, observer)
    }
}

/// Both engines, and what they have told.
fn watched_engines() -> (Vec<Box<TestEngine>>, [Told; 2]) {
    let told: [Told; 2] = Default::default();
    let engines: Vec<Box<TestEngine>> = vec![
        Box::new(Watched(ReferenceEngine::new(), told[0].clone())),
        Box::new(Watched(VectorEngine::new(), told[1].clone())),
    ];
    (engines, told)
}

/// Takes what both engines have told and compares it, after a stop what the sub-groups had in common until then: how many
/// events there are, or the first difference.
fn compare_told([expected, found]: &[Told; 2]) -> Result<usize, String> {
    let mut events = 0;
    let expected = std::mem::take(&mut *expected.0.lock().unwrap());
    let found = std::mem::take(&mut *found.0.lock().unwrap());
    assert_eq!(expected.len(), found.len(), "launches");
    for (launch, ((expected, stopped), (found, _))) in expected.iter().zip(&found).enumerate() {
        if !stopped && !expected.logs.keys().eq(found.logs.keys()) {
            return Err(format!("launch {launch}: other sub-groups"));
        }
        for (id, expected) in &expected.logs {
            let empty = Log::new();
            let found = found.logs.get(id).unwrap_or(&empty);
            let differs = expected.iter().zip(found).position(|(a, b)| a != b);
            let shorter = expected.len().min(found.len());
            let differs = differs.or((!stopped && expected.len() != found.len()).then_some(shorter));
            if let Some(at) = differs {
                let (a, b) = (expected.get(at), found.get(at));
                let before = &expected[at.saturating_sub(2)..at];
                return Err(format!(
                    "launch {launch}, {id:?}, event {at} after {before:?}\n  reference {a:?}\n  vector    {b:?}"
                ));
            }
            events += expected.len();
        }
    }
    Ok(events)
}

/// Adds up events, or fails with all differences.
#[derive(Default)]
struct Sum {
    events: usize,
    differences: Vec<String>,
}

impl Sum {
    fn add(&mut self, name: &str, told: &[Told; 2]) {
        match compare_told(told) {
            Ok(events) => self.events += events,
            Err(difference) => self.differences.push(format!("{name}: {difference}")),
        }
    }

    fn assert(self, least: usize) {
        let (count, all) = (self.differences.len(), self.differences.join("\n"));
        assert_eq!(count, 0, "{count} differences\n{all}");
        assert!(self.events >= least, "only {} events", self.events);
    }
}

fn root(folder: &str) -> String {
    format!("{}/../../{folder}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn both_engines_tell_the_same_of_the_conformance_files() {
    let files = read_all(&[root("conformance")]).unwrap();
    let mut sum = Sum::default();
    for file in &files {
        let (engines, told) = watched_engines();
        // Whether expectations hold is for another test.
        run_file(file, &TestOptions::default(), &engines);
        sum.add(&file.path, &told);
    }
    sum.assert(100_000);
}

#[test]
fn both_engines_tell_the_same_of_the_examples() {
    let mut launches: Vec<_> =
        std::fs::read_dir(root("examples")).unwrap().map(|e| e.unwrap().path()).collect();
    launches.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    launches.sort();
    assert!(launches.len() >= 10);
    let mut sum = Sum::default();
    for path in launches {
        let name = path.display().to_string();
        let (engines, told) = watched_engines();
        for engine in &engines {
            let launch = LaunchFile::load(&name).unwrap();
            let mut session = Session::default();
            let inputs: Vec<Input> = launch.files.iter().map(|file| session.read(file).unwrap()).collect();
            let checked = session.check_inputs(inputs);
            let options = RunOptions { launch, function: None, active: None, threads: 1 };
            let run = session.prepare(checked.modules, options).unwrap();
            assert!(run.execute(&**engine).stop.is_none(), "{name}");
            assert!(run.compare().iter().all(Result::is_ok), "{name}");
        }
        sum.add(&name, &told);
    }
    sum.assert(100_000);
}

/// How many random programs: 300, or `PISA_SMITH_COUNT`.
fn count() -> u64 {
    std::env::var("PISA_SMITH_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

#[test]
fn both_engines_tell_the_same_of_random_programs() {
    let mut sum = Sum::default();
    for seed in 0..count() {
        let (engines, told) = watched_engines();
        let engines: Vec<_> = engines.into_iter().map(|e| (e.name(), e as Box<dyn Engine>)).collect();
        let case = pisa_smith::Program::generate(seed).case();
        if let Some(wrong) = pisa_smith::compare(&case, &engines) {
            panic!("seed {seed}: {wrong}\n{}", case.text());
        }
        // The program ran again on the last engine: printed, spelled otherwise, linked.
        told[1].0.lock().unwrap().truncate(1);
        sum.add(&format!("seed {seed}"), &told);
    }
    sum.assert(10_000);
}
