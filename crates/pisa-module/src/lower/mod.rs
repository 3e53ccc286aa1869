//! From tree to module: names, types, rules.
//!
//! Every error is reported and the work goes on; an operand or name that failed once is not reported again.

mod addresses;
mod control;
mod declarations;
mod fits;
mod flow;
mod flow_lints;
mod functions;
mod header;
mod immediates;
mod initializers;
mod instruction;
mod lints;
mod misfits;
mod mnemonic;
mod operands;
mod rules;
mod scopes;

pub(crate) use control::signature;
pub(crate) use operands::type_text;

use crate::codes;
use crate::{Function, FunctionId, Module, Space, Variable, VariableId};
use pisa_diag::{Code, Diagnostic, FileId, Place, Severity, Span};
use pisa_isa::{Target, Version};
use pisa_syntax::{Node, NodeKind, TokenKind, Tree};
use rustc_hash::FxHashMap;

/// How a module is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Departures from the specification's letter are errors.
    pub strict: bool,
    /// `f2i` and `pf2i` without a rounding mode mean `.rz`, as LLVM means them, without a warning (D-01).
    pub f2i_toward_zero: bool,
    /// Functions have declarations alone, and their code stands elsewhere: no body has to end with `return` (C-08).
    pub declarations_only: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The module; there exactly when neither parsing nor lowering found an error.
    pub module: Option<Module>,
    /// What lowering found, in the order of the text. What the parser found stands in [`Tree::diagnostics`].
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves and validates a parsed module.
pub fn lower(tree: &Tree, options: &Options) -> Lowered {
    let mut lowerer = Lowerer {
        tree,
        file: tree.file(),
        options: *options,
        diagnostics: Vec::new(),
        symbols: FxHashMap::default(),
        variables: Vec::new(),
        functions: Vec::new(),
        host_names: FxHashMap::default(),
        mnemonics: FxHashMap::default(),
        entries: Vec::new(),
        body: scopes::Body::default(),
        range_names: 0,
        searchable: SEARCHABLE,
        version: Version(0, 1),
        target: Target::T100,
    };
    lowerer.header();
    lowerer.module();
    let Lowerer { mut diagnostics, variables, functions, version, target, .. } = lowerer;
    diagnostics.sort_by_key(|d| d.place().map(|p| p.span.start));
    let is_error = |d: &Diagnostic| d.severity == Severity::Error;
    let failed = diagnostics.iter().any(is_error) || tree.diagnostics.iter().any(is_error);
    let module = (!failed).then_some(Module { version, target, variables, functions });
    Lowered { module, diagnostics }
}

/// Diagnostics with all their notes: nobody reads more, and millions would fill the memory.
const DETAILED: usize = 100_000;
/// Names that are looked at for suggestions in one module: with many names and many unknown ones every pair would take
/// hours.
const SEARCHABLE: usize = 2_000_000;

/// What an `@` name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symbol {
    Variable(VariableId),
    Function(FunctionId),
}

pub(crate) struct Lowerer<'t> {
    tree: &'t Tree,
    file: FileId,
    options: Options,
    diagnostics: Vec<Diagnostic>,
    /// `@` names of the module.
    symbols: FxHashMap<&'t str, Symbol>,
    variables: Vec<Variable>,
    functions: Vec<Function>,
    /// `.host_access` names (V-19).
    host_names: FxHashMap<Box<str>, Place>,
    /// Mnemonics seen so far, as indices into `entries`.
    mnemonics: FxHashMap<&'t str, u32>,
    entries: Vec<std::rc::Rc<mnemonic::Entry>>,
    /// What belongs to the function at hand.
    body: scopes::Body<'t>,
    /// Names that the ranges of the module make, so far.
    range_names: usize,
    /// Names that may still be looked at for suggestions.
    searchable: usize,
    version: Version,
    target: Target,
}

