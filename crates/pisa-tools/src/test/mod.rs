//! `pisa test`: facts about instructions, launches and diagnostics in the comments of `.pisa` files.
//!
//! `docs/test-files.md` describes the directives. [`run_tests`] reads files and says what holds; it prints and writes
//! nothing.

mod cases;
mod fact;
mod findings;
mod group;
mod json;
mod kernel;
mod launch;
mod mark;
mod number;
#[cfg(test)]
mod observed;
mod operands;
mod outcome;
mod program;
#[cfg(test)]
mod round_trip;
mod source;
mod update;

pub use outcome::{TestFailure, TestReport};
pub(crate) use program::stop_code;

use crate::Failure;
use crate::opt::Level;
use fact::{Fact, Key, resolve};
use outcome::{Edit, Item};
use pisa_machine::ObservedEngine;
use pisa_reference::ReferenceEngine;
use pisa_vector::VectorEngine;
use source::TestFile;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which engines run the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TestEngines {
    /// The fast one.
    #[default]
    Vector,
    /// The executable specification.
    Reference,
    /// Each of them.
    All,
}

/// How tests are run.
#[derive(Clone, Debug, Default)]
pub struct TestOptions {
    /// Only expectations with this text in `FILE:LINE: EXPECTATION`.
    pub filter: Option<String>,
    /// The engines.
    pub engines: TestEngines,
    /// Optimise the modules of facts and launches first. Findings are not looked for: they speak of the source.
    pub optimise: Option<Level>,
    /// Turn each expectation into one that must not hold.
    pub mutate: bool,
    /// Give files back with expectations that hold ([`TestReport::updated`]); such expectations count as passed.
    pub update: bool,
}

/// An engine that runs tests.
type TestEngine = dyn ObservedEngine + Send + Sync;

impl TestEngines {
    fn engines(self) -> Vec<Box<TestEngine>> {
        let mut engines: Vec<Box<TestEngine>> = Vec::new();
        if self != TestEngines::Reference {
            engines.push(Box::new(VectorEngine::new()));
        }
        if self != TestEngines::Vector {
            engines.push(Box::new(ReferenceEngine::new()));
        }
        engines
    }
}

/// Runs the tests of files, and of all `.pisa` files in folders.
///
/// # Errors
/// Where a path cannot be read, or no expectation is left after the filter.
pub fn run_tests(paths: &[String], options: &TestOptions) -> Result<TestReport, Failure> {
    let files = read_all(paths)?;
    let engines = options.engines.engines();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, FileReport)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { return };
            let report = run_file(file, options, &engines);
            if let Ok(mut done) = done.lock() {
                done.push((index, report));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(files.len());
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    let mut report = TestReport::default();
    for (index, file) in done {
        report.passed += file.passed;
        report.failures.extend(file.failures);
        if let Some(text) = file.updated {
            report.updated.push((files[index].path.clone(), text));
        }
    }
    if report.passed + report.failures.len() == 0 {
        return Err(nothing_left(options));
    }
    Ok(report)
}

/// All facts, launches and diagnostics of files as JSON.
///
/// # Errors
/// Where a path cannot be read, a directive cannot be understood, or no expectation is left after the filter.
pub fn tests_as_json(paths: &[String], options: &TestOptions) -> Result<String, Failure> {
    let files = read_all(paths)?;
    let mut all = Vec::new();
    let mut count = 0;
    for file in &files {
        let unread = file.facts.iter().filter_map(|f| resolve(f).err().map(|e| (f.line, e)));
        if let Some((line, message)) = file.errors.iter().cloned().chain(unread).next() {
            return Err(Failure::usage(format!("{}:{line}: {message}", file.path)));
        }
        let json = json::file(file, &|line, name| matches(options, &file.path, line, name));
        count += json["facts"].as_array().map_or(0, Vec::len);
        let cases = json["cases"].as_array().map_or(&[][..], |cases| &cases[..]);
        count += cases.iter().filter_map(|c| c["launches"].as_array()).map(Vec::len).sum::<usize>();
        count += cases.iter().filter_map(|c| c["diagnostics"].as_array()).map(Vec::len).sum::<usize>();
        all.push(json);
    }
    if count == 0 {
        return Err(nothing_left(options));
    }
    let text = serde_json::json!({ "format": "pisa-tests", "version": 1, "files": all });
    Ok(format!("{text}\n"))
}

fn nothing_left(options: &TestOptions) -> Failure {
    match &options.filter {
        Some(filter) => Failure::usage(format!("no test has `{filter}` in its name")),
        None => Failure::usage("there are no tests"),
    }
}

fn matches(options: &TestOptions, path: &str, line: u32, name: &str) -> bool {
    options.filter.as_ref().is_none_or(|filter| format!("{path}:{line}: {name}").contains(filter))
}

