//! The vector engine's kernels at each level of vector instructions against pisa-float: to nearest even, unary.

use crate::check::{Check, Tally};
use pisa_diag::FileId;
use pisa_float::{Bf, Bits, Df, Elementary, F, Format, Hf, Mode, Rounding};
use pisa_machine::{Contents, Engine, Image, Launch, Memory};
use pisa_module::{Options, Program};
use pisa_vector::{Level, VectorEngine};
use std::ops::Range;
use std::sync::Arc;

/// Inputs of one launch.
const LAUNCH: u64 = 1 << 20;
/// Work-items of a work-group.
const GROUP: u32 = 256;

/// What pisa-float says.
type Expected = Box<dyn Fn(u64) -> u64 + Sync>;

/// An instruction with one source.
struct Operation {
    mnemonic: String,
    /// Widths of destination and source in bits.
    widths: [u32; 2],
    expected: Expected,
}

/// The checks of each level.
pub fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    for level in [Level::Plain, Level::Avx2, Level::Avx512] {
        let mut operations = elementary::<Hf>();
        operations.extend(elementary::<Bf>());
        operations.extend(elementary::<F>());
        operations.extend(conversions());
        checks.extend(operations.into_iter().map(|operation| check(level, operation)));
    }
    checks
}

fn operation<D: Format, S: Format>(
    mnemonic: String,
    expected: impl Fn(S::Bits) -> D::Bits + Sync + 'static,
) -> Operation {
    let expected = move |bits| expected(S::from_u64(bits)).to_u64();
    Operation { mnemonic, widths: [D::WIDTH, S::WIDTH], expected: Box::new(expected) }
}

fn elementary<T: Elementary>() -> Vec<Operation> {
    let mut operations = Vec::new();
    for ftz in [false, true] {
        let mode = Mode { ftz, ..Mode::default() };
        let mut add = |name: &str, expected: Box<dyn Fn(T::Bits) -> T::Bits + Sync>| {
            let mnemonic = name.replace(".ftz", if ftz { ".ftz" } else { "" });
            operations.push(operation::<T, T>(format!("{mnemonic}.{}", T::NAME), expected));
        };
        add("fabs.ftz", Box::new(move |a| pisa_float::abs::<T>(a, ftz)));
        add("fneg.ftz", Box::new(move |a| pisa_float::neg::<T>(a, ftz)));
        add("fsqrt.ftz.fast", Box::new(move |a| pisa_float::sqrt::<T>(a, mode)));
        if T::WIDTH == F::WIDTH {
            add("fsqrt.ftz", Box::new(move |a| pisa_float::sqrt::<T>(a, mode)));
        }
        add("frcp.ftz", Box::new(move |a| pisa_float::rcp::<T>(a, ftz)));
        add("frsqrt.ftz.fast", Box::new(move |a| pisa_float::rsqrt::<T>(a, ftz)));
        add("fexp2.ftz", Box::new(move |a| pisa_float::exp2::<T>(a, ftz)));
        add("flog2.ftz", Box::new(move |a| pisa_float::log2::<T>(a, ftz)));
        add("fsin.ftz", Box::new(move |a| pisa_float::sin::<T>(a, ftz)));
        add("fcos.ftz", Box::new(move |a| pisa_float::cos::<T>(a, ftz)));
        add("ftanh.ftz", Box::new(move |a| pisa_float::tanh::<T>(a, ftz)));
        let nearest = Rounding::NearestEven;
        add("frnd.re.ftz", Box::new(move |a| pisa_float::round_to_integral::<T>(a, nearest, ftz)));
    }
    for (to, bits, signed) in [("u32", 32, false), ("s32", 32, true), ("u8", 8, false), ("s64", 64, true)] {
        operations.push(Operation {
            mnemonic: format!("f2i.{to}.{}.re", T::NAME),
            widths: [bits, T::WIDTH],
            expected: Box::new(move |a| {
                pisa_float::to_integer::<T>(T::from_u64(a), bits, signed, Rounding::NearestEven)
            }),
        });
    }
    operations
}

fn conversions() -> Vec<Operation> {
    let mut operations = vec![
        operation::<F, F>("frc.f".into(), |a| pisa_float::fract(a, false)),
        operation::<F, F>("frc.ftz.f".into(), |a| pisa_float::fract(a, true)),
        operation::<F, Hf>("fext.f.hf".into(), pisa_float::extend::<Hf, F>),
        operation::<F, Bf>("fext.f.bf".into(), pisa_float::extend::<Bf, F>),
        operation::<Df, F>("fext.df.f".into(), pisa_float::extend::<F, Df>),
    ];
    for (suffix, ftz, dsat) in [("", false, false), (".ftz", true, false), (".dsat", false, true)] {
        let mode = Mode { ftz, dsat, ..Mode::default() };
        let half = move |a| pisa_float::truncate::<F, Hf>(a, mode);
        let brain = move |a| pisa_float::truncate::<F, Bf>(a, mode);
        operations.push(operation::<Hf, F>(format!("ftrunc.hf.f{suffix}"), half));
        operations.push(operation::<Bf, F>(format!("ftrunc.bf.f{suffix}"), brain));
    }
    for (letter, signed) in [('u', false), ('s', true)] {
        let mut add = |name: &str, width, expected: Expected| {
            let mnemonic = format!("i2f.{name}.{letter}32");
            operations.push(Operation { mnemonic, widths: [width, 32], expected });
        };
        add("hf", 16, Box::new(move |a| from_integer::<Hf>(a, signed)));
        add("bf", 16, Box::new(move |a| from_integer::<Bf>(a, signed)));
        add("f", 32, Box::new(move |a| from_integer::<F>(a, signed)));
        add("df", 64, Box::new(move |a| from_integer::<Df>(a, signed)));
    }
    operations
}

