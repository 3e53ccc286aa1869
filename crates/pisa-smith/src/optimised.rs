//! What the optimiser makes of a case has to do the same, bit for bit.

use crate::case::Case;
use crate::compare::{Disagreement, Kind, Ran, differing_memory, guarded, lowered, run, wrong};
use pisa_ir::passes::{Disobedience, Level, PASSES, Pass, Remarks};
use pisa_module::Module;
use pisa_reference::ReferenceEngine;

/// One way to optimise.
#[derive(Clone, Copy, Debug)]
pub enum Variant {
    /// All passes of a level.
    Level(Level),
    /// One pass alone.
    Pass(&'static Pass),
    /// One pass alone that takes the refusal of this number for leave, so that it is wrong: to see that comparisons notice.
    Disobedient(&'static Pass, u32),
}

impl Variant {
    /// Each level, then each pass alone.
    pub fn all() -> Vec<Variant> {
        let levels = [Level::O0, Level::O1, Level::O2].map(Variant::Level);
        levels.into_iter().chain(PASSES.iter().map(Variant::Pass)).collect()
    }

    /// `reference -O2`, `reference --passes sinking`.
    pub fn name(self) -> String {
        match self {
            Variant::Level(Level::O0) => "reference -O0".to_owned(),
            Variant::Level(Level::O1) => "reference -O1".to_owned(),
            Variant::Level(Level::O2) => "reference -O2".to_owned(),
            Variant::Pass(pass) => format!("reference --passes {}", pass.name),
            Variant::Disobedient(pass, number) => format!("{} that disobeys refusal {number}", pass.name),
        }
    }

    /// The module as it comes out of the optimiser, which checks accept.
    ///
    /// # Errors
    /// Where the IR breaks a rule of its own, has no instructions, or these are refused.
    pub fn optimise(self, module: &Module) -> Result<Module, String> {
        let mut ir = pisa_ir::import::import(module);
        let whole = |ir: &pisa_ir::Module, when: &str| match pisa_ir::verify::verify(ir).first() {
            Some(error) => Err(format!("{when} the IR is not sound: {error}")),
            None => Ok(()),
        };
        whole(&ir, "before passes")?;
        match self {
            Variant::Level(level) => pisa_ir::passes::optimise(&mut ir, level, &mut Remarks::new()),
            Variant::Pass(pass) => {
                pisa_ir::passes::run_passes(&mut ir, &[pass], &mut Remarks::new());
                pisa_ir::passes::optimise(&mut ir, Level::O0, &mut Remarks::new());
            }
            Variant::Disobedient(pass, number) => {
                pisa_ir::passes::run_disobedient(&mut ir, &[pass], &mut Disobedience::of(number));
                pisa_ir::passes::optimise(&mut ir, Level::O0, &mut Remarks::new());
            }
        }
        whole(&ir, "behind passes")?;
        let module = pisa_ir::export::export(&ir).map_err(|error| error.to_string())?;
        let (module, _) = lowered(&pisa_module::print(&module))?;
        Ok(module)
    }
}

/// Runs the case on the reference engine, as it is and as it comes out of each variant; what differs, if anything does.
pub fn compare_optimised(case: &Case, variants: &[Variant]) -> Option<Disagreement> {
    let plain = guarded(|| {
        let modules = case.modules.iter().map(|text| lowered(text).map(|(module, _)| module));
        let modules: Vec<Module> =
            modules.collect::<Result<_, _>>().map_err(|message| wrong(Kind::Refused, message))?;
        let ran = run(case, modules.clone(), &ReferenceEngine, "reference")?;
        Ok((modules, ran))
    });
    let (modules, expected) = match plain {
        Ok(plain) => plain,
        Err(found) => return Some(found),
    };
    variants.iter().find_map(|variant| {
        let name = variant.name();
        guarded(|| same(case, &modules, &expected, *variant, &name)).err().map(|found| match found.kind {
            // What panics here is the optimiser.
            Kind::Panic(_) => Disagreement { kind: Kind::Panic(name), ..found },
            _ => found,
        })
    })
}

fn same(
    case: &Case,
    modules: &[Module],
    expected: &Ran,
    variant: Variant,
    name: &str,
) -> Result<(), Disagreement> {
    let optimised = modules.iter().map(|module| variant.optimise(module)).collect::<Result<_, _>>();
    let optimised: Vec<Module> =
        optimised.map_err(|message| wrong(Kind::Refused, format!("{name}: {message}")))?;
    let found = run(case, optimised, &ReferenceEngine, name)?;
    differing_memory("reference", expected, name, &found)
}

impl crate::reconvergence::Program {
    /// The log of the program as it comes out of each variant, on the reference engine, against the oracle.
    pub fn compare_optimised(&self, variants: &[Variant]) -> Option<Disagreement> {
        let case = self.case();
        variants.iter().find_map(|variant| {
            let name = variant.name();
            let log = || {
                let modules = case.modules.iter().map(|text| variant.optimise(&lowered(text)?.0));
                let modules: Vec<Module> = modules
                    .collect::<Result<_, String>>()
                    .map_err(|message| wrong(Kind::Refused, format!("{name}: {message}")))?;
                let ran = run(&case, modules, &ReferenceEngine, &name)?;
                self.check(&ran.memory, &name)
            };
            guarded(log).err()
        })
    }
}
