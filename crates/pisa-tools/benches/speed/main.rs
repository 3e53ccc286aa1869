//! Speed as ratios, measured in one run: how long an executed 32-lane instruction takes against the machine's own 32-lane
//! integer addition, what the sanitizer costs, and how fast `check` reads text.
//!
//! `cargo bench -p pisa-tools` runs all, `cargo bench -p pisa-tools -- kernels` (or `sanitizers`, `checking`) one of them;
//! with `--cores N` the kernels use N threads.
#![allow(clippy::print_stdout)] // A benchmark prints.

mod checking;
mod kernels;
mod sanitizers;

use pisa_vector::Level;

const ROUNDS: usize = 7;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let cores =
        arguments.iter().position(|a| a == "--cores").and_then(|i| arguments.get(i + 1)?.parse().ok());
    let cores: usize = cores.unwrap_or(1);
    let named = |part: &str| arguments.iter().any(|argument| argument == part);
    let one = ["kernels", "sanitizers", "checking"].into_iter().find(|part| named(part));
    let wanted = |part: &str| one.is_none_or(|one| one == part);
    let level = Level::detect();
    println!("vector instructions: {}, threads: {cores}, median of {ROUNDS} rounds", level.text());
    if wanted("kernels") {
        kernels::kernels(level, cores);
    }
    if wanted("sanitizers") {
        sanitizers::sanitizers(level);
    }
    if wanted("checking") {
        checking::checking();
    }
}
