//! Bytes to text.

use crate::codes;
use crate::report::{DIAGNOSTIC_LIMIT, Detail, Report};
use pisa_diag::Span;
use std::sync::Arc;

/// One past the size of the largest file that is read, in bytes. Places are 32-bit offsets; less keeps memory bounded.
pub const FILE_SIZE_LIMIT: u64 = 1 << 30;

/// A file's text, and where its bytes were not UTF-8.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The text; each run of bytes that are not UTF-8 became one U+FFFD.
    pub text: Arc<str>,
    /// Where in `text` those are, in order; no more than [`DIAGNOSTIC_LIMIT`].
    pub invalid: Vec<Span>,
    /// How many more there are.
    pub more_invalid: u64,
}

/// Decodes a file. Never fails: what is not UTF-8 is replaced and listed (G-04).
///
/// ```
/// let decoded = pisa_syntax::decode(b"// caf\xe9\n".to_vec());
/// assert_eq!(&*decoded.text, "// caf\u{fffd}\n");
/// assert_eq!((decoded.invalid[0].start, decoded.invalid[0].end), (6, 9));
/// ```
pub fn decode(bytes: Vec<u8>) -> Decoded {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Decoded { text: text.into(), invalid: Vec::new(), more_invalid: 0 },
        Err(error) => error.into_bytes(),
    };
    let mut decoded = Decoded { text: "".into(), invalid: Vec::new(), more_invalid: 0 };
    let mut text = String::with_capacity(bytes.len());
    let mut after_invalid = false;
    for chunk in bytes.utf8_chunks() {
        after_invalid &= chunk.valid().is_empty();
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() && !after_invalid {
            let start = text.len();
            text.push(char::REPLACEMENT_CHARACTER);
            // Positions past the limit of a file are never shown: it is refused as a whole.
            if decoded.invalid.len() < DIAGNOSTIC_LIMIT && text.len() as u64 <= FILE_SIZE_LIMIT {
                decoded.invalid.push(Span::new(start as u32, text.len() as u32));
            } else {
                decoded.more_invalid += 1;
            }
            after_invalid = true;
        }
    }
    decoded.text = text.into();
    decoded
}

impl Decoded {
    pub(crate) fn report(&self, report: &mut Report) {
        for &span in &self.invalid {
            report.error(codes::NOT_UTF8, span, || {
                Detail::new("these bytes are not UTF-8")
                    .label("shown as U+FFFD")
                    .spec("syntax 1.2 Statement")
                    .help("save the file as UTF-8; outside comments and strings PISA is ASCII")
            });
        }
        report.count_errors(self.more_invalid, self.invalid.last().copied().unwrap_or_default());
    }
}
