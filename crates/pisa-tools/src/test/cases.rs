//! Checking and running the modules of a case.

use super::TestEngine;
use super::launch::{Expected, Launch};
use super::mark::Mark;
use super::outcome::{Edit, Item};
use super::program;
use super::source::Case;
use crate::opt::{Level, Work, optimise};
use pisa_diag::{Diagnostic, FileId, Place, Severity, Sources};
use pisa_machine::{
    Directory, ElementType, Expectation, Image, LaunchSpec, Memory, Tolerance, Value, host_memory_limit,
};
use pisa_module::Module;
use pisa_module::Program;
use pisa_sanitize::{Finding, Sanitizer, compare_schedules};
use std::sync::Arc;

/// A diagnostic or finding, by the line of the test file.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub line: u32,
    pub severity: Severity,
    pub code: &'static str,
    pub message: String,
    /// What else it says.
    pub more: String,
}

impl Found {
    pub fn show(&self) -> String {
        format!("{}[{}]: {}", self.severity.text(), self.code, self.message)
    }
    pub fn fits(&self, mark: &Mark) -> bool {
        self.line == mark.line
            && self.severity == mark.severity
            && self.code == mark.code
            && (self.message.contains(&mark.text) || self.more.contains(&mark.text))
    }
}

/// Seeds that `--schedule all` tries.
const SEEDS: u64 = 4;

/// A case whose modules are checked.
pub(super) struct Checked {
    /// The linked program; there when nothing is refused and there is a launch.
    program: Option<Arc<Program>>,
    found: Vec<Found>,
    lines: Lines,
}

/// Where the modules of a case lie in the test file.
#[derive(Default)]
struct Lines {
    sources: Sources,
    /// The modules, and their first lines.
    files: Vec<(FileId, u32)>,
}

impl Lines {
    /// The line of the test file.
    fn of(&self, place: Place) -> u32 {
        let file = self.files.iter().find(|(file, _)| *file == place.file);
        let line = self.sources.file(place.file).line_column(place.span.start).0;
        file.map_or(1, |(_, first)| *first) + line - 1
    }
}

impl Checked {
    /// A finding by the line of the test file.
    fn finding(&self, finding: Finding) -> Found {
        let Finding { code, place, text, .. } = finding;
        let more: Vec<String> = [text.label, text.help]
            .into_iter()
            .chain(text.notes)
            .chain(text.also.into_iter().map(|(_, text)| text))
            .collect();
        Found {
            line: self.lines.of(place),
            severity: Severity::Finding,
            code: code.0,
            message: text.message,
            more: more.join("\n"),
        }
    }
}

/// Parses, checks and, where there is a reason to, links the modules.
pub(super) fn check(case: &Case, optimise: Option<Level>) -> Checked {
    let mut lines = Lines::default();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut modules = Vec::new();
    for part in &case.modules {
        let (file, module, mut all) =
            program::module(&mut lines.sources, &part.name, &part.text, case.strict);
        lines.files.push((file, part.first_line));
        diagnostics.append(&mut all);
        modules.extend(module);
    }
    let (mut program, mut unoptimised) = (None, None);
    if modules.len() == case.modules.len() && (modules.len() > 1 || !case.launches.is_empty()) {
        if let Some(level) = optimise {
            match optimised(&modules, level) {
                Ok(all) => modules = all,
                Err(message) => unoptimised = Some(message),
            }
        }
        match pisa_module::link(modules) {
            Ok(linked) => program = Some(Arc::new(linked)),
            Err(mut all) => diagnostics.append(&mut all),
        }
    }
    let find = |diagnostic: Diagnostic| {
        let line = diagnostic.place().map_or(1, |place| lines.of(place));
        let Diagnostic { severity, code, message, .. } = diagnostic;
        Found { line, severity, code: code.0, message, more: String::new() }
    };
    let mut found: Vec<Found> = diagnostics.into_iter().map(find).collect();
    found.extend(unoptimised.map(|message| Found {
        line: 1,
        severity: Severity::Error,
        code: "",
        message,
        more: String::new(),
    }));
    Checked { program, found, lines }
}

