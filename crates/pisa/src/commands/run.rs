//! `pisa run`: a kernel, or a function on every work-item.

mod findings;

use super::check::{check_all, session};
use super::optimisation;
use crate::args::{EngineName, Format, RunArgs};
use crate::io::Io;
use crate::progress::Progress;
use crate::reporter::Reporter;
use findings::Findings;
use pisa_tools::diag::{Kind, codes, grouped};
use pisa_tools::machine::{
    Argument, Expectation, Extent, LaunchError, LaunchFile, PrintRequest, ScheduleChoice,
};
use pisa_tools::run::{
    Printed, Refused, Run, RunOptions, RunResult, Suppressions, launch_failure, parse_save,
};
use pisa_tools::sanitize::Options;
use pisa_tools::{Failure, ObservedEngine, ReferenceEngine, Session, Status, VectorEngine};
use serde_json::{Value, json};

pub fn run(io: &mut Io, args: RunArgs) -> Status {
    // A SARIF log and printed buffers would not go together on standard output.
    let taken = !args.print.is_empty() && args.output.format == Format::Sarif;
    let mut reporter = Reporter::new(&args.output, taken);
    let mut levels = args.levels.clone();
    let words = levels.allow.iter().flat_map(|words| words.split(',')).map(|word| word.trim().to_owned());
    let (findings, warnings): (Vec<String>, Vec<String>) =
        words.partition(|word| Suppressions::is_about_findings(word));
    levels.allow = warnings;
    let mut session = match session(&levels) {
        Ok(session) => session,
        Err(failure) => return reporter.end(io, failure),
    };
    let mut suppressions = Suppressions::default();
    let mut refused = Vec::new();
    for word in &findings {
        refused.extend(suppressions.allow(word).err());
    }
    for file in &args.suppressions {
        refused.extend(suppressions.read(file).err().into_iter().flatten());
    }
    if !refused.is_empty() {
        refused.into_iter().for_each(|failure| reporter.failure(io, failure));
    } else if let Err(failure) = launch(io, &mut reporter, &mut session, &args, suppressions) {
        reporter.failure(io, failure);
    }
    reporter.finish(io, &session.sources)
}

