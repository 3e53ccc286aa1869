//! Writing files such that what was there is not lost on the way.

use pisa_tools::Failure;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes a file: whole or not at all, with the permissions it had. Devices and pipes are written directly.
pub fn write(name: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(name, bytes).map_err(|error| Failure::writing(&name.display().to_string(), &error))
}

fn replace(name: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // A link stays a link: its target is replaced.
    let target = fs::canonicalize(name).unwrap_or_else(|_| name.to_owned());
    let before = match fs::metadata(&target) {
        Ok(before) if !before.is_file() => {
            return fs::OpenOptions::new().write(true).open(&target)?.write_all(bytes);
        }
        Ok(before) if before.permissions().readonly() => {
            return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, "it is read-only"));
        }
        Ok(before) => Some(before),
        Err(_) => None,
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let Some(before) = before else {
        // A new file gets the permissions the system gives new files.
        return fs::write(&target, bytes);
    };
    let mut file = tempfile::Builder::new().prefix(".pisa-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(before.permissions())?;
    file.persist(&target)?;
    Ok(())
}
