//! The shapes of kernels: how a function of one lane becomes a handler of a batch.
//!
//! A shape reads all sources of 32 lanes before it writes any (T-08): different registers never overlap, and lane `l`
//! of a result depends on lane `l` of the sources only. Kernels must be total: they also run on inactive lanes.

use super::lanes::*;
use crate::batch::{Batch, Handler, LANES, MAX_BATCH, Op};
use crate::level::Level;

use super::number::FLAGS;

/// Makes a module with `select::<Kernel>(level)` out of a generic body, compiled for every level.
macro_rules! shape {
    ($(#[$meta:meta])* $name:ident, $bound:path, $body:path) => {
        $(#[$meta])*
        pub mod $name {
            use super::*;
            unsafe fn plain<K: $bound>(batch: &Batch, op: &Op) {
                // SAFETY: the caller's promise.
                unsafe { $body(Plain, std::marker::PhantomData::<K>, batch, op) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            unsafe fn avx2<K: $bound>(batch: &Batch, op: &Op) {
                // SAFETY: the caller's promise.
                unsafe { $body(Avx2, std::marker::PhantomData::<K>, batch, op) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            unsafe fn avx512<K: $bound>(batch: &Batch, op: &Op) {
                // SAFETY: the caller's promise.
                unsafe { $body(Avx512, std::marker::PhantomData::<K>, batch, op) }
            }
            /// The handler that runs `K` on a host of this level.
            pub fn select<K: $bound>(level: Level) -> Handler {
                #[cfg(target_arch = "x86_64")]
                match level {
                    Level::Plain => plain::<K>,
                    Level::Avx2 => avx2::<K>,
                    Level::Avx512 => avx512::<K>,
                }
                #[cfg(not(target_arch = "x86_64"))]
                {
                    let _ = level;
                    plain::<K>
                }
            }
        }
    };
}
pub(super) use shape;

/// The chunks of all `elements` of every sub-group with active lanes, each with its mask.
#[inline(always)]
pub fn chunks(batch: &Batch, elements: usize) -> Chunks<'_> {
    Chunks { batch, next: 0, end: elements * batch.count, group: 0 }
}

/// See [`chunks`].
pub struct Chunks<'a> {
    batch: &'a Batch,
    next: usize,
    end: usize,
    group: usize,
}

impl Iterator for Chunks<'_> {
    type Item = (usize, u32);
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, u32)> {
        while self.next < self.end {
            let (chunk, mask) = (self.next, self.batch.masks[self.group % MAX_BATCH]);
            self.next += 1;
            self.group += 1;
            if self.group == self.batch.count {
                self.group = 0;
            }
            if mask != 0 {
                return Some((chunk, mask));
            }
        }
        None
    }
}

/// Writes the active lanes of a result.
///
/// # Safety
/// As for [`store_masked`].
#[inline(always)]
pub unsafe fn put<S: Simd, T: Copy>(to: *mut T, mask: u32, value: Lanes<T>) {
    // SAFETY: the caller's promise.
    unsafe {
        if mask == !0 {
            store(to, value);
        } else {
            store_masked::<S, T>(to, mask, value);
        }
    }
}

/// `dst = f(src0)`; `extra` is [`Op::extra`], the same for all lanes.
pub trait Map1 {
    /// Type of the source.
    type A: Copy;
    /// Type of the result.
    type D: Copy;
    /// One lane.
    fn lane(a: Self::A, extra: u32) -> Self::D;
}

/// `dst = f(src0, src1)`.
pub trait Map2 {
    /// Type of `src0`.
    type A: Copy;
    /// Type of `src1`.
    type B: Copy;
    /// Type of the result.
    type D: Copy;
    /// Bits of `extra` that are mostly clear and make the kernel slower.
    const FLAGS: u32 = 0;
    /// One lane.
    fn lane(a: Self::A, b: Self::B, extra: u32) -> Self::D;
}

/// `dst = f(src0, src1, src2)`.
pub trait Map3 {
    /// Type of `src0`.
    type A: Copy;
    /// Type of `src1`.
    type B: Copy;
    /// Type of `src2`.
    type C: Copy;
    /// Type of the result.
    type D: Copy;
    /// One lane.
    fn lane(a: Self::A, b: Self::B, c: Self::C, extra: u32) -> Self::D;
}

/// A comparison of `src0` and `src1`.
pub trait Compare {
    /// Type of the sources.
    type A: Lane;
    /// One lane.
    fn lane(a: Self::A, b: Self::A, extra: u32) -> bool;
}

#[inline(always)]
unsafe fn map1_body<S: Simd, K: Map1>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let a = load(chunk::<K::A>(batch, op.operands[1], c));
            let d: Lanes<K::D> = array!(i => K::lane(a[i], op.extra));
            put::<S, K::D>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}

#[inline(always)]
unsafe fn map2_body<S: Simd, K: Map2>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe {
        if op.extra & K::FLAGS == 0 {
            map2_with::<S, K>(batch, op, op.extra & !K::FLAGS);
        } else {
            map2_with::<S, K>(batch, op, op.extra);
        }
    }
}

