//! Several modules to one (rows L, H-02, K-07).

use crate::codes;
use crate::lower::signature;
use crate::{
    AddressBase, Function, FunctionId, Initializer, Linkage, Module, Operand, Program, RegisterType,
    Variable, VariableId,
};
use pisa_diag::{Code, Diagnostic, Place, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

/// Links modules to a program; nothing that is used may be left unresolved. Compilers print an import for each
/// declaration they saw; those that nothing uses are left out.
///
/// # Errors
/// Everything that does not fit together, each with both places.
pub fn link(modules: Vec<Module>) -> Result<Program, Vec<Diagnostic>> {
    let mut linker = Linker::new(&modules);
    linker.resolve(&modules);
    linker.drop_unused(&modules);
    linker.unresolved(&modules);
    if linker.diagnostics.is_empty() {
        Ok(Program { module: linker.join(modules) })
    } else {
        Err(linker.diagnostics)
    }
}

/// Links modules to one module; imports that none of them exports stay imports (L-02).
///
/// # Errors
/// Everything that does not fit together, each with both places.
pub fn link_library(modules: Vec<Module>) -> Result<Module, Vec<Diagnostic>> {
    let mut linker = Linker::new(&modules);
    linker.resolve(&modules);
    if linker.diagnostics.is_empty() { Ok(linker.join(modules)) } else { Err(linker.diagnostics) }
}

impl Program {
    /// The program that one module is.
    ///
    /// # Errors
    /// One diagnostic for each import.
    pub fn from_module(module: Module) -> Result<Program, Vec<Diagnostic>> {
        link(vec![module])
    }
}

/// A symbol of one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Symbol {
    Variable(VariableId),
    Function(FunctionId),
}

/// A symbol and the module that it is in.
type Site = (usize, Symbol);

#[derive(Default)]
struct Linker {
    diagnostics: Vec<Diagnostic>,
    /// What each import stands for, by module: an export, or the first import of an unresolved name.
    variables: Vec<FxHashMap<VariableId, (usize, VariableId)>>,
    functions: Vec<FxHashMap<FunctionId, (usize, FunctionId)>>,
    /// Imports that no module exports.
    open: Vec<Site>,
    /// The first instruction or variable that uses each of them.
    first_use: FxHashMap<Site, Place>,
    /// Those that nothing uses and that are left out.
    unused: FxHashSet<Site>,
}

fn symbols(module: &Module) -> impl Iterator<Item = (Symbol, &str, Linkage, Place)> {
    let variables = module.variables.iter().enumerate().filter(|(_, v)| v.owner.is_none());
    let variables =
        variables.map(|(i, v)| (Symbol::Variable(VariableId(i as u32)), &*v.name, v.linkage, v.place));
    let functions = module.functions.iter().enumerate();
    variables
        .chain(functions.map(|(i, f)| (Symbol::Function(FunctionId(i as u32)), &*f.name, f.linkage, f.place)))
}

fn error(code: Code, place: Place, message: String) -> Diagnostic {
    Diagnostic::new(code, Severity::Error, message, place)
}

impl Linker {
    fn new(modules: &[Module]) -> Linker {
        let maps = || (0..modules.len()).map(|_| FxHashMap::default()).collect();
        Linker {
            variables: maps(),
            functions: modules.iter().map(|_| FxHashMap::default()).collect(),
            ..Linker::default()
        }
    }

