//! Sets of lanes of a batch: one word a sub-group.

use crate::batch::MAX_BATCH;

/// One word a sub-group.
pub(crate) type Masks = [u32; MAX_BATCH];

/// No lane.
pub(crate) const NONE: Masks = [0; MAX_BATCH];

/// Both.
#[inline(always)]
pub(crate) fn and(a: Masks, b: Masks) -> Masks {
    let mut both = a;
    both.iter_mut().zip(b).for_each(|(a, b)| *a &= b);
    both
}

/// The first without the second.
#[inline(always)]
pub(crate) fn without(a: Masks, b: Masks) -> Masks {
    let mut rest = a;
    rest.iter_mut().zip(b).for_each(|(a, b)| *a &= !b);
    rest
}

/// Either.
#[inline(always)]
pub(crate) fn or(a: Masks, b: Masks) -> Masks {
    let mut all = a;
    all.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
    all
}

/// Whether a lane is in it.
#[inline(always)]
pub(crate) fn any(a: Masks) -> bool {
    a.iter().fold(0, |x, y| x | y) != 0
}

/// Sub-groups with a lane in it.
#[inline(always)]
pub(crate) fn subgroups(a: Masks) -> u32 {
    a.iter().map(|&m| u32::from(m != 0)).sum()
}

/// Lanes in it.
#[inline(always)]
pub(crate) fn lanes(a: Masks) -> u32 {
    a.iter().map(|m| m.count_ones()).sum()
}

/// All lanes of the sub-groups that have one in `a`.
#[inline(always)]
pub(crate) fn whole(a: Masks) -> Masks {
    a.map(|m| if m != 0 { u32::MAX } else { 0 })
}
