//! What several fuzz targets need.

use pisa_machine::{FileLoader, SaveTarget, Value, ValueError};

/// A file that is at hand, whatever its name.
struct Bytes<'a>(&'a [u8]);

impl FileLoader for Bytes<'_> {
    fn load(&self, _path: &str, limit: u64) -> Result<Vec<u8>, ValueError> {
        if self.0.len() as u64 > limit { Err(ValueError::new("too large")) } else { Ok(self.0.to_vec()) }
    }
}

/// Reads bytes as a file with this extension; what could be read must be written and read back the same.
pub fn read_and_write(bytes: &[u8], extension: &str) {
    const LIMIT: u64 = 1 << 20;
    let name = format!("fuzz.{extension}");
    let value = Value::parse(&format!("@{name}")).expect("a file");
    let Ok(buffer) = value.materialise(&Bytes(bytes), LIMIT) else { return };
    assert!(buffer.is_consistent() && buffer.bytes.len() as u64 <= LIMIT);
    let target = SaveTarget::parse(&format!("@{name}")).expect("a file");
    if target.check(buffer.ty, &buffer.shape, buffer.bytes.len() as u64).is_err() {
        return;
    }
    let mut written = Vec::new();
    target.write(&buffer, &mut written).expect("what can be written");
    let again = value.materialise(&Bytes(&written), u64::MAX).expect("what was written");
    assert_eq!((again.ty, &again.shape, &again.bytes), (buffer.ty, &buffer.shape, &buffer.bytes));
}
