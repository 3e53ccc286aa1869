//! Kinds of tokens and nodes; the comments on [`NodeKind`] are the grammar.

/// Kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum TokenKind {
    /// Blanks, tabs, line ends.
    Whitespace,
    /// `// …` up to the line end; also `/* … */` and `# …`, which the lexer reports (G-03).
    Comment,
    /// `@name` or `@"quoted name"` (G-19).
    GlobalName,
    /// `%name`, swizzle included: `%v.xy` is one token (G-06).
    LocalName,
    /// A word that begins with a letter, `$`, `_` or `.`: mnemonic, directive, label, qualifier, type (`iadd.32b`,
    /// `.reg`, `.v4.32b`, `LBB0_1`, `void`). The longest run of `[A-Za-z0-9$._]`.
    Word,
    /// A decimal or hexadecimal integer without sign, with whatever sticks to it: `100ca` after `.target` is right,
    /// elsewhere the parser reports a suffix.
    Integer,
    /// `1.5`, `1.`, `1e3`, `1.5e-3` without sign, with whatever sticks to it (the parser reports it).
    Float,
    /// `"…"` with `\"` and `\\`.
    String,
    /// `;`
    Semicolon,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `~`
    Tilde,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `=`
    Equals,
    /// `!`
    Bang,
    /// Anything else: one character, or a run of such that are not printable ASCII (bytes that are not UTF-8 are shown
    /// as U+FFFD). Within nodes they are [`NodeKind::Error`] nodes; they never separate what they stand between.
    Unknown,
}

impl TokenKind {
    /// Whitespace and comments.
    pub const fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Whitespace | TokenKind::Comment)
    }
}

/// Kind of a node. Quoted parts are tokens, capitalised ones nodes; `?` optional, `*` repeated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum NodeKind {
    /// Version? Target? (Variable | Kernel | Function | Empty | Error)* — Version and Target are read anywhere among
    /// the items; their order is the validator's.
    Module,
    /// `.version` Integer-or-Float `;`  — the lexer makes `0.1` one Float token.
    Version,
    /// `.target` Integer-or-Word `;` — `100`, `100c`, `100ca`.
    Target,
    /// Linkage? Space Attribute* `@name` Size? (`=` Initializer)? `;` — Space is one of the words `.global .const
    /// .shared .private`; a [`NodeKind::TypeName`] between space and name is the departure V-06.
    Variable,
    /// `.export` or `.import`.
    Linkage,
    /// `.global`, `.const`, `.shared`, `.private`.
    Space,
    /// `.align N` | `.section("S")` | `.host_access("S")` | `.reqd_work_group_size(X, Y, Z)` | `.vec_type_hint(T)` |
    /// `.addrspace(S)` | `.align(N)` | `.ptr_align(N)`: the word, then its tokens.
    Attribute,
    /// `[` Integer `]` — also of `.param[8]`.
    Size,
    /// `{` InitializerElement (`,` InitializerElement)* `}`
    Initializer,
    /// TypeName NumberOperand | TypeName SymbolOperand ((`+`|`-`) Integer)? | `.zero` Integer
    InitializerElement,
    /// Linkage? `.kernel` Attribute* `@name` ParameterList Body
    Kernel,
    /// `(` (KernelParameter | FunctionParameter) (`,` …)* `)`
    ParameterList,
    /// `.param` Size Attribute* `%name`
    KernelParameter,
    /// Linkage? `.function` (TypeName | `void`) `@name` ParameterList (Body | `;`)
    Function,
    /// `.reg`? TypeName `%name`?  — `.reg` left out is the departure F-02.
    FunctionParameter,
    /// `{` (Registers | Variable | Label | Scope | Instruction | Empty | Error)* `}`
    Body,
    /// A nested Body.
    Scope,
    /// `.32b`, `.v4.32b`; also the word `void`.
    TypeName,
    /// (`.reg` TypeName | `.pred`) RegisterName (`,` RegisterName)* `;`
    Registers,
    /// `%name` (`<` Integer `~` Integer `>`)?
    RegisterName,
    /// Word `:`
    Label,
    /// Mnemonic (Operand (`,` Operand)*)? `;`
    Instruction,
    /// One Word token: opcode and qualifiers as written.
    Mnemonic,
    /// `%name`, swizzle included.
    RegisterOperand,
    /// `!` `%name`
    NegatedOperand,
    /// `-`? (Integer | Float)
    NumberOperand,
    /// `[` base ((`+`|`-`) offset)? `]` — base and offset are RegisterOperand, SymbolOperand or NumberOperand nodes.
    AddressOperand,
    /// `@name`
    SymbolOperand,
    /// A bare word: label or `void`.
    WordOperand,
    /// `(` (RegisterOperand (`,` RegisterOperand)*)? `)` of `call`; no comma stands before it.
    ArgumentList,
    /// A lone `;` (G-17).
    Empty,
    /// Tokens that fit nowhere, or none where something is missing; an error was reported. May be a child of any node
    /// ([`Node::has_error`](crate::Node::has_error)).
    Error,
}