#[inline(always)]
unsafe fn map2_with<S: Simd, K: Map2>(batch: &Batch, op: &Op, extra: u32) {
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let a = load(chunk::<K::A>(batch, op.operands[1], c));
            let b = load(chunk::<K::B>(batch, op.operands[2], c));
            let d: Lanes<K::D> = array!(i => K::lane(a[i], b[i], extra));
            put::<S, K::D>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}

#[inline(always)]
unsafe fn map3_body<S: Simd, K: Map3>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let a = load(chunk::<K::A>(batch, op.operands[1], c));
            let b = load(chunk::<K::B>(batch, op.operands[2], c));
            let s = load(chunk::<K::C>(batch, op.operands[3], c));
            let d: Lanes<K::D> = array!(i => K::lane(a[i], b[i], s[i], op.extra));
            put::<S, K::D>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}

shape!(map1, Map1, map1_body);
shape!(map2, Map2, map2_body);
shape!(map3, Map3, map3_body);

/// The function of one lane for a kernel with up to four sources of 32 bits.
pub trait Map4 {
    /// One lane.
    fn lane(sources: [u32; 4], extra: u32) -> u32;
}

#[inline(always)]
unsafe fn map4_body<S: Simd, K: Map4>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let a = load(chunk::<u32>(batch, op.operands[1], c));
            let b = load(chunk::<u32>(batch, op.operands[2], c));
            let s = load(chunk::<u32>(batch, op.operands[3], c));
            let t = load(chunk::<u32>(batch, op.operands[4], c));
            let d: Lanes<u32> = array!(i => K::lane([a[i], b[i], s[i], t[i]], op.extra));
            put::<S, u32>(chunk(batch, op.operands[0], c), mask, d);
        }
    }
}

/// Writes the result of a comparison to a predicate; [`NEGATE`] in [`Op::extra`] turns it round.
#[inline(always)]
unsafe fn predicate_body<S: Simd, K: Compare>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    let negate = if op.extra & NEGATE != 0 { !0 } else { 0 };
    for (c, mask) in chunks(batch, 1) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let a = load(chunk::<K::A>(batch, op.operands[1], c));
            let b = load(chunk::<K::A>(batch, op.operands[2], c));
            let truth = array!(i => K::A::truth(K::lane(a[i], b[i], op.extra)));
            let result = mask_of::<S, K::A>(truth) ^ negate;
            put_predicate(batch.at::<u32>(op.operands[0]).add(c), mask, result);
        }
    }
}

/// Bit of [`Op::extra`] that turns a comparison round.
pub const NEGATE: u32 = 1 << 23;

/// Writes the active bits of a predicate.
///
/// # Safety
/// The word must be readable and writable.
#[inline(always)]
pub unsafe fn put_predicate(to: *mut u32, mask: u32, value: u32) {
    // SAFETY: the caller's promise.
    unsafe { to.write(value & mask | to.read() & !mask) }
}

shape!(
    /// Five operands of 32 bits.
    map4, Map4, map4_body
);
shape!(
    /// A comparison into a predicate.
    predicate, Compare, predicate_body
);

/// Elements of each operand, from the top byte of [`Op::extra`], where [`super::select`] puts them.
#[inline(always)]
pub fn elements(op: &Op) -> usize {
    (op.extra >> 24) as usize
}

/// The exact result of one lane with `N` sources of one type.
pub trait Exact<const N: usize> {
    /// Type of the sources.
    type A: Copy;
    /// Type of the result.
    type D: Copy;
    /// One lane.
    fn exact(sources: [Self::A; N], extra: u32) -> Self::D;
}

/// A kernel with a fast function that may ask for the exact one lane by lane.
pub trait Fast<const N: usize>: Exact<N, A: Lane, D: Lane> {
    /// Whether the fast function needs [`Level::Avx2`]; below it, all lanes are computed exactly.
    const NEEDS_AVX2: bool = false;
    /// The result, and whether it must be computed again by [`Exact::exact`].
    fn fast(sources: [Self::A; N], extra: u32) -> (Self::D, bool);
}

/// The sources of one lane.
///
/// # Safety
/// As for [`chunk`].
#[inline(always)]
pub unsafe fn sources<A: Copy, const N: usize>(batch: &Batch, op: &Op, c: usize, lane: usize) -> [A; N] {
    // SAFETY: the caller's promise.
    array!(k < N => unsafe { chunk::<A>(batch, op.operands[k + 1], c).add(lane).read() })
}

