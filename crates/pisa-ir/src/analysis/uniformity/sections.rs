//! Runs of instructions that lanes which begin them together also end together.

use crate::active_sets::Waiting;
use crate::analysis::ControlFlow;
use crate::{Block, Function, Instruction, Operation, Position};
use smallvec::SmallVec;

/// No section.
const NONE: u32 = u32::MAX;

/// Whether lanes may wait at the end of a section while others run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waits {
    /// They go on.
    No,
    /// In a barrier: until all wait, or have left.
    Barrier,
    /// In a barrier of a function that is called there, one or several times, or not at all.
    Call,
}

/// A block, or what stands in it between two instructions in which lanes may wait.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Its block.
    pub(super) block: Block,
    /// Its first instruction, in the block.
    pub(super) begin: u32,
    /// What ends it. If lanes wait there, they go on to the next section.
    pub(super) waits: Waits,
    /// Where control goes, each place once.
    pub(super) successors: SmallVec<[u32; 2]>,
    /// Where it comes from.
    pub(super) predecessors: SmallVec<[u32; 2]>,
}

/// The sections of what can be reached, in lexical order.
#[derive(Clone, Debug)]
pub(super) struct Sections {
    pub(super) all: Vec<Section>,
    /// By block: its first section.
    first: Vec<u32>,
    /// By instruction: its section.
    of_instruction: Vec<u32>,
}

impl Sections {
    pub(super) fn of(function: &Function, flow: &ControlFlow, waiting: &Waiting) -> Sections {
        let mut sections = Sections {
            all: Vec::with_capacity(function.layout.len()),
            first: vec![NONE; function.blocks.len()],
            of_instruction: vec![NONE; function.instructions.len()],
        };
        for &block in function.layout.iter().filter(|&&block| flow.is_reachable(block)) {
            sections.first[block.index()] = sections.all.len() as u32;
            let mut begin = 0;
            for (index, &instruction) in (1..).zip(&function.block(block).instructions) {
                let data = function.instruction(instruction);
                sections.of_instruction[instruction.index()] = sections.all.len() as u32;
                if waiting.may_wait(data) {
                    let is_call = matches!(data.operation, Operation::Call { .. });
                    let waits = if is_call { Waits::Call } else { Waits::Barrier };
                    let next = sections.all.len() as u32 + 1;
                    sections.all.push(Section {
                        block,
                        begin,
                        waits,
                        successors: SmallVec::from_slice(&[next]),
                        predecessors: SmallVec::new(),
                    });
                    begin = index;
                }
            }
            let (successors, predecessors) = (SmallVec::new(), SmallVec::new());
            sections.all.push(Section { block, begin, waits: Waits::No, successors, predecessors });
        }
        for number in 0..sections.all.len() {
            if sections.all[number].waits == Waits::No {
                let block = sections.all[number].block;
                let mut successors: SmallVec<[u32; 2]> =
                    flow.successors(block).iter().map(|edge| sections.first[edge.to.index()]).collect();
                successors.dedup();
                sections.all[number].successors = successors;
            }
            for successor in sections.all[number].successors.clone() {
                sections.all[successor as usize].predecessors.push(number as u32);
            }
        }
        sections
    }

    /// The first section of a block; `None` if it cannot be reached.
    pub(super) fn first(&self, block: Block) -> Option<u32> {
        self.first.get(block.index()).copied().filter(|&section| section != NONE)
    }
    /// The last section of a block.
    pub(super) fn last(&self, block: Block) -> Option<u32> {
        self.at(Position { block, index: u32::MAX })
    }
    /// The section of a place: of the instruction there, or of the terminator.
    pub(super) fn at(&self, position: Position) -> Option<u32> {
        let first = self.first(position.block)?;
        let behind = self.all[first as usize + 1..].iter();
        let skipped = behind.take_while(|s| s.block == position.block && s.begin <= position.index).count();
        Some(first + skipped as u32)
    }
    /// The section of an instruction.
    pub(super) fn of_instruction(&self, instruction: Instruction) -> Option<u32> {
        self.of_instruction.get(instruction.index()).copied().filter(|&section| section != NONE)
    }
    /// Whether lanes may wait at the end of a section.
    pub(super) fn waits(&self, section: u32) -> Waits {
        self.all[section as usize].waits
    }
    /// Whether it is where its block begins.
    pub(super) fn is_first(&self, section: u32) -> bool {
        self.all[section as usize].begin == 0
    }
}
