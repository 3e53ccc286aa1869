//! PNG.

use crate::{Buffer, ElementType, ValueError};
use std::io::{self, Cursor, Write};

/// Deflate makes at most about this many bytes of one.
const MAX_EXPANSION: u64 = 1100;

/// Reads a picture into u8 of shape [h, w] or [h, w, c]; palettes are looked up, other depths become 8 bits.
pub(super) fn read_png(bytes: &[u8], limit: u64) -> Result<Buffer, ValueError> {
    let broken = |e: png::DecodingError| ValueError::new(format!("it is no readable PNG file: {e}"));
    let bytes_limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: bytes_limit });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (u64::from(reader.info().width), u64::from(reader.info().height));
    let packed = (width * height).saturating_mul(reader.info().bits_per_pixel() as u64) / 8;
    if packed > (bytes.len() as u64).saturating_mul(MAX_EXPANSION) {
        return Err(ValueError::new(format!(
            "its header says {width}x{height}, it has {} bytes in all",
            bytes.len()
        )));
    }
    let size = reader.output_buffer_size().filter(|&n| n as u64 <= limit);
    let no_memory = || ValueError::new(format!("no memory for its {width}x{height} pixels"));
    let size = size.ok_or_else(no_memory)?;
    let mut pixels = Vec::new();
    pixels.try_reserve_exact(size).map_err(|_| no_memory())?;
    pixels.resize(size, 0);
    let frame = reader.next_frame(&mut pixels).map_err(broken)?;
    pixels.truncate(frame.buffer_size());
    let channels = frame.color_type.samples() as u64;
    let mut shape = vec![height, width];
    if channels > 1 {
        shape.push(channels);
    }
    let buffer = Buffer { ty: ElementType::U8, shape, bytes: pixels };
    if !buffer.is_consistent() {
        return Err(ValueError::new("its pixels do not fill its size"));
    }
    Ok(buffer)
}

/// Writes 1 to 4 channels of 8 bits; the caller has checked that `bytes` has `width * height * channels` values.
pub(super) fn write_png(
    bytes: &[u8],
    width: u64,
    height: u64,
    channels: u64,
    into: &mut dyn Write,
) -> io::Result<()> {
    let side = |n: u64| u32::try_from(n).map_err(|_| io::Error::other("the picture is too large for PNG"));
    let mut encoder = png::Encoder::new(into, side(width)?, side(height)?);
    encoder.set_color(match channels {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        _ => png::ColorType::Rgba,
    });
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(io::Error::from)?;
    writer.write_image_data(bytes).map_err(io::Error::from)?;
    writer.finish().map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chunk with its checksum (CRC-32, bit by bit as the PNG specification defines it).
    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let body = [&kind[..], data].concat();
        let mut crc = u32::MAX;
        for &byte in &body {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            }
        }
        [&(data.len() as u32).to_be_bytes()[..], &body, &(!crc).to_be_bytes()].concat()
    }

    /// A file by hand: the header with this depth and colour type, and a stored deflate block.
    fn file(width: u32, height: u32, depth: u8, colour: u8, more: &[u8], rows: &[u8]) -> Vec<u8> {
        let (mut a, mut b) = (1u32, 0u32);
        for &byte in rows {
            a = (a + u32::from(byte)) % 65521;
            b = (b + a) % 65521;
        }
        let length = rows.len() as u16;
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, colour, 0, 0, 0]].concat();
        let stored = [&[0x78, 1, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), rows].concat();
        let data = [stored, (b << 16 | a).to_be_bytes().to_vec()].concat();
        let signature = b"\x89PNG\r\n\x1a\n".to_vec();
        [signature, chunk(b"IHDR", &header), more.to_vec(), chunk(b"IDAT", &data), chunk(b"IEND", &[])]
            .concat()
    }

    #[test]
    fn every_colour_type_is_read() {
        let read = |bytes: &[u8]| read_png(bytes, 1 << 20).unwrap();
        // Each row starts with its filter, 0.
        let grey = read(&file(2, 2, 8, 0, &[], &[0, 1, 2, 0, 3, 4]));
        assert_eq!((grey.shape.as_slice(), grey.bytes.as_slice()), (&[2, 2][..], &[1, 2, 3, 4][..]));
        let colour = read(&file(1, 2, 8, 2, &[], &[0, 1, 2, 3, 0, 4, 5, 6]));
        assert_eq!(
            (colour.shape.as_slice(), colour.bytes.as_slice()),
            (&[2, 1, 3][..], &[1, 2, 3, 4, 5, 6][..])
        );
        // Two bits a pixel: 3, 0, 1.
        assert_eq!(read(&file(3, 1, 2, 0, &[], &[0, 0b11_00_01_00])).bytes, [255, 0, 85]);
        // Sixteen bits: the high byte.
        assert_eq!(read(&file(1, 1, 16, 0, &[], &[0, 0xAB, 0xCD])).bytes, [0xAB]);
        let palette = read(&file(2, 1, 8, 3, &chunk(b"PLTE", &[1, 2, 3, 4, 5, 6]), &[0, 1, 0]));
        assert_eq!(
            (palette.shape.as_slice(), palette.bytes.as_slice()),
            (&[1, 2, 3][..], &[4, 5, 6, 1, 2, 3][..])
        );
    }

    #[test]
    fn pictures_survive_the_way_to_a_file_and_back() {
        for channels in 1..=4u64 {
            let pixels: Vec<u8> = (0..6 * channels as u8).map(|i| i * 9).collect();
            let mut file = Vec::new();
            write_png(&pixels, 3, 2, channels, &mut file).unwrap();
            let buffer = read_png(&file, 1 << 20).unwrap();
            assert_eq!(buffer.bytes, pixels);
            let expected = if channels == 1 { vec![2, 3] } else { vec![2, 3, channels] };
            assert_eq!(buffer.shape, expected);
        }
    }

    #[test]
    fn truncated_and_hostile_pictures_are_refused() {
        let rows: Vec<u8> = [0, 1, 2, 3].repeat(5);
        let whole = file(3, 5, 8, 0, &[], &rows);
        assert!(read_png(&whole, 1 << 20).is_ok());
        // The last 12 bytes are IEND, before it stand the checksums of the pixels.
        for length in 0..whole.len() - 20 {
            assert!(read_png(&whole[..length], 1 << 20).is_err(), "{length}");
        }
        assert!(read_png(&whole, 14).is_err());
        assert!(read_png(b"P5 1 1 255\nx", 1 << 20).is_err());
        let huge = read_png(&file(0x7FFF_FFFF, 0x7FFF_FFFF, 16, 6, &[], &rows), u64::MAX).unwrap_err();
        assert!(huge.message.len() < 200, "{huge}");
        let huge = read_png(&file(65535, 65535, 8, 0, &[], &rows), u64::MAX).unwrap_err();
        assert!(huge.message.contains("65535x65535"), "{huge}");
        assert!(read_png(&file(0, 1, 8, 0, &[], &rows), 1 << 20).is_err());
        assert!(read_png(&file(3, 5, 7, 0, &[], &rows), 1 << 20).is_err());
    }
}
