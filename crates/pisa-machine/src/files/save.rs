//! Where a buffer is saved: the `@FILE` of `--save NAME=@FILE`.

use super::{Directory, Format, Picture, loader::reason, netpbm, npy, picture};
use crate::value::parse_type;
use crate::{Buffer, ElementType, ValueError};
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// A file that a buffer goes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaveTarget {
    /// Its path as written.
    pub path: String,
    format: Format,
    /// `:TYPE` of `.bin`.
    ty: Option<ElementType>,
    /// `:WxH[xC]` of a picture; 0 channels where none are written.
    size: Option<[u64; 3]>,
}

impl SaveTarget {
    /// Reads `@FILE.npy`, `@FILE.bin[:TYPE]`, `@FILE.pgm[:WxH]`, `@FILE.ppm[:WxH]` or `@FILE.png[:WxH[xC]]`.
    pub fn parse(text: &str) -> Result<SaveTarget, ValueError> {
        let Some(rest) = text.trim().strip_prefix('@').filter(|rest| !rest.is_empty()) else {
            return Err(
                ValueError::new(format!("`{text}` is not a file to save to")).help("write it as `@FILE.npy`")
            );
        };
        let (path, suffix) = match rest.rsplit_once(':') {
            Some((path, suffix)) if !suffix.contains(['/', '.']) => (path, Some(suffix)),
            _ => (rest, None),
        };
        let format = Format::of(path)?;
        let (mut ty, mut size) = (None, None);
        match (format, suffix) {
            (_, None) => {}
            (Format::Raw, Some(suffix)) => ty = Some(parse_type(suffix)?),
            (Format::Picture(_), Some(suffix)) => size = Some(parse_size(suffix)?),
            (Format::Npy, Some(_)) => {
                return Err(ValueError::new("a .npy file has the type and shape of its buffer")
                    .help(format!("write `@{path}`")));
            }
        }
        Ok(SaveTarget { path: path.to_owned(), format, ty, size })
    }

    /// Writes the buffer to the file.
    pub fn save(&self, buffer: &Buffer, directory: &Directory) -> Result<(), ValueError> {
        self.check(buffer.ty, &buffer.shape, buffer.bytes.len() as u64)?;
        let place = directory.path(&self.path);
        let error =
            |e: io::Error| ValueError::new(format!("cannot write `{}`: {}", place.display(), reason(&e)));
        let mut file = BufWriter::new(File::create(&place).map_err(error)?);
        self.write(buffer, &mut file).map_err(error)?;
        file.flush().map_err(error)
    }

    /// Whether the format can hold a buffer of this type, shape and size in bytes: best asked before the launch runs.
    pub fn check(&self, ty: ElementType, shape: &[u64], size: u64) -> Result<(), ValueError> {
        if let Some(ty) = self.ty.filter(|ty| !size.is_multiple_of(ty.bytes() as u64)) {
            return Err(ValueError::new(format!("{size} bytes are no whole number of {ty}")));
        }
        match self.format {
            Format::Picture(picture) => self.picture_size(picture, ty, shape, size).map(|_| ()),
            Format::Npy | Format::Raw => Ok(()),
        }
    }

    /// Writes the file's bytes.
    pub fn write(&self, buffer: &Buffer, into: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Npy => npy::write(buffer, into),
            Format::Raw => into.write_all(&buffer.bytes),
            Format::Picture(kind) => {
                let [w, h, c] = self
                    .picture_size(kind, buffer.ty, &buffer.shape, buffer.bytes.len() as u64)
                    .map_err(|e| io::Error::other(e.message))?;
                match kind {
                    Picture::Png => picture::write_png(&buffer.bytes, w, h, c, into),
                    Picture::Pgm | Picture::Ppm => netpbm::write(&buffer.bytes, w, h, c, into),
                }
            }
        }
    }

    /// Width, height and channels of the picture.
    fn picture_size(
        &self,
        kind: Picture,
        ty: ElementType,
        shape: &[u64],
        length: u64,
    ) -> Result<[u64; 3], ValueError> {
        if ty != ElementType::U8 {
            return Err(ValueError::new(format!("a picture has elements u8, the buffer has {ty}"))
                .help("save it as .npy"));
        }
        let size = match (self.size, shape) {
            // Without a third number, the length says how many channels there are.
            (Some([w, h, 0]), _) => {
                let pixels = w.saturating_mul(h).max(1);
                [w, h, if length.is_multiple_of(pixels) { length / pixels } else { 1 }]
            }
            (Some(size), _) => size,
            (None, &[h, w]) => [w, h, 1],
            (None, &[h, w, c]) => [w, h, c],
            (None, shape) => {
                return Err(ValueError::new(format!(
                    "a buffer of {} dimension(s) is no picture",
                    shape.len()
                ))
                .help(format!("give its size, as in `@{}:640x480`", self.path)));
            }
        };
        let [w, h, c] = size;
        if w.checked_mul(h).and_then(|n| n.checked_mul(c)) != Some(length) {
            return Err(ValueError::new(format!(
                "a picture of {w}x{h} with {c} channel(s) has not the {length} bytes of the buffer"
            )));
        }
        let (allowed, name) = match kind {
            Picture::Pgm => (1..=1, ".pgm"),
            Picture::Ppm => (3..=3, ".ppm"),
            Picture::Png => (1..=4, ".png"),
        };
        if w == 0 || h == 0 || !allowed.contains(&c) {
            return Err(ValueError::new(format!("{name} cannot hold {w}x{h} pixels of {c} channel(s)"))
                .help("`.pgm` has 1 channel, `.ppm` 3, `.png` 1 to 4"));
        }
        Ok(size)
    }
}

