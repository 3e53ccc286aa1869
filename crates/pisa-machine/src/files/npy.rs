//! NumPy's `.npy`, versions 1 to 3.
//!
//! The header is a Python dictionary, but always one with three known keys and flat values, so it is read without the
//! recursive grammar a general reader needs.

use crate::{Buffer, ElementType, ValueError};
use std::io::{self, Write};

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy itself allows no more.
const MAX_DIMENSIONS: usize = 64;

struct Header {
    ty: ElementType,
    big_endian: bool,
    fortran_order: bool,
    shape: Vec<u64>,
}

/// Reads an array; `wanted` may give u16 elements the meaning of another type of two bytes, and so on.
pub(super) fn read(mut bytes: Vec<u8>, wanted: Option<ElementType>) -> Result<Buffer, ValueError> {
    let (header, start) = read_header(&bytes)?;
    let size = header.ty.bytes();
    let count = header.shape.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
    let expected = count.and_then(|n| n.checked_mul(size as u64));
    let length = (bytes.len() - start) as u64;
    if expected != Some(length) {
        let shape: Vec<String> = header.shape.iter().map(u64::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        return Err(ValueError::new(format!(
            "its header says shape ({}{comma}) of {}, after it come {length} bytes",
            shape.join(", "),
            header.ty
        )));
    }
    let ty = match wanted {
        Some(ty) if ty.bytes() != size => {
            return Err(ValueError::new(format!(
                "its elements are {}, they cannot be read as {ty}",
                header.ty
            )));
        }
        Some(ty) => ty,
        None => header.ty,
    };
    bytes.drain(..start);
    if header.big_endian && size > 1 {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    if header.fortran_order && header.shape.len() > 1 {
        bytes = to_c_order(&bytes, &header.shape, size)?;
    }
    Ok(Buffer { ty, shape: header.shape, bytes })
}

/// Reorders from first dimension contiguous to last dimension contiguous.
fn to_c_order(bytes: &[u8], shape: &[u64], size: usize) -> Result<Vec<u8>, ValueError> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = size;
    for &d in shape {
        strides.push(stride);
        stride = stride.saturating_mul(d as usize);
    }
    let mut ordered = Vec::new();
    ordered
        .try_reserve_exact(bytes.len())
        .map_err(|_| ValueError::new("no memory to reorder its elements"))?;
    let mut index = vec![0u64; shape.len()];
    let mut offset = 0usize;
    while let Some(element) = bytes.get(offset..offset + size).filter(|_| ordered.len() < bytes.len()) {
        ordered.extend_from_slice(element);
        for d in (0..shape.len()).rev() {
            index[d] += 1;
            offset += strides[d];
            if index[d] < shape[d] {
                break;
            }
            offset -= strides[d] * shape[d] as usize;
            index[d] = 0;
        }
    }
    Ok(ordered)
}

/// The header, and where the data starts.
fn read_header(bytes: &[u8]) -> Result<(Header, usize), ValueError> {
    let truncated = || ValueError::new("it ends within its header");
    if !bytes.starts_with(MAGIC) {
        return Err(ValueError::new("it is no .npy file: it does not start with `\\x93NUMPY`"));
    }
    let (&version, rest) = bytes.get(6..).and_then(<[u8]>::split_first).ok_or_else(truncated)?;
    let rest = rest.get(1..).ok_or_else(truncated)?;
    let (length, start) = match (version, rest) {
        (1, &[a, b, ..]) => (u32::from(u16::from_le_bytes([a, b])), 10),
        (2 | 3, &[a, b, c, d, ..]) => (u32::from_le_bytes([a, b, c, d]), 12),
        (1..=3, _) => return Err(truncated()),
        _ => return Err(ValueError::new(format!("it has format version {version}; 1, 2 and 3 are known"))),
    };
    let end = start + length as usize;
    let text = bytes.get(start..end).ok_or_else(truncated)?;
    let text = std::str::from_utf8(text).map_err(|_| ValueError::new("its header is no text"))?;
    Ok((Scanner { rest: text }.header()?, end))
}

/// Walks over the text of the header.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn header(mut self) -> Result<Header, ValueError> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{")?;
        while !self.accept("}") {
            let key = self.string()?;
            self.expect(":")?;
            match key {
                "descr" => descr = Some(self.element_type()?),
                "fortran_order" if self.accept("True") => fortran_order = Some(true),
                "fortran_order" if self.accept("False") => fortran_order = Some(false),
                "shape" => shape = Some(self.shape()?),
                _ => {
                    return Err(ValueError::new(format!(
                        "its header has an entry `{key}` that is not known so"
                    )));
                }
            }
            if !self.accept(",") {
                self.expect("}")?;
                break;
            }
        }
        match (descr, fortran_order, shape) {
            (Some((ty, big_endian)), Some(fortran_order), Some(shape)) => {
                Ok(Header { ty, big_endian, fortran_order, shape })
            }
            _ => Err(ValueError::new("its header lacks `descr`, `fortran_order` or `shape`")),
        }
    }

    fn accept(&mut self, word: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, word: &str) -> Result<(), ValueError> {
        if self.accept(word) {
            return Ok(());
        }
        let found: String = self.rest.chars().take(20).collect();
        Err(ValueError::new(format!("its header is broken: `{word}` should stand before `{found}`")))
    }

    fn string(&mut self) -> Result<&'a str, ValueError> {
        let quote = if self.accept("\"") {
            '"'
        } else {
            self.expect("'")?;
            '\''
        };
        let (text, rest) =
            self.rest.split_once(quote).ok_or_else(|| ValueError::new("a text in its header has no end"))?;
        self.rest = rest;
        Ok(text)
    }

    fn element_type(&mut self) -> Result<(ElementType, bool), ValueError> {
        if self.accept("[") {
            return Err(
                ValueError::new("its elements are structures").help("save each field as an array of its own")
            );
        }
        let descr = self.string()?;
        let big_endian = descr.starts_with('>');
        let ty = match descr.trim_start_matches(['<', '>', '|', '=']) {
            "u1" | "b1" => ElementType::U8,
            "i1" => ElementType::S8,
            "u2" => ElementType::U16,
            "i2" => ElementType::S16,
            "u4" => ElementType::U32,
            "i4" => ElementType::S32,
            "u8" => ElementType::U64,
            "i8" => ElementType::S64,
            "f2" => ElementType::Hf,
            "f4" => ElementType::F,
            "f8" => ElementType::Df,
            _ => {
                return Err(ValueError::new(format!(
                    "its elements are `{descr}`, which has no counterpart here"
                ))
                .help("types are integers of 1 to 8 bytes and floats of 2, 4 and 8"));
            }
        };
        Ok((ty, big_endian))
    }

    fn shape(&mut self) -> Result<Vec<u64>, ValueError> {
        let mut shape = Vec::new();
        self.expect("(")?;
        while !self.accept(")") {
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            let size =
                digits.parse().map_err(|_| ValueError::new("a size in the shape of its header is broken"))?;
            self.rest = rest;
            shape.push(size);
            if shape.len() > MAX_DIMENSIONS {
                return Err(ValueError::new(format!("its shape has more than {MAX_DIMENSIONS} dimensions")));
            }
            if !self.accept(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}

/// Writes an array, version 1. `bf` becomes uint16.
pub(super) fn write(buffer: &Buffer, into: &mut dyn Write) -> io::Result<()> {
    let descr = match buffer.ty {
        ElementType::U8 => "|u1",
        ElementType::S8 => "|i1",
        ElementType::U16 | ElementType::Bf => "<u2",
        ElementType::S16 => "<i2",
        ElementType::U32 => "<u4",
        ElementType::S32 => "<i4",
        ElementType::U64 => "<u8",
        ElementType::S64 => "<i8",
        ElementType::Hf => "<f2",
        ElementType::F => "<f4",
        ElementType::Df => "<f8",
    };
    let sizes: Vec<String> = buffer.shape.iter().map(u64::to_string).collect();
    // As Python has it: `()`, `(2,)`, `(2, 3)`.
    let comma = if sizes.len() == 1 { "," } else { "" };
    let shape = format!("({}{comma})", sizes.join(", "));
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // The data starts at a multiple of 64.
    let unpadded = MAGIC.len() + 4 + header.len() + 1;
    header.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(64) - unpadded));
    header.push('\n');
    let length =
        u16::try_from(header.len()).map_err(|_| io::Error::other("the shape has too many dimensions"))?;
    into.write_all(MAGIC)?;
    into.write_all(&[1, 0])?;
    into.write_all(&length.to_le_bytes())?;
    into.write_all(header.as_bytes())?;
    into.write_all(&buffer.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }
    fn dictionary(descr: &str, fortran: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}   \n")
    }

    /// What `numpy.save` writes for `np.array([[1, 2, 3], [4, 5, 6]], dtype='<u2')`.
    fn numpy_file() -> Vec<u8> {
        let mut bytes =
            b"\x93NUMPY\x01\x00v\x00{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }".to_vec();
        bytes.resize(127, b' ');
        bytes.push(b'\n');
        bytes.extend([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);
        bytes
    }

    #[test]
    fn a_file_of_numpy_is_read_and_written() {
        let buffer = read(numpy_file(), None).unwrap();
        assert_eq!((buffer.ty, buffer.shape.as_slice()), (ElementType::U16, &[2, 3][..]));
        assert_eq!(buffer.elements().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        let mut written = Vec::new();
        write(&buffer, &mut written).unwrap();
        assert_eq!(written, numpy_file());
    }

    #[test]
    fn all_versions_byte_orders_and_orders() {
        let buffer = read(file(2, &dictionary(">u2", "False", "(2,)"), &[1, 2, 3, 4]), None).unwrap();
        assert_eq!(buffer.elements().collect::<Vec<_>>(), [0x0102, 0x0304]);
        let buffer = read(file(3, &dictionary("|u1", "True", "(2, 3)"), &[1, 4, 2, 5, 3, 6]), None).unwrap();
        assert_eq!(buffer.bytes, [1, 2, 3, 4, 5, 6]);
        // Element (i, j, k) of shape (2, 3, 2) lies at i + 2j + 6k in Fortran order.
        let data: Vec<u8> = (0..12).collect();
        let buffer = read(file(1, &dictionary("|u1", "True", "(2, 3, 2)"), &data), None).unwrap();
        assert_eq!(buffer.bytes, [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11]);
        let buffer = read(file(1, &dictionary("<f2", "False", "()"), &[0, 0x3C]), None).unwrap();
        assert_eq!((buffer.ty, buffer.shape.len(), buffer.count()), (ElementType::Hf, 0, 1));
        let buffer = read(file(1, &dictionary("<f8", "True", "(0, 5)"), &[]), None).unwrap();
        assert_eq!((buffer.shape.as_slice(), buffer.count()), (&[0, 5][..], 0));
        let reordered = "{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"|b1\"}";
        assert_eq!(read(file(1, reordered, &[1]), None).unwrap().ty, ElementType::U8);
    }

    #[test]
    fn two_byte_elements_can_be_bf() {
        let bytes = file(1, &dictionary("<u2", "False", "(1,)"), &[0x80, 0x3F]);
        assert_eq!(read(bytes.clone(), Some(ElementType::Bf)).unwrap().ty, ElementType::Bf);
        assert!(read(bytes, Some(ElementType::F)).is_err());
        let buffer = Buffer::flat(ElementType::Bf, vec![0x80, 0x3F]);
        let mut written = Vec::new();
        write(&buffer, &mut written).unwrap();
        assert_eq!(read(written, None).unwrap().ty, ElementType::U16);
    }

    #[test]
    fn shapes_are_written_as_python_has_them() {
        for (shape, text) in [(vec![], "()"), (vec![2], "(2,)"), (vec![1, 2], "(1, 2)")] {
            let count = shape.iter().product::<u64>() as usize;
            let mut written = Vec::new();
            write(&Buffer { ty: ElementType::U8, shape, bytes: vec![0; count] }, &mut written).unwrap();
            let header = String::from_utf8_lossy(&written);
            assert!(header.contains(&format!("'shape': {text}, }}")), "{header}");
            assert_eq!((written.len() - count) % 64, 0);
        }
    }

    #[test]
    fn every_truncation_is_refused() {
        let whole = numpy_file();
        for length in 0..whole.len() {
            assert!(read(whole[..length].to_vec(), None).is_err(), "{length}");
        }
        let mut longer = whole;
        longer.push(0);
        assert!(read(longer, None).is_err());
    }

    #[test]
    fn hostile_headers_are_refused() {
        let nested = format!("{{'shape': {}", "(".repeat(60000));
        let long = format!("({})", "1,".repeat(65));
        for header in [
            "",
            "{",
            "{}",
            "{'descr'",
            "{'descr': '<u2'",
            "{'descr': 3}",
            "[]",
            &nested,
            "{'x': 1}",
            &dictionary("<u2", "False", "(18446744073709551615, 18446744073709551615)"),
            &dictionary("<u2", "False", "(99999999999999999999)"),
            &dictionary("<u2", "False", "(9223372036854775808,)"),
            &dictionary("<u2", "False", "(-1,)"),
            &dictionary("<u2", "Maybe", "(1,)"),
            &dictionary("<c8", "False", "(1,)"),
            &dictionary("<U5", "False", "(1,)"),
            &dictionary("", "False", "(1,)"),
            &dictionary("|u1", "False", &long),
            "{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (1,)}",
        ] {
            assert!(read(file(1, header, &[0, 0]), None).is_err(), "{header:.60}");
        }
        assert!(read(file(9, "{}", &[]), None).is_err_and(|e| e.message.contains("version 9")));
        // A header of 4 GiB in a file of 15 bytes.
        let mut bytes = MAGIC.to_vec();
        bytes.extend([2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]);
        assert!(read(bytes, None).unwrap_err().message.contains("ends within its header"));
        assert!(read(b"GIF89a....".to_vec(), None).unwrap_err().message.contains("is no .npy file"));
    }
}