fn from_integer<T: Format>(value: u64, signed: bool) -> u64 {
    pisa_float::from_integer::<T>(value, 32, signed, Rounding::NearestEven, false).to_u64()
}

fn check(level: Level, operation: Operation) -> Check {
    let name = format!("vector.{}.{}", level.text(), operation.mnemonic);
    let inputs = 1 << operation.widths[1];
    let run = move |range: Range<u64>, tally: &mut Tally| {
        if let Err(message) = compare(level, &operation, range, tally) {
            tally.differences += 1;
            tally.examples.push(message);
        }
    };
    let missing = (level > Level::host()).then_some("this host lacks the vector instructions");
    Check { name, what: "the vector engine against pisa-float", inputs, missing, run: Box::new(run) }
}

/// Runs the instruction for a range of inputs and compares what it stores.
fn compare(level: Level, operation: &Operation, range: Range<u64>, tally: &mut Tally) -> Result<(), String> {
    let [to, from] = operation.widths;
    let program = Arc::new(program(&text(&operation.mnemonic, to, from))?);
    let mut first = range.start;
    while first < range.end {
        let end = (first + LAUNCH).min(range.end);
        let bytes = from as usize / 8;
        let inputs: Vec<u8> = (first..end).flat_map(|i| i.to_le_bytes().into_iter().take(bytes)).collect();
        let outputs = launch(level, &program, &inputs, end - first, to)?;
        for (index, output) in outputs.chunks_exact(to as usize / 8).enumerate() {
            let input = first + index as u64;
            let mut wide = [0; 8];
            wide[..output.len()].copy_from_slice(output);
            let got = u64::from_le_bytes(wide);
            let case = || format!("{} 0x{input:x} ({})", operation.mnemonic, level.text());
            tally.compare(got, (operation.expected)(input), case);
        }
        first = end;
    }
    Ok(())
}

/// The results of a launch with one work-item an input.
fn launch(
    level: Level,
    program: &Arc<Program>,
    inputs: &[u8],
    count: u64,
    to: u32,
) -> Result<Vec<u8>, String> {
    let mut memory = Memory::with_limit(1 << 28);
    let image = Image::load(Arc::clone(program), &mut memory).map_err(|error| format!("{error:?}"))?;
    let (kernel, _) = program.kernels().next().ok_or("no kernel")?;
    let size = count * u64::from(to / 8);
    let mut buffer = |name: &str, contents: Contents<'_>| {
        memory.allocate_buffer(name, contents, 64).map_err(|error| format!("{error:?}"))
    };
    let source = buffer("in", Contents::Bytes(inputs))?;
    // Not zero, so that what is not stored is seen.
    let target = buffer("out", Contents::Bytes(&vec![0xa5; size as usize]))?;
    let launch = Launch {
        kernel,
        dimensions: 1,
        global: [count, 1, 1],
        local: [GROUP, 1, 1],
        offset: [0; 3],
        arguments: [source.to_le_bytes(), target.to_le_bytes()].concat(),
        shared_size: image.shared_size(),
        shared_blocks: Vec::new(),
        printf_buffer: 0,
        fuel: u64::MAX,
        threads: 1,
        max_call_depth: 16,
        schedule: pisa_machine::Schedule::default(),
    };
    let outcome = VectorEngine::with_level(level).run(&image, &memory, &launch);
    if let Some(stop) = outcome.stop {
        return Err(format!("the launch stopped: {stop:?}"));
    }
    let object = memory.find(target, 1).ok_or("no buffer")?;
    let mut bytes = vec![0; size as usize];
    object.read(0, &mut bytes);
    Ok(bytes)
}

/// A module that loads a value, runs the instruction and stores the result.
fn text(mnemonic: &str, to: u32, from: u32) -> String {
    let shift = |bits: u32| (bits / 8).trailing_zeros();
    format!(
        ".version 0.1;
.target 100;
.kernel @k(.param[8] .addrspace(global) %in, .param[8] .addrspace(global) %out) {{
  .reg .64b %i, %o, %w, %s;
  .reg .32b %g, %n;
  .reg .{from}b %x;
  .reg .{to}b %y;
  ld.param.64b %i, [%in];
  ld.param.64b %o, [%out];
  mov.32b %g, %groupid.x;
  mov.32b %n, %enqueuedlocalsize.x;
  umul.32b %g, %g, %n;
  mov.32b %n, %localid.x;
  iadd.32b %g, %g, %n;
  zext.64b.32b %w, %g;
  shl.64b %s, %w, {};
  iadd.64b %i, %i, %s;
  ld.global.{from}b %x, [%i];
  {mnemonic} %y, %x;
  shl.64b %s, %w, {};
  iadd.64b %o, %o, %s;
  st.global.{to}b [%o], %y;
  return;
}}
",
        shift(from),
        shift(to)
    )
}

fn program(text: &str) -> Result<Program, String> {
    let tree = pisa_syntax::parse(FileId(0), Arc::from(text));
    let lowered = pisa_module::lower(&tree, &Options::default());
    let module = match lowered.module {
        Some(module) if tree.diagnostics.is_empty() => module,
        _ => return Err(format!("{:?} {:?}\n{text}", tree.diagnostics, lowered.diagnostics)),
    };
    pisa_module::link(vec![module]).map_err(|errors| format!("{errors:?}"))
}
