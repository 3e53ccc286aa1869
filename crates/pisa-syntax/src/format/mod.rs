//! One canonical layout.
//!
//! One statement a line, two blanks a level, labels at the column of the brace around them, one blank between a mnemonic
//! and its operands and after commas. Comments stay where they are: behind a statement or on a line of their own.
//! Only blanks and line ends change, never another token.

mod gap;
mod spacing;

use crate::tree::RawNode;
use crate::{NodeKind, TokenKind, Tree};
use gap::Gap;
use spacing::Break;

/// Columns that an initialiser fills before it is wrapped.
const WIDTH: usize = 100;
/// Columns of one level.
const STEP: usize = 2;
/// Columns that the second line of a statement is further in.
const CONTINUATION: usize = 4;
/// Levels beyond this one are not indented further; otherwise the result could be the square of the text.
const DEEPEST: usize = 40;

/// The text in the canonical layout.
///
/// Formatting the result again changes nothing, for a tree without errors. What stands in Error nodes keeps its text.
///
/// ```
/// let text = ".version 0.1;.target 100;\n\n\n.kernel @k( ){return ;}";
/// let tree = pisa_syntax::parse(pisa_diag::FileId(0), text.into());
/// assert_eq!(pisa_syntax::format(&tree), ".version 0.1;\n.target 100;\n\n.kernel @k() {\n  return;\n}\n");
/// ```
pub fn format(tree: &Tree) -> String {
    let mut formatter = Formatter {
        tree,
        out: String::with_capacity(tree.text().len() + tree.text().len() / 8),
        line_start: 0,
        stack: Vec::new(),
        next_node: 0,
        depth: 0,
        statement_indent: 0,
        previous: None,
        before_item: Item::None,
        header_pair: false,
        wrapped: false,
        after_error: false,
    };
    formatter.run();
    formatter.out
}

/// What stood before an item of the module, or stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    None,
    Header,
    /// A kernel or function with a body.
    Body,
    Other,
}

struct Formatter<'t> {
    tree: &'t Tree,
    out: String,
    /// Where the last line of `out` begins.
    line_start: usize,
    /// The nodes around the current token, innermost last.
    stack: Vec<u32>,
    /// The first node that was not looked at.
    next_node: usize,
    /// Bodies and scopes around the current token.
    depth: usize,
    /// Columns before the first token of the statement.
    statement_indent: usize,
    /// Index and innermost node of the last token that is not trivia.
    previous: Option<(usize, NodeKind)>,
    before_item: Item,
    /// The statement that begins here and the one before are both of the header: no blank line between.
    header_pair: bool,
    /// The initialiser or parameter list around the current token is wrapped.
    wrapped: bool,
    /// An Error node ended right before the current token.
    after_error: bool,
}

impl<'t> Formatter<'t> {
    fn run(&mut self) {
        let count = self.tree.tokens.len();
        let mut gap_start = 0;
        for index in 0..count {
            let kind = self.tree.tokens[index].kind;
            if kind.is_trivia() {
                continue;
            }
            self.leave(index);
            let first_new = self.stack.len();
            self.enter(index);
            let how = self.decide(index, first_new);
            let gap = Gap::of(self.tree, gap_start, index);
            self.separate(how, &gap, index, gap_start);
            self.out.push_str(self.text(index));
            gap_start = index + 1;
            self.previous = Some((index, self.owner()));
            self.after_token(index);
        }
        let gap = Gap::of(self.tree, gap_start, count);
        self.lines_of(&gap, 0, false);
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn text(&self, index: usize) -> &'t str {
        let start = if index == 0 { 0 } else { self.tree.tokens[index - 1].end as usize };
        &self.tree.text()[start..self.tree.tokens[index].end as usize]
    }

