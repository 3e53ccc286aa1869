//! Reading the text of the IR.

mod bodies;
mod build;
mod line;
mod operands;
mod operation;
mod tokens;

#[cfg(test)]
mod tests;

use crate::function::{Function, Module};
use crate::verify;
use build::{Builder, Symbol};
use pisa_diag::{Diagnostic, FileId, Place, Severity, Span, codes};
use pisa_module::{FunctionKind, Lowered, Options, VariableId};
use rustc_hash::FxHashMap;
use tokens::Fault;

/// What came out of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The module; there exactly when there was no error.
    pub module: Option<Module>,
    /// Errors in the order of the text. What PISA warns of in declarations is not said of IR.
    pub diagnostics: Vec<Diagnostic>,
}

/// Most errors about code that are listed.
const MOST_ERRORS: usize = 10_000;

/// Reads a module as [`print`](super::print) writes it; never fails, and finds the errors of the whole text.
///
/// Places of instructions, blocks and declarations are those of the text. What has one value only may be left out: tokens
/// of active sets (the one of the place), marks that nobody names, `inactive own`.
///
/// Whether the IR is well-formed is another matter: see [`crate::verify`] and [`parse_and_verify`].
pub fn parse(file: FileId, text: &str) -> Parsed {
    let split = if (text.len() as u64) < pisa_syntax::FILE_SIZE_LIMIT {
        bodies::split(text)
    } else {
        // The parser of the declarations says that it is too large.
        bodies::Split { declarations: text.to_owned(), bodies: Vec::new() }
    };
    let mut tree = pisa_syntax::parse(file, split.declarations.into());
    let options = Options { declarations_only: true, ..Options::default() };
    let Lowered { module, diagnostics: lowered } = pisa_module::lower(&tree, &options);
    let mut diagnostics = std::mem::take(&mut tree.diagnostics);
    diagnostics.extend(lowered);
    diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
    let mut reader = Reader { file, text, diagnostics, count: 0 };
    let module = match module {
        Some(declared) => reader.module(declared, &split.bodies),
        None => {
            for body in &split.bodies {
                reader.lines(body);
            }
            None
        }
    };
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.place().map(|place| place.span.start), diagnostic.code));
    Parsed { module, diagnostics }
}

/// Reads a module and verifies it: what is ill-formed is an error at its line.
pub fn parse_and_verify(file: FileId, text: &str) -> Parsed {
    let mut parsed = parse(file, text);
    let Some(module) = &parsed.module else { return parsed };
    let errors = verify::verify(module);
    let functions = &module.functions;
    let found = errors.iter().map(|error| error.diagnostic(&functions[error.function.index()]));
    parsed.diagnostics.extend(found.collect::<Vec<_>>());
    if !errors.is_empty() {
        parsed.module = None;
    }
    parsed
}

/// Reads the code; collects what is wrong with it.
struct Reader<'t> {
    file: FileId,
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
    /// Errors so far.
    count: usize,
}

/// A line of code and where it stands.
type Read<'t> = (Result<line::Line<'t>, line::Broken<'t>>, Span);

impl<'t> Reader<'t> {
    fn report(&mut self, fault: Fault) {
        let place = Place { file: self.file, span: fault.span };
        self.count += 1;
        if self.count > MOST_ERRORS {
            if self.count == MOST_ERRORS + 1 {
                let message = format!("more than {MOST_ERRORS} errors in the code");
                self.diagnostics.push(Diagnostic::new(
                    codes::syntax::MORE_ERRORS,
                    Severity::Error,
                    message,
                    place,
                ));
            }
            return;
        }
        let mut diagnostic = Diagnostic::new(fault.code, Severity::Error, fault.message, place);
        if let Some((span, what)) = fault.also {
            diagnostic = diagnostic.also(Place { file: self.file, span }, what);
        }
        if let Some(help) = fault.help {
            diagnostic = diagnostic.help(help);
        }
        self.diagnostics.push(diagnostic);
    }

    /// The lines of a body; what is wrong with them is reported.
    fn lines(&mut self, body: &bodies::Body) -> Vec<Read<'t>> {
        let mut tokens = Vec::new();
        let mut read = Vec::with_capacity(body.lines.len());
        for range in &body.lines {
            let (start, end) = (range.start as u32, range.end as u32);
            let text = &self.text[range.clone()];
            let lexed = tokens::tokens(text, start, &mut tokens);
            // A comment is no part of the line.
            let end = tokens.last().map_or(end, |token| token.spelled.span.end);
            let line = match lexed {
                Ok(()) => line::line(&tokens, end),
                Err(fault) => {
                    // What stands before it is not reported, only what it defines is wanted.
                    let broken = match line::line(&tokens, end) {
                        Ok(line) => line.into_broken(),
                        Err(error) => error.1,
                    };
                    Err(Box::new((fault, broken)))
                }
            };
            let line = line.map_err(|error| {
                let (fault, broken) = *error;
                self.report(fault);
                broken
            });
            read.push((line, Span::new(start, end)));
        }
        read
    }

    /// The code of all functions.
    fn module(&mut self, declared: pisa_module::Module, bodies: &[bodies::Body]) -> Option<Module> {
        let mut functions: Vec<Function> = declared.functions.iter().map(head).collect();
        let mut symbols = FxHashMap::default();
        for (i, variable) in declared.variables.iter().enumerate().filter(|(_, v)| v.owner.is_none()) {
            symbols.insert(&*variable.name, Symbol::Variable(VariableId(i as u32)));
        }
        for (i, function) in declared.functions.iter().enumerate() {
            symbols.insert(&*function.name, Symbol::Function(pisa_module::FunctionId(i as u32)));
        }
        let heads = functions.clone();
        for body in bodies {
            let lines = self.lines(body);
            // The function that was declared last before the body.
            let before = |f: &pisa_module::Function| {
                (f.place.span.end as usize <= body.start).then_some(f.place.span.start)
            };
            let owner =
                declared.functions.iter().enumerate().filter_map(|(i, f)| Some((before(f)?, i))).max();
            let Some((_, owner)) = owner else { continue };
            let function = &mut functions[owner];
            let builder = Builder::new(self, function, &heads, &declared.variables, &symbols);
            builder.build(lines, body.start as u32);
        }
        self.diagnostics.is_empty().then_some(Module {
            version: declared.version,
            target: declared.target,
            variables: declared.variables,
            functions,
        })
    }
}

/// A function without its code.
fn head(declared: &pisa_module::Function) -> Function {
    let arguments = match &declared.kind {
        FunctionKind::Function { .. } => &declared.registers[..],
        FunctionKind::Kernel { .. } => &[],
    };
    Function {
        name: declared.name.clone(),
        linkage: declared.linkage,
        kind: declared.kind.clone(),
        arguments: arguments.iter().map(|register| register.ty).collect(),
        argument_names: arguments.iter().map(|register| register.name.clone()).collect(),
        variables: declared.variables.clone(),
        layout: Vec::new(),
        blocks: Vec::new(),
        instructions: Vec::new(),
        values: Vec::new(),
        names: Vec::new(),
        place: declared.place,
    }
}
