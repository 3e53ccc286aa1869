//! The 32 lanes of one sub-group as a value: loading, storing under a mask, blending, comparison masks.
//!
//! All functions are generic over the instruction set and inlined into functions compiled for it. Loops over the 32
//! elements of a local array become vector instructions; where the compiler does that badly (masks), intrinsics are
//! used.

use std::mem::MaybeUninit;

use crate::batch::{Batch, LANES, Plane};

/// 32 lanes of one scalar.
pub type Lanes<T> = [T; LANES];

/// An instruction set that a kernel is compiled for.
pub trait Simd {
    /// AVX2, FMA, BMI and F16C instructions may be used.
    const AVX2: bool;
    /// AVX-512 F, BW, CD, DQ and VL instructions may be used.
    const AVX512: bool;
}

/// [`crate::Level::Plain`].
pub struct Plain;
/// [`crate::Level::Avx2`].
pub struct Avx2;
/// [`crate::Level::Avx512`].
pub struct Avx512;

impl Simd for Plain {
    const AVX2: bool = false;
    const AVX512: bool = false;
}
impl Simd for Avx2 {
    const AVX2: bool = true;
    const AVX512: bool = false;
}
impl Simd for Avx512 {
    const AVX2: bool = true;
    const AVX512: bool = true;
}

/// A value that one lane holds.
pub trait Lane: Copy + 'static {
    /// A signed integer as wide as this: 0 or -1 as the result of a comparison.
    type Truth: Copy;
    /// -1 for true, 0 for false.
    fn truth(value: bool) -> Self::Truth;
    /// Whether the truth value is not 0.
    fn is_true(truth: Self::Truth) -> bool;
}

macro_rules! lane {
    ($($t:ty: $truth:ty),*) => { $(
        impl Lane for $t {
            type Truth = $truth;
            #[inline(always)]
            fn truth(value: bool) -> $truth {
                -(value as $truth)
            }
            #[inline(always)]
            fn is_true(truth: $truth) -> bool {
                truth != 0
            }
        }
    )* };
}
lane!(u8: i8, i8: i8, u16: i16, i16: i16, u32: i32, i32: i32, f32: i32, u64: i64, i64: i64, f64: i64);

/// 128 bits as two words, low one first.
pub type Wide = [u64; 2];

/// An array of the values that an expression has for each index, 32 where no count is given.
///
/// It is a plain loop: a closure could become a function of its own, which would lack the kernel's instruction set.
macro_rules! array {
    ($i:ident => $value:expr) => {
        array!($i < $crate::batch::LANES => $value)
    };
    ($i:ident < $count:expr => $value:expr) => {{
        let mut array = [const { std::mem::MaybeUninit::uninit() }; $count];
        for $i in 0..$count {
            array[$i].write($value);
        }
        // SAFETY: every element was written.
        #[allow(unused_unsafe)]
        let array = unsafe { $crate::kernels::lanes::written::<_, { $count }>(array) };
        array
    }};
}
pub(super) use array;

/// The values of an array whose elements were all written.
///
/// # Safety
/// They must have been.
#[inline(always)]
pub unsafe fn written<T: Copy, const N: usize>(array: [MaybeUninit<T>; N]) -> [T; N] {
    // SAFETY: the caller's promise; the two types have one layout.
    unsafe { (&raw const array).cast::<[T; N]>().read() }
}

/// First lane of chunk `chunk` of a plane: chunk `e * count + s` is element `e` of sub-group `s`.
///
/// # Safety
/// As for [`Batch::at`], and the chunk must be one of the plane's.
#[inline(always)]
pub unsafe fn chunk<T>(batch: &Batch, plane: Plane, chunk: usize) -> *mut T {
    // SAFETY: the caller's promise.
    unsafe { batch.at::<T>(plane).add(chunk * LANES) }
}

/// All 32 lanes.
///
/// # Safety
/// 32 elements must be readable.
#[inline(always)]
pub unsafe fn load<T: Copy>(from: *const T) -> Lanes<T> {
    // SAFETY: the caller's promise; an array has the alignment of its elements.
    unsafe { from.cast::<Lanes<T>>().read() }
}

