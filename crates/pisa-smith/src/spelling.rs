//! The same module written in another way: white space, comments, numbers, and names that only one function sees.

use crate::choices::{Choices, Seed, mix};
use crate::print::odd_name;
use pisa_syntax::{Node, NodeKind, TokenKind, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// What a token is, where that matters.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Label,
    /// The name of a label behind `goto`.
    Target,
    Number,
}

/// The text with everything that does not matter changed, depending on the text alone.
pub(crate) fn respell(tree: &Tree) -> String {
    let seed = tree.text().bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    let mut choices = Choices::new(Seed::Number(seed));
    let (roles, stems) = look(tree);
    let odd = |names: BTreeSet<&'_ str>, first: usize| -> BTreeMap<String, String> {
        let all = names.iter().enumerate();
        all.map(|(i, name)| ((*name).to_owned(), odd_name(first + i, i))).collect()
    };
    let labels = roles.iter().filter(|(_, (role, _))| *role == Role::Label).map(|(_, (_, text))| *text);
    let labels = odd(labels.collect(), choices.below(100));
    // A name that ends with a digit could be taken for another one of a range.
    let registers = odd(stems, choices.below(100));
    let mut text = String::new();
    let mut before: Option<TokenKind> = None;
    let (mut trivia, mut line_must_end) = (false, false);
    for token in tree.tokens() {
        let kind = token.kind();
        if kind.is_trivia() {
            trivia = true;
            continue;
        }
        let role = roles.get(&token.span().start).map(|(role, _)| *role);
        // A label stands alone in its line (G-05).
        if line_must_end || role == Some(Role::Label) {
            text += choices.pick(&["\n", "\r\n", " // L: }\n", "\n\n\t"]);
        } else if let Some(before) = before {
            text += &between(&mut choices, before, kind, trivia);
        }
        line_must_end = kind == TokenKind::Colon;
        match (kind, role) {
            (TokenKind::LocalName, _) => text += &local_name(token.text(), &registers),
            (_, Some(Role::Label | Role::Target)) => {
                text += labels.get(token.text()).map_or(token.text(), String::as_str);
            }
            (_, Some(Role::Number)) => text += &number(&mut choices, token.text()),
            _ => text += token.text(),
        }
        (before, trivia) = (Some(kind), false);
    }
    text + choices.pick(&["\n", "", " // the end", "\r\n"])
}

/// Roles of tokens by where they begin, with their texts; and the names of registers without their numbers.
fn look(tree: &Tree) -> (BTreeMap<u32, (Role, &str)>, BTreeSet<&str>) {
    let (mut roles, mut stems) = (BTreeMap::new(), BTreeSet::new());
    let mut left: Vec<Node<'_>> = vec![tree.root()];
    while let Some(node) = left.pop() {
        let role = match node.kind() {
            NodeKind::Label => Some(Role::Label),
            NodeKind::WordOperand if node.text() != "void" => Some(Role::Target),
            NodeKind::NumberOperand => Some(Role::Number),
            _ => None,
        };
        if let (Some(role), Some(token)) =
            (role, node.tokens().find(|token| token.kind() != TokenKind::Minus))
        {
            roles.insert(token.span().start, (role, token.text()));
        }
        if matches!(node.kind(), NodeKind::RegisterName | NodeKind::FunctionParameter)
            && let Some(name) = node.token(TokenKind::LocalName)
        {
            stems.insert(stem(name.text()));
        }
        left.extend(node.children());
    }
    (roles, stems)
}

/// A register's name without its number.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// A name of a register in use, perhaps with a swizzle; special registers and parameters stay as they are.
fn local_name(text: &str, registers: &BTreeMap<String, String>) -> String {
    let (name, swizzle) = text.split_at(text.find('.').unwrap_or(text.len()));
    let stem = stem(name);
    let Some(odd) = registers.get(stem) else { return text.to_owned() };
    // A name of its own must not look like an element of a vector (G-06).
    format!("%{odd}_{}{swizzle}", &name[stem.len()..])
}

fn number(choices: &mut Choices, text: &str) -> String {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    match (is_decimal, choices.below(3)) {
        (true, 0) => format!("00{text}"),
        (false, 0) if text.starts_with("0x") => format!("0X{}", text[2..].to_ascii_uppercase()),
        (false, 1) if text.starts_with("0X") => format!("0x{}", text[2..].to_ascii_lowercase()),
        _ => text.to_owned(),
    }
}

/// What stands between two tokens; something where both are words.
fn between(choices: &mut Choices, before: TokenKind, after: TokenKind, trivia: bool) -> String {
    use TokenKind::{Float, GlobalName, Integer, LocalName, String as Text, Word};
    let is_word = |kind| matches!(kind, Word | Integer | Float | LocalName | GlobalName | Text);
    if is_word(before) && is_word(after) && !trivia {
        return String::new();
    }
    let needed = is_word(before) && is_word(after);
    match choices.below(if needed { 8 } else { 12 }) {
        0..=3 => " ",
        4 => "\t ",
        5 => "\n",
        6 => " // ; { \" @x %y\r\n",
        7 => "\r\n\n   ",
        _ => "",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pisa_diag::FileId;

    #[test]
    fn only_what_does_not_matter_changes() {
        let text = "L1:\n  iadd.32b %w0, %v4w1.x, 12;\n  goto L1;\n";
        let whole = format!(".function void @f(.reg .32b %w0, .reg .v4.32b %v4w1) {{\n{text}}}\n");
        let tree = pisa_syntax::parse(FileId(0), whole.as_str().into());
        let other = respell(&tree);
        assert_ne!(other, whole);
        // The label has a new name, in both places.
        assert!(!other.contains("L1"), "{other}");
        let again = pisa_syntax::parse(FileId(0), other.as_str().into());
        let kinds = |tree: &Tree| -> Vec<TokenKind> {
            tree.tokens().map(|token| token.kind()).filter(|kind| !kind.is_trivia()).collect()
        };
        assert_eq!(kinds(&tree), kinds(&again), "{other}");
        assert!(again.diagnostics.is_empty(), "{other}");
    }
}
