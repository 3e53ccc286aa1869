//! Vector clocks: how much a work-item knows of each other one.
//!
//! A clock maps every work-item of the launch to a time of its sub-group: all its accesses up to that time happen before
//! whatever the holder of the clock does next. Clocks are persistent trees over sub-groups: a copy is a pointer, and two
//! clocks that came from one share what they still have in common, so that joining them costs what differs.

use pisa_machine::LANES;
use std::rc::Rc;

/// Children of a node.
const FAN: usize = 16;
/// Bits of a sub-group's number that a level takes.
const BITS: u32 = FAN.trailing_zeros();

/// What is known of the lanes of one sub-group.
#[derive(Clone, Default, Debug)]
pub(super) struct Known {
    /// The latest time of any lane.
    time: u32,
    /// The lanes that are known up to it.
    lanes: u32,
    /// The times of the others, where some are known at all; none is later than `time`.
    rest: Option<Rc<[u32; LANES as usize]>>,
}

impl Known {
    /// By lane.
    fn times(&self) -> [u32; LANES as usize] {
        let mut times = self.rest.as_ref().map_or([0; LANES as usize], |rest| **rest);
        for (lane, time) in times.iter_mut().enumerate() {
            *time |= if self.lanes & (1 << lane) != 0 { self.time } else { 0 };
        }
        times
    }

    /// Up to when any lane is known.
    pub(super) fn latest(&self) -> u32 {
        self.time
    }

    /// Up to when all of these lanes are known.
    pub(super) fn all_of(&self, lanes: u32) -> u32 {
        if lanes & !self.lanes == 0 {
            return self.time;
        }
        let Some(rest) = &self.rest else { return 0 };
        let missing = lanes & !self.lanes;
        let mut all = self.time;
        for (lane, &time) in rest.iter().enumerate() {
            all = all.min(if missing & (1 << lane) != 0 { time } else { u32::MAX });
        }
        all
    }

    /// The lanes among these that are not known up to a time.
    pub(super) fn unknown(&self, lanes: u32, time: u32) -> u32 {
        if self.time < time {
            return lanes;
        }
        let missing = lanes & !self.lanes;
        let Some(rest) = &self.rest else { return missing };
        let mut late = 0;
        for (lane, &known) in rest.iter().enumerate() {
            late |= u32::from(known < time) << lane;
        }
        missing & late
    }

    fn is_nothing(&self) -> bool {
        self.time == 0
    }

    /// All that one of them knows, and for each whether it knows all of it.
    fn join(&self, other: &Known) -> (Known, [bool; 2]) {
        if self.rest.is_none() && other.rest.is_none() {
            if self.time == other.time {
                let lanes = self.lanes | other.lanes;
                let known = Known { time: self.time, lanes, rest: None };
                return (known, [lanes == self.lanes, lanes == other.lanes]);
            }
            if self.time > other.time && other.lanes & !self.lanes == 0 {
                return (self.clone(), [true, false]);
            }
            if self.time < other.time && self.lanes & !other.lanes == 0 {
                return (other.clone(), [false, true]);
            }
        }
        if let (Some(one), Some(two)) = (&self.rest, &other.rest)
            && Rc::ptr_eq(one, two)
            && (self.time, self.lanes) == (other.time, other.lanes)
        {
            return (self.clone(), [true, true]);
        }
        let (ours, theirs) = (self.times(), other.times());
        let mut times = ours;
        let (mut is_ours, mut is_theirs) = (true, true);
        for ((time, &one), &two) in times.iter_mut().zip(&ours).zip(&theirs) {
            *time = one.max(two);
            is_ours &= one >= two;
            is_theirs &= two >= one;
        }
        if is_ours || is_theirs {
            let known = if is_ours { self } else { other };
            return (known.clone(), [is_ours, is_theirs]);
        }
        let time = self.time.max(other.time);
        let mut lanes = 0;
        for (lane, known) in times.iter_mut().enumerate() {
            let is_last = *known == time;
            lanes |= u32::from(is_last) << lane;
            *known = if is_last { 0 } else { *known };
        }
        let rest = (times != [0; LANES as usize]).then(|| Rc::new(times));
        (Known { time, lanes, rest }, [false, false])
    }
}