    /// Exports, kernels and host names are unique; imports find their export.
    fn resolve(&mut self, modules: &[Module]) {
        let mut exports: FxHashMap<&str, (Site, Place)> = FxHashMap::default();
        let mut kernels: FxHashMap<&str, Place> = FxHashMap::default();
        let mut hosts: FxHashMap<&str, Place> = FxHashMap::default();
        for (number, module) in modules.iter().enumerate() {
            for (symbol, name, linkage, place) in symbols(module) {
                let is_kernel =
                    matches!(symbol, Symbol::Function(f) if module.functions[f.index()].is_kernel());
                if is_kernel {
                    if let Some(&earlier) = kernels.get(name) {
                        self.diagnostics.push(
                            error(
                                codes::DUPLICATE_KERNEL,
                                place,
                                format!("two modules define the kernel `@{name}`"),
                            )
                            .also(earlier, "the other one")
                            .spec("4.1 kernel")
                            .help("rename one of them: the host finds kernels by name"),
                        );
                    } else {
                        kernels.insert(name, place);
                    }
                }
                if linkage == Linkage::Export {
                    if let Some(&(_, earlier)) = exports.get(name) {
                        self.diagnostics.push(
                            error(codes::DUPLICATE_EXPORT, place, format!("two modules export `@{name}`"))
                                .also(earlier, "the other one")
                                .spec("2.5.2, 4.3.1 linkage")
                                .help("rename one of them, or export only one"),
                        );
                    } else {
                        exports.insert(name, ((number, symbol), place));
                    }
                }
            }
            for variable in &module.variables {
                let Some(host) = &variable.host_access else { continue };
                if let Some(&earlier) = hosts.get(&**host) {
                    self.diagnostics.push(
                        error(
                            codes::LINK_HOST_ACCESS,
                            variable.place,
                            format!("two modules give the host name \"{host}\""),
                        )
                        .also(earlier, "the other one")
                        .spec("2.5.3 attributes")
                        .help("give each variable a name of its own"),
                    );
                } else {
                    hosts.insert(host, variable.place);
                }
            }
        }
        // An export and a kernel of one name share one namespace, too (L-03).
        for (name, &(_, place)) in &exports {
            if let Some(&kernel) = kernels.get(name) {
                self.diagnostics.push(
                    error(
                        codes::DUPLICATE_EXPORT,
                        place,
                        format!("`@{name}` is exported and the name of a kernel"),
                    )
                    .also(kernel, "the kernel")
                    .spec("2.5.2 linkage")
                    .help("rename one of them"),
                );
            }
        }
        let mut first_import: FxHashMap<&str, (Site, Place)> = FxHashMap::default();
        for (number, module) in modules.iter().enumerate() {
            for (symbol, name, linkage, place) in symbols(module) {
                if linkage != Linkage::Import {
                    continue;
                }
                let exported = exports.get(name);
                // L-03: kernels are not exported, and two things of one module cannot have one name.
                if let (None, Some(&kernel)) = (exported, kernels.get(name)) {
                    self.diagnostics.push(
                        error(
                            codes::LINK_KIND,
                            place,
                            format!("`@{name}` is imported here and a kernel there"),
                        )
                        .also(kernel, "the kernel, which only the host can start")
                        .spec("4.3.1 linkage")
                        .help("move the body into a function that the kernel calls, and export that"),
                    );
                    continue;
                }
                let ((other, found), found_place, exported) = match exported {
                    Some(&(site, place)) => (site, place, true),
                    None => match first_import.get(name) {
                        Some(&(site, place)) => (site, place, false),
                        None => {
                            first_import.insert(name, ((number, symbol), place));
                            self.open.push((number, symbol));
                            continue;
                        }
                    },
                };
                let other_word = if exported { "exported here" } else { "imported here, too" };
                let from = &modules[other];
                match (symbol, found) {
                    (Symbol::Variable(v), Symbol::Variable(f)) => {
                        let fine = self.match_variables(
                            &module.variables[v.index()],
                            &from.variables[f.index()],
                            exported,
                            other_word,
                        );
                        if fine {
                            self.variables[number].insert(v, (other, f));
                        }
                    }
                    (Symbol::Function(v), Symbol::Function(f)) => {
                        let fine = self.match_functions(
                            &module.functions[v.index()],
                            &from.functions[f.index()],
                            other_word,
                        );
                        if fine {
                            self.functions[number].insert(v, (other, f));
                        }
                    }
                    _ => {
                        let what = |symbol| match symbol {
                            Symbol::Variable(_) => "a variable",
                            Symbol::Function(_) => "a function",
                        };
                        self.diagnostics.push(
                            error(
                                codes::LINK_KIND,
                                place,
                                format!("`@{name}` is {} here and {} there", what(symbol), what(found)),
                            )
                            .also(found_place, other_word)
                            .spec("2.5.2, 4.3.1 linkage")
                            .help("import what the other module exports"),
                        );
                    }
                }
            }
        }
        self.diagnostics.sort_by_key(|d| d.place());
    }

    fn match_variables(&mut self, import: &Variable, export: &Variable, exported: bool, there: &str) -> bool {
        let name = &import.name;
        let space = |v: &Variable| v.space.qualifier().text();
        let (code, message, label) = if import.space != export.space {
            (
                codes::LINK_SPACE,
                format!("`@{name}` is imported as `{}`", space(import)),
                format!("{there} as `{}`", space(export)),
            )
        } else if import.size != export.size {
            (
                codes::LINK_SIZE,
                format!("`@{name}` is imported with {} bytes", import.size),
                format!("{there} with {}", export.size),
            )
        } else if exported && import.align > export.align {
            (
                codes::LINK_ALIGNMENT,
                format!("`@{name}` is imported with alignment {}", import.align),
                format!("{there} with {}", export.align),
            )
        } else {
            return true;
        };
        self.diagnostics.push(
            error(code, import.place, message)
                .also(export.place, label)
                .spec("2.5.2 linkage")
                .help("make both declarations say the same"),
        );
        false
    }

