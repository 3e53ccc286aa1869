//! `cargo xtask mutants`.

mod list;
mod record;
mod trial;

use crate::record::{now, put_into, root};
use list::Mutant;
use record::Line;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trial::Trial;

/// Which mutants to try, and how.
#[derive(clap::Args)]
pub struct Options {
    /// Lists the mutants
    #[arg(long)]
    list: bool,
    /// Only the mutants whose name begins with NAME (more than once: any of them)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Leaves out the mutants that the record already has as caught
    #[arg(long)]
    missing: bool,
    /// Does not try the copy without a mutant first
    #[arg(long)]
    without_control: bool,
    /// Where the copy of the workspace and its builds go
    #[arg(long, value_name = "FOLDER", default_value = "target/mutants")]
    scratch: PathBuf,
    /// The program to run as cargo, with arguments if it takes any
    #[arg(long, value_name = "COMMAND", default_value = "cargo")]
    cargo: String,
    /// How many programs smith makes for each
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: u64,
    /// Seconds after which the book or smith is ended; it counts as caught
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
    /// Appends a line a mutant to FILE
    #[arg(long, value_name = "FILE", default_value = "docs/mutants.record")]
    record: PathBuf,
    /// Runs nothing; makes the table of docs/mutants.md from the record
    #[arg(long)]
    document: bool,
}

/// Runs what the options ask for. Whether each mutant was caught.
pub fn run(options: &Options) -> Result<bool, String> {
    let list = list::read()?;
    if options.list {
        for Mutant { name, file, line, replacement, breaks, .. } in &list {
            println!("{name}: {breaks}\n  {file}\n  - {line}\n  + {replacement}");
        }
        return Ok(true);
    }
    if options.document {
        return document(&list, &options.record).map(|()| true);
    }
    let mut done = BTreeSet::new();
    if options.missing {
        let rows = record::newest(&list, record::read(&options.record)?);
        let caught = rows.into_iter().filter(|(_, line)| line.as_ref().is_some_and(Line::is_caught));
        done.extend(caught.map(|(mutant, _)| mutant.name));
    }
    let chosen: Vec<&Mutant> = (list.iter())
        .filter(|mutant| options.only.is_empty() || options.only.iter().any(|o| mutant.name.starts_with(o)))
        .filter(|mutant| !done.contains(&mutant.name))
        .collect();
    if chosen.is_empty() {
        return Err("no mutant is left to try; `--list` shows all".into());
    }
    let scratch = std::path::absolute(&options.scratch)
        .map_err(|error| format!("{}: {error}", options.scratch.display()))?;
    let trial = Trial::new(&scratch, &options.cargo, options.count, options.limit)?;
    if !options.without_control {
        println!("without a mutant");
        trial.control()?;
    }
    let mut survivors = Vec::new();
    for (number, mutant) in chosen.iter().enumerate() {
        let start = Instant::now();
        let [book, smith] = trial.run(mutant)?;
        let seconds = start.elapsed().as_secs();
        let position = format!("{}/{}", number + 1, chosen.len());
        println!("{position} {}: book {}, smith {}, {seconds} s", mutant.name, book.words, smith.words);
        if !book.caught && !smith.caught {
            survivors.push(mutant.name.as_str());
        }
        let line = Line {
            time: now(),
            name: mutant.name.clone(),
            hash: mutant.hash(),
            book: book.words,
            smith: smith.words,
        };
        append(&options.record, &line)?;
    }
    println!("{} mutants, nobody caught {}: {}", chosen.len(), survivors.len(), survivors.join(", "));
    Ok(survivors.is_empty())
}

fn append(path: &Path, line: &Line) -> Result<(), String> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(line.text().as_bytes()))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Keeps the newest line of each mutant in the record, and renews the table.
fn document(list: &[Mutant], path: &Path) -> Result<(), String> {
    let docs = root().join("docs");
    let (kept, page) = (docs.join("mutants.record"), docs.join("mutants.md"));
    let mut lines = record::read(&kept)?;
    if std::path::absolute(path).ok() != std::path::absolute(&kept).ok() {
        lines.extend(record::read(path)?);
    }
    let rows = record::newest(list, lines);
    let text =
        std::fs::read_to_string(&page).map_err(|error| format!("cannot read {}: {error}", page.display()))?;
    let text = put_into(&text, "table", &record::table(&rows))?;
    let record: String = rows.iter().filter_map(|(_, line)| line.as_ref()).map(Line::text).collect();
    for (path, text) in [(&kept, record), (&page, text)] {
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}
