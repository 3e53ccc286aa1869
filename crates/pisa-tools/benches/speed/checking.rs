//! How fast `check` reads text.

use crate::ROUNDS;
use pisa_diag::Sources;
use pisa_module::{Options, lower};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

/// Text as LLVM's back end lays it out, about `megabytes` of it.
fn compiler_output(megabytes: usize) -> String {
    let mut text = String::with_capacity((megabytes << 20) + 4096);
    text.push_str(".version 0.1;\n.target 100;\n\n");
    let mut function = 0;
    while text.len() < megabytes << 20 {
        let _ = write!(
            text,
            ".export .function .32b @f{function}(.reg .32b %w0, .reg .64b %d0)\n{{\n\t.reg .32b %w<1~40>;\n\t.reg .64b %d<1~7>;\n\t.pred %p0;\n"
        );
        for block in 0..8 {
            let _ = writeln!(text, "LBB{function}_{block}:");
            for i in 1..30 {
                let _ = match i % 6 {
                    0 => writeln!(text, "\tiadd.32b \t%w{}, %w{}, %w{};", i + 1, i, i / 2),
                    1 => writeln!(text, "\tsmad.32b \t%w{}, %w{}, %w{}, %w0;", i + 1, i, i / 2),
                    2 => writeln!(text, "\tld.global.32b\t %w{}, [%d{} + {}];", i + 1, i % 7, i * 4),
                    3 => writeln!(text, "\tfmad.f \t%w{}, %w{}, 0x3F800000, %w{};", i + 1, i, i / 2),
                    4 => writeln!(text, "\tst.global.32b\t [%d{} + 8], %w{};", i % 7, i),
                    _ => writeln!(text, "\tshl.32b \t%w{}, %w{}, {};", i + 1, i, i % 32),
                };
            }
            let _ =
                writeln!(text, "\tucmp.lt.32b \t%p0, %w3, {block};\n\tgoto.cond %p0, LBB{function}_{block};");
        }
        text.push_str("\treturn %w5;\n}                                        // -- End function\n");
        function += 1;
    }
    text
}

/// Prints it.
pub(crate) fn checking() {
    let text = compiler_output(16);
    let megabytes = text.len() as f64 / 1e6;
    let mut sources = Sources::new();
    let file = sources.add("compiler.pisa", text.as_str());
    let shared: Arc<str> = text.as_str().into();
    let mut rounds: Vec<(f64, f64)> = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let tree = pisa_syntax::parse(file, Arc::clone(&shared));
        let parsed = start.elapsed().as_secs_f64();
        let lowered = lower(&tree, &Options::default());
        let checked = start.elapsed().as_secs_f64();
        assert!(lowered.module.is_some(), "{:?}", lowered.diagnostics.first());
        rounds.push((checked, parsed));
    }
    rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (checked, parsed) = rounds[ROUNDS / 2];
    println!(
        "\ncheck: {:.1} MB/s ({:.1} MB/s to a tree), one thread",
        megabytes / checked,
        megabytes / parsed
    );
}
