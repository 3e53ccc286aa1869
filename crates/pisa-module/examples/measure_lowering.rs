//! How fast parsing and lowering are, on text as a compiler prints it: `--release --example measure_lowering [MB]`.
#![allow(clippy::print_stdout)]

use std::fmt::Write;
use std::time::Instant;

fn main() {
    let megabytes: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(50);
    let mut text = String::from(".version 0.1;\n.target 100;\n");
    let mut function = 0;
    while text.len() < megabytes << 20 {
        let _ = write!(
            text,
            ".export .function .32b @f{function}(.reg .32b %w0, .reg .64b %d0)\n{{\n\t.reg .32b %w<1~400>;\n\t.reg .64b %d<1~40>;\n\t.pred %p<0~20>;\n\t.private .align 4 @R0[64];\n"
        );
        for i in 1..199 {
            let _ = write!(
                text,
                "\tiadd.32b \t%w{}, %w{}, 17;\n\tfmad.re.f \t%w{}, %w{}, %w{}, %w0;\n\tld.global.32b\t %w{}, [%d{} + {}];\n\tucmp.lt.32b \t%p{}, %w{}, %localid.x;\n\tst.private.32b\t [@R0 + 4], %w{};\n",
                i,
                i + 1,
                i + 2,
                i,
                i + 1,
                i,
                i % 39 + 1,
                i * 4,
                i % 20,
                i,
                i
            );
            if i % 4 == 0 {
                let _ = write!(text, "\tgoto.cond %p{}, LBB{function}_{i};\nLBB{function}_{i}:\n", i % 20);
            }
        }
        text.push_str("\treturn %w3;\n}\n");
        function += 1;
    }
    let size = text.len() as f64 / 1e6;
    let text: std::sync::Arc<str> = text.into();
    let start = Instant::now();
    let tree = pisa_syntax::parse(pisa_diag::FileId(0), text);
    let parsed = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let lowered = pisa_module::lower(&tree, &pisa_module::Options::default());
    let seconds = start.elapsed().as_secs_f64();
    println!("{size:.0} MB: parse {:.0} MB/s, lower {:.0} MB/s", size / parsed, size / seconds);
    println!("{} diagnostics, module: {}", lowered.diagnostics.len(), lowered.module.is_some());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(peak) = status.lines().find(|l| l.starts_with("VmHWM")) {
        println!("{peak}");
    }
}
