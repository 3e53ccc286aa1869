//! Directives.

/// A directive, with the dot (directives page of the spec).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Directive {
    Version,
    Target,
    Export,
    Import,
    Global,
    Const,
    Shared,
    Private,
    Kernel,
    Function,
    Reg,
    Pred,
    Param,
    Align,
    Section,
    HostAccess,
    ReqdWorkGroupSize,
    VecTypeHint,
    Addrspace,
    PtrAlign,
    Zero,
}

use Directive::*;

impl Directive {
    /// Every directive.
    pub const ALL: [Directive; 21] = [
        Version,
        Target,
        Export,
        Import,
        Global,
        Const,
        Shared,
        Private,
        Kernel,
        Function,
        Reg,
        Pred,
        Param,
        Align,
        Section,
        HostAccess,
        ReqdWorkGroupSize,
        VecTypeHint,
        Addrspace,
        PtrAlign,
        Zero,
    ];

    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Version => ".version",
            Target => ".target",
            Export => ".export",
            Import => ".import",
            Global => ".global",
            Const => ".const",
            Shared => ".shared",
            Private => ".private",
            Kernel => ".kernel",
            Function => ".function",
            Reg => ".reg",
            Pred => ".pred",
            Param => ".param",
            Align => ".align",
            Section => ".section",
            HostAccess => ".host_access",
            ReqdWorkGroupSize => ".reqd_work_group_size",
            VecTypeHint => ".vec_type_hint",
            Addrspace => ".addrspace",
            PtrAlign => ".ptr_align",
            Zero => ".zero",
        }
    }

    /// The directive that a word is, case-sensitive (G-16).
    pub fn of(text: &str) -> Option<Directive> {
        // Most words are mnemonics: one look at the first byte tells.
        if text.as_bytes().first() != Some(&b'.') {
            return None;
        }
        Directive::ALL.into_iter().find(|d| d.text() == text)
    }

    /// `.global`, `.const`, `.shared` or `.private`.
    pub const fn is_space(self) -> bool {
        matches!(self, Global | Const | Shared | Private)
    }

    /// Begins a statement of the module only, never one of a body.
    pub(crate) const fn begins_item(self) -> bool {
        matches!(self, Version | Target | Export | Import | Kernel | Function)
    }

    /// Stands between `.kernel`, a space or `.param` and the name.
    pub(crate) const fn is_attribute(self) -> bool {
        matches!(self, Align | Section | HostAccess | ReqdWorkGroupSize | VecTypeHint | Addrspace | PtrAlign)
    }

    /// What it does and where it stands, for a message.
    pub(crate) const fn place(self) -> &'static str {
        match self {
            Version => "`.version` begins a module",
            Target => "`.target` follows `.version`",
            Export | Import => "it stands before `.function`, `.global` or `.const`",
            Global | Const | Shared | Private => "it begins the declaration of a memory variable",
            Kernel => "`.kernel` begins a kernel, outside of every body",
            Function => "`.function` begins a function, outside of every body",
            Reg | Pred => "registers are declared in the body of a kernel or function",
            Param => "`.param` declares a parameter in the `( )` of a kernel",
            Align => {
                "`.align` stands between the space of a variable and its name, `.align(N)` before the name of a parameter"
            }
            Section | HostAccess => "it stands between `.global` or `.const` and the name of the variable",
            ReqdWorkGroupSize | VecTypeHint => "it stands between `.kernel` and the name",
            Addrspace | PtrAlign => "it stands between `.param[N]` and the name of the parameter",
            Zero => "`.zero N` is a value of an initialiser",
        }
    }
}

/// The directive that was probably meant by a word that is none; `among` are those that may stand there.
pub(crate) fn suggest(word: &str, among: &[Directive]) -> Option<Directive> {
    let bare = word.strip_prefix('.').unwrap_or(word).to_ascii_lowercase();
    let other_name = match bare.as_str() {
        "func" => Some(Function),
        "entry" => Some(Kernel),
        "extern" => Some(Import),
        "visible" | "public" => Some(Export),
        "local" => Some(Private),
        "register" => Some(Reg),
        "predicate" => Some(Pred),
        _ => None,
    };
    if let Some(directive) = other_name.filter(|d| word.starts_with('.') && among.contains(d)) {
        return Some(directive);
    }
    if let Some(directive) = without_dot(&bare, among) {
        return Some(directive);
    }
    if !word.starts_with('.') || bare.len() > 24 {
        return None;
    }
    let scored = among.iter().map(|&d| (strsim::damerau_levenshtein(&bare, &d.text()[1..]), d));
    scored.filter(|&(n, d)| n <= 2 && 3 * n < d.text().len()).min_by_key(|&(n, _)| n).map(|(_, d)| d)
}

/// The directive whose dot was forgotten.
#[inline]
pub(crate) fn without_dot(word: &str, among: &[Directive]) -> Option<Directive> {
    // Every instruction comes here: most differ in length already.
    among
        .iter()
        .copied()
        .find(|d| d.text().len() == word.len() + 1 && d.text()[1..].eq_ignore_ascii_case(word))
}

/// `.32b`, `.v4.32b` and whatever looks like a type: a dot and a digit, or `.v` and a digit.
pub(crate) fn is_type_like(word: &str) -> bool {
    matches!(word.as_bytes(), [b'.', b'0'..=b'9', ..] | [b'.', b'v', b'0'..=b'9', ..])
}

/// Whether a word begins like an instruction: its part before the first dot is that of an opcode.
pub(crate) fn is_opcode_like(word: &str) -> bool {
    let first = |text: &'static str| text.split('.').next().unwrap_or(text);
    let head = word.split('.').next().unwrap_or(word);
    pisa_isa::Opcode::ALL.iter().any(|o| first(o.text()) == head) || head == "lifetime"
}
