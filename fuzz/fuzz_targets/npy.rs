//! Any bytes are a `.npy` file or an error; what was read is written as a file that reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pisa_fuzz::read_and_write;

fuzz_target!(|bytes: &[u8]| read_and_write(bytes, "npy"));
