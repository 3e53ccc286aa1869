//! Damaged files and texts end in errors, never in a panic or in memory without bound.

use pisa_machine::{
    Argument, Buffer, ElementType, Expectation, Extent, FileLoader, LaunchFile, PrintRequest, SaveTarget,
    Tolerance, Value, ValueError, parse_number,
};

/// One file under every name.
struct OneFile(Vec<u8>);

impl FileLoader for OneFile {
    fn load(&self, _path: &str, _limit: u64) -> Result<Vec<u8>, ValueError> {
        Ok(self.0.clone())
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) % limit.max(1) as u64) as usize
    }
    /// A copy with a few bytes changed, removed, doubled or cut off.
    fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            match self.below(5) {
                _ if bytes.is_empty() => {}
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes[at] = [0, 0xFF, b'9', b',', b'(', b'-', b':', 0x80][self.below(8)],
                2 => drop(bytes.remove(at)),
                3 => bytes.truncate(at),
                _ => {
                    let end = (at + self.below(16)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        bytes
    }
}

#[test]
fn damaged_files_are_read_or_refused() {
    let buffer = Buffer { ty: ElementType::U8, shape: vec![4, 5, 3], bytes: (0..60).collect() };
    let mut random = Random(1);
    for name in ["@a.npy", "@a.ppm", "@a.png"] {
        let mut file = Vec::new();
        SaveTarget::parse(name).unwrap().write(&buffer, &mut file).unwrap();
        let value = Value::parse(name).unwrap();
        assert_eq!(value.materialise(&OneFile(file.clone()), 1 << 20).unwrap(), buffer);
        for _ in 0..20_000 {
            let files = OneFile(random.damage(&file));
            // A change of the pixels alone gives another picture; a file that is read is consistent in itself.
            if let Ok(read) = value.materialise(&files, 1 << 20) {
                assert!(read.is_consistent());
                assert!(read.bytes.len() <= 1 << 20);
            }
        }
    }
    let text = b"P3 2 2 255 1 2 3 4 5 6 7 8 9 10 11 12";
    for _ in 0..20_000 {
        let files = OneFile(random.damage(text));
        if let Ok(read) = Value::parse("@a.ppm").unwrap().materialise(&files, 1 << 20) {
            assert!(read.is_consistent());
        }
    }
}

#[test]
fn damaged_texts_are_read_or_refused() {
    let mut random = Random(2);
    let values = [
        "rand:u32:16:7",
        "fill:s16:5:-2",
        "buf:hf:1,nan,0x3c00",
        "bytes:00ff12",
        "ptr:out+16",
        "shared:4096",
        "f:-1.5e3",
        "u64:18446744073709551615",
        "@a/b.bin:u32",
        "@x.png",
        "uninit:bf:3",
        "null",
        "df:nan(0x7ff8000000000001)",
    ];
    for _ in 0..50_000 {
        let whole = values[random.below(values.len())];
        let text = random.damage(whole.as_bytes());
        let text = String::from_utf8_lossy(&text).into_owned();
        if let Ok(value) = Value::parse(&text) {
            // What is read has a text of its own, which reads as the same.
            assert_eq!(Value::parse(&value.to_string()), Ok(value.clone()), "{text}");
            let _ = value.materialise(&OneFile(vec![1; 8]), 1 << 16);
        }
        let _ = Argument::parse_named(&format!("x={text}"));
        let _ = Expectation::parse(&format!("x={text}~ulp:3"));
        let _ = Tolerance::parse(&text);
        let _ = PrintRequest::parse(&text);
        let _ = SaveTarget::parse(&text);
        let _ = Extent::parse("-g", &text);
        for &ty in ElementType::ALL {
            let _ = parse_number(ty, &text);
        }
    }
}

#[test]
fn damaged_launch_files_are_read_or_refused() {
    let whole = "files = [\"a.pisa\"]\nglobal = [64, 2]\nlocal = 32\nprint = [\"x:0..4\"]\n\n[args]\nx = \"zeros:u32:4\"\n\
        n = \"u32:4\"\n\n[save]\nx = \"@x.npy\"\n\n[expect]\nx = \"buf:u32:1,2,3,4~abs:1\"\n";
    let mut random = Random(3);
    for _ in 0..5_000 {
        let text = random.damage(whole.as_bytes());
        match LaunchFile::parse(&String::from_utf8_lossy(&text), "k.toml") {
            Ok(file) => drop(file.to_toml()),
            Err(error) => assert!(error.message.starts_with("k.toml"), "{error}"),
        }
    }
}
