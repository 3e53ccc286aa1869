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
const LAUNCH: u64 = 1 << 18;
/// Work-items of a work-group.
const GROUP: u32 = 256;

/// The levels, from the least.
const LEVELS: [Level; 3] = [Level::Plain, Level::Avx2, Level::Avx512];

/// What pisa-float says for a range of inputs: the results as they lie in memory.
type Expected = Box<dyn Fn(Range<u64>) -> Vec<u8> + Sync>;

/// The results of a function, each of `N` bytes.
fn expected<const N: usize>(result: impl Fn(u64) -> u64 + Sync + 'static) -> Expected {
    Box::new(move |range| in_memory::<N>(range, &result))
}

/// The low `N` bytes of what a function makes of each number.
#[inline(always)]
fn in_memory<const N: usize>(range: Range<u64>, number: impl Fn(u64) -> u64) -> Vec<u8> {
    let mut bytes = vec![0; (range.end - range.start) as usize * N];
    for (to, input) in bytes.as_chunks_mut::<N>().0.iter_mut().zip(range) {
        to.copy_from_slice(&number(input).to_le_bytes()[..N]);
    }
    bytes
}

/// An instruction with one source.
struct Operation {
    mnemonic: String,
    /// Widths of destination and source in bits.
    widths: [u32; 2],
    expected: Expected,
}

/// The checks.
pub fn checks() -> Vec<Check> {
    let mut operations = elementary::<Hf>();
    operations.extend(elementary::<Bf>());
    operations.extend(elementary::<F>());
    operations.extend(conversions());
    operations.into_iter().map(check).collect()
}

/// An instruction whose result is of format `D` and whose source of `S`.
fn operation<D: Format, S: Format>(
    mnemonic: String,
    result: impl Fn(S::Bits) -> D::Bits + Sync + 'static,
) -> Operation {
    let result = move |bits| result(S::from_u64(bits)).to_u64();
    let expected = match D::WIDTH {
        16 => expected::<2>(result),
        32 => expected::<4>(result),
        _ => expected::<8>(result),
    };
    Operation { mnemonic, widths: [D::WIDTH, S::WIDTH], expected }
}

fn elementary<T: Elementary>() -> Vec<Operation> {
    let mut operations = Vec::new();
    for ftz in [false, true] {
        let mode = Mode { ftz, ..Mode::default() };
        let name =
            |name: &str| format!("{}.{}", name.replace(".ftz", if ftz { ".ftz" } else { "" }), T::NAME);
        operations.extend([
            operation::<T, T>(name("fabs.ftz"), move |a| pisa_float::abs::<T>(a, ftz)),
            operation::<T, T>(name("fneg.ftz"), move |a| pisa_float::neg::<T>(a, ftz)),
            operation::<T, T>(name("fsqrt.ftz.fast"), move |a| pisa_float::sqrt::<T>(a, mode)),
            operation::<T, T>(name("frcp.ftz"), move |a| pisa_float::rcp::<T>(a, ftz)),
            operation::<T, T>(name("frsqrt.ftz.fast"), move |a| pisa_float::rsqrt::<T>(a, ftz)),
            operation::<T, T>(name("fexp2.ftz"), move |a| pisa_float::exp2::<T>(a, ftz)),
            operation::<T, T>(name("flog2.ftz"), move |a| pisa_float::log2::<T>(a, ftz)),
            operation::<T, T>(name("fsin.ftz"), move |a| pisa_float::sin::<T>(a, ftz)),
            operation::<T, T>(name("fcos.ftz"), move |a| pisa_float::cos::<T>(a, ftz)),
            operation::<T, T>(name("ftanh.ftz"), move |a| pisa_float::tanh::<T>(a, ftz)),
            operation::<T, T>(name("frnd.re.ftz"), move |a| {
                pisa_float::round_to_integral::<T>(a, Rounding::NearestEven, ftz)
            }),
        ]);
        if T::WIDTH == F::WIDTH {
            operations.push(operation::<T, T>(name("fsqrt.ftz"), move |a| pisa_float::sqrt::<T>(a, mode)));
        }
    }
    fn to_integer<T: Format, const N: usize>(to: &str, signed: bool) -> Operation {
        let result =
            move |a| pisa_float::to_integer::<T>(T::from_u64(a), 8 * N as u32, signed, Rounding::NearestEven);
        let mnemonic = format!("f2i.{to}.{}.re", T::NAME);
        Operation { mnemonic, widths: [8 * N as u32, T::WIDTH], expected: expected::<N>(result) }
    }
    operations.extend([
        to_integer::<T, 4>("u32", false),
        to_integer::<T, 4>("s32", true),
        to_integer::<T, 1>("u8", false),
        to_integer::<T, 8>("s64", true),
    ]);
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
    fn from_integer<T: Format>(signed: bool) -> Operation {
        // The format that the integer is said to have only gives its width.
        let mnemonic = format!("i2f.{}.{}32", T::NAME, if signed { 's' } else { 'u' });
        operation::<T, F>(mnemonic, move |bits| {
            pisa_float::from_integer::<T>(bits.into(), 32, signed, Rounding::NearestEven, false)
        })
    }
    for signed in [false, true] {
        operations.extend([
            from_integer::<Hf>(signed),
            from_integer::<Bf>(signed),
            from_integer::<F>(signed),
            from_integer::<Df>(signed),
        ]);
    }
    operations
}

fn check(operation: Operation) -> Check {
    let name = format!("vector.{}", operation.mnemonic);
    let inputs = 1 << operation.widths[1];
    let run = move |range: Range<u64>, tally: &mut Tally| {
        if let Err(message) = compare(&operation, range, tally) {
            tally.differences += 1;
            tally.examples.push(message);
        }
    };
    let missing = LEVELS.iter().any(|&level| level > Level::host());
    let missing = missing.then_some("this host lacks some of the vector instructions");
    Check {
        name,
        what: "the vector engine at every level against pisa-float",
        inputs,
        missing,
        run: Box::new(run),
    }
}

/// Runs the instruction for a range of inputs and compares what it stores.
fn compare(operation: &Operation, range: Range<u64>, tally: &mut Tally) -> Result<(), String> {
    let [to, from] = operation.widths;
    let program = Arc::new(program(&text(&operation.mnemonic, to, from))?);
    let mut first = range.start;
    while first < range.end {
        let launched = first..(first + LAUNCH).min(range.end);
        let count = launched.end - first;
        let inputs = match from {
            16 => in_memory::<2>(launched.clone(), |input| input),
            _ => in_memory::<4>(launched.clone(), |input| input),
        };
        let expected = (operation.expected)(launched.clone());
        for level in LEVELS.into_iter().filter(|&level| level <= Level::host()) {
            let outputs = launch(level, &program, &inputs, count, to)?;
            if outputs == expected {
                tally.cases += count;
                continue;
            }
            let size = to as usize / 8;
            for (input, (got, expected)) in
                launched.clone().zip(outputs.chunks_exact(size).zip(expected.chunks_exact(size)))
            {
                let case = || format!("{} 0x{input:x} ({})", operation.mnemonic, level.text());
                tally.compare(number(got), number(expected), case);
            }
        }
        first = launched.end;
    }
    Ok(())
}

/// A number of at most 8 bytes as it lies in memory.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
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
