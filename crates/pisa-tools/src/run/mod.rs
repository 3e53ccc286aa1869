//! Running a kernel: from checked modules to what the launch left in memory.

mod command;
mod finding;
mod function;
mod harness;
mod outputs;
mod progress;
mod shrink;
mod stop;
mod suppress;

pub use command::{command_line, quoted};
pub(crate) use harness::signature;
pub use outputs::{Printed, parse_save};
pub use shrink::Shrunk;
pub use suppress::Suppressions;

use crate::{Failure, Session, Status};
use pisa_diag::{Diagnostic, FileId, Place, Sources};
use pisa_machine::{
    Buffer, BufferInfo, Directory, ElementType, Expectation, Image, LaunchError, LaunchFile, LaunchSpec,
    Memory, ObservedEngine, Outcome, Prepared, PreparedExpectation, PrintRequest, SaveTarget, Statistics,
    Value, host_memory_limit,
};
use pisa_module::{Module, Program};
use pisa_sanitize::{Finding, LastWriter, Options, Sanitizer, compare_schedules};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stop::{Stopped, stopped};

/// What is to be run, and what is asked for afterwards.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The launch, and the buffers to save, print and compare; its modules are not looked at.
    pub launch: LaunchFile,
    /// The function to call on every work-item, instead of a kernel. Its arguments are those of the launch that have no
    /// name.
    pub function: Option<String>,
    /// The lanes of each sub-group that call the function; `None`: all.
    pub active: Option<u32>,
    /// Host threads, at least 1; under a sanitizer it is 1.
    pub threads: usize,
}

/// A launch that is ready to run.
#[derive(Debug)]
pub struct Run {
    image: Image,
    memory: Memory,
    prepared: Prepared,
    /// What it was prepared from.
    spec: LaunchSpec,
    /// The files that messages speak of.
    sources: Sources,
    prints: Vec<(PrintRequest, BufferInfo)>,
    saves: Vec<(SaveTarget, BufferInfo)>,
    expectations: Vec<(String, PreparedExpectation)>,
}

/// How a launch went.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// What was counted.
    pub statistics: Statistics,
    /// How long the launch took.
    pub elapsed: Duration,
    /// What stopped it, and the status that means.
    pub stop: Option<(Diagnostic, Status)>,
    /// What the host could not give.
    pub failure: Option<Failure>,
    /// What the sanitizer found, in the order in which it first happened.
    pub findings: Vec<Finding>,
    /// Lanes that read past the end of an object in a way that was tolerated (`mem=llvm`).
    pub tolerated_over_reads: u64,
}

/// Why a launch cannot begin.
#[derive(Debug)]
pub enum Refused {
    /// The modules do not link.
    Link(Vec<Diagnostic>),
    /// The launch does not fit.
    Launch(Failure),
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        Refused::Launch(failure)
    }
}

/// A launch error as a failure; `sources` tell the line of the kernel.
pub fn launch_failure(error: &LaunchError, sources: &Sources) -> Failure {
    let text = error.text(Some(sources));
    let mut lines = text.lines();
    let mut failure = Failure::usage(lines.next().unwrap_or_default());
    for line in lines.map(str::trim_start) {
        match line.strip_prefix("help: ") {
            Some(help) => failure.help = Some(help.to_owned()),
            None => failure.details.push(line.to_owned()),
        }
    }
    failure
}

impl Session {
    /// Links the modules, loads the program, and prepares the launch.
    ///
    /// # Errors
    /// Where the modules do not link, the launch does not fit its kernel, or a buffer that is asked for is not there.
    pub fn prepare(&mut self, mut modules: Vec<Module>, options: RunOptions) -> Result<Run, Refused> {
        let RunOptions { launch, function, active, threads } = options;
        let mut spec =
            launch.spec().map_err(|error| Refused::Launch(launch_failure(&error, &self.sources)))?;
        spec.threads = threads;
        let LaunchFile { print: prints, save: saves, expect: expectations, .. } = launch;
        let limit = host_memory_limit();
        let directory = Directory::default();
        if let Some(name) = &function {
            let result = result_type(&prints, &expectations);
            let call = function::Call { name, active, result_type: result };
            function::add_harness(self, &mut modules, &call, &mut spec, &directory, limit)?;
        }
        let program = self.link(modules).map_err(Refused::Link)?;
        name_buffers(&program, &mut spec);
        let launch = |error: LaunchError| Refused::Launch(launch_failure(&error, &self.sources));
        let mut memory = Memory::with_limit(limit);
        let image = Image::load(Arc::new(program), &mut memory).map_err(|error| launch(error.into()))?;
        let prepared = spec.prepare(&image, &mut memory, &directory).map_err(launch)?;
        let locate = |name: &str, wrote: String| {
            prepared.locate(&image, name).map_err(|error| launch(error.wrote(wrote)))
        };
        let mut located_prints = Vec::new();
        for print in prints {
            let info = locate(&print.name, format!("--print {print}"))?;
            print.elements(info.size, info.ty.unwrap_or(ElementType::U8)).map_err(launch)?;
            located_prints.push((print, info));
        }
        let mut located_saves = Vec::new();
        for (name, target) in saves {
            let wrote = format!("--save {name}={target}");
            let info = locate(&name, wrote.clone())?;
            let checked = target.check(info.ty.unwrap_or(ElementType::U8), &info.shape, info.size);
            checked.map_err(|error| launch(LaunchError::from(error).wrote(wrote)))?;
            located_saves.push((target, info));
        }
        let mut ready = Vec::new();
        for expectation in expectations {
            let left = limit.saturating_sub(memory.used());
            // Files of the command line are relative to the current folder, also with a launch file.
            let prepared =
                expectation.prepare(&prepared, &image, &Directory::default(), left).map_err(launch)?;
            ready.push((expectation.wrote, prepared));
        }
        let (prints, saves, expectations) = (located_prints, located_saves, ready);
        let sources = self.sources.clone();
        Ok(Run { image, memory, prepared, spec, sources, prints, saves, expectations })
    }
}

