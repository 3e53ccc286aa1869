//! From the lines of a function to its blocks, instructions and values.

use super::Reader;
use super::line::{
    ActiveText, Broken, Definition, EndText, InstructionText, Line, OperandKind, OperandText, TargetText,
};
use super::tokens::{Fault, Spelled, name_of};
use crate::function::{
    ActiveSet, Block, Constant, Function, Instruction, Operand, Target, Terminator, Value,
};
use crate::operation::Operation;
use crate::text::names::is_block_number;
use crate::text::words::type_text;
use pisa_diag::{Place, Span, codes::ir as codes};
use pisa_module::{
    FunctionId, FunctionKind, ParameterId, RegisterType, SpecialRegister, Variable, VariableId,
};
use rustc_hash::FxHashMap;

/// What an `@` name of the module stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    Variable(VariableId),
    Function(FunctionId),
}

/// A name and where it was defined.
#[derive(Clone, Copy, Debug)]
struct Defined<T> {
    is: T,
    span: Span,
}

/// Most unknown names for which a similar one is looked for.
const SUGGESTIONS: usize = 100;
/// Most names among which it is.
const SEARCHED: usize = 20_000;

/// Reads one function.
pub(super) struct Builder<'b, 't> {
    pub(super) reader: &'b mut Reader<'t>,
    pub(super) function: &'b mut Function,
    /// All functions, without code.
    pub(super) heads: &'b [Function],
    variables: &'b [Variable],
    symbols: &'b FxHashMap<&'b str, Symbol>,
    locals: FxHashMap<&'b str, VariableId>,
    blocks: FxHashMap<&'t str, Defined<Block>>,
    values: FxHashMap<&'t str, Defined<Value>>,
    marks: FxHashMap<u32, Defined<Instruction>>,
    names: FxHashMap<String, u32>,
    suggested: usize,
}

impl<'b, 't> Builder<'b, 't> {
    pub(super) fn new(
        reader: &'b mut Reader<'t>,
        function: &'b mut Function,
        heads: &'b [Function],
        variables: &'b [Variable],
        symbols: &'b FxHashMap<&'b str, Symbol>,
    ) -> Builder<'b, 't> {
        let locals = function.variables.iter().filter_map(|&id| {
            let variable = variables.get(id.index())?;
            Some((&*variable.name, id))
        });
        let locals = locals.collect();
        Builder {
            reader,
            function,
            heads,
            variables,
            symbols,
            locals,
            blocks: FxHashMap::default(),
            values: FxHashMap::default(),
            marks: FxHashMap::default(),
            names: FxHashMap::default(),
            suggested: 0,
        }
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        self.reader.report(fault);
    }
    fn place(&self, span: Span) -> Place {
        Place { file: self.reader.file, span }
    }