/// Writes all 32 lanes.
///
/// # Safety
/// 32 elements must be writable.
#[inline(always)]
pub unsafe fn store<T: Copy>(to: *mut T, value: Lanes<T>) {
    // SAFETY: the caller's promise; an array has the alignment of its elements.
    unsafe { to.cast::<Lanes<T>>().write(value) }
}

/// Writes the lanes whose bit is set.
///
/// # Safety
/// 32 elements must be readable and writable, and the host must have the instruction set `S`.
#[inline(always)]
pub unsafe fn store_masked<S: Simd, T: Copy>(to: *mut T, mask: u32, value: Lanes<T>) {
    #[cfg(target_arch = "x86_64")]
    if S::AVX512 && size_of::<T>() <= 8 {
        use std::arch::x86_64::*;
        let from = (&raw const value).cast::<u8>();
        let to = to.cast::<u8>();
        // SAFETY: the host has AVX-512 by the caller's promise; each access is within the 32 elements.
        unsafe {
            match size_of::<T>() {
                1 => _mm256_mask_storeu_epi8(to.cast(), mask, _mm256_loadu_si256(from.cast())),
                2 => _mm512_mask_storeu_epi16(to.cast(), mask, _mm512_loadu_si512(from.cast())),
                4 => {
                    for half in 0..2 {
                        let v = _mm512_loadu_si512(from.add(half * 64).cast());
                        _mm512_mask_storeu_epi32(to.add(half * 64).cast(), (mask >> (half * 16)) as u16, v);
                    }
                }
                _ => {
                    for quarter in 0..4 {
                        let v = _mm512_loadu_si512(from.add(quarter * 64).cast());
                        let m = (mask >> (quarter * 8)) as u8;
                        _mm512_mask_storeu_epi64(to.add(quarter * 64).cast(), m, v);
                    }
                }
            }
        }
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if S::AVX2 && size_of::<T>() == 4 {
        use std::arch::x86_64::*;
        let from = (&raw const value).cast::<__m256i>();
        let to = to.cast::<__m256i>();
        // SAFETY: the host has AVX2 by the caller's promise; each access is within the 32 elements.
        unsafe {
            let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            for i in 0..4 {
                // The bit of each lane, spread over the lane. Exclusive ors rather than a blend: the compiler makes
                // masked stores of blends, which are slow on some hosts.
                let bits = _mm256_and_si256(_mm256_set1_epi32((mask >> (i * 8)) as i32), bit);
                let chosen = _mm256_cmpeq_epi32(bits, bit);
                let (old, new) = (_mm256_loadu_si256(to.add(i)), _mm256_loadu_si256(from.add(i)));
                let change = _mm256_and_si256(_mm256_xor_si256(old, new), chosen);
                _mm256_storeu_si256(to.add(i), _mm256_xor_si256(old, change));
            }
        }
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { store(to, blend::<S, T>(mask, value, load(to))) }
}

/// `set` where the bit is set, else `clear`.
///
/// # Safety
/// The host must have the instruction set `S`.
#[inline(always)]
pub unsafe fn blend<S: Simd, T: Copy>(mask: u32, set: Lanes<T>, clear: Lanes<T>) -> Lanes<T> {
    #[cfg(target_arch = "x86_64")]
    if S::AVX512 && size_of::<T>() <= 8 {
        use std::arch::x86_64::*;
        let mut result = clear;
        let to = (&raw mut result).cast::<u8>();
        let from = (&raw const set).cast::<u8>();
        // SAFETY: the host has AVX-512 by the caller's promise; each access is within the 32 elements.
        unsafe {
            match size_of::<T>() {
                1 => {
                    let old = _mm256_loadu_si256(to.cast());
                    let v = _mm256_mask_mov_epi8(old, mask, _mm256_loadu_si256(from.cast()));
                    _mm256_storeu_si256(to.cast(), v);
                }
                2 => {
                    let old = _mm512_loadu_si512(to.cast());
                    let v = _mm512_mask_mov_epi16(old, mask, _mm512_loadu_si512(from.cast()));
                    _mm512_storeu_si512(to.cast(), v);
                }
                4 => {
                    for half in 0..2 {
                        let old = _mm512_loadu_si512(to.add(half * 64).cast());
                        let new = _mm512_loadu_si512(from.add(half * 64).cast());
                        let v = _mm512_mask_mov_epi32(old, (mask >> (half * 16)) as u16, new);
                        _mm512_storeu_si512(to.add(half * 64).cast(), v);
                    }
                }
                _ => {
                    for quarter in 0..4 {
                        let old = _mm512_loadu_si512(to.add(quarter * 64).cast());
                        let new = _mm512_loadu_si512(from.add(quarter * 64).cast());
                        let v = _mm512_mask_mov_epi64(old, (mask >> (quarter * 8)) as u8, new);
                        _mm512_storeu_si512(to.add(quarter * 64).cast(), v);
                    }
                }
            }
        }
        return result;
    }
    let mut result = clear;
    let to = (&raw mut result).cast::<u8>();
    let from = (&raw const set).cast::<u8>();
    macro_rules! bitwise {
        ($word:ty, $words:literal) => {{
            let (to, from) = (to.cast::<[$word; LANES * $words]>(), from.cast::<[$word; LANES * $words]>());
            // SAFETY: both arrays have 32 elements of `$words` words.
            let (old, new) = unsafe { (to.read_unaligned(), from.read_unaligned()) };
            let blended: [$word; LANES * $words] = array!(i < LANES * $words => {
                let keep = (mask & (1 << (i / $words)) == 0) as $word;
                (new[i] & keep.wrapping_sub(1)) | (old[i] & (0 as $word).wrapping_sub(keep))
            });
            // SAFETY: as above.
            unsafe { to.write_unaligned(blended) };
        }};
    }
    match size_of::<T>() {
        1 => bitwise!(u8, 1),
        2 => bitwise!(u16, 1),
        4 => bitwise!(u32, 1),
        // Halves and quarters: plain hosts compare 32 bits at most.
        8 if !S::AVX2 => bitwise!(u32, 2),
        8 => bitwise!(u64, 1),
        16 => bitwise!(u32, 4),
        _ => {
            for lane in active(mask) {
                result[lane] = set[lane];
            }
        }
    }
    result
}

/// Bit `l` is set where lane `l` is true.
///
/// # Safety
/// The host must have the instruction set `S`.
#[inline(always)]
pub unsafe fn mask_of<S: Simd, T: Lane>(truth: Lanes<T::Truth>) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if S::AVX512 || S::AVX2 {
        use std::arch::x86_64::*;
        let from = (&raw const truth).cast::<u8>();
        // SAFETY: the host has the instructions by the caller's promise; each access is within the 32 elements.
        unsafe {
            macro_rules! ymm {
                ($i:expr) => {
                    _mm256_loadu_si256(from.add($i * 32).cast())
                };
            }
            macro_rules! zmm {
                ($i:expr) => {
                    _mm512_loadu_si512(from.add($i * 64).cast())
                };
            }
            let mut mask = 0;
            match size_of::<T>() {
                1 => mask = _mm256_movemask_epi8(ymm!(0)) as u32,
                2 if S::AVX512 => mask = _mm512_movepi16_mask(zmm!(0)),
                2 => {
                    // Packing works on 128-bit halves; put the quarters back in order.
                    let packed = _mm256_packs_epi16(ymm!(0), ymm!(1));
                    mask = _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed)) as u32;
                }
                4 if S::AVX512 => {
                    for i in 0..2 {
                        mask |= (_mm512_movepi32_mask(zmm!(i)) as u32) << (i * 16);
                    }
                }
                4 => {
                    for i in 0..4 {
                        mask |= (_mm256_movemask_ps(_mm256_castsi256_ps(ymm!(i))) as u32) << (i * 8);
                    }
                }
                _ if S::AVX512 => {
                    for i in 0..4 {
                        mask |= (_mm512_movepi64_mask(zmm!(i)) as u32) << (i * 8);
                    }
                }
                _ => {
                    for i in 0..8 {
                        mask |= (_mm256_movemask_pd(_mm256_castsi256_pd(ymm!(i))) as u32) << (i * 4);
                    }
                }
            }
            return mask;
        }
    }
    let mut mask = 0;
    for (lane, &truth) in truth.iter().enumerate() {
        mask |= (T::is_true(truth) as u32) << lane;
    }
    mask
}

/// The lanes whose bit is set, in order.
pub fn active(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}
