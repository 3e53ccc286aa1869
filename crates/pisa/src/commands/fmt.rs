//! `pisa fmt`: one canonical layout, comments kept.

use crate::args::{FmtArgs, Format};
use crate::files;
use crate::io::Io;
use crate::reporter::Reporter;
use anstyle::{AnsiColor, Style};
use pisa_tools::{Failure, Formatted, Session, Status};
use similar::{ChangeTag, TextDiff};
use std::path::Path;
use std::time::Duration;

pub fn run(io: &mut Io, args: FmtArgs) -> Status {
    let to_stdout = args.check || args.files.iter().any(|name| name == "-");
    let mut reporter = Reporter::new(&args.output, to_stdout);
    let mut session = Session::default();
    for (i, name) in args.files.iter().enumerate() {
        if name == "-" && args.files[..i].iter().any(|other| other == "-") {
            reporter.failure(io, Failure::usage("standard input can be read only once"));
            continue;
        }
        match session.format(name) {
            Err(failure) => reporter.failure(io, failure),
            Ok(Formatted { text, diagnostics, file }) => {
                reporter.diagnostics(io, diagnostics, &session.sources, Status::Invalid);
                // None where the syntax has errors: the file stays as it is.
                let Some(text) = text else { continue };
                let before = session.sources.file(file).text.clone();
                if args.check {
                    if text != *before {
                        reporter.set(Status::Failed);
                        let colour = reporter.colours_stdout();
                        let shown = if args.output.format == Format::Human {
                            diff(name, &before, &text, colour)
                        } else {
                            format!("{name}\n")
                        };
                        io.stdout(&shown);
                    }
                } else if name == "-" {
                    io.stdout(&text);
                } else if text != *before
                    && let Err(failure) = files::write(Path::new(name), text.as_bytes())
                {
                    reporter.failure(io, failure);
                }
            }
        }
    }
    reporter.finish(io, &session.sources)
}

/// A unified diff.
fn diff(name: &str, before: &str, after: &str, colour: bool) -> String {
    let style = |style: Style| if colour { style } else { Style::new() };
    let head = style(Style::new().bold());
    let name = if name == "-" { "<stdin>" } else { name };
    let mut text = format!("{head}--- {name}{head:#}\n{head}+++ {name}, formatted{head:#}\n");
    // A diff that takes long to make small is made larger.
    let diff = TextDiff::configure().timeout(Duration::from_secs(2)).diff_lines(before, after);
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let at = style(AnsiColor::Cyan.on_default());
        text.push_str(&format!("{at}{}{at:#}\n", hunk.header()));
        for change in hunk.iter_changes() {
            let (sign, line) = match change.tag() {
                ChangeTag::Delete => ("-", style(AnsiColor::Red.on_default())),
                ChangeTag::Insert => ("+", style(AnsiColor::Green.on_default())),
                ChangeTag::Equal => (" ", Style::new()),
            };
            let value = change.value();
            let shown = value.strip_suffix('\n').unwrap_or(value);
            text.push_str(&format!("{line}{sign}{shown}{line:#}\n"));
            if change.missing_newline() {
                text.push_str("\\ no line end at the end of the file\n");
            }
        }
    }
    text
}
