//! Hashes the sources that the checks cover, so that the record can say what was checked.

use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let crates = Path::new("../crates");
    let mut files = Vec::new();
    collect(&crates.join("pisa-float/src"), &mut files)?;
    println!("cargo::rustc-env=XTASK_FLOAT_CODE={}", hash(&mut files)?);
    collect(&crates.join("pisa-vector/src/kernels"), &mut files)?;
    println!("cargo::rustc-env=XTASK_VECTOR_CODE={}", hash(&mut files)?);
    Ok(())
}

/// FNV-1a of the files' lines without comments, in the order of their names.
fn hash(files: &mut [PathBuf]) -> io::Result<String> {
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for file in files {
        for line in std::fs::read_to_string(file)?.lines().filter(|line| !line.trim_start().starts_with("//"))
        {
            for byte in line.bytes().chain([b'\n']) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    Ok(format!("{:08x}", hash >> 32))
}

/// The Rust files in a folder and below it, but for tests, which do not change what is checked.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
