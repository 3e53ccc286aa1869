//! Cross-lane operations: who takes part, and what each lane gets.

use super::arithmetic::{difference, equal};
use super::reduce::{Reduce, cluster_of};
use super::{Datum, Elements, LANES, Lanes, NotModelled, lanes_of, shuffle};
use crate::{
    Axis, ClusterSize, CrossLane, CrossLaneKind as Kind, Element, InactiveSource, Instruction, Operand,
};

/// The quad of a lane: a cluster of four.
const QUAD: Option<ClusterSize> = ClusterSize::new(4);

/// A cross-lane operation with what its operands are in the active lanes.
struct Together<'a> {
    lanes: &'a Lanes,
    operation: &'a CrossLane,
    data: Datum,
    index: [Option<u32>; LANES],
}

impl Lanes {
    pub(super) fn cross_lane(
        &self,
        instruction: Instruction,
        operation: &CrossLane,
        operands: &[Operand],
    ) -> Result<Datum, NotModelled> {
        let ill_formed = NotModelled::IllFormed(instruction);
        if let Kind::Reduce { reduction, cluster, partitioned, .. } = operation.kind
            && (!reduction.applies_to(operation.element) || partitioned && cluster != ClusterSize::FULL)
        {
            return Err(ill_formed);
        }
        let mut operands = operands.iter().copied();
        let mut next = |present: bool| match present {
            true => operands.next().map(Some).ok_or(ill_formed),
            false => Ok(None),
        };
        let data = next(operation.has_data())?;
        let index = next(operation.has_index())?;
        let mask = next(operation.has_mask())?;
        // One that is missing is one that nobody looks at.
        let pass_through = operands.next().filter(|_| operation.has_pass_through()).unwrap_or(Operand::Dead);
        let data = data.map_or(Ok(Datum::default()), |operand| self.datum(operand))?;
        let ty = operation.element.register();
        if operation.has_data()
            && lanes_of(self.active()).any(|lane| data[lane].len() != usize::from(ty.elements))
        {
            return Err(ill_formed);
        }
        let index = self.words(index, None)?;
        let masks = self.words(mask, Some(self.active()))?;
        let together = Together { lanes: self, operation, data, index };
        let mut results = Datum::default();
        for lane in lanes_of(self.active()) {
            // Each lane goes by its own mask (S-01).
            let participants = masks[lane].map(|mask| mask & self.active());
            results[lane] = match participants {
                None => self.undefined(operation.result()),
                // S-06: in every active lane.
                Some(participants) if operation.kind == Kind::FirstParticipant => {
                    word(lanes_of(participants).next().map_or(u32::MAX, |lane| lane as u32))
                }
                Some(participants) if participants >> lane & 1 == 1 => together.inside(lane, participants),
                Some(_) if pass_through == Operand::Dead => self.undefined(operation.result()),
                Some(_) => self.read(pass_through, lane)?,
            };
        }
        Ok(results)
    }

    /// A 32-bit operand by lane, or this where there is none.
    fn words(&self, operand: Option<Operand>, or: Option<u32>) -> Result<[Option<u32>; LANES], NotModelled> {
        let mut words = [or; LANES];
        if let Some(operand) = operand {
            for lane in lanes_of(self.active()) {
                words[lane] = self.read(operand, lane)?.first().copied().flatten().map(|bits| bits as u32);
            }
        }
        Ok(words)
    }
}

fn word(bits: u32) -> Elements {
    smallvec::smallvec![Some(u128::from(bits))]
}

fn predicate(holds: bool) -> Elements {
    word(u32::from(holds))
}

