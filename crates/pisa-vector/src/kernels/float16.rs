//! Arithmetic of `hf` and `bf` in `.re`, in single precision of the host.
//!
//! Single precision has 24 bits, at least 2p + 2 for the 11 and 8 bits of these formats, so a sum, product, quotient or
//! square root that is rounded twice is the one that is rounded once. What remains: results too small for single precision
//! (`bf` only), which are computed again exactly; and fused multiply-add, where the sum of the exact product and the addend
//! is rounded to odd, which no second rounding spoils.

use std::marker::PhantomData;

use pisa_float::{Bf, F, Hf, Rounding};
use pisa_isa::{Qualifier, SlotName};
use pisa_module::Instruction;

use super::float::{Add, Div, Fma, Mul, Reciprocal, Sqrt, Sub};
use super::lanes::*;
use super::number::*;
use super::shape::*;
use crate::batch::{Batch, Handler, LANES, Op};
use crate::level::Level;

/// `hf` or `bf`.
pub trait Half: Number<Word = u16> {
    /// The same values in single precision; NaNs are quieted and keep their payload.
    ///
    /// # Safety
    /// The host must have the instruction set `S`, at least AVX2.
    unsafe fn widen<S: Simd>(a: Lanes<u16>) -> Lanes<f32>;
    /// Rounded to nearest even; of a NaN, some NaN.
    ///
    /// # Safety
    /// The host must have the instruction set `S`, at least AVX2.
    unsafe fn narrow<S: Simd>(a: Lanes<f32>) -> Lanes<u16>;
    /// Whether a product or quotient of this format can be below the normal numbers of single precision.
    const SMALL: bool;
}

