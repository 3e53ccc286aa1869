//! `cargo xtask random`.

use crate::check::PIECE;
use crate::{checks, run};

/// What to check, and how.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    run: run::Common,
    /// Cases of each check: rounded up to pieces of 2^24 from there on, to 256 below. As many as pieces are listed when left out
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// The first piece of each check, from whose number its cases are made
    #[arg(long, value_name = "PIECE", default_value_t = 0)]
    seed: u64,
}

/// Runs what the options ask for. Whether no result differed.
pub fn run(options: &Options) -> Result<bool, String> {
    let checks = checks::random();
    if options.run.list {
        run::list(&checks);
        return Ok(true);
    }
    let chosen = run::chosen(&checks, &options.run)?;
    let count =
        |check: &crate::check::Check| options.cases.map_or(check.pieces(), |n| n.div_ceil(PIECE).max(1));
    let first = options.seed.min(u64::from(u32::MAX));
    let jobs = run::jobs(&chosen, |check| first..first + count(check), &options.run)?;
    // A piece that is not whole is not recorded.
    let inputs = options.cases.unwrap_or(PIECE).next_multiple_of(256).clamp(256, PIECE);
    run::work(&jobs, inputs, &options.run)
}
