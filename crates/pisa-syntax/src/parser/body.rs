//! Bodies, scopes, labels.

use super::{Open, Parser};
use crate::keyword::{Directive, is_type_like, suggest, without_dot};
use crate::lexer::shortened;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

/// What may begin a statement of a body.
const BODY_DIRECTIVES: &[Directive] = &[
    Directive::Reg,
    Directive::Pred,
    Directive::Private,
    Directive::Shared,
    Directive::Const,
    Directive::Global,
];

impl Parser<'_> {
    /// `{ … }` of a kernel or function, from its `{` on; `owner` is named when the body is not closed.
    pub(super) fn body(&mut self, owner: &str) {
        // Scopes nest as deep as the text is long, so they have a stack of their own.
        let mut scopes: Vec<Open> = vec![self.open(NodeKind::Body)];
        if self.is(TokenKind::LeftBrace) {
            self.bump();
        }
        while let Some(&innermost) = scopes.last() {
            match self.current {
                Some(TokenKind::RightBrace) => {
                    let span = self.current_span();
                    self.bump();
                    self.close(innermost);
                    scopes.pop();
                    if scopes.is_empty() {
                        self.last_body_end = Some(span);
                    }
                }
                Some(TokenKind::LeftBrace) => {
                    let scope = self.open(NodeKind::Scope);
                    self.bump();
                    scopes.push(scope);
                }
                Some(TokenKind::Word) if !self.begins_item() => self.body_word(),
                Some(TokenKind::Semicolon) => self.empty(),
                None | Some(TokenKind::Word) => {
                    self.not_closed(owner, innermost, scopes.len());
                    while let Some(scope) = scopes.pop() {
                        self.close(scope);
                    }
                }
                Some(_) => {
                    self.unexpected_at(
                        self.current_span(),
                        "a statement",
                        "syntax 1.2 Statement",
                        "a statement is a declaration, an instruction, a label or a scope",
                    );
                    self.skip_whole_statement();
                }
            }
        }
    }

    /// A brace is missing at the end of the file or before the next kernel or function.
    fn not_closed(&mut self, owner: &str, innermost: Open, depth: usize) {
        let brace = self.report.place(self.span_of_node(innermost));
        let (at, found) = match self.current {
            None => (self.end_of_taken(), None),
            Some(_) => (self.current_span(), Some(shortened(self.current_text()))),
        };
        if found.is_some() {
            self.forgiven_braces = depth;
        }
        self.error(codes::NOT_CLOSED, at, || {
            let message = match found {
                Some(word) => format!("`{word}` inside {owner}: `}}` is missing before it"),
                None => format!("{owner} is not closed at the end of the file"),
            };
            let count = if depth == 1 { "`}` is".to_owned() } else { format!("{depth} `}}` are") };
            Detail::new(message)
                .also(brace, "opened here")
                .spec("syntax 1.2 Statement")
                .help(format!("{count} missing"))
        });
        self.missing();
    }

    /// A lone `;` (G-17).
    pub(super) fn empty(&mut self) {
        let span = self.current_span();
        let place = self.report.place(span);
        self.report.warning(codes::STRAY_SEMICOLON, span, || {
            Detail::new("this `;` ends no statement")
                .spec("syntax 1.2 Statement")
                .help("remove it")
                .fix(place, "")
        });
        self.single(NodeKind::Empty);
    }

    fn body_word(&mut self) {
        // A new statement: what is wrong with it is a fault of its own.
        self.last_error = None;
        if self.at_label() {
            return self.label();
        }
        let word = self.current_text();
        if !word.starts_with('.') {
            return match without_dot(word, BODY_DIRECTIVES) {
                Some(directive) => self.meant(directive),
                None => self.instruction(),
            };
        }
        match Directive::of(word) {
            Some(Directive::Reg | Directive::Pred) => self.registers(),
            Some(directive) if directive.is_space() => {
                let node = self.open(NodeKind::Variable);
                self.variable(node);
            }
            Some(directive) => self.misplaced(directive),
            None if is_type_like(word) && self.next_kind() == Some(TokenKind::LocalName) => {
                let span = self.current_span();
                let place = self.report.place(pisa_diag::Span::new(span.start, span.start));
                self.error(codes::UNKNOWN_DIRECTIVE, span, || {
                    Detail::new(format!("`{word}` begins no statement"))
                        .spec("variables 2.2 Register Variables")
                        .help(format!("a declaration is written `.reg {word} %name;`"))
                        .fix(place, ".reg ")
                });
                self.registers();
            }
            None => match suggest(word, BODY_DIRECTIVES) {
                Some(directive) => self.meant(directive),
                None => {
                    self.unknown_directive(None);
                    self.skip_whole_statement();
                }
            },
        }
    }

    /// A misspelt directive: reported, then read as what was meant.
    fn meant(&mut self, directive: Directive) {
        self.unknown_directive(Some(directive));
        if directive.is_space() {
            let node = self.open(NodeKind::Variable);
            self.variable(node);
        } else {
            self.registers();
        }
    }

    pub(super) fn unknown_directive(&mut self, meant: Option<Directive>) {
        let (word, span) = (self.current_text(), self.current_span());
        let place = self.report.place(span);
        self.error(codes::UNKNOWN_DIRECTIVE, span, || {
            let what = if word.starts_with('.') { "directive" } else { "statement" };
            let detail =
                Detail::new(format!("unknown {what} `{}`", shortened(word))).spec("directives 1 Directives");
            match meant {
                Some(directive) => {
                    detail.help(format!("did you mean `{}`?", directive.text())).fix(place, directive.text())
                }
                None => detail.help("remove it; PISA 0.1 has no such directive, and none for debugging"),
            }
        });
    }

    pub(super) fn misplaced(&mut self, directive: Directive) {
        let span = self.current_span();
        self.error(codes::MISPLACED_DIRECTIVE, span, || {
            Detail::new(format!("`{}` does not begin a statement here", directive.text()))
                .spec("directives 1 Directives")
                .help(directive.place())
        });
        self.skip_whole_statement();
    }

    /// Takes at least one token, then all up to and with `;`, or up to a brace or the next statement.
    pub(super) fn skip_whole_statement(&mut self) {
        let node = self.open(NodeKind::Error);
        self.bump();
        while let Some(kind) = self.current {
            match kind {
                TokenKind::Semicolon => {
                    self.bump();
                    break;
                }
                TokenKind::LeftBrace | TokenKind::RightBrace => break,
                TokenKind::Word if self.at_line_start() => break,
                _ => self.bump(),
            }
        }
        self.close(node);
    }

    /// Word `:`, alone on its line (G-05).
    fn label(&mut self) {
        let node = self.open(NodeKind::Label);
        let (name, span) = (self.current_text(), self.current_span());
        let first = self.at;
        self.bump();
        self.bump();
        self.close(node);
        let follows = self.current.is_some() && !self.at_line_start();
        if follows || !self.starts_line(first) {
            self.report.warning(codes::LABEL_SHARES_LINE, span, || {
                Detail::new(format!("the label `{}` is not alone on its line", shortened(name)))
                    .spec("syntax 1.2 Statement")
                    .help(format!("put `{}:` on a line of its own; `pisa fmt` does it", shortened(name)))
            });
        }
    }
}
