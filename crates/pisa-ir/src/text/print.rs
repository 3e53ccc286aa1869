//! IR as text.

use super::names::Names;
use super::words::{self, type_text};
use crate::function::{
    ActiveSet, BlockData, Constant, Function, Instruction, InstructionData, Module, Operand, Target,
    Terminator, Value,
};
use crate::operation::Operation;
use crate::signature::{OperandShape, Role, Signature};
use pisa_module::{FunctionId, FunctionKind, Register, RegisterId, RegisterType, Symbols, VariableId};
use std::fmt::{self, Write};

/// Which numbers values and blocks have in the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbering {
    /// Those of their order in the text, so that equal functions have equal texts, whatever was made and dropped on the way.
    ByText,
    /// Those of [`Value`] and [`crate::Block`], so that texts before and after a change can be compared.
    ByIndex,
}

/// A module as text, which [`parse`](super::parse()) reads again.
///
/// Ill-formed IR has a text too, in which everything can be seen that is wrong with it.
pub fn print(module: &Module) -> String {
    let declarations = declarations(module, &module.functions);
    let mut print = |id: FunctionId, symbols: &Symbols<'_>, out: &mut String| {
        let function = &module.functions[id.index()];
        let names = Names::of(function, Numbering::ByText);
        Printer {
            function,
            functions: &module.functions,
            symbols: At::Function(symbols),
            names: &names,
            out,
        }
        .body();
    };
    pisa_module::print_declarations(&declarations, &mut print)
}

/// One function as text. The module gives names to its variables and to those whom it calls; the function need not be the
/// one that stands in it.
pub fn print_function(module: &Module, function: &Function, numbering: Numbering) -> String {
    let mut declared = declarations(module, &module.functions);
    let id = FunctionId(declared.functions.len() as u32);
    declared.functions.push(declaration(function));
    let mut print = |_: FunctionId, symbols: &Symbols<'_>, out: &mut String| {
        let names = Names::of(function, numbering);
        Printer {
            function,
            functions: &module.functions,
            symbols: At::Function(symbols),
            names: &names,
            out,
        }
        .body();
    };
    pisa_module::print_declaration(&declared, id, &mut print)
}

impl fmt::Display for Function {
    /// Without a module: variables and functions are numbers, values and blocks have their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut declaration = declaration(self);
        declaration.variables.clear();
        let module = pisa_module::Module {
            version: pisa_isa::Version(0, 1),
            target: pisa_isa::Target::T100,
            variables: Vec::new(),
            functions: vec![declaration],
        };
        let mut print = |_: FunctionId, _: &Symbols<'_>, out: &mut String| {
            let names = Names::of(self, Numbering::ByIndex);
            Printer { function: self, functions: &[], symbols: At::Nowhere, names: &names, out }.body();
        };
        f.write_str(&pisa_module::print_declaration(&module, FunctionId(0), &mut print))
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

/// The declarations of a module without the code.
fn declarations(module: &Module, functions: &[Function]) -> pisa_module::Module {
    pisa_module::Module {
        version: module.version,
        target: module.target,
        variables: module.variables.clone(),
        functions: functions.iter().map(declaration).collect(),
    }
}

fn declaration(function: &Function) -> pisa_module::Function {
    let is_defined = !function.layout.is_empty();
    let mut kind = function.kind.clone();
    let mut registers = Vec::new();
    if let FunctionKind::Function { parameters, .. } = &mut kind {
        *parameters = (0..function.arguments.len() as u32).map(RegisterId).collect();
        registers.extend(function.arguments.iter().enumerate().map(|(i, &ty)| {
            let name = match function.argument_names.get(i) {
                Some(name) if !name.is_empty() => name.clone(),
                // Only imports leave arguments unnamed (spec 4.3.1).
                _ if is_defined => format!("argument{i}").into(),
                _ => "".into(),
            };
            Register { name, ty, place: function.place }
        }));
    }
    pisa_module::Function {
        name: function.name.clone(),
        linkage: function.linkage,
        kind,
        registers,
        variables: function.variables.clone(),
        labels: Vec::new(),
        code: Vec::new(),
        place: function.place,
    }
}

/// An instruction on one line, for messages.
pub(crate) fn instruction_text(
    module: &Module,
    function: &Function,
    names: &Names<'_>,
    instruction: Instruction,
) -> String {
    let mut out = String::new();
    Printer { function, functions: &module.functions, symbols: At::Module(module), names, out: &mut out }
        .instruction(instruction);
    out.trim().to_owned()
}

