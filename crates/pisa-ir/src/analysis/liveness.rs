//! Which values are needed later.
//!
//! A value is *live* at a place if control can go from there to a use of it. A block's parameters come to be at its start, so
//! they are not live-in there; the arguments of a target are used at the end of the block that the edge leaves, so that an argument
//! is live-out of that block only if it is needed for something else too.
//!
//! Each value is followed from its uses against the flow up to its definition. So the time is that of writing the result down.

use super::ControlFlow;
use crate::{Block, Definition, Function, Operand, Position, Value};
use pisa_module::Lists;

/// Live values at the starts and ends of blocks.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// By block, in the order of the values.
    live_in: Vec<Vec<Value>>,
    live_out: Vec<Vec<Value>>,
}

impl Liveness {
    /// Of a function, in its blocks that can be reached.
    pub fn of(function: &Function, flow: &ControlFlow) -> Liveness {
        let blocks = function.blocks.len();
        let mut liveness = Liveness { live_in: vec![Vec::new(); blocks], live_out: vec![Vec::new(); blocks] };
        let uses = uses(function, flow);
        let users = Lists::new(function.values.len(), || uses.iter().copied());
        let home = homes(function);
        let mut todo = Vec::new();
        for number in 0..function.values.len() {
            let value = Value(number as u32);
            let Some(home) = home[number] else { continue };
            for &block in users.get(number) {
                liveness.enter(value, block, home, &mut todo);
            }
            while let Some(block) = todo.pop() {
                for edge in flow.reachable_predecessors(block) {
                    // Values come in order, so one that is there already is the last.
                    let out = &mut liveness.live_out[edge.from.index()];
                    if out.last() != Some(&value) {
                        out.push(value);
                        liveness.enter(value, edge.from, home, &mut todo);
                    }
                }
            }
        }
        liveness
    }

    /// The value is needed somewhere in the block.
    fn enter(&mut self, value: Value, block: Block, home: Block, todo: &mut Vec<Block>) {
        let live_in = &mut self.live_in[block.index()];
        if block != home && live_in.last() != Some(&value) {
            live_in.push(value);
            todo.push(block);
        }
    }

    /// Values live at the start of a block, its parameters not among them; in order.
    pub fn live_in(&self, block: Block) -> &[Value] {
        &self.live_in[block.index()]
    }
    /// Values live at the end of a block, behind its terminator; in order.
    pub fn live_out(&self, block: Block) -> &[Value] {
        &self.live_out[block.index()]
    }
    /// Whether a value is live at the start of a block.
    pub fn is_live_in(&self, block: Block, value: Value) -> bool {
        self.live_in(block).binary_search(&value).is_ok()
    }
    /// Whether a value is live at the end of a block.
    pub fn is_live_out(&self, block: Block, value: Value) -> bool {
        self.live_out(block).binary_search(&value).is_ok()
    }
    /// Whether a value that is defined before a place is needed there or behind it. Looks at the rest of the block.
    pub fn is_live_at(&self, function: &Function, value: Value, position: Position) -> bool {
        if self.is_live_out(position.block, value) {
            return true;
        }
        let data = function.block(position.block);
        let mut found = false;
        let mut visit = |operand: Operand| found |= operand.value() == Some(value);
        for &instruction in data.instructions.iter().skip(position.index as usize) {
            function.instruction(instruction).operands.iter().copied().for_each(&mut visit);
        }
        data.terminator.for_each_operand(&mut visit);
        found
    }
}

/// Values with the blocks that use them, each block of a value once.
fn uses(function: &Function, flow: &ControlFlow) -> Vec<(usize, Block)> {
    let mut last = vec![None; function.values.len()];
    let mut uses = Vec::new();
    for &block in flow.reverse_post_order() {
        let mut visit = |operand: Operand| {
            if let Some(value) = operand.value()
                && last[value.index()] != Some(block)
            {
                last[value.index()] = Some(block);
                uses.push((value.index(), block));
            }
        };
        let data = function.block(block);
        for &instruction in &data.instructions {
            function.instruction(instruction).operands.iter().copied().for_each(&mut visit);
        }
        data.terminator.for_each_operand(&mut visit);
    }
    uses
}

/// By value: the block that defines it, `None` where no block in the layout does.
pub(super) fn homes(function: &Function) -> Vec<Option<Block>> {
    let mut home = vec![None; function.values.len()];
    for &block in &function.layout {
        let data = function.block(block);
        let results = data.instructions.iter().flat_map(|&i| function.instruction(i).results.iter());
        for &value in data.parameters.iter().chain(results) {
            home[value.index()] = Some(block);
        }
    }
    debug_assert!(function.layout.iter().all(|&block| {
        let mut parameters = function.block(block).parameters.iter();
        parameters.all(|&p| matches!(function.value(p).definition, Definition::Parameter(b, _) if b == block))
    }));
    home
}
