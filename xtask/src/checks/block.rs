//! Blocks of inputs. One result at a time costs more in branches than in arithmetic, so each mode has its own loop over a block, and
//! blocks are compared as a whole. The oracle finds each exact result once and rounds it in every way.

use super::{rounding, suffix};
use crate::check::Tally;
use crate::oracle::{Layout, Outcome, WAYS, Way, flush, flush_and_clamp, is_denormal};
use pisa_float::{Bits, Mode};
use std::ops::Range;

/// Inputs of a block.
pub const BLOCK: usize = 256;

/// A result for each input.
pub type Block<R> = [R; BLOCK];

/// The first inputs of the blocks of a range, which has whole ones only.
pub fn blocks(range: Range<u64>) -> impl Iterator<Item = u64> {
    range.step_by(BLOCK)
}

/// A result for each input; the function gets its place in the block.
#[inline(always)]
pub fn block<R: Bits>(result: impl Fn(u64) -> R) -> Block<R> {
    let mut block = [R::default(); BLOCK];
    for (index, to) in block.iter_mut().enumerate() {
        *to = result(index as u64);
    }
    block
}

/// The results in all roundings, in the order of [`WAYS`].
#[inline(always)]
pub fn in_all_ways<R: Bits>(results: impl Fn(u64) -> [u64; 5]) -> [Block<R>; 5] {
    let mut blocks = [[R::default(); BLOCK]; 5];
    for index in 0..BLOCK {
        for (block, result) in blocks.iter_mut().zip(results(index as u64)) {
            block[index] = R::from_u64(result);
        }
    }
    blocks
}

/// The qualifiers of a mode.
pub fn qualifiers(mode: Mode) -> String {
    let way = WAYS.into_iter().find(|&way| rounding(way) == mode.rounding).map_or("", suffix);
    format!("{way}{}{}", if mode.ftz { ".ftz" } else { "" }, if mode.dsat { ".dsat" } else { "" })
}

/// Calls a macro for the modes: a constant each, so that each call is compiled for its own.
macro_rules! for_each_mode {
    ($call:ident: $($way:ident)*) => {$(
        $call!($way, false, false);
        $call!($way, true, false);
    )*};
}
pub(super) use for_each_mode;

/// What is compared with `.ftz` and `.dsat` besides the five roundings alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Each rounding with `.ftz`; `.re` with `.dsat` and `.ftz.dsat`.
    Whole,
    /// The same, but with `.ftz` only the blocks that have a denormal source or a denormal result.
    FlushedWhereDenormal,
    /// As before, and nothing with `.dsat`.
    WithoutClamp,
    /// `.re` alone and with `.ftz`.
    Nearest,
}

impl Extent {
    /// In words.
    pub const fn text(self) -> &'static str {
        match self {
            Extent::Whole => "five roundings, each plain and .ftz; .re with .dsat and .ftz.dsat",
            Extent::FlushedWhereDenormal => {
                "five roundings; .re with .dsat; both with .ftz where something is denormal"
            }
            Extent::WithoutClamp => "five roundings, with .ftz where something is denormal",
            Extent::Nearest => ".re, plain and .ftz",
        }
    }
}

/// Compares a function with all roundings.
///
/// `flushed` is the exact result of flushed sources, `None` where no source is denormal.
#[inline(always)]
pub fn compare_modes<To: Layout, R: Bits + Into<u64>>(
    tally: &mut Tally,
    extent: Extent,
    got: impl Fn(u64, Mode) -> R,
    exact: impl Fn(u64) -> Outcome,
    flushed: Option<impl Fn(u64) -> Outcome>,
    case: impl Fn(usize, String) -> String,
) {
    let exact = in_all_ways(|index| exact(index).in_all_ways::<To>());
    let of_flushed: Option<[Block<R>; 5]> =
        flushed.map(|flushed| in_all_ways(|index| flushed(index).in_all_ways::<To>()));
    let flushed = of_flushed.as_ref().unwrap_or(&exact);
    macro_rules! compare {
        ($way:ident, $ftz:literal, $dsat:literal) => {{
            let mode = const { Mode { rounding: rounding(Way::$way), ftz: $ftz, dsat: $dsat } };
            let rounded = if $ftz { &flushed[Way::$way as usize] } else { &exact[Way::$way as usize] };
            let expected = block(|index| {
                let bits = rounded[index as usize].to_u64();
                R::from_u64(flush_and_clamp::<To>(bits, $ftz, $dsat))
            });
            let got = block(|index| got(index, mode));
            tally.compare_all(&got, &expected, |index| case(index, qualifiers(mode)));
        }};
    }
    compare!(Even, false, false);
    if extent == Extent::Nearest {
        compare!(Even, true, false);
        return;
    }
    compare!(Down, false, false);
    compare!(Up, false, false);
    compare!(Zero, false, false);
    compare!(Away, false, false);
    let dsat = extent != Extent::WithoutClamp;
    if dsat {
        compare!(Even, false, true);
    }
    let denormal = |results: &Block<R>| results.iter().any(|&bits| is_denormal::<To>(bits.to_u64()));
    if extent == Extent::Whole || of_flushed.is_some() || exact.iter().any(denormal) {
        compare!(Even, true, false);
        compare!(Down, true, false);
        compare!(Up, true, false);
        compare!(Zero, true, false);
        compare!(Away, true, false);
        if dsat {
            compare!(Even, true, true);
        }
    }
}

/// A source flushed.
#[inline(always)]
pub fn flushed<L: Layout>(ftz: bool, bits: u64) -> u64 {
    if ftz { flush::<L>(bits) } else { bits }
}
