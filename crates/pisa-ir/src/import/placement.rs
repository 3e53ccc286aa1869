//! Which registers need a parameter of which blocks.

use super::accesses;
use super::blocks::Code;
use crate::analysis::{ControlFlow, Dominators};
use crate::function::Block;
use pisa_module::{Function, RegisterId};
use smallvec::SmallVec;

/// By block: the registers that have a parameter there, in their order.
pub(super) type Parameters = Vec<Vec<RegisterId>>;

type Blocks = SmallVec<[Block; 2]>;

/// Where a register occurs, each block once.
#[derive(Clone, Default)]
struct Occurrences {
    /// Blocks that write it.
    written: Blocks,
    /// Blocks that read what it holds at their begin.
    exposed: Blocks,
}

/// A set of blocks that is empty again for each register.
struct Marks {
    of: Vec<u32>,
    now: u32,
}

impl Marks {
    fn new(count: usize) -> Marks {
        Marks { of: vec![0; count], now: 0 }
    }
    fn clear(&mut self) {
        self.now += 1;
    }
    fn has(&self, block: Block) -> bool {
        self.of[block.index()] == self.now
    }
    /// Whether it was not there yet.
    fn insert(&mut self, block: Block) -> bool {
        std::mem::replace(&mut self.of[block.index()], self.now) != self.now
    }
}

/// For how many blocks a register is looked at. One that is live in more may get parameters that nobody needs; those are taken away
/// later. Without a limit the time would be that of blocks times registers where many registers live through a long loop.
const MOST_LIVE: usize = 1000;

/// A register has a parameter of a block where different values of it meet that somebody reads.
pub(super) fn parameters(
    source: &Function,
    code: &[Code],
    flow: &ControlFlow,
    dominators: &Dominators,
) -> Parameters {
    let frontiers = frontiers(code.len(), flow, dominators);
    let mut parameters = vec![Vec::new(); code.len()];
    let count = code.len();
    let (mut written, mut live, mut placed) = (Marks::new(count), Marks::new(count), Marks::new(count));
    for (number, occurrences) in occurrences(source, code).iter().enumerate() {
        if occurrences.exposed.is_empty() {
            continue;
        }
        written.clear();
        live.clear();
        placed.clear();
        let mut todo = occurrences.written.clone();
        for &block in &todo {
            written.insert(block);
        }
        let mut knows_live = None;
        while let Some(block) = todo.pop() {
            for &meeting in &frontiers[block.index()] {
                let knows_live =
                    *knows_live.get_or_insert_with(|| find_live(occurrences, flow, &written, &mut live));
                if (!knows_live || live.has(meeting)) && placed.insert(meeting) {
                    parameters[meeting.index()].push(RegisterId(number as u32));
                    if !written.has(meeting) {
                        todo.push(meeting);
                    }
                }
            }
        }
    }
    parameters
}

/// By register.
fn occurrences(source: &Function, code: &[Code]) -> Vec<Occurrences> {
    let mut all = vec![Occurrences::default(); source.registers.len()];
    for (number, block) in code.iter().enumerate() {
        let block_id = Block(number as u32);
        for at in block.instructions.clone().chain(block.transfer) {
            accesses::visit(source, &source.code[at], |register, writes| {
                let occurrences = &mut all[register.index()];
                let is_written = occurrences.written.last() == Some(&block_id);
                let list = if writes { &mut occurrences.written } else { &mut occurrences.exposed };
                if !is_written && list.last() != Some(&block_id) {
                    list.push(block_id);
                }
            });
        }
    }
    all
}

/// Finds the blocks at whose begin the register holds what somebody reads; false where they are too many.
fn find_live(occurrences: &Occurrences, flow: &ControlFlow, written: &Marks, live: &mut Marks) -> bool {
    let mut todo = occurrences.exposed.clone();
    let mut count = 0;
    for &block in &todo {
        live.insert(block);
    }
    while let Some(block) = todo.pop() {
        count += 1;
        if count > MOST_LIVE {
            return false;
        }
        for edge in flow.predecessors(block) {
            if !written.has(edge.from) && live.insert(edge.from) {
                todo.push(edge.from);
            }
        }
    }
    true
}

/// By block: where its dominance ends.
fn frontiers(count: usize, flow: &ControlFlow, dominators: &Dominators) -> Vec<Blocks> {
    let mut frontiers = vec![Blocks::new(); count];
    for &block in dominators.preorder() {
        let edges = flow.predecessors(block);
        if edges.len() < 2 {
            continue;
        }
        let above = dominators.immediate(block);
        for edge in edges {
            let mut at = Some(edge.from);
            while let Some(block_before) = at.filter(|_| at != above) {
                let frontier = &mut frontiers[block_before.index()];
                // Whoever is further up has been given this block already.
                if frontier.last() == Some(&block) {
                    break;
                }
                frontier.push(block);
                at = dominators.immediate(block_before);
            }
        }
    }
    frontiers
}