    fn node(&self, index: u32) -> &'t RawNode {
        &self.tree.nodes[index as usize]
    }

    fn owner(&self) -> NodeKind {
        self.stack.last().map_or(NodeKind::Module, |&n| self.node(n).kind)
    }

    /// Leaves the nodes that end before this token.
    fn leave(&mut self, token: usize) {
        self.after_error = false;
        while let Some(&innermost) = self.stack.last() {
            let node = self.node(innermost);
            if node.end_token as usize > token {
                break;
            }
            match node.kind {
                NodeKind::Body | NodeKind::Scope => self.depth -= 1,
                NodeKind::Error => self.after_error = true,
                NodeKind::Initializer | NodeKind::ParameterList => self.wrapped = false,
                _ => {}
            }
            self.stack.pop();
        }
    }

    /// Enters the nodes that begin at this token; those without tokens are passed over.
    fn enter(&mut self, token: usize) {
        while let Some(node) = self.tree.nodes.get(self.next_node) {
            if node.first_token == node.end_token {
                self.next_node += 1;
                continue;
            }
            if node.first_token as usize > token {
                break;
            }
            self.stack.push(self.next_node as u32);
            self.next_node += 1;
        }
    }

    fn indent(depth: usize) -> usize {
        depth.min(DEEPEST) * STEP
    }

    /// How the current token is separated from the one before.
    fn decide(&mut self, index: usize, first_new: usize) -> Break {
        let kind = self.tree.tokens[index].kind;
        let mut starts_error = false;
        self.header_pair = false;
        for position in first_new..self.stack.len() {
            let node = self.node(self.stack[position]);
            let parent = position.checked_sub(1).map(|p| self.node(self.stack[p]).kind);
            if let Some(item) = self.statement(node, self.stack[position], parent) {
                // Blocks that begin with this token without a brace of their own count already.
                self.count_blocks(first_new, position);
                let depth = self.depth.saturating_sub(usize::from(node.kind == NodeKind::Label));
                self.statement_indent = Self::indent(depth);
                let forced = self.depth == 0 && self.forces_blank_line(item);
                self.count_blocks(position, self.stack.len());
                if parent == Some(NodeKind::Module) {
                    self.header_pair = (self.before_item, item) == (Item::Header, Item::Header);
                    self.before_item = item;
                }
                return Break::Line { indent: self.statement_indent, forced };
            }
            starts_error |= node.kind == NodeKind::Error;
        }
        self.count_blocks(first_new, self.stack.len());
        let owner = self.owner();
        if starts_error || (self.after_error && owner != NodeKind::Error) {
            return Break::Keep;
        }
        if owner == NodeKind::Error {
            return Break::Verbatim;
        }
        match (kind, owner) {
            (TokenKind::RightBrace, NodeKind::Body | NodeKind::Scope) => {
                self.statement_indent = Self::indent(self.depth.saturating_sub(1));
                Break::Line { indent: self.statement_indent, forced: false }
            }
            (TokenKind::LeftBrace, NodeKind::Body) => Break::Brace,
            _ => self.within(index, kind, owner, first_new),
        }
    }

    fn count_blocks(&mut self, from: usize, end: usize) {
        let is_block = |&&n: &&u32| matches!(self.node(n).kind, NodeKind::Body | NodeKind::Scope);
        self.depth += self.stack[from..end].iter().filter(is_block).count();
    }

    /// Whether a node is a statement, that is, stands on a line of its own.
    fn statement(&self, node: &RawNode, index: u32, parent: Option<NodeKind>) -> Option<Item> {
        let in_block = matches!(parent, Some(NodeKind::Module | NodeKind::Body | NodeKind::Scope));
        if !in_block {
            return None;
        }
        let children = || {
            let mut next = index + 1;
            std::iter::from_fn(move || {
                (next < node.end_node).then(|| {
                    let child = self.node(next);
                    next = child.end_node;
                    child.kind
                })
            })
        };
        match node.kind {
            NodeKind::Version | NodeKind::Target => Some(Item::Header),
            NodeKind::Kernel | NodeKind::Function if children().any(|k| k == NodeKind::Body) => {
                Some(Item::Body)
            }
            _ => Some(Item::Other),
        }
    }

    fn forces_blank_line(&self, item: Item) -> bool {
        match (self.before_item, item) {
            (Item::None, _) | (Item::Header, Item::Header) => false,
            (Item::Header | Item::Body, _) | (_, Item::Body) => true,
            _ => false,
        }
    }

    /// Within a statement.
    fn within(&mut self, index: usize, kind: TokenKind, owner: NodeKind, first_new: usize) -> Break {
        match (kind, owner) {
            (TokenKind::RightBrace, NodeKind::Initializer)
            | (TokenKind::RightParen, NodeKind::ParameterList)
                if self.wrapped =>
            {
                return Break::Line { indent: self.statement_indent, forced: false };
            }
            _ => {}
        }
        let starts_parameter = self.stack[first_new..]
            .iter()
            .any(|&n| matches!(self.node(n).kind, NodeKind::KernelParameter | NodeKind::FunctionParameter));
        if starts_parameter && self.wrapped {
            return Break::Line { indent: self.statement_indent + CONTINUATION, forced: false };
        }
        let starts_element =
            self.stack[first_new..].iter().any(|&n| self.node(n).kind == NodeKind::InitializerElement);
        if starts_element && self.wrapped {
            let node =
                self.stack[first_new..].iter().find(|&&n| self.node(n).kind == NodeKind::InitializerElement);
            let width = node.map_or(0, |&n| spacing::width_of_element(self.tree, self.node(n)));
            return Break::Fill { indent: self.statement_indent + STEP, width };
        }
        spacing::between(self.previous, self.tree, index, owner)
    }

    fn column(&self) -> usize {
        self.out.len() - self.line_start
    }

    fn newline(&mut self, indent: usize) {
        self.out.push('\n');
        self.line_start = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Whether an initialiser or a parameter list has to be wrapped; asked at its first token.
    fn after_token(&mut self, index: usize) {
        let kind = self.tree.tokens[index].kind;
        if !matches!(kind, TokenKind::LeftBrace | TokenKind::LeftParen) {
            return;
        }
        let Some(&innermost) = self.stack.last() else { return };
        let node = self.node(innermost);
        let rest = WIDTH.saturating_sub(self.column());
        match (kind, node.kind) {
            (TokenKind::LeftBrace, NodeKind::Initializer) => {
                self.wrapped = spacing::is_wider(self.tree, node, innermost, rest);
            }
            (TokenKind::LeftParen, NodeKind::ParameterList) => {
                self.wrapped = spacing::parameters_are_wider(self.tree, node, rest);
            }
            _ => {}
        }
    }

    /// Writes what stands between the last token and this one.
    fn separate(&mut self, how: Break, gap: &Gap<'t>, index: usize, gap_start: usize) {
        let is_first = self.out.is_empty();
        match how {
            Break::Line { indent, forced } => {
                let kind = self.tree.tokens[index].kind;
                let closes = matches!(kind, TokenKind::RightBrace | TokenKind::RightParen);
                let own_line = match kind {
                    TokenKind::RightBrace => indent + STEP,
                    TokenKind::RightParen => indent + CONTINUATION,
                    _ => indent,
                };
                self.lines_of(gap, own_line, forced);
                if self.out.is_empty() {
                    return self.out.extend(std::iter::repeat_n(' ', indent));
                }
                let after_brace = self.follows_brace() && gap.comments.is_empty();
                let header_pair = self.header_pair && gap.comments.is_empty();
                let blank = gap.blank_at_end && !closes && !after_brace && !header_pair && !self.wrapped;
                let forced_here = forced && !gap.has_blank_line() && gap.own_line_comments() == 0;
                if blank || forced_here {
                    self.newline(0);
                }
                self.newline(indent);
            }
            Break::Verbatim if !is_first => {
                let before = self.out.len();
                for trivia in gap_start..index {
                    self.out.push_str(self.text(trivia));
                }
                if let Some(line_end) = self.out[before..].rfind('\n') {
                    self.line_start = before + line_end + 1;
                }
            }
            _ if gap.comments.is_empty() && !self.previous_needs_line() => self.same_line(how, gap, index),
            Break::Brace => self.broken(gap, self.statement_indent),
            Break::Fill { indent, .. } => self.broken(gap, indent),
            _ => self.broken(gap, self.statement_indent + if self.wrapped { STEP } else { CONTINUATION }),
        }
    }

    fn same_line(&mut self, how: Break, gap: &Gap<'t>, index: usize) {
        let blank = match how {
            Break::Glue => self.would_merge(index),
            Break::Keep => gap.exists || self.would_merge(index),
            Break::Fill { indent, width } => {
                if self.column() + 1 + width + 1 > WIDTH || self.follows_brace() {
                    return self.newline(indent);
                }
                true
            }
            _ => true,
        };
        if blank && !self.out.is_empty() {
            self.out.push(' ');
        }
    }

    /// A statement that goes on in the next line, after a comment in its middle.
    fn broken(&mut self, gap: &Gap<'t>, indent: usize) {
        for (i, comment) in gap.comments.iter().enumerate() {
            if i == 0 && comment.trailing && !self.out.is_empty() {
                self.out.push_str("  ");
            } else if !self.out.is_empty() {
                self.newline(indent);
            }
            self.out.push_str(comment.text);
        }
        self.newline(indent);
    }

    /// The comments of a gap between two statements: the one behind the last token, then those on lines of their own.
    fn lines_of(&mut self, gap: &Gap<'t>, indent: usize, forced: bool) {
        let mut force = forced && !gap.has_blank_line();
        let mut first_line = true;
        for (i, comment) in gap.comments.iter().enumerate() {
            if i == 0 && comment.trailing && !self.out.is_empty() {
                self.out.push_str("  ");
                self.out.push_str(comment.text);
                continue;
            }
            if self.out.is_empty() {
                self.out.extend(std::iter::repeat_n(' ', indent));
            } else {
                let opens = first_line && i == 0 && self.follows_brace();
                if (comment.blank_before && !opens) || force {
                    self.newline(0);
                }
                self.newline(indent);
            }
            (force, first_line) = (false, false);
            self.out.push_str(comment.text);
        }
    }

    fn follows_brace(&self) -> bool {
        self.previous.is_some_and(|(i, _)| self.tree.tokens[i].kind == TokenKind::LeftBrace)
    }

    /// A string without its quote reaches to the end of its line: nothing may follow it there.
    fn previous_needs_line(&self) -> bool {
        self.previous.is_some_and(|(i, _)| {
            let text = self.text(i);
            let quoted = text.strip_prefix('@').unwrap_or(text);
            quoted.starts_with('"') && !crate::literal::is_closed(quoted)
        })
    }

    /// Whether two tokens without a blank between would be read as others.
    fn would_merge(&self, index: usize) -> bool {
        let continues = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '$' | '.' | '_');
        let (before, after) = (self.out.chars().next_back(), self.text(index).chars().next());
        match (before, after) {
            (Some('/'), Some('/' | '*')) => true,
            (Some('@'), Some('"' | '%' | '!')) => true,
            (Some('@' | '%' | '!'), Some(c))
                if self.previous.is_some_and(|(i, _)| self.tree.tokens[i].kind == TokenKind::Unknown) =>
            {
                continues(c)
            }
            (Some(b), Some(a)) => continues(b) && continues(a),
            _ => false,
        }
    }
}
