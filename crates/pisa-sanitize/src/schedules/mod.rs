//! `--schedule all`: a launch under every schedule, and the first place whose outcome depends on which (docs/schedules.md).

mod locate;
mod report;
mod trace;
mod written;

pub use written::{LastWriter, last_writer};

use crate::finding::Finding;
use pisa_isa::Opcode;
use pisa_machine::{Image, Launch, Memory, ObservedEngine, Outcome, Schedule};
use pisa_module::{Instruction, Operand, Program, SpecialRegister};
use std::fmt;

/// What came of a launch under all schedules.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The schedules it ran under, until one differed.
    pub schedules: Vec<Schedule>,
    /// Why `lanes` is not among them: the program has this mnemonic.
    pub without_lanes: Option<String>,
    /// How it ended under the lexical one; what that left is in memory.
    pub outcome: Outcome,
    /// Where, and how, the outcome depends on the schedule.
    pub finding: Option<Finding>,
}

impl Comparison {
    /// What a launch that nothing depends on says of itself, one line.
    pub fn text(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        let seeds: Vec<u64> = self.schedules.iter().filter_map(|schedule| schedule.seed()).collect();
        for schedule in &self.schedules {
            if schedule.seed().is_none() {
                names.push(schedule.name().to_owned());
            }
        }
        match seeds[..] {
            [] => {}
            [seed] => names.push(Schedule::Independent(seed).to_string()),
            [first, .., last] => names.push(format!("independent (seeds {first}-{last})")),
        }
        let last = names.pop().unwrap_or_default();
        let mut text = format!("the same under {} and {last}", names.join(", "));
        if let Some(mnemonic) = &self.without_lanes {
            text.push_str(&format!("; `lanes` is left out, as `{mnemonic}` looks at other lanes"));
        }
        text
    }
}

/// The host has no memory for a copy of the launch's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRoom;

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host has too little memory: `--schedule all` keeps two copies of all buffers")
    }
}

impl std::error::Error for NoRoom {}

/// A launch that is run again and again from the same memory.
struct Runs<'a> {
    engine: &'a dyn ObservedEngine,
    image: &'a Image,
    memory: &'a Memory,
    launch: &'a Launch,
    before: Vec<Vec<u8>>,
}

impl Runs<'_> {
    fn launch(&self, schedule: Schedule, fuel: u64) -> Launch {
        Launch { schedule, fuel, threads: 1, ..self.launch.clone() }
    }

    fn contents(memory: &Memory) -> Result<Vec<Vec<u8>>, NoRoom> {
        memory.objects().iter().map(|object| object.bytes().ok_or(NoRoom)).collect()
    }

    fn restore(&self, contents: &[Vec<u8>]) {
        for (object, bytes) in self.memory.objects().iter().zip(contents) {
            object.write(0, bytes);
        }
    }
}

/// A launch has this many instructions for each that it has under the lexical schedule, and some more, before it counts as
/// one that does not end.
const PATIENCE: (u64, u64) = (256, 100_000_000);

/// Runs a launch under all schedules: `independent` with these seeds. Stops at the first that differs.
///
/// # Errors
/// Where the host has no memory for copies of what the launch works on.
pub fn compare(
    engine: &dyn ObservedEngine,
    image: &Image,
    memory: &Memory,
    launch: &Launch,
    seeds: impl Iterator<Item = u64>,
) -> Result<Comparison, NoRoom> {
    let runs = Runs { engine, image, memory, launch, before: Runs::contents(memory)? };
    let outcome = engine.run(image, memory, &runs.launch(Schedule::Lexical, launch.fuel));
    let after = Runs::contents(memory)?;
    let without_lanes = looks_at_lanes(&image.program, launch);
    let mut all = vec![Schedule::Lexical, Schedule::Ipdom];
    all.extend(without_lanes.is_none().then_some(Schedule::Lanes));
    all.extend(seeds.map(Schedule::Independent));
    let fuel = outcome.statistics.instructions.saturating_mul(PATIENCE.0).saturating_add(PATIENCE.1);
    let fuel = fuel.min(launch.fuel);
    let mut comparison = Comparison { schedules: Vec::new(), without_lanes, outcome, finding: None };
    for schedule in all {
        comparison.schedules.push(schedule);
        if schedule == Schedule::Lexical {
            continue;
        }
        runs.restore(&runs.before);
        let other = engine.run(image, memory, &runs.launch(schedule, fuel));
        let ends = |outcome: &Outcome| outcome.stop.as_ref().map(|stop| std::mem::discriminant(&stop.reason));
        if ends(&comparison.outcome) != ends(&other) {
            comparison.finding = report::ending(&runs, &comparison.outcome, schedule, &other);
        } else if other.stop.is_none() {
            // What a launch leaves that is stopped depends on when that was.
            let differs = first_difference(memory, &after);
            comparison.finding =
                differs.and_then(|at| locate::locate(&runs, &comparison.outcome, (schedule, &other), at));
        }
        if comparison.finding.is_some() {
            break;
        }
    }
    runs.restore(&after);
    Ok(comparison)
}

/// A byte of global memory that differs: its address, and the values before and now.
#[derive(Clone, Copy, Debug)]
struct Difference {
    address: u64,
    values: (u8, u8),
}

fn first_difference(memory: &Memory, expected: &[Vec<u8>]) -> Option<Difference> {
    let mut now = Vec::new();
    memory.objects().iter().zip(expected).find_map(|(object, before)| {
        now.resize(before.len(), 0);
        object.read(0, &mut now);
        let at = before.iter().zip(&now).position(|(a, b)| a != b)?;
        Some(Difference { address: object.address + at as u64, values: (before[at], now[at]) })
    })
}

/// The mnemonic of an instruction of the program whose result in a lane depends on which others are active; one that
/// the kernel may reach.
fn looks_at_lanes(program: &Program, launch: &Launch) -> Option<String> {
    let mut seen = vec![false; program.module().functions.len()];
    let mut todo = vec![launch.kernel];
    while let Some(id) = todo.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        for instruction in &program.function(id).code {
            if crosses_lanes(instruction) {
                return Some(instruction.row().opcode.text().to_owned());
            }
            if reads_active_mask(instruction) {
                return Some("%activemask".to_owned());
            }
            if instruction.row().opcode == Opcode::Call {
                let named = instruction.operands.iter().find_map(|operand| match operand {
                    Operand::Function(target) => Some(*target),
                    _ => None,
                });
                match named {
                    Some(target) => todo.push(target),
                    // Any function whose address is taken: all of them is close enough.
                    None => todo.extend(program.functions().map(|(id, _)| id)),
                }
            }
        }
    }
    None
}

fn crosses_lanes(instruction: &Instruction) -> bool {
    matches!(instruction.row().opcode, Opcode::Fred | Opcode::Ired | Opcode::Redfirstidx | Opcode::Shfl)
}

fn reads_active_mask(instruction: &Instruction) -> bool {
    instruction.operands.contains(&Operand::Special(SpecialRegister::ActiveMask))
}
