//! Tokens to tree.
//!
//! Recursive descent without recursion on nesting: the only construct that nests, the scope, has a stack of its own.
//! Every fault gives one message and one [`NodeKind::Error`] node, and reading goes on at the next statement.

mod address;
mod attribute;
mod body;
mod instruction;
mod item;
mod number;
mod operand;
mod parameter;
mod recovery;
mod registers;
mod variable;

use crate::keyword::Directive;
use crate::lexer::lex;
use crate::report::Report;
use crate::tree::RawNode;
use crate::{Decoded, FILE_SIZE_LIMIT, NodeKind, Token, TokenKind, Tree, codes};
use pisa_diag::{Diagnostic, FileId, Severity, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// Reads a module; never fails. Faults are in [`Tree::diagnostics`], those of the whole file in one run.
///
/// A file of 1 GiB or more gives an empty tree with the error that says so.
///
/// ```
/// let tree = pisa_syntax::parse(pisa_diag::FileId(0), ".version 0.1;\n.target 100;\n".into());
/// assert!(tree.diagnostics.is_empty());
/// assert_eq!(tree.root().children().count(), 2);
/// ```
pub fn parse(file: FileId, text: Arc<str>) -> Tree {
    read(file, text, None)
}

/// Reads a module from a decoded file; bytes that were not UTF-8 are reported with the rest.
pub fn parse_decoded(file: FileId, decoded: &Decoded) -> Tree {
    read(file, decoded.text.clone(), Some(decoded))
}

fn read(file: FileId, text: Arc<str>, decoded: Option<&Decoded>) -> Tree {
    if text.len() as u64 >= FILE_SIZE_LIMIT {
        return refused(file);
    }
    let mut report = Report::new(file);
    let was_replaced = decoded.is_some_and(|d| !d.invalid.is_empty());
    if let Some(decoded) = decoded {
        decoded.report(&mut report);
    }
    let tokens = lex(&text, was_replaced, &mut report);
    let mut parser = Parser::new(&text, &tokens, Report::new(file));
    parser.module();
    let (nodes, parsed) = (parser.nodes, parser.report);
    if nodes.len() > u32::MAX as usize {
        return refused(file);
    }
    let diagnostics = parsed.finish(report);
    Tree { file, text, tokens, nodes, diagnostics }
}

/// What a file gives that is too large.
fn refused(file: FileId) -> Tree {
    let place = pisa_diag::Place { file, span: Span::default() };
    let error = Diagnostic::new(codes::TOO_LARGE, Severity::Error, "the file is 1 GiB or larger", place)
        .help("split it into modules and link them");
    let root = RawNode { kind: NodeKind::Module, first_token: 0, end_token: 0, end_node: 1 };
    Tree { file, text: "".into(), tokens: Vec::new(), nodes: vec![root], diagnostics: vec![error] }
}

/// A node that is not finished yet.
#[must_use]
#[derive(Clone, Copy)]
struct Open(usize);

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// The token to look at: neither trivia nor unknown.
    at: usize,
    /// Its kind, none at the end of the file.
    current: Option<TokenKind>,
    /// One past the last token that was taken.
    taken: usize,
    /// There are unknown tokens between `taken` and `at`; they were reported and become Error nodes.
    unknown: bool,
    nodes: Vec<RawNode>,
    report: Report,
    /// The names of all labels, gathered when a fault asks for them.
    labels: std::cell::OnceCell<HashSet<&'t str>>,
    /// How many `}` too many are the consequence of a fault that was reported.
    forgiven_braces: usize,
    /// How many tokens were taken when the last error was reported.
    last_error: Option<usize>,
    /// Statements outside of bodies were reported; their neighbours are not.
    outside: bool,
    /// Where the last body ended, for that report.
    last_body_end: Option<Span>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: &'t [Token], report: Report) -> Parser<'t> {
        Parser {
            text,
            tokens,
            at: 0,
            current: None,
            taken: 0,
            unknown: false,
            nodes: Vec::with_capacity(tokens.len() / 2 + 16),
            report,
            labels: std::cell::OnceCell::new(),
            forgiven_braces: 0,
            last_error: None,
            outside: false,
            last_body_end: None,
        }
    }

    /// Finds the token to look at, from `at` on.
    #[inline]
    fn settle(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            match token.kind {
                TokenKind::Whitespace | TokenKind::Comment => self.at += 1,
                TokenKind::Unknown => {
                    self.unknown = true;
                    self.at += 1;
                }
                kind => {
                    self.current = Some(kind);
                    return;
                }
            }
        }
        self.current = None;
    }

    /// Takes the current token into the node that is open.
    #[inline]
    fn bump(&mut self) {
        if self.unknown {
            self.take_unknown();
        }
        if self.current.is_some() {
            self.at += 1;
            self.taken = self.at;
            self.settle();
        }
    }

    /// Makes Error nodes of the unknown tokens before the current one.
    #[cold]
    fn take_unknown(&mut self) {
        self.unknown = false;
        let mut index = self.taken;
        while index < self.at {
            if self.tokens[index].kind != TokenKind::Unknown {
                index += 1;
                continue;
            }
            let first = index;
            while index < self.at && self.tokens[index].kind == TokenKind::Unknown {
                index += 1;
            }
            self.leaf(NodeKind::Error, first, index);
            self.taken = index;
        }
    }

    fn leaf(&mut self, kind: NodeKind, first: usize, end: usize) {
        let end_node = self.nodes.len() as u32 + 1;
        self.nodes.push(RawNode { kind, first_token: first as u32, end_token: end as u32, end_node });
    }

    #[inline]
    fn open(&mut self, kind: NodeKind) -> Open {
        if self.unknown {
            self.take_unknown();
        }
        let index = self.nodes.len();
        self.nodes.push(RawNode { kind, first_token: self.at as u32, end_token: 0, end_node: 0 });
        Open(index)
    }

    #[inline]
    fn close(&mut self, open: Open) {
        let end_node = self.nodes.len() as u32;
        let node = &mut self.nodes[open.0];
        node.end_token = node.first_token.max(self.taken as u32);
        node.end_node = end_node;
    }

    fn set_kind(&mut self, open: Open, kind: NodeKind) {
        self.nodes[open.0].kind = kind;
    }

    /// One node of one token.
    #[inline]
    fn single(&mut self, kind: NodeKind) {
        let node = self.open(kind);
        self.bump();
        self.close(node);
    }

    /// An Error node without tokens, where something is missing.
    fn missing(&mut self) {
        self.leaf(NodeKind::Error, self.taken, self.taken);
    }

    #[inline]
    fn span_of(&self, index: usize) -> Span {
        let start = if index == 0 { 0 } else { self.tokens[index - 1].end };
        match self.tokens.get(index) {
            Some(token) => Span::new(start, token.end),
            None => Span::new(start, start),
        }
    }

    #[inline]
    fn text_of(&self, index: usize) -> &'t str {
        let span = self.span_of(index);
        &self.text[span.start as usize..span.end as usize]
    }

    /// The current token's text, empty at the end.
    #[inline]
    fn current_text(&self) -> &'t str {
        self.text_of(self.at)
    }

    fn current_span(&self) -> Span {
        self.span_of(self.at)
    }

    /// Right after the last token that was taken.
    fn end_of_taken(&self) -> Span {
        let end = if self.taken == 0 { 0 } else { self.tokens[self.taken - 1].end };
        Span::new(end, end)
    }

    fn span_of_node(&self, open: Open) -> Span {
        self.span_of(self.nodes[open.0].first_token as usize)
    }

    #[inline]
    fn is(&self, kind: TokenKind) -> bool {
        self.current == Some(kind)
    }

    /// The index of the token after `index` that is not trivia.
    #[inline]
    fn after(&self, index: usize) -> usize {
        let mut next = index + 1;
        while self.tokens.get(next).is_some_and(|t| t.kind.is_trivia() || t.kind == TokenKind::Unknown) {
            next += 1;
        }
        next
    }

    #[inline]
    fn next_kind(&self) -> Option<TokenKind> {
        self.tokens.get(self.after(self.at)).map(|t| t.kind)
    }

    /// Whether a line ends between the token before `index` and that one; true at the beginning of the file.
    fn starts_line(&self, index: usize) -> bool {
        for before in (0..index).rev() {
            let kind = self.tokens[before].kind;
            if kind == TokenKind::Whitespace && self.text_of(before).contains('\n') {
                return true;
            }
            if !kind.is_trivia() && kind != TokenKind::Unknown {
                return false;
            }
        }
        true
    }

    fn at_line_start(&self) -> bool {
        self.current.is_some() && self.starts_line(self.at)
    }

    /// The directive that the current word is.
    #[inline]
    fn directive(&self) -> Option<Directive> {
        if self.is(TokenKind::Word) { Directive::of(self.current_text()) } else { None }
    }

    /// Whether the current token is a word and the next one a colon.
    #[inline]
    fn at_label(&self) -> bool {
        self.is(TokenKind::Word) && self.next_kind() == Some(TokenKind::Colon)
    }
}
