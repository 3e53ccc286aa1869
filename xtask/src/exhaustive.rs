//! `cargo xtask exhaustive`.

use crate::check::PIECE;
use crate::{checks, record, run};

/// What to check, and how.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    run: run::Common,
    /// The first piece of each check; a piece has 2^24 inputs
    #[arg(long, value_name = "PIECE", default_value_t = 0)]
    from: u64,
    /// The last piece of each check
    #[arg(long, value_name = "PIECE")]
    to: Option<u64>,
    /// Runs nothing; adds the record to docs/float-proof.record and makes the tables of docs/float-proof.md from it
    #[arg(long, requires = "record")]
    document: bool,
}

/// Runs what the options ask for. Whether no result differed.
pub fn run(options: &Options) -> Result<bool, String> {
    let checks = checks::exhaustive();
    if options.run.list {
        run::list(&checks);
        return Ok(true);
    }
    if let (true, Some(path)) = (options.document, &options.run.record) {
        return record::document(path).map(|()| true);
    }
    let chosen = run::chosen(&checks, &options.run)?;
    let end = options.to.map_or(u64::MAX, |to| to.saturating_add(1));
    let jobs = run::jobs(&chosen, |check| options.from..end.min(check.pieces()), &options.run)?;
    run::work(&jobs, PIECE, &options.run)
}
