//! What became of each cross-lane operation, in the order of the source.

use pisa_diag::{Place, Sources};
use pisa_ir::legality::Witness;
use pisa_ir::passes::{Outcome, Remark};

/// A remark with what its line says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// The function, with its `@`.
    pub function: String,
    /// The file, the line from 1 on, and the column; `None` for what no line says.
    pub place: Option<(String, u32, u32)>,
    /// The text of the line, without white space around it.
    pub source: String,
    /// `moved`, `merged`, `simplified`, `removed` or `kept`.
    pub outcome: &'static str,
    /// The pass that says it; empty for what no pass had anything to do with.
    pub pass: &'static str,
    /// One sentence.
    pub message: String,
    /// The line that it is because of, from 1 on, and its text; in the same file.
    pub because: Option<(u32, String)>,
    /// Masks of active lanes that show why it may not be otherwise.
    pub witness: Option<Witness>,
}

/// The remarks by function and line.
pub fn explain(remarks: &[Remark], sources: &Sources) -> Vec<Explained> {
    let mut order: Vec<&Remark> = remarks.iter().collect();
    // Several about one line stay in the order in which things were done.
    order.sort_by_key(|remark| remark.place.map(|place| (place.file, place.span.start)));
    order
        .into_iter()
        .map(|remark| {
            let place = remark.place.map(|place| {
                let file = sources.file(place.file);
                let (line, column) = file.line_column(place.span.start);
                (file.name.clone(), line, column)
            });
            let source = remark.place.map_or(String::new(), |place| line_text(sources, place));
            let because = remark.because.map(|place| {
                let (line, _) = sources.file(place.file).line_column(place.span.start);
                (line, line_text(sources, place))
            });
            Explained {
                function: format!("@{}", remark.function),
                place,
                source,
                outcome: match remark.outcome {
                    Outcome::Moved => "moved",
                    Outcome::Merged => "merged",
                    Outcome::Simplified => "simplified",
                    Outcome::Removed => "removed",
                    Outcome::Kept => "kept",
                },
                pass: remark.pass,
                message: remark.message.clone(),
                because,
                witness: remark.witness,
            }
        })
        .collect()
}

/// The line of a place, without white space around it.
fn line_text(sources: &Sources, place: Place) -> String {
    let text = &sources.file(place.file).text;
    let at = (place.span.start as usize).min(text.len());
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    text[begin..end].trim().to_owned()
}

impl Explained {
    /// Two to four lines: what, where and why.
    pub fn text(&self) -> String {
        let place = match &self.place {
            Some((file, line, _)) => format!("{file}:{line} in {}", self.function),
            None => format!("in {}", self.function),
        };
        let source = if self.source.is_empty() { "made by a pass" } else { &self.source };
        let by = if self.pass.is_empty() { String::new() } else { format!("{}: ", self.pass) };
        let mut text = format!("{:<10} {source}    {place}\n    {by}{}\n", self.outcome, self.message);
        if let Some((line, source)) = &self.because {
            text += &format!("    line {line}: {source}\n");
        }
        if let Some(witness) = &self.witness {
            text += &format!(
                "    witness: active {:#010x} where it stands, {:#010x} there\n",
                witness.here, witness.there
            );
        }
        text
    }
}
