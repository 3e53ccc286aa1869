//! The record of what was run: a line a piece, and the table made from it.
//!
//! A line has, with tabs between them: time (UTC), code (a hash of what was checked), check, first and last piece, cases, differences,
//! seconds. `--document` joins neighbouring pieces into one line.

use crate::check::Check;
use crate::checks;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A line of the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When the last of the pieces ended, as `2026-01-31T12:00:00Z`.
    pub time: String,
    /// See [`code_of`].
    pub code: String,
    /// The check's name.
    pub check: String,
    /// The first piece.
    pub first: u64,
    /// The last piece.
    pub last: u64,
    /// Results compared.
    pub cases: u64,
    /// Of those, how many differed.
    pub differences: u64,
    /// Time that the pieces took on their threads, together.
    pub seconds: f64,
}

impl Line {
    /// As in the file, with the end of the line.
    pub fn text(&self) -> String {
        let Line { time, code, check, first, last, cases, differences, seconds } = self;
        format!("{time}\t{code}\t{check}\t{first}\t{last}\t{cases}\t{differences}\t{seconds:.1}\n")
    }

    fn parse(text: &str) -> Option<Line> {
        let mut fields = text.split('\t');
        let mut next = || fields.next();
        Some(Line {
            time: next()?.to_owned(),
            code: next()?.to_owned(),
            check: next()?.to_owned(),
            first: next()?.parse().ok()?,
            last: next()?.parse().ok()?,
            cases: next()?.parse().ok()?,
            differences: next()?.parse().ok()?,
            seconds: next()?.parse().ok()?,
        })
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

/// Joins lines of the same check and code whose pieces follow each other. Of a piece that was run twice, the later line counts.
fn join(lines: Vec<Line>) -> Vec<Line> {
    let mut groups: BTreeMap<(String, String), Vec<Line>> = BTreeMap::new();
    for line in lines {
        groups.entry((line.check.clone(), line.code.clone())).or_default().push(line);
    }
    let mut joined: Vec<Line> = Vec::new();
    for mut lines in groups.into_values() {
        // A later line in front, so that its pieces hide the same ones of an earlier line.
        lines.sort_by(|a, b| (a.first, &b.time).cmp(&(b.first, &a.time)));
        let mut seen = BTreeSet::new();
        lines.retain(|line| (line.first..=line.last).all(|piece| seen.insert(piece)));
        let mut of_check: Vec<Line> = Vec::new();
        for line in lines {
            match of_check.last_mut() {
                Some(before) if before.last + 1 == line.first => {
                    before.last = line.last;
                    before.cases += line.cases;
                    before.differences += line.differences;
                    before.seconds += line.seconds;
                    before.time = before.time.clone().max(line.time);
                }
                _ => of_check.push(line),
            }
        }
        joined.extend(of_check);
    }
    for line in &mut joined {
        // As it is written, so that the table comes out the same from a record that was read back.
        line.seconds = (line.seconds * 10.0).round() / 10.0;
    }
    joined
}

/// What is complete, and the table of all checks as Markdown; one row for all instructions of the vector engine.
fn table(checks: &[Check], lines: &[Line]) -> String {
    let mut text = String::from(
        "| check | compared | pieces run | cases | differences | seconds | last run | code |\n|---|---|---|---|---|---|---|---|\n",
    );
    let (mut rows, mut open) = (0, Vec::new());
    for group in checks.chunk_by(|a, b| row_of(&a.name) == row_of(&b.name)) {
        let Some(Check { name, what, .. }) = group.first() else { continue };
        let row = row_of(name);
        rows += 1;
        let pieces: u64 = group.iter().map(Check::pieces).sum();
        // Only what was run for the newest code counts.
        let of_row = || lines.iter().filter(|line| row_of(&line.check) == row);
        let Some(newest) = of_row().max_by(|a, b| a.time.cmp(&b.time)) else {
            open.push(format!("`{row}`"));
            let _ = writeln!(text, "| `{row}` | {what} | **0** of {pieces} | | | | | |");
            continue;
        };
        let lines: Vec<&Line> = of_row().filter(|line| line.code == newest.code).collect();
        let run: u64 = lines.iter().map(|line| line.last - line.first + 1).sum();
        let run = match run.cmp(&pieces) {
            Ordering::Less => {
                open.push(format!("`{row}`"));
                format!("**{run}** of {pieces}")
            }
            Ordering::Equal => format!("all {pieces}"),
            Ordering::Greater => run.to_string(),
        };
        let cases = grouped(lines.iter().map(|line| line.cases).sum());
        let differences: u64 = lines.iter().map(|line| line.differences).sum();
        let seconds: f64 = lines.iter().map(|line| line.seconds).sum();
        let (day, code) = (newest.time.get(..10).unwrap_or(&newest.time), &newest.code);
        let _ = writeln!(
            text,
            "| `{row}` | {what} | {run} | {cases} | {differences} | {seconds:.0} | {day} | {code} |"
        );
    }
    let summary = match open.as_slice() {
        [] => format!("All {rows} are complete."),
        open if open.len() == rows => format!("None of {rows} is complete."),
        open => format!("{} of {rows} are complete. Not complete: {}.", rows - open.len(), open.join(", ")),
    };
    format!("{summary}\n\n{text}")
}

/// The row of the table in which a check is counted.
fn row_of(check: &str) -> &str {
    if check.starts_with("vector.") { "vector" } else { check }
}

/// A number with commas.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index != 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Puts a table between its two marks of a document.
pub fn put_into(document: &str, name: &str, table: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let from = document.find(&begin).ok_or(format!("the document has no `{begin}`"))? + begin.len();
    let to = document.find(&end).filter(|&to| to >= from).ok_or(format!("the document has no `{end}`"))?;
    Ok(format!("{}{table}{}", &document[..from], &document[to..]))
}

/// Adds a record to the committed one and renews the tables.
pub fn document(path: &Path) -> Result<(), String> {
    let docs = root().join("docs");
    let (kept, page) = (docs.join("float-proof.record"), docs.join("float-proof.md"));
    let mut lines = read(&kept)?;
    if std::path::absolute(path).ok() != std::path::absolute(&kept).ok() {
        lines.extend(read(path)?);
    }
    let lines = join(lines);
    let text =
        std::fs::read_to_string(&page).map_err(|error| format!("cannot read {}: {error}", page.display()))?;
    let text = with_tables(&text, &lines)?;
    let record: String = lines.iter().map(Line::text).collect();
    for (path, text) in [(&kept, record), (&page, text)] {
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

/// The document with the tables of what was run.
fn with_tables(text: &str, lines: &[Line]) -> Result<String, String> {
    let text = put_into(text, "table", &table(&checks::exhaustive(), lines))?;
    put_into(&text, "table of random cases", &table(&checks::random(), lines))
}

/// A hash of the sources that a check covers: pisa-float, and for the vector engine's checks also pisa-vector's kernels. Taken when this
/// command was built, so it is of the code that runs.
pub fn code_of(check: &str) -> &'static str {
    if check.starts_with("vector.") { env!("XTASK_VECTOR_CODE") } else { env!("XTASK_FLOAT_CODE") }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// The time of day in UTC, as `2026-01-31T12:00:00Z`.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |duration| duration.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let time = seconds % 86_400;
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
}

/// Year, month and day of a number of days since 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(check: &str, first: u64, last: u64, time: &str, differences: u64) -> Line {
        Line {
            time: time.into(),
            code: "0000abcd".into(),
            check: check.into(),
            first,
            last,
            cases: 10 * (last - first + 1),
            differences,
            seconds: 1.0,
        }
    }

    #[test]
    fn lines_read_back() {
        let line = line("hf.add", 3, 4, "2026-01-31T12:00:00Z", 1);
        assert_eq!(Line::parse(line.text().trim_end()), Some(line));
        assert_eq!(Line::parse("hf.add 3"), None);
    }

    #[test]
    fn neighbours_are_joined_and_the_later_of_two_counts() {
        let joined = join(vec![
            line("a", 1, 1, "2026-01-01T00:00:00Z", 0),
            line("a", 0, 0, "2026-01-02T00:00:00Z", 0),
            line("a", 3, 3, "2026-01-01T00:00:00Z", 7),
            line("a", 3, 3, "2026-01-03T00:00:00Z", 0),
            line("b", 2, 2, "2026-01-01T00:00:00Z", 0),
        ]);
        let short: Vec<_> =
            joined.iter().map(|l| (l.check.as_str(), l.first, l.last, l.cases, l.differences)).collect();
        assert_eq!(short, [("a", 0, 1, 20, 0), ("a", 3, 3, 10, 0), ("b", 2, 2, 10, 0)]);
        assert_eq!(joined[0].time, "2026-01-02T00:00:00Z");
    }

    #[test]
    fn dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_818), (2026, 12, 31));
    }

    #[test]
    fn numbers_and_marks() {
        assert_eq!(grouped(4_294_967_296), "4,294,967,296");
        assert_eq!(grouped(12), "12");
        let document = "a\n<!-- table -->\nold\n<!-- end of table -->\nb\n";
        let expected = "a\n<!-- table -->\nnew\n<!-- end of table -->\nb\n";
        assert_eq!(put_into(document, "table", "new\n").as_deref(), Ok(expected));
        assert!(put_into("nothing", "table", "new").is_err());
    }

    /// The document shows what the committed record says.
    #[test]
    fn the_tables_are_made_from_the_record() {
        let docs = root().join("docs");
        let page = std::fs::read_to_string(docs.join("float-proof.md")).expect("the document");
        let lines = read(&docs.join("float-proof.record")).expect("the record");
        let renew = "cargo xtask exhaustive --document --record docs/float-proof.record";
        assert!(with_tables(&page, &lines).as_ref() == Ok(&page), "to be renewed: {renew}");
    }
}
