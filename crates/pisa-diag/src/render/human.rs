//! For people: the message, the source lines with the marked places, the footnotes.

use super::line::Line;
use super::text::visible;
use crate::{Diagnostic, FileId, Label, Occurrence, Severity, Sources};
use anstyle::{AnsiColor, Style};
use std::fmt::Write;
use std::ops::Range;

/// Renders diagnostics for people.
#[derive(Clone, Copy, Debug)]
pub struct Human {
    /// Whether to colour with ANSI escapes.
    pub styled: bool,
    /// Columns of the screen: source lines that are longer are cut around the marked place.
    pub width: usize,
}

impl Default for Human {
    fn default() -> Human {
        Human { styled: false, width: 140 }
    }
}

const BOLD: Style = Style::new().bold();
const FRAME: Style = AnsiColor::BrightBlue.on_default().bold();

/// A label on one line: which bytes of the line it marks.
struct Mark<'d> {
    label: &'d Label,
    range: Range<usize>,
}

/// A source line and the labels that begin on it.
struct Row<'d> {
    number: u32,
    marks: Vec<Mark<'d>>,
}

impl Human {
    /// The diagnostic, each line with its end.
    pub fn render(&self, diagnostic: &Diagnostic, sources: &Sources) -> String {
        let mut out = String::new();
        let strong = severity_style(diagnostic.severity);
        let head = format!("{}[{}]", diagnostic.severity.text(), diagnostic.code.0);
        let message = format!(": {}", visible(&diagnostic.message));
        let occurrence = diagnostic.occurrence.as_deref();
        let counts = occurrence.map_or(String::new(), |occurrence| format!("  ({})", occurrence.counts()));
        let _ = writeln!(out, "{}{}{counts}", self.paint(strong, &head), self.paint(BOLD, &message));

        let files = by_file(diagnostic, sources);
        let digits = |rows: &[Row]| rows.last().map_or(1, |row| row.number.to_string().len());
        let gutter = files.iter().map(|(_, rows)| digits(rows)).max().unwrap_or(1);
        for (index, (file, rows)) in files.iter().enumerate() {
            let label = diagnostic
                .labels
                .iter()
                .filter(|label| label.place.file == *file)
                .min_by_key(|label| (!label.primary, label.place.span.start));
            let start = label.map_or(0, |label| label.place.span.start);
            let source = sources.file(*file);
            let (line, column) = source.line_column(start);
            let arrow = self.paint(FRAME, if index == 0 { "-->" } else { ":::" });
            let name = visible(&source.name);
            let within = occurrence.filter(|_| index == 0).map_or(String::new(), Occurrence::location);
            let _ = writeln!(out, "{:gutter$}{arrow} {name}:{line}:{column}{within}", "");
            self.bar(&mut out, gutter);
            out.push('\n');
            for row in rows {
                self.row(&mut out, gutter, strong, row, source.line(row.number));
            }
        }
        if !diagnostic.notes.is_empty() || occurrence.is_some() {
            if !files.is_empty() {
                self.bar(&mut out, gutter);
                out.push('\n');
            }
            let happened = occurrence.map(|occurrence| occurrence.lines(diagnostic, sources));
            for (word, text) in happened.into_iter().flatten() {
                self.note(&mut out, gutter, word, &text);
            }
            for (kind, text) in &diagnostic.notes {
                self.note(&mut out, gutter, kind.text(), text);
            }
        }
        out
    }

    /// A footnote, further lines of it under its first.
    fn note(&self, out: &mut String, gutter: usize, word: &str, text: &str) {
        let equals = self.paint(FRAME, "=");
        let mut lines = text.lines();
        let first = visible(lines.next().unwrap_or_default());
        let _ = writeln!(out, "{:gutter$} {equals} {}: {first}", "", self.paint(BOLD, word));
        let indent = gutter + word.len() + 5;
        for line in lines {
            let _ = writeln!(out, "{:indent$}{}", "", visible(line));
        }
    }

    fn bar(&self, out: &mut String, gutter: usize) {
        let _ = write!(out, "{:gutter$} {}", "", self.paint(FRAME, "|"));
    }

    /// A source line with its marks: all in one where they fit on the screen together, else one by one.
    fn row(&self, out: &mut String, gutter: usize, strong: Style, row: &Row, text: &str) {
        let width = self.width.saturating_sub(gutter + 3).max(20);
        let focus = row.marks.iter().find(|mark| mark.label.primary).or(row.marks.first());
        let Some(focus) = focus else { return };
        let line = Line::new(text, focus.range.clone(), width);
        if row.marks.iter().all(|mark| line.shows(&mark.range)) {
            let marks: Vec<&Mark> = row.marks.iter().collect();
            self.marked_line(out, gutter, strong, row.number, &line, &marks);
        } else {
            for mark in &row.marks {
                let line = Line::new(text, mark.range.clone(), width);
                self.marked_line(out, gutter, strong, row.number, &line, &[mark]);
            }
        }
    }

