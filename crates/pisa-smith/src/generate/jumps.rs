//! Jumps to anywhere: loops that are entered in the middle, overlap, or lead from one branch into another.
//!
//! They stay within an *island*: a region that not all of a work-group run together, so that no barrier lies between. In
//! functions, which have no barriers, the whole body is one. Into a scope with registers of its own they come only from
//! inside, or those registers would not be filled.

use super::{Generator, RegionKind};
use crate::tree::{Jump, MarkId, RegionId, Statement};

/// An island; the whole body of a function has no region.
type Island = Option<RegionId>;

/// Where a mark or a jump stands.
struct Place {
    island: Island,
    /// Scopes around it, outermost first.
    scopes: Vec<RegionId>,
}

/// The marks and jumps of a body.
pub(super) struct Jumps {
    marks: Vec<Place>,
    jumps: Vec<Place>,
    most: usize,
}

impl Jumps {
    pub fn new(is_kernel: bool) -> Jumps {
        Jumps { marks: Vec::new(), jumps: Vec::new(), most: if is_kernel { 8 } else { 2 } }
    }

    /// Gives each jump one of the marks that it may lead to, or none.
    pub fn resolve(&self, body: &mut [Statement]) {
        let mut left: Vec<&mut Statement> = body.iter_mut().collect();
        while let Some(statement) = left.pop() {
            if let Statement::Jump(jump) = statement {
                let Some(place) = self.jumps.get(jump.number as usize) else { continue };
                let legal: Vec<MarkId> = (0..self.marks.len() as MarkId)
                    .filter(|&mark| self.marks[mark as usize].is_reached_from(place))
                    .collect();
                jump.to = match legal.len() {
                    0 => MarkId::MAX,
                    count => legal[jump.to as usize % count],
                };
                continue;
            }
            for inner in statement.bodies_mut() {
                left.extend(inner.iter_mut());
            }
        }
    }
}

impl Place {
    fn is_reached_from(&self, jump: &Place) -> bool {
        self.island == jump.island && jump.scopes.starts_with(&self.scopes)
    }
}

impl Generator<'_> {
    /// Where the generator stands, if on an island.
    fn place(&self) -> Option<Place> {
        let shore = self.regions.iter().find(|region| !region.uniform);
        let island = match shore {
            Some(region) if self.is_kernel => Some(region.id),
            None if self.is_kernel => return None,
            _ => None,
        };
        let scopes = self.regions.iter().filter(|region| region.kind == RegionKind::Scope);
        Some(Place { island, scopes: scopes.map(|region| region.id).collect() })
    }

    pub(super) fn mark(&mut self) -> Option<Statement> {
        let place = self.place()?;
        self.jumps.marks.push(place);
        Some(Statement::Mark(self.jumps.marks.len() as MarkId - 1))
    }

    /// A jump; its target is chosen when all marks are known.
    pub(super) fn jump_anywhere(&mut self) -> Option<Statement> {
        let place = self.place()?;
        if self.jumps.jumps.len() == self.jumps.most || !self.pay(6) {
            return None;
        }
        self.jumps.jumps.push(place);
        let number = self.jumps.jumps.len() as u32 - 1;
        let condition = (!self.choices.one_in(6)).then(|| self.condition());
        let to = self.choices.below(1 << 16) as MarkId;
        let times = 1 + self.choices.below(2) as u32;
        Some(Statement::Jump(Jump { number, to, condition, times }))
    }

    /// A region full of marks and jumps.
    pub(super) fn tangle(&mut self, size: usize) -> Option<Statement> {
        if self.weight > 12 {
            return None;
        }
        let parts = 2 + self.choices.below(3);
        let Statement::Block { id, mut body } = self.block(1) else { return None };
        self.regions.push(super::Region { id, kind: RegionKind::Plain, uniform: false });
        self.weight *= 3;
        for _ in 0..parts {
            body.extend(self.mark());
            let count = 1 + self.choices.below(size.clamp(1, 3));
            body.extend(self.body(count));
            body.extend(self.jump_anywhere());
        }
        self.weight /= 3;
        self.regions.pop();
        Some(Statement::Block { id, body })
    }
}
