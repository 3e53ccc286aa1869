//! The list of mutants, and how one is put into a copy of the sources.

use crate::record::root;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One line of the sources and a wrong one in its place.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Its name, with the part that is wrong in front.
    pub name: String,
    /// The file, from the root of the workspace.
    pub file: String,
    /// The whole line, without its indentation. The file has it once.
    pub line: String,
    /// What stands there instead.
    pub replacement: String,
    /// What is wrong then.
    pub breaks: String,
    /// Whether few programs come that way.
    #[serde(default)]
    pub rare: bool,
}

/// The file of the list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutant: Vec<Mutant>,
}

/// Where the list is.
pub fn path() -> PathBuf {
    root().join("xtask/mutants.toml")
}

/// Reads the list.
pub fn read() -> Result<Vec<Mutant>, String> {
    let path = path();
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let list: List = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(list.mutant)
}

impl Mutant {
    /// The text of the file with the wrong line; why not, where the line is not there once.
    pub fn applied(&self, text: &str) -> Result<String, String> {
        let mut found = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            if line.trim() != self.line {
                return line.to_owned();
            }
            found += 1;
            line.replacen(&self.line, &self.replacement, 1)
        });
        let text: String = lines.collect();
        if found == 1 {
            return Ok(text);
        }
        let Mutant { name, file, line, .. } = self;
        Err(format!("{name}: {file} has this line {found} times, not once: {line}"))
    }

    /// The file in a copy of the workspace.
    pub fn path_in(&self, workspace: &Path) -> PathBuf {
        workspace.join(&self.file)
    }

    /// A hash of what is changed into what (FNV-1a), so that a record says which mutant it is of.
    pub fn hash(&self) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for part in [&self.file, &self.line, &self.replacement] {
            for byte in part.bytes().chain([0]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
        format!("{:08x}", hash >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The list does not rot: when a line changes, its mutant has to follow.
    #[test]
    fn each_mutant_applies_to_the_sources() {
        let list = read().expect("the list");
        let mut wrong = Vec::new();
        for mutant in &list {
            let path = mutant.path_in(&root());
            let result = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: cannot read {}: {error}", mutant.name, path.display()))
                .and_then(|text| mutant.applied(&text));
            wrong.extend(result.err());
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn both_engines_and_the_arithmetic_have_mutants_some_of_them_rare() {
        let list = read().expect("the list");
        let names: BTreeSet<&str> = list.iter().map(|mutant| mutant.name.as_str()).collect();
        assert_eq!(names.len(), list.len(), "two mutants with one name");
        let inside = |folder: &str| list.iter().filter(|mutant| mutant.file.starts_with(folder)).count();
        assert!(inside("crates/pisa-vector/") >= 15);
        assert!(inside("crates/pisa-reference/") + inside("crates/pisa-float/") >= 15);
        assert!(list.iter().filter(|mutant| mutant.rare).count() >= 5);
        let changes =
            |mutant: &&Mutant| mutant.line == mutant.replacement || mutant.line.trim() != mutant.line;
        assert_eq!(list.iter().find(changes).map(|mutant| &mutant.name), None, "changes nothing");
    }

    #[test]
    fn only_a_line_that_is_there_once_is_replaced() {
        let mutant = Mutant {
            name: "m".into(),
            file: "f".into(),
            line: "a + b".into(),
            replacement: "a - b".into(),
            breaks: "x".into(),
            rare: false,
        };
        assert_eq!(mutant.applied("x\n  a + b\n").as_deref(), Ok("x\n  a - b\n"));
        assert!(mutant.applied("a + b\n a + b\n").is_err());
        assert!(mutant.applied("a + b;\n").is_err());
    }
}