impl Run {
    /// The name of the kernel.
    pub fn kernel(&self) -> &str {
        &self.image.program.function(self.prepared.launch.kernel).name
    }

    /// Runs the launch to its end, or to what stops it.
    pub fn execute(&self, engine: &dyn ObservedEngine) -> RunResult {
        let begin = Instant::now();
        let outcome = engine.run(&self.image, &self.memory, &self.prepared.launch);
        self.result(engine, outcome, begin.elapsed(), Vec::new())
    }

    /// Runs the launch under the sanitizer, on one thread.
    pub fn sanitize(&self, engine: &dyn ObservedEngine, options: Options) -> RunResult {
        let begin = Instant::now();
        let launch = &self.prepared.launch;
        let mut sanitizer = Sanitizer::new(options, &self.image, &self.memory, launch);
        let outcome = engine.run_observed(&self.image, &self.memory, launch, &mut sanitizer);
        let tolerated_over_reads = sanitizer.tolerated_over_reads();
        let result = self.result(engine, outcome, begin.elapsed(), sanitizer.finish());
        RunResult { tolerated_over_reads, ..result }
    }

    /// Runs the launch under every schedule, `independent` with these seeds, and compares what comes of each. What is
    /// left is the result of the lexical one, and so is what else is said of the launch.
    pub fn compare_schedules(
        &self,
        engine: &dyn ObservedEngine,
        seeds: impl Iterator<Item = u64>,
    ) -> Result<(RunResult, String), Failure> {
        let begin = Instant::now();
        let launch = &self.prepared.launch;
        let compared = compare_schedules(engine, &self.image, &self.memory, launch, seeds);
        let mut compared = compared.map_err(|error| Failure::usage(error.to_string()))?;
        let findings: Vec<Finding> = compared.finding.take().into_iter().collect();
        let text = compared.text();
        Ok((self.result(engine, compared.outcome, begin.elapsed(), findings), text))
    }

    /// Runs the launch to its end, without what a command says of it.
    pub(crate) fn outcome(&self, engine: &dyn ObservedEngine) -> Outcome {
        engine.run(&self.image, &self.memory, &self.prepared.launch)
    }

    /// Every object in memory, with its name.
    pub(crate) fn objects(&self) -> Vec<(String, Vec<u8>)> {
        let objects = self.memory.objects().iter();
        objects.map(|object| (object.name.clone(), object.bytes().unwrap_or_default())).collect()
    }

    /// Who writes a byte of an object last, when the launch runs again from fresh memory.
    pub(crate) fn last_writer(
        &self,
        engine: &dyn ObservedEngine,
        object: usize,
        byte: u64,
    ) -> Option<LastWriter> {
        let (image, memory, prepared) = self.again(&self.spec).ok()?;
        let address = memory.object(object)?.address + byte;
        pisa_sanitize::last_writer(engine, &image, &memory, &prepared.launch, address)
    }

    /// A finding as it is shown.
    pub fn diagnostic(&self, finding: &Finding) -> Diagnostic {
        finding::diagnostic(finding, &self.image.program, &self.prepared.launch)
    }

    /// `line 12`, with the name of the file where it is not the one that is spoken of.
    fn line(&self, place: Place, main: Option<FileId>) -> String {
        let file = self.sources.file(place.file);
        let (line, _) = file.line_column(place.span.start);
        if main == Some(place.file) { format!("line {line}") } else { format!("{}:{line}", file.name) }
    }

    /// The same launch with memory as it was before it.
    fn again(&self, spec: &LaunchSpec) -> Result<(Image, Memory, Prepared), LaunchError> {
        let mut memory = Memory::with_limit(host_memory_limit().saturating_sub(self.memory.used()));
        let image = Image::load(Arc::clone(&self.image.program), &mut memory)?;
        let prepared = spec.prepare(&image, &mut memory, &Directory::default())?;
        Ok((image, memory, prepared))
    }

