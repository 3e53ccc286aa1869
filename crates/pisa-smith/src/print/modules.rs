//! From functions and variables to modules: one, or several with imports and exports.

use crate::choices::mix;
use std::collections::BTreeSet;

/// A function or variable at module level.
pub struct Piece {
    /// Its name with `@`.
    pub name: String,
    /// Its text, linkage left out. Where there are several, each module has its own of that name (L-04).
    pub definitions: Vec<String>,
    /// What other modules write: all but `.import`.
    pub declaration: String,
}

const HEADER: &str = ".version 0.1;\n.target 100;\n\n";

/// The texts of the modules. The last piece is the kernel; `split` says where the others are, 0 for one module.
pub fn assemble(pieces: &[Piece], split: u64) -> Vec<String> {
    if split == 0 {
        let all = pieces.iter().map(|piece| piece.definitions[0].as_str());
        return vec![std::iter::once(HEADER).chain(all).collect()];
    }
    let count = 2 + (split & 1) as usize;
    let kernel = pieces.len() - 1;
    let home = |piece: usize| {
        if piece == kernel { 0 } else { mix(split ^ piece as u64) as usize % count }
    };
    let mut texts = vec![String::new(); count];
    // Which pieces some module imports.
    let mut imported = BTreeSet::new();
    let mut imports = vec![String::new(); count];
    let mut own = vec![String::new(); count];
    for module in 0..count {
        let mut defined: BTreeSet<usize> = (0..pieces.len())
            .filter(|&piece| pieces[piece].definitions.len() == 1 && home(piece) == module)
            .collect();
        let bodies = defined.iter().map(|&piece| pieces[piece].definitions[0].as_str());
        let bodies: String = bodies.collect();
        let used = names_in(&bodies);
        for (number, piece) in pieces.iter().enumerate() {
            if !used.contains(piece.name.as_str()) || defined.contains(&number) {
                continue;
            }
            if let [_, _, ..] = piece.definitions[..] {
                own[module] += &piece.definitions[module % piece.definitions.len()];
                defined.insert(number);
            } else {
                imported.insert(number);
                imports[module] += &format!(".import {};\n", piece.declaration);
            }
        }
    }
    for (number, piece) in pieces.iter().enumerate() {
        if let [definition] = &piece.definitions[..] {
            // Some are exported that nobody imports.
            let exported = imported.contains(&number) || number != kernel && split >> (8 + number) & 1 == 1;
            let linkage = if exported { ".export " } else { "" };
            let text = definition.trim_start();
            texts[home(number)] += &format!("{linkage}{text}");
        }
    }
    let mut modules: Vec<String> =
        (0..count).map(|m| format!("{HEADER}{}{}{}", imports[m], own[m], texts[m])).collect();
    // The kernel's module is not always the first.
    modules.rotate_left((split >> 4) as usize % count);
    modules
}

/// The names with `@` in a text.
pub fn names_in(text: &str) -> BTreeSet<&str> {
    let rest = text.match_indices('@').map(|(at, _)| &text[at..]);
    rest.map(|rest| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "$._".contains(c);
        &rest[..1 + rest[1..].find(|c| !is_part(c)).unwrap_or(rest.len() - 1)]
    })
    .collect()
}

/// The same modules with odd names for all that has one with `@`, but for the kernel.
pub fn with_odd_names(modules: &[String], seed: u64) -> Vec<String> {
    let all: BTreeSet<&str> = modules.iter().flat_map(|text| names_in(text)).collect();
    let renamed: Vec<(&str, String)> = (all.iter().enumerate())
        .filter(|(_, name)| **name != "@k")
        .map(|(i, name)| (*name, format!("@{}", odd_name(mix(seed) as usize + i, i))))
        .collect();
    let rename = |text: &String| {
        let mut parts = text.split('@');
        let mut new = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let word = format!("@{part}");
            let name = names_in(&word).first().copied().unwrap_or_default();
            let other = renamed.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new);
            new += other;
            new += &word[name.len()..];
        }
        new
    };
    modules.iter().map(rename).collect()
}

/// A name that the grammar allows and nobody expects (1.3); different for each number.
pub fn odd_name(choice: usize, number: usize) -> String {
    const ODD: [&str; 12] =
        ["$", "_", ".", "goto", "iadd.32b", "void", ".reg", "x", "...", "laneid.x", "_0$", "A.xyzw"];
    let odd = ODD[choice % ODD.len()];
    if number < 2 { odd.to_owned() + &"_".repeat(number) } else { format!("{odd}{number}_") }
}
