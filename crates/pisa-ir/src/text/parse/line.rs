//! One line: a block, an instruction, or the end of a block.

use super::tokens::{Fault, Kind, Spelled, Token};
use crate::cross_lane::InactiveSource;
use crate::text::words::{self, INACTIVE};
use pisa_diag::Span;
use pisa_module::RegisterType;

/// `%a: 32b`
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition<'t> {
    pub(super) name: Spelled<'t>,
    pub(super) ty: RegisterType,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum OperandKind<'t> {
    /// A value, special register or kernel parameter.
    Local {
        name: &'t str,
        negated: bool,
    },
    /// A variable or function.
    Global(&'t str),
    /// A number, with the type behind it.
    Number(&'t str, Option<RegisterType>),
    /// A predicate.
    Truth(bool),
    Dead,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OperandText<'t> {
    pub(super) kind: OperandKind<'t>,
    pub(super) span: Span,
}

/// A part of an instruction between commas.
#[derive(Clone, Debug)]
pub(super) enum Part<'t> {
    Plain(OperandText<'t>),
    Address(OperandText<'t>, Option<OperandText<'t>>),
    Index(OperandText<'t>),
    Mask(OperandText<'t>),
    Keep(OperandText<'t>),
    Call(OperandText<'t>, Vec<OperandText<'t>>),
}

/// The token of an active set.
#[derive(Clone, Copy, Debug)]
pub(super) enum ActiveText<'t> {
    Entry(Spelled<'t>),
    After(u32, Span),
}

#[derive(Clone, Debug)]
pub(super) struct InstructionText<'t> {
    pub(super) results: Vec<Definition<'t>>,
    pub(super) mnemonic: Spelled<'t>,
    pub(super) parts: Vec<Part<'t>>,
    pub(super) active: Option<ActiveText<'t>>,
    pub(super) inactive: Option<(InactiveSource, Span)>,
    pub(super) mark: Option<(u32, Span)>,
}

#[derive(Clone, Debug)]
pub(super) struct TargetText<'t> {
    pub(super) block: Spelled<'t>,
    pub(super) arguments: Vec<OperandText<'t>>,
}

#[derive(Clone, Debug)]
pub(super) enum EndText<'t> {
    Goto(TargetText<'t>),
    Branch(OperandText<'t>, TargetText<'t>, TargetText<'t>),
    Return(Option<OperandText<'t>>),
    ReturnIf(Option<OperandText<'t>>, OperandText<'t>, TargetText<'t>),
}

#[derive(Clone, Debug)]
pub(super) enum Line<'t> {
    Block { name: Spelled<'t>, parameters: Vec<Definition<'t>> },
    Instruction(InstructionText<'t>),
    End(EndText<'t>),
}

/// What a line says that cannot be read as a whole, so that nothing else is reported for it.
#[derive(Clone, Debug)]
pub(super) enum Broken<'t> {
    Block { name: Option<Spelled<'t>>, parameters: Vec<Definition<'t>> },
    Instruction { results: Vec<Definition<'t>> },
    End,
}

impl<'t> Line<'t> {
    /// What is left of a line that is not read to its end.
    pub(super) fn into_broken(self) -> Broken<'t> {
        match self {
            Line::Block { name, parameters } => Broken::Block { name: Some(name), parameters },
            Line::Instruction(instruction) => Broken::Instruction { results: instruction.results },
            Line::End(_) => Broken::End,
        }
    }
}

/// Reads the tokens of a line; `end` is where it ends.
pub(super) fn line<'t>(tokens: &[Token<'t>], end: u32) -> Result<Line<'t>, Box<(Fault, Broken<'t>)>> {
    let mut cursor = Cursor { tokens, at: 0, end };
    let mut definitions = Vec::new();
    let second = tokens.get(1).map(|token| token.kind);
    let Some(first) = tokens.first() else {
        let fault = cursor.expected("a block, an instruction or the end of a block");
        return Err(Box::new((fault, Broken::End)));
    };
    match first.kind {
        Kind::Quoted | Kind::Word
            if first.kind == Kind::Quoted || matches!(second, Some(Kind::Sign(b'(' | b':'))) =>
        {
            let name = first.spelled;
            match cursor.block(&mut definitions) {
                Ok(()) => Ok(Line::Block { name, parameters: definitions }),
                Err(fault) => {
                    Err(Box::new((fault, Broken::Block { name: Some(name), parameters: definitions })))
                }
            }
        }
        Kind::Word if matches!(first.spelled.text, "goto" | "branch" | "return") => {
            match cursor.block_end() {
                Ok(end) => Ok(Line::End(end)),
                Err(fault) => Err(Box::new((fault, Broken::End))),
            }
        }
        Kind::Word | Kind::Local => match cursor.instruction(&mut definitions) {
            Ok(mut instruction) => {
                instruction.results = definitions;
                Ok(Line::Instruction(instruction))
            }
            Err(fault) => Err(Box::new((fault, Broken::Instruction { results: definitions }))),
        },
        _ => {
            let fault = cursor.expected("a block, an instruction or the end of a block");
            Err(Box::new((fault, Broken::Instruction { results: definitions })))
        }
    }
}

/// A type: `32b`, `v4.16b`, `pred`.
pub(super) fn type_of(text: &str) -> Option<RegisterType> {
    if text == "pred" {
        return Some(RegisterType::PREDICATE);
    }
    let (elements, bits) = match text.strip_prefix('v') {
        Some(rest) => {
            let (elements, bits) = rest.split_once('.')?;
            (small(elements).filter(|n| (2..=64).contains(n))?, bits)
        }
        None => (1, text),
    };
    let bits = small(bits.strip_suffix('b')?).filter(|n| matches!(n, 8 | 16 | 32 | 64 | 128))?;
    Some(RegisterType { elements, bits })
}

/// A decimal number without signs and leading zeros.
fn small(text: &str) -> Option<u8> {
    if text.starts_with('0') || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

struct Cursor<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    /// Where the line ends.
    end: u32,
}

impl<'t> Cursor<'_, 't> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }
    fn next(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }
    fn take(&mut self, sign: u8) -> bool {
        let is_there = self.peek().is_some_and(|token| token.kind == Kind::Sign(sign));
        self.at += usize::from(is_there);
        is_there
    }
    fn take_word(&mut self, word: &str) -> bool {
        let is_there =
            self.peek().is_some_and(|token| token.kind == Kind::Word && token.spelled.text == word);
        self.at += usize::from(is_there);
        is_there
    }

    /// Something else stands here than what was expected.
    fn expected(&self, what: &str) -> Fault {
        match self.peek() {
            None => {
                let span = Span::new(self.end.saturating_sub(1), self.end);
                Fault::syntax(span, format!("the line ends, expected {what}"))
            }
            Some(token) => {
                let sign = match token.kind {
                    Kind::Local => "%",
                    Kind::Global => "@",
                    Kind::Mark => "#",
                    _ => "",
                };
                let found = token.spelled.text;
                Fault::syntax(token.spelled.span, format!("found `{sign}{found}`, expected {what}"))
            }
        }
    }
    fn sign(&mut self, sign: u8) -> Result<(), Fault> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("`{}`", char::from(sign)))) }
    }
    fn line_end(&self) -> Result<(), Fault> {
        if self.at == self.tokens.len() { Ok(()) } else { Err(self.expected("`,` or the end of the line")) }
    }

    /// `name(%a: 32b, %b: pred):`
    fn block(&mut self, parameters: &mut Vec<Definition<'t>>) -> Result<(), Fault> {
        self.next();
        if self.take(b'(') {
            self.definitions(parameters)?;
            self.sign(b')')?;
        }
        self.sign(b':')?;
        if self.at < self.tokens.len() {
            return Err(self.expected("the end of the line"));
        }
        Ok(())
    }

    /// One or more of `%a: 32b`.
    fn definitions(&mut self, definitions: &mut Vec<Definition<'t>>) -> Result<(), Fault> {
        loop {
            let Some(token) = self.peek().filter(|token| token.kind == Kind::Local) else {
                return Err(self.expected("a value such as `%a`"));
            };
            self.at += 1;
            if !self.take(b':') {
                return Err(self.expected("`:` and the type of the value").help("for instance `%a: 32b`"));
            }
            let ty = self.ty()?;
            definitions.push(Definition { name: token.spelled, ty });
            if !self.take(b',') {
                return Ok(());
            }
        }
    }

    fn ty(&mut self) -> Result<RegisterType, Fault> {
        let word = self.peek().filter(|token| token.kind == Kind::Word);
        match word.and_then(|token| type_of(token.spelled.text)) {
            Some(ty) => {
                self.at += 1;
                Ok(ty)
            }
            None => Err(self
                .expected("a type")
                .help("types are `pred`, `8b` to `128b`, and vectors such as `v4.32b`")),
        }
    }

    fn block_end(&mut self) -> Result<EndText<'t>, Fault> {
        let word = self.next().map_or("", |token| token.spelled.text);
        let end = match word {
            "goto" => EndText::Goto(self.target()?),
            "branch" => {
                let condition = self.operand()?;
                self.sign(b',')?;
                let taken = self.target()?;
                self.sign(b',')?;
                EndText::Branch(condition, taken, self.target()?)
            }
            _ => {
                let is_next_if =
                    self.peek().is_none_or(|token| token.kind == Kind::Word && token.spelled.text == "if");
                let value = if is_next_if { None } else { Some(self.operand()?) };
                if self.take_word("if") {
                    let condition = self.operand()?;
                    self.sign(b',')?;
                    if !self.take_word("else") {
                        return Err(self.expected("`else` and the block where the other lanes go"));
                    }
                    EndText::ReturnIf(value, condition, self.target()?)
                } else {
                    EndText::Return(value)
                }
            }
        };
        self.line_end()?;
        Ok(end)
    }

    /// `block(%a, 5)`
    fn target(&mut self) -> Result<TargetText<'t>, Fault> {
        let Some(token) = self.peek().filter(|token| matches!(token.kind, Kind::Word | Kind::Quoted)) else {
            return Err(self.expected("the name of a block"));
        };
        self.at += 1;
        let mut arguments = Vec::new();
        if self.take(b'(') {
            self.arguments(&mut arguments)?;
        }
        Ok(TargetText { block: token.spelled, arguments })
    }

    /// Operands up to the `)`.
    fn arguments(&mut self, arguments: &mut Vec<OperandText<'t>>) -> Result<(), Fault> {
        if self.take(b')') {
            return Ok(());
        }
        loop {
            arguments.push(self.operand()?);
            if self.take(b')') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }

    fn operand(&mut self) -> Result<OperandText<'t>, Fault> {
        let negation = self.peek().filter(|_| self.take(b'!'));
        let Some(token) = self.peek() else { return Err(self.expected("an operand")) };
        let text = token.spelled.text;
        let mut span = token.spelled.span;
        if let Some(negation) = negation {
            if token.kind != Kind::Local {
                return Err(self.expected("a predicate such as `%p`"));
            }
            span = negation.spelled.span.to(span);
        }
        let kind = match token.kind {
            Kind::Local => OperandKind::Local { name: text, negated: negation.is_some() },
            Kind::Global => OperandKind::Global(text),
            Kind::Word => match text {
                "true" => OperandKind::Truth(true),
                "false" => OperandKind::Truth(false),
                "dead" => OperandKind::Dead,
                _ if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
                    self.at += 1;
                    let ty = if self.take(b':') { Some(self.ty()?) } else { None };
                    let end = self.tokens[self.at - 1].spelled.span;
                    return Ok(OperandText { kind: OperandKind::Number(text, ty), span: span.to(end) });
                }
                _ => return Err(self.expected("an operand")),
            },
            _ => return Err(self.expected("an operand")),
        };
        self.at += 1;
        Ok(OperandText { kind, span })
    }

    fn instruction(&mut self, results: &mut Vec<Definition<'t>>) -> Result<InstructionText<'t>, Fault> {
        if self.peek().is_some_and(|token| token.kind == Kind::Local) {
            self.definitions(results)?;
            self.sign(b'=')?;
        }
        let Some(token) = self.peek().filter(|token| token.kind == Kind::Word) else {
            return Err(self.expected("an operation such as `iadd.32b`"));
        };
        self.at += 1;
        let mut instruction = InstructionText {
            results: Vec::new(),
            mnemonic: token.spelled,
            parts: Vec::new(),
            active: None,
            inactive: None,
            mark: None,
        };
        if self.at < self.tokens.len() {
            loop {
                self.part(&mut instruction)?;
                if !self.take(b',') {
                    break;
                }
            }
        }
        self.line_end()?;
        Ok(instruction)
    }

    fn part(&mut self, instruction: &mut InstructionText<'t>) -> Result<(), Fault> {
        let Some(token) = self.peek() else { return Err(self.expected("an operand")) };
        let span = token.spelled.span;
        let word = if token.kind == Kind::Word { token.spelled.text } else { "" };
        let part = match word {
            "index" | "mask" | "keep" => {
                self.at += 1;
                let operand = self.operand()?;
                match word {
                    "index" => Part::Index(operand),
                    "mask" => Part::Mask(operand),
                    _ => Part::Keep(operand),
                }
            }
            "in" => {
                self.at += 1;
                instruction.active = Some(self.active()?);
                return Ok(());
            }
            "as" => {
                self.at += 1;
                let (number, mark) = self.mark()?;
                instruction.mark = Some((number, span.to(mark)));
                return Ok(());
            }
            "inactive" => {
                self.at += 1;
                let source = self.peek().filter(|token| token.kind == Kind::Word);
                let Some(source) = source.and_then(|token| words::value(INACTIVE, token.spelled.text)) else {
                    return Err(self.expected("`own` or `undefined`"));
                };
                self.at += 1;
                instruction.inactive = Some((source, span));
                return Ok(());
            }
            _ if self.take(b'[') => {
                let base = self.operand()?;
                let offset = if self.take(b'+') { Some(self.operand()?) } else { None };
                if !self.take(b']') {
                    return Err(self.expected("`+` or `]`"));
                }
                Part::Address(base, offset)
            }
            _ => {
                let operand = self.operand()?;
                if self.take(b'(') {
                    let mut arguments = Vec::new();
                    self.arguments(&mut arguments)?;
                    Part::Call(operand, arguments)
                } else {
                    Part::Plain(operand)
                }
            }
        };
        instruction.parts.push(part);
        Ok(())
    }

    /// `block`, `after #1`
    fn active(&mut self) -> Result<ActiveText<'t>, Fault> {
        if self.take_word("after") {
            let (number, span) = self.mark()?;
            return Ok(ActiveText::After(number, span));
        }
        let Some(token) = self.peek().filter(|token| matches!(token.kind, Kind::Word | Kind::Quoted)) else {
            return Err(self.expected("a block, or `after` and the mark of an instruction"));
        };
        self.at += 1;
        Ok(ActiveText::Entry(token.spelled))
    }

    /// `#1`
    fn mark(&mut self) -> Result<(u32, Span), Fault> {
        let token = self.peek().filter(|token| token.kind == Kind::Mark);
        let number = token.and_then(|token| Some((token.spelled.text.parse().ok()?, token.spelled.span)));
        let Some(number) = number else {
            return Err(self.expected("the mark of an instruction such as `#1`"));
        };
        self.at += 1;
        Ok(number)
    }
}