/// The modules after optimisation.
pub(super) fn optimised(modules: &[Module], level: Level) -> Result<Vec<Module>, String> {
    let work = Work::Level(level);
    let one = |module| optimise(module, &work).map(|done| done.module).map_err(|failure| failure.to_string());
    modules.iter().map(one).collect()
}

/// Compares the diagnostics with the marks: one item a mark, and one for each diagnostic that no mark expects.
/// Warnings count only where the case lists any.
pub(super) fn marks(case: &Case, checked: &Checked) -> Vec<Item> {
    let mut left: Vec<&Found> = checked.found.iter().collect();
    let mut items = Vec::new();
    let mut unmet = Vec::new();
    for mark in case.marks.iter().filter(|mark| mark.severity != Severity::Finding) {
        let name = format!("//~ {}", mark.show());
        match left.iter().position(|found| found.fits(mark)) {
            Some(at) => {
                left.remove(at);
                items.push(Item::passed(mark.line, name));
            }
            None => unmet.push((mark, name)),
        }
    }
    for (mark, name) in unmet {
        let mut details = vec![format!("expected  {}", mark.show())];
        let same_line = left.iter().filter(|found| found.line == mark.line);
        details.extend(same_line.map(|found| format!("got       {}", found.show())));
        if details.len() == 1 {
            details.push("got       nothing on this line".to_owned());
        }
        items.push(Item::failed(mark.line, name, details).edit(Edit::Unmark(mark.clone())));
    }
    let lists_warnings = case.marks.iter().any(|mark| mark.severity == Severity::Warning);
    for found in left {
        if found.severity == Severity::Warning && !lists_warnings {
            continue;
        }
        let details = vec![format!("unexpected {}", found.show())];
        let edit = Edit::Mark(found.line, format!("{}[{}]", found.severity.text(), found.code));
        items.push(Item::failed(found.line, "a module".to_owned(), details).edit(edit));
    }
    items
}

/// Turns each mark of a diagnostic into one that should not hold.
pub(super) fn mutate_marks(case: &Case, checked: &Checked) -> Vec<Item> {
    let marks: Vec<&Mark> = case.marks.iter().filter(|mark| mark.severity != Severity::Finding).collect();
    mutated(&marks, &checked.found)
}

/// Turns each mark into one that should not hold.
pub(super) fn mutated(marks: &[&Mark], found: &[Found]) -> Vec<Item> {
    let check = |mark: &&Mark| {
        let mark = *mark;
        let name = format!("//~ {}", mark.show());
        let moved = Mark { line: mark.line + 1, ..mark.clone() };
        let renamed = Mark { code: format!("{}0", mark.code), ..mark.clone() };
        let holds = |mark: &Mark| found.iter().any(|found| found.fits(mark));
        // The line below may have the same diagnostic.
        let twin = marks.iter().any(|other| **other == Mark { written: other.written, ..moved.clone() });
        if !holds(mark) {
            Item::failed(mark.line, name, vec!["it does not hold to begin with".to_owned()])
        } else if holds(&renamed) || (holds(&moved) && !twin) {
            Item::failed(mark.line, name, vec!["another code or line holds, too".to_owned()])
        } else {
            Item::passed(mark.line, name)
        }
    };
    marks.iter().map(check).collect()
}

/// Where a launch reads its files.
pub(super) fn directory(path: &str) -> Directory {
    let folder = path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
    Directory::new(folder)
}

