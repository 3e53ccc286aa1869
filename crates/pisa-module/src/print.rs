//! A module as text.

use crate::lower::type_text;
use crate::{
    AddressBase, AddressOffset, Function, FunctionId, FunctionKind, Initializer, Instruction, Linkage,
    Module, Operand, ParameterId, RegisterId, RegisterType, RegisterUse, SpecialRegister, Variable,
    VariableId,
};
use pisa_isa::{Chapter, Interpretation, OperandDef, OperandKind, Qualifier, Width};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt::Write;

/// The module as canonical text: parsed and lowered it is the [`same`](crate::same) module again.
///
/// Registers and local variables of nested scopes are declared at the beginning of their function, and renamed where
/// that makes two of one name.
pub fn print(module: &Module) -> String {
    let mut printer = Printer { module, out: String::new(), names: Names::default() };
    printer.header();
    let globals = module.global_names();
    for function in &module.functions {
        printer.out.push('\n');
        printer.names = Names::of(module, function, &globals);
        printer.function(function, None);
    }
    printer.out
}

/// What writes the code of a function in the place of its registers and instructions: whole lines, behind the local variables.
pub type PrintBody<'b> = dyn FnMut(FunctionId, &Symbols<'_>, &mut String) + 'b;

/// What [`print()`] writes, with other text in the place of registers and code.
pub fn print_declarations(module: &Module, body: &mut PrintBody<'_>) -> String {
    let mut printer = Printer { module, out: String::new(), names: Names::default() };
    printer.header();
    let globals = module.global_names();
    for (i, function) in module.functions.iter().enumerate() {
        printer.out.push('\n');
        printer.names = Names::of(module, function, &globals);
        printer.function(function, Some((FunctionId(i as u32), &mut *body)));
    }
    printer.out
}

/// One kernel or function as [`print_declarations`] writes it.
pub fn print_declaration(module: &Module, id: FunctionId, body: &mut PrintBody<'_>) -> String {
    let Some(function) = module.functions.get(id.index()) else { return String::new() };
    let names = Names::of(module, function, &module.global_names());
    let mut printer = Printer { module, out: String::new(), names };
    printer.function(function, Some((id, body)));
    printer.out
}

/// The `@` names as a function sees them.
pub struct Symbols<'m> {
    module: &'m Module,
    names: &'m Names<'m>,
}

impl Symbols<'_> {
    /// A memory variable, with its `@`; one of another function, or of none, by its number.
    pub fn variable(&self, id: VariableId) -> String {
        match (self.names.variables.get(&id), self.module.variables.get(id.index())) {
            (Some(name), _) => symbol(name),
            (None, Some(variable)) if variable.owner.is_none() => symbol(&variable.name),
            _ => format!("@variable.{}", id.0),
        }
    }
    /// A kernel or function, with its `@`.
    pub fn function(&self, id: FunctionId) -> String {
        match self.module.functions.get(id.index()) {
            Some(function) => symbol(&function.name),
            None => format!("@function.{}", id.0),
        }
    }
}

impl Module {
    /// `@` names that every function sees.
    fn global_names(&self) -> FxHashSet<&str> {
        let variables = self.variables.iter().filter(|v| v.owner.is_none()).map(|v| &*v.name);
        variables.chain(self.functions.iter().map(|f| &*f.name)).collect()
    }
}

/// Names within one function, made unique.
#[derive(Default)]
struct Names<'m> {
    registers: Vec<Cow<'m, str>>,
    variables: FxHashMap<VariableId, Cow<'m, str>>,
}

