//! `--print NAME[:TYPE][:FROM..TO]`: elements as text.

use crate::value::parse_type;
use crate::{Buffer, ElementType, LaunchError, ValueError, format_number};
use std::fmt::{self, Write as _};
use std::ops::Range;

/// Elements that are shown where no range is given.
const SHOWN: usize = 1024;
/// Characters of a line.
const LINE: usize = 100;

/// What to print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintRequest {
    /// A buffer, or a global variable with its `@`.
    pub name: String,
    /// The type to read it as; none: its own.
    pub ty: Option<ElementType>,
    /// First element, and the one after the last; none: from the start, to the end.
    pub range: Option<(Option<u64>, Option<u64>)>,
}

impl PrintRequest {
    /// Reads `NAME[:TYPE][:FROM..TO]`; either end of the range may be left out.
    pub fn parse(text: &str) -> Result<PrintRequest, LaunchError> {
        let explain = |e: ValueError| LaunchError::from(e).wrote(format!("--print {text}"));
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default().trim();
        let name = name.strip_prefix('%').unwrap_or(name);
        let mut request = PrintRequest { name: name.to_owned(), ty: None, range: None };
        if name.is_empty() {
            return Err(explain(ValueError::new("nothing to print").help("write `NAME` or `NAME:FROM..TO`")));
        }
        for part in parts {
            match part.split_once("..") {
                Some((from, to)) if request.range.is_none() => {
                    let end = |text: &str| match text.trim() {
                        "" => Ok(None),
                        text => crate::value::parse_count(text, "an index").map(Some),
                    };
                    request.range = Some((end(from).map_err(explain)?, end(to).map_err(explain)?));
                }
                None if request.ty.is_none() && request.range.is_none() => {
                    request.ty = Some(parse_type(part).map_err(explain)?);
                }
                _ => {
                    return Err(explain(
                        ValueError::new(format!("`{part}` is one part too many"))
                            .help("write `NAME[:TYPE][:FROM..TO]`"),
                    ));
                }
            }
        }
        Ok(request)
    }

    /// The elements to show of a buffer with this many bytes and this type; whether there are more is not its matter.
    pub fn elements(&self, bytes: u64, ty: ElementType) -> Result<Range<u64>, LaunchError> {
        let ty = self.ty.unwrap_or(ty);
        let count = bytes / ty.bytes() as u64;
        let error = |message: String| LaunchError::new(message).wrote(format!("--print {self}"));
        if !bytes.is_multiple_of(ty.bytes() as u64) {
            return Err(error(format!("the {bytes} bytes of `{}` are no whole number of {ty}", self.name)));
        }
        let Some((from, to)) = self.range else { return Ok(0..count.min(SHOWN as u64)) };
        let (from, to) = (from.unwrap_or(0), to.unwrap_or(count));
        if from > to {
            return Err(error(format!("the range {from}..{to} ends before it starts")));
        }
        if to > count {
            return Err(error(format!("`{}` has {count} elements", self.name)));
        }
        Ok(from..to)
    }

    /// The text: a line that names the buffer, its type and shape, then its elements in columns, each line with the index of
    /// its first element. Ends with a line end.
    pub fn text(&self, buffer: &Buffer) -> Result<String, LaunchError> {
        let range = self.elements(buffer.bytes.len() as u64, buffer.ty)?;
        let ty = self.ty.unwrap_or(buffer.ty);
        let view = |index: u64| {
            let start = index as usize * ty.bytes();
            let mut word = [0; 8];
            if let Some(bytes) = buffer.bytes.get(start..start + ty.bytes()) {
                word[..ty.bytes()].copy_from_slice(bytes);
            }
            format_number(ty, u64::from_le_bytes(word))
        };
        let count = (buffer.bytes.len() / ty.bytes()) as u64;
        let mut text = self.name.clone();
        if range != (0..count) {
            let _ = write!(text, "[{}..{}]", range.start, range.end);
        }
        let shape: Vec<String> = if ty.bytes() == buffer.ty.bytes() {
            buffer.shape.iter().map(u64::to_string).collect()
        } else {
            vec![count.to_string()]
        };
        let _ = writeln!(text, " = {ty}[{}]", shape.join(", "));
        let elements: Vec<String> = range.clone().map(view).collect();
        let width = elements.iter().map(String::len).max().unwrap_or(0);
        let index_width = range.end.saturating_sub(1).to_string().len();
        // A power of two, so that a sub-group's lanes stand under each other.
        let fit = (LINE.saturating_sub(index_width + 3) / (width + 1)).max(1);
        let columns = 1 << fit.min(32).ilog2();
        for (row, line) in elements.chunks(columns).enumerate() {
            let _ = write!(text, "  {:index_width$}:", range.start + (row * columns) as u64);
            for element in line {
                let _ = write!(text, " {element:>width$}");
            }
            text.push('\n');
        }
        if self.range.is_none() && range.end < count {
            let _ = writeln!(text, "  … {} more, from `{}:{}..` on", count - range.end, self.name, range.end);
        }
        Ok(text)
    }
}

impl fmt::Display for PrintRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(ty) = self.ty {
            write!(f, ":{ty}")?;
        }
        if let Some((from, to)) = self.range {
            let text = |end: Option<u64>| end.map(|n| n.to_string()).unwrap_or_default();
            write!(f, ":{}..{}", text(from), text(to))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    fn print(request: &str, value: &str) -> String {
        let buffer = Value::parse(value).unwrap().materialise(&crate::NoFiles, 1 << 20).unwrap();
        PrintRequest::parse(request).unwrap().text(&buffer).unwrap()
    }

    #[test]
    fn requests_are_read() {
        for text in ["out", "@g:u32", "out:0..8", "out:f:4..", "out:..9", "out:.."] {
            assert_eq!(PrintRequest::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            ":u32",
            "out:",
            "out:x",
            "out:5",
            "out:-1..2",
            "out:1..2:3",
            "out:1..2:u8",
            "out:u8:u8",
            "out:1...2",
        ] {
            assert!(PrintRequest::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn elements_stand_in_columns() {
        assert_eq!(print("o", "buf:s32:1,-20,3"), "o = s32[3]\n  0:   1 -20   3\n");
        assert_eq!(print("o:1..2", "buf:f:1,0.5,nan"), "o[1..2] = f[3]\n  1: 0.5\n");
        assert_eq!(print("o:u16", "buf:u32:0x10002"), "o = u16[2]\n  0: 2 1\n");
        assert_eq!(print("o", "zeros:u8:0"), "o = u8[0]\n");
        let text = print("o", "iota:u32:40");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[1], "   0:  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15");
        assert_eq!(lines[3], "  32: 32 33 34 35 36 37 38 39");
        let long = print("o", "iota:u32:2000");
        assert!(long.ends_with("  … 976 more, from `o:1024..` on\n"), "{long}");
    }

    #[test]
    fn ranges_stay_within_the_buffer() {
        let buffer = Buffer::flat(ElementType::U8, vec![0; 6]);
        for request in ["o:0..7", "o:4..3", "o:7..", "o:u32"] {
            assert!(PrintRequest::parse(request).unwrap().text(&buffer).is_err(), "{request}");
        }
        assert!(PrintRequest::parse("o:6..").unwrap().text(&buffer).is_ok());
    }
}
