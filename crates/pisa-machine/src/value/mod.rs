//! The VALUE grammar: what arguments, buffers and expectations are made of.
//!
//! ```text
//! @FILE.npy[:TYPE]  @FILE.bin:TYPE  @FILE.pgm  @FILE.ppm  @FILE.png
//! zeros:TYPE:N  fill:TYPE:N:V  iota:TYPE:N  rand:TYPE:N[:SEED]  uninit:TYPE:N  buf:TYPE:V,V,…
//! TYPE:V  bytes:HEX  shared:BYTES  ptr:NAME[+BYTES]  null
//! ```

mod buffer;
mod generate;
mod number;
mod parse;
mod types;

pub use buffer::Buffer;
pub use number::{format_number, parse_number};
pub use types::ElementType;

pub(crate) use buffer::elements;
pub(crate) use number::{infinity, is_nan, to_double, to_integer};
pub(crate) use parse::{parse_count, parse_type};

use crate::files::FileLoader;
use std::fmt;

/// A VALUE, understood but not yet looked up: files are not read, buffers not filled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// `@FILE`: a buffer read from a file.
    File {
        /// Its path as written; the extension says the format.
        path: String,
        /// The type of the elements, where it is written.
        ty: Option<ElementType>,
    },
    /// A buffer made of a rule.
    Made {
        /// Type of its elements.
        ty: ElementType,
        /// How many there are; their bytes fit 48 bits.
        count: u64,
        /// What they are.
        fill: Fill,
    },
    /// `buf:`: a buffer of these elements.
    List {
        /// Their type.
        ty: ElementType,
        /// Their bits.
        elements: Vec<u64>,
    },
    /// `TYPE:V`: passed by value.
    Scalar {
        /// Its type.
        ty: ElementType,
        /// Its bits.
        bits: u64,
    },
    /// `bytes:`: passed by value, in the order of memory.
    Bytes(Vec<u8>),
    /// `shared:`: this many bytes of dynamic shared memory (V-18).
    Shared(u64),
    /// `ptr:`: the address of another buffer, of a shared block, or of a global variable, plus an offset.
    Pointer {
        /// Its name; a variable's has its `@`.
        name: String,
        /// Added to the address.
        offset: u64,
    },
    /// `null`: the null pointer of the parameter's address space.
    Null,
}

/// What the elements of a made buffer are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// `zeros`
    Zeros,
    /// `uninit`: bytes [`crate::UNDEFINED_BYTE`], and the sanitizer treats them as never written.
    Undefined,
    /// `fill`: all the same bits.
    Same(u64),
    /// `iota`: 0, 1, 2, …; integers wrap around, floats are rounded to the nearest.
    Iota,
    /// `rand` with its seed: see [`Value::materialise`].
    Random(u64),
}

impl Value {
    /// Whether it stands for a buffer in global memory.
    pub fn is_buffer(&self) -> bool {
        matches!(self, Value::File { .. } | Value::Made { .. } | Value::List { .. })
    }
}

impl fmt::Display for Value {
    /// The text that [`Value::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::File { path, ty: None } => write!(f, "@{path}"),
            Value::File { path, ty: Some(ty) } => write!(f, "@{path}:{ty}"),
            Value::Made { ty, count, fill } => match fill {
                Fill::Zeros => write!(f, "zeros:{ty}:{count}"),
                Fill::Undefined => write!(f, "uninit:{ty}:{count}"),
                Fill::Same(bits) => write!(f, "fill:{ty}:{count}:{}", format_number(*ty, *bits)),
                Fill::Iota => write!(f, "iota:{ty}:{count}"),
                Fill::Random(seed) => write!(f, "rand:{ty}:{count}:{seed}"),
            },
            Value::List { ty, elements } => {
                write!(f, "buf:{ty}:")?;
                for (i, &bits) in elements.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(f, "{comma}{}", format_number(*ty, bits))?;
                }
                Ok(())
            }
            Value::Scalar { ty, bits } => write!(f, "{ty}:{}", format_number(*ty, *bits)),
            Value::Bytes(bytes) => {
                f.write_str("bytes:")?;
                bytes.iter().try_for_each(|b| write!(f, "{b:02x}"))
            }
            Value::Shared(bytes) => write!(f, "shared:{bytes}"),
            Value::Pointer { name, offset: 0 } => write!(f, "ptr:{name}"),
            Value::Pointer { name, offset } => write!(f, "ptr:{name}+{offset}"),
            Value::Null => f.write_str("null"),
        }
    }
}

impl std::str::FromStr for Value {
    type Err = ValueError;
    fn from_str(text: &str) -> Result<Value, ValueError> {
        Value::parse(text)
    }
}

/// A VALUE that cannot be read or made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueError {
    /// What is wrong, one line.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl ValueError {
    /// An error without help.
    pub fn new(message: impl Into<String>) -> ValueError {
        ValueError { message: message.into(), help: None }
    }
    /// With help.
    pub fn help(mut self, help: impl Into<String>) -> ValueError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValueError {}

/// Memory of the host that a value may take, so that a typing mistake ends in a message.
pub(crate) fn reserve(bytes: u64, limit: u64, what: &dyn fmt::Display) -> Result<Vec<u8>, ValueError> {
    let error =
        || ValueError::new(format!("no memory for `{what}`: it takes {bytes} bytes, {limit} are left"));
    let size = usize::try_from(bytes).ok().filter(|_| bytes <= limit).ok_or_else(error)?;
    let mut vector = Vec::new();
    vector.try_reserve_exact(size).map_err(|_| error())?;
    Ok(vector)
}

impl Value {
    /// The buffer a buffer form stands for; other forms are errors. `limit` bounds its size in bytes.
    ///
    /// `rand` is the same on every host: element `i` comes from the `i`-th output `x` of SplitMix64 (a 64-bit counter
    /// that starts at the seed, grows by 0x9E3779B97F4A7C15, and is mixed). An integer of `b` bits is the top `b` bits
    /// of `x`; a float with `p` bits of precision is the top `p` bits of `x` times 2^-p, so uniform in [0, 1).
    pub fn materialise(&self, files: &dyn FileLoader, limit: u64) -> Result<Buffer, ValueError> {
        match self {
            Value::File { path, ty } => crate::files::load(path, *ty, files, limit),
            Value::Made { ty, count, fill } => generate::make(self, *ty, *count, *fill, limit),
            Value::List { ty, elements } => {
                let size = ty.bytes();
                let mut bytes = reserve((elements.len() * size) as u64, limit, &"buf")?;
                bytes.extend(elements.iter().flat_map(|e| e.to_le_bytes().into_iter().take(size)));
                Ok(Buffer::flat(*ty, bytes))
            }
            _ => Err(ValueError::new(format!("`{self}` is not a buffer"))
                .help("a buffer is `@FILE`, `zeros`, `fill`, `iota`, `rand`, `uninit` or `buf`")),
        }
    }
}
