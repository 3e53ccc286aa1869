//! Running pieces on threads, and the record of it.

use crate::check::{Check, PIECE};
use crate::record::{self, Line, grouped};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Which checks run, and how.
#[derive(clap::Args)]
pub struct Common {
    /// Lists the checks and their numbers of pieces
    #[arg(long)]
    pub list: bool,
    /// Only the checks whose name is NAME or begins with `NAME.` (more than once: any of them)
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How many threads work
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// Appends a line a piece to FILE, and leaves out the pieces that FILE already has for the same code
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

/// A piece to run.
pub struct Job<'a> {
    check: &'a Check,
    code: &'static str,
    piece: u64,
}

/// The checks that the options choose and that can run here.
pub fn chosen<'a>(checks: &'a [Check], options: &Common) -> Result<Vec<&'a Check>, String> {
    let chosen: Vec<&Check> = checks.iter().filter(|check| is_chosen(&options.only, &check.name)).collect();
    if chosen.is_empty() {
        return Err("no check has such a name; `--list` shows all".into());
    }
    for check in &chosen {
        if let Some(why) = check.missing {
            eprintln!("note: skipped {}: {why}", check.name);
        }
    }
    Ok(chosen.into_iter().filter(|check| check.missing.is_none()).collect())
}

/// Prints the checks.
pub fn list(checks: &[Check]) {
    for check in checks {
        println!("{:<32} {:>4} pieces  {}", check.name, check.pieces(), check.what);
    }
}

/// The pieces to run: those that the record does not have.
pub fn jobs<'a>(
    chosen: &[&'a Check],
    pieces: impl Fn(&Check) -> std::ops::Range<u64>,
    options: &Common,
) -> Result<Vec<Job<'a>>, String> {
    let lines = match &options.record {
        Some(path) => record::read(path)?,
        None => Vec::new(),
    };
    let mut jobs = Vec::new();
    for check in chosen {
        let code = record::code_of(&check.name);
        let done: BTreeSet<u64> = lines
            .iter()
            .filter(|line| line.check == check.name && line.code == code && line.differences == 0)
            .flat_map(|line| line.first..=line.last)
            .collect();
        let pieces = pieces(check).filter(|piece| !done.contains(piece));
        jobs.extend(pieces.map(|piece| Job { check, code, piece }));
    }
    Ok(jobs)
}

/// Whether `--only` chooses a check; without it all are chosen.
fn is_chosen(only: &[String], name: &str) -> bool {
    let chooses = |wanted: &String| {
        name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    only.is_empty() || only.iter().any(chooses)
}

/// Runs the pieces, of each only the first `inputs`. Whether no result differed.
pub fn work(jobs: &[Job<'_>], inputs: u64, options: &Common) -> Result<bool, String> {
    let file = match &options.record {
        None => None,
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(file.map_err(|error| format!("cannot write {}: {error}", path.display()))?)
        }
    };
    let state = Mutex::new((file, 0usize, 0u64, 0u64, Ok(())));
    let (next, start) = (AtomicUsize::new(0), Instant::now());
    let worker = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start_of_piece = Instant::now();
            let tally = job.check.piece(job.piece, inputs);
            let seconds = start_of_piece.elapsed().as_secs_f64();
            let Ok(mut state) = state.lock() else { return };
            let (file, done, cases, differences, written) = &mut *state;
            *done += 1;
            *cases += tally.cases;
            *differences += tally.differences;
            let line = Line {
                time: record::now(),
                code: job.code.to_owned(),
                check: job.check.name.clone(),
                first: job.piece,
                last: job.piece,
                cases: tally.cases,
                differences: tally.differences,
                seconds,
            };
            if inputs == PIECE
                && let Some(file) = file
                && let Err(error) = file.write_all(line.text().as_bytes())
            {
                *written = Err(format!("cannot write the record: {error}"));
                next.store(jobs.len(), Ordering::Relaxed);
            }
            let speed = tally.cases as f64 / seconds / 1e6;
            println!(
                "{done}/{} {} {}: {} cases, {} differences, {speed:.0} M/s",
                jobs.len(),
                job.check.name,
                job.piece,
                grouped(tally.cases),
                tally.differences
            );
            for example in &tally.examples {
                println!("  {example}");
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(worker);
        }
    });
    let (_, done, cases, differences, written) =
        state.into_inner().map_err(|_| "a check panicked".to_owned())?;
    written?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{done} pieces, {} cases, {differences} differences, {seconds:.0} s", grouped(cases));
    Ok(differences == 0 && done == jobs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_whole_components() {
        let only = ["f".to_owned(), "hf.add".to_owned()];
        assert!(is_chosen(&only, "f.sin") && is_chosen(&only, "hf.add") && is_chosen(&[], "bf.mul"));
        assert!(!is_chosen(&only, "hf.sub") && !is_chosen(&only, "hf.address"));
    }
}
