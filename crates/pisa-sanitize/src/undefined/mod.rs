//! Undefined behaviour of single instructions, and what their text makes of values that are hardly meant (U07xx).

mod calls;
mod floats;
mod integers;
mod rule;

use crate::access::Access;
use crate::check::{Check, Context};
use crate::finding::Findings;
use pisa_machine::{LANES, LaneValues, Step};
use pisa_module::{Function, Instruction};
use rule::Rule;

/// The check of single instructions.
pub(crate) struct UndefinedCheck {
    /// By function and instruction.
    rules: Vec<Vec<Option<Rule>>>,
}

impl UndefinedCheck {
    pub(crate) fn new(context: &Context<'_>) -> UndefinedCheck {
        let functions = context.image.program.functions();
        UndefinedCheck { rules: functions.map(|(_, f)| f.code.iter().map(Rule::of).collect()).collect() }
    }
}

/// An operand of all lanes.
fn read(step: &Step<'_>, operand: usize, element: usize) -> LaneValues {
    let mut values = [0; LANES as usize];
    step.view.read(operand, element, &mut values);
    values
}

/// The active lanes whose value has a property.
#[inline]
fn lanes_where(step: &Step<'_>, values: &LaneValues, has: impl Fn(u64) -> bool) -> u32 {
    let mut set = 0;
    for (lane, &value) in values.iter().enumerate() {
        set |= u32::from(has(value)) << lane;
    }
    set & step.lanes
}

impl Check for UndefinedCheck {
    fn wants(&self, _: &Function, instruction: &Instruction) -> bool {
        Rule::of(instruction).is_some()
    }

    fn before(
        &mut self,
        context: &Context<'_>,
        step: &Step<'_>,
        _: Option<&Access>,
        findings: &mut Findings,
    ) {
        let rule = self.rules.get(step.function.index()).and_then(|rules| rules.get(step.index as usize));
        let Some(Some(rule)) = rule else { return };
        let here = Here { context, step };
        match *rule {
            Rule::Division { signed, width } => here.division(signed, width, findings),
            Rule::Shift { width, packed } => here.shift(width, packed, findings),
            Rule::VectorIndex { elements } => here.vector_index(elements, findings),
            Rule::Call { target } => here.call(target, findings),
            Rule::BareConversion { from, to, elements } => here.bare_conversion(from, to, elements, findings),
            Rule::Truncation { from, to, mode, denormals, overflow, sources } => {
                for source in 1..=sources {
                    if denormals {
                        here.denormals(source, from, to, mode, findings);
                    }
                    if overflow {
                        here.overflow(source, from, to, mode, findings);
                    }
                }
            }
            Rule::IntegerOverflow { from, mode } => here.integer_overflow(from, mode, findings),
            Rule::FirstIndex => here.first_index(findings),
            Rule::CompareAndSwap { format, compared } => here.compare_and_swap(format, compared, findings),
            Rule::Fraction => here.fraction(findings),
            Rule::BitField => here.bit_field(findings),
            Rule::Absolute { width } => here.absolute(width, findings),
        }
    }
}

/// An instruction that is about to be executed.
struct Here<'a, 'b> {
    context: &'a Context<'b>,
    step: &'a Step<'a>,
}

impl Here<'_, '_> {
    /// An operand as the text has it.
    fn name(&self, operand: usize) -> String {
        let program = &self.context.image.program;
        let function = program.function(self.step.function);
        let operand = self.step.instruction.operands.get(operand);
        operand.map_or_else(String::new, |operand| crate::describe::operand_text(program, function, operand))
    }
}