impl fmt::Display for SaveTarget {
    /// The text that [`SaveTarget::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.path)?;
        match (self.ty, self.size) {
            (Some(ty), _) => write!(f, ":{ty}"),
            (None, Some([w, h, 0])) => write!(f, ":{w}x{h}"),
            (None, Some([w, h, c])) => write!(f, ":{w}x{h}x{c}"),
            (None, None) => Ok(()),
        }
    }
}

/// `WxH[xC]`; 0 channels where none are written.
fn parse_size(text: &str) -> Result<[u64; 3], ValueError> {
    let error = || {
        ValueError::new(format!("`{text}` is not the size of a picture"))
            .help("write WxH or WxHxC, as in `640x480x3`")
    };
    let number = |n: &str| n.parse().ok().filter(|&v: &u64| v > 0 && n.bytes().all(|b| b.is_ascii_digit()));
    let numbers: Option<Vec<u64>> = text.split('x').map(number).collect();
    match numbers.ok_or_else(error)?[..] {
        [w, h] => Ok([w, h, 0]),
        [w, h, c] => Ok([w, h, c]),
        _ => Err(error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(target: &str, buffer: &Buffer) -> Result<Vec<u8>, ValueError> {
        let target = SaveTarget::parse(target)?;
        target.check(buffer.ty, &buffer.shape, buffer.bytes.len() as u64)?;
        let mut bytes = Vec::new();
        target.write(buffer, &mut bytes).unwrap();
        Ok(bytes)
    }
    fn pixels(shape: &[u64], count: usize) -> Buffer {
        Buffer { ty: ElementType::U8, shape: shape.to_vec(), bytes: vec![9; count] }
    }

    #[test]
    fn the_extension_says_the_format() {
        let buffer = Buffer::flat(ElementType::U16, vec![1, 2, 3, 4]);
        assert_eq!(written("@a.bin", &buffer).unwrap(), [1, 2, 3, 4]);
        assert_eq!(written("@a.bin:u16", &buffer).unwrap(), [1, 2, 3, 4]);
        assert!(written("@a.npy", &buffer).unwrap().starts_with(b"\x93NUMPY"));
        assert_eq!(written("@a.pgm", &pixels(&[2, 1], 2)).unwrap(), b"P5\n1 2\n255\n\x09\x09");
        assert_eq!(written("@a.pgm:2x3", &pixels(&[6], 6)).unwrap()[..7], *b"P5\n2 3\n");
        assert_eq!(written("@a.ppm:2x1", &pixels(&[6], 6)).unwrap()[..7], *b"P6\n2 1\n");
        assert!(written("@a.png:3x1x2", &pixels(&[6], 6)).unwrap().starts_with(b"\x89PNG"));
        assert!(written("@a.png", &pixels(&[1, 2, 3], 6)).unwrap().starts_with(b"\x89PNG"));
    }

    #[test]
    fn what_a_format_cannot_hold_is_refused() {
        for (target, buffer) in [
            ("@a.pgm", pixels(&[6], 6)),
            ("@a.pgm", pixels(&[1, 2, 3], 6)),
            ("@a.ppm", pixels(&[2, 3], 6)),
            ("@a.png:4x2", pixels(&[6], 6)),
            ("@a.png:99999999999999x99999999999999", pixels(&[6], 6)),
            ("@a.png", pixels(&[0, 0], 0)),
            ("@a.png", pixels(&[1, 1, 5], 5)),
            ("@a.png", Buffer { ty: ElementType::U16, shape: vec![1, 1], bytes: vec![0; 2] }),
            ("@a.bin:u32", pixels(&[6], 6)),
        ] {
            assert!(written(target, &buffer).is_err(), "{target}");
        }
        for target in [
            "a.npy",
            "@",
            "@a",
            "@a.txt",
            "@a.npy:u8",
            "@a.png:0x4",
            "@a.png:3",
            "@a.png:1x2x3x4",
            "@a.bin:u7",
        ] {
            assert!(SaveTarget::parse(target).is_err(), "{target}");
        }
    }

    #[test]
    fn the_text_of_a_target_reads_as_the_same() {
        for text in ["@a/b.npy", "@a.bin:u32", "@a.bin", "@a.png:3x4", "@a.png:3x4x2"] {
            assert_eq!(SaveTarget::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn files_end_up_in_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let files = Directory::new(directory.path());
        let buffer = Buffer::flat(ElementType::U8, vec![1, 2]);
        SaveTarget::parse("@x.bin").unwrap().save(&buffer, &files).unwrap();
        assert_eq!(std::fs::read(directory.path().join("x.bin")).unwrap(), [1, 2]);
        let error = SaveTarget::parse("@no/x.bin").unwrap().save(&buffer, &files).unwrap_err();
        assert!(error.message.ends_with("there is no such file"), "{error}");
    }
}