impl<'t> Lowerer<'t> {
    pub(crate) fn place(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }
    /// An error at `span`, not yet recorded.
    pub(crate) fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Error, message, self.place(span))
    }
    /// A departure at `span`: a warning, or an error under `--strict`.
    pub(crate) fn departure(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        let severity = if self.options.strict { Severity::Error } else { Severity::Warning };
        Diagnostic::new(code, severity, message, self.place(span))
    }
    /// A lint at `span`.
    pub(crate) fn lint(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Warning, message, self.place(span))
    }
    /// Records a diagnostic; of very many the later ones without their notes.
    pub(crate) fn report(&mut self, mut diagnostic: Diagnostic) {
        if self.diagnostics.len() >= DETAILED {
            diagnostic.notes = Vec::new();
            diagnostic.labels.truncate(1);
            diagnostic.labels.shrink_to_fit();
        }
        self.diagnostics.push(diagnostic);
    }
    /// Whether that many names may be searched for one like an unknown one.
    pub(crate) fn may_search(&mut self, names: usize) -> bool {
        let left = self.searchable.checked_sub(names);
        self.searchable = left.unwrap_or(self.searchable);
        left.is_some()
    }

    /// Module scope: first all names, so that they can be used before their declaration (G-10), then the rest.
    fn module(&mut self) {
        let root = self.tree.root();
        let mut variables = Vec::new();
        let mut bodies = Vec::new();
        for node in root.children() {
            match node.kind() {
                NodeKind::Variable => {
                    let pending = self.declare_variable(node, None);
                    if let Some(pending) = pending {
                        if let Some(&earlier) = self.symbols.get(pending.name) {
                            self.duplicate_symbol(pending.name, pending.name_span, earlier);
                        } else {
                            self.symbols.insert(pending.name, Symbol::Variable(pending.id));
                        }
                        variables.push(pending);
                    }
                }
                NodeKind::Kernel | NodeKind::Function => {
                    if let Some((name, span, id)) = self.declare_function(node) {
                        if let Some(&earlier) = self.symbols.get(name) {
                            self.duplicate_symbol(name, span, earlier);
                        } else {
                            self.symbols.insert(name, Symbol::Function(id));
                        }
                        bodies.push((node, id));
                    }
                }
                _ => {}
            }
        }
        for pending in variables {
            self.finish_variable(pending);
        }
        for (node, id) in bodies {
            self.function_body(node, id);
        }
    }

    /// The place where a symbol was declared.
    pub(crate) fn symbol_place(&self, symbol: Symbol) -> Place {
        match symbol {
            Symbol::Variable(v) => self.variables[v.index()].place,
            Symbol::Function(f) => self.functions[f.index()].place,
        }
    }

    /// L-03, L-05, V-12: one namespace for variables, functions and kernels.
    fn duplicate_symbol(&mut self, name: &str, span: Span, earlier: Symbol) {
        let diagnostic = self
            .error(codes::DUPLICATE_SYMBOL, span, format!("`@{name}` is declared twice"))
            .label("declared again here")
            .also(self.symbol_place(earlier), "first declared here")
            .spec("2.5.2 linkage: a variable must not be declared more than once within a module")
            .help("variables, functions and kernels share one set of names: rename one of them");
        self.report(diagnostic);
    }
}

/// The space that a word such as `.global` names.
pub(crate) fn space_of(word: &str) -> Option<Space> {
    Some(match word {
        ".global" => Space::Global,
        ".const" => Space::Const,
        ".shared" => Space::Shared,
        ".private" => Space::Private,
        _ => return None,
    })
}

/// The name in `@name` or `@"name"`: what stands between the quotes is taken as it is written.
pub(crate) fn symbol_name(text: &str) -> &str {
    let name = text.strip_prefix('@').unwrap_or(text);
    match name.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"').unwrap_or(quoted),
        None => name,
    }
}

/// The name in `%name`.
pub(crate) fn register_name(text: &str) -> &str {
    text.strip_prefix('%').unwrap_or(text)
}

/// The `@name` of a declaration: its own token, not one inside a child.
pub(crate) fn declared_name<'t>(node: Node<'t>, kind: TokenKind) -> Option<(&'t str, Span)> {
    let token = node.token(kind)?;
    Some((token.text(), token.span()))
}