impl<'m> Names<'m> {
    fn of(module: &'m Module, function: &'m Function, globals: &FxHashSet<&'m str>) -> Names<'m> {
        let vectors: FxHashSet<&str> =
            function.registers.iter().filter(|r| r.ty.is_vector()).map(|r| &*r.name).collect();
        let mut taken: FxHashSet<Cow<'m, str>> =
            function.kernel_parameters().iter().map(|p| Cow::Borrowed(&*p.name)).collect();
        // What is renamed must not take a name that comes later.
        let later: FxHashSet<&str> = function.registers.iter().map(|r| &*r.name).collect();
        let registers = function
            .registers
            .iter()
            .map(|register| {
                let name: &'m str = &register.name;
                // `%v.x` beside a vector `%v` of another scope would become its element (G-06).
                let reads_like_element =
                    name.rsplit_once('.').is_some_and(|(base, _)| vectors.contains(base));
                if name.is_empty() || (!reads_like_element && taken.insert(Cow::Borrowed(name))) {
                    return Cow::Borrowed(name);
                }
                let fresh = fresh(name, |candidate| !later.contains(candidate) && !taken.contains(candidate));
                taken.insert(Cow::Owned(fresh.clone()));
                Cow::Owned(fresh)
            })
            .collect();
        let mut taken: FxHashSet<Cow<'m, str>> = FxHashSet::default();
        let mut variables = FxHashMap::default();
        for &id in &function.variables {
            let Some(variable) = module.variables.get(id.index()) else { continue };
            let name: &'m str = &variable.name;
            let name = if !globals.contains(name) && taken.insert(Cow::Borrowed(name)) {
                Cow::Borrowed(name)
            } else {
                let fresh = fresh(name, |candidate| {
                    !globals.contains(candidate)
                        && !taken.contains(candidate)
                        && !function.variables.iter().any(|v| &*module.variables[v.index()].name == candidate)
                });
                taken.insert(Cow::Owned(fresh.clone()));
                Cow::Owned(fresh)
            };
            variables.insert(id, name);
        }
        Names { registers, variables }
    }
}

/// `name.1`, `name.2`, … which no swizzle looks like.
fn fresh(name: &str, free: impl Fn(&str) -> bool) -> String {
    let mut number = 1u32;
    loop {
        let candidate = format!("{name}.{number}");
        if free(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// `@name`, in quotes where it is no identifier (G-19).
fn symbol(name: &str) -> String {
    let plain = !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'$' | b'.' | b'_'));
    if plain { format!("@{name}") } else { format!("@\"{name}\"") }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::Internal => "",
        Linkage::Export => ".export ",
        Linkage::Import => ".import ",
    }
}

struct Printer<'m> {
    module: &'m Module,
    out: String,
    names: Names<'m>,
}

impl<'m> Printer<'m> {
    /// Version, target and the variables of the module.
    fn header(&mut self) {
        let module = self.module;
        let _ = writeln!(self.out, ".version {}.{};", module.version.0, module.version.1);
        let _ = writeln!(self.out, ".target {};", module.target.text());
        for (i, variable) in module.variables.iter().filter(|v| v.owner.is_none()).enumerate() {
            if i == 0 {
                self.out.push('\n');
            }
            self.variable(variable, &variable.name);
        }
    }

    fn variable(&mut self, variable: &Variable, name: &str) {
        let _ = write!(self.out, "{}{}", linkage(variable.linkage), variable.space.qualifier().text());
        if variable.align != 1 {
            let _ = write!(self.out, " .align {}", variable.align);
        }
        if let Some(section) = &variable.section {
            let _ = write!(self.out, " .section({})", quoted(section));
        }
        if let Some(host) = &variable.host_access {
            let _ = write!(self.out, " .host_access({})", quoted(host));
        }
        let _ = write!(self.out, " {}[{}]", symbol(name), variable.size);
        if let Some(initializer) = &variable.initializer {
            self.out.push_str(" = { ");
            for (i, element) in initializer.iter().enumerate() {
                if i > 0 {
                    self.out.push_str(", ");
                }
                self.element(element);
            }
            self.out.push_str(" }");
        }
        self.out.push_str(";\n");
    }

