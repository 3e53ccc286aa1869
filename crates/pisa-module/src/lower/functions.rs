//! Kernels and functions: signatures, parameters, bodies (rows K, F, C).

use super::addresses::parse_integer;
use super::declarations::{attribute_arguments, attribute_word, linkage};
use super::operands::special;
use super::scopes::Name;
use super::{Lowerer, declared_name, register_name, symbol_name};
use crate::{
    Function, FunctionId, FunctionKind, KernelParameter, Label, LabelId, Linkage, ParameterId, Register,
    RegisterId, RegisterType, Space, codes,
};
use pisa_diag::{Place, Span};
use pisa_syntax::{Directive, Node, NodeKind, TokenKind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Largest product of `.reqd_work_group_size` (K-09).
const WORK_GROUP_LIMIT: u64 = 1024;

impl<'t> Lowerer<'t> {
    /// Name and signature of a kernel or function.
    pub(super) fn declare_function(&mut self, node: Node<'t>) -> Option<(&'t str, Span, FunctionId)> {
        let (text, span) = declared_name(node, TokenKind::GlobalName)?;
        let name = symbol_name(text);
        let id = FunctionId(self.functions.len() as u32);
        let is_kernel = node.kind() == NodeKind::Kernel;
        let (mut linkage, linkage_span) = linkage(node);
        if let (true, Some(linkage_span)) = (is_kernel, linkage_span) {
            let word = self.text_at(linkage_span);
            let diagnostic = self
                .error(
                    codes::LINKAGE_ON_KERNEL,
                    linkage_span,
                    format!("a kernel has no linkage, `{word}` does not apply"),
                )
                .spec("4.1 kernel")
                .help("remove it: the host sees every kernel")
                .fix(self.place(linkage_span), "");
            self.report(diagnostic);
            linkage = Linkage::Internal;
        }
        let list = node.child(NodeKind::ParameterList);
        let body = node.child(NodeKind::Body);
        let mut registers = Vec::new();
        let kind = if is_kernel {
            self.kernel_signature(node, list)
        } else {
            self.function_body_or_not(span, linkage, linkage_span, body, node.has_error());
            self.function_signature(node, list, linkage, &mut registers)
        };
        self.functions.push(Function {
            name: name.into(),
            linkage,
            kind,
            registers,
            variables: Vec::new(),
            labels: Vec::new(),
            code: Vec::new(),
            place: self.place(span),
        });
        Some((name, span, id))
    }

    /// F-07 and spec 4.3.1: an import has no body, everything else has one.
    fn function_body_or_not(
        &mut self,
        name: Span,
        linkage: Linkage,
        linkage_span: Option<Span>,
        body: Option<Node<'t>>,
        broken: bool,
    ) {
        match (linkage, body) {
            (Linkage::Import, Some(body)) => {
                let span = body.span();
                let mut diagnostic = self
                    .error(
                        codes::IMPORT_WITH_BODY,
                        Span::new(span.start, span.start + 1),
                        "an imported function has no body here",
                    )
                    .spec("4.3.1 linkage")
                    .help("write `;` in place of the body, or `.export` in place of `.import`");
                if let Some(span) = linkage_span {
                    diagnostic = diagnostic.also(self.place(span), "imported");
                }
                self.report(diagnostic);
            }
            (Linkage::Import, None) | (_, Some(_)) => {}
            // With a syntax error there may well have been one.
            (_, None) if broken => {}
            (_, None) => {
                let diagnostic = self
                    .error(codes::MISSING_BODY, name, "this function has no body")
                    .spec("4.3 function")
                    .help("give it a body, or import it with `.import`; a function can be used before its definition");
                self.report(diagnostic);
            }
        }
    }

    fn kernel_signature(&mut self, node: Node<'t>, list: Option<Node<'t>>) -> FunctionKind {
        let mut required_work_group_size = None;
        let mut vector_type_hint = None;
        let mut seen = Vec::new();
        for attribute in node.children().filter(|n| n.kind() == NodeKind::Attribute) {
            if !self.attribute_once(&mut seen, attribute) {
                continue;
            }
            match attribute_word(attribute) {
                ".reqd_work_group_size" => required_work_group_size = self.work_group_size(attribute),
                ".vec_type_hint" => {
                    // K-08: the word has no effect.
                    vector_type_hint = attribute_arguments(attribute).next().map(|t| t.text().into());
                }
                word => {
                    let message = format!("`{word}` is not an attribute of kernels");
                    self.unknown_attribute(attribute, message, ".reqd_work_group_size .vec_type_hint");
                }
            }
        }
        let mut parameters: Vec<KernelParameter> = Vec::new();
        let mut places: FxHashMap<&str, pisa_diag::Place> = FxHashMap::default();
        let mut end = 0u64;
        for child in list.into_iter().flat_map(Node::children) {
            match child.kind() {
                NodeKind::KernelParameter => {
                    let Some((text, span)) = declared_name(child, TokenKind::LocalName) else { continue };
                    let name = register_name(text);
                    if self.reserved_parameter(name, span) {
                        continue;
                    }
                    if let Some(&earlier) = places.get(name) {
                        self.parameter_clash(name, span, Some(earlier));
                        continue;
                    }
                    if let Some(parameter) = self.kernel_parameter(child, name, span, &mut end) {
                        places.insert(name, parameter.place);
                        parameters.push(parameter);
                    }
                }
                NodeKind::FunctionParameter => {
                    let diagnostic = self
                        .error(
                            codes::PARAMETER_KIND,
                            child.span(),
                            "parameters of kernels are declared with `.param`",
                        )
                        .spec("4.2 kernel parameters")
                        .help("write `.param[BYTES] %name`, and load it with `ld.param`");
                    self.report(diagnostic);
                }
                _ => {}
            }
        }
        FunctionKind::Kernel { parameters, required_work_group_size, vector_type_hint }
    }

    fn reserved_parameter(&mut self, name: &str, span: Span) -> bool {
        if special(name, None) == Err(false) {
            return false;
        }
        let diagnostic = self
            .error(codes::RESERVED_NAME, span, format!("`%{name}` is the name of a special register"))
            .spec("4. special registers")
            .help("rename the parameter");
        self.report(diagnostic);
        true
    }

    /// K-09.
    fn work_group_size(&mut self, attribute: Node<'t>) -> Option<[u32; 3]> {
        let values: Vec<_> = attribute_arguments(attribute)
            .filter(|t| t.kind() == TokenKind::Integer)
            .filter_map(|t| parse_integer(t.text()))
            .map(|i| i.magnitude)
            .collect();
        let product = values.iter().fold(1u64, |a, &b| a.saturating_mul(b));
        let problem = if values.len() != 3 {
            Some("three values are needed, for x, y and z".to_owned())
        } else if product == 0 {
            Some("each value is 1 or more".to_owned())
        } else if product > WORK_GROUP_LIMIT {
            Some(format!("this is a work-group of {product}, the limit is {WORK_GROUP_LIMIT}"))
        } else {
            None
        };
        if let Some(problem) = problem {
            let diagnostic = self
                .error(codes::WORK_GROUP_SIZE, attribute.span(), problem)
                .spec("4.1.1 attributes")
                .help("as in `.reqd_work_group_size(256, 1, 1)`");
            self.report(diagnostic);
            return None;
        }
        let value = |i: usize| values.get(i).map_or(1, |&v| v as u32);
        Some([value(0), value(1), value(2)])
    }

    /// One `.param`; `end` is where the parameter before ends in the argument buffer (K-02).
    fn kernel_parameter(
        &mut self,
        node: Node<'t>,
        name: &'t str,
        span: Span,
        end: &mut u64,
    ) -> Option<KernelParameter> {
        let Some(size_node) = node.child(NodeKind::Size) else {
            let diagnostic = self
                .error(codes::PARAMETER_SIZE, span, format!("the parameter `%{name}` has no size"))
                .spec("4.2 kernel parameters")
                .help(format!("write `.param[BYTES] %{name}`"));
            self.report(diagnostic);
            return None;
        };
        let size = self.size(size_node, 1 << 24, codes::PARAMETER_SIZE).unwrap_or(8) as u32;
        let (mut align, mut space, mut pointer_align) = (8, None, None);
        let mut seen = Vec::new();
        for attribute in node.children().filter(|n| n.kind() == NodeKind::Attribute) {
            if !self.attribute_once(&mut seen, attribute) {
                continue;
            }
            match attribute_word(attribute) {
                ".align" => align = self.alignment(attribute, "4.2.1 parameter attributes").unwrap_or(8),
                ".ptr_align" => {
                    pointer_align = self.alignment(attribute, "4.2.1 parameter attributes");
                    self.pointer_size(attribute, size, false);
                }
                ".addrspace" => {
                    let word = attribute_arguments(attribute).next();
                    space = match word.map(|t| t.text()) {
                        Some("global") => Some(Space::Global),
                        Some("const") => Some(Space::Const),
                        Some("shared") => Some(Space::Shared),
                        other => {
                            let place = word.map_or(attribute.span(), |t| t.span());
                            let diagnostic = self
                                .error(
                                    codes::PARAMETER_SPACE,
                                    place,
                                    format!("a kernel parameter cannot point to `{}`", other.unwrap_or("")),
                                )
                                .spec("4.2.1 parameter attributes")
                                .help("`.addrspace` is global, shared or const; leave it out for other pointers");
                            self.report(diagnostic);
                            None
                        }
                    };
                    if let Some(space) = space {
                        self.pointer_size(attribute, size, space == Space::Shared);
                    }
                }
                word => {
                    let message = format!("`{word}` is not an attribute of kernel parameters");
                    self.unknown_attribute(attribute, message, ".align .addrspace .ptr_align");
                }
            }
        }
        let offset = end.next_multiple_of(u64::from(align));
        *end = offset + u64::from(size);
        if *end > u64::from(u32::MAX) {
            let diagnostic = self
                .error(codes::PARAMETER_SIZE, span, "the parameters of this kernel take more than 4 GiB")
                .spec("4.2 kernel parameters")
                .help("pass pointers to buffers");
            self.report(diagnostic);
            *end = 0;
            return None;
        }
        Some(KernelParameter {
            name: name.into(),
            size,
            align,
            offset: offset as u32,
            space,
            pointer_align,
            place: self.place(span),
        })
    }

    /// K-11, V-18: pointers have 8 bytes, those to shared memory 4 or 8.
    fn pointer_size(&mut self, attribute: Node<'t>, size: u32, shared: bool) {
        if size == 8 || (size == 4 && (shared || attribute_word(attribute) == ".ptr_align")) {
            return;
        }
        let diagnostic = self
            .lint(
                codes::POINTER_SIZE,
                attribute.span(),
                format!(
                    "`{}` on a parameter of {size} bytes, which is no pointer",
                    attribute_word(attribute)
                ),
            )
            .spec("4.2.1 parameter attributes; 2.1 address spaces")
            .help("pointers have 8 bytes, those to shared memory 4");
        self.report(diagnostic);
    }

    fn function_signature(
        &mut self,
        node: Node<'t>,
        list: Option<Node<'t>>,
        linkage: Linkage,
        registers: &mut Vec<Register>,
    ) -> FunctionKind {
        let result = node.child(NodeKind::TypeName).filter(|n| n.text() != "void").and_then(|n| {
            let ty = self.register_type(n)?;
            if ty.is_vector() {
                let diagnostic = self
                    .departure(
                        codes::VECTOR_RESULT,
                        n.span(),
                        format!("this function returns a vector, `{}`", n.text()),
                    )
                    .spec("4.5 function return: does not speak of vectors")
                    .help("return through memory, or one element at a time");
                self.report(diagnostic);
            }
            Some(ty)
        });
        let mut parameters = Vec::new();
        for child in list.into_iter().flat_map(Node::children) {
            match child.kind() {
                NodeKind::FunctionParameter => {
                    let Some(type_node) = child.child(NodeKind::TypeName) else { continue };
                    let ty = self.register_type(type_node).unwrap_or(RegisterType::scalar(32));
                    if child.tokens().next().is_some_and(|t| t.text() != ".reg") {
                        let span = type_node.span();
                        let diagnostic = self
                            .departure(
                                codes::PARAMETER_WITHOUT_REG,
                                span,
                                "a parameter of a function begins with `.reg`",
                            )
                            .spec("4.4 function arguments")
                            .help(format!("write `.reg {}`", type_node.text()))
                            .fix(self.place(Span::new(span.start, span.start)), ".reg ");
                        self.report(diagnostic);
                    }
                    let (name, span) = match declared_name(child, TokenKind::LocalName) {
                        Some((text, span)) => (register_name(text), span),
                        None => ("", type_node.span()),
                    };
                    if name.is_empty() && linkage != Linkage::Import {
                        let diagnostic = self
                            .error(codes::UNNAMED_PARAMETER, span, "this parameter has no name")
                            .spec("4.3.1 linkage: only imports leave parameters unnamed")
                            .help("name it, as in `.reg .32b %a`");
                        self.report(diagnostic);
                    }
                    let earlier = registers.iter().find(|r| !name.is_empty() && &*r.name == name);
                    if let Some(earlier) = earlier {
                        let place = earlier.place;
                        self.parameter_clash(name, span, Some(place));
                    }
                    if !name.is_empty() {
                        self.reserved_parameter(name, span);
                    }
                    parameters.push(RegisterId(registers.len() as u32));
                    registers.push(Register { name: name.into(), ty, place: self.place(span) });
                }
                NodeKind::KernelParameter => {
                    let diagnostic = self
                        .error(codes::PARAMETER_KIND, child.span(), "`.param` belongs to kernels")
                        .spec("4.4 function arguments")
                        .help("parameters of functions are registers: `.reg .32b %a`");
                    self.report(diagnostic);
                }
                _ => {}
            }
        }
        FunctionKind::Function { result, parameters }
    }

    /// The body of a kernel or function, when all names of the module are known.
    pub(super) fn function_body(&mut self, node: Node<'t>, id: FunctionId) {
        let Some(body) = node.child(NodeKind::Body) else { return };
        self.body.begin(id);
        self.parameter_names(node, id);
        self.collect_labels(body);
        let mut last_instruction: Option<Node<'t>> = None;
        let mut last_label: Option<Node<'t>> = None;
        let mut stack = vec![body.children()];
        while let Some(top) = stack.last_mut() {
            let Some(node) = top.next() else {
                stack.pop();
                if !stack.is_empty() {
                    self.body.names.leave();
                    self.body.locals.leave();
                }
                continue;
            };
            match node.kind() {
                NodeKind::Instruction => {
                    self.instruction(node);
                    last_instruction = Some(node);
                    last_label = None;
                }
                NodeKind::Label => {
                    let name = node.tokens().next().map_or("", |t| t.text());
                    let target = self.body.code.len() as u32;
                    if let Some(&label) = self.body.labels.get(name)
                        && self.body.label_list[label.index()].place.span == label_span(node)
                    {
                        self.body.label_list[label.index()].target = target;
                    }
                    last_label = Some(node);
                }
                NodeKind::Registers => self.registers(node),
                NodeKind::Variable => self.local_variable(node),
                NodeKind::Scope => {
                    self.body.names.enter();
                    self.body.locals.enter();
                    stack.push(node.children());
                }
                _ => {}
            }
        }
        self.check_last(id, last_instruction, last_label);
        let function = &mut self.functions[id.index()];
        function.registers = std::mem::take(&mut self.body.registers);
        function.labels = std::mem::take(&mut self.body.label_list);
        function.variables = std::mem::take(&mut self.body.variables);
        function.code = std::mem::take(&mut self.body.code);
        if function.code.capacity() - function.code.len() > function.code.len() / 4 {
            function.code.shrink_to_fit();
        }
        if let Some(size) = function.registers.capacity().checked_sub(function.registers.len())
            && size > function.registers.len() / 4
        {
            function.registers.shrink_to_fit();
        }
        self.lint_function(id);
    }

    /// Makes the parameters visible.
    fn parameter_names(&mut self, node: Node<'t>, id: FunctionId) {
        self.body.registers = self.functions[id.index()].registers.clone();
        let is_kernel = self.functions[id.index()].is_kernel();
        let positions: FxHashMap<Box<str>, u32> = match is_kernel {
            true => self.functions[id.index()]
                .kernel_parameters()
                .iter()
                .map(|p| p.name.clone())
                .zip(0..)
                .collect(),
            false => FxHashMap::default(),
        };
        let list = node.child(NodeKind::ParameterList);
        let mut register = 0;
        for child in list.into_iter().flat_map(Node::children) {
            let name = declared_name(child, TokenKind::LocalName).map(|(text, _)| register_name(text));
            match (child.kind(), is_kernel) {
                (NodeKind::KernelParameter, true) => {
                    let Some(name) = name else { continue };
                    if let Some(&position) = positions.get(name) {
                        let parameter = Name::Parameter(ParameterId(position));
                        self.body.names.insert(Cow::Borrowed(name), parameter);
                    }
                }
                (NodeKind::FunctionParameter, false) if child.child(NodeKind::TypeName).is_some() => {
                    if let Some(name) = name
                        && self.body.names.get(name).is_none()
                    {
                        self.body.names.insert(Cow::Borrowed(name), Name::Register(RegisterId(register)));
                    }
                    register += 1;
                }
                _ => {}
            }
        }
    }

    /// All labels of the function, those in scopes too (G-13).
    fn collect_labels(&mut self, body: Node<'t>) {
        let mut stack = vec![body.children()];
        while let Some(top) = stack.last_mut() {
            let Some(node) = top.next() else {
                stack.pop();
                continue;
            };
            match node.kind() {
                NodeKind::Scope => stack.push(node.children()),
                NodeKind::Label => self.declare_label(node),
                _ => {}
            }
        }
    }

    fn declare_label(&mut self, node: Node<'t>) {
        let Some(token) = node.tokens().next() else { return };
        let (name, span) = (token.text(), token.span());
        if let Some(&earlier) = self.body.labels.get(name) {
            let place = self.body.label_list[earlier.index()].place;
            let diagnostic = self
                .error(
                    codes::DUPLICATE_LABEL,
                    span,
                    format!("the label `{name}` is declared twice in this function"),
                )
                .also(place, "first declared here")
                .spec("6.2 goto: a named location within the current function")
                .help("rename one of them; scopes do not separate labels");
            self.report(diagnostic);
            return;
        }
        if name == "void" || Directive::of(name).is_some() {
            let diagnostic = self
                .lint(codes::LABEL_LIKE_DIRECTIVE, span, format!("the label `{name}` reads like a directive"))
                .spec("1.3 identifiers")
                .help("rename it");
            self.report(diagnostic);
        }
        let id = LabelId(self.body.label_list.len() as u32);
        self.body.labels.insert(name, id);
        let place = self.place(span);
        self.body.label_list.push(Label { name: name.into(), target: 0, place });
    }

    /// F-10, C-08: a non-void function ends with an unconditional `return`.
    fn check_last(&mut self, id: FunctionId, last: Option<Node<'t>>, trailing_label: Option<Node<'t>>) {
        let function = &self.functions[id.index()];
        if self.options.declarations_only
            || !matches!(function.kind, FunctionKind::Function { result: Some(_), .. })
        {
            return;
        }
        let place = function.place;
        let (span, message): (Span, &str) = match (last, trailing_label) {
            (Some(_), Some(label)) => {
                (label.span(), "a non-void function ends with `return`, here a label follows")
            }
            (Some(last), None) => {
                let mnemonic = last.children().next().map_or("", |n| n.text());
                match mnemonic {
                    "return" => return,
                    "return.cond" => {
                        (last.span(), "`return.cond` can fall through the end of a non-void function")
                    }
                    _ => (last.span(), "a non-void function ends with `return`"),
                }
            }
            (None, _) => (place.span, "a non-void function ends with `return`, this one is empty"),
        };
        let mut diagnostic = self
            .error(codes::RETURN_NOT_LAST, span, message)
            .spec("4.5 function return: must be the last instruction in the body of a non-void function")
            .help("end the body with `return` and a value");
        if place.span != span {
            diagnostic = diagnostic.also(Place { file: self.file, span: place.span }, "returns a value");
        }
        self.report(diagnostic);
    }
}

fn label_span(node: Node<'_>) -> Span {
    node.tokens().next().map_or(node.span(), |t| t.span())
}
