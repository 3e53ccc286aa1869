//! The readable text of the IR: [`print()`] writes it, [`parse()`] reads it.
//!
//! Declarations are those of PISA text; the code of a function is blocks of lines:
//!
//! ```text
//! .version 0.1;
//! .target 100;
//!
//! .kernel @sum(.param[8] %in, .param[8] %out) {
//! entry:
//!   %p: 64b = ld.param.64b [%in]
//!   %a: 32b = ld.global.32b [%p + 4]
//!   %s: 32b = reduce.sum.i32 %a, mask 0xffffffff, keep dead, in entry, inactive own
//!   %more: pred = scmp.ne.32b %s, 0
//!   branch %more, loop(%s), done
//! loop(%t: 32b):
//!   barrier.workgroup in loop, as #1
//!   %m: 32b = activemask in after #1, inactive own
//!   goto done
//! done:
//!   return
//! }
//! ```
//!
//! * A **value** is `%name` where its name is the only one in its function, else `%name.7` or `%7` with its number. Results
//!   have their types behind them: `32b`, `v4.16b`, `pred`.
//! * A **constant** has the type that its place asks for, or the one behind it: `5: 64b`.
//! * A **special register** is `%laneid`, a kernel parameter `[%in + 4]`, a variable or function `@name`.
//! * **Table operations** have the mnemonic of the specification and read operands only; what a destination keeps of its old
//!   value is `keep %old`.
//! * **Cross-lane operations** name their operands: data, `index`, `mask`, `keep` (the pass-through, `dead` where nobody looks
//!   at it), the active set they run under (`in block`, or `in after #1` behind the instruction that is marked `as #1`), and what they
//!   read from a lane that does not take part (`inactive own` or `inactive undefined`).
//! * A block ends with `goto block(arguments)`, `branch %p, block, block`, `return %v`, or `return %v if %p, else block`.
//!
//! Places in a source are not part of the text.

mod names;
mod parse;
mod print;
mod same;
#[cfg(test)]
mod tests;
pub(crate) mod words;

pub(crate) use names::Names;
pub use parse::{Parsed, parse, parse_and_verify};
pub use print::{Numbering, print, print_function};
pub(crate) use print::{instruction_text, operand_text};
pub use same::same;
