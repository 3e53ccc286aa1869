//! The four ways a diagnostic is shown.

mod human;
mod json;
mod line;
mod occurrence;
mod sarif;
mod text;

pub use human::Human;
pub use json::{JsonFailure, JsonRemark, JsonSummary, json, json_failure, json_note, json_summary};
pub use sarif::{Tool, sarif};
pub use text::visible;

use crate::{Diagnostic, Sources};

/// `file:line:column: error[E0203]: message`, one line without its end.
pub fn short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let at = match diagnostic.place() {
        Some(place) => {
            let file = sources.file(place.file);
            let (line, column) = file.line_column(place.span.start);
            format!("{}:{line}:{column}: ", visible(&file.name))
        }
        None => String::new(),
    };
    let message = visible(&diagnostic.message);
    let occurrence = diagnostic.occurrence.as_deref();
    let counts = occurrence.map_or(String::new(), |occurrence| format!(" ({})", occurrence.counts()));
    format!("{at}{}[{}]: {message}{counts}", diagnostic.severity.text(), diagnostic.code.0)
}
