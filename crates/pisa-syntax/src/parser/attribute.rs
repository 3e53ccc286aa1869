//! Attributes.

use super::Parser;
use crate::keyword::{Directive, is_type_like};
use crate::lexer::shortened;
use crate::report::Detail;
use crate::{NodeKind, TokenKind, codes};

/// What stands after the word of an attribute.
enum Argument {
    /// `4` after the `.align` of a variable, `(4)` after that of a parameter.
    Alignment,
    Integer,
    Integers,
    String,
    Word,
}

impl Parser<'_> {
    /// Attributes in any order; how often each may stand where is checked elsewhere (V-01, K-08).
    pub(super) fn attributes(&mut self) {
        self.attributes_of(false);
    }

    pub(super) fn attributes_of(&mut self, of_parameter: bool) {
        while self.is(TokenKind::Word) {
            let word = self.current_text();
            match Directive::of(word) {
                Some(directive) if directive.is_attribute() => self.attribute(directive, of_parameter),
                None if word.starts_with('.') && !is_type_like(word) && !self.at_line_start() => {
                    self.unknown_attribute(of_parameter);
                }
                _ => return,
            }
        }
    }

    fn unknown_attribute(&mut self, of_parameter: bool) {
        const ATTRIBUTES: &[Directive] = &[
            Directive::Align,
            Directive::Section,
            Directive::HostAccess,
            Directive::ReqdWorkGroupSize,
            Directive::VecTypeHint,
            Directive::Addrspace,
            Directive::PtrAlign,
        ];
        let (word, span) = (self.current_text(), self.current_span());
        let meant = crate::keyword::suggest(word, ATTRIBUTES);
        let place = self.report.place(span);
        self.error(codes::UNKNOWN_DIRECTIVE, span, || {
            let detail = Detail::new(format!("unknown attribute `{}`", shortened(word)));
            let detail = detail.spec("directives 1 Directives");
            match meant {
                Some(directive) => {
                    detail.help(format!("did you mean `{}`?", directive.text())).fix(place, directive.text())
                }
                None => detail.help(
                    "attributes of variables: `.align`, `.section`, `.host_access`; of kernels: `.reqd_work_group_size`, \
                     `.vec_type_hint`; of kernel parameters: `.align`, `.addrspace`, `.ptr_align`",
                ),
            }
        });
        if let Some(directive) = meant {
            return self.attribute(directive, of_parameter);
        }
        let node = self.open(NodeKind::Error);
        self.bump();
        if self.is(TokenKind::LeftParen) {
            self.bump();
            while self.current.is_some_and(|k| {
                !matches!(
                    k,
                    TokenKind::RightParen
                        | TokenKind::Semicolon
                        | TokenKind::LeftBrace
                        | TokenKind::RightBrace
                )
            }) {
                self.bump();
            }
            if self.is(TokenKind::RightParen) {
                self.bump();
            }
        } else if self.is(TokenKind::Integer) {
            self.bump();
        }
        self.close(node);
    }

    pub(super) fn attribute(&mut self, directive: Directive, of_parameter: bool) {
        let argument = match directive {
            Directive::Align if !of_parameter => Argument::Alignment,
            Directive::Section | Directive::HostAccess => Argument::String,
            Directive::ReqdWorkGroupSize => Argument::Integers,
            Directive::VecTypeHint | Directive::Addrspace => Argument::Word,
            _ => Argument::Integer,
        };
        let node = self.open(NodeKind::Attribute);
        self.bump();
        let spec = if of_parameter {
            "calling convention 4.2.1 Parameter Attributes"
        } else {
            "variables 2.4.1, 2.5.3, calling convention 4.1.1"
        };
        let bare = matches!(argument, Argument::Alignment);
        let in_parentheses = self.is(TokenKind::LeftParen);
        let has_value = match self.current {
            Some(TokenKind::Integer | TokenKind::String) => true,
            Some(TokenKind::Word) => !self.current_text().starts_with('.') && !self.at_line_start(),
            _ => false,
        };
        if bare == in_parentheses && (in_parentheses || has_value) {
            let span = self.span_of_node(node);
            self.error(codes::ATTRIBUTE_FORM, span, || {
                let message = format!("`{}` has another form here", directive.text());
                let help = match argument {
                    Argument::Alignment => "a variable's alignment has no parentheses: `.align 4`".to_owned(),
                    _ => format!("its value stands in parentheses: `{}(…)`", directive.text()),
                };
                Detail::new(message).spec(spec).help(help)
            });
            self.missing();
        } else if !bare && !in_parentheses {
            let help = format!("the value of `{}` stands in parentheses", directive.text());
            self.unexpected("`(`", spec, help);
            self.missing();
            return self.close(node);
        }
        if in_parentheses {
            self.bump();
        }
        if self.attribute_values(&argument, spec) && in_parentheses && !self.is(TokenKind::RightParen) {
            self.unexpected("`)`", spec, "");
            self.missing();
        }
        if in_parentheses {
            while self.current.is_some_and(|k| {
                !matches!(
                    k,
                    TokenKind::RightParen
                        | TokenKind::Semicolon
                        | TokenKind::LeftBrace
                        | TokenKind::RightBrace
                        | TokenKind::GlobalName
                        | TokenKind::LocalName
                )
            }) && !self.at_line_start()
            {
                self.single(NodeKind::Error);
            }
            if self.is(TokenKind::RightParen) {
                self.bump();
            }
        }
        self.close(node);
    }

    /// The values of an attribute; false when one is missing, which is reported.
    fn attribute_values(&mut self, argument: &Argument, spec: &'static str) -> bool {
        match argument {
            Argument::Alignment | Argument::Integer => self.integer("a number", spec, ""),
            Argument::Integers => {
                while self.integer("a number", spec, "") {
                    if !self.is(TokenKind::Comma) {
                        return true;
                    }
                    self.bump();
                }
                false
            }
            Argument::String if self.is(TokenKind::String) => {
                if self.current_text() == "\"\"" {
                    let span = self.current_span();
                    self.error(codes::EMPTY_STRING, span, || {
                        Detail::new("the name is empty")
                            .spec(spec)
                            .help("write a name between the quotes, or remove the attribute")
                    });
                    self.missing();
                }
                self.bump();
                true
            }
            Argument::Word if self.is(TokenKind::Word) => {
                self.bump();
                true
            }
            Argument::String => {
                self.unexpected("a name in quotes", spec, "");
                self.missing();
                false
            }
            Argument::Word => {
                self.unexpected("a word", spec, "");
                self.missing();
                false
            }
        }
    }
}
