//! One source line as it is shown: tabs and wide characters laid out, cut where it is too long.

use super::text::stand_in;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Columns a tab takes.
const TAB: usize = 4;
/// Bytes on either side of the marked place that are looked at; a line may be as long as the file.
const REACH: usize = 2048;

/// A line laid out.
pub(super) struct Line {
    /// What is printed.
    pub text: String,
    /// Byte offset in the line of every character shown, and the column where it stands.
    cells: Vec<(usize, usize)>,
    /// One past the last byte and column of what is shown.
    end: (usize, usize),
}

impl Line {
    /// Lays out `line` within `width` columns such that the byte range `focus` is seen.
    pub fn new(line: &str, focus: Range<usize>, width: usize) -> Line {
        let first = line.floor_char_boundary(focus.start.saturating_sub(REACH));
        let last = line.ceil_char_boundary(focus.start.saturating_add(REACH).min(line.len()));
        let mut cells: Vec<(usize, usize, char, usize)> = Vec::new();
        let mut column = 0;
        for (at, c) in line[first..last].char_indices() {
            let shown = stand_in(c).filter(|_| c != '\t').unwrap_or(c);
            let wide = if c == '\t' { TAB } else { shown.width().unwrap_or(0) };
            cells.push((first + at, column, shown, wide));
            column += wide;
        }
        let total = column;
        let column_of =
            |byte: usize| cells.get(cells.partition_point(|cell| cell.0 < byte)).map_or(total, |cell| cell.1);
        let marked = column_of(focus.start)..column_of(focus.end);
        let (from, to) = if total <= width && first == 0 && last == line.len() {
            (0, total)
        } else {
            let room = width.saturating_sub(2).max(16);
            // A third of the room before the marked place; more where the line ends soon after it.
            let before = if marked.len() * 3 > room * 2 { room / 8 } else { room / 3 };
            let from = marked.start.saturating_sub(before).min(total.saturating_sub(room));
            (from, from + room)
        };
        let kept = |cell: &&(usize, usize, char, usize)| cell.1 >= from && cell.1 + cell.3 <= to;
        let shown: Vec<_> = cells.iter().filter(kept).copied().collect();
        let mut text = String::new();
        let mut at = 0;
        let cut_left = first > 0 || shown.first().is_some_and(|cell| cell.0 > 0);
        if cut_left {
            text.push('…');
            at = 1;
        }
        let mut places = Vec::with_capacity(shown.len());
        let mut end = (shown.first().map_or(first, |cell| cell.0), at);
        for (byte, _, c, wide) in shown {
            places.push((byte, at));
            if c == '\t' {
                text.extend(std::iter::repeat_n(' ', wide));
            } else {
                text.push(c);
            }
            at += wide;
            let length = line[byte..].chars().next().map_or(0, char::len_utf8);
            end = (byte + length, at);
        }
        if end.0 < line.len() {
            text.push('…');
        }
        Line { text, cells: places, end }
    }

    /// The column where the byte stands; the nearest one shown for a byte that was cut off.
    pub fn column(&self, byte: usize) -> usize {
        self.cells.get(self.cells.partition_point(|cell| cell.0 < byte)).map_or(self.end.1, |cell| cell.1)
    }

    /// Whether the first byte of the range, or the place where it would stand, is shown.
    pub fn shows(&self, range: &Range<usize>) -> bool {
        let first = self.cells.first().map_or(self.end.0, |cell| cell.0);
        range.start >= first && range.start <= self.end.0
    }
}
