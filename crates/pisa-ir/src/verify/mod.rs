//! The verifier: what holds of IR at any time, and who breaks it.
//!
//! It refuses everything ill-formed before a pass sees it, and looks at no more than the function and the declarations of its
//! module. What holds:
//!
//! The lists of a function
//!  1. Its layout names blocks that it has, each once. A function has blocks unless it is imported.
//!  2. A block lists instructions that the function has, and no instruction stands twice in the layout.
//!  3. A parameter of a block or result of an instruction is a value that says so of itself, so that a value is defined once.
//!  4. An operand that is a value is one that something in the layout defines; names are in the list of names.
//!  5. Types are those of PISA: a predicate, a scalar of 8 to 128 bits, or a vector of 2 to 64 elements. Constants have at most
//!     128 bits.
//!
//! Flow of control
//!  6. Nothing goes to the entry block.
//!  7. Whatever a block goes to is in the layout.
//!  8. A target has one argument for each parameter of its block, of the same type.
//!  9. What a branch or return depends on is a predicate, negated or not.
//! 10. A function with a result returns a value of that type; kernels and `void` functions return none.
//! 11. The parameters of the entry block are the arguments of the function, and a kernel has none.
//!
//! Operations
//! 12. A table operation is no call, branch or return and no cross-lane instruction (these have operations of their own), and
//!     a `mov` gives a name to a constant or special register.
//! 13. Its qualifiers are those that the form has and that its restrictions allow.
//! 14. There are as many operands as the operation takes.
//! 15. In each place stands what may stand there: a datum, the name of a variable, function or kernel parameter.
//! 16. Operands have the types that the operation asks for.
//! 17. There are as many results as the operation gives, with its types.
//! 18. Only predicates are negated, and only where the instruction table has a negated predicate.
//! 19. `%activemask` is no operand, but the result of an operation.
//! 20. Only a pass-through is dead.
//! 21. Names of variables, functions and kernel parameters are known ones, variables are in the space that the operation
//!     accesses, and a function's own variables are used by nobody else; no kernel is called.
//! 22. Elements that an operation picks out of a vector, or puts into it, are there.
//! 23. The kind of a cross-lane operation fits its element: reductions apply to it, votes and ballots are on predicates.
//! 24. `initial` stands in the entry block.
//!
//! SSA and active sets
//! 25. Every use of a value is dominated by its definition. (In code that nothing reaches every use is.)
//! 26. An instruction has a token of its active set if and only if it is convergent, and it is the token of the place where
//!     the instruction stands.

mod dominance;
mod flow;
mod lists;
mod operands;
mod operations;
mod tokens;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use operations::is_well_formed;

use crate::function::{Block, Function, Instruction, Module, Operand, Value};
use crate::text::{self, Names, Numbering};
use pisa_diag::{Diagnostic, Place, Severity, codes};
use pisa_module::FunctionId;
use std::fmt;

/// Something that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The number of what does not hold, in the list of this module's documentation.
    pub invariant: u8,
    /// The function.
    pub function: FunctionId,
    /// The block, where it is about one.
    pub block: Option<Block>,
    /// The instruction, where it is about one; without it, an error about a block is about its parameters or its end.
    pub instruction: Option<Instruction>,
    /// What is wrong, in the names of the text that [`crate::text::print`] writes.
    pub message: String,
    /// Where, in words: `@sum, block turn: %5: 32b = activemask in entry`.
    pub at: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}", self.message, self.at)
    }
}

impl std::error::Error for VerifyError {}

impl VerifyError {
    /// The place of the instruction, of the end of the block, or of the function, as far as these have one.
    pub fn place(&self, function: &Function) -> Place {
        let instruction = self.instruction.and_then(|id| function.instructions.get(id.index()));
        let block = self.block.and_then(|id| function.blocks.get(id.index()));
        let place = match instruction {
            Some(instruction) => instruction.place,
            None => block.and_then(|block| block.place),
        };
        place.unwrap_or(function.place)
    }

    /// The same as a diagnostic at [`VerifyError::place`].
    pub fn diagnostic(&self, function: &Function) -> Diagnostic {
        Diagnostic::new(codes::ir::ILL_FORMED, Severity::Error, &*self.message, self.place(function))
            .note(format!("in {}", self.at))
    }
}

/// Errors that are told of one function; there are as many as one likes, and nobody reads more.
pub const MOST_ERRORS: usize = 1000;

/// Everything that does not hold in a module, function by function, at most [`MOST_ERRORS`] of each.
pub fn verify(module: &Module) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    for (i, function) in module.functions.iter().enumerate() {
        errors.extend(verify_function(module, FunctionId(i as u32), function));
    }
    errors
}

/// The same of one function; the module says what it calls and which variables there are, and need not hold the function as
/// it is now.
pub fn verify_function(module: &Module, id: FunctionId, function: &Function) -> Vec<VerifyError> {
    let mut checker = Checker { module, function, id, names: None, errors: Vec::new() };
    checker.lists();
    // The rest takes it that every index is in its list.
    if checker.errors.is_empty() {
        checker.flow();
        checker.operations();
        checker.dominance();
        checker.tokens();
    }
    checker.errors
}

/// The check of one function.
struct Checker<'m> {
    module: &'m Module,
    function: &'m Function,
    id: FunctionId,
    /// Made when the first error is told.
    names: Option<Names<'m>>,
    errors: Vec<VerifyError>,
}

impl<'m> Checker<'m> {
    fn names(&mut self) -> &Names<'m> {
        let function = self.function;
        self.names.get_or_insert_with(|| Names::of(function, Numbering::ByText))
    }
    fn value(&mut self, value: Value) -> String {
        self.names().value(value)
    }
    fn block_name(&mut self, block: Block) -> String {
        self.names().block(block)
    }
    fn operand(&mut self, operand: Operand) -> String {
        let (module, function) = (self.module, self.function);
        text::operand_text(module, function, self.names(), operand)
    }

    /// Whether more errors are told.
    fn is_full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    fn report(
        &mut self,
        invariant: u8,
        block: Option<Block>,
        instruction: Option<Instruction>,
        message: impl Into<String>,
    ) {
        if self.is_full() {
            return;
        }
        let (module, function) = (self.module, self.function);
        let mut at = format!("@{}", function.name);
        if let Some(block) = block {
            at.push_str(", block ");
            at.push_str(&self.block_name(block));
        }
        if let Some(instruction) = instruction {
            at.push_str(": ");
            at.push_str(&text::instruction_text(module, function, self.names(), instruction));
        }
        let message = message.into();
        self.errors.push(VerifyError { invariant, function: self.id, block, instruction, message, at });
    }
}
