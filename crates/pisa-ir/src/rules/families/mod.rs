//! The families of rules.
//!
//! Masks are any operand here, and may differ between lanes (S-01), unless a condition says that they are uniform.

mod comparisons;
mod floats;
mod fusion;
mod integers;
mod masks;
mod reductions;
mod scans;
mod shuffles;
mod uniform;
mod votes;

use super::Family;

/// All of them.
pub(super) const ALL: &[&[Family]] = &[
    votes::FAMILIES,
    masks::FAMILIES,
    reductions::FAMILIES,
    scans::FAMILIES,
    uniform::FAMILIES,
    shuffles::FAMILIES,
    floats::FAMILIES,
    integers::FAMILIES,
    comparisons::FAMILIES,
];

/// Those that are for the end, see [`super::Stage::Last`].
pub(super) const LAST: &[&[Family]] = &[fusion::FAMILIES];

/// Integer reductions that have a native instruction and a lane-wise one of the same name: name, table opcode, identity.
const REDUCTIONS: &str =
    "sum/iadd/0 and/and/~0 or/or/0 xor/xor/0 smin/smin/MAX smax/smax/MIN umin/umin/~0 umax/umax/0";
/// Those of them that change nothing when a value is combined with itself.
const IDEMPOTENT: &str = "and/and/~0 or/or/0 smin/smin/MAX smax/smax/MIN umin/umin/~0 umax/umax/0";

/// A family.
const fn family(
    name: &'static str,
    over: &'static [(&'static str, &'static str)],
    pattern: &'static str,
    when: &'static str,
    replacement: &'static str,
) -> Family {
    Family { name, over, pattern, when, replacement }
}
