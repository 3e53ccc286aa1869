//! Initialisers (spec 2.5.1; rows V-07 to V-09, V-21, V-22).

use super::immediates::{fits, hex_width, mask, parse_integer, round_double};
use super::{Lowerer, Symbol, symbol_name};
use crate::{Initializer, codes};
use pisa_diag::Span;
use pisa_isa::Qualifier;
use pisa_syntax::{Node, NodeKind, TokenKind, parse_float};

/// A whole initialiser.
pub(super) struct Value {
    pub elements: Vec<Initializer>,
    /// Bytes of all elements.
    pub bytes: u64,
    /// Whether all elements were understood, so that `bytes` counts.
    pub complete: bool,
}

impl<'t> Lowerer<'t> {
    pub(super) fn initializer(&mut self, node: Node<'t>) -> Value {
        let mut value = Value { elements: Vec::new(), bytes: 0, complete: true };
        for element in node.children() {
            if element.kind() != NodeKind::InitializerElement || element.has_error() {
                value.complete = false;
                continue;
            }
            match self.initializer_element(element) {
                Some(element) => {
                    value.bytes = value.bytes.saturating_add(element.bytes());
                    value.elements.push(element);
                }
                None => value.complete = false,
            }
        }
        value
    }

    fn initializer_element(&mut self, node: Node<'t>) -> Option<Initializer> {
        let mut tokens = node.tokens();
        let word = tokens.next()?;
        if word.text() == ".zero" {
            return self.zeros(node);
        }
        let bits: u16 = match word.text() {
            ".8b" => 8,
            ".16b" => 16,
            ".32b" => 32,
            ".64b" => 64,
            other => {
                let diagnostic = self
                    .error(
                        codes::INITIALIZER_TYPE,
                        word.span(),
                        format!("`{other}` is no type of an initialiser"),
                    )
                    .spec("2.5.1 initializers")
                    .help(
                        match Qualifier::from_text(other).filter(|q| q.is_float()).and_then(Qualifier::bits) {
                            Some(bits) => format!("write the bits of the number as `.{bits}b 0x…`"),
                            None => "types: .8b .16b .32b .64b, and `.zero N`".to_owned(),
                        },
                    );
                self.report(diagnostic);
                return None;
            }
        };
        let bytes = (bits / 8) as u8;
        let mut negative = false;
        for token in tokens {
            match token.kind() {
                TokenKind::Minus => negative = true,
                TokenKind::Integer => {
                    let integer = parse_integer(token.text())?;
                    if integer.too_large {
                        let diagnostic = self
                            .error(
                                codes::INITIALIZER_VALUE,
                                token.span(),
                                "this value needs more than 64 bits",
                            )
                            .spec("2.5.1 initializers")
                            .help("write several elements, the low one first");
                        self.report(diagnostic);
                        return None;
                    }
                    let value = i128::from(integer.magnitude);
                    let value = if negative { -value } else { value };
                    let cut = value as u64 & mask(bits);
                    if !fits(value, bits) {
                        let diagnostic = self
                            .lint(
                                codes::VALUE_TRUNCATED,
                                token.span(),
                                format!("this value does not fit {bits} bits and is cut to {cut}"),
                            )
                            .spec("2.5.1 initializers: truncated to the size of the element")
                            .help(format!("write {cut}, or a wider element"));
                        self.report(diagnostic);
                    }
                    return Some(Initializer::Value { bytes, value: cut });
                }
                TokenKind::Float => {
                    let ty = match bits {
                        16 => Qualifier::Hf,
                        64 => Qualifier::Df,
                        _ => Qualifier::F,
                    };
                    let value = parse_float(token.text()).map(|v| if negative { -v } else { v });
                    let mut diagnostic = self
                        .error(
                            codes::INITIALIZER_VALUE,
                            token.span(),
                            "floating-point numbers are written as their bits in an initialiser",
                        )
                        .spec("2.5.1 initializers: must be converted to hexadecimal format");
                    if let (Ok(value), 16 | 32 | 64) = (value, bits) {
                        diagnostic = diagnostic.help(format!(
                            "as `{}` this is 0x{:0width$X}",
                            ty.text(),
                            round_double(value, ty),
                            width = hex_width(ty) as usize
                        ));
                    }
                    self.report(diagnostic);
                    return None;
                }
                TokenKind::GlobalName => return self.symbol_element(node, token.text(), token.span(), bits),
                _ => {}
            }
        }
        None
    }

