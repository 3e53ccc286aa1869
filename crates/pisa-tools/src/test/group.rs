//! Running facts: those with the same instruction and registers share a launch.

use super::fact::{Fact, Key, Lanes, Shape};
use super::kernel::module_text;
use super::number::Expected;
use super::operands::LANES;
use super::program;
use crate::opt::Level;
use pisa_machine::{
    Argument, Buffer, ElementType, Engine, Extent, Image, LaunchSpec, Memory, NoFiles, Value, lane_ranges,
};
use std::sync::Arc;

/// Most facts of a launch.
const MOST_FACTS: usize = 1024;
/// Most bytes that the buffers of a launch take.
const MEMORY_LIMIT: u64 = 1 << 30;

/// What an instruction left in its destinations, by destination, fact, lane and element.
#[derive(Debug)]
pub(super) struct Outputs {
    shapes: Vec<Shape>,
    buffers: Vec<Buffer>,
}

impl Outputs {
    fn element(&self, result: usize, fact: usize, lane: usize, element: usize) -> u128 {
        let shape = self.shapes[result];
        let size = shape.element.bytes();
        let start = (fact * LANES + lane) * shape.bytes() + element * size;
        let mut bytes = [0; 16];
        if let Some(found) = self.buffers[result].bytes.get(start..start + size) {
            bytes[..size].copy_from_slice(found);
        }
        u128::from_le_bytes(bytes)
    }

    /// The values of a destination in the lanes of a fact.
    pub fn lanes(&self, result: usize, fact: usize) -> Vec<Vec<u128>> {
        let elements = usize::from(self.shapes[result].elements);
        let lane = |lane| (0..elements).map(|e| self.element(result, fact, lane, e)).collect();
        (0..LANES).map(lane).collect()
    }
}

/// Runs facts with one key on an engine; gives what each left behind, or why none could run.
pub(super) fn run(
    key: &Key,
    facts: &[&Fact],
    engine: &dyn Engine,
    optimise: Option<Level>,
) -> Result<Vec<Outputs>, String> {
    let program = Arc::new(program::program(&module_text(key), optimise)?);
    facts.chunks(MOST_FACTS).map(|chunk| run_chunk(&program, key, chunk, engine)).collect()
}

/// The outputs and the number in them of fact `index`.
pub(super) fn outputs_of(all: &[Outputs], index: usize) -> (&Outputs, usize) {
    (&all[index / MOST_FACTS], index % MOST_FACTS)
}

fn run_chunk(
    program: &Arc<pisa_module::Program>,
    key: &Key,
    facts: &[&Fact],
    engine: &dyn Engine,
) -> Result<Outputs, String> {
    let mut memory = Memory::with_limit(MEMORY_LIMIT);
    let image = Image::load(Arc::clone(program), &mut memory).map_err(|e| e.to_string())?;
    let items = (facts.len() * LANES) as u64;
    let extent = |n: u64| Extent { dimensions: 1, numbers: [n, 1, 1] };
    let mut spec = LaunchSpec::new(extent(items));
    spec.local = Some(extent(LANES as u64));
    let mut give = |name: String, value: Value| {
        spec.arguments.push(Argument { wrote: name.clone(), name: Some(name), value });
    };
    let masks = facts.iter().map(|fact| u64::from(fact.active)).collect();
    give("mask".to_owned(), Value::List { ty: ElementType::U32, elements: masks });
    for (i, &shape) in key.sources.iter().enumerate() {
        give(format!("s{i}"), list(shape, facts.iter().map(|fact| &fact.sources[i])));
    }
    for (i, &shape) in key.results.iter().enumerate() {
        give(format!("o{i}"), list(shape, facts.iter().map(|fact| &fact.old[i])));
        let zeros = vec![0; facts.len() * LANES * shape.bytes()];
        give(format!("d{i}"), Value::List { ty: ElementType::U8, elements: zeros });
    }
    let prepared = spec.prepare(&image, &mut memory, &NoFiles).map_err(|e| e.to_string())?;
    if let Some(stop) = engine.run(&image, &memory, &prepared.launch).stop {
        return Err(format!("the launch stopped: {}", stop.message(&memory)));
    }
    let read = |i: usize| {
        let buffer = prepared.locate(&image, &format!("d{i}")).map_err(|e| e.to_string())?;
        prepared.read(&memory, &buffer).map_err(|e| e.to_string())
    };
    let buffers = (0..key.results.len()).map(read).collect::<Result<_, String>>()?;
    Ok(Outputs { shapes: key.results.clone(), buffers })
}

