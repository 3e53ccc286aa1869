//! Optimising modules: what `pisa opt` and `-O` do.

mod explain;
mod read;
pub mod verify;

pub use explain::{Explained, explain};
pub use pisa_ir::passes::{Level, Outcome, PASSES, Pass, Remark};
pub use read::{OptInput, is_ir};

use crate::{Failure, Session, Status};
use pisa_ir::passes::{Remarks, optimise as run_level, run_passes};
use pisa_module::Module;

/// What to do with a module.
#[derive(Clone, Debug)]
pub enum Work {
    /// The passes of a level.
    Level(Level),
    /// These passes, once each, in this order.
    Passes(Vec<&'static Pass>),
}

impl Work {
    /// The words of a command line that ask for it: `-O2`, `--passes sinking,dead-code`.
    pub fn words(&self) -> String {
        match self {
            Work::Level(Level::O0) => "-O0".to_owned(),
            Work::Level(Level::O1) => "-O1".to_owned(),
            Work::Level(Level::O2) => "-O2".to_owned(),
            Work::Passes(passes) => {
                let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
                format!("--passes {}", names.join(","))
            }
        }
    }

    /// The passes with these names, with commas between them.
    ///
    /// # Errors
    /// A name that no pass has.
    pub fn passes(text: &str) -> Result<Work, Failure> {
        let named = |name: &str| {
            Pass::named(name).ok_or_else(|| {
                let failure = Failure::usage(format!("there is no pass `{name}`"));
                match pisa_isa::nearest(name, PASSES.iter().map(|pass| pass.name)) {
                    Some(near) => failure.help(format!("did you mean `{near}`?")),
                    None => {
                        let all: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
                        failure.help(format!("passes are {}", all.join(", ")))
                    }
                }
            })
        };
        text.split(',').map(|name| named(name.trim())).collect::<Result<_, _>>().map(Work::Passes)
    }
}

/// A module that went through the optimiser.
#[derive(Clone, Debug)]
pub struct Optimised {
    /// As instructions.
    pub module: Module,
    /// As IR.
    pub ir: pisa_ir::Module,
    /// What became of each cross-lane operation.
    pub remarks: Vec<Remark>,
}

/// Optimises a module in IR, which its verifier has accepted.
///
/// # Errors
/// Where no instructions do what is in it; with [`Status::Bug`] where a pass leaves IR that is not sound.
pub fn optimise_ir(mut ir: pisa_ir::Module, work: &Work) -> Result<Optimised, Failure> {
    let mut remarks = Remarks::new();
    match work {
        Work::Level(level) => run_level(&mut ir, *level, &mut remarks),
        Work::Passes(passes) => {
            run_passes(&mut ir, passes, &mut remarks);
            // What PISA does not have is lowered.
            run_level(&mut ir, Level::O0, &mut Remarks::new());
        }
    }
    if let Some(error) = pisa_ir::verify::verify(&ir).first() {
        let failure = Failure::usage(format!("{} left IR that is not sound", work.words()));
        return Err(failure.detail(error.to_string()).with_status(Status::Bug));
    }
    let module = pisa_ir::export::export(&ir)
        .map_err(|error| Failure::usage(error.to_string()).with_status(Status::Invalid))?;
    Ok(Optimised { module, ir, remarks: remarks.list })
}

/// Optimises a checked module.
///
/// # Errors
/// With [`Status::Bug`] where IR that was made of it is not sound, or has no instructions any more.
pub fn optimise(module: &Module, work: &Work) -> Result<Optimised, Failure> {
    let optimised = optimise_ir(pisa_ir::import::import(module), work);
    // Every checked module has IR, and its IR instructions.
    optimised.map_err(|failure| failure.with_status(Status::Bug))
}

impl Session {
    /// Optimises each of these modules.
    ///
    /// # Errors
    /// As [`optimise`].
    pub fn optimise(&self, modules: &[Module], level: Level) -> Result<Vec<Module>, Failure> {
        let work = Work::Level(level);
        modules.iter().map(|module| optimise(module, &work).map(|optimised| optimised.module)).collect()
    }
}