fn launch(
    io: &mut Io,
    reporter: &mut Reporter,
    session: &mut Session,
    args: &RunArgs,
    mut suppressions: Suppressions,
) -> Result<(), Failure> {
    // Everything that is written wrong is found before a module is read.
    let launch = launch_of(args).map_err(|error| launch_failure(&error, &session.sources))?;
    if launch.files.is_empty() {
        return Err(Failure::usage("there is no module to run").help("`pisa run FILE… -g X NAME=VALUE…`"));
    }
    let sanitize = launch.sanitize.as_deref().map(Options::parse).transpose();
    let sanitize = sanitize.map_err(|error| {
        let failure = Failure::usage(error.to_string());
        match &args.launch {
            Some(file) if args.san.is_none() => failure.detail(format!("`san` of {file} says so")),
            _ => failure,
        }
    })?;
    if let Some(code) = args.shrink.as_deref().filter(|code| !code.is_empty())
        && !codes::find(code).is_ok_and(|entry| entry.kind == Kind::Finding)
    {
        return Err(Failure::usage(format!("`--shrink={code}` names no finding"))
            .help("`pisa explain` lists the codes; without one, the first finding is kept"));
    }
    if args.shrink.is_some() && sanitize.is_none() {
        return Err(Failure::usage("`--shrink` keeps a finding, but nothing looks for any")
            .help("say what to look for: `--san all`"));
    }
    let Some(modules) = check_all(io, reporter, session, &launch.files) else { return Ok(()) };
    let modules = match args.optimise {
        Some(level) => session.optimise(&modules, optimisation(level))?,
        None => modules,
    };
    let compared = launch.schedule == Some(ScheduleChoice::All);
    if compared && sanitize.is_some() {
        return Err(Failure::usage("`--san` looks at one run, `--schedule all` compares several")
            .help("`--san` goes with `--schedule lexical`, `ipdom`, `independent` or `lanes`"));
    }
    let scheduled = !matches!(launch.schedule, None | Some(ScheduleChoice::Lexical));
    let threads = match args.threads {
        _ if sanitize.is_some() || scheduled => 1,
        Some(threads) => threads as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    if let Some(wanted) = args.threads.filter(|&wanted| wanted as usize > threads) {
        let option = if sanitize.is_some() { "--san" } else { "--schedule" };
        reporter.note(io, &format!("`{option}` runs on one thread, not on {wanted}"));
    }
    let options =
        RunOptions { launch: launch.clone(), function: args.function.clone(), active: args.active, threads };
    let run = match session.prepare(modules, options) {
        Ok(run) => run,
        Err(Refused::Launch(failure)) => return Err(failure),
        Err(Refused::Link(diagnostics)) => {
            reporter.diagnostics(io, diagnostics, &session.sources, Status::Invalid);
            return Ok(());
        }
    };
    if let Some(path) = args.emit_launch.as_ref().filter(|_| args.shrink.is_none())
        && let Err(error) = launch.save(path)
    {
        reporter.failure(io, launch_failure(&error, &session.sources));
    }

    let progress = Progress::start(format!("running @{}", run.kernel()));
    let engine = engine_of(args);
    let mut same = None;
    let result = match sanitize {
        _ if compared => {
            let first = launch.seed.unwrap_or(0);
            let seeds = (0..u64::from(args.seeds)).map(|i| first.wrapping_add(i));
            let (result, text) = run.compare_schedules(&*engine, seeds)?;
            same = result.findings.is_empty().then_some(text);
            result
        }
        Some(options) => run.sanitize(&*engine, options),
        None => run.execute(&*engine),
    };
    drop(progress);
    if sanitize.is_some() || compared {
        let mut findings =
            Findings { io, reporter, session, args, run: &run, launch: &launch, options: sanitize };
        let found = findings.show(&mut suppressions, &result);
        if let (Some(code), Some(options)) = (&args.shrink, sanitize) {
            findings.shrink(code, &*engine, options, &found, &result);
        }
    }
    if let Some((diagnostic, status)) = result.stop.clone() {
        reporter.diagnostics(io, vec![diagnostic], &session.sources, status);
    }
    if let Some(failure) = result.failure.clone() {
        reporter.failure(io, failure);
    }
    if let Some(text) = same {
        reporter.json_object(io, &json!({ "type": "schedules", "text": text }));
        if !reporter.is_json() {
            io.stderr(&format!("@{}: {text}\n", run.kernel()));
        }
    }
    // Whatever stopped the launch, what it wrote is saved, printed and compared.
    for failure in run.save() {
        reporter.failure(io, failure);
    }
    print(io, reporter, &run);
    for compared in run.compare() {
        match compared {
            Ok((name, count)) if !reporter.is_json() => {
                let elements = if count == 1 { "element" } else { "elements" };
                io.stderr(&format!("{name}: {} {elements} as expected\n", grouped(count as u64)));
            }
            Ok(_) => {}
            Err(failure) => reporter.failure(io, failure),
        }
    }
    if args.stats {
        statistics(io, reporter, &run, &result);
    }
    Ok(())
}

fn engine_of(args: &RunArgs) -> Box<dyn ObservedEngine> {
    match args.engine {
        EngineName::Reference => Box::new(ReferenceEngine::new()),
        EngineName::Vector => Box::new(VectorEngine::new()),
    }
}

/// Whether a word is `NAME=VALUE` and not the name of a file.
fn is_argument(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    let name = name.strip_prefix(['@', '%']).unwrap_or(name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '$' | '.' | '_'))
}