/// Runs a launch on an engine: one item for each expectation, and one where it stops and should not; what the sanitizer
/// finds goes to `found`.
pub(super) fn launch(
    case: &Case,
    checked: &Checked,
    launch: &Launch,
    engine: &TestEngine,
    files: &Directory,
    mutate: bool,
    found: &mut Vec<Found>,
) -> Vec<Item> {
    let name = format!("launch {}", launch.wrote);
    let failed = |details: Vec<String>| vec![Item::failed(launch.line, name.clone(), details)];
    let Some(program) = &checked.program else {
        let reason = if case.modules.is_empty() { "there is no module" } else { "the modules are refused" };
        return failed(vec![reason.to_owned()]);
    };
    let limit = host_memory_limit();
    let mut memory = Memory::with_limit(limit);
    let prepare = |memory: &mut Memory| -> Result<_, String> {
        let image = Image::load(Arc::clone(program), memory).map_err(|e| e.to_string())?;
        let prepared = spec(launch, program).prepare(&image, memory, files).map_err(|e| e.to_string())?;
        Ok((image, prepared))
    };
    let (image, prepared) = match (prepare(&mut memory), &launch.refused) {
        (Ok(_), Some((line, text))) => {
            let details =
                vec![format!("expected  refused {text:?}"), "got       a launch that fits".to_owned()];
            return vec![Item::failed(*line, name, details)];
        }
        (Err(message), Some((line, text))) => {
            let wanted = if mutate { format!("{text}\u{1}") } else { text.clone() };
            if message.contains(&wanted) != mutate {
                return vec![Item::passed(*line, name)];
            }
            return vec![Item::failed(
                *line,
                name,
                vec![format!("expected  refused {text:?}"), format!("got       {message}")],
            )];
        }
        (Err(message), None) => return failed(message.lines().map(str::to_owned).collect()),
        (Ok(ready), None) => ready,
    };
    let left = limit.saturating_sub(memory.used());
    let mut expectations = Vec::new();
    let mut items = Vec::new();
    for expected in &launch.expectations {
        let expectation = match mutate {
            true => flipped(expected, files, left),
            false => Ok(expected.expectation.clone()),
        };
        let ready =
            expectation.and_then(|e| e.prepare(&prepared, &image, files, left).map_err(|e| e.to_string()));
        match ready {
            Ok(ready) => expectations.push((expected, ready)),
            Err(message) => {
                let details = message.lines().map(str::to_owned).collect();
                items.push(Item::failed(expected.line, expect_name(expected), details));
            }
        }
    }
    let outcome = match &launch.sanitize {
        None if launch.all_schedules => {
            let compared = compare_schedules(engine, &image, &memory, &prepared.launch, 0..SEEDS);
            match compared {
                Ok(comparison) => {
                    found.extend(comparison.finding.map(|finding| checked.finding(finding)));
                    comparison.outcome
                }
                Err(error) => return failed(vec![error.to_string()]),
            }
        }
        None => engine.run(&image, &memory, &prepared.launch),
        Some((options, _)) => {
            let mut sanitizer = Sanitizer::new(*options, &image, &memory, &prepared.launch);
            let outcome = engine.run_observed(&image, &memory, &prepared.launch, &mut sanitizer);
            found.extend(sanitizer.finish().into_iter().map(|finding| checked.finding(finding)));
            outcome
        }
    };
    let stop = outcome.stop;
    let code = stop.as_ref().map(|stop| program::stop_code(&stop.reason).map_or("no code", |code| code.0));
    match (&launch.stop, code) {
        (Some((line, wanted)), got) => {
            let name = format!("expect stopped[{wanted}]");
            if (got == Some(wanted)) != mutate || (mutate && got.is_some()) {
                items.push(Item::passed(*line, name));
            } else {
                let got = got.map_or("it ran to its end".to_owned(), |code| format!("stopped[{code}]"));
                items.push(Item::failed(
                    *line,
                    name,
                    vec![format!("expected  stopped[{wanted}]"), format!("got       {got}")],
                ));
            }
        }
        (None, Some(code)) => {
            let message = stop.as_ref().map_or(String::new(), |stop| stop.message(&memory));
            items.push(Item::failed(launch.line, name, vec![format!("stopped[{code}]: {message}")]));
            return items;
        }
        (None, None) => {}
    }
    for (expected, ready) in expectations {
        let name = expect_name(expected);
        items.push(match ready.check(&prepared, &memory) {
            Err(error) => Item::failed(expected.line, name, vec![error.to_string()]),
            Ok(None) if mutate => {
                Item::failed(expected.line, name, vec!["it holds for another value, too".to_owned()])
            }
            Ok(Some(mismatch)) if !mutate => {
                let details = mismatch.to_string().lines().map(str::to_owned).collect();
                let item = Item::failed(expected.line, name, details);
                let buffer = prepared.locate(&image, &expected.expectation.name);
                let buffer = buffer.and_then(|info| prepared.read(&memory, &info)).ok();
                match buffer {
                    Some(mut buffer) => {
                        if let Some(ty) = value_type(&expected.expectation.value) {
                            buffer.ty = ty;
                        }
                        let elements = buffer.elements().collect();
                        let value = Value::List { ty: buffer.ty, elements }.to_string();
                        item.edit(Edit::Replace(expected.line, expected.value.clone(), value))
                    }
                    None => item,
                }
            }
            Ok(_) => Item::passed(expected.line, name),
        });
    }
    items
}

