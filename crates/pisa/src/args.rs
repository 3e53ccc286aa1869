//! The command line.

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use pisa_tools::machine::ScheduleChoice;
use std::path::PathBuf;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const STATUS: &str = "\
Exit status, the first that applies:
  70  a bug of pisa itself
   2  the command line or the launch is wrong, or a file cannot be read or written
   3  a module is invalid, or modules do not link
   6  out of fuel, deadlock or livelock
   4  a finding (run --san, run --schedule all)
   5  a trap
   1  an expectation or a test failed, a file is not formatted, engines differ (smith), or an optimised function does
      something else (opt --verify)
   0  fine; warnings leave it at 0";

/// The open toolchain for PISA, Intel's Portable ISA.
#[derive(Parser, Debug)]
#[command(name = "pisa", version, styles = STYLES, after_help = STATUS, arg_required_else_help = true)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check modules against every rule of the specification
    Check(CheckArgs),
    /// Rewrite modules in the one canonical layout
    Fmt(FmtArgs),
    /// Run a kernel, or a function on every work-item
    Run(Box<RunArgs>),
    /// Test what the directives in modules say of instructions, launches and diagnostics
    Test(TestArgs),
    /// Make one module of several
    Link(LinkArgs),
    /// Optimise a module, explain what was done, and verify it by running it
    Opt(OptArgs),
    /// Make random valid programs and compare the engines on them
    Smith(SmithArgs),
    /// Show the instruction reference
    Isa(IsaArgs),
    /// Explain a code, with a wrong and a right example
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    #[command(hide = true)]
    Completions(CompletionsArgs),
    /// Print a manual page
    #[command(hide = true)]
    Man(ManArgs),
}

/// How diagnostics are shown.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// How diagnostics are shown
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,
    /// When to colour
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Show at most N errors and N warnings, and count the rest; 0 shows all
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub max_errors: usize,
}