    fn match_functions(&mut self, import: &Function, export: &Function, there: &str) -> bool {
        let (ours, theirs) = (signature(import), signature(export));
        if ours == theirs {
            return true;
        }
        self.diagnostics.push(
            error(
                codes::LINK_SIGNATURE,
                import.place,
                format!("`@{}` is imported as `{}`", import.name, signature_text(&ours)),
            )
            .also(export.place, format!("{there} as `{}`", signature_text(&theirs)))
            .spec("4.3.1 linkage")
            .help("make both declarations say the same"),
        );
        false
    }

    /// Takes the imports that no instruction and no initialiser names out of the open ones.
    fn drop_unused(&mut self, modules: &[Module]) {
        let mut used: FxHashMap<Site, Place> = FxHashMap::default();
        for (number, module) in modules.iter().enumerate() {
            let variable = |id: VariableId| {
                let (module, id) = self.variables[number].get(&id).copied().unwrap_or((number, id));
                (module, Symbol::Variable(id))
            };
            let function = |id: FunctionId| {
                let (module, id) = self.functions[number].get(&id).copied().unwrap_or((number, id));
                (module, Symbol::Function(id))
            };
            for holder in &module.variables {
                for element in holder.initializer.iter().flatten() {
                    let site = match element {
                        Initializer::Variable(id, _) => variable(*id),
                        Initializer::Function(id) => function(*id),
                        Initializer::Value { .. } | Initializer::Zero(_) => continue,
                    };
                    used.entry(site).or_insert(holder.place);
                }
            }
            for instruction in module.functions.iter().flat_map(|f| &f.code) {
                for operand in &instruction.operands {
                    let site = match operand {
                        Operand::Variable(id) | Operand::Address { base: AddressBase::Variable(id), .. } => {
                            variable(*id)
                        }
                        Operand::Function(id) => function(*id),
                        _ => continue,
                    };
                    used.entry(site).or_insert(instruction.place);
                }
            }
        }
        let (open, unused): (Vec<Site>, Vec<Site>) =
            self.open.iter().partition(|site| used.contains_key(site));
        self.first_use = open.iter().filter_map(|site| Some((*site, *used.get(site)?))).collect();
        self.open = open;
        self.unused = unused.into_iter().collect();
    }

    /// Whether the variable of this module does not come into the result: another stands for it, or nobody uses it.
    fn leaves_out_variable(&self, module: usize, id: VariableId) -> bool {
        self.variables[module].contains_key(&id) || self.unused.contains(&(module, Symbol::Variable(id)))
    }

    /// The same for a function.
    fn leaves_out_function(&self, module: usize, id: FunctionId) -> bool {
        self.functions[module].contains_key(&id) || self.unused.contains(&(module, Symbol::Function(id)))
    }

