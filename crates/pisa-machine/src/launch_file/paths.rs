//! Paths that start at the launch file's directory, and paths that start at the current one.

use std::path::{Component, Path, PathBuf};

/// A path that starts at `directory`, from the current directory. `-`, standard input, stays.
pub(super) fn join(directory: &Path, path: &str) -> String {
    if path == "-" || directory.as_os_str().is_empty() {
        return path.to_owned();
    }
    directory.join(path).to_string_lossy().into_owned()
}

/// A path that starts at the current directory, from `directory`; an absolute one stays.
pub(super) fn relative_to(directory: &Path, path: &str) -> String {
    if path == "-" || Path::new(path).is_absolute() || directory.as_os_str().is_empty() {
        return path.to_owned();
    }
    let (Ok(from), Ok(to)) = (std::path::absolute(directory), std::path::absolute(path)) else {
        return path.to_owned();
    };
    between(&normal(&from), &normal(&to)).to_string_lossy().into_owned()
}

/// The way from one absolute directory to another absolute path.
fn between(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

/// Without `.` and `..`, as far as names alone can tell.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_go_from_one_directory_to_another() {
        assert_eq!(join(Path::new("a/b"), "x.npy"), "a/b/x.npy");
        assert_eq!(join(Path::new("a/b"), "/x.npy"), "/x.npy");
        assert_eq!(join(Path::new(""), "x.npy"), "x.npy");
        assert_eq!(join(Path::new("a"), "-"), "-");
        assert_eq!(relative_to(Path::new("a/b"), "a/c/x.npy"), "../c/x.npy");
        assert_eq!(relative_to(Path::new("a/b"), "a/b/x.npy"), "x.npy");
        assert_eq!(relative_to(Path::new("a/./b/.."), "x.npy"), "../x.npy");
        assert_eq!(relative_to(Path::new("a"), "/x.npy"), "/x.npy");
        assert_eq!(relative_to(Path::new(""), "x.npy"), "x.npy");
    }
}