/// An operand, for messages; constants have their types.
pub(crate) fn operand_text(
    module: &Module,
    function: &Function,
    names: &Names<'_>,
    operand: Operand,
) -> String {
    let mut out = String::new();
    Printer { function, functions: &module.functions, symbols: At::Module(module), names, out: &mut out }
        .operand(operand, None, false);
    out
}

/// Where `@` names come from.
#[derive(Clone, Copy)]
enum At<'s> {
    /// As a function sees them, made unique.
    Function(&'s Symbols<'s>),
    /// As they were declared.
    Module(&'s Module),
    /// Nothing is known but numbers.
    Nowhere,
}

impl At<'_> {
    fn variable(self, id: VariableId) -> String {
        match self {
            At::Function(symbols) => symbols.variable(id),
            At::Module(module) if id.index() < module.variables.len() => {
                format!("@{}", module.variables[id.index()].name)
            }
            _ => format!("@variable.{}", id.0),
        }
    }
    fn function(self, id: FunctionId) -> String {
        match self {
            At::Function(symbols) => symbols.function(id),
            At::Module(module) if id.index() < module.functions.len() => {
                format!("@{}", module.functions[id.index()].name)
            }
            _ => format!("@function.{}", id.0),
        }
    }
}

struct Printer<'a> {
    function: &'a Function,
    functions: &'a [Function],
    symbols: At<'a>,
    names: &'a Names<'a>,
    out: &'a mut String,
}