    fn unresolved(&mut self, modules: &[Module]) {
        if self.open.is_empty() {
            return;
        }
        let of = |linkage| move |s: &(Symbol, &str, Linkage, Place)| s.2 == linkage;
        let exports: Vec<&str> =
            modules.iter().flat_map(symbols).filter(of(Linkage::Export)).map(|s| s.1).collect();
        let mut internals: FxHashMap<&str, Place> = FxHashMap::default();
        for (_, name, _, place) in modules.iter().flat_map(symbols).filter(of(Linkage::Internal)) {
            internals.entry(name).or_insert(place);
        }
        // With many names and many unknown ones every pair would take hours.
        let mut searchable = 1_000_000_usize;
        for &(number, symbol) in &self.open {
            let module = &modules[number];
            let (name, place) = match symbol {
                Symbol::Variable(v) => (&module.variables[v.index()].name, module.variables[v.index()].place),
                Symbol::Function(f) => (&module.functions[f.index()].name, module.functions[f.index()].place),
            };
            let search = searchable >= exports.len();
            searchable -= if search { exports.len() } else { 0 };
            let names = exports.iter().copied().take(if search { usize::MAX } else { 0 });
            let mut diagnostic = error(
                codes::UNRESOLVED_IMPORT,
                place,
                format!("`@{name}` is imported, but no module exports it"),
            )
            .spec("2.5.2, 4.3.1 linkage");
            if let Some(&place) = self.first_use.get(&(number, symbol)) {
                diagnostic = diagnostic.also(place, "used here");
            }
            if let Some(&internal) = internals.get(&**name) {
                diagnostic = diagnostic.also(internal, "defined here without `.export`").help("export it");
            } else if let Some(near) = pisa_isa::nearest(name, names) {
                diagnostic = diagnostic.help(format!("did you mean `@{near}`?"));
            } else {
                diagnostic = diagnostic.help("give the file that defines it, too");
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Puts everything into one module. Symbols keep their names as far as they can (L-04). The targets are a chain
    /// (H-02), so the largest serves all; there is one major version so far (H-01).
    fn join(self, modules: Vec<Module>) -> Module {
        let version = modules.iter().map(|m| m.version).max().unwrap_or(pisa_isa::Version(0, 1));
        let target = modules.iter().map(|m| m.target).max().unwrap_or(pisa_isa::Target::T100);
        if modules.len() == 1 && self.unused.is_empty() {
            // Nothing to move or rename.
            if let Some(module) = modules.into_iter().next() {
                return module;
            }
            return Module { version, target, variables: Vec::new(), functions: Vec::new() };
        }
        // New numbers: everything that is not replaced, in the order of the modules.
        let mut variable_ids: Vec<Vec<VariableId>> = Vec::new();
        let mut function_ids: Vec<Vec<FunctionId>> = Vec::new();
        let (mut variables, mut functions) = (0, 0);
        for (number, module) in modules.iter().enumerate() {
            let mut ids = Vec::with_capacity(module.variables.len());
            for i in 0..module.variables.len() {
                ids.push(VariableId(variables));
                variables += u32::from(!self.leaves_out_variable(number, VariableId(i as u32)));
            }
            variable_ids.push(ids);
            let mut ids = Vec::with_capacity(module.functions.len());
            for i in 0..module.functions.len() {
                ids.push(FunctionId(functions));
                functions += u32::from(!self.leaves_out_function(number, FunctionId(i as u32)));
            }
            function_ids.push(ids);
        }
        for (number, map) in self.variables.iter().enumerate() {
            for (&import, &(other, export)) in map {
                variable_ids[number][import.index()] = variable_ids[other][export.index()];
            }
        }
        for (number, map) in self.functions.iter().enumerate() {
            for (&import, &(other, export)) in map {
                function_ids[number][import.index()] = function_ids[other][export.index()];
            }
        }
        let mut names = names_taken(&modules);
        let mut result = Module { version, target, variables: Vec::new(), functions: Vec::new() };
        for (number, module) in modules.into_iter().enumerate() {
            let (variable_ids, function_ids) = (&variable_ids[number], &function_ids[number]);
            for (i, mut variable) in module.variables.into_iter().enumerate() {
                if self.leaves_out_variable(number, VariableId(i as u32)) {
                    continue;
                }
                if variable.owner.is_none() && variable.linkage == Linkage::Internal {
                    variable.name = names.unique(variable.name, number);
                }
                variable.owner = variable.owner.map(|f| function_ids[f.index()]);
                for element in variable.initializer.iter_mut().flatten() {
                    match element {
                        Initializer::Variable(id, _) => *id = variable_ids[id.index()],
                        Initializer::Function(id) => *id = function_ids[id.index()],
                        Initializer::Value { .. } | Initializer::Zero(_) => {}
                    }
                }
                result.variables.push(variable);
            }
            for (i, mut function) in module.functions.into_iter().enumerate() {
                if self.leaves_out_function(number, FunctionId(i as u32)) {
                    continue;
                }
                if function.linkage == Linkage::Internal && !function.is_kernel() {
                    function.name = names.unique(function.name, number);
                }
                relocate(&mut function, variable_ids, function_ids);
                result.functions.push(function);
            }
        }
        result
    }
}

fn relocate(function: &mut Function, variables: &[VariableId], functions: &[FunctionId]) {
    for id in &mut function.variables {
        *id = variables[id.index()];
    }
    for instruction in &mut function.code {
        for operand in &mut instruction.operands {
            match operand {
                Operand::Variable(id) => *id = variables[id.index()],
                Operand::Function(id) => *id = functions[id.index()],
                Operand::Address { base: AddressBase::Variable(id), .. } => *id = variables[id.index()],
                _ => {}
            }
        }
    }
}

/// Names of the linked module.
struct Names {
    taken: FxHashSet<Box<str>>,
}

impl Names {
    /// The name, changed where another module has it already.
    fn unique(&mut self, name: Box<str>, module: usize) -> Box<str> {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let mut number = module;
        loop {
            let candidate: Box<str> = format!("{name}.{number}").into();
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
            number += 1;
        }
    }
}

/// Names that must stay: exports, imports and kernels.
fn names_taken(modules: &[Module]) -> Names {
    let mut taken = FxHashSet::default();
    for module in modules {
        for (symbol, name, linkage, _) in symbols(module) {
            let is_kernel = matches!(symbol, Symbol::Function(f) if module.functions[f.index()].is_kernel());
            if linkage != Linkage::Internal || is_kernel {
                taken.insert(name.into());
            }
        }
    }
    Names { taken }
}

fn signature_text(signature: &(Option<RegisterType>, Vec<RegisterType>)) -> String {
    let result = signature.0.map_or("void".to_owned(), crate::lower::type_text);
    let parameters: Vec<_> = signature.1.iter().map(|ty| crate::lower::type_text(*ty)).collect();
    format!("{result} ({})", parameters.join(", "))
}
