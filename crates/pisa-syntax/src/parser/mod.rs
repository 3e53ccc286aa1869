//! Tokens to tree.
//!
//! Recursive descent without recursion on nesting: the only construct that nests, the scope, has a stack of its own.
//! Every fault gives one message and one [`NodeKind::Error`] node, and reading goes on at the next statement.

mod body;
mod declaration;
mod instruction;
mod item;

use crate::keyword::Directive;
use crate::lexer::{lex, shortened};
use crate::literal::is_closed;
use crate::report::{Detail, Report};
use crate::tree::RawNode;
use crate::{Decoded, FILE_SIZE_LIMIT, NodeKind, Token, TokenKind, Tree, codes};
use pisa_diag::{Code, Diagnostic, FileId, Severity, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// Reads a module; never fails. Faults are in [`Tree::diagnostics`], those of the whole file in one run.
///
/// A file of 4 GiB or more gives an empty tree with the error that says so.
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

/// What a file gives that is too large for 32-bit places.
fn refused(file: FileId) -> Tree {
    let place = pisa_diag::Place { file, span: Span::default() };
    let error = Diagnostic::new(codes::TOO_LARGE, Severity::Error, "the file is 4 GiB or larger", place)
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

    fn error(&mut self, code: Code, span: Span, build: impl FnOnce() -> Detail) {
        // One fault, one message: nothing was read since the last one, so this is the same fault.
        if self.last_error == Some(self.taken) || self.is_consequence() {
            return;
        }
        self.last_error = Some(self.taken);
        self.report.error(code, span, build);
    }

    /// Whether a fault that the lexer has reported stands right before: an unknown character, or a string without its
    /// quote or a `#` that swallowed the rest of a line. What is missing next is its consequence.
    #[cold]
    fn is_consequence(&self) -> bool {
        if self.unknown {
            return true;
        }
        let before = self.taken.checked_sub(1);
        if before.is_some_and(|i| self.tokens[i].kind == TokenKind::String && !is_closed(self.text_of(i))) {
            return true;
        }
        let is_hash =
            |i: usize| self.tokens[i].kind == TokenKind::Comment && self.text_of(i).starts_with('#');
        (self.taken..self.at).any(is_hash)
    }

    /// What stands here, for a message.
    fn found(&self) -> String {
        match self.current {
            None => "the end of the file".to_owned(),
            Some(TokenKind::String) => format!("the string {}", shortened(self.current_text())),
            Some(_) => format!("`{}`", shortened(self.current_text())),
        }
    }

    /// "expected …, found …" at the current token, or after the last one when a line or the file ended there.
    fn unexpected(&mut self, expected: &str, spec: &'static str, help: impl Into<String>) {
        let ended = self.current.is_none() || self.at_line_start();
        let span = if ended { self.end_of_taken() } else { self.current_span() };
        self.unexpected_at(span, expected, spec, help);
    }

    /// The same, at another place.
    fn unexpected_at(&mut self, span: Span, expected: &str, spec: &'static str, help: impl Into<String>) {
        let found = self.found();
        let help = help.into();
        self.error(codes::UNEXPECTED_TOKEN, span, || {
            let detail = Detail::new(format!("expected {expected}, found {found}")).spec(spec);
            if help.is_empty() { detail } else { detail.help(help) }
        });
    }

    /// Takes a token of this kind, or reports that it is missing and leaves everything where it is.
    fn expect(&mut self, kind: TokenKind, expected: &str, spec: &'static str, help: &str) -> bool {
        if self.is(kind) {
            self.bump();
            return true;
        }
        self.unexpected(expected, spec, help);
        self.missing();
        false
    }

    /// Skips within a statement, into one Error node, up to `;`, a brace, or a line that begins a new statement.
    fn skip_statement(&mut self) {
        let node = self.open(NodeKind::Error);
        while let Some(kind) = self.current {
            match kind {
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => break,
                TokenKind::Word if self.at_line_start() => break,
                _ => self.bump(),
            }
        }
        self.close(node);
    }

    /// Skips within brackets, into one Error node, up to `,`, a closing bracket, or the end of the statement.
    fn skip_element(&mut self) {
        let node = self.open(NodeKind::Error);
        while let Some(kind) = self.current {
            match kind {
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => break,
                TokenKind::Comma | TokenKind::RightParen | TokenKind::RightBracket => break,
                TokenKind::Word if self.at_line_start() && self.begins_statement() => break,
                _ => self.bump(),
            }
        }
        self.close(node);
    }

    /// Skips `{ … }` with whatever is nested in it, into one Error node; an item of the module ends it, too.
    fn skip_block(&mut self) {
        let node = self.open(NodeKind::Error);
        let mut depth = 0usize;
        while let Some(kind) = self.current {
            match kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth = depth.saturating_sub(1),
                TokenKind::Word if self.at_line_start() && self.begins_item() => break,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                break;
            }
        }
        self.close(node);
    }

    /// Whether the current word begins an item of the module, and nothing of a body.
    fn begins_item(&self) -> bool {
        self.directive().is_some_and(Directive::begins_item) && !self.at_label()
    }

    /// Whether the current word, at the beginning of a line, looks like a statement rather than an operand.
    fn begins_statement(&self) -> bool {
        if self.at_label() {
            return true;
        }
        let word = self.current_text();
        if self
            .directive()
            .is_some_and(|d| d != Directive::Param && !d.is_attribute() && d != Directive::Zero)
        {
            return !self.is_label_name(word);
        }
        crate::keyword::is_opcode_like(word) && !self.is_label_name(word)
    }

    /// Whether there is a label of this name anywhere in the file: keywords are not reserved (G-07).
    fn is_label_name(&self, word: &str) -> bool {
        let gather = || {
            let is_label = |&i: &usize| {
                self.tokens[i].kind == TokenKind::Word
                    && self.tokens.get(self.after(i)).is_some_and(|t| t.kind == TokenKind::Colon)
            };
            (0..self.tokens.len()).filter(is_label).map(|i| self.text_of(i)).collect()
        };
        self.labels.get_or_init(gather).contains(word)
    }

    /// The end of a statement. Without `;` it ends where the next line begins a statement; otherwise the rest of it is
    /// skipped.
    fn semicolon(&mut self) {
        if self.is(TokenKind::Semicolon) {
            return self.bump();
        }
        let ends_here = match self.current {
            None | Some(TokenKind::RightBrace | TokenKind::LeftBrace) => true,
            Some(TokenKind::Word) => self.at_line_start(),
            _ => false,
        };
        if ends_here {
            return self.missing_semicolon();
        }
        self.unexpected("`;`", "syntax 1.2 Statement", "");
        self.skip_statement();
        if self.is(TokenKind::Semicolon) {
            self.bump();
        }
    }

    fn missing_semicolon(&mut self) {
        let at = self.end_of_taken();
        let place = self.report.place(at);
        self.error(codes::MISSING_SEMICOLON, at, || {
            Detail::new("expected `;`")
                .label("the statement ends here")
                .spec("syntax 1.2 Statement")
                .help("declarations and instructions end with `;`")
                .fix(place, ";")
        });
    }
}
