//! Portable grey and pixel maps, `.pgm` and `.ppm`: P2, P3, P5, P6.

use crate::{Buffer, ElementType, ValueError};
use std::io::{self, Write};

/// Reads a picture into u8 of shape [h, w] or [h, w, 3]; values are scaled from 0 … maximum to 0 … 255.
pub(super) fn read(bytes: &[u8]) -> Result<Buffer, ValueError> {
    let (channels, text) = match bytes.get(..2) {
        Some(b"P2") => (1, true),
        Some(b"P3") => (3, true),
        Some(b"P5") => (1, false),
        Some(b"P6") => (3, false),
        _ => {
            return Err(ValueError::new(
                "it is no .pgm or .ppm file: it does not start with P2, P3, P5 or P6",
            ));
        }
    };
    let mut scanner = Scanner { rest: &bytes[2..] };
    let width = scanner.number("the width")?;
    let height = scanner.number("the height")?;
    let maximum = scanner.number("the largest value")?;
    if !(1..=255).contains(&maximum) {
        return Err(ValueError::new(format!(
            "its values go up to {maximum}; only pictures of 8 bits are read"
        )));
    }
    let claims =
        || ValueError::new(format!("its header says {width}x{height}, it has {} bytes in all", bytes.len()));
    let count = (u64::from(width) * u64::from(height)).checked_mul(channels);
    // A value takes a byte at least, so the file bounds what is allocated.
    let count = count.filter(|&n| n <= scanner.rest.len() as u64).ok_or_else(claims)? as usize;
    let mut values = Vec::with_capacity(count);
    if text {
        for _ in 0..count {
            let value = scanner.number("a value")?;
            values.push(
                u8::try_from(value).map_err(|_| ValueError::new(format!("the value {value} is no byte")))?,
            );
        }
    } else {
        // One whitespace character ends the header.
        let data = scanner.rest.split_first().filter(|(b, _)| b.is_ascii_whitespace()).map(|(_, data)| data);
        let (data, rest) = data.and_then(|data| data.split_at_checked(count)).ok_or_else(claims)?;
        values.extend_from_slice(data);
        scanner.rest = rest;
    }
    if scanner.skip_space().is_some() {
        return Err(ValueError::new("something follows its last value"));
    }
    if let Some(value) = values.iter().find(|&&v| u32::from(v) > maximum) {
        return Err(ValueError::new(format!("the value {value} is larger than {maximum}, its largest")));
    }
    if maximum < 255 {
        for value in &mut values {
            *value = ((u32::from(*value) * 255 + maximum / 2) / maximum) as u8;
        }
    }
    let mut shape = vec![u64::from(height), u64::from(width)];
    if channels > 1 {
        shape.push(channels);
    }
    Ok(Buffer { ty: ElementType::U8, shape, bytes: values })
}

struct Scanner<'a> {
    rest: &'a [u8],
}

impl Scanner<'_> {
    /// Skips white space and comments; the next byte.
    fn skip_space(&mut self) -> Option<u8> {
        loop {
            match *self.rest {
                [b, ..] if b.is_ascii_whitespace() => self.rest = &self.rest[1..],
                [b'#', ..] => {
                    let end = self.rest.iter().position(|&b| b == b'\n' || b == b'\r');
                    self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
                }
                [b, ..] => return Some(b),
                [] => return None,
            }
        }
    }

    fn number(&mut self, what: &str) -> Result<u32, ValueError> {
        match self.skip_space() {
            None => return Err(ValueError::new(format!("it ends where {what} should stand"))),
            Some(b) if !b.is_ascii_digit() => {
                return Err(ValueError::new(format!("{what} is not a number")));
            }
            Some(_) => {}
        }
        let end = self.rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        let number = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok());
        number.ok_or_else(|| ValueError::new(format!("{what} is too large")))
    }
}

/// Writes P5 or P6; the caller has checked that `bytes` has `width * height * channels` values.
pub(super) fn write(
    bytes: &[u8],
    width: u64,
    height: u64,
    channels: u64,
    into: &mut dyn Write,
) -> io::Result<()> {
    let magic = if channels == 1 { "P5" } else { "P6" };
    write!(into, "{magic}\n{width} {height}\n255\n")?;
    into.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_four_kinds_are_read() {
        let grey = read(b"P2\n# a comment\n3 2\n255\n1 2 3\n4 5 # here too\n6\n").unwrap();
        assert_eq!((grey.shape.as_slice(), grey.bytes.as_slice()), (&[2, 3][..], &[1, 2, 3, 4, 5, 6][..]));
        let colour = read(b"P3 1 2 255 1 2 3 4 5 6").unwrap();
        assert_eq!(
            (colour.shape.as_slice(), colour.bytes.as_slice()),
            (&[2, 1, 3][..], &[1, 2, 3, 4, 5, 6][..])
        );
        // The first value of the data looks like white space.
        assert_eq!(read(b"P5 2 1 255\n\n#").unwrap().bytes, [b'\n', b'#']);
        assert_eq!(read(b"P6\n1 1\n255\nabc").unwrap().bytes, b"abc");
        // Maximum 15: 15 becomes 255, 7 becomes 119.
        assert_eq!(read(b"P2 3 1 15 0 7 15").unwrap().bytes, [0, 119, 255]);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        write(&[7, 8, 9, 10, 11, 12], 1, 2, 3, &mut bytes).unwrap();
        assert_eq!(bytes, b"P6\n1 2\n255\n\x07\x08\x09\x0A\x0B\x0C");
        assert_eq!(read(&bytes).unwrap().bytes, [7, 8, 9, 10, 11, 12]);
    }

    #[test]
    fn bad_pictures_are_refused() {
        for bytes in [
            &b""[..],
            b"P",
            b"P4 1 1 x",
            b"P5",
            b"P5 1",
            b"P5 1 1 255",
            b"P5 1 1 255\n",
            b"P5 2 1 255\nx",
            b"P5 1 1 255\nxy",
            b"P5 1 1 0\nx",
            b"P5 1 1 256\nxx",
            b"P5 -1 1 255\nx",
            b"P2 2 1 255 1",
            b"P2 1 1 254 256",
            b"P2 1 1 255 99999999999",
            b"P2 1 1 15 16",
            b"P5 1 1 15\n\x20",
            b"P2 1 1 255 x",
            b"P5 4294967295 4294967295 255\nx",
            b"P3 4294967295 4294967295 255 1 2 3",
            b"P5 99999999999 1 255\nx",
            b"P2 1 1 255 1 2",
            b"P2 1 1 255 256",
        ] {
            assert!(read(bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
        }
    }
}