/// The launch file, if there is one, and what the command line says, which goes first.
fn launch_of(args: &RunArgs) -> Result<LaunchFile, LaunchError> {
    let mut launch = match &args.launch {
        Some(path) => LaunchFile::load(path)?,
        None => LaunchFile::default(),
    };
    let extent = |option: &str, text: &Option<String>| {
        text.as_deref().map(|text| Extent::parse(option, text)).transpose()
    };
    let (named, files): (Vec<&String>, Vec<&String>) = args.inputs.iter().partition(|text| is_argument(text));
    let named = named.into_iter().map(|text| Argument::parse_named(text));
    let positional = args.arguments.iter().map(|text| Argument::parse_positional(text));
    if !args.arguments.is_empty() {
        // Arguments in order take the place of all that the file has.
        launch.arguments.retain(|old| old.name.as_ref().is_some_and(|name| name.starts_with('@')));
    }
    let expect = args.expect.iter().map(|text| Expectation::parse(text)).collect::<Result<Vec<_>, _>>()?;
    launch.expect.retain(|old| expect.iter().all(|new| new.name != old.name));
    launch.merge(LaunchFile {
        files: files.into_iter().cloned().collect(),
        kernel: args.kernel.clone(),
        global: extent("-g", &args.global)?,
        local: extent("-l", &args.local)?,
        offset: extent("--offset", &args.offset)?,
        arguments: named.chain(positional).collect::<Result<_, _>>()?,
        save: args.save.iter().map(|text| parse_save(text)).collect::<Result<_, _>>()?,
        print: args.print.iter().map(|text| PrintRequest::parse(text)).collect::<Result<_, _>>()?,
        expect,
        fuel: args.fuel,
        schedule: args.schedule,
        seed: args.seed,
        sanitize: args.san.clone(),
        ..LaunchFile::default()
    });
    Ok(launch)
}

fn print(io: &mut Io, reporter: &mut Reporter, run: &Run) {
    for printed in run.printed() {
        let printed = match printed {
            Ok(printed) => printed,
            Err(failure) => {
                reporter.failure(io, failure);
                continue;
            }
        };
        if let Err(error) = print_one(io, reporter, &printed) {
            reporter.failure(io, Failure::usage(error.message));
        }
    }
    io.flush();
}

fn print_one(io: &mut Io, reporter: &Reporter, printed: &Printed) -> Result<(), LaunchError> {
    if !reporter.is_json() {
        io.stdout(&printed.text()?);
        return Ok(());
    }
    let (from, numbers) = printed.numbers()?;
    let values: Vec<Value> = numbers.map(|number| json_number(&number)).collect();
    reporter.json_object(
        io,
        &json!({
            "type": "buffer",
            "name": printed.request.name,
            "element_type": printed.ty().to_string(),
            "shape": printed.buffer.shape,
            "from": from,
            "values": values,
        }),
    );
    Ok(())
}

/// A number as JSON has it; a text where it has none (`nan`, `inf`).
fn json_number(number: &str) -> Value {
    serde_json::from_str::<serde_json::Number>(number).map_or_else(|_| number.into(), Value::Number)
}

fn statistics(io: &mut Io, reporter: &Reporter, run: &Run, result: &RunResult) {
    let statistics = &result.statistics;
    let seconds = result.elapsed.as_secs_f64();
    let per =
        |sum: f64| if statistics.instructions == 0 { 0.0 } else { sum / statistics.instructions as f64 };
    if reporter.is_json() {
        reporter.json_object(
            io,
            &json!({
                "type": "statistics",
                "kernel": run.kernel(),
                "instructions": statistics.instructions,
                "active_lanes": statistics.active_lanes,
                "work_groups": statistics.work_groups,
                "seconds": seconds,
            }),
        );
        return;
    }
    io.stderr(&format!(
        "@{}: {} instructions of a sub-group, {:.1} active lanes each, {} {}, {:.3} ms, {:.2} ns an instruction\n",
        run.kernel(),
        grouped(statistics.instructions),
        per(statistics.active_lanes as f64),
        grouped(statistics.work_groups),
        if statistics.work_groups == 1 { "work-group" } else { "work-groups" },
        seconds * 1e3,
        per(seconds * 1e9),
    ));
}