    /// Blocks and values first, as both are named before they are defined; then what the lines say.
    pub(super) fn build(mut self, lines: Vec<super::Read<'t>>, start: u32) {
        let mut instructions: Vec<(Instruction, InstructionText<'t>)> = Vec::new();
        let mut ends: Vec<(Block, EndText<'t>)> = Vec::new();
        // The block at hand, where it begins, and whether it has ended.
        let mut current: Option<(Block, Span, bool)> = None;
        let mut is_outside = false;
        for (line, span) in lines {
            match line {
                Ok(Line::Block { name, parameters }) => {
                    self.check_end(current);
                    current = Some((self.block(name, &parameters), name.span, false));
                    continue;
                }
                Err(Broken::Block { name, parameters }) => {
                    self.check_end(current);
                    current = name.map(|name| (self.block(name, &parameters), name.span, false));
                    continue;
                }
                _ => {}
            }
            let Some((block, _, has_ended)) = &mut current else {
                if !std::mem::replace(&mut is_outside, true) {
                    let fault = Fault::syntax(span, "an instruction before the first block");
                    self.fault(fault.help("the first line of a function is its entry block, as in `entry:`"));
                }
                continue;
            };
            let block = *block;
            if *has_ended {
                let fault = Fault::syntax(span, "the block has ended already");
                self.fault(fault.help("a block ends with its first `goto`, `branch` or `return`; a new one begins with its name, as in `next:`"));
            }
            match line {
                Ok(Line::Instruction(text)) => {
                    let id = self.declare(block, &text.results, span);
                    self.mark(id, &text);
                    instructions.push((id, text));
                }
                Err(Broken::Instruction { results }) => {
                    self.declare(block, &results, span);
                }
                Ok(Line::End(text)) => {
                    *has_ended = true;
                    self.function.blocks[block.index()].place = Some(self.place(span));
                    ends.push((block, text));
                }
                Err(Broken::End) => *has_ended = true,
                Ok(Line::Block { .. }) | Err(Broken::Block { .. }) => {}
            }
        }
        self.check_end(current);
        if current.is_none() && !is_outside {
            let fault = Fault::syntax(Span::new(start.saturating_sub(1), start), "the function has no block");
            self.fault(fault.help("the least body is `entry:` and a line with `return`"));
        }
        for (id, text) in &instructions {
            self.instruction(*id, text);
        }
        for (block, text) in &ends {
            self.end(*block, text);
        }
        self.tokens(&instructions);
    }

    fn check_end(&mut self, block: Option<(Block, Span, bool)>) {
        if let Some((_, span, false)) = block {
            let fault = Fault::syntax(span, "the block does not end");
            self.fault(fault.help("its last line is `goto`, `branch` or `return`"));
        }
    }

    /// A new block.
    fn block(&mut self, name: Spelled<'t>, parameters: &[Definition<'t>]) -> Block {
        let block = self.function.append_block();
        if !is_block_number(name.text) {
            self.function.blocks[block.index()].name = name_of(name.text).map(|name| self.name(name));
        }
        if let Some(earlier) = self.blocks.get(name.text) {
            let earlier = earlier.span;
            self.twice(name.span, format!("block `{}`", name.text), earlier);
        } else {
            self.blocks.insert(name.text, Defined { is: block, span: name.span });
        }
        for parameter in parameters {
            let value = self.function.add_parameter(block, parameter.ty);
            self.define(parameter.name, value);
        }
        block
    }

    /// A new instruction in a block, whose operation is not known yet.
    fn declare(&mut self, block: Block, results: &[Definition<'t>], span: Span) -> Instruction {
        let types = results.iter().map(|result| result.ty);
        let place = Some(self.place(span));
        let id = self.function.new_instruction(Operation::Initial, [], types, place);
        self.function.blocks[block.index()].instructions.push(id);
        for (i, result) in results.iter().enumerate() {
            let value = self.function.instruction(id).results[i];
            self.define(result.name, value);
        }
        id
    }

    fn define(&mut self, name: Spelled<'t>, value: Value) {
        let text = name.text;
        self.function.values[value.index()].name = name_of(text).map(|name| self.name(name));
        if let Some(earlier) = self.values.get(text) {
            let earlier = earlier.span;
            self.twice(name.span, format!("`%{text}`"), earlier);
            return;
        }
        let taken_by = if SpecialRegister::from_name(text).is_some() || SpecialRegister::NAMES.contains(&text)
        {
            Some("special register")
        } else {
            self.parameter(text).map(|_| "kernel parameter")
        };
        if let Some(what) = taken_by {
            let message = format!("`%{text}` is a {what}");
            let fault = Fault::new(codes::DEFINED_TWICE, name.span, message);
            self.fault(fault.help(format!("a value of that name has a number, as in `%{text}.1`")));
        }
        self.values.insert(text, Defined { is: value, span: name.span });
    }

    fn twice(&mut self, span: Span, what: String, earlier: Span) {
        let mut fault = Fault::new(codes::DEFINED_TWICE, span, format!("{what} is defined twice"));
        fault.also = Some((earlier, "defined here"));
        self.fault(fault.help("names that are equal have numbers, as in `a.1` and `a.2`"));
    }

    fn name(&mut self, name: String) -> u32 {
        let function = &mut *self.function;
        *self.names.entry(name).or_insert_with_key(|name| function.add_name(name))
    }

    fn mark(&mut self, id: Instruction, text: &InstructionText<'t>) {
        let Some((number, span)) = text.mark else { return };
        if let Some(earlier) = self.marks.get(&number) {
            let earlier = earlier.span;
            self.twice(span, format!("the mark `#{number}`"), earlier);
            return;
        }
        self.marks.insert(number, Defined { is: id, span });
    }

    /// Tokens of active sets: as written, or those of the place.
    fn tokens(&mut self, instructions: &[(Instruction, InstructionText<'t>)]) {
        let mut written = Vec::with_capacity(instructions.len());
        for (id, text) in instructions {
            let active = match text.active {
                None => continue,
                Some(ActiveText::Entry(block)) => self.block_named(block).map(ActiveSet::Entry),
                Some(ActiveText::After(number, span)) => match self.marks.get(&number) {
                    Some(defined) => Some(ActiveSet::After(defined.is)),
                    None => {
                        let message = format!("no instruction is marked `as #{number}`");
                        self.fault(Fault::new(codes::UNKNOWN_NAME, span, message));
                        None
                    }
                },
            };
            written.push((*id, active));
        }
        self.function.renew_tokens();
        for (id, active) in written {
            self.function.instructions[id.index()].active = active;
        }
    }

    pub(super) fn block_named(&mut self, name: Spelled<'t>) -> Option<Block> {
        if let Some(defined) = self.blocks.get(name.text) {
            return Some(defined.is);
        }
        let near = self.nearest(name.text, self.blocks.len(), |b| b.blocks.keys().copied().collect());
        self.unknown(name.span, format!("there is no block `{}`", name.text), near);
        None
    }

    fn unknown(&mut self, span: Span, message: String, near: Option<String>) {
        let mut fault = Fault::new(codes::UNKNOWN_NAME, span, message);
        fault.help = near.map(|near| format!("did you mean `{near}`?"));
        self.fault(fault);
    }

    /// The name that looks most like an unknown one, for as many of them as anybody reads.
    fn nearest(
        &mut self,
        name: &str,
        count: usize,
        names: impl FnOnce(&Self) -> Vec<&'t str>,
    ) -> Option<String> {
        self.suggested += 1;
        if self.suggested > SUGGESTIONS || count > SEARCHED {
            return None;
        }
        pisa_isa::nearest(name, names(self)).map(str::to_owned)
    }

    fn parameter(&self, spelled: &str) -> Option<ParameterId> {
        let FunctionKind::Kernel { parameters, .. } = &self.function.kind else { return None };
        // A name with a number is a value's, unless it stands in quotes.
        let name = match spelled.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(name) => name,
            None => spelled,
        };
        parameters.iter().position(|p| &*p.name == name).map(|i| ParameterId(i as u32))
    }

    /// An operand that is not a number; `Err` for one that was reported, `Ok(None)` for a number.
    pub(super) fn resolve(&mut self, text: &OperandText<'t>) -> Result<Option<Operand>, ()> {
        let operand = match text.kind {
            OperandKind::Number(..) => return Ok(None),
            OperandKind::Truth(value) => Operand::Constant(Constant::predicate(value)),
            OperandKind::Dead => Operand::Dead,
            OperandKind::Local { name, negated } => {
                let value = self.values.get(name).map(|defined| defined.is);
                match value {
                    Some(value) if negated => Operand::Negated(value),
                    Some(value) => Operand::Value(value),
                    None => self.other_local(name, negated, text.span)?,
                }
            }
            OperandKind::Global(name) => {
                let plain = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(name);
                if let Some(&id) = self.locals.get(plain) {
                    Operand::Variable(id)
                } else {
                    match self.symbols.get(plain) {
                        Some(Symbol::Variable(id)) => Operand::Variable(*id),
                        Some(Symbol::Function(id)) => Operand::Function(*id),
                        None => {
                            self.unknown_symbol(plain, text.span);
                            return Err(());
                        }
                    }
                }
            }
        };
        Ok(Some(operand))
    }

    fn unknown_symbol(&mut self, name: &str, span: Span) {
        self.suggested += 1;
        let mut near = None;
        if self.suggested <= SUGGESTIONS && self.symbols.len() + self.variables.len() <= SEARCHED {
            let names = self.symbols.keys().chain(self.locals.keys()).copied();
            near = pisa_isa::nearest(name, names).map(|name| format!("@{name}"));
        }
        self.unknown(span, format!("there is no variable or function `@{name}`"), near);
    }

    /// A special register or kernel parameter.
    fn other_local(&mut self, name: &'t str, negated: bool, span: Span) -> Result<Operand, ()> {
        let other = match SpecialRegister::from_name(name) {
            Some(special) => Some(Operand::Special(special)),
            None => self.parameter(name).map(Operand::Parameter),
        };
        match other {
            Some(operand) if !negated => return Ok(operand),
            Some(_) => {
                let message = format!("`%{name}` is no predicate, so it cannot be negated");
                self.fault(Fault::new(codes::OPERANDS, span, message));
            }
            None => {
                let near = self.nearest(name, self.values.len(), |b| b.values.keys().copied().collect());
                let near = near.map(|near| format!("%{near}"));
                self.unknown(span, format!("`%{name}` is not defined in the function"), near);
            }
        }
        Err(())
    }

    /// An operand where a number without a type has the type `expected`; what is wrong is reported.
    pub(super) fn operand(
        &mut self,
        text: &OperandText<'t>,
        expected: Option<RegisterType>,
    ) -> Option<Operand> {
        match self.resolve(text) {
            Ok(Some(operand)) => Some(operand),
            Ok(None) => self.number(text, expected),
            Err(()) => None,
        }
    }

    pub(super) fn number(
        &mut self,
        text: &OperandText<'t>,
        expected: Option<RegisterType>,
    ) -> Option<Operand> {
        let OperandKind::Number(digits, ty) = text.kind else { return None };
        let fault = |message: String, help: &str| Fault::new(codes::CONSTANT, text.span, message).help(help);
        let Some(ty) = ty.or(expected) else {
            self.fault(fault(
                format!("nothing says which type `{digits}` has"),
                "write it behind the number, as in `5: 32b`",
            ));
            return None;
        };
        if ty.is_predicate() {
            self.fault(fault(format!("`{digits}` is no predicate"), "predicates are `true` and `false`"));
            return None;
        }
        if ty.total_bits() > 128 {
            let ty = type_text(ty);
            self.fault(fault(
                format!("a constant cannot have the type `{ty}`"),
                "constants have at most 128 bits",
            ));
            return None;
        }
        let Some((negative, magnitude)) = read_number(digits) else {
            self.fault(fault(
                format!("`{digits}` is not a number of at most 128 bits"),
                "write an integer, decimal or with `0x`; floating-point numbers by their bits",
            ));
            return None;
        };
        let width = ty.total_bits();
        let fits = match negative {
            true => magnitude <= 1 << (width - 1),
            false => width == 128 || magnitude < 1 << width,
        };
        if !fits {
            let ty = type_text(ty);
            self.fault(fault(
                format!("`{digits}` does not fit into `{ty}`"),
                "numbers fit as signed or unsigned ones",
            ));
            return None;
        }
        let bits = if negative { magnitude.wrapping_neg() } else { magnitude };
        Some(Operand::Constant(Constant::new(bits, ty)))
    }

    fn target(&mut self, text: &TargetText<'t>) -> Option<Target> {
        let block = self.block_named(text.block)?;
        let mut target = Target::new(block);
        let mut fine = true;
        for (i, argument) in text.arguments.iter().enumerate() {
            let parameter = self.function.block(block).parameters.get(i).copied();
            let ty = parameter.map(|value| self.function.value(value).ty);
            match self.operand(argument, ty) {
                Some(operand) => target.arguments.push(operand),
                None => fine = false,
            }
        }
        fine.then_some(target)
    }

    fn end(&mut self, block: Block, text: &EndText<'t>) {
        let result = match &self.function.kind {
            FunctionKind::Function { result, .. } => *result,
            FunctionKind::Kernel { .. } => None,
        };
        let predicate = Some(RegisterType::PREDICATE);
        let terminator = match text {
            EndText::Goto(target) => self.target(target).map(Terminator::Goto),
            EndText::Branch(condition, taken, otherwise) => {
                let condition = self.operand(condition, predicate);
                let (taken, otherwise) = (self.target(taken), self.target(otherwise));
                (|| Some(Terminator::Branch { condition: condition?, taken: taken?, otherwise: otherwise? }))(
                )
            }
            EndText::Return(None) => Some(Terminator::Return(None)),
            EndText::Return(Some(value)) => {
                self.operand(value, result).map(|value| Terminator::Return(Some(value)))
            }
            EndText::ReturnIf(value, condition, otherwise) => {
                let value = value.as_ref().map(|value| self.operand(value, result));
                let condition = self.operand(condition, predicate);
                let otherwise = self.target(otherwise);
                (|| {
                    let value = match value {
                        Some(value) => Some(value?),
                        None => None,
                    };
                    Some(Terminator::ReturnIf { condition: condition?, value, otherwise: otherwise? })
                })()
            }
        };
        if let Some(terminator) = terminator {
            self.function.blocks[block.index()].terminator = terminator;
        }
    }
}

/// Whether a number has a minus sign, and its digits.
fn read_number(text: &str) -> Option<(bool, u128)> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.bytes().all(|b| char::from(b).is_digit(radix)) {
        return None;
    }
    u128::from_str_radix(digits, radix).ok().map(|magnitude| (negative, magnitude))
}