    fn marked_line(
        &self,
        out: &mut String,
        gutter: usize,
        strong: Style,
        number: u32,
        line: &Line,
        marks: &[&Mark],
    ) {
        let number = format!("{number:>gutter$}");
        let number = self.paint(FRAME, &number);
        let frame = self.paint(FRAME, "|");
        let _ = writeln!(out, "{}", format!("{number} {frame} {}", line.text).trim_end());

        let columns = |mark: &Mark| {
            let start = line.column(mark.range.start);
            start..line.column(mark.range.end).max(start + 1)
        };
        let style = |mark: &Mark| if mark.label.primary { strong } else { FRAME };
        // The row of carets and dashes; primary ones lie on top.
        let end = marks.iter().map(|mark| columns(mark).end).max().unwrap_or(0);
        let mut signs: Vec<Option<bool>> = vec![None; end];
        for primary in [false, true] {
            for mark in marks.iter().filter(|mark| mark.label.primary == primary) {
                signs[columns(mark)].fill(Some(primary));
            }
        }
        self.bar(out, gutter);
        out.push(' ');
        for run in signs.chunk_by(|a, b| a == b) {
            let sign = match run[0] {
                None => " ",
                Some(true) => "^",
                Some(false) => "-",
            };
            let run_style = match run[0] {
                None => Style::new(),
                Some(primary) => {
                    if primary {
                        strong
                    } else {
                        FRAME
                    }
                }
            };
            let _ = write!(out, "{}", self.paint(run_style, &sign.repeat(run.len())));
        }
        let mut texts: Vec<&&Mark> = marks.iter().filter(|mark| !mark.label.text.is_empty()).collect();
        texts.sort_by_key(|mark| columns(mark).start);
        if let Some(last) = texts.pop_if(|last| columns(last).end == end) {
            let _ = write!(out, " {}", self.paint(style(last), &visible(&last.label.text)));
        }
        out.push('\n');
        // The other texts hang below, the rightmost first.
        if !texts.is_empty() {
            self.hang(
                out,
                gutter,
                &texts.iter().map(|m| (columns(m).start, style(m))).collect::<Vec<_>>(),
                "",
            );
        }
        while let Some(mark) = texts.pop() {
            let column = columns(mark).start;
            // One that begins at the same column comes further down.
            let left: Vec<_> = texts
                .iter()
                .map(|m| (columns(m).start, style(m)))
                .filter(|&(other, _)| other < column)
                .chain([(column, style(mark))])
                .collect();
            self.hang(out, gutter, &left, &visible(&mark.label.text));
        }
    }

    /// A row of `|` at the columns; `text`, unless empty, takes the place of the last of them.
    fn hang(&self, out: &mut String, gutter: usize, columns: &[(usize, Style)], text: &str) {
        self.bar(out, gutter);
        out.push(' ');
        let mut at = 0;
        for (i, &(column, style)) in columns.iter().enumerate() {
            let sign = if i + 1 == columns.len() && !text.is_empty() { text } else { "|" };
            if column < at {
                continue; // two that begin together share a bar
            }
            let _ = write!(out, "{:1$}{2}", "", column - at, self.paint(style, sign));
            at = column + 1;
        }
        out.push('\n');
    }

    fn paint<'t>(&self, style: Style, text: &'t str) -> Painted<'t> {
        Painted { style: if self.styled { style } else { Style::new() }, text }
    }
}

/// Text in a style.
struct Painted<'t> {
    style: Style,
    text: &'t str,
}

impl std::fmt::Display for Painted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{:#}", self.style, self.text, self.style)
    }
}

fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Error => AnsiColor::BrightRed.on_default().bold(),
        Severity::Finding => AnsiColor::Red.on_default().bold(),
        Severity::Stopped => AnsiColor::Magenta.on_default().bold(),
    }
}

/// The labels by file, that of the primary one first, and by line.
fn by_file<'d>(diagnostic: &'d Diagnostic, sources: &Sources) -> Vec<(FileId, Vec<Row<'d>>)> {
    let mut labels: Vec<&Label> = diagnostic.labels.iter().collect();
    let main = diagnostic.place().map(|place| place.file);
    labels.sort_by_key(|label| (Some(label.place.file) != main, label.place));
    let mut files: Vec<(FileId, Vec<Row>)> = Vec::new();
    for label in labels {
        let source = sources.file(label.place.file);
        let (number, _) = source.line_column(label.place.span.start);
        let line_start = source.line_start(number);
        let length = source.line(number).len();
        let within = |offset: u32| (offset as usize).saturating_sub(line_start).min(length);
        // A place of several lines is marked on its first one.
        let range = within(label.place.span.start)..within(label.place.span.end.max(label.place.span.start));
        if files.last().is_none_or(|(file, _)| *file != label.place.file) {
            files.push((label.place.file, Vec::new()));
        }
        if let Some((_, rows)) = files.last_mut() {
            if rows.last().is_none_or(|row| row.number != number) {
                rows.push(Row { number, marks: Vec::new() });
            }
            if let Some(row) = rows.last_mut() {
                row.marks.push(Mark { label, range });
            }
        }
    }
    files
}
