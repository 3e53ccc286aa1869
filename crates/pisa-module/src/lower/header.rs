//! `.version` and `.target` (G-01, H-01, H-03, E1, E2).

use super::Lowerer;
use crate::codes;
use pisa_diag::Span;
use pisa_isa::{Target, Version};
use pisa_syntax::{Node, NodeKind, TokenKind};

impl<'t> Lowerer<'t> {
    pub(super) fn header(&mut self) {
        let root = self.tree.root();
        let (mut version, mut target) = (None, None);
        let mut position = 0;
        for node in root.children() {
            match node.kind() {
                NodeKind::Version => {
                    if version.replace(node).is_some() {
                        self.header_again(node, ".version");
                    } else if position != 0 {
                        self.header_misplaced(node, "`.version` must be the first statement of a module");
                    }
                }
                NodeKind::Target => {
                    if target.replace(node).is_some() {
                        self.header_again(node, ".target");
                    } else if position != 1 && !(position == 0 && version.is_none()) {
                        self.header_misplaced(node, "`.target` must be the second statement of a module");
                    }
                }
                NodeKind::Empty => continue,
                _ => {}
            }
            position += 1;
        }
        match version {
            Some(node) => self.version(node),
            None => self.header_absent("this module has no `.version`; read as 0.1", ".version 0.1;"),
        }
        match target {
            Some(node) => self.target(node),
            None => self.header_absent("this module has no `.target`; read as 100", ".target 100;"),
        }
    }

    fn header_absent(&mut self, message: &str, line: &str) {
        let span = self.tree.root().children().next().map_or(Span::new(0, 0), |n| {
            let span = n.span();
            Span::new(span.start, span.start)
        });
        let diagnostic = self
            .departure(codes::HEADER_MISSING, span, message)
            .spec("6.1 directives: a module starts with `.version` and `.target`")
            .help(format!("add `{line}` at the beginning"));
        self.report(diagnostic);
    }

    fn header_misplaced(&mut self, node: Node<'t>, message: &str) {
        let diagnostic = self
            .departure(codes::HEADER_ORDER, node.span(), message)
            .spec("6.1 directives")
            .help("begin the module with `.version 0.1;` and then `.target 100;`");
        self.report(diagnostic);
    }

    fn header_again(&mut self, node: Node<'t>, word: &str) {
        let diagnostic = self
            .departure(codes::HEADER_ORDER, node.span(), format!("a second `{word}`; the last one counts"))
            .spec("6.1 directives")
            .help("remove one of them");
        self.report(diagnostic);
    }

    fn version(&mut self, node: Node<'t>) {
        let Some(token) = node
            .tokens()
            .find(|t| matches!(t.kind(), TokenKind::Float | TokenKind::Integer | TokenKind::Word))
        else {
            return;
        };
        // The word `.version` itself is a token of the same kind as a wrong value.
        let token = if token.text() == ".version" { node.tokens().nth(1).unwrap_or(token) } else { token };
        match token.text() {
            "0.1" => self.version = Version(0, 1),
            "1.0" => {
                let diagnostic = self
                    .departure(
                        codes::VERSION_ONE,
                        token.span(),
                        "`.version 1.0` is what LLVM prints; the published specification is 0.1",
                    )
                    .spec("6.1.1 version")
                    .note("read as 0.1; `--strict` refuses it")
                    .fix(self.place(token.span()), "0.1");
                self.report(diagnostic);
            }
            other => {
                let diagnostic = self
                    .error(codes::UNKNOWN_VERSION, token.span(), format!("`{other}` is not a known version"))
                    .spec("6.1.1 version: an unknown value is an error")
                    .help("write `.version 0.1;`");
                self.report(diagnostic);
            }
        }
    }

    fn target(&mut self, node: Node<'t>) {
        let mut tokens = node.tokens().skip(1).take_while(|t| t.kind() != TokenKind::Semicolon);
        let Some(first) = tokens.next() else { return };
        let span = tokens.last().map_or(first.span(), |t| first.span().to(t.span()));
        let text = &self.tree.text()[span.start as usize..span.end as usize];
        match Target::ALL.iter().find(|t| t.text() == text) {
            Some(&target) => self.target = target,
            None => {
                let diagnostic = self
                    .error(codes::UNKNOWN_TARGET, span, format!("`{text}` is not a known target"))
                    .spec("6.1.2 target: an unknown value is an error")
                    .help("the targets are `100`, `100c` and `100ca`");
                self.report(diagnostic);
            }
        }
    }
}
