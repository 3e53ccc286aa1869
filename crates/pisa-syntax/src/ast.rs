//! Typed views: thin names for the parts of a node, as the grammar on [`NodeKind`] gives them.
//!
//! A part that the text lacks is `None`; the parser has reported it then. [`Node::has_error`] tells whether a statement
//! has such a fault.

use crate::{Directive, Node, NodeKind, TokenKind, TokenRef};
use pisa_diag::Span;

macro_rules! views {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<'t>(Node<'t>);

        impl<'t> $name<'t> {
            /// The view of a node of this kind.
            pub fn cast(node: Node<'t>) -> Option<Self> {
                (node.kind() == NodeKind::$name).then_some($name(node))
            }
            /// The node.
            pub fn node(self) -> Node<'t> {
                self.0
            }
            /// Where it is.
            pub fn span(self) -> Span {
                self.0.span()
            }
        }
    )*};
}

views! {
    /// `.version 0.1;`
    Version
    /// `.target 100;`
    Target
    /// A memory variable.
    Variable
    /// `.align 4`, `.section("S")` and the like.
    Attribute
    /// `{ .32b 1, … }`
    Initializer
    /// One value of an initialiser.
    InitializerElement
    /// A kernel.
    Kernel
    /// A function, imported ones included.
    Function
    /// `.param[4] %name`
    KernelParameter
    /// `.reg .32b %name`
    FunctionParameter
    /// `.reg` or `.pred` with names.
    Registers
    /// `%name` or `%name<0~4>`
    RegisterName
    /// `name:`
    Label
    /// An instruction.
    Instruction
    /// `[base + offset]`
    AddressOperand
    /// `(%a, %b)`
    ArgumentList
}

fn own_token(node: Node<'_>, kind: TokenKind) -> Option<TokenRef<'_>> {
    node.own_tokens().find(|t| t.kind() == kind)
}

fn linkage(node: Node<'_>) -> Option<Directive> {
    Directive::of(node.child(NodeKind::Linkage)?.text())
}

fn size(node: Node<'_>) -> Option<TokenRef<'_>> {
    node.child(NodeKind::Size)?.token(TokenKind::Integer)
}

fn attributes(node: Node<'_>) -> impl Iterator<Item = Attribute<'_>> {
    node.children().filter_map(Attribute::cast)
}

fn type_name(node: Node<'_>) -> Option<TokenRef<'_>> {
    node.child(NodeKind::TypeName)?.token(TokenKind::Word)
}

impl<'t> Version<'t> {
    /// `0.1` as written.
    pub fn value(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().find(|t| matches!(t.kind(), TokenKind::Float | TokenKind::Integer))
    }
}

impl<'t> Target<'t> {
    /// `100`, `100c`, `100ca` as written.
    pub fn value(self) -> Option<TokenRef<'t>> {
        self.0
            .own_tokens()
            .skip(1)
            .find(|t| matches!(t.kind(), TokenKind::Float | TokenKind::Integer | TokenKind::Word))
    }
}

impl<'t> Variable<'t> {
    /// [`Directive::Export`] or [`Directive::Import`].
    pub fn linkage(self) -> Option<Directive> {
        linkage(self.0)
    }
    /// The word of the address space.
    pub fn space(self) -> Option<TokenRef<'t>> {
        self.0.child(NodeKind::Space)?.token(TokenKind::Word)
    }
    /// `.align`, `.section`, `.host_access` in the order of the text.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> {
        attributes(self.0)
    }
    /// The element type of the departure V-06.
    pub fn element_type(self) -> Option<TokenRef<'t>> {
        type_name(self.0)
    }
    /// `@name`
    pub fn name(self) -> Option<TokenRef<'t>> {
        own_token(self.0, TokenKind::GlobalName)
    }
    /// The number in `[ ]`.
    pub fn size(self) -> Option<TokenRef<'t>> {
        size(self.0)
    }
    /// The initialiser.
    pub fn initializer(self) -> Option<Initializer<'t>> {
        self.0.child(NodeKind::Initializer).map(Initializer)
    }
}

impl<'t> Attribute<'t> {
    /// The word.
    pub fn word(self) -> Option<TokenRef<'t>> {
        self.0.tokens().next()
    }
    /// Which attribute it is.
    pub fn directive(self) -> Option<Directive> {
        Directive::of(self.word()?.text())
    }
    /// Its values: Integer, String or Word tokens.
    pub fn values(self) -> impl Iterator<Item = TokenRef<'t>> {
        let is_value =
            |t: &TokenRef<'_>| matches!(t.kind(), TokenKind::Integer | TokenKind::String | TokenKind::Word);
        self.0.own_tokens().skip(1).filter(is_value)
    }
}