fn expect_name(expected: &Expected) -> String {
    format!("expect {}", expected.expectation.wrote)
}

fn value_type(value: &Value) -> Option<ElementType> {
    match value {
        Value::Made { ty, .. } | Value::List { ty, .. } | Value::Scalar { ty, .. } => Some(*ty),
        Value::File { ty, .. } => *ty,
        _ => None,
    }
}

/// The launch with values that no parameter takes as buffers of their own.
fn spec(launch: &Launch, program: &Program) -> LaunchSpec {
    let mut spec = launch.spec.clone();
    let name = spec.kernel.as_deref().map(|name| name.strip_prefix('@').unwrap_or(name).to_owned());
    let kernel = program.kernels().find(|(_, kernel)| Some(&*kernel.name) == name.as_deref());
    if let Some((_, kernel)) = kernel {
        let takes =
            |name: &str| name.starts_with('@') || kernel.kernel_parameters().iter().any(|p| &*p.name == name);
        let arguments = std::mem::take(&mut spec.arguments);
        let (arguments, buffers): (Vec<_>, Vec<_>) =
            arguments.into_iter().partition(|a| a.name.as_deref().is_none_or(takes));
        spec.arguments = arguments;
        spec.buffers.extend(buffers);
    }
    spec
}

/// The expectation with its last element changed so that it cannot hold.
fn flipped(expected: &Expected, files: &Directory, limit: u64) -> Result<Expectation, String> {
    let expectation = &expected.expectation;
    let flip_bytes = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        if let Some(last) = bytes.last_mut() {
            *last ^= 1;
        }
        bytes
    };
    let value = match &expectation.value {
        Value::Bytes(bytes) => Value::Bytes(flip_bytes(bytes)),
        Value::Scalar { ty, bits } => {
            Value::Scalar { ty: *ty, bits: flip(*ty, *bits, expectation.tolerance) }
        }
        value => {
            let buffer = value.materialise(files, limit).map_err(|e| e.to_string())?;
            let mut elements: Vec<u64> = buffer.elements().collect();
            if let Some(last) = elements.last_mut() {
                *last = flip(buffer.ty, *last, expectation.tolerance);
            }
            Value::List { ty: buffer.ty, elements }
        }
    };
    Ok(Expectation { value, ..expectation.clone() })
}

/// Another value: the next one where it must be exact, else one that no tolerance reaches.
fn flip(ty: ElementType, bits: u64, tolerance: Tolerance) -> u64 {
    let magnitude = ty.mask() >> 1;
    if !ty.is_float() {
        return if tolerance == Tolerance::Exact { bits ^ 1 } else { bits ^ (magnitude + 1) };
    }
    // All ones are a NaN in every format; nothing that is one may be expected of a number.
    let exponent = match ty {
        ElementType::Hf => 0x7C00,
        ElementType::Bf => 0x7F80,
        ElementType::F => 0x7F80_0000,
        _ => 0x7FF0_0000_0000_0000,
    };
    if bits & magnitude > exponent { 0 } else { magnitude }
}