#[derive(Debug)]
enum Node {
    Inner([Option<Rc<Node>>; FAN]),
    Leaf([Known; FAN]),
}

/// A vector clock. All clocks that meet have the same [`Height`].
#[derive(Clone, Default, Debug)]
pub(super) struct Clock(Option<Rc<Node>>);

/// Levels above the leaves that it takes to tell all sub-groups of a launch apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Height(u32);

impl Height {
    /// For sub-groups with numbers below this.
    pub(super) fn of(subgroups: u64) -> Height {
        let bits = u64::BITS - subgroups.saturating_sub(1).leading_zeros();
        Height(bits.div_ceil(BITS).saturating_sub(1))
    }
}

fn child(subgroup: u32, level: u32) -> usize {
    (subgroup.checked_shr(level * BITS).unwrap_or(0)) as usize % FAN
}

const NOTHING: &Known = &Known { time: 0, lanes: 0, rest: None };

impl Clock {
    /// Whether both are one object: then they know the same.
    pub(super) fn is_same(&self, other: &Clock) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Whether it knows nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What is known of a sub-group.
    pub(super) fn get(&self, height: Height, subgroup: u32) -> &Known {
        let mut node = self.0.as_deref();
        let mut level = height.0;
        loop {
            match node {
                None => return NOTHING,
                Some(Node::Inner(children)) => node = children[child(subgroup, level)].as_deref(),
                Some(Node::Leaf(leaf)) => return &leaf[child(subgroup, 0)],
            }
            level = level.saturating_sub(1);
        }
    }

    /// This, and these lanes of a sub-group up to a time.
    pub(super) fn with(&self, height: Height, subgroup: u32, lanes: u32, time: u32) -> Clock {
        let known = self.get(height, subgroup);
        if time == 0 || lanes == 0 || known.unknown(lanes, time) == 0 {
            return self.clone();
        }
        let (known, _) = known.join(&Known { time, lanes, rest: None });
        Clock(Some(set(self.0.as_ref(), height.0, subgroup, known)))
    }

    /// Whether it knows all that another one does, as far as joining them tells.
    fn covers(&self, other: &Clock) -> bool {
        // Where both know the same, `join` gives its second argument.
        other.join(self).is_same(self)
    }

    /// All that one of them knows; the second one itself where it knows all.
    pub(super) fn join(&self, other: &Clock) -> Clock {
        match (&self.0, &other.0) {
            (_, None) => self.clone(),
            (None, _) => other.clone(),
            (Some(a), Some(b)) => Clock(Some(join(a, b))),
        }
    }
}

fn set(node: Option<&Rc<Node>>, level: u32, subgroup: u32, known: Known) -> Rc<Node> {
    if level == 0 {
        let mut leaf = match node.map(Rc::as_ref) {
            Some(Node::Leaf(leaf)) => leaf.clone(),
            _ => Default::default(),
        };
        leaf[child(subgroup, 0)] = known;
        return Rc::new(Node::Leaf(leaf));
    }
    let mut children = match node.map(Rc::as_ref) {
        Some(Node::Inner(children)) => children.clone(),
        _ => Default::default(),
    };
    let at = child(subgroup, level);
    // As deep as the tree is high: at most eight levels.
    children[at] = Some(set(children[at].as_ref(), level - 1, subgroup, known));
    Rc::new(Node::Inner(children))
}