    fn result(
        &self,
        engine: &dyn ObservedEngine,
        outcome: Outcome,
        elapsed: Duration,
        findings: Vec<Finding>,
    ) -> RunResult {
        let (mut stop, mut failure) = (None, None);
        match outcome.stop.as_ref().map(|stop| {
            let seen = self.seen(engine, &outcome);
            let main = stop.place.map(|place| place.file);
            let line = |place: Place| self.line(place, main);
            let schedule = self.prepared.launch.schedule;
            stopped(stop, &self.memory, &self.image.program, schedule, seen.as_ref(), &line)
        }) {
            None => {}
            Some(Stopped::Diagnostic(diagnostic, status)) => stop = Some((*diagnostic, status)),
            Some(Stopped::Failure(what)) => failure = Some(what),
        }
        RunResult {
            statistics: outcome.statistics,
            elapsed,
            stop,
            failure,
            findings,
            tolerated_over_reads: 0,
        }
    }

    /// The buffers to print, each read when it is its turn.
    pub fn printed(&self) -> impl Iterator<Item = Result<Printed<'_>, Failure>> + '_ {
        self.prints.iter().map(|(request, info)| Ok(Printed { request, buffer: self.read(info)? }))
    }

    /// Saves every buffer that is to be saved; one failure does not keep the others from being saved.
    pub fn save(&self) -> Vec<Failure> {
        let save = |(target, info): &(SaveTarget, BufferInfo)| {
            let buffer = self.read(info)?;
            target.save(&buffer, &Directory::default()).map_err(|error| {
                let failure =
                    Failure::usage(error.message).detail(format!("`{}` was to be saved there", info.name));
                Failure { help: error.help, ..failure }
            })
        };
        self.saves.iter().filter_map(|one| save(one).err()).collect()
    }

    /// Compares every buffer that is to be compared: its name and the count of its elements, or how it differs.
    pub fn compare(&self) -> Vec<Result<(&str, usize), Failure>> {
        self.expectations.iter().map(|(wrote, expectation)| self.compare_one(wrote, expectation)).collect()
    }

    fn compare_one<'r>(
        &self,
        wrote: &str,
        expectation: &'r PreparedExpectation,
    ) -> Result<(&'r str, usize), Failure> {
        let found = expectation.check(&self.prepared, &self.memory);
        let Some(mismatch) = found.map_err(|error| Failure::usage(error.message))? else {
            return Ok((expectation.name(), expectation.count()));
        };
        let text = mismatch.to_string();
        let mut lines = text.lines().map(|line| line.trim_start().to_owned());
        let failure = Failure::usage(lines.next().unwrap_or_default()).with_status(Status::Failed);
        let details = lines.chain([format!("you wrote:  --expect {wrote}")]).collect();
        Err(Failure { details, ..failure })
    }

    fn read(&self, info: &BufferInfo) -> Result<Buffer, Failure> {
        self.prepared.read(&self.memory, info).map_err(|error| Failure::usage(error.message))
    }
}

/// The type that the buffer `result` of a function is printed as or compared with, where one is named.
fn result_type(prints: &[PrintRequest], expectations: &[Expectation]) -> Option<ElementType> {
    let expected = |expectation: &Expectation| match &expectation.value {
        Value::Made { ty, .. } | Value::List { ty, .. } | Value::Scalar { ty, .. } => Some(*ty),
        Value::File { ty, .. } => *ty,
        Value::Bytes(_) | Value::Shared(_) | Value::Pointer { .. } | Value::Null => None,
    };
    let compared = expectations.iter().filter(|e| e.name == harness::RESULT).find_map(expected);
    compared.or_else(|| prints.iter().filter(|p| p.name == harness::RESULT).find_map(|p| p.ty))
}

/// A named value that no parameter of the kernel takes, but whose address an argument does, is a buffer of its own.
fn name_buffers(program: &Program, spec: &mut LaunchSpec) {
    let plain = spec.kernel.as_deref().map(|name| name.strip_prefix('@').unwrap_or(name));
    let kernel = program.kernels().find(|(_, kernel)| plain.is_none_or(|name| *kernel.name == *name));
    let Some((_, kernel)) = kernel else { return };
    let targets: Vec<String> = spec
        .arguments
        .iter()
        .filter_map(|argument| match &argument.value {
            Value::Pointer { name, .. } => Some(name.clone()),
            _ => None,
        })
        .collect();
    let (buffers, arguments) = std::mem::take(&mut spec.arguments).into_iter().partition(|argument| {
        argument.name.as_ref().is_some_and(|name| {
            targets.contains(name) && kernel.kernel_parameters().iter().all(|p| *p.name != **name)
        })
    });
    spec.arguments = arguments;
    spec.buffers.extend::<Vec<_>>(buffers);
}