/// [`Exact::exact`] as one function for everybody: it is long.
#[inline(never)]
fn exact_lane<K: Exact<N>, const N: usize>(sources: [K::A; N], extra: u32) -> K::D {
    K::exact(sources, extra)
}

/// The active lanes of one chunk, exactly.
///
/// # Safety
/// As for [`chunk`].
#[inline(always)]
pub unsafe fn exact_lanes<K: Exact<N>, const N: usize>(batch: &Batch, op: &Op, c: usize, mask: u32) {
    // SAFETY: the caller's promise. A lane is written after its sources were read.
    unsafe {
        let to = chunk::<K::D>(batch, op.operands[0], c);
        for lane in active(mask) {
            to.add(lane).write(exact_lane::<K, N>(sources::<K::A, N>(batch, op, c, lane), op.extra));
        }
    }
}

/// The handler that runs an [`Exact`] kernel.
///
/// # Safety
/// As for [`Handler`].
pub unsafe fn exact<K: Exact<N>, const N: usize>(batch: &Batch, op: &Op) {
    // SAFETY: the operands were decoded for this batch.
    for (c, mask) in chunks(batch, elements(op)) {
        unsafe { exact_lanes::<K, N>(batch, op, c, mask) }
    }
}

/// Computes the lanes of `repair` exactly. The other results stay with the caller: handed over, they would have to lie in
/// memory on the usual way, too.
#[cold]
#[inline(never)]
unsafe fn repaired<K: Exact<N>, const N: usize>(
    batch: &Batch,
    op: &Op,
    c: usize,
    repair: u32,
    into: &mut [std::mem::MaybeUninit<K::D>; LANES],
) {
    for lane in active(repair) {
        // SAFETY: the operands were decoded for this batch; nothing of this chunk was written yet.
        let value = unsafe { exact_lane::<K, N>(sources::<K::A, N>(batch, op, c, lane), op.extra) };
        into[lane].write(value);
    }
}

/// Writes the lanes of `mask`, those of `repair` computed again.
///
/// # Safety
/// As for [`put`] and [`chunk`].
#[inline(always)]
pub unsafe fn finish<S: Simd, K: Exact<N>, const N: usize>(
    batch: &Batch,
    op: &Op,
    c: usize,
    (mask, repair): (u32, u32),
    value: Lanes<K::D>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let to: *mut K::D = chunk(batch, op.operands[0], c);
        let repair = repair & mask;
        if repair == 0 {
            put::<S, K::D>(to, mask, value);
            return;
        }
        // Sources first, since the destination may be one of them.
        let mut exact = [const { std::mem::MaybeUninit::uninit() }; LANES];
        repaired::<K, N>(batch, op, c, repair, &mut exact);
        put::<S, K::D>(to, mask, value);
        for lane in active(repair) {
            to.add(lane).write(exact[lane].assume_init());
        }
    }
}

#[inline(always)]
unsafe fn fast_body<S: Simd, K: Fast<N>, const N: usize>(batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe {
        if K::NEEDS_AVX2 && !S::AVX2 {
            exact::<K, N>(batch, op);
        } else if op.extra & FLAGS == 0 {
            // Without qualifiers, most of the work falls away.
            fast_with::<S, K, N>(batch, op, 0);
        } else {
            fast_with::<S, K, N>(batch, op, op.extra);
        }
    }
}

#[inline(always)]
unsafe fn fast_with<S: Simd, K: Fast<N>, const N: usize>(batch: &Batch, op: &Op, extra: u32) {
    for (c, mask) in chunks(batch, elements(op)) {
        // SAFETY: the operands were decoded for this batch.
        unsafe {
            let x: [Lanes<K::A>; N] = array!(k < N => load(chunk::<K::A>(batch, op.operands[k + 1], c)));
            let mut repair = [<K::D as Lane>::truth(false); LANES];
            let d: Lanes<K::D> = array!(i => {
                let (value, again) = K::fast(array!(k < N => x[k][i]), extra);
                repair[i] = <K::D as Lane>::truth(again);
                value
            });
            finish::<S, K, N>(batch, op, c, (mask, mask_of::<S, K::D>(repair)), d);
        }
    }
}

#[inline(always)]
unsafe fn fast1_body<S: Simd, K: Fast<1>>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe { fast_body::<S, K, 1>(batch, op) }
}
#[inline(always)]
unsafe fn fast2_body<S: Simd, K: Fast<2>>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe { fast_body::<S, K, 2>(batch, op) }
}
#[inline(always)]
unsafe fn fast3_body<S: Simd, K: Fast<3>>(_: S, _: std::marker::PhantomData<K>, batch: &Batch, op: &Op) {
    // SAFETY: the caller's promise.
    unsafe { fast_body::<S, K, 3>(batch, op) }
}
shape!(fast1, Fast<1>, fast1_body);
shape!(fast2, Fast<2>, fast2_body);
shape!(fast3, Fast<3>, fast3_body);