impl<'t> Initializer<'t> {
    /// The values in order.
    pub fn elements(self) -> impl Iterator<Item = InitializerElement<'t>> {
        self.0.children().filter_map(InitializerElement::cast)
    }
}

/// A literal with its sign.
#[derive(Clone, Copy, Debug)]
pub struct Number<'t> {
    /// A `-` stands before it.
    pub negative: bool,
    /// An Integer or Float token.
    pub literal: TokenRef<'t>,
    /// Sign and literal.
    pub span: Span,
}

impl<'t> Number<'t> {
    /// The number of a [`NodeKind::NumberOperand`].
    pub fn of(node: Node<'t>) -> Option<Number<'t>> {
        let negative = node.own_tokens().any(|t| t.kind() == TokenKind::Minus);
        let literal =
            node.own_tokens().find(|t| matches!(t.kind(), TokenKind::Integer | TokenKind::Float))?;
        Some(Number { negative, literal, span: node.span() })
    }
}

/// What an [`InitializerElement`] says.
#[derive(Clone, Copy, Debug)]
pub enum InitializerValue<'t> {
    /// `.zero N`
    Zero(TokenRef<'t>),
    /// `.32b 1`
    Number(Number<'t>),
    /// `.64b @symbol + 4`
    Symbol {
        /// `@symbol`
        name: TokenRef<'t>,
        /// The offset, its sign included.
        offset: Option<Number<'t>>,
    },
}

impl<'t> InitializerElement<'t> {
    /// The size, `.8b` to `.64b`; none for `.zero`.
    pub fn type_name(self) -> Option<TokenRef<'t>> {
        type_name(self.0)
    }
    /// The value.
    pub fn value(self) -> Option<InitializerValue<'t>> {
        let node = self.0;
        if let Some(number) = node.child(NodeKind::NumberOperand) {
            return Number::of(number).map(InitializerValue::Number);
        }
        let literal = own_token(node, TokenKind::Integer);
        if let Some(symbol) = node.child(NodeKind::SymbolOperand) {
            let sign = node.own_tokens().find(|t| matches!(t.kind(), TokenKind::Plus | TokenKind::Minus));
            let offset = sign.zip(literal).map(|(sign, literal)| Number {
                negative: sign.kind() == TokenKind::Minus,
                literal,
                span: sign.span().to(literal.span()),
            });
            return Some(InitializerValue::Symbol { name: symbol.token(TokenKind::GlobalName)?, offset });
        }
        literal.map(InitializerValue::Zero)
    }
}

impl<'t> Kernel<'t> {
    /// What the validator refuses on kernels (K-07).
    pub fn linkage(self) -> Option<Directive> {
        linkage(self.0)
    }
    /// `.reqd_work_group_size`, `.vec_type_hint` in the order of the text.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> {
        attributes(self.0)
    }
    /// `@name`
    pub fn name(self) -> Option<TokenRef<'t>> {
        own_token(self.0, TokenKind::GlobalName)
    }
    /// [`KernelParameter`] nodes, and [`FunctionParameter`] nodes that do not belong here.
    pub fn parameters(self) -> impl Iterator<Item = Node<'t>> {
        parameters(self.0)
    }
    /// The body.
    pub fn body(self) -> Option<Node<'t>> {
        self.0.child(NodeKind::Body)
    }
}

fn parameters(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    node.child(NodeKind::ParameterList)
        .into_iter()
        .flat_map(Node::children)
        .filter(|n| n.kind() != NodeKind::Error)
}

impl<'t> Function<'t> {
    /// [`Directive::Export`] or [`Directive::Import`].
    pub fn linkage(self) -> Option<Directive> {
        linkage(self.0)
    }
    /// The result's type, or the word `void`.
    pub fn return_type(self) -> Option<TokenRef<'t>> {
        type_name(self.0)
    }
    /// `@name`
    pub fn name(self) -> Option<TokenRef<'t>> {
        own_token(self.0, TokenKind::GlobalName)
    }
    /// [`FunctionParameter`] nodes, and [`KernelParameter`] nodes that do not belong here.
    pub fn parameters(self) -> impl Iterator<Item = Node<'t>> {
        parameters(self.0)
    }
    /// The body, none for a declaration.
    pub fn body(self) -> Option<Node<'t>> {
        self.0.child(NodeKind::Body)
    }
}

impl<'t> KernelParameter<'t> {
    /// The number in `[ ]`, in bytes.
    pub fn size(self) -> Option<TokenRef<'t>> {
        size(self.0)
    }
    /// `.align`, `.addrspace`, `.ptr_align` in the order of the text.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> {
        attributes(self.0)
    }
    /// `%name`
    pub fn name(self) -> Option<TokenRef<'t>> {
        own_token(self.0, TokenKind::LocalName)
    }
}

