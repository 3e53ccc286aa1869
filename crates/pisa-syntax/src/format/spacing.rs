//! Blanks within a statement.

use crate::tree::RawNode;
use crate::{NodeKind, TokenKind, Tree};

/// How a token is separated from the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Break {
    /// On a new line; `forced` asks for an empty line before it.
    Line { indent: usize, forced: bool },
    /// By one blank.
    Blank,
    /// Not at all.
    Glue,
    /// By a blank where there was anything: around tokens that fit nowhere.
    Keep,
    /// As it was.
    Verbatim,
    /// By one blank: the `{` of a body.
    Brace,
    /// By one blank, or on a new line when there is no room: a value of a wrapped initialiser.
    Fill { indent: usize, width: usize },
}

/// Between two tokens of a statement that are not in Error nodes.
pub(super) fn between(
    previous: Option<(usize, NodeKind)>,
    tree: &Tree,
    index: usize,
    owner: NodeKind,
) -> Break {
    let Some((before, before_owner)) = previous else { return Break::Glue };
    let glued = glued(tree.tokens[before].kind, before_owner, tree.tokens[index].kind, owner);
    if glued { Break::Glue } else { Break::Blank }
}

fn glued(before: TokenKind, before_owner: NodeKind, kind: TokenKind, owner: NodeKind) -> bool {
    use TokenKind::*;
    match kind {
        Semicolon | Comma | RightParen | RightBracket | Less | Greater | Tilde => return true,
        Colon => return owner == NodeKind::Label,
        LeftParen => {
            let of_name =
                matches!(owner, NodeKind::ParameterList | NodeKind::ArgumentList | NodeKind::Attribute);
            return of_name && before != Comma;
        }
        LeftBracket if owner == NodeKind::Size => return true,
        LeftBrace | RightBrace => return false,
        Plus | Minus if owner == NodeKind::InitializerElement => return true,
        _ => {}
    }
    match before {
        LeftParen | LeftBracket | Less | Tilde | Bang => true,
        Plus | Minus => matches!(before_owner, NodeKind::NumberOperand | NodeKind::InitializerElement),
        _ => false,
    }
}

/// The columns of an element of an initialiser.
pub(super) fn width_of_element(tree: &Tree, node: &RawNode) -> usize {
    let mut width = 0;
    let mut before: Option<TokenKind> = None;
    for index in node.first_token..node.end_token {
        let kind = tree.tokens[index as usize].kind;
        if kind.is_trivia() {
            continue;
        }
        // A size, a sign, a literal or symbol, an offset: only the size and `.zero` are followed by a blank.
        width += usize::from(before == Some(TokenKind::Word));
        width += length(tree, index as usize);
        before = Some(kind);
    }
    width
}

fn length(tree: &Tree, index: usize) -> usize {
    let start = if index == 0 { 0 } else { tree.tokens[index - 1].end };
    (tree.tokens[index].end - start) as usize
}

/// Whether a parameter list needs more than `room` columns after its `(`, the ` {` behind it included, or has a comment in
/// it.
pub(super) fn parameters_are_wider(tree: &Tree, node: &RawNode, room: usize) -> bool {
    // ` {`, or `;`
    let mut needed = 2;
    let mut before = TokenKind::LeftParen;
    for index in node.first_token + 1..node.end_token {
        let kind = tree.tokens[index as usize].kind;
        match kind {
            TokenKind::Comment => return true,
            TokenKind::Whitespace => continue,
            _ => {}
        }
        let opens = matches!(before, TokenKind::LeftParen | TokenKind::LeftBracket);
        let blank = !opens && matches!(kind, TokenKind::Word | TokenKind::LocalName | TokenKind::Integer);
        needed += usize::from(blank) + length(tree, index as usize);
        if needed > room {
            return true;
        }
        before = kind;
    }
    false
}

/// Whether an initialiser needs more than `room` columns after its `{`, its `;` included, or has a comment in it.
pub(super) fn is_wider(tree: &Tree, node: &RawNode, index: u32, room: usize) -> bool {
    // `}` and `;`
    let mut needed = 2;
    let mut next = index + 1;
    while next < node.end_node {
        let element = &tree.nodes[next as usize];
        // A blank before, a comma after; the last has a blank in its place.
        needed += width_of_element(tree, element) + 2;
        if needed > room {
            return true;
        }
        next = element.end_node;
    }
    let tokens = &tree.tokens[node.first_token as usize..node.end_token as usize];
    tokens.iter().any(|t| t.kind == TokenKind::Comment)
}