    fn element(&mut self, element: &Initializer) {
        let _ = match element {
            Initializer::Value { bytes, value } => write!(self.out, ".{}b {value:#x}", u32::from(*bytes) * 8),
            Initializer::Zero(count) => write!(self.out, ".zero {count}"),
            Initializer::Variable(id, offset) => {
                let name = symbol(&self.module.variables[id.index()].name);
                match offset {
                    0 => write!(self.out, ".64b {name}"),
                    1.. => write!(self.out, ".64b {name}+{offset}"),
                    _ => write!(self.out, ".64b {name}{offset}"),
                }
            }
            Initializer::Function(id) => {
                write!(self.out, ".64b {}", symbol(&self.module.functions[id.index()].name))
            }
        };
    }

    fn function(&mut self, function: &Function, body: Option<(FunctionId, &mut PrintBody<'_>)>) {
        match &function.kind {
            FunctionKind::Kernel { parameters, required_work_group_size, vector_type_hint } => {
                self.out.push_str(".kernel");
                if let Some([x, y, z]) = required_work_group_size {
                    let _ = write!(self.out, " .reqd_work_group_size({x}, {y}, {z})");
                }
                if let Some(hint) = vector_type_hint {
                    let _ = write!(self.out, " .vec_type_hint({hint})");
                }
                let _ = write!(self.out, " {}(", symbol(&function.name));
                for (i, parameter) in parameters.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    let _ = write!(self.out, ".param[{}]", parameter.size);
                    if parameter.align != 8 {
                        let _ = write!(self.out, " .align({})", parameter.align);
                    }
                    if let Some(space) = parameter.space {
                        let _ = write!(self.out, " .addrspace({})", &space.qualifier().text()[1..]);
                    }
                    if let Some(align) = parameter.pointer_align {
                        let _ = write!(self.out, " .ptr_align({align})");
                    }
                    let _ = write!(self.out, " %{}", parameter.name);
                }
                self.out.push_str(") {\n");
                self.body(function, 0, body);
            }
            FunctionKind::Function { result, parameters } => {
                let result = result.map_or(Cow::Borrowed("void"), |ty| Cow::Owned(type_text(ty)));
                let _ = write!(
                    self.out,
                    "{}.function {result} {}(",
                    linkage(function.linkage),
                    symbol(&function.name)
                );
                for (i, parameter) in parameters.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    let ty =
                        function.registers.get(parameter.index()).map_or(RegisterType::scalar(32), |r| r.ty);
                    let _ = write!(self.out, ".reg {}", type_text(ty));
                    let name = self.register(*parameter);
                    if !name.is_empty() {
                        let _ = write!(self.out, " %{name}");
                    }
                }
                if function.linkage == Linkage::Import {
                    self.out.push_str(");\n");
                } else {
                    self.out.push_str(") {\n");
                    self.body(function, parameters.len(), body);
                }
            }
        }
    }

    fn register(&self, id: RegisterId) -> Cow<'m, str> {
        self.names.registers.get(id.index()).cloned().unwrap_or_default()
    }

    fn body(
        &mut self,
        function: &Function,
        parameters: usize,
        body: Option<(FunctionId, &mut PrintBody<'_>)>,
    ) {
        if body.is_none() {
            self.registers(function, parameters);
        }
        for id in &function.variables {
            let Some(variable) = self.module.variables.get(id.index()) else { continue };
            let name = self.names.variables.get(id).cloned().unwrap_or(Cow::Borrowed(&*variable.name));
            self.out.push_str("  ");
            self.variable(variable, &name);
        }
        match body {
            Some((id, print)) => {
                print(id, &Symbols { module: self.module, names: &self.names }, &mut self.out);
            }
            None => self.code(function),
        }
        self.out.push_str("}\n");
    }

    fn code(&mut self, function: &Function) {
        let mut labels: Vec<_> = function.labels.iter().collect();
        labels.sort_by_key(|l| l.target);
        let mut labels = labels.into_iter().peekable();
        for (i, instruction) in function.code.iter().enumerate() {
            while let Some(label) = labels.next_if(|l| l.target as usize <= i) {
                let _ = writeln!(self.out, "{}:", label.name);
            }
            self.instruction(function, instruction);
        }
        for label in labels {
            let _ = writeln!(self.out, "{}:", label.name);
        }
    }

    /// Declarations in the order of the numbers, neighbours of one type together, names that are counted up as a range.
    fn registers(&mut self, function: &Function, parameters: usize) {
        let names: Vec<_> =
            (0..function.registers.len()).map(|i| self.register(RegisterId(i as u32))).collect();
        let mut listed: Option<(RegisterType, usize)> = None;
        let mut next = parameters;
        // Behind the last neighbour of the same type.
        let mut end = parameters;
        while let Some(register) = function.registers.get(next) {
            if next >= end {
                end += function.registers[next..].iter().take_while(|r| r.ty == register.ty).count();
            }
            let range = range(&names[next..end]);
            match listed {
                Some((ty, count)) if range.is_none() && ty == register.ty && count < 8 => {
                    let _ = write!(self.out, ", %{}", names[next]);
                    listed = Some((ty, count + 1));
                    next += 1;
                    continue;
                }
                Some(_) => self.out.push_str(";\n"),
                None => {}
            }
            if register.ty.is_predicate() {
                self.out.push_str("  .pred %");
            } else {
                let _ = write!(self.out, "  .reg {} %", type_text(register.ty));
            }
            match range {
                Some((base, first, count)) => {
                    let _ = writeln!(self.out, "{base}<{first}~{}>;", first + count);
                    listed = None;
                    next += count as usize;
                }
                None => {
                    self.out.push_str(&names[next]);
                    listed = Some((register.ty, 1));
                    next += 1;
                }
            }
        }
        if listed.is_some() {
            self.out.push_str(";\n");
        }
    }

    fn instruction(&mut self, function: &Function, instruction: &Instruction) {
        let row = instruction.row();
        let _ = write!(self.out, "  {}", row.mnemonic(&instruction.qualifiers));
        // Operands beyond those of the form are the arguments of a call.
        let arguments = row.operands.iter().position(|o| o.kind == OperandKind::Arguments);
        for (i, operand) in instruction.operands.iter().enumerate() {
            match arguments {
                Some(first) if i == first => self.out.push('('),
                _ => self.out.push_str(if i == 0 { " " } else { ", " }),
            }
            let definition = row.operands.get(i.min(row.operands.len().saturating_sub(1)));
            self.operand(function, instruction, definition, operand);
        }
        if let Some(first) = arguments {
            self.out.push_str(if instruction.operands.len() <= first { "()" } else { ")" });
        }
        self.out.push_str(";\n");
    }

    fn operand(
        &mut self,
        function: &Function,
        instruction: &Instruction,
        definition: Option<&OperandDef>,
        operand: &Operand,
    ) {
        match operand {
            Operand::Register(register) => self.register_use(*register),
            Operand::Special(special) => self.special(*special),
            Operand::Predicate { register, negated } => {
                let bang = if *negated { "!" } else { "" };
                let name = self.register(*register);
                let _ = write!(self.out, "{bang}%{name}");
            }
            Operand::Immediate { bits, sign_extend } => {
                self.immediate(function, instruction, definition, *bits, *sign_extend);
            }
            Operand::Address { base, offset } => {
                self.out.push('[');
                match base {
                    AddressBase::Register(register) => self.register_use(*register),
                    AddressBase::Special(special) => self.special(*special),
                    AddressBase::Variable(id) => self.variable_name(*id),
                }
                self.offset(*offset);
            }
            Operand::Parameter { parameter, offset } => {
                let _ = write!(self.out, "[%{}", parameter_name(function, *parameter));
                self.offset(*offset);
            }
            Operand::Variable(id) => self.variable_name(*id),
            Operand::Function(id) => {
                let name = symbol(&self.module.functions[id.index()].name);
                self.out.push_str(&name);
            }
            Operand::Label(id) => {
                let name = function.labels.get(id.index()).map_or("", |l| &l.name);
                self.out.push_str(name);
            }
            Operand::Void => self.out.push_str("void"),
        }
    }

    fn register_use(&mut self, register: RegisterUse) {
        let name = self.register(register.register);
        let _ = write!(self.out, "%{name}{}", register.swizzle.map_or("", |s| s.text()));
    }

    fn special(&mut self, special: SpecialRegister) {
        let _ = write!(self.out, "{special}");
    }

    fn variable_name(&mut self, id: VariableId) {
        let name = match self.names.variables.get(&id) {
            Some(name) => symbol(name),
            None => symbol(&self.module.variables[id.index()].name),
        };
        self.out.push_str(&name);
    }

    fn offset(&mut self, offset: AddressOffset) {
        match offset {
            AddressOffset::Immediate(0) => {}
            AddressOffset::Immediate(value) => {
                let _ = write!(self.out, " + {value}");
            }
            AddressOffset::Register(register) => {
                self.out.push_str(" + ");
                self.register_use(register);
            }
            AddressOffset::Special(special) => {
                self.out.push_str(" + ");
                self.special(special);
            }
        }
        self.out.push(']');
    }

    fn immediate(
        &mut self,
        function: &Function,
        instruction: &Instruction,
        definition: Option<&OperandDef>,
        bits: u64,
        sign_extend: bool,
    ) {
        let row = instruction.row();
        let value = |slot| row.value(&instruction.qualifiers, slot);
        let width = match definition.map(|d| (d.kind, d.width)) {
            Some((OperandKind::ReturnValue, _)) => match &function.kind {
                FunctionKind::Function { result: Some(ty), .. } => u16::from(ty.bits),
                _ => 32,
            },
            Some((_, Width::Bits(bits))) => bits,
            Some((_, Width::Slot(slot))) => value(slot).and_then(Qualifier::bits).unwrap_or(64),
            Some((_, Width::TwiceSlot(slot))) => 2 * value(slot).and_then(Qualifier::bits).unwrap_or(32),
            Some((_, Width::AddressOf(slot))) => value(slot).and_then(Qualifier::address_bits).unwrap_or(64),
            _ => 64,
        };
        let float = matches!(definition.map(|d| d.interpretation), Some(Interpretation::Float(_)));
        let digits = usize::from(width.min(64)) / 4;
        let _ = if float {
            // Exactly as many digits as the type has (I-06).
            write!(self.out, "0x{bits:0digits$X}")
        } else if width > 64 {
            if sign_extend { write!(self.out, "{}", bits as i64) } else { write!(self.out, "{bits:#x}") }
        } else {
            let signed = ((bits << (64 - width)) as i64) >> (64 - width);
            // Masks and control words are read by their bits.
            let by_bits = row.opcode.chapter() == Chapter::CrossLane;
            if !by_bits && (-65536..65536).contains(&signed) {
                write!(self.out, "{signed}")
            } else if bits < 10 {
                write!(self.out, "{bits}")
            } else {
                write!(self.out, "{bits:#x}")
            }
        };
    }
}

/// The names that a range declares, if at least three from the first on are counted up: what stands before the number, the
/// first number, how many.
fn range<'n>(names: &'n [Cow<'_, str>]) -> Option<(&'n str, u32, u32)> {
    /// More names than a range may have (G-08).
    const LIMIT: u32 = 65_536;
    let (base, first) = counted(names.first()?)?;
    let follows = |(name, number): (&Cow<'_, str>, u32)| {
        counted(name) == Some((base, number)) && number.checked_add(1).is_some()
    };
    let count =
        names.iter().zip(first..=u32::MAX).take(LIMIT as usize).take_while(|&one| follows(one)).count();
    (count >= 3).then_some((base, first, count as u32))
}

/// A name and the number that it ends with, without leading zeros.
fn counted(name: &str) -> Option<(&str, u32)> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[base.len()..];
    let plain = digits == "0" || !digits.starts_with('0');
    if base.is_empty() || !plain { None } else { Some((base, digits.parse().ok()?)) }
}

fn parameter_name(function: &Function, id: ParameterId) -> &str {
    function.kernel_parameters().get(id.index()).map_or("", |p| &p.name)
}
