//! One case on several engines, and through the printers.

use crate::case::Case;
use crate::spelling;
use pisa_diag::{Severity, Sources};
use pisa_isa::FormId;
use pisa_machine::{Directory, Engine, Image, Launch, Memory, Outcome};
use pisa_module::{Module, Options};
use pisa_reference::ReferenceEngine;
use pisa_syntax::Tree;
use pisa_vector::{Level, VectorEngine};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// In what way something is wrong; shrinking keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Strict checks refuse the module.
    Refused,
    /// The launch does not fit.
    Launch,
    /// The case is stopped: it does not end, or does what is undefined.
    Stopped,
    /// Formatting or printing makes another module.
    Text,
    /// An engine panics; its name.
    Panic(String),
    /// Memory differs; the name of the engine that differs from the first.
    Memory(String),
    /// The counts differ; the name of the engine that differs from the first.
    Statistics(String),
}

/// What is wrong with a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// In what way.
    pub kind: Kind,
    /// Details, one or more lines.
    pub message: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.kind {
            Kind::Refused => "strict checks refuse the module".to_owned(),
            Kind::Launch => "the launch is refused".to_owned(),
            Kind::Stopped => "the launch is stopped".to_owned(),
            Kind::Text => "printing changes the module".to_owned(),
            Kind::Panic(engine) => format!("{engine} panics"),
            Kind::Memory(engine) => format!("{engine} leaves other memory"),
            Kind::Statistics(engine) => format!("{engine} counts otherwise"),
        };
        write!(f, "{what}: {}", self.message)
    }
}

pub(crate) fn wrong(kind: Kind, message: impl Into<String>) -> Disagreement {
    Disagreement { kind, message: message.into() }
}

