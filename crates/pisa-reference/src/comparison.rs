//! Chapter 5 of the instruction reference: comparison and selection.
//!
//! A comparison gives `(src0 .cop src1) ? ~0 : 0`, cut to the destination: a bit for a predicate, a mask of 32 bits for a
//! register of any source type (P-16), a mask of 16 bits for each half of a packed one.

use crate::bits::{all_ones_if, signed};
use crate::floating_point::{in_format, number};
use crate::qualifiers::Qualifiers;
use pisa_float::Ordering4;
use pisa_isa::{Qualifier, SlotName};
use std::cmp::Ordering;

/// 5.1 `scmp`.
pub(crate) fn scmp(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    all_ones_if(holds(q, Some(signed(src0, q.width()).cmp(&signed(src1, q.width())))))
}

/// 5.2 `ucmp`.
pub(crate) fn ucmp(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    all_ones_if(holds(q, Some(src0.cmp(&src1))))
}

/// 5.3 `fcmp`. With a NaN only `.ne` holds; the zeros are equal (P-15); `.ftz` flushes the sources (P-02).
pub(crate) fn fcmp(q: &Qualifiers, [src0, src1]: [u128; 2]) -> u128 {
    let ordering = in_format!(q.format(SlotName::Type), T => {
        pisa_float::compare::<T>(number::<T>(src0), number::<T>(src1), q.ftz())
    });
    let ordering = match ordering {
        Ordering4::Less => Some(Ordering::Less),
        Ordering4::Equal => Some(Ordering::Equal),
        Ordering4::Greater => Some(Ordering::Greater),
        Ordering4::Unordered => None,
    };
    all_ones_if(holds(q, ordering))
}

/// Whether `.cop` holds for sources in this order; `None` is unordered.
fn holds(q: &Qualifiers, ordering: Option<Ordering>) -> bool {
    match (q.get(SlotName::Cop), ordering) {
        (Some(Qualifier::Ne), None) => true,
        (_, None) => false,
        (Some(Qualifier::Eq), Some(o)) => o.is_eq(),
        (Some(Qualifier::Ne), Some(o)) => o.is_ne(),
        (Some(Qualifier::Gt), Some(o)) => o.is_gt(),
        (Some(Qualifier::Ge), Some(o)) => o.is_ge(),
        (Some(Qualifier::Lt), Some(o)) => o.is_lt(),
        (_, Some(o)) => o.is_le(),
    }
}

/// 5.4 `sel`: `dst = (src2 != 0) ? src0 : src1`, a test of bits (D-30); a predicate is 0 or 1, after its `!`.
pub(crate) fn sel(_: &Qualifiers, [src0, src1, src2]: [u128; 3]) -> u128 {
    if src2 != 0 { src0 } else { src1 }
}
