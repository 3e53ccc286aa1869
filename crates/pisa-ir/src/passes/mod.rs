//! Passes: each changes a function so that it computes the same, bit for bit, under `lexical`.
//!
//! A pass finds what would be better elsewhere, or gone; [`crate::legality`] says whether it may. A pass that has been refused says so
//! in a [`Remark`], with the obstacle, if a cross-lane operation stays where it is because of it.

mod addresses;
mod algebra;
mod blocks;
mod dead_code;
mod facts;
mod hoisting;
mod if_conversion;
mod invariants;
mod ladders;
mod remark;
mod rotation;
mod sinking;
mod value_numbering;

pub use facts::Facts;
pub use remark::{Outcome, Remark, Remarks};

use crate::active_sets::Waiting;
use crate::legality::Verdict;
use crate::lower::{NoFacts, lower, needs_lowering};
use crate::{Function, Instruction, Module};

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// What PISA does not have is lowered, no more.
    O0,
    /// Folding, dead code, equal values, simplification of control flow.
    O1,
    /// Everything that lowers the count of executed instructions.
    O2,
}

/// What a pass may look at beside the function.
pub struct Context<'a> {
    /// Which calls may make lanes wait for others.
    pub waiting: &'a Waiting,
    /// What it has to say.
    pub remarks: &'a mut Remarks,
    /// For tests of the checkers: a refusal that is not obeyed.
    pub disobedience: Disobedience,
    /// Whether everything is lowered and has to stay so.
    pub lowered: bool,
}

/// Which refusal of the legality query is taken for leave: none, but in tests that plant a fault so that a checker finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Disobedience {
    /// How many refusals are obeyed before the one that is not; `None` obeys all.
    obeyed: Option<u32>,
    /// Whether the fault was planted.
    pub planted: bool,
}

impl Disobedience {
    /// Takes the refusal of that number, from 0 on, for leave.
    pub fn of(number: u32) -> Disobedience {
        Disobedience { obeyed: Some(number), planted: false }
    }
    fn takes_for_leave(&mut self) -> bool {
        match &mut self.obeyed {
            None => false,
            Some(0) => {
                (self.obeyed, self.planted) = (None, true);
                true
            }
            Some(number) => {
                *number -= 1;
                false
            }
        }
    }
}

impl Context<'_> {
    /// The verdict, as passes have to take it.
    fn obey(&mut self, verdict: Verdict) -> Verdict {
        let refused = verdict.obstacle().is_some();
        if refused && self.disobedience.takes_for_leave() { Verdict::Yes } else { verdict }
    }
    /// The same of a question about blocks.
    fn may(&mut self, allowed: bool) -> bool {
        allowed || self.disobedience.takes_for_leave()
    }
}

/// A pass by its name.
#[derive(Clone, Copy)]
pub struct Pass {
    /// As `--passes` has it.
    pub name: &'static str,
    /// What it does, in half a sentence.
    pub summary: &'static str,
    /// The least level that runs it.
    pub level: Level,
    /// Whether it runs once, when all others have done what they can: what it makes is harder to see through.
    pub last: bool,
    run: fn(&mut Function, &mut Context<'_>) -> bool,
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Pass {
    /// Runs it; whether anything changed.
    pub fn run(&self, function: &mut Function, context: &mut Context<'_>) -> bool {
        if function.layout.is_empty() {
            return false;
        }
        context.remarks.pass = self.name;
        let (before, said) = (context.remarks.before(function), context.remarks.list.len());
        let changed = (self.run)(function, context);
        if changed && !before.is_empty() {
            context.remarks.after(function, &before, said);
        }
        changed
    }
    /// The pass of that name.
    pub fn named(name: &str) -> Option<&'static Pass> {
        PASSES.iter().find(|pass| pass.name == name)
    }
}

/// Every pass, in the order in which a level runs them.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "blocks",
        summary: "removes branches with one way, blocks that nothing reaches, and empty blocks",
        level: Level::O1,
        last: false,
        run: blocks::run,
    },
    Pass {
        name: "fold",
        summary: "computes what has constants for operands, and drops parameters of blocks that are always the same",
        level: Level::O1,
        last: false,
        run: algebra::fold,
    },
    Pass {
        name: "value-numbering",
        summary: "computes equal values once, across blocks whose active sets are equal",
        level: Level::O1,
        last: false,
        run: value_numbering::run,
    },
    Pass {
        name: "algebra",
        summary: "rewrites by the checked rules where that is cheaper",
        level: Level::O1,
        last: false,
        run: algebra::run,
    },
    Pass {
        name: "ladders",
        summary: "makes one reduction of a ladder of shuffles where all lanes are active",
        level: Level::O2,
        last: false,
        run: ladders::run,
    },
    Pass {
        name: "addresses",
        summary: "makes base and offset of an access out of sums",
        level: Level::O1,
        last: false,
        run: addresses::run,
    },
    Pass {
        name: "hoisting",
        summary: "computes once, above, what several blocks compute",
        level: Level::O1,
        last: false,
        run: hoisting::run,
    },
    Pass {
        name: "dead-code",
        summary: "removes what nobody looks at",
        level: Level::O1,
        last: false,
        run: dead_code::run,
    },
    Pass {
        name: "invariants",
        summary: "moves what is the same in every turn out of loops",
        level: Level::O2,
        last: false,
        run: invariants::run,
    },
    Pass {
        name: "if-conversion",
        summary: "runs the arms of short branches in all lanes, masks narrowed to the arm",
        level: Level::O2,
        last: false,
        run: if_conversion::run,
    },
    Pass {
        name: "sinking",
        summary: "moves what one arm needs into that arm",
        level: Level::O2,
        last: false,
        run: sinking::run,
    },
    Pass {
        name: "fusion",
        summary: "fuses operations of which PISA has one for several",
        level: Level::O1,
        last: true,
        run: algebra::fuse,
    },
    Pass {
        name: "rotation",
        summary: "lets loops test at their end, which saves a jump in every turn",
        level: Level::O2,
        last: true,
        run: rotation::run,
    },
];

