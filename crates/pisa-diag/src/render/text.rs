//! Text that comes from files, made safe to show on a terminal.

use std::borrow::Cow;

/// What stands for a character that must not reach a terminal: control characters are shown as their pictures, those
/// that reorder text as U+FFFD.
pub(super) fn stand_in(c: char) -> Option<char> {
    match c {
        '\u{7f}' => Some('\u{2421}'),
        c if c < ' ' => char::from_u32(0x2400 + u32::from(c)),
        '\u{80}'..='\u{9f}' => Some('\u{fffd}'),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// The text with every character that could upset a terminal replaced by one that shows it.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| stand_in(c).is_none()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| stand_in(c).unwrap_or(c)).collect())
}