impl Printer<'_> {
    fn body(&mut self) {
        for &block in &self.function.layout {
            let Some(data) = self.function.blocks.get(block.index()) else { continue };
            self.out.push_str(&self.names.block(block));
            if !data.parameters.is_empty() {
                self.out.push('(');
                self.definitions(&data.parameters);
                self.out.push(')');
            }
            self.out.push_str(":\n");
            for &instruction in &data.instructions {
                self.instruction(instruction);
            }
            self.terminator(data);
        }
    }

    /// `%a: 32b, %p: pred`
    fn definitions(&mut self, values: &[Value]) {
        for (i, &value) in values.iter().enumerate() {
            let separator = if i > 0 { ", " } else { "" };
            let ty =
                self.function.values.get(value.index()).map_or("?".to_owned(), |data| type_text(data.ty));
            let name = self.names.value(value);
            let _ = write!(self.out, "{separator}{name}: {ty}");
        }
    }

    fn instruction(&mut self, id: Instruction) {
        let Some(data) = self.function.instructions.get(id.index()) else { return };
        self.out.push_str("  ");
        if !data.results.is_empty() {
            self.definitions(&data.results);
            self.out.push_str(" = ");
        }
        self.out.push_str(&words::other_text(&data.operation));
        let signature = Signature::of(&data.operation, &data.operands, data.results.len(), self.functions);
        let mut parts = List { count: 0 };
        if signature.operands.len() == data.operands.len() {
            self.operands(data, &signature, &mut parts);
        } else {
            // No text that can be read: the verifier refuses such an instruction.
            for &operand in &data.operands {
                parts.next(self.out);
                self.operand(operand, None, false);
            }
        }
        if let Some(active) = data.active {
            parts.next(self.out);
            self.out.push_str("in ");
            match active {
                ActiveSet::Entry(block) => self.out.push_str(&self.names.block(block)),
                ActiveSet::After(id) => {
                    let _ = write!(self.out, "after #{}", self.names.mark_of(id).unwrap_or(0));
                }
            }
        }
        if let Operation::CrossLane(operation) = &data.operation {
            parts.next(self.out);
            let _ = write!(self.out, "inactive {}", words::word(words::INACTIVE, operation.inactive));
        }
        if let Some(mark) = self.names.mark_of(id) {
            parts.next(self.out);
            let _ = write!(self.out, "as #{mark}");
        }
        self.out.push('\n');
    }

    fn operands(&mut self, data: &InstructionData, signature: &Signature, parts: &mut List) {
        let mut shapes = signature.operands.iter().zip(&data.operands).peekable();
        while let Some((shape, &operand)) = shapes.next() {
            parts.next(self.out);
            match shape.role {
                Role::Source | Role::Condition | Role::Offset | Role::Argument => {}
                Role::Index => self.out.push_str("index "),
                Role::Mask => self.out.push_str("mask "),
                Role::Keep => self.out.push_str("keep "),
                Role::Base => self.out.push('['),
                Role::Callee => {
                    self.shaped(operand, shape);
                    self.out.push('(');
                    let mut arguments = List { count: 1 };
                    let mut first = true;
                    while let Some((shape, &operand)) =
                        shapes.next_if(|(shape, _)| shape.role == Role::Argument)
                    {
                        if !first {
                            arguments.next(self.out);
                        }
                        first = false;
                        self.shaped(operand, shape);
                    }
                    self.out.push(')');
                    continue;
                }
            }
            self.shaped(operand, shape);
            if shape.role == Role::Base {
                if let Some((shape, &offset)) = shapes.next_if(|(shape, _)| shape.role == Role::Offset)
                    && offset != Operand::word(0)
                {
                    self.out.push_str(" + ");
                    self.shaped(offset, shape);
                }
                self.out.push(']');
            }
        }
    }

    fn shaped(&mut self, operand: Operand, shape: &OperandShape) {
        self.operand(operand, shape.constant, shape.by_bits);
    }

    /// An operand in a place where a constant without a type has the type `expected`.
    fn operand(&mut self, operand: Operand, expected: Option<RegisterType>, by_bits: bool) {
        match operand {
            Operand::Value(value) => self.out.push_str(&self.names.value(value)),
            Operand::Negated(value) => {
                let name = self.names.value(value);
                let _ = write!(self.out, "!{name}");
            }
            Operand::Constant(constant) => self.constant(constant, expected, by_bits),
            Operand::Special(special) => {
                let _ = write!(self.out, "{special}");
            }
            Operand::Variable(id) => self.out.push_str(&self.symbols.variable(id)),
            Operand::Function(id) => self.out.push_str(&self.symbols.function(id)),
            Operand::Parameter(id) => self.out.push_str(&self.names.parameter(id)),
            Operand::Dead => self.out.push_str("dead"),
        }
    }

    fn constant(&mut self, constant: Constant, expected: Option<RegisterType>, by_bits: bool) {
        let (ty, bits) = (constant.ty, constant.bits());
        if ty == RegisterType::PREDICATE {
            self.out.push_str(if bits == 1 { "true" } else { "false" });
            return;
        }
        let width = ty.total_bits();
        let is_number = !ty.is_vector() && width <= 64 && width > 0;
        let signed = if is_number { ((bits as u64) << (64 - width)) as i64 >> (64 - width) } else { 0 };
        let _ = if is_number && !by_bits && (-65536..65536).contains(&signed) {
            write!(self.out, "{signed}")
        } else if by_bits && is_number {
            // All digits, as masks and floating-point numbers are read by them.
            write!(self.out, "{bits:#0digits$x}", digits = 2 + width as usize / 4)
        } else {
            write!(self.out, "{bits:#x}")
        };
        if expected != Some(ty) {
            let _ = write!(self.out, ": {}", type_text(ty));
        }
    }

    fn terminator(&mut self, data: &BlockData) {
        self.out.push_str("  ");
        let condition = Some(RegisterType::PREDICATE);
        let result = match &self.function.kind {
            FunctionKind::Function { result, .. } => *result,
            FunctionKind::Kernel { .. } => None,
        };
        match &data.terminator {
            Terminator::Goto(target) => {
                self.out.push_str("goto ");
                self.target(target);
            }
            Terminator::Branch { condition: predicate, taken, otherwise } => {
                self.out.push_str("branch ");
                self.operand(*predicate, condition, false);
                self.out.push_str(", ");
                self.target(taken);
                self.out.push_str(", ");
                self.target(otherwise);
            }
            Terminator::Return(value) => {
                self.out.push_str("return");
                if let Some(value) = value {
                    self.out.push(' ');
                    self.operand(*value, result, false);
                }
            }
            Terminator::ReturnIf { condition: predicate, value, otherwise } => {
                self.out.push_str("return ");
                if let Some(value) = value {
                    self.operand(*value, result, false);
                    self.out.push(' ');
                }
                self.out.push_str("if ");
                self.operand(*predicate, condition, false);
                self.out.push_str(", else ");
                self.target(otherwise);
            }
        }
        self.out.push('\n');
    }

    fn target(&mut self, target: &Target) {
        self.out.push_str(&self.names.block(target.block));
        if target.arguments.is_empty() {
            return;
        }
        let function = self.function;
        let parameters =
            function.blocks.get(target.block.index()).map_or(&[][..], |data| &data.parameters[..]);
        self.out.push('(');
        for (i, &argument) in target.arguments.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            let parameter = parameters.get(i).and_then(|value| function.values.get(value.index()));
            self.operand(argument, parameter.map(|data| data.ty), false);
        }
        self.out.push(')');
    }
}

/// What separates the parts of an instruction.
struct List {
    count: usize,
}

impl List {
    fn next(&mut self, out: &mut String) {
        out.push_str(if self.count == 0 { " " } else { ", " });
        self.count += 1;
    }
}