fn read_all(paths: &[String]) -> Result<Vec<TestFile>, Failure> {
    let mut names = Vec::new();
    for path in paths {
        let before = names.len();
        collect(Path::new(path), &mut names, true)?;
        if names.len() == before {
            return Err(Failure::usage(format!("there is no `.pisa` file in `{path}`")));
        }
    }
    let read = |name: &String| {
        let bytes = std::fs::read(name).map_err(|error| Failure::reading(name, &error))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::usage(format!("`{name}` is not UTF-8, so it has no tests")))?;
        Ok(source::read(name, &text))
    };
    names.iter().map(read).collect()
}

/// The test files of a path, folders in the order of their names. Links to folders are not followed below the first.
fn collect(path: &Path, names: &mut Vec<String>, is_named: bool) -> Result<(), Failure> {
    let shown = path.display().to_string();
    if !path.is_dir() {
        if is_named || path.extension().is_some_and(|e| e == "pisa") {
            names.push(shown);
        }
        return Ok(());
    }
    if !is_named && path.is_symlink() {
        return Ok(());
    }
    let entries = std::fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries: Vec<_> =
        entries.map_err(|error| Failure::reading(&shown, &error))?.into_iter().map(|e| e.path()).collect();
    entries.sort();
    entries.iter().try_for_each(|entry| collect(entry, names, false))
}

#[derive(Debug, Default)]
struct FileReport {
    passed: usize,
    failures: Vec<TestFailure>,
    updated: Option<String>,
}

fn run_file(file: &TestFile, options: &TestOptions, engines: &[Box<TestEngine>]) -> FileReport {
    let keep = |line: u32, name: &str| matches(options, &file.path, line, name);
    // What every engine says, by expectation.
    let mut all: Vec<Item> = Vec::new();
    for (line, message) in &file.errors {
        all.push(Item::failed(*line, "a directive".to_owned(), vec![message.clone()]));
    }
    if !file.has_assertion() && file.errors.is_empty() {
        all.push(Item::failed(1, "a test file".to_owned(), vec!["it asserts nothing".to_owned()]));
    }
    let directory = cases::directory(&file.path);
    for case in &file.cases {
        let mut case = case.clone();
        if options.optimise.is_some() {
            case.launches.retain(|launch| !launch.finds());
            case.marks.retain(|mark| mark.severity != pisa_diag::Severity::Finding);
        }
        let case = &case;
        let checked = cases::check(case, options.optimise);
        let found = match options.mutate {
            true => cases::mutate_marks(case, &checked),
            false => cases::marks(case, &checked),
        };
        all.extend(found.into_iter().filter(|item| keep(item.line, &item.name)));
        let run = |engine: &TestEngine| {
            findings::launches(case, &checked, engine, &directory, options.mutate, &keep)
        };
        all.extend(of_all_engines(engines, run));
    }
    all.extend(run_facts(file, options, engines, &keep));
    all.sort_by_key(|item| item.line);

    let mut report = FileReport::default();
    let mut edits = Vec::new();
    for item in all {
        let is_updated = options.update && !options.mutate && item.edit.is_some();
        match item.edit {
            Some(edit) if is_updated => edits.push(edit),
            _ => {}
        }
        if item.details.is_empty() || is_updated {
            report.passed += 1;
        } else {
            let Item { line, name, details, .. } = item;
            report.failures.push(TestFailure { file: file.path.clone(), line, name, details });
        }
    }
    if !edits.is_empty() {
        report.updated = Some(update::apply(&file.text, &edits));
    }
    report
}

/// An item, and what each engine has against it.
type Judged<'a> = (Item, Vec<(&'a str, Vec<String>)>);

/// What the engines give, item by item. An item fails where an engine fails it; what all say alike is said once.
fn of_all_engines(engines: &[Box<TestEngine>], run: impl Fn(&TestEngine) -> Vec<Item>) -> Vec<Item> {
    let mut merged: Vec<Judged> = Vec::new();
    for engine in engines {
        for mut item in run(engine.as_ref()) {
            let details = (engine.name(), std::mem::take(&mut item.details));
            let same = |other: &Item| other.line == item.line && other.name == item.name;
            match merged.iter_mut().find(|(other, _)| same(other)) {
                None => merged.push((item, vec![details])),
                Some((other, all)) => {
                    // Engines that differ leave nothing to write down.
                    if other.edit != item.edit {
                        other.edit = None;
                    }
                    all.push(details);
                }
            }
        }
    }
    let join = |(mut item, all): Judged| {
        let agree = all.len() == engines.len() && all.iter().all(|(_, details)| *details == all[0].1);
        for (name, mut details) in all {
            if agree {
                item.details = details;
                break;
            }
            if !details.is_empty() {
                item.details.push(format!("engine {name}:"));
                item.details.append(&mut details);
            }
        }
        item
    };
    merged.into_iter().map(join).collect()
}