/// An engine with the name that messages give it.
pub type NamedEngine = (&'static str, Box<dyn Engine>);

/// The vector engine on several threads. Programs have no races, so that the order of work-groups does not show.
struct Threaded(VectorEngine);

impl Engine for Threaded {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn run(&self, image: &Image, memory: &Memory, launch: &Launch) -> Outcome {
        self.0.run(image, memory, &Launch { threads: 3, ..launch.clone() })
    }
}

/// The reference engine, and the vector engine with each set of vector instructions that the host has, then on several
/// threads.
pub fn host_engines() -> Vec<NamedEngine> {
    let mut engines: Vec<NamedEngine> = vec![("reference", Box::new(ReferenceEngine))];
    for (name, level) in
        [("vector plain", Level::Plain), ("vector avx2", Level::Avx2), ("vector avx512", Level::Avx512)]
    {
        if level <= Level::host() {
            engines.push((name, Box::new(VectorEngine::with_level(level))));
        }
    }
    engines.push(("vector on threads", Box::new(Threaded(VectorEngine::new()))));
    engines
}

/// Runs the case on every engine of the host; what is wrong, if anything is.
pub fn compare_all(case: &Case) -> Option<Disagreement> {
    compare(case, &host_engines())
}

/// Checks the case, formats and prints it, runs it on the engines and compares each with the first: all of memory, how
/// the launch ended, and the counts.
pub fn compare(case: &Case, engines: &[NamedEngine]) -> Option<Disagreement> {
    let result = catch_unwind(AssertUnwindSafe(|| differences(case, engines)));
    match result {
        Ok(result) => result.err(),
        Err(panic) => Some(wrong(Kind::Panic("the front end".to_owned()), panic_text(&*panic))),
    }
}

fn differences(case: &Case, engines: &[NamedEngine]) -> Result<(), Disagreement> {
    let mut modules = Vec::new();
    let mut printed = Vec::new();
    let mut respelled = Vec::new();
    for text in &case.modules {
        let (module, tree) = lowered(text).map_err(|message| wrong(Kind::Refused, message))?;
        let again = |what: &str, text: &str| {
            let (other, tree) = lowered(text)
                .map_err(|e| wrong(Kind::Text, format!("the {what} text is refused: {e}\n{text}")))?;
            if pisa_module::same(&module, &other) {
                return Ok((other, tree));
            }
            Err(wrong(Kind::Text, format!("the {what} text is another module")))
        };
        again("formatted", &pisa_syntax::format(&tree))?;
        printed.push(again("printed", &pisa_module::print(&module))?.0);
        let (other, tree) = again("otherwise spelled", &spelling::respell(&tree))?;
        again("otherwise spelled and formatted", &pisa_syntax::format(&tree))?;
        respelled.push(other);
        modules.push(module);
    }
    let mut first: Option<(&str, Ran)> = None;
    for (name, engine) in engines {
        let ran = run(case, modules.clone(), &**engine, name)?;
        match &first {
            None => first = Some((name, ran)),
            Some((of, expected)) => differs(of, expected, name, &ran)?,
        }
    }
    // What is printed, spelled otherwise or linked does the same: on the last engine, the fastest.
    let (Some((of, expected)), Some((_, engine))) = (&first, engines.last()) else { return Ok(()) };
    let mut others = vec![("the printed module", printed), ("the module spelled otherwise", respelled)];
    if case.modules.len() > 1 {
        others.push(("the linked module", vec![linked(modules)?]));
    }
    for (name, modules) in others {
        differs(of, expected, name, &run(case, modules, &**engine, name)?)?;
    }
    Ok(())
}

/// One module of several, as `pisa link` writes it.
fn linked(modules: Vec<Module>) -> Result<Module, Disagreement> {
    let first =
        |errors: Vec<pisa_diag::Diagnostic>| errors.first().map_or_else(String::new, |d| d.message.clone());
    let module = pisa_module::link_library(modules).map_err(|e| wrong(Kind::Refused, first(e)))?;
    let (again, _) = lowered(&pisa_module::print(&module))
        .map_err(|e| wrong(Kind::Text, format!("the linked text is refused: {e}")))?;
    if pisa_module::same(&module, &again) {
        return Ok(again);
    }
    Err(wrong(Kind::Text, "the linked text is another module"))
}

/// The module and its tree, or what strict checks say.
pub(crate) fn lowered(text: &str) -> Result<(Module, Tree), String> {
    let mut sources = Sources::new();
    let text: Arc<str> = text.into();
    let file = sources.add("case.pisa", text.clone());
    let tree = pisa_syntax::parse(file, text);
    let options = Options { strict: true, ..Options::default() };
    let lowered = pisa_module::lower(&tree, &options);
    match lowered.module {
        Some(module) => Ok((module, tree)),
        None => {
            let all = tree.diagnostics.iter().chain(&lowered.diagnostics);
            let errors = all.filter(|d| d.severity == Severity::Error);
            let lines: Vec<String> = errors.take(3).map(|d| pisa_diag::render::short(d, &sources)).collect();
            Err(lines.join("\n"))
        }
    }
}

/// The instruction forms that the case's modules have; empty where one is not valid.
pub fn forms_in(case: &Case) -> Vec<FormId> {
    let mut forms: Vec<FormId> = Vec::new();
    for text in &case.modules {
        let Ok((module, _)) = lowered(text) else { return Vec::new() };
        forms.extend(module.functions.iter().flat_map(|f| f.code.iter().map(|i| i.form)));
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// What a run of the case leaves in memory: each object with its name.
///
/// # Errors
/// Where strict checks refuse a module, the launch does not fit, or something stops it.
pub fn memory_after(
    case: &Case,
    engine: &dyn Engine,
    name: &str,
) -> Result<Vec<(String, Vec<u8>)>, Disagreement> {
    let modules = case.modules.iter().map(|text| lowered(text).map(|(module, _)| module));
    let modules = modules.collect::<Result<_, _>>().map_err(|message| wrong(Kind::Refused, message))?;
    run(case, modules, engine, name).map(|ran| ran.memory)
}

pub(crate) struct Ran {
    outcome: Outcome,
    pub(crate) memory: Vec<(String, Vec<u8>)>,
}

pub(crate) fn run(
    case: &Case,
    modules: Vec<Module>,
    engine: &dyn Engine,
    name: &str,
) -> Result<Ran, Disagreement> {
    let launch = |message: String| wrong(Kind::Launch, message);
    let program = pisa_module::link(modules)
        .map_err(|errors| launch(errors.first().map_or_else(String::new, |d| d.message.clone())))?;
    let mut memory = Memory::with_limit(1 << 30);
    let image = Image::load(Arc::new(program), &mut memory).map_err(|error| launch(error.to_string()))?;
    let spec =
        case.launch_file(&case.file_names("case")).and_then(|file| file.spec().map_err(|e| e.text(None)));
    let prepared = (spec.map_err(launch)?)
        .prepare(&image, &mut memory, &Directory::default())
        .map_err(|error| launch(error.text(None)))?;
    let outcome = catch_unwind(AssertUnwindSafe(|| engine.run(&image, &memory, &prepared.launch)))
        .map_err(|panic| wrong(Kind::Panic(name.to_owned()), panic_text(&*panic)))?;
    if let Some(stop) = &outcome.stop {
        return Err(wrong(Kind::Stopped, format!("{name}: {:?}", stop.reason)));
    }
    let objects = memory.objects().iter();
    let memory = objects.map(|o| (o.name.clone(), o.bytes().unwrap_or_default())).collect();
    Ok(Ran { outcome, memory })
}

/// The first byte of memory that differs.
pub(crate) fn differing_memory(
    of: &str,
    expected: &Ran,
    name: &str,
    found: &Ran,
) -> Result<(), Disagreement> {
    for ((object, a), (_, b)) in expected.memory.iter().zip(&found.memory) {
        let Some(at) = a.iter().zip(b).position(|(x, y)| x != y) else { continue };
        let around = at / 16 * 16..(at / 16 * 16 + 16).min(a.len()).min(b.len());
        let (x, y) = (a.get(around.clone()).unwrap_or_default(), b.get(around).unwrap_or_default());
        let size = a.len();
        let message = format!("`{object}` at byte {at} of {size}: {of} {x:02x?}, {name} {y:02x?}");
        return Err(wrong(Kind::Memory(name.to_owned()), message));
    }
    Ok(())
}

fn differs(of: &str, expected: &Ran, name: &str, found: &Ran) -> Result<(), Disagreement> {
    differing_memory(of, expected, name, found)?;
    let (a, b) = (expected.outcome.statistics, found.outcome.statistics);
    if a != b {
        return Err(wrong(Kind::Statistics(name.to_owned()), format!("{of} {a:?}, {name} {b:?}")));
    }
    Ok(())
}

/// Makes a panic a disagreement.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Disagreement>) -> Result<T, Disagreement> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(wrong(Kind::Panic("the optimiser".to_owned()), panic_text(&*panic))))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|&s| s.to_owned())).unwrap_or_default()
}
