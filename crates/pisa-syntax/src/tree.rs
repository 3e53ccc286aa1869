//! The lossless tree.

use crate::{NodeKind, TokenKind};
use pisa_diag::{Diagnostic, FileId, Span};

/// A token: its kind and where it ends; it begins where the one before ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// One past its last byte.
    pub end: u32,
}

/// A node of the flat tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawNode {
    pub(crate) kind: NodeKind,
    /// First token; never trivia unless the node is empty.
    pub(crate) first_token: u32,
    /// One past the last token; the last one is never trivia.
    pub(crate) end_token: u32,
    /// Index one past the last node of this subtree.
    pub(crate) end_node: u32,
}

/// A parsed file: text, tokens, nodes, and what was wrong with it.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) file: FileId,
    pub(crate) text: std::sync::Arc<str>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) nodes: Vec<RawNode>,
    /// Syntax errors and departures, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Tree {
    /// The file it was read from.
    pub fn file(&self) -> FileId {
        self.file
    }
    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// The root, a [`NodeKind::Module`].
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, index: 0 }
    }
    /// All tokens, trivia included; their texts joined are the file.
    pub fn tokens(&self) -> impl Iterator<Item = TokenRef<'_>> {
        (0..self.tokens.len() as u32).map(|index| TokenRef { tree: self, index })
    }
}

/// A node in its tree.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> Node<'t> {
    fn raw(self) -> &'t RawNode {
        &self.tree.nodes[self.index as usize]
    }
    /// Its kind.
    pub fn kind(self) -> NodeKind {
        self.raw().kind
    }
    /// Child nodes in order.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> {
        let (tree, end) = (self.tree, self.raw().end_node);
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let node = Node { tree, index: next };
            next = node.raw().end_node;
            Some(node)
        })
    }
    /// The first child of a kind.
    pub fn child(self, kind: NodeKind) -> Option<Node<'t>> {
        self.children().find(|c| c.kind() == kind)
    }
    /// Every token within, those of children too, without trivia.
    pub fn tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        let tree = self.tree;
        (self.raw().first_token..self.raw().end_token)
            .map(move |index| TokenRef { tree, index })
            .filter(|t| !t.kind().is_trivia())
    }
    /// The first token of a kind, those of children included.
    pub fn token(self, kind: TokenKind) -> Option<TokenRef<'t>> {
        self.tokens().find(|t| t.kind() == kind)
    }
    /// The tokens of the node itself, without trivia and without those of its children.
    pub fn own_tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        let tree = self.tree;
        let (mut next, end) = (self.raw().first_token, self.raw().end_token);
        let (mut child, end_node) = (self.index + 1, self.raw().end_node);
        std::iter::from_fn(move || {
            while next < end {
                if child < end_node {
                    let raw = &tree.nodes[child as usize];
                    if next >= raw.first_token {
                        next = next.max(raw.end_token);
                        child = raw.end_node;
                        continue;
                    }
                }
                let token = TokenRef { tree, index: next };
                next += 1;
                if !token.kind().is_trivia() {
                    return Some(token);
                }
            }
            None
        })
    }
    /// Whether it, or a node within, is an Error node: something in it was reported and may be missing.
    pub fn has_error(self) -> bool {
        let (first, end) = (self.index as usize, self.raw().end_node as usize);
        self.tree.nodes[first..end].iter().any(|n| n.kind == NodeKind::Error)
    }
    /// From its first to its last token; empty at its position for a node without tokens.
    pub fn span(self) -> Span {
        let raw = self.raw();
        let start = self.tree.token_start(raw.first_token);
        if raw.first_token == raw.end_token {
            return Span::new(start, start);
        }
        Span::new(start, self.tree.tokens[raw.end_token as usize - 1].end)
    }
    /// The text of its span.
    pub fn text(self) -> &'t str {
        let span = self.span();
        &self.tree.text[span.start as usize..span.end as usize]
    }
}

impl Tree {
    fn token_start(&self, index: u32) -> u32 {
        if index == 0 { 0 } else { self.tokens[index as usize - 1].end }
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{}", self.kind(), self.span().start, self.span().end)
    }
}

/// A token in its tree.
#[derive(Clone, Copy)]
pub struct TokenRef<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> TokenRef<'t> {
    /// Its kind.
    pub fn kind(self) -> TokenKind {
        self.tree.tokens[self.index as usize].kind
    }
    /// Its bytes.
    pub fn span(self) -> Span {
        Span::new(self.tree.token_start(self.index), self.tree.tokens[self.index as usize].end)
    }
    /// Its text.
    pub fn text(self) -> &'t str {
        let span = self.span();
        &self.tree.text[span.start as usize..span.end as usize]
    }
}

impl std::fmt::Debug for TokenRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{}..{} {:?}", self.kind(), self.span().start, self.span().end, self.text())
    }
}
