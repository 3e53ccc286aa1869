//! Speed as ratios, measured in one run: how long an executed 32-lane instruction takes against the machine's own 32-lane
//! integer addition, and how fast `check` reads text.
//!
//! `cargo bench -p pisa-tools` runs all; `cargo bench -p pisa-tools -- --cores N` uses N threads for the kernels.
#![allow(clippy::print_stdout)] // A benchmark prints.

use pisa_diag::Sources;
use pisa_machine::{Argument, Directory, Engine, Extent, Image, LaunchSpec, Memory};
use pisa_module::{Options, Program, link, lower};
use pisa_vector::{Level, VectorEngine, limit};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: usize = 7;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let cores =
        arguments.iter().position(|a| a == "--cores").and_then(|i| arguments.get(i + 1)?.parse().ok());
    let cores: usize = cores.unwrap_or(1);
    let level = Level::detect();
    println!("vector instructions: {}, threads: {cores}, median of {ROUNDS} rounds", level.text());
    kernels(level, cores);
    checking();
}

fn program(text: &str) -> Arc<Program> {
    let mut sources = Sources::new();
    let file = sources.add("speed.pisa", text);
    let tree = pisa_syntax::parse(file, text.into());
    assert!(tree.diagnostics.is_empty(), "{:?}", tree.diagnostics);
    let lowered = lower(&tree, &Options::default());
    let module = lowered.module.unwrap_or_else(|| panic!("{:?}", lowered.diagnostics));
    Arc::new(link(vec![module]).unwrap_or_else(|e| panic!("{e:?}")))
}

/// Straight-line code: 2000 instructions over ten registers, as compilers print them.
fn straight_line() -> String {
    let mut text = String::from(
        ".version 0.1;\n.target 100;\n.kernel @straight(.param[8] %out) {\n  .reg .32b %r<0~10>;\n  .reg .32b %i;\n  .reg .64b %base, %address;\n",
    );
    for r in 0..10 {
        let _ = writeln!(text, "  iadd.32b %r{r}, %laneid, {r};");
    }
    let mut state = 12345u32;
    let mut next = |bound: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 10) % bound
    };
    for _ in 0..2000 {
        let (d, a, b) = (next(10), next(10), next(10));
        let _ = match next(6) {
            0 | 1 => writeln!(text, "  iadd.32b %r{d}, %r{a}, %r{b};"),
            2 => writeln!(text, "  xor.32b %r{d}, %r{a}, %r{b};"),
            3 => writeln!(text, "  isub.32b %r{d}, %r{a}, %r{b};"),
            4 => writeln!(text, "  shl.32b %r{d}, %r{a}, {};", 1 + next(5)),
            _ => writeln!(text, "  or.32b %r{d}, %r{a}, %r{b};"),
        };
    }
    for r in 1..10 {
        let _ = writeln!(text, "  xor.32b %r0, %r0, %r{r};");
    }
    text.push_str("  ld.param.64b %base, [%out];\n  umad.32b %i, %groupid.x, 256, %localid.x;\n");
    text.push_str("  umad.full.32b %address, %i, 4, %base;\n  st.global.32b [%address], %r0;\n}\n");
    text
}

fn kernels(level: Level, cores: usize) {
    let shapes = program(include_str!("speed.pisa"));
    let straight = program(&straight_line());
    let cases: [(&str, &Arc<Program>, u64, Vec<String>); 5] = [
        ("straight", &straight, 1 << 16, vec!["out=uninit:u32:65536".into()]),
        ("reduce", &shapes, 1 << 20, vec!["in=rand:u32:16777216".into(), "out=zeros:u32:1".into()]),
        ("scan", &shapes, 1 << 22, vec!["in=rand:u32:4194304".into(), "out=uninit:u32:4194304".into()]),
        ("butterfly", &shapes, 1 << 20, vec!["in=rand:u32:1048576".into(), "out=uninit:u32:1048576".into()]),
        ("collatz", &shapes, 1 << 20, vec!["out=uninit:u32:1048576".into()]),
    ];
    println!(
        "\n{:<10} {:>9} {:>12} {:>8} {:>10} {:>8}",
        "kernel", "ms", "instructions", "lanes", "ns/instr", "x add"
    );
    for (name, program, items, arguments) in cases {
        let mut memory = Memory::default();
        let image = Image::load(Arc::clone(program), &mut memory).unwrap_or_else(|e| panic!("{e:?}"));
        let mut spec = LaunchSpec::new(Extent::new(&[items]).expect("one dimension"));
        spec.kernel = Some(name.into());
        spec.local = Extent::new(&[256]);
        spec.threads = cores;
        spec.arguments = arguments.iter().map(|a| Argument::parse_named(a).expect("a value")).collect();
        let prepared =
            spec.prepare(&image, &mut memory, &Directory::default()).unwrap_or_else(|e| panic!("{e:?}"));
        let engine = VectorEngine::with_level(level);
        let mut rounds: Vec<(f64, f64, f64)> = Vec::new();
        let mut statistics = Default::default();
        for _ in 0..ROUNDS {
            let add = limit::add_nanoseconds(level);
            let start = Instant::now();
            let outcome = engine.run(&image, &memory, &prepared.launch);
            let seconds = start.elapsed().as_secs_f64();
            assert!(outcome.stop.is_none(), "{:?}", outcome.stop);
            statistics = outcome.statistics;
            let each = seconds * 1e9 / statistics.instructions as f64;
            rounds.push((each / add, each, seconds * 1e3));
        }
        rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ratio, each, milliseconds) = rounds[ROUNDS / 2];
        println!(
            "{name:<10} {milliseconds:>9.2} {:>12} {:>8.1} {each:>10.2} {ratio:>8.1}",
            statistics.instructions,
            statistics.active_lanes as f64 / statistics.instructions as f64
        );
    }
}

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

fn checking() {
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
