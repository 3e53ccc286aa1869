//! `cargo xtask exhaustive`.

use crate::check::Check;
use crate::checks;
use crate::record::{self, Line, grouped};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What to check, and how.
#[derive(clap::Args)]
pub struct Options {
    /// Lists the checks and their numbers of pieces
    #[arg(long)]
    list: bool,
    /// Only the checks whose name is NAME or begins with `NAME.` (more than once: any of them)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// The first piece of each check; a piece has 2^24 inputs
    #[arg(long, value_name = "PIECE", default_value_t = 0)]
    from: u64,
    /// The last piece of each check
    #[arg(long, value_name = "PIECE")]
    to: Option<u64>,
    /// How many threads work
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Appends a line a piece to FILE, and leaves out the pieces that FILE already has for the same code
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Runs nothing; adds the record to docs/float-proof.record and makes the table of docs/float-proof.md from it
    #[arg(long, requires = "record")]
    document: bool,
}

/// A piece to run.
struct Job<'a> {
    check: &'a Check,
    code: &'static str,
    piece: u64,
}

/// Runs what the options ask for. Whether no result differed.
pub fn run(options: &Options) -> Result<bool, String> {
    let checks = checks::all();
    if options.list {
        for check in &checks {
            println!("{:<32} {:>4} pieces  {}", check.name, check.pieces(), check.what);
        }
        return Ok(true);
    }
    if let (true, Some(path)) = (options.document, &options.record) {
        return document(&checks, path).map(|()| true);
    }
    let chosen: Vec<&Check> = checks.iter().filter(|check| is_chosen(&options.only, &check.name)).collect();
    if chosen.is_empty() {
        return Err("no check has such a name; `--list` shows all".into());
    }
    for check in &chosen {
        if let Some(why) = check.missing {
            eprintln!("note: skipped {}: {why}", check.name);
        }
    }
    let chosen: Vec<&Check> = chosen.into_iter().filter(|check| check.missing.is_none()).collect();
    let mut lines = Vec::new();
    if let Some(path) = &options.record {
        lines = record::read(path)?;
    }
    let mut jobs = Vec::new();
    for check in &chosen {
        let code = record::code_of(&check.name);
        let done: BTreeSet<u64> = lines
            .iter()
            .filter(|line| line.check == check.name && line.code == code && line.differences == 0)
            .flat_map(|line| line.first..=line.last)
            .collect();
        let last = options.to.unwrap_or(u64::MAX).min(check.pieces() - 1);
        let pieces = (options.from..=last).filter(|piece| !done.contains(piece));
        jobs.extend(pieces.map(|piece| Job { check, code, piece }));
    }
    work(&jobs, options)
}

/// Whether `--only` chooses a check; without it all are chosen.
fn is_chosen(only: &[String], name: &str) -> bool {
    let chooses = |wanted: &String| {
        name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    only.is_empty() || only.iter().any(chooses)
}

fn work(jobs: &[Job<'_>], options: &Options) -> Result<bool, String> {
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
            let tally = job.check.piece(job.piece);
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
            if let Some(file) = file
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

/// Adds a record to the committed one and renews the table.
fn document(checks: &[Check], path: &std::path::Path) -> Result<(), String> {
    let docs = record::root().join("docs");
    let (kept, page) = (docs.join("float-proof.record"), docs.join("float-proof.md"));
    let mut lines = record::read(&kept)?;
    if std::path::absolute(path).ok() != std::path::absolute(&kept).ok() {
        lines.extend(record::read(path)?);
    }
    let lines = record::join(lines);
    let text =
        std::fs::read_to_string(&page).map_err(|error| format!("cannot read {}: {error}", page.display()))?;
    let text = record::put_into(&text, &record::table(checks, &lines))?;
    let record: String = lines.iter().map(Line::text).collect();
    for (path, text) in [(&kept, record), (&page, text)] {
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
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

    /// The document shows what the committed record says.
    #[test]
    fn the_table_is_made_from_the_record() {
        let docs = record::root().join("docs");
        let page = std::fs::read_to_string(docs.join("float-proof.md")).expect("the document");
        let lines = record::read(&docs.join("float-proof.record")).expect("the record");
        let table = record::table(&checks::all(), &lines);
        let renew = "cargo xtask exhaustive --document --record docs/float-proof.record";
        assert!(record::put_into(&page, &table).as_ref() == Ok(&page), "to be renewed: {renew}");
    }
}