/// A buffer with the values of all facts, lane by lane.
fn list<'a>(shape: Shape, all: impl Iterator<Item = &'a Lanes<u128>>) -> Value {
    let (ty, parts) = match shape.element.bytes() {
        1 => (ElementType::U8, 1),
        2 => (ElementType::U16, 1),
        4 => (ElementType::U32, 1),
        8 => (ElementType::U64, 1),
        _ => (ElementType::U64, 2),
    };
    let mut elements = Vec::new();
    for lanes in all {
        for lane in 0..LANES {
            for &value in lanes.lane(lane) {
                elements.push(value as u64);
                if parts == 2 {
                    elements.push((value >> 64) as u64);
                }
            }
        }
    }
    Value::List { ty, elements }
}

/// Compares what a fact left behind with what it says; empty where it holds.
pub(super) fn compare(
    fact: &Fact,
    results: &[Lanes<Expected>],
    outputs: &Outputs,
    index: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (i, (shape, expected)) in fact.key.results.iter().zip(results).enumerate() {
        let mut wrong = 0u32;
        let mut first = None;
        for (lane, got) in outputs.lanes(i, index).into_iter().enumerate() {
            let is_active = fact.active >> lane & 1 == 1;
            let wanted: Vec<Expected> = if is_active || !expected.is_uniform() {
                expected.lane(lane).to_vec()
            } else {
                fact.old[i].lane(lane).iter().map(|&bits| Expected::Bits(bits)).collect()
            };
            if !got.iter().zip(&wanted).all(|(&bits, &wanted)| shape.element.fits(bits, wanted)) {
                wrong |= 1 << lane;
                first.get_or_insert((wanted, got, is_active));
            }
        }
        let Some((wanted, got, is_active)) = first else { continue };
        let braces = |list: Vec<String>| match &list[..] {
            [one] => one.clone(),
            _ => format!("{{{}}}", list.join(", ")),
        };
        let of = if fact.key.results.len() > 1 { format!("result {}, ", i + 1) } else { String::new() };
        let inactive = if is_active { "" } else { ", the first one inactive" };
        let which = match wrong.count_ones() {
            32 => "all lanes".to_owned(),
            1 => format!("lane {}", lane_ranges(wrong)),
            _ => format!("lanes {}", lane_ranges(wrong)),
        };
        lines.push(format!("{of}{which}{inactive}"));
        let wanted = wanted.into_iter().map(|w| shape.element.show_expected(w)).collect();
        lines.push(format!("expected  {}", braces(wanted)));
        let got = got.into_iter().map(|g| shape.element.show(g)).collect();
        lines.push(format!("got       {}", braces(got)));
    }
    lines
}

/// The results as a fact writes them, out of what it left behind.
pub(super) fn write_results(fact: &Fact, outputs: &Outputs, index: usize) -> String {
    let write = |i: usize| {
        let shape = fact.key.results[i];
        let value = |lane: &Vec<u128>| {
            let elements: Vec<String> = lane.iter().map(|&bits| shape.element.write(bits)).collect();
            if shape.elements == 1 { elements[0].clone() } else { format!("{{{}}}", elements.join(", ")) }
        };
        let lanes = outputs.lanes(i, index);
        let active = |lane: usize| fact.active >> lane & 1 == 1;
        let first = (0..LANES).find(|&lane| active(lane)).unwrap_or(0);
        let is_uniform = (0..LANES).all(|lane| {
            if active(lane) { lanes[lane] == lanes[first] } else { lanes[lane] == fact.old[i].lane(lane) }
        });
        if is_uniform {
            return value(&lanes[first]);
        }
        let mut runs: Vec<(String, usize)> = Vec::new();
        for text in lanes.iter().map(value) {
            match runs.last_mut() {
                Some((last, count)) if *last == text => *count += 1,
                _ => runs.push((text, 1)),
            }
        }
        let runs = runs.into_iter().map(|(text, n)| if n == 1 { text } else { format!("{text}*{n}") });
        format!("[{}]", runs.collect::<Vec<_>>().join(", "))
    };
    let all: Vec<String> = (0..fact.key.results.len()).map(write).collect();
    if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(", ")) }
}
