//! `pisa smith`: random valid programs, compared on every engine.

use super::plain_failure;
use crate::args::SmithArgs;
use crate::files;
use crate::io::Io;
use crate::progress::Progress;
use pisa_tools::machine::ScheduleChoice;
use pisa_tools::smith::{Case, Disagreement, Program, compare, host_engines, shrink};
use pisa_tools::{Failure, Status};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub fn run(io: &mut Io, args: SmithArgs) -> Status {
    let engines = &host_engines();
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
            let test = move |program: &Program| compare(&Case { schedule, ..program.case() }, engines);
            test(&program).map(|found| (schedule, found, test))
        });
        if let Some((schedule, found, test)) = differs {
            failed += 1;
            status = status.and(Status::Failed);
            let (small, found) = shrink(&program, &found, args.shrink, test);
            match save(&args.out, seed, &Case { schedule, ..small.case() }, &found) {
                Ok(text) => io.stdout(&text),
                Err(failure) => status = plain_failure(io, &failure).and(status),
            }
            io.flush();
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

/// Writes the modules and their launch; gives what to say about them.
fn save(folder: &Path, seed: u64, case: &Case, found: &Disagreement) -> Result<String, Failure> {
    let stem = format!("smith-{seed}");
    let (names, toml) = (case.file_names(&stem), format!("{stem}.toml"));
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