impl<'t> FunctionParameter<'t> {
    /// Whether `.reg` is written; without it this is the departure F-02.
    pub fn has_reg(self) -> bool {
        self.0.own_tokens().any(|t| t.text() == ".reg")
    }
    /// The type.
    pub fn type_name(self) -> Option<TokenRef<'t>> {
        type_name(self.0)
    }
    /// `%name`; imported functions may leave it out (F-04).
    pub fn name(self) -> Option<TokenRef<'t>> {
        own_token(self.0, TokenKind::LocalName)
    }
}

impl<'t> Registers<'t> {
    /// Declared by `.pred`.
    pub fn is_predicate(self) -> bool {
        self.0.own_tokens().next().is_some_and(|t| t.text() == ".pred")
    }
    /// The type; none for predicates.
    pub fn type_name(self) -> Option<TokenRef<'t>> {
        type_name(self.0)
    }
    /// The names in order.
    pub fn names(self) -> impl Iterator<Item = RegisterName<'t>> {
        self.0.children().filter_map(RegisterName::cast)
    }
}

impl<'t> RegisterName<'t> {
    /// `%name`
    pub fn name(self) -> Option<TokenRef<'t>> {
        own_token(self.0, TokenKind::LocalName)
    }
    /// First index and end of a range, the end excluded (G-08).
    pub fn range(self) -> Option<(TokenRef<'t>, TokenRef<'t>)> {
        let mut indices = self.0.own_tokens().filter(|t| t.kind() == TokenKind::Integer);
        Some((indices.next()?, indices.next()?))
    }
}

impl<'t> Label<'t> {
    /// The name.
    pub fn name(self) -> Option<TokenRef<'t>> {
        own_token(self.0, TokenKind::Word)
    }
}

impl<'t> Instruction<'t> {
    /// Opcode and qualifiers as written.
    pub fn mnemonic(self) -> Option<TokenRef<'t>> {
        self.0.child(NodeKind::Mnemonic)?.token(TokenKind::Word)
    }
    /// The operands in order; the arguments of a call are the last one.
    pub fn operands(self) -> impl Iterator<Item = Operand<'t>> {
        self.0.children().filter_map(Operand::of)
    }
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'t> {
    /// `%name`, swizzle included (G-06).
    Register(TokenRef<'t>),
    /// `!%name`; the token is the name.
    Negated(TokenRef<'t>),
    /// A literal.
    Number(Number<'t>),
    /// `[…]`
    Address(AddressOperand<'t>),
    /// `@name`
    Symbol(TokenRef<'t>),
    /// A label or `void`.
    Word(TokenRef<'t>),
    /// `(…)` of a call.
    Arguments(ArgumentList<'t>),
}

impl<'t> Operand<'t> {
    /// The operand that a node is; none for other nodes and for operands with a fault.
    pub fn of(node: Node<'t>) -> Option<Operand<'t>> {
        Some(match node.kind() {
            NodeKind::RegisterOperand => Operand::Register(own_token(node, TokenKind::LocalName)?),
            NodeKind::NegatedOperand => Operand::Negated(own_token(node, TokenKind::LocalName)?),
            NodeKind::NumberOperand => Operand::Number(Number::of(node)?),
            NodeKind::AddressOperand => Operand::Address(AddressOperand(node)),
            NodeKind::SymbolOperand => Operand::Symbol(own_token(node, TokenKind::GlobalName)?),
            NodeKind::WordOperand => Operand::Word(own_token(node, TokenKind::Word)?),
            NodeKind::ArgumentList => Operand::Arguments(ArgumentList(node)),
            _ => return None,
        })
    }
}

impl<'t> AddressOperand<'t> {
    /// Register, Symbol or Number.
    pub fn base(self) -> Option<Operand<'t>> {
        self.0.children().next().and_then(Operand::of)
    }
    /// The sign between base and offset: `true` for `-` (M-12).
    pub fn is_subtracted(self) -> bool {
        self.0.own_tokens().any(|t| t.kind() == TokenKind::Minus)
    }
    /// The offset with a sign of its own, that between base and offset not included.
    pub fn offset(self) -> Option<Operand<'t>> {
        self.0.children().nth(1).and_then(Operand::of)
    }
}

impl<'t> ArgumentList<'t> {
    /// The registers.
    pub fn registers(self) -> impl Iterator<Item = TokenRef<'t>> {
        let name = |n: Node<'t>| own_token(n, TokenKind::LocalName);
        self.0.children().filter(|n| n.kind() == NodeKind::RegisterOperand).filter_map(name)
    }
}