/// Rounds of all passes at most; each round lets one pass use what another has made.
const ROUNDS: usize = 4;

/// Runs the passes of a level over every function until nothing changes, or [`ROUNDS`] times; then lowers what PISA does not have, and runs
/// them again over what came of it. At [`Level::O0`] it is lowered, no more. What comes out can be exported.
pub fn optimise(module: &mut Module, level: Level, remarks: &mut Remarks) {
    let of_level = |last| PASSES.iter().filter(move |pass| pass.level <= level && pass.last == last);
    let passes: Vec<&Pass> = of_level(false).collect();
    let disobedience = &mut Disobedience::default();
    run_rounds(module, &passes, (ROUNDS, false), remarks, disobedience);
    remarks.finish(module);
    let lowered = lower_all(module, level);
    if lowered {
        // Nobody wrote what was lowered: remarks are about what is in the source.
        run_rounds(module, &passes, (ROUNDS, true), &mut Remarks::new(), disobedience);
        lower_all(module, level);
    }
    let last: Vec<&Pass> = of_level(true).collect();
    run_rounds(module, &last, (1, true), &mut Remarks::new(), disobedience);
}

/// Lowers every function; whether there was anything to do.
fn lower_all(module: &mut Module, level: Level) -> bool {
    let waiting = Waiting::of(module);
    let mut any = false;
    for function in &mut module.functions {
        if !function.all_instructions().any(|(_, i)| needs_lowering(&function.instruction(i).operation)) {
            continue;
        }
        any = true;
        if level == Level::O0 {
            lower(function, &NoFacts);
            continue;
        }
        let sets = Facts::of(function, &waiting).sets;
        let tokens: Vec<_> = function.instructions.iter().map(|data| data.active).collect();
        let is_full = |instruction: Instruction| {
            let token = tokens.get(instruction.index()).copied().flatten();
            token.and_then(|token| sets.section(token)).is_some_and(|section| sets.is_full(section))
        };
        lower(function, &is_full);
    }
    any
}

/// Runs the given passes once, in their order.
pub fn run_passes(module: &mut Module, passes: &[&Pass], remarks: &mut Remarks) {
    run_rounds(module, passes, (1, false), remarks, &mut Disobedience::default());
    remarks.finish(module);
}

/// Runs passes with a fault planted; for tests of the checkers.
#[doc(hidden)]
pub fn run_disobedient(module: &mut Module, passes: &[&Pass], disobedience: &mut Disobedience) {
    run_rounds(module, passes, (1, false), &mut Remarks::new(), disobedience);
}

/// Runs passes in rounds, as often as is said with whether lowering is done.
fn run_rounds(
    module: &mut Module,
    passes: &[&Pass],
    (rounds, lowered): (usize, bool),
    remarks: &mut Remarks,
    disobedience: &mut Disobedience,
) {
    let waiting = Waiting::of(module);
    for function in &mut module.functions {
        for _ in 0..rounds {
            let mut changed = false;
            for pass in passes {
                let mut context =
                    Context { waiting: &waiting, remarks, disobedience: *disobedience, lowered };
                changed |= pass.run(function, &mut context);
                *disobedience = context.disobedience;
            }
            if !changed {
                break;
            }
        }
    }
}