impl Together<'_> {
    /// What a participant gets.
    fn inside(&self, lane: usize, participants: u32) -> Elements {
        let first = lanes_of(participants).next().unwrap_or(lane);
        let quad = participants & QUAD.map_or(0, |quad| cluster_of(lane, quad));
        match self.operation.kind {
            Kind::ActiveMask => word(self.lanes.active()),
            Kind::FirstParticipant => word(first as u32),
            Kind::Elect => predicate(lane == first),
            Kind::Ballot { .. } => self.or_undefined(self.where_true(participants).map(word)),
            Kind::VoteAny => self.any(participants),
            Kind::VoteAll => self.every(participants),
            Kind::QuadAny => self.any(quad),
            Kind::QuadAll => self.every(quad),
            Kind::VoteAllEqual => self.or_undefined(self.all_equal(participants).map(predicate)),
            Kind::MatchAny => self.or_undefined(self.same_bits(lane, participants).map(word)),
            Kind::MatchAll => {
                let same = self.same_bits(lane, participants);
                self.or_undefined(same.map(|same| word(if same == participants { same } else { 0 })))
            }
            Kind::ReadFirstInvocation => self.value_of(first, lane, participants),
            Kind::ReadInvocation => {
                let same = lanes_of(participants).all(|other| self.index[other] == self.index[lane]);
                match self.index[lane] {
                    Some(index) if same => self.value_of(index as usize % LANES, lane, participants),
                    _ => self.undefined(),
                }
            }
            Kind::Shuffle { kind, segmented } => match self.index[lane] {
                Some(index) => match shuffle::source(kind, segmented, lane, index) {
                    Some(source) => self.value_of(source, lane, participants),
                    None => self.data[lane].clone(),
                },
                None => self.undefined(),
            },
            Kind::Rotate(cluster) => match self.index[lane] {
                Some(index) => {
                    let size = usize::from(cluster.lanes());
                    let place = (lane % size + index as usize % size) % size;
                    self.value_of(lane / size * size + place, lane, participants)
                }
                None => self.undefined(),
            },
            Kind::QuadBroadcast => match self.index[lane] {
                Some(index @ 0..=3) => self.value_of(lane / 4 * 4 + index as usize, lane, participants),
                _ => self.undefined(),
            },
            Kind::QuadSwap(axis) => {
                let partner = match axis {
                    Axis::Horizontal => lane ^ 1,
                    Axis::Vertical => lane ^ 2,
                    Axis::Diagonal => lane ^ 3,
                };
                self.value_of(partner, lane, participants)
            }
            Kind::Derivative { axis, fine } => self.derivative(lane, participants, axis, fine),
            Kind::Reduce { .. } => self.reduce(lane, participants),
        }
    }

    fn undefined(&self) -> Elements {
        self.lanes.undefined(self.operation.result())
    }

    fn or_undefined(&self, elements: Option<Elements>) -> Elements {
        elements.unwrap_or_else(|| self.undefined())
    }

    /// The value of lane `of` as `lane` reads it.
    fn value_of(&self, of: usize, lane: usize, participants: u32) -> Elements {
        let takes_part = of < LANES && participants >> of & 1 == 1;
        match self.operation.inactive {
            _ if takes_part => self.data[of].clone(),
            InactiveSource::Own => self.data[lane].clone(),
            InactiveSource::Undefined => self.undefined(),
        }
    }

    /// The predicate of a lane; `None` where it is undefined.
    fn truth(&self, lane: usize) -> Option<bool> {
        self.data[lane].first().copied().flatten().map(|bits| bits != 0)
    }

    /// The lanes of a set whose predicate is true; `None` where one is undefined.
    fn where_true(&self, set: u32) -> Option<u32> {
        lanes_of(set).try_fold(0, |found, lane| Some(found | u32::from(self.truth(lane)?) << lane))
    }

    /// Whether the predicate of any is true: one decides, whatever the others are.
    fn any(&self, set: u32) -> Elements {
        if lanes_of(set).any(|lane| self.truth(lane) == Some(true)) {
            return predicate(true);
        }
        self.or_undefined(self.where_true(set).map(|_| predicate(false)))
    }

    fn every(&self, set: u32) -> Elements {
        if lanes_of(set).any(|lane| self.truth(lane) == Some(false)) {
            return predicate(false);
        }
        self.or_undefined(self.where_true(set).map(|_| predicate(true)))
    }

    /// The bits of a lane's data; `None` where an element is undefined.
    fn bits(&self, lane: usize) -> Option<Vec<u128>> {
        self.data[lane].iter().copied().collect()
    }

    fn all_equal(&self, set: u32) -> Option<bool> {
        let data: Vec<Vec<u128>> = lanes_of(set).map(|lane| self.bits(lane)).collect::<Option<_>>()?;
        let equals = |a: &Vec<u128>, b: &Vec<u128>| {
            a.iter().zip(b).all(|(&a, &b)| equal(self.operation.element, a, b))
        };
        // Each with each, itself included: a NaN equals nothing, not even itself.
        Some(data.iter().all(|a| data.iter().all(|b| equals(a, b))))
    }

    /// The lanes of a set with the bits of this lane.
    fn same_bits(&self, lane: usize, set: u32) -> Option<u32> {
        let own = self.bits(lane)?;
        lanes_of(set).try_fold(0, |same, lane| Some(same | u32::from(self.bits(lane)? == own) << lane))
    }

    fn derivative(&self, lane: usize, participants: u32, axis: Axis, fine: bool) -> Elements {
        let distance = match axis {
            Axis::Horizontal => 1,
            Axis::Vertical => 2,
            Axis::Diagonal => return self.undefined(),
        };
        // Left or upper neighbour: of the own row or column, or of the first.
        let near = if fine { lane & !distance } else { lane & !3 };
        let near_value = self.value_of(near, lane, participants);
        let far_value = self.value_of(near + distance, lane, participants);
        let element = |(far, near): (Option<u128>, Option<u128>)| match (far, near) {
            (Some(far), Some(near)) => Some(difference(self.operation.element, far, near)),
            _ => self.lanes.undefined_element(u32::from(self.operation.element.bits())),
        };
        far_value.into_iter().zip(near_value).map(element).collect()
    }

    fn reduce(&self, lane: usize, participants: u32) -> Elements {
        let Kind::Reduce { reduction, scope, cluster, partitioned } = self.operation.kind else {
            return self.undefined();
        };
        let combined = if partitioned {
            // The part of a lane has the lane in it, and its lanes have the same mask.
            let part = |lane: usize| self.index[lane].map(|mask| mask & participants);
            match part(lane) {
                Some(own) if own >> lane & 1 == 1 && lanes_of(own).all(|other| part(other) == Some(own)) => {
                    own
                }
                _ => return self.undefined(),
            }
        } else {
            participants & cluster_of(lane, cluster)
        };
        // Only lanes that go into the result matter.
        let used = |other: usize| match scope {
            crate::Scope::Reduce => true,
            crate::Scope::Inclusive => other <= lane,
            crate::Scope::Exclusive => other < lane,
        };
        let element: Element = self.operation.element;
        let of_element = |i: usize| {
            let mut data = [0; LANES];
            for other in lanes_of(combined) {
                match self.data[other][i] {
                    Some(bits) => data[other] = bits,
                    None if used(other) => return self.lanes.undefined_element(u32::from(element.bits())),
                    None => {}
                }
            }
            let reduce = Reduce { reduction, scope, cluster, partitioned, element, data: &data };
            Some(reduce.of_lane(lane, combined))
        };
        (0..usize::from(element.elements())).map(of_element).collect()
    }
}
