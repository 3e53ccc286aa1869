//! Any text is a VALUE or an error; buffers keep to the limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_machine::{ElementType, NoFiles, Value, format_number, parse_number};

const LIMIT: u64 = 1 << 16;

fuzz_target!(|text: &str| {
    if let Ok(value) = Value::parse(text)
        && value.is_buffer()
        && let Ok(buffer) = value.materialise(&NoFiles, LIMIT)
    {
        assert!(buffer.is_consistent() && buffer.bytes.len() as u64 <= LIMIT);
    }
    for name in ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "hf", "bf", "f", "df"] {
        let Some(ty) = ElementType::from_name(name) else { continue };
        if let Ok(bits) = parse_number(ty, text) {
            assert_eq!(parse_number(ty, &format_number(ty, bits)).ok(), Some(bits), "{name}");
        }
    }
});
