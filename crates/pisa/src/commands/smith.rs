//! `pisa smith`: random valid programs, compared on every engine and as the optimiser leaves them.

use super::plain_failure;
use crate::args::SmithArgs;
use crate::files;
use crate::io::Io;
use crate::progress::Progress;
use pisa_tools::machine::{Schedule, ScheduleChoice};
use pisa_tools::smith::{
    Case, Disagreement, NamedEngine, Program, Variant, compare, compare_optimised, host_engines,
    reconvergence, shrink,
};
use pisa_tools::{Failure, Status};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub fn run(io: &mut Io, args: SmithArgs) -> Status {
    let (engines, variants) = (&host_engines(), &Variant::all());
    let done = Arc::new(AtomicU64::new(0));
    let (watched, count) = (Arc::clone(&done), args.count);
    let progress = Progress::watching(move || {
        format!("comparing engines, {} of {count} programs", watched.load(Ordering::Relaxed))
    });
    let mut status = Status::Fine;
    let mut failed = 0;
    for number in 0..args.count {
        let seed = args.seed.wrapping_add(number);
        let program = Program::generate(seed);
        let schedules = match args.schedule.with_seed(seed) {
            Some(schedule) => vec![schedule],
            None => ScheduleChoice::ALL.into_iter().filter_map(|choice| choice.with_seed(seed)).collect(),
        };
        let differs = schedules.into_iter().find_map(|schedule| {
            let test = move |program: &Program| {
                let case = Case { schedule, ..program.case() };
                compare(&case, engines).or_else(|| optimised(&case, variants))
            };
            test(&program).map(|found| (schedule, found, test))
        });
        if let Some((schedule, found, test)) = differs {
            failed += 1;
            status = status.and(Status::Failed);
            let (small, found) = shrink(&program, &found, args.shrink, test);
            let stem = format!("smith-{seed}");
            let saved = save(&args.out, seed, &stem, &Case { schedule, ..small.case() }, &found);
            status = told(io, saved).and(status);
        } else if matches!(args.schedule, ScheduleChoice::Lexical | ScheduleChoice::All)
            && let Some((case, found)) = structured(seed, engines, variants, args.shrink)
        {
            failed += 1;
            status = status.and(Status::Failed);
            let saved = save(&args.out, seed, &format!("smith-{seed}-lanes"), &case, &found);
            status = told(io, saved).and(status);
        }
        done.fetch_add(1, Ordering::Relaxed);
        if io.is_closed() || failed == args.max_failures && failed > 0 {
            break;
        }
    }
    drop(progress);
    io.stdout(&format!("{} passed, {failed} failed\n", done.load(Ordering::Relaxed) - failed));
    status
}

/// What the optimiser makes of the case. Programs look at their active sets, so that only `lexical` says what must stay.
fn optimised(case: &Case, variants: &[Variant]) -> Option<Disagreement> {
    if case.schedule == Schedule::Lexical { compare_optimised(case, variants) } else { None }
}

/// A program of structured control flow against the oracle of its active masks; a small one that shows what is wrong.
fn structured(
    seed: u64,
    engines: &[NamedEngine],
    variants: &[Variant],
    limit: usize,
) -> Option<(Case, Disagreement)> {
    let test = |program: &reconvergence::Program| {
        program.compare(engines).or_else(|| program.compare_optimised(variants))
    };
    let program = reconvergence::Program::generate(seed);
    let found = test(&program)?;
    let (small, found) = program.shrink(found, limit, test);
    Some((small.case(), found))
}

/// Shows what was saved, or why nothing was.
fn told(io: &mut Io, saved: Result<String, Failure>) -> Status {
    let status = match saved {
        Ok(text) => {
            io.stdout(&text);
            Status::Fine
        }
        Err(failure) => plain_failure(io, &failure),
    };
    io.flush();
    status
}

/// Writes the modules and their launch; gives what to say about them.
fn save(folder: &Path, seed: u64, stem: &str, case: &Case, found: &Disagreement) -> Result<String, Failure> {
    let (names, toml) = (case.file_names(stem), format!("{stem}.toml"));
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::writing(&folder.display().to_string(), &error))?;
    let launch = case.launch_file(&names).map_err(Failure::usage)?;
    let about: String = found.to_string().lines().map(|line| format!("// {line}\n")).collect();
    for (name, text) in names.iter().zip(&case.modules) {
        let text = format!("// Seed {seed}.\n{about}{text}");
        files::write(&folder.join(name), text.as_bytes())?;
    }
    files::write(&folder.join(&toml), launch.to_toml().as_bytes())?;
    let path = folder.join(&toml);
    Ok(format!("seed {seed}: {}\n  {}\n", pisa_diag::render::visible(&found.to_string()), path.display()))
}
