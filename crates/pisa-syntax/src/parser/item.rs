//! The module: header, variables, kernels, functions.

use super::{Open, Parser};
use crate::keyword::{Directive, is_type_like, suggest};
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

/// What may begin an item of a module.
const ITEM_DIRECTIVES: &[Directive] = &[
    Directive::Version,
    Directive::Target,
    Directive::Export,
    Directive::Import,
    Directive::Global,
    Directive::Const,
    Directive::Shared,
    Directive::Private,
    Directive::Kernel,
    Directive::Function,
];

/// What may follow `.export` and `.import`.
const LINKED_DIRECTIVES: &[Directive] = &[
    Directive::Global,
    Directive::Const,
    Directive::Shared,
    Directive::Private,
    Directive::Kernel,
    Directive::Function,
];

impl Parser<'_> {
    pub(super) fn module(&mut self) {
        self.settle();
        let first = self.tokens.iter().position(|t| !t.kind.is_trivia()).unwrap_or(0);
        self.leaf(NodeKind::Module, first, first);
        while let Some(kind) = self.current {
            match kind {
                TokenKind::Word => self.item(),
                TokenKind::Semicolon => self.empty(),
                TokenKind::RightBrace => self.stray_brace(),
                TokenKind::LeftBrace => {
                    self.outside_body("a scope");
                    self.skip_block();
                }
                _ => {
                    if !self.outside {
                        self.outside = true;
                        let help = "a module consists of variables, kernels and functions";
                        self.unexpected_at(self.current_span(), "a directive", "syntax 1.1 Program", help);
                    }
                    self.skip_whole_statement();
                }
            }
        }
        if self.unknown {
            self.take_unknown();
        }
        if self.taken > 0 {
            self.close(Open(0));
        }
    }

    fn item(&mut self) {
        self.last_error = None;
        let word = self.current_text();
        if self.at_label() {
            self.outside_body("a label");
            let node = self.open(NodeKind::Error);
            self.bump();
            self.bump();
            return self.close(node);
        }
        match Directive::of(word) {
            Some(directive) if ITEM_DIRECTIVES.contains(&directive) => self.known_item(directive),
            Some(Directive::Reg | Directive::Pred) => {
                self.outside_body("a register declaration");
                self.skip_whole_statement();
            }
            Some(directive) => {
                self.outside = false;
                self.misplaced(directive);
            }
            None => match suggest(word, ITEM_DIRECTIVES) {
                Some(directive) => {
                    self.unknown_directive(Some(directive));
                    self.known_item(directive);
                }
                None if word.starts_with('.') => {
                    self.outside = false;
                    self.unknown_directive(None);
                    self.skip_whole_statement();
                    if self.is(TokenKind::LeftBrace) {
                        self.skip_block();
                    }
                }
                None => {
                    self.outside_body("an instruction");
                    self.skip_whole_statement();
                }
            },
        }
    }

    fn known_item(&mut self, directive: Directive) {
        self.outside = false;
        let node = self.open(NodeKind::Error);
        match directive {
            Directive::Version => self.header(node, NodeKind::Version, "`.version 0.1;`"),
            Directive::Target => self.header(node, NodeKind::Target, "`.target 100;`"),
            Directive::Export | Directive::Import => {
                self.single(NodeKind::Linkage);
                self.linked(node);
            }
            Directive::Kernel => self.kernel(node, false),
            Directive::Function => self.function(node),
            _ => self.variable(node),
        }
    }

    /// What follows `.export` or `.import`.
    fn linked(&mut self, node: Open) {
        let word = if self.is(TokenKind::Word) { self.current_text() } else { "" };
        let known = Directive::of(word).filter(|d| LINKED_DIRECTIVES.contains(d));
        let meant = if known.is_none() && !word.is_empty() && !self.at_line_start() {
            suggest(word, LINKED_DIRECTIVES)
        } else {
            None
        };
        if meant.is_some() {
            self.unknown_directive(meant);
        }
        match known.or(meant) {
            Some(Directive::Kernel) => self.kernel(node, true),
            Some(Directive::Function) => self.function(node),
            Some(_) => self.variable(node),
            None => {
                let help = "linkage stands before a variable or function: `.export .global @g[4];`";
                self.unexpected("`.global`, `.const` or `.function`", "variables 2.5.2 Linkage", help);
                self.missing();
                self.skip_statement();
                if self.is(TokenKind::Semicolon) {
                    self.bump();
                }
                self.close(node);
                if self.is(TokenKind::LeftBrace) {
                    self.skip_block();
                }
            }
        }
    }

    /// `.version` and `.target`: one literal or word; which values there are is checked elsewhere (H-01, H-03).
    fn header(&mut self, node: Open, kind: NodeKind, example: &str) {
        self.set_kind(node, kind);
        self.bump();
        let is_value = matches!(self.current, Some(TokenKind::Integer | TokenKind::Float))
            || (self.is(TokenKind::Word) && kind == NodeKind::Target && !self.at_line_start());
        if is_value {
            self.bump();
            self.semicolon();
        } else {
            let what = if kind == NodeKind::Version { "a version" } else { "a target" };
            self.unexpected(what, "compatibility 6.1 Directives", format!("write {example}"));
            self.missing();
            self.skip_statement();
            if self.is(TokenKind::Semicolon) {
                self.bump();
            }
        }
        self.close(node);
    }

    fn stray_brace(&mut self) {
        if self.forgiven_braces > 0 {
            self.forgiven_braces -= 1;
        } else if !self.outside {
            let before = self.last_body_end.map(|span| self.report.place(span));
            let span = self.current_span();
            self.error(codes::NOT_OPENED, span, || {
                let detail = Detail::new("no `{` is open here").spec("syntax 1.2 Statement");
                let detail = match before {
                    Some(place) => detail.also(place, "the last body was closed here"),
                    None => detail,
                };
                detail.help("remove this `}`, or an earlier one")
            });
        }
        self.single(NodeKind::Error);
    }

    /// Reports a statement outside of every body, once for a run of them.
    fn outside_body(&mut self, what: &str) {
        if self.outside {
            return;
        }
        self.outside = true;
        let before = self.last_body_end.map(|span| self.report.place(span));
        let span = self.current_span();
        self.error(codes::OUTSIDE_BODY, span, || {
            let detail =
                Detail::new(format!("{what} outside every kernel and function")).spec("syntax 1.1 Program");
            let detail = match before {
                Some(place) => detail.also(place, "the last body was closed here"),
                None => detail,
            };
            detail.help("statements stand in the `{ }` of a `.kernel` or `.function`")
        });
    }

    /// From `.kernel` on; with linkage before it, which is an error of its own (K-07), a missing body is none.
    fn kernel(&mut self, node: Open, linked: bool) {
        self.set_kind(node, NodeKind::Kernel);
        self.bump();
        self.attributes();
        if self.is(TokenKind::Word) && (self.current_text() == "void" || is_type_like(self.current_text())) {
            let (span, word) = (self.current_span(), self.current_text());
            let place = self.report.place(span);
            self.error(codes::KERNEL_RETURN_TYPE, span, || {
                Detail::new(format!("a kernel has no return type, not even `{word}`"))
                    .spec("calling convention 4.1 Kernel")
                    .help("remove it, or make this a `.function`")
                    .fix(place, "")
            });
            self.single(NodeKind::Error);
        }
        let name = self.symbol_name("a kernel");
        let owner = name.map_or("the kernel".to_owned(), |n| format!("the body of `{n}`"));
        self.signature_rest(&owner, "a kernel", linked);
        self.close(node);
    }

    /// From `.function` on.
    fn function(&mut self, node: Open) {
        self.set_kind(node, NodeKind::Function);
        self.bump();
        if self.is(TokenKind::Word) && (self.current_text() == "void" || is_type_like(self.current_text())) {
            self.single(NodeKind::TypeName);
        } else if self.is(TokenKind::GlobalName) {
            let span = self.current_span();
            let name = self.current_text();
            let place = self.report.place(pisa_diag::Span::new(span.start, span.start));
            self.error(codes::MISSING_RETURN_TYPE, span, || {
                Detail::new(format!("the return type of `{}` is missing", crate::lexer::shortened(name)))
                    .spec("calling convention 4.3 Function")
                    .help("write `void` for none, or a type such as `.32b`")
                    .fix(place, "void ")
            });
            self.missing();
        } else if self.is(TokenKind::Word) && self.next_kind() == Some(TokenKind::GlobalName) {
            let help = "a return type is `void`, or a type such as `.32b` or `.v4.32b`";
            self.unexpected("a return type", "calling convention 4.3 Function", help);
            self.single(NodeKind::Error);
        }
        let name = self.symbol_name("a function");
        let owner = name.map_or("the function".to_owned(), |n| format!("the body of `{n}`"));
        self.signature_rest(&owner, "a function", true);
        self.close(node);
    }

    pub(super) fn symbol_name(&mut self, what: &str) -> Option<String> {
        if self.is(TokenKind::GlobalName) {
            let name = crate::lexer::shortened(self.current_text());
            self.bump();
            return Some(name);
        }
        let help = match self.current {
            Some(TokenKind::Word | TokenKind::LocalName) if !self.at_line_start() => {
                let bare = self.current_text().trim_start_matches('%');
                format!("names of kernels, functions and memory variables begin with `@`: `@{bare}`")
            }
            _ => "names of kernels, functions and memory variables begin with `@`".to_owned(),
        };
        let expected = format!("the name of {what}");
        self.unexpected(&expected, "syntax 1.3 Identifiers", help);
        match self.current {
            Some(TokenKind::Word | TokenKind::LocalName) if !self.at_line_start() => {
                self.single(NodeKind::Error)
            }
            _ => self.missing(),
        }
        None
    }

    /// Parameters, then a body, or `;` where there may be none.
    fn signature_rest(&mut self, owner: &str, what: &str, bodiless: bool) {
        if self.is(TokenKind::LeftParen) {
            self.parameters();
        } else {
            let at = self.end_of_taken();
            let place = self.report.place(at);
            self.error(codes::MISSING_PARAMETER_LIST, at, || {
                Detail::new(format!("{what} has a parameter list"))
                    .label("expected `(`")
                    .spec("calling convention 4.1 Kernel, 4.3 Function")
                    .help("write `()` for no parameters")
                    .fix(place, "()")
            });
            self.missing();
        }
        if self.is(TokenKind::Word) && self.directive().is_some_and(Directive::is_attribute) {
            let span = self.current_span();
            self.error(codes::MISPLACED_DIRECTIVE, span, || {
                Detail::new("an attribute after the parameters")
                    .spec("calling convention 4.1.1 Attributes")
                    .help("attributes stand between `.kernel` and the name")
            });
            let node = self.open(NodeKind::Error);
            while self.current.is_some_and(|k| {
                !matches!(k, TokenKind::LeftBrace | TokenKind::Semicolon | TokenKind::RightBrace)
            }) {
                self.bump();
            }
            self.close(node);
        }
        match self.current {
            Some(TokenKind::LeftBrace) => self.body(owner),
            Some(TokenKind::Semicolon) if bodiless => self.bump(),
            Some(TokenKind::Semicolon) => {
                let help = "a kernel cannot be imported; write its body in `{ }`";
                self.unexpected("`{`", "calling convention 4.1 Kernel", help);
                self.missing();
                self.bump();
            }
            Some(TokenKind::Word)
                if !self.begins_item() && !self.directive().is_some_and(|d| d == Directive::Global) =>
            {
                self.unexpected(
                    "`{`",
                    "calling convention 4.1 Kernel, 4.3 Function",
                    "a body begins with `{`",
                );
                self.missing();
                self.body(owner);
            }
            _ => {
                let expected = if what == "a function" { "`{` or `;`" } else { "`{`" };
                self.unexpected(expected, "calling convention 4.1 Kernel, 4.3 Function", "");
                self.missing();
                if !matches!(self.current, None | Some(TokenKind::Word)) {
                    self.skip_statement();
                }
                match self.current {
                    Some(TokenKind::LeftBrace) => self.body(owner),
                    Some(TokenKind::Semicolon) => self.bump(),
                    _ => {}
                }
            }
        }
    }
}