impl Half for Hf {
    #[inline(always)]
    unsafe fn widen<S: Simd>(a: Lanes<u16>) -> Lanes<f32> {
        let mut wide = [0f32; LANES];
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the host has F16C, or AVX-512 F, by the caller's promise; each access is within the 32 elements.
        unsafe {
            use std::arch::x86_64::*;
            let from = a.as_ptr();
            let to = wide.as_mut_ptr();
            if S::AVX512 {
                for i in 0..2 {
                    let half = _mm256_loadu_si256(from.add(i * 16).cast());
                    _mm512_storeu_ps(to.add(i * 16), _mm512_cvtph_ps(half));
                }
            } else {
                for i in 0..4 {
                    let half = _mm_loadu_si128(from.add(i * 8).cast());
                    _mm256_storeu_ps(to.add(i * 8), _mm256_cvtph_ps(half));
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        for lane in 0..LANES {
            wide[lane] = f32::from_bits(pisa_float::extend::<Hf, F>(a[lane]));
        }
        wide
    }

    #[inline(always)]
    unsafe fn narrow<S: Simd>(a: Lanes<f32>) -> Lanes<u16> {
        let mut half = [0u16; LANES];
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the host has F16C, or AVX-512 F, by the caller's promise; each access is within the 32 elements.
        unsafe {
            use std::arch::x86_64::*;
            let from = a.as_ptr();
            let to = half.as_mut_ptr();
            if S::AVX512 {
                for i in 0..2 {
                    let wide = _mm512_loadu_ps(from.add(i * 16));
                    let narrow = _mm512_cvtps_ph::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(wide);
                    _mm256_storeu_si256(to.add(i * 16).cast(), narrow);
                }
            } else {
                for i in 0..4 {
                    let wide = _mm256_loadu_ps(from.add(i * 8));
                    let narrow = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
                    _mm_storeu_si128(to.add(i * 8).cast(), narrow);
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        for lane in 0..LANES {
            half[lane] = pisa_float::truncate::<F, Hf>(a[lane].to_bits(), Default::default());
        }
        half
    }

    const SMALL: bool = false;
}

impl Half for Bf {
    #[inline(always)]
    unsafe fn widen<S: Simd>(a: Lanes<u16>) -> Lanes<f32> {
        array!(i => widen_bf(a[i]))
    }
    #[inline(always)]
    unsafe fn narrow<S: Simd>(a: Lanes<f32>) -> Lanes<u16> {
        array!(i => narrow_bf(a[i].to_bits()))
    }
    const SMALL: bool = true;
}

/// A `bf` in single precision; NaNs are quieted (D-06).
#[inline(always)]
pub fn widen_bf(a: u16) -> f32 {
    let quiet = if Bf::nan(a) { 1 << 22 } else { 0 };
    f32::from_bits((a as u32) << 16 | quiet)
}

/// Single precision rounded to nearest even; a NaN keeps its sign and the top of its payload and is quiet.
#[inline(always)]
pub fn narrow_bf(a: u32) -> u16 {
    // Half a unit, less one where the last bit that stays is even; a carry runs into the exponent, up to infinity.
    let rounded = a.wrapping_add(0x7fff + (a >> 16 & 1)) >> 16;
    (if F::nan(a) { a >> 16 | 0x40 } else { rounded }) as u16
}

/// A kernel that computes in single precision.
pub trait HalfKernel<const N: usize>: Exact<N, A = u16, D = u16> {
    /// The format.
    type T: Half;
    /// The result before the last rounding, and whether it must be computed exactly. NaNs are found elsewhere.
    fn fast(sources: [f32; N], extra: u32) -> (f32, bool);
}

/// Whether single precision may have lost bits of a value because it is tiny.
#[inline(always)]
fn tiny(a: f32) -> bool {
    a.abs() < f32::MIN_POSITIVE
}

impl<T: Half> HalfKernel<2> for Add<T> {
    type T = T;
    #[inline(always)]
    fn fast(x: [f32; 2], _: u32) -> (f32, bool) {
        // A sum of `bf` or `hf` values that is tiny is exact.
        (x[0] + x[1], false)
    }
}
impl<T: Half> HalfKernel<2> for Sub<T> {
    type T = T;
    #[inline(always)]
    fn fast(x: [f32; 2], _: u32) -> (f32, bool) {
        (x[0] - x[1], false)
    }
}
impl<T: Half> HalfKernel<2> for Mul<T> {
    type T = T;
    #[inline(always)]
    fn fast(x: [f32; 2], _: u32) -> (f32, bool) {
        let product = x[0] * x[1];
        (product, T::SMALL && tiny(product) && x[0] != 0.0 && x[1] != 0.0)
    }
}
impl<T: Half> HalfKernel<2> for Div<T> {
    type T = T;
    #[inline(always)]
    fn fast(x: [f32; 2], _: u32) -> (f32, bool) {
        let quotient = x[0] / x[1];
        (quotient, T::SMALL && tiny(quotient) && x[0] != 0.0 && x[1].abs() < f32::INFINITY)
    }
}
impl<T: Half> HalfKernel<1> for Reciprocal<T> {
    type T = T;
    #[inline(always)]
    fn fast(x: [f32; 1], _: u32) -> (f32, bool) {
        let quotient = 1.0 / x[0];
        (quotient, T::SMALL && tiny(quotient) && x[0].abs() < f32::INFINITY)
    }
}
impl<T: Half> HalfKernel<1> for Sqrt<T> {
    type T = T;
    #[inline(always)]
    fn fast(x: [f32; 1], _: u32) -> (f32, bool) {
        (x[0].sqrt(), false)
    }
}
impl<T: Half> HalfKernel<3> for Fma<T> {
    type T = T;
    #[inline(always)]
    fn fast(x: [f32; 3], _: u32) -> (f32, bool) {
        // 22 or 16 bits: exact, but for products of `bf` that are too small or too large.
        let product = x[0] * x[1];
        let magnitude = product.abs();
        // The last bit of a product of `bf` is 2^-14 of the first.
        let safe = (f32::MIN_POSITIVE * 16384.0..f32::INFINITY).contains(&magnitude);
        let again = T::SMALL && !safe && x[0] != 0.0 && x[1] != 0.0;
        let sum = product + x[2];
        // The exact error of the sum (Knuth).
        let back = sum - product;
        let error = (product - (sum - back)) + (x[2] - back);
        // To odd: where bits were lost and the last bit is even, the neighbour on the side of the exact sum.
        let bits = sum.to_bits();
        let up = (error > 0.0) == (sum > 0.0);
        let neighbour = if up { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
        // Not where the sum is infinite: then the error is a NaN.
        let lost = error.abs() > 0.0;
        (f32::from_bits(if lost && bits & 1 == 0 { neighbour } else { bits }), again)
    }
}

/// The sources of a chunk, flushed and widened.
#[inline(always)]
unsafe fn widened<S: Simd, T: Half, const N: usize>(
    batch: &Batch,
    op: &Op,
    c: usize,
    extra: u32,
) -> [Lanes<f32>; N] {
    array!(k < N => {
        // SAFETY: the operands were decoded for this batch; the host has at least AVX2.
        unsafe {
            let a = load(chunk::<u16>(batch, op.operands[k + 1], c));
            <T as Half>::widen::<S>(array!(i => T::flush(a[i], extra)))
        }
    })
}

#[inline(always)]
unsafe fn half_body<S: Simd, K: HalfKernel<N>, const N: usize>(batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe {
        if !S::AVX2 {
            exact::<K, N>(batch, op);
        } else if op.extra & FLAGS == 0 {
            // Without qualifiers, some of the work falls away.
            half_with::<S, K, N>(batch, op, 0);
        } else {
            half_with::<S, K, N>(batch, op, op.extra);
        }
    }
}

#[inline(always)]
unsafe fn half_with<S: Simd, K: HalfKernel<N>, const N: usize>(batch: &Batch, op: &Op, extra: u32) {
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let x = widened::<S, K::T, N>(batch, op, c, extra);
            let mut repair = [0; LANES];
            let wide: Lanes<f32> = array!(i => {
                let (value, again) = K::fast(array!(k < N => x[k][i]), extra);
                // Saturation turns every NaN into +0, whichever it is.
                repair[i] = f32::truth(again || (value.is_nan() && extra & DSAT == 0));
                value
            });
            let d = <K::T as Half>::narrow::<S>(wide);
            let d = array!(i => K::T::clamp(K::T::flush(d[i], extra), extra));
            finish::<S, K, N>(batch, op, c, (mask, mask_of::<S, f32>(repair)), d);
        }
    }
}

#[inline(always)]
unsafe fn half1_body<S: Simd, K: HalfKernel<1>>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe { half_body::<S, K, 1>(batch, op) }
}
#[inline(always)]
unsafe fn half2_body<S: Simd, K: HalfKernel<2>>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe { half_body::<S, K, 2>(batch, op) }
}
#[inline(always)]
unsafe fn half3_body<S: Simd, K: HalfKernel<3>>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe { half_body::<S, K, 3>(batch, op) }
}
shape!(half1, HalfKernel<1>, half1_body);
shape!(half2, HalfKernel<2>, half2_body);
shape!(half3, HalfKernel<3>, half3_body);

/// `fmul.full`: into `f` (P-07, P-08).
pub struct Full<T>(PhantomData<T>);
impl Exact<2> for Full<Hf> {
    type A = u16;
    type D = u32;
    #[inline(always)]
    fn exact(x: [u16; 2], extra: u32) -> u32 {
        pisa_float::mul_full_hf(x[0], x[1], mode(extra))
    }
}
impl Exact<2> for Full<Bf> {
    type A = u16;
    type D = u32;
    #[inline(always)]
    fn exact(x: [u16; 2], extra: u32) -> u32 {
        pisa_float::mul_full_bf(x[0], x[1], mode(extra))
    }
}
/// A format with `fmul.full`.
pub trait FullProduct: Exact<2, A = u16, D = u32> {
    /// The format.
    type T: Half;
}
impl FullProduct for Full<Hf> {
    type T = Hf;
}
impl FullProduct for Full<Bf> {
    type T = Bf;
}

#[inline(always)]
unsafe fn full_body<S: Simd, K: FullProduct>(_: S, _: PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            if !S::AVX2 {
                exact_lanes::<K, 2>(batch, op, c, mask);
                continue;
            }
            let x = widened::<S, K::T, 2>(batch, op, c, op.extra);
            let mut repair = [0; LANES];
            let d: Lanes<u32> = array!(i => {
                let product = F::flush((x[0][i] * x[1][i]).to_bits(), op.extra);
                repair[i] = u32::truth(F::nan(product) && op.extra & DSAT == 0);
                F::clamp(product, op.extra)
            });
            finish::<S, K, 2>(batch, op, c, (mask, mask_of::<S, u32>(repair)), d);
        }
    }
}
shape!(full, FullProduct, full_body);

/// The handler of `fmul.full`.
pub fn select_full(instruction: &Instruction, level: Level) -> Option<Handler> {
    let nearest = rounding_of(instruction) == Rounding::NearestEven;
    Some(match instruction.qualifier(SlotName::Type)? {
        // A product of `hf` is exact, so the rounding mode is invisible.
        Qualifier::Hf => full::select::<Full<Hf>>(level),
        _ if nearest => full::select::<Full<Bf>>(level),
        _ => exact::<Full<Bf>, 2>,
    })
}