/// What counts as an error.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Levels")]
pub struct LevelArgs {
    /// Make every departure from the letter of the specification an error
    #[arg(long)]
    pub strict: bool,
    /// Do not show warnings and findings with this code; of findings maybe only those in the function NAME, or that speak
    /// of the variable or buffer NAME
    #[arg(long, value_name = "CODE[@NAME]")]
    pub allow: Vec<String>,
    /// Make this code a warning, also where --strict makes it an error
    #[arg(long, value_name = "CODE")]
    pub warn: Vec<String>,
    /// Make this code an error
    #[arg(long, value_name = "CODE")]
    pub deny: Vec<String>,
    /// Read what the specification leaves open as a producer means it: `f2i=rz` rounds a bare f2i toward zero
    #[arg(long, value_enum, value_name = "READING")]
    pub assume: Vec<Assumption>,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// With source lines, for people
    Human,
    /// One line each
    Short,
    /// One JSON object a line
    Json,
    /// One SARIF 2.1.0 log
    Sarif,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// A bare f2i or pf2i rounds toward zero, as LLVM means it
    #[value(name = "f2i=rz")]
    F2iRz,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineName {
    /// The executable specification: one lane after the other, one thread
    Reference,
    /// The fast engine: 32 lanes as arrays, several sub-groups a step
    Vector,
}

/// Reads the name of a schedule, and lists all in help.
fn schedule_parser() -> impl TypedValueParser<Value = ScheduleChoice> {
    PossibleValuesParser::new(ScheduleChoice::ALL.map(ScheduleChoice::name))
        .try_map(|name| name.parse::<ScheduleChoice>())
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Modules; several are linked, too; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    #[command(flatten)]
    pub levels: LevelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Modules to rewrite; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Change nothing; show what would change, and exit with 1 if anything would
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct LinkArgs {
    /// Modules; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Where the module goes; `-` is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub levels: LevelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptimisationLevel {
    /// What PISA does not have is lowered, no more
    #[value(name = "0")]
    O0,
    /// Folding, dead code, equal values, simpler control flow
    #[value(name = "1")]
    O1,
    /// Everything that lowers the count of executed instructions
    #[value(name = "2")]
    O2,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emit {
    /// PISA text
    Pisa,
    /// The text of the IR
    Ir,
}

/// A mask of lanes, in decimal or hexadecimal.
fn parse_mask(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "a mask has 32 bits: a number, or 0x and up to eight digits".to_owned())
}

#[derive(Args, Debug)]
pub struct OptArgs {
    /// A module; one of IR has the extension .pisair; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Where the optimised module goes; `-` is standard output [default: standard output, nowhere with --explain or --verify]
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How much is done
    #[arg(short = 'O', value_enum, default_value = "2", value_name = "LEVEL")]
    pub optimise: OptimisationLevel,
    /// Run these passes instead, once each, in this order
    #[arg(long, value_name = "PASS,…", conflicts_with = "optimise")]
    pub passes: Option<String>,
    /// Say for each cross-lane instruction what was done, or what kept it in place
    #[arg(long)]
    pub explain: bool,
    /// Run every function before and after, on random inputs and masks, and show the first difference
    #[arg(long)]
    pub verify: bool,
    /// With --verify: launches of each function
    #[arg(long, default_value_t = 24, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub launches: u32,
    /// With --verify: where the random numbers begin
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// What the optimised module is written as
    #[arg(long, value_enum, default_value_t = Emit::Pisa, value_name = "WHAT")]
    pub emit: Emit,
    #[command(flatten)]
    pub levels: LevelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestEngineName {
    /// The fast engine
    Vector,
    /// The executable specification
    Reference,
    /// Each of them
    All,
}

const DIRECTIVES: &str = "\
Directives, in comments:
  //! op iadd.32b (1, 2) = 3                 a fact about one instruction
  //! launch KERNEL -g 64 in=iota:u32:64     a launch; then one or more of
  //! expect out = buf:u32:1,2,3             what a buffer holds afterwards
  //! launch KERNEL -g 64 --san mem          a launch under the sanitizer: silent but for
  ld.global.32b %a, [%b];  //~ finding[M0101]  what it finds at this line
  iadd.32b %a, %b, 1;  //~ error[E0203]      a diagnostic of this line
UPDATE_EXPECT=1 in the environment rewrites what does not hold.";

#[derive(Args, Debug)]
#[command(after_help = DIRECTIVES)]
pub struct TestArgs {
    /// Test files, and folders with test files
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// Only tests with this text in `FILE:LINE: EXPECTATION`
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// The engine, or all of them
    #[arg(long, value_enum, default_value_t = TestEngineName::Vector, value_name = "ENGINE")]
    pub engine: TestEngineName,
    /// Optimise the modules of launches first
    #[arg(short = 'O', value_enum, value_name = "LEVEL")]
    pub optimise: Option<OptimisationLevel>,
    /// Turn each expectation into one that must not hold
    #[arg(long)]
    pub mutate: bool,
    /// Print the tests as JSON instead of running them
    #[arg(long)]
    pub emit_json: bool,
}

#[derive(Args, Debug)]
pub struct IsaArgs {
    /// An opcode, a mnemonic, a qualifier with its dot, or a word to look for; all opcodes without it
    #[arg(value_name = "OPCODE|WORD")]
    pub word: Option<String>,
}

const SMITH: &str = "\
Program N is made of the seed N alone. Each is checked strictly, formatted and printed, and run by the reference engine \
and by the vector engine with each set of vector instructions that the host has; all of memory, the way the launch ends \
and the counts of instructions and lanes must be the same. A program on which they differ is made smaller as long as \
they do, and written as smith-N.pisa (smith-N-1.pisa and so on where it has several modules) with its launch \
smith-N.toml, for
  pisa run --launch smith-N.toml --engine reference --print out
The last line says how many passed and failed; the exit status is 1 where one failed.";

#[derive(Args, Debug)]
#[command(after_help = SMITH)]
pub struct SmithArgs {
    /// The first seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// How many programs, one a seed
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub count: u64,
    /// Under which schedule engines are compared; `all` compares under each, `independent` with the program's seed
    #[arg(long, value_parser = schedule_parser(), default_value = "lexical", value_name = "NAME")]
    pub schedule: ScheduleChoice,
    /// Where to write programs on which engines differ
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub out: PathBuf,
    /// Stop after N programs on which engines differ; 0 goes on to the end
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub max_failures: u64,
    /// Try at most N programs to make one on which engines differ smaller; 0 leaves it as it is
    #[arg(long, default_value_t = 4000, value_name = "N")]
    pub shrink: usize,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code such as E0203; all codes without it
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// The subcommand whose page it is; that of pisa itself without it
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

const VALUES: &str = "\
VALUE, what a parameter, buffer or variable gets:
  @FILE.npy  @FILE.bin:TYPE  @FILE.pgm  @FILE.ppm  @FILE.png     a buffer read from a file
  zeros:TYPE:N  fill:TYPE:N:V  iota:TYPE:N  uninit:TYPE:N        a buffer of N elements
  rand:TYPE:N[:SEED]  buf:TYPE:V,V,…                             a buffer of N random ones, of these
  TYPE:V  bytes:HEX  ptr:NAME[+BYTES]  null                      a value
  shared:BYTES                                                   dynamic shared memory
TYPE is one of u8 s8 u16 s16 u32 s32 u64 s64 hf bf f df (also i8 … i64, f16, bf16, f32, f64).
V is decimal, hexadecimal (the bits), a float, nan or inf. TOL is ulp:N, abs:X or rel:X.";

#[derive(Args, Debug)]
#[command(after_help = VALUES)]
pub struct RunArgs {
    /// Modules, linked where there are several (`-` is standard input), and values for parameters, buffers and @variables
    #[arg(value_name = "FILE|NAME=VALUE", required_unless_present = "launch")]
    pub inputs: Vec<String>,
    /// Global size; may come from --launch
    #[arg(short = 'g', long = "global", value_name = "X[,Y[,Z]]")]
    pub global: Option<String>,
    /// Work-group size; else the kernel's .reqd_work_group_size, else min(X, 256),1,1
    #[arg(short = 'l', long = "local", value_name = "X[,Y[,Z]]")]
    pub local: Option<String>,
    /// Global offset
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub offset: Option<String>,
    /// The kernel; not needed where there is one
    #[arg(short = 'k', long = "kernel", value_name = "KERNEL", conflicts_with = "function")]
    pub kernel: Option<String>,
    /// Call this function on every work-item, with its result in the buffer `result`
    #[arg(short = 'f', long = "function", value_name = "FUNCTION")]
    pub function: Option<String>,
    /// With -f: only these lanes of each sub-group call it
    #[arg(long, value_name = "MASK", value_parser = parse_mask, requires = "function")]
    pub active: Option<u32>,
    /// Optimise the modules first: 0 does no more than an import and an export, 2 all
    #[arg(short = 'O', value_enum, value_name = "LEVEL")]
    pub optimise: Option<OptimisationLevel>,
    /// An argument, in order of the parameters; for -f one element a work-item or one for all
    #[arg(short = 'a', long = "argument", value_name = "VALUE", allow_hyphen_values = true)]
    pub arguments: Vec<String>,
    /// Save a buffer or @variable to a file afterwards (.npy, .bin, .pgm, .ppm, .png)
    #[arg(long, value_name = "NAME=@FILE")]
    pub save: Vec<String>,
    /// Print a buffer or @variable, or some elements of it, afterwards; TYPE reads it as another type
    #[arg(long, value_name = "NAME[:TYPE][:FROM..TO]")]
    pub print: Vec<String>,
    /// Compare a buffer or @variable with a value afterwards
    #[arg(long, value_name = "NAME=VALUE[~TOL]")]
    pub expect: Vec<String>,
    /// Read the launch from a file; options given here go first
    #[arg(long, value_name = "FILE.toml")]
    pub launch: Option<String>,
    /// Write the launch to a file that --launch reads
    #[arg(long, value_name = "FILE.toml", conflicts_with = "function")]
    pub emit_launch: Option<String>,
    /// The engine
    #[arg(long, value_enum, default_value_t = EngineName::Vector, value_name = "ENGINE")]
    pub engine: EngineName,
    /// Host threads, all cores by default; 1 runs work-groups in a fixed order
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// 32-lane instructions the launch may execute [default: 100000000000]
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// Which lanes of a sub-group go on after they have parted; `all` compares what comes of each, exit status 4 where
    /// it differs [default: lexical]
    #[arg(long, value_parser = schedule_parser(), value_name = "NAME")]
    pub schedule: Option<ScheduleChoice>,
    /// The seed of `--schedule independent`, the first one of `--schedule all` [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many seeds `--schedule all` tries
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10000))]
    pub seeds: u32,
    /// Look for mistakes while it runs: `all`, or some of mem, init, race, conv, barrier, ub, with commas between
    /// them, and the variants mem=llvm, race=opencl, conv=strict, barrier=strict
    #[arg(long, value_name = "WORDS")]
    pub san: Option<String>,
    /// Do not show the findings that this file names: CODE or CODE@NAME on a line, `# why` behind it
    #[arg(long, value_name = "FILE")]
    pub suppressions: Vec<String>,
    /// Show at most N findings, and count the rest; 0 shows all
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub max_findings: usize,
    /// Make the launch smaller while a finding persists, the first one or the first with this code, and say how to run
    /// it; --emit-launch writes the smaller one
    #[arg(
        long,
        value_name = "CODE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "function"
    )]
    pub shrink: Option<String>,
    /// Count instructions, active lanes and time
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub levels: LevelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}
