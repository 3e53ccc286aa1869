//! Where the bytes of files come from.

use crate::ValueError;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Reads the files that values name.
pub trait FileLoader {
    /// The whole file, at most `limit` bytes.
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, ValueError>;
}

/// Files relative to a directory: the current one, or that of a launch file.
#[derive(Clone, Debug, Default)]
pub struct Directory(PathBuf);

impl Directory {
    /// Relative paths start at `base`; an empty one is the current directory.
    pub fn new(base: impl Into<PathBuf>) -> Directory {
        Directory(base.into())
    }
    /// The place of a file.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(Path::new(path))
    }
}

impl FileLoader for Directory {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, ValueError> {
        let place = self.path(path);
        let error = |e: std::io::Error| {
            let error = ValueError::new(format!("cannot read `{}`: {}", place.display(), reason(&e)));
            match e.kind() {
                ErrorKind::NotFound if !self.0.as_os_str().is_empty() && Path::new(path).is_relative() => {
                    error.help(format!("paths are relative to `{}`", self.0.display()))
                }
                _ => error,
            }
        };
        let too_large = |size: &str| {
            ValueError::new(format!("`{}` has {size} bytes, memory for {limit} is left", place.display()))
        };
        let file = File::open(&place).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if metadata.is_dir() {
            return Err(ValueError::new(format!("`{}` is a directory", place.display())));
        }
        let length = metadata.len();
        if length > limit {
            return Err(too_large(&length.to_string()));
        }
        let mut bytes = Vec::new();
        let capacity = usize::try_from(length).ok().and_then(|n| n.checked_add(1));
        capacity
            .and_then(|n| bytes.try_reserve_exact(n).ok())
            .ok_or_else(|| too_large(&length.to_string()))?;
        // Pipes and devices do not say how long they are.
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(error)?;
        if bytes.len() as u64 > limit {
            return Err(too_large("more"));
        }
        Ok(bytes)
    }
}

/// The usual reasons in words that are the same on every host.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "no permission".to_owned(),
        _ => error.to_string(),
    }
}

/// No files at all: for launches that must stand alone.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl FileLoader for NoFiles {
    fn load(&self, path: &str, _limit: u64) -> Result<Vec<u8>, ValueError> {
        Err(ValueError::new(format!("`{path}` cannot be read here: this launch has no files")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_within_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("a.bin"), [1, 2, 3]).unwrap();
        let files = Directory::new(directory.path());
        assert_eq!(files.load("a.bin", 3).unwrap(), [1, 2, 3]);
        assert!(files.load("a.bin", 2).unwrap_err().message.contains("has 3 bytes, memory for 2 is left"));
        let missing = files.load("b.bin", 3).unwrap_err();
        assert!(missing.message.ends_with("there is no such file") && missing.help.is_some());
        assert!(files.load(".", 3).unwrap_err().message.ends_with("is a directory"));
        assert!(NoFiles.load("a.bin", 3).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn endless_devices_end_at_the_limit() {
        let error = Directory::default().load("/dev/zero", 1000).unwrap_err();
        assert!(error.message.contains("has more bytes, memory for 1000 is left"), "{error}");
    }
}
