//! The kernels: how long an executed 32-lane instruction takes against the machine's own 32-lane integer addition.

use crate::ROUNDS;
use pisa_diag::Sources;
use pisa_machine::{Argument, Directory, Engine, Extent, Image, LaunchSpec, Memory, Prepared};
use pisa_module::{Options, Program, link, lower};
use pisa_vector::{Level, VectorEngine, limit};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

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

/// A kernel with its launch.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) image: Image,
    pub(crate) memory: Memory,
    pub(crate) prepared: Prepared,
}

/// All of them on so many threads.
pub(crate) fn cases(threads: usize) -> Vec<Case> {
    let shapes = program(include_str!("kernels.pisa"));
    let straight = program(&straight_line());
    let cases: [(&'static str, &Arc<Program>, u64, &[&str]); 5] = [
        ("straight", &straight, 1 << 16, &["out=uninit:u32:65536"]),
        ("reduce", &shapes, 1 << 20, &["in=rand:u32:16777216", "out=zeros:u32:1"]),
        ("scan", &shapes, 1 << 22, &["in=rand:u32:4194304", "out=uninit:u32:4194304"]),
        ("butterfly", &shapes, 1 << 20, &["in=rand:u32:1048576", "out=uninit:u32:1048576"]),
        ("collatz", &shapes, 1 << 20, &["out=uninit:u32:1048576"]),
    ];
    let case = |(name, program, items, arguments): (&'static str, &Arc<Program>, u64, &[&str])| {
        let mut memory = Memory::default();
        let image = Image::load(Arc::clone(program), &mut memory).unwrap_or_else(|e| panic!("{e:?}"));
        let mut spec = LaunchSpec::new(Extent::new(&[items]).expect("one dimension"));
        spec.kernel = Some(name.into());
        spec.local = Extent::new(&[256]);
        spec.threads = threads;
        spec.arguments = arguments.iter().map(|a| Argument::parse_named(a).expect("a value")).collect();
        let prepared =
            spec.prepare(&image, &mut memory, &Directory::default()).unwrap_or_else(|e| panic!("{e:?}"));
        Case { name, image, memory, prepared }
    };
    cases.into_iter().map(case).collect()
}

/// Prints the table.
pub(crate) fn kernels(level: Level, cores: usize) {
    println!(
        "\n{:<10} {:>9} {:>12} {:>8} {:>10} {:>8}",
        "kernel", "ms", "instructions", "lanes", "ns/instr", "x add"
    );
    for Case { name, image, memory, prepared } in cases(cores) {
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
