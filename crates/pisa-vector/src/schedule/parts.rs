//! The schedule `ipdom`: a tree of the parts into which a sub-group has parted.
//!
//! A leaf is a set of lanes that run together. A node with children is a set that has parted: it waits until each
//! of its lanes has come to the place where they meet, or has left, and is a leaf again then.

use crate::run::{Event, place_of};
use crate::state::{ActivationId, BatchState, Entry, ROOT};

/// Index of a node.
type NodeId = usize;
/// The whole sub-group.
const WHOLE: NodeId = 0;

/// An instruction of an activation.
type Place = (ActivationId, u32);

#[derive(Clone, Default)]
struct Node {
    parent: NodeId,
    /// Of a leaf: its lanes.
    lanes: u32,
    /// Of another node: its lanes that are where they meet.
    arrived: u32,
    /// The activation in which it parted.
    activation: ActivationId,
    /// Where the children meet; `None`: nowhere before they leave the activation.
    meet: Option<u32>,
    /// The parts in order; those that have arrived are gone.
    children: Vec<NodeId>,
}

/// The tree.
pub(super) struct Parts {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
}

impl Parts {
    /// Lanes that have not parted yet.
    pub(super) fn new(lanes: u32) -> Parts {
        Parts { nodes: vec![Node { lanes, ..Node::default() }], free: Vec::new() }
    }

    /// The first part without a lane among `blocked`.
    pub(super) fn first(&self, blocked: u32) -> Option<u32> {
        let mut found = None;
        self.each(|leaf| {
            let runs = leaf.lanes != 0 && leaf.lanes & blocked == 0;
            found = runs.then_some(leaf.lanes);
            !runs
        });
        found
    }

    /// The tree as numbers: the same for the same tree, whatever came before.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let mut numbers = Vec::new();
        self.each(|node| {
            numbers.extend([node.lanes, node.arrived, node.children.len() as u32]);
            numbers.push(node.meet.map_or(u32::MAX, |pc| pc));
            true
        });
        numbers
    }

    /// Visits nodes, parents before children, children in order, as long as `f` says so.
    fn each(&self, mut f: impl FnMut(&Node) -> bool) {
        let mut todo = vec![WHOLE];
        while let Some(id) = todo.pop() {
            let node = &self.nodes[id];
            if !f(node) {
                return;
            }
            todo.extend(node.children.iter().rev());
        }
    }

    /// The lanes of `entry` have run. `meet` says where lanes meet that part at an instruction of its function.
    pub(super) fn note(
        &mut self,
        state: &BatchState,
        entry: Entry,
        event: Event,
        meet: impl Fn(u32) -> Option<u32>,
    ) {
        let (activation, lanes) = (entry.activation, entry.masks[0]);
        let Some(leaf) = self.nodes.iter().position(|node| node.lanes & lanes != 0) else { return };
        match event {
            Event::Went { pc, .. } => self.stands(leaf, (activation, pc)),
            Event::Parted { jumped, target, .. } => {
                let behind = entry.pc + 1;
                let mut parts = [(target, jumped), (behind, lanes & !jumped)];
                parts.sort_unstable_by_key(|(pc, _)| *pc);
                let children = self.part(leaf, activation, meet(entry.pc), &parts.map(|(_, lanes)| lanes));
                for (child, (pc, _)) in children.into_iter().zip(parts) {
                    self.stands(child, (activation, pc));
                }
            }
            Event::Called(serial) => {
                let made = state.activations.iter().filter(|new| new.serial > serial && new.inside[0] != 0);
                let mut calls: Vec<(u64, u32)> = made.map(|new| (new.serial, new.inside[0])).collect();
                calls.sort_unstable();
                let mut parts: Vec<u32> = calls.into_iter().map(|(_, lanes)| lanes).collect();
                parts.push(lanes & !parts.iter().fold(0, |all, part| all | part));
                let behind = entry.pc + 1;
                let children = self.part(leaf, activation, Some(behind), &parts);
                // Those that did not call are there already.
                if parts.last().is_some_and(|&rest| rest != 0)
                    && let Some(&rest) = children.last()
                {
                    self.stands(rest, (activation, behind));
                }
            }
            Event::Left(leaving) => {
                self.leave(leaf, activation, leaving);
                if leaving != lanes {
                    self.stands(leaf, (activation, entry.pc + 1));
                }
            }
            Event::Ended => self.leave(leaf, activation, lanes),
            Event::Waits => {}
        }
    }

    /// A barrier has let lanes go on: some may stand where they meet others.
    pub(super) fn released(&mut self, state: &BatchState) {
        for leaf in 0..self.nodes.len() {
            let lanes = self.nodes[leaf].lanes;
            if lanes != 0
                && let Some(place) = place_of(state, lanes.trailing_zeros())
            {
                self.stands(leaf, place);
            }
        }
    }

    /// A leaf parts: a child for each set that is not empty.
    fn part(
        &mut self,
        leaf: NodeId,
        activation: ActivationId,
        meet: Option<u32>,
        parts: &[u32],
    ) -> Vec<NodeId> {
        let mut children = Vec::new();
        for &lanes in parts.iter().filter(|&&lanes| lanes != 0) {
            let child = Node { parent: leaf, lanes, ..Node::default() };
            match self.free.pop() {
                Some(id) => {
                    self.nodes[id] = child;
                    children.push(id);
                }
                None => {
                    children.push(self.nodes.len());
                    self.nodes.push(child);
                }
            }
        }
        let node = &mut self.nodes[leaf];
        (node.lanes, node.arrived, node.activation, node.meet) = (0, 0, activation, meet);
        node.children = children.clone();
        children
    }

    /// A leaf stands somewhere: maybe where it meets others.
    fn stands(&mut self, leaf: NodeId, place: Place) {
        let Node { parent, lanes, .. } = self.nodes[leaf];
        let above = &self.nodes[parent];
        if leaf != WHOLE && (above.activation, above.meet) == (place.0, Some(place.1)) {
            self.nodes[parent].arrived |= lanes;
            self.remove(leaf);
        }
    }

    /// Lanes of a leaf leave an activation, and with it all partings in it: they arrive behind the call.
    fn leave(&mut self, leaf: NodeId, activation: ActivationId, lanes: u32) {
        self.nodes[leaf].lanes &= !lanes;
        if activation != ROOT {
            let mut node = self.nodes[leaf].parent;
            while self.nodes[node].activation == activation && node != WHOLE {
                node = self.nodes[node].parent;
            }
            self.nodes[node].arrived |= lanes;
        }
        if self.nodes[leaf].lanes == 0 && leaf != WHOLE {
            self.remove(leaf);
        }
    }

    /// Removes a part that is over. A node without parts is a leaf again, and may have arrived itself.
    fn remove(&mut self, over: NodeId) {
        let mut over = over;
        loop {
            let parent = self.nodes[over].parent;
            self.nodes[over] = Node::default();
            self.free.push(over);
            let node = &mut self.nodes[parent];
            node.children.retain(|&child| child != over);
            if !node.children.is_empty() {
                return;
            }
            let (lanes, place) = (std::mem::take(&mut node.arrived), (node.activation, node.meet));
            (node.lanes, node.activation, node.meet) = (lanes, ROOT, None);
            if parent == WHOLE {
                return;
            }
            let above_id = node.parent;
            let above = &mut self.nodes[above_id];
            if lanes != 0 && (above.activation, above.meet) != place {
                return;
            }
            above.arrived |= lanes;
            over = parent;
        }
    }
}
