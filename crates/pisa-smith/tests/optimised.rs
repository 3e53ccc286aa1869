//! The optimiser on random programs: whatever it does, the bits stay.

use pisa_ir::passes::Level;
use pisa_smith::{Program, Variant, compare_optimised, reconvergence};

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// `PISA_SMITH_COUNT` programs from `PISA_SMITH_SEED` on, or 100 from 0 on, through every level and every pass alone.
#[test]
fn programs_do_the_same_at_every_level_and_after_every_pass() {
    let first = number("PISA_SMITH_SEED", 0);
    let variants = Variant::all();
    let mut failures = Vec::new();
    for seed in first..first + number("PISA_SMITH_COUNT", 100) {
        if let Some(found) = compare_optimised(&Program::generate(seed).case(), &variants) {
            failures.push(format!("seed {seed}: {found}"));
        }
    }
    let total = failures.len();
    failures.truncate(20);
    assert!(failures.is_empty(), "{total} programs\n{}", failures.join("\n"));
}

/// The same of structured control flow, whose logs an oracle knows: 500 programs at -O1 and -O2, every eighth through the rest, too.
#[test]
fn active_masks_are_what_the_oracle_says_at_every_level_and_after_every_pass() {
    let first = number("PISA_SMITH_SEED", 0);
    let (all, levels) = (Variant::all(), [Level::O1, Level::O2].map(Variant::Level));
    for seed in first..first + number("PISA_SMITH_COUNT", 500) {
        let variants = if seed % 8 == 0 { &all[..] } else { &levels };
        let program = reconvergence::Program::generate(seed);
        if let Some(found) = program.compare_optimised(variants) {
            let (small, found) = program.shrink(found, 2000, |program| program.compare_optimised(variants));
            panic!("seed {seed}: {found}\n{}", small.case().text());
        }
    }
}