    fn zeros(&mut self, node: Node<'t>) -> Option<Initializer> {
        let token = node.token(TokenKind::Integer)?;
        let count = parse_integer(token.text())?;
        if !count.too_large && (1..1 << 40).contains(&count.magnitude) {
            return Some(Initializer::Zero(count.magnitude));
        }
        let diagnostic = self
            .error(codes::ZERO_COUNT, token.span(), format!("`.zero {}`", token.text()))
            .spec("2.5.1.1 zero-initializer")
            .help("the number of zero bytes is 1 or more, and at most 2^40");
        self.report(diagnostic);
        None
    }

    /// `.64b @symbol`, `.64b @symbol + 4` (V-09).
    fn symbol_element(
        &mut self,
        node: Node<'t>,
        text: &'t str,
        span: Span,
        bits: u16,
    ) -> Option<Initializer> {
        let name = symbol_name(text);
        if bits != 64 {
            let diagnostic = self
                .error(
                    codes::SYMBOL_ELEMENT_WIDTH,
                    span,
                    format!("the address of `@{name}` has 64 bits, the element {bits}"),
                )
                .spec("2.5.1.2 symbol-initializer")
                .help(format!("write `.64b @{name}`"));
            self.report(diagnostic);
            return None;
        }
        let mut sign = None;
        let mut minus = None;
        let mut offset = None;
        for token in node.tokens().filter(|t| t.span().start >= span.end) {
            match token.kind() {
                TokenKind::Minus | TokenKind::Plus if sign.is_none() => {
                    sign = Some(token.kind() == TokenKind::Minus);
                    minus = sign.filter(|&minus| minus).map(|_| token.span());
                }
                // `+ -8`
                TokenKind::Minus => sign = sign.map(|s| !s),
                TokenKind::Integer => offset = parse_integer(token.text()).map(|i| (i, token.span())),
                _ => {}
            }
        }
        let Some(symbol) = self.module_symbol(name) else {
            self.unknown_symbol(name, span);
            return None;
        };
        match symbol {
            Symbol::Variable(id) => {
                let value = match offset {
                    None => 0,
                    Some((integer, offset_span)) => {
                        let value = i128::from(integer.magnitude);
                        let value = if sign == Some(true) { -value } else { value };
                        match i64::try_from(value) {
                            Ok(value) if !integer.too_large => value,
                            _ => {
                                let diagnostic = self
                                    .error(
                                        codes::INITIALIZER_VALUE,
                                        offset_span,
                                        "this offset does not fit a signed 64-bit number",
                                    )
                                    .spec("2.5.1.2 symbol-initializer")
                                    .help("offsets are bytes from the variable");
                                self.report(diagnostic);
                                return None;
                            }
                        }
                    }
                };
                // E4: LLVM prints `@s-4`, the specification has `@<symbol>+<offset>`.
                if let (Some(minus), Some((_, literal))) = (minus, offset) {
                    let place = minus.to(literal);
                    let diagnostic = self
                        .departure(
                            codes::MINUS_OFFSET,
                            place,
                            "the offset of a symbol is added by the letter",
                        )
                        .spec("2.5.1.2 symbol-initializer")
                        .help(format!("write `@{name}+{value}`"))
                        .fix(self.place(place), format!("+{value}"));
                    self.report(diagnostic);
                }
                Some(Initializer::Variable(id, value))
            }
            Symbol::Function(id) => {
                let (kernel, place) = {
                    let function = &self.functions[id.index()];
                    (function.is_kernel(), function.place)
                };
                if kernel {
                    let diagnostic = self
                        .error(
                            codes::INITIALIZER_SYMBOL,
                            span,
                            format!("`@{name}` is a kernel, which has no address"),
                        )
                        .also(place, "declared here")
                        .spec("2.5.1.2 symbol-initializer; 4.1 kernel: can only be invoked from the host")
                        .help("name a function or a variable of the module");
                    self.report(diagnostic);
                    return None;
                }
                if let Some((_, offset_span)) = offset {
                    let diagnostic = self
                        .error(
                            codes::FUNCTION_OFFSET,
                            offset_span,
                            "the address of a function takes no offset",
                        )
                        .also(place, "declared here")
                        .spec("2.5.1.2 symbol-initializer")
                        .help(format!("write `.64b @{name}`"));
                    self.report(diagnostic);
                    return None;
                }
                Some(Initializer::Function(id))
            }
        }
    }
}
