//! Dominator trees of graphs, by the Semi-NCA method of Georgiadis and Tarjan.

use super::Lists;

const NONE: u32 = u32::MAX;

/// The dominator tree of what can be reached from a root.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    /// By node: its parent; [`NONE`] for the root and for nodes that cannot be reached.
    immediate: Vec<u32>,
    /// By node: when a walk over the tree enters it; [`NONE`] for nodes that cannot be reached.
    enter: Vec<u32>,
    /// By node: when it leaves it; nodes below it are entered between.
    leave: Vec<u32>,
    /// By node: how many nodes are above it.
    depth: Vec<u32>,
    /// Nodes by when they are entered.
    preorder: Vec<u32>,
    /// By node: the nodes whose parent it is.
    children: Lists<u32>,
}

impl DominatorTree {
    /// Of a graph with nodes `0..count`. Each edge of what can be reached is looked at a fixed number of times, apart from the
    /// compression of paths and the search for common ancestors, which are short in practice.
    pub fn new<S: Iterator<Item = u32>, P: Iterator<Item = u32>>(
        count: usize,
        root: u32,
        successors: impl Fn(u32) -> S,
        predecessors: impl Fn(u32) -> P,
    ) -> DominatorTree {
        let search = Search::new(count, root, successors);
        let numbers = dominators_by_number(&search, predecessors);
        let mut immediate = vec![NONE; count];
        let mut depth = vec![0; count];
        for (number, &node) in search.order.iter().enumerate().skip(1) {
            let parent = search.order[numbers[number] as usize];
            immediate[node as usize] = parent;
            depth[node as usize] = depth[parent as usize] + 1;
        }
        let children = Lists::new(count, || {
            search.order.iter().skip(1).map(|&node| (immediate[node as usize] as usize, node))
        });
        let mut tree = DominatorTree {
            immediate,
            enter: vec![NONE; count],
            leave: vec![0; count],
            depth,
            preorder: Vec::with_capacity(search.order.len()),
            children,
        };
        tree.walk(root);
        tree
    }

    fn walk(&mut self, root: u32) {
        let mut path = vec![(root, 0)];
        self.enter[root as usize] = 0;
        self.preorder.push(root);
        while let Some((node, done)) = path.last_mut() {
            let node = *node;
            match self.children.get(node as usize).get(*done) {
                Some(&child) => {
                    *done += 1;
                    self.enter[child as usize] = self.preorder.len() as u32;
                    self.preorder.push(child);
                    path.push((child, 0));
                }
                None => {
                    self.leave[node as usize] = self.preorder.len() as u32;
                    path.pop();
                }
            }
        }
    }

    /// The closest other node that every way from the root to this one leads through; `None` for the root and where no way leads.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        self.immediate.get(node as usize).copied().filter(|&above| above != NONE)
    }
    /// How many nodes are above it.
    pub fn depth(&self, node: u32) -> u32 {
        self.depth[node as usize]
    }
    /// Nodes that can be reached, each before those below it.
    pub fn preorder(&self) -> &[u32] {
        &self.preorder
    }
    /// The nodes right below it.
    pub fn children(&self, node: u32) -> &[u32] {
        self.children.get(node as usize)
    }
    /// Whether the root leads to a node.
    pub fn has(&self, node: u32) -> bool {
        self.enter[node as usize] != NONE
    }
    /// Whether every way from the root to `below` leads through `above`; false where no way leads to one of them.
    pub fn dominates(&self, above: u32, below: u32) -> bool {
        let (at, enter) = (self.enter[below as usize], self.enter[above as usize]);
        at != NONE && enter != NONE && enter <= at && at < self.leave[above as usize]
    }
}

/// A depth-first search.
struct Search {
    /// Nodes in the order in which they were found.
    order: Vec<u32>,
    /// By node: its place in `order`, its number.
    number: Vec<u32>,
    /// By number: the number of the node from which it was found.
    parent: Vec<u32>,
}

impl Search {
    fn new<S: Iterator<Item = u32>>(count: usize, root: u32, successors: impl Fn(u32) -> S) -> Search {
        let mut search = Search { order: Vec::new(), number: vec![NONE; count], parent: Vec::new() };
        let mut todo = vec![(root, 0)];
        while let Some((node, parent)) = todo.pop() {
            if search.number[node as usize] != NONE {
                continue;
            }
            let number = search.order.len() as u32;
            search.number[node as usize] = number;
            search.order.push(node);
            search.parent.push(parent);
            todo.extend(successors(node).map(|next| (next, number)));
        }
        search
    }
}

/// By number of the search: the number of the immediate dominator.
fn dominators_by_number<P: Iterator<Item = u32>>(
    search: &Search,
    predecessors: impl Fn(u32) -> P,
) -> Vec<u32> {
    let count = search.order.len() as u32;
    let mut semi: Vec<u32> = (0..count).collect();
    let (mut label, mut ancestor, mut path) = (semi.clone(), search.parent.clone(), Vec::new());
    for node in (1..count).rev() {
        for predecessor in predecessors(search.order[node as usize]) {
            let number = search.number[predecessor as usize];
            if number != NONE {
                let least = least_label(number, node, &mut ancestor, &mut label, &mut path);
                semi[node as usize] = semi[node as usize].min(least);
            }
        }
        label[node as usize] = semi[node as usize];
    }
    let mut dominator = search.parent.clone();
    for node in 1..count as usize {
        let mut above = dominator[node];
        while above > semi[node] {
            above = dominator[above as usize];
        }
        dominator[node] = above;
    }
    dominator
}

/// The least label on the way from a node up to, but without, the first one that is not above `limit`; the way becomes
/// shorter for the next time.
fn least_label(node: u32, limit: u32, ancestor: &mut [u32], label: &mut [u32], path: &mut Vec<u32>) -> u32 {
    let mut top = node;
    while ancestor[top as usize] > limit {
        path.push(top);
        top = ancestor[top as usize];
    }
    while let Some(below) = path.pop() {
        label[below as usize] = label[below as usize].min(label[top as usize]);
        ancestor[below as usize] = ancestor[top as usize];
        top = below;
    }
    label[node as usize]
}
