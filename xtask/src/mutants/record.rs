//! What became of each mutant: a line each, and the table made from them.
//!
//! A line has, with tabs between them: time (UTC), name, hash ([`Mutant::hash`]), what the book said, what smith said.

use super::list::Mutant;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When, as `2026-01-31T12:00:00Z`.
    pub time: String,
    /// The mutant's name.
    pub name: String,
    /// Its [`Mutant::hash`].
    pub hash: String,
    /// What the book of facts found, `-` for nothing.
    pub book: String,
    /// What `pisa smith` found, `-` for nothing.
    pub smith: String,
}

impl Line {
    /// As in the file, with the end of the line.
    pub fn text(&self) -> String {
        let Line { time, name, hash, book, smith } = self;
        format!("{time}\t{name}\t{hash}\t{book}\t{smith}\n")
    }

    fn parse(text: &str) -> Option<Line> {
        let fields: Vec<&str> = text.split('\t').collect();
        let [time, name, hash, book, smith] = fields[..] else { return None };
        let own = str::to_owned;
        Some(Line { time: own(time), name: own(name), hash: own(hash), book: own(book), smith: own(smith) })
    }

    /// Whether anybody noticed.
    pub fn is_caught(&self) -> bool {
        self.book != "-" || self.smith != "-"
    }
}

/// Reads a record; an absent file is an empty one.
pub fn read(path: &Path) -> Result<Vec<Line>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    let line = |(number, text): (usize, &str)| {
        Line::parse(text).ok_or(format!("{}:{}: not a line of a record", path.display(), number + 1))
    };
    text.lines().enumerate().map(line).collect()
}

/// For each mutant the last line about it as it is now, in the order of the list.
pub fn newest(list: &[Mutant], lines: Vec<Line>) -> Vec<(Mutant, Option<Line>)> {
    let mut by_name: BTreeMap<(String, String), Line> = BTreeMap::new();
    for line in lines {
        let key = (line.name.clone(), line.hash.clone());
        match by_name.get(&key) {
            Some(before) if before.time > line.time => {}
            _ => {
                by_name.insert(key, line);
            }
        }
    }
    let of = |mutant: &Mutant| by_name.get(&(mutant.name.clone(), mutant.hash())).cloned();
    list.iter().map(|mutant| (mutant.clone(), of(mutant))).collect()
}

/// The table as Markdown, after a sentence with the counts.
pub fn table(rows: &[(Mutant, Option<Line>)]) -> String {
    let run = || rows.iter().filter_map(|(_, line)| line.as_ref());
    let count = |which: fn(&Line) -> bool| run().filter(|line| which(line)).count();
    let mut text = format!(
        "{} mutants, {} of them on ways that few programs go. {} were run: the book caught {}, smith {}, both {}; nobody caught {}.\n\n",
        rows.len(),
        rows.iter().filter(|(mutant, _)| mutant.rare).count(),
        run().count(),
        count(|line| line.book != "-"),
        count(|line| line.smith != "-"),
        count(|line| line.book != "-" && line.smith != "-"),
        count(|line| !line.is_caught()),
    );
    text.push_str("| mutant | what is wrong | the book | smith | run |\n|---|---|---|---|---|\n");
    for (mutant, line) in rows {
        let file = mutant.file.rsplit('/').next().unwrap_or(&mutant.file);
        let name = format!("`{}`{} in `{file}`", mutant.name, if mutant.rare { " (rare)" } else { "" });
        let _ = match line {
            Some(line) => writeln!(
                text,
                "| {name} | {} | {} | {} | {} |",
                mutant.breaks,
                line.book,
                line.smith,
                line.time.get(..10).unwrap_or(&line.time)
            ),
            None => writeln!(text, "| {name} | {} | | | **not yet** |", mutant.breaks),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::list;
    use crate::record::{put_into, root};

    fn line(name: &str, hash: &str, time: &str, book: &str) -> Line {
        let own = str::to_owned;
        Line { time: own(time), name: own(name), hash: own(hash), book: own(book), smith: own("-") }
    }

    #[test]
    fn lines_read_back() {
        let line = line("m", "0000abcd", "2026-01-31T12:00:00Z", "3 failed");
        assert_eq!(Line::parse(line.text().trim_end()), Some(line));
        assert_eq!(Line::parse("m\tx"), None);
    }

    #[test]
    fn the_last_line_about_the_mutant_as_it_is_counts() {
        let mutant: Mutant =
            toml::from_str("name = \"m\"\nfile = \"f\"\nline = \"a\"\nreplacement = \"b\"\nbreaks = \"c\"")
                .expect("a mutant");
        let hash = mutant.hash();
        let lines = vec![
            line("m", &hash, "2026-01-02T00:00:00Z", "2 failed"),
            line("m", &hash, "2026-01-01T00:00:00Z", "1 failed"),
            line("m", "other", "2026-01-03T00:00:00Z", "3 failed"),
        ];
        let rows = newest(&[mutant], lines);
        assert_eq!(rows[0].1.as_ref().map(|line| line.book.as_str()), Some("2 failed"));
        let table = table(&rows);
        assert!(table.starts_with("1 mutants, 0 of them"), "{table}");
        assert!(table.contains("the book caught 1, smith 0, both 0; nobody caught 0."), "{table}");
    }

    /// Each mutant as it is now has been run, somebody caught it, and the document says so.
    #[test]
    fn every_mutant_was_caught_and_the_document_shows_it() {
        let docs = root().join("docs");
        let lines = read(&docs.join("mutants.record")).expect("the record");
        let rows = newest(&list::read().expect("the list"), lines);
        let left: Vec<&str> = (rows.iter())
            .filter(|(_, line)| !line.as_ref().is_some_and(Line::is_caught))
            .map(|(mutant, _)| mutant.name.as_str())
            .collect();
        assert!(left.is_empty(), "to be run: cargo xtask mutants --only {}", left.join(" --only "));
        let page = std::fs::read_to_string(docs.join("mutants.md")).expect("the document");
        let renewed = put_into(&page, "table", &table(&rows));
        assert!(renewed.as_ref() == Ok(&page), "to be renewed: cargo xtask mutants --document");
    }
}