fn run_facts(
    file: &TestFile,
    options: &TestOptions,
    engines: &[Box<TestEngine>],
    keep: &dyn Fn(u32, &str) -> bool,
) -> Vec<Item> {
    let mut items = Vec::new();
    let mut groups: Vec<(Key, Vec<Fact>)> = Vec::new();
    let mut by_key: HashMap<Key, usize> = HashMap::new();
    for text in &file.facts {
        let name = format!("op {}", text.wrote);
        if !keep(text.line, &name) {
            continue;
        }
        match resolve(text) {
            Err(message) => items.push(Item::failed(text.line, name, vec![message])),
            Ok(fact) => {
                let group = *by_key.entry(fact.key.clone()).or_insert_with(|| {
                    groups.push((fact.key.clone(), Vec::new()));
                    groups.len() - 1
                });
                groups[group].1.push(fact);
            }
        }
    }
    for (key, facts) in &groups {
        let references: Vec<&Fact> = facts.iter().collect();
        let run = |engine: &TestEngine| {
            let outputs = group::run(key, &references, engine, options.optimise);
            let one = |(index, fact): (usize, &Fact)| fact_item(fact, index, &outputs, options.mutate);
            facts.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        items.extend(of_all_engines(engines, run));
    }
    items
}

fn fact_item(fact: &Fact, index: usize, outputs: &Result<Vec<group::Outputs>, String>, mutate: bool) -> Item {
    let name = format!("op {}", fact.wrote);
    let all = match outputs {
        Ok(all) => all,
        Err(message) => return Item::failed(fact.line, name, vec![message.clone()]),
    };
    let (outputs, at) = group::outputs_of(all, index);
    let details = group::compare(fact, &fact.results, outputs, at);
    if !mutate {
        if details.is_empty() {
            return Item::passed(fact.line, name);
        }
        let written = group::write_results(fact, outputs, at);
        let edit = Edit::Replace(fact.line, fact.result.clone(), written);
        return Item::failed(fact.line, name, details).edit(edit);
    }
    if !details.is_empty() {
        return Item::failed(fact.line, name, vec!["it does not hold to begin with".to_owned()]);
    }
    // Every value of every destination, one at a time.
    for (i, shape) in fact.key.results.iter().enumerate() {
        let mut changed = fact.results.clone();
        for position in 0..changed[i].values_mut().len() {
            let value = changed[i].values_mut()[position];
            changed[i].values_mut()[position] = shape.element.flip(value);
            if fact.active != 0 && group::compare(fact, &changed, outputs, at).is_empty() {
                let shown = shape.element.show_expected(shape.element.flip(value));
                return Item::failed(fact.line, name, vec![format!("it holds with {shown}, too")]);
            }
            changed[i].values_mut()[position] = value;
        }
        // Where no lane executes it, what the lanes hold before is what is expected.
        let mut other = fact.clone();
        if let Some(old) = other.old[i].values_mut().first_mut() {
            *old ^= 1;
        }
        if fact.active == 0 && group::compare(&other, &fact.results, outputs, at).is_empty() {
            return Item::failed(fact.line, name, vec!["it holds with another `old`, too".to_owned()]);
        }
    }
    Item::passed(fact.line, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_that_differ_are_named_and_leave_nothing_to_rewrite() {
        let engines = TestEngines::All.engines();
        let item = |why: &str| {
            let edit = Edit::Replace(1, 0..1, why.to_owned());
            Item::failed(1, "op x".to_owned(), vec![why.to_owned()]).edit(edit)
        };
        // One of them passes.
        let one = |engine: &TestEngine| match engine.name() {
            "vector" => vec![Item::passed(1, "op x".to_owned())],
            _ => vec![item("5")],
        };
        let found = of_all_engines(&engines, one);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].details, ["engine reference:", "5"]);
        assert_eq!(found[0].edit, None);
        // Both fail, and not alike.
        let found = of_all_engines(&engines, |engine: &TestEngine| vec![item(engine.name())]);
        assert_eq!(found[0].details, ["engine vector:", "vector", "engine reference:", "reference"]);
        assert_eq!(found[0].edit, None);
        // Both fail alike.
        let found = of_all_engines(&engines, |_| vec![item("7")]);
        assert_eq!(found[0].details, ["7"]);
        assert!(found[0].edit.is_some());
        // One says more than the other.
        let more = |engine: &TestEngine| match engine.name() {
            "vector" => Vec::new(),
            _ => vec![Item::failed(2, "launch y".to_owned(), vec!["it stopped".to_owned()])],
        };
        assert_eq!(of_all_engines(&engines, more)[0].details, ["engine reference:", "it stopped"]);
    }
}