/// One of the two where it knows all that the other does.
fn join(a: &Rc<Node>, b: &Rc<Node>) -> Rc<Node> {
    if Rc::ptr_eq(a, b) {
        return Rc::clone(a);
    }
    let (mut is_a, mut is_b) = (true, true);
    match (a.as_ref(), b.as_ref()) {
        (Node::Leaf(left), Node::Leaf(right)) => {
            let mut leaf: [Known; FAN] = Default::default();
            for i in 0..FAN {
                if left[i].is_nothing() && right[i].is_nothing() {
                    continue;
                }
                let (known, [is_left, is_right]) = left[i].join(&right[i]);
                leaf[i] = known;
                is_a &= is_left;
                is_b &= is_right;
            }
            if is_b {
                Rc::clone(b)
            } else if is_a {
                Rc::clone(a)
            } else {
                Rc::new(Node::Leaf(leaf))
            }
        }
        (Node::Inner(left), Node::Inner(right)) => {
            let mut children: [Option<Rc<Node>>; FAN] = Default::default();
            for i in 0..FAN {
                children[i] = match (&left[i], &right[i]) {
                    (None, None) => continue,
                    (Some(one), None) => {
                        is_b = false;
                        Some(Rc::clone(one))
                    }
                    (None, Some(one)) => {
                        is_a = false;
                        Some(Rc::clone(one))
                    }
                    (Some(one), Some(two)) => {
                        let joined = join(one, two);
                        is_a &= Rc::ptr_eq(&joined, one);
                        is_b &= Rc::ptr_eq(&joined, two);
                        Some(joined)
                    }
                };
            }
            if is_b {
                Rc::clone(b)
            } else if is_a {
                Rc::clone(a)
            } else {
                Rc::new(Node::Inner(children))
            }
        }
        // Clocks of one launch are equally high.
        _ => Rc::clone(a),
    }
}

/// A clock for each of the two memories that fences tell apart: what is ordered in shared memory need not be in global
/// memory (spec 9.2).
#[derive(Clone, Default, Debug)]
pub(super) struct Clocks {
    pub(super) shared: Clock,
    pub(super) global: Clock,
}

/// Shared or global memory, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Regions {
    pub(super) shared: bool,
    pub(super) global: bool,
}

impl Regions {
    pub(super) const BOTH: Regions = Regions { shared: true, global: true };
    pub(super) const NONE: Regions = Regions { shared: false, global: false };

    pub(super) fn has(self, region: Region) -> bool {
        match region {
            Region::Shared => self.shared,
            Region::Global => self.global,
        }
    }

    pub(super) fn and(self, other: Regions) -> Regions {
        Regions { shared: self.shared || other.shared, global: self.global || other.global }
    }
}

/// Shared or global memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Region {
    Shared,
    Global,
}

impl Clocks {
    pub(super) fn of(&self, region: Region) -> &Clock {
        match region {
            Region::Shared => &self.shared,
            Region::Global => &self.global,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shared.is_empty() && self.global.is_empty()
    }

    /// Whether they know all that others do.
    pub(super) fn cover(&self, other: &Clocks) -> bool {
        self.shared.covers(&other.shared) && self.global.covers(&other.global)
    }

    pub(super) fn is_same(&self, other: &Clocks) -> bool {
        self.shared.is_same(&other.shared) && self.global.is_same(&other.global)
    }

    /// Adds what another one knows of some memories; says whether that was anything new.
    pub(super) fn join(&mut self, other: &Clocks, regions: Regions) -> bool {
        let before = self.clone();
        let are_one = self.shared.is_same(&self.global) && other.shared.is_same(&other.global);
        if regions.shared {
            self.shared = self.shared.join(&other.shared);
        }
        if regions.global {
            self.global = match are_one && regions.shared {
                true => self.shared.clone(),
                false => self.global.join(&other.global),
            };
        }
        !self.is_same(&before)
    }

    /// These, and these lanes of a sub-group up to a time of each memory.
    pub(super) fn with(&self, height: Height, subgroup: u32, lanes: u32, times: [u32; 2]) -> Clocks {
        let shared = self.shared.with(height, subgroup, lanes, times[0]);
        let global = match self.shared.is_same(&self.global) && times[0] == times[1] {
            true => shared.clone(),
            false => self.global.with(height, subgroup, lanes, times[1]),
        };
        Clocks { shared, global }
    }
}
