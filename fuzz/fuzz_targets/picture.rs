//! Any bytes are a PNG, PGM or PPM picture or an error; what was read is written as a file that reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_fuzz::read_and_write;

fuzz_target!(|bytes: &[u8]| {
    for extension in ["png", "pgm", "ppm"] {
        read_and_write(bytes, extension);
    }
});
