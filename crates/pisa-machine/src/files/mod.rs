//! Files that buffers come from and go to: `.npy`, `.bin`, `.pgm`, `.ppm`, `.png`.
//!
//! Sizes in a header are believed only as far as the file is long, so a bad file ends in a message.

mod loader;
mod netpbm;
mod npy;
mod picture;
mod save;

pub use loader::{Directory, FileLoader, NoFiles};
pub use save::SaveTarget;

pub(crate) use loader::reason;

use crate::{Buffer, ElementType, ValueError};

/// A file format, by extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// `.npy`
    Npy,
    /// `.bin`
    Raw,
    /// A picture.
    Picture(Picture),
}

/// A picture format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Picture {
    /// `.pgm`: grey.
    Pgm,
    /// `.ppm`: red, green, blue.
    Ppm,
    /// `.png`: 1 to 4 channels.
    Png,
}

impl Format {
    /// The format of a file of this name.
    pub fn of(path: &str) -> Result<Format, ValueError> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let extension = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        Ok(match extension.as_deref() {
            Some("npy") => Format::Npy,
            Some("bin") => Format::Raw,
            Some("pgm") => Format::Picture(Picture::Pgm),
            Some("ppm") => Format::Picture(Picture::Ppm),
            Some("png") => Format::Picture(Picture::Png),
            _ => {
                return Err(ValueError::new(format!(
                    "the name `{path}` does not say the format of the file"
                ))
                .help("formats are `.npy`, `.bin:TYPE`, `.pgm`, `.ppm` and `.png`"));
            }
        })
    }
}

/// Reads a buffer; `limit` bounds what it takes in memory.
pub(crate) fn load(
    path: &str,
    ty: Option<ElementType>,
    files: &dyn FileLoader,
    limit: u64,
) -> Result<Buffer, ValueError> {
    let format = Format::of(path)?;
    let bytes = files.load(path, limit)?;
    let buffer = match format {
        Format::Raw => raw(bytes, ty.unwrap_or(ElementType::U8)),
        Format::Npy => npy::read(bytes, ty),
        Format::Picture(Picture::Png) => picture::read_png(&bytes, limit),
        Format::Picture(_) => netpbm::read(&bytes),
    };
    buffer.map_err(|e| ValueError { message: format!("`{path}`: {}", e.message), help: e.help })
}

fn raw(bytes: Vec<u8>, ty: ElementType) -> Result<Buffer, ValueError> {
    if !bytes.len().is_multiple_of(ty.bytes()) {
        let (length, size) = (bytes.len(), ty.bytes());
        return Err(ValueError::new(format!(
            "its {length} bytes are no whole number of {ty}, which has {size}"
        )));
    }
    Ok(Buffer::flat(ty, bytes))
}
