//! Memory instructions: addresses, bounds, loads, stores, atomics.
//!
//! Nothing here trusts an address: every element is looked for in an object, in the work-group's shared memory or in
//! the live part of the lane's private memory. Elsewhere loads give undefined bytes and stores do nothing (M-30).
#![allow(unsafe_code)] // Planes and simulated memory are raw host memory; bounds are checked here.

mod address;
mod atomic;
mod element;
mod linear;
mod modify;
mod stack;

use crate::Level;
use crate::batch::{Batch, LANES, MAX_BATCH};
use crate::code::{Access, AccessSpace, Action, ParameterLoad};
use crate::decode::parameter_bytes;
use crate::moves::each_lane;
use crate::private::Private;
pub(crate) use address::{lane_addresses, widen};
use element::Element;
use linear::Finder;
pub(crate) use linear::Window;
use pisa_machine::{GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG, Memory, StopReason};
use stack::{FromWide, Stack};

/// What stopped an access.
#[derive(Clone, Debug)]
pub(crate) struct Trap {
    /// Why.
    pub(crate) reason: StopReason,
    /// In which sub-group of the batch.
    pub(crate) subgroup: usize,
    /// Which lane.
    pub(crate) lane: usize,
}

/// The memory that a batch sees.
pub(crate) struct Surroundings<'a> {
    /// Global and constant memory.
    pub(crate) global: &'a Memory,
    /// The object that this instruction met last.
    pub(crate) window: &'a mut Window,
    /// Shared memory of each sub-group's work-group.
    pub(crate) shared: &'a [*mut u8; MAX_BATCH],
    /// Its size.
    pub(crate) shared_size: u32,
    /// Private memory by sub-group.
    pub(crate) private: &'a mut [Private; MAX_BATCH],
    /// Where the private frame of the running activation begins.
    pub(crate) private_base: u32,
    /// Where it ends.
    pub(crate) private_top: u32,
    /// Set where global or shared memory may have changed.
    pub(crate) changed: &'a mut bool,
}

/// Runs a memory access for the active lanes of a batch.
pub(crate) type Performer = unsafe fn(&Batch, &Access, &mut Surroundings<'_>) -> Result<(), Box<Trap>>;

/// The fastest one for a host.
pub(crate) fn performer(level: Level) -> Performer {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => perform_avx512,
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => perform_avx2,
        _ => perform_plain,
    }
}

/// # Safety
/// The access was decoded for this batch; the shared memories have `shared_size` bytes.
unsafe fn perform_plain(
    batch: &Batch,
    access: &Access,
    around: &mut Surroundings<'_>,
) -> Result<(), Box<Trap>> {
    // SAFETY: by the contract above.
    unsafe { perform(batch, access, around) }
}

/// # Safety
/// As [`perform_plain`], and the host has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn perform_avx2(
    batch: &Batch,
    access: &Access,
    around: &mut Surroundings<'_>,
) -> Result<(), Box<Trap>> {
    // SAFETY: by the contract above.
    unsafe { perform(batch, access, around) }
}

/// # Safety
/// As [`perform_plain`], and the host has AVX-512 F, BW, DQ, VL.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn perform_avx512(
    batch: &Batch,
    access: &Access,
    around: &mut Surroundings<'_>,
) -> Result<(), Box<Trap>> {
    // SAFETY: by the contract above.
    unsafe { perform(batch, access, around) }
}

/// # Safety
/// As [`perform_plain`].
#[inline(always)]
unsafe fn perform(batch: &Batch, access: &Access, around: &mut Surroundings<'_>) -> Result<(), Box<Trap>> {
    // SAFETY: by the contract of this function.
    unsafe {
        match access.bytes {
            1 => perform_on::<u8>(batch, access, around),
            2 => perform_on::<u16>(batch, access, around),
            4 => perform_on::<u32>(batch, access, around),
            8 => perform_on::<u64>(batch, access, around),
            _ => perform_on::<u128>(batch, access, around),
        }
    }
}

/// # Safety
/// As [`perform_plain`].
#[inline(always)]
unsafe fn perform_on<T: Element + FromWide>(
    batch: &Batch,
    access: &Access,
    around: &mut Surroundings<'_>,
) -> Result<(), Box<Trap>> {
    // SAFETY: by the contract of this function; places come from finders only.
    unsafe {
        let data = batch.at::<T>(access.data);
        let stride = batch.count * LANES;
        let elements = usize::from(access.elements);
        match (access.space, access.action) {
            // By far the most frequent ones.
            (AccessSpace::Global, Action::Load) => {
                let mut finder = Finder { window: *around.window, memory: Some(around.global) };
                for subgroup in 0..batch.count {
                    let mask = batch.masks[subgroup];
                    if mask != 0 {
                        let lanes = lane_addresses(batch, access, subgroup, around.private_base);
                        let data = data.add(subgroup * LANES);
                        linear::load::<T>(&mut finder, &lanes, mask, elements, true, data, stride);
                    }
                }
                *around.window = finder.window;
                return Ok(());
            }
            (AccessSpace::Shared, Action::Load) => {
                for subgroup in 0..batch.count {
                    let mask = batch.masks[subgroup];
                    if mask != 0 {
                        let lanes = lane_addresses(batch, access, subgroup, around.private_base);
                        let data = data.add(subgroup * LANES);
                        let mut finder = around.shared_finder(subgroup);
                        linear::load::<T>(&mut finder, &lanes, mask, elements, false, data, stride);
                    }
                }
                return Ok(());
            }
            _ => {}
        }
        for subgroup in 0..batch.count {
            let mask = batch.masks[subgroup];
            if mask == 0 {
                continue;
            }
            let lanes = lane_addresses(batch, access, subgroup, around.private_base);
            let data = data.add(subgroup * LANES);
            let part = Part { batch, access, subgroup, elements, data, stride };
            match access.space {
                AccessSpace::Global => part.global(around, &lanes, mask)?,
                AccessSpace::Shared => part.shared(around, &lanes, mask)?,
                AccessSpace::Private => part.private(around, &lanes, mask),
                AccessSpace::Generic => part.generic(around, &lanes, mask)?,
            }
        }
    }
    Ok(())
}

impl Surroundings<'_> {
    fn shared_finder(&self, subgroup: usize) -> Finder<'static> {
        let window = Window {
            start: 0,
            size: u64::from(self.shared_size),
            host: self.shared[subgroup],
            writable: true,
        };
        Finder { window, memory: None }
    }
}

/// One sub-group's part of an access.
struct Part<'a, T> {
    batch: &'a Batch,
    access: &'a Access,
    subgroup: usize,
    /// Elements of a lane.
    elements: usize,
    /// First lane of the data.
    data: *mut T,
    /// How far the next element is away.
    stride: usize,
}

impl<T: Element + FromWide> Part<'_, T> {
    #[inline(always)]
    unsafe fn global(
        &self,
        around: &mut Surroundings<'_>,
        lanes: &[u64; LANES],
        mask: u32,
    ) -> Result<(), Box<Trap>> {
        let mut finder = Finder { window: *around.window, memory: Some(around.global) };
        // SAFETY: the finder gives places of objects only.
        let result = unsafe { self.linear(&mut finder, around.changed, lanes, mask, (true, false)) };
        *around.window = finder.window;
        result
    }

    #[inline(always)]
    unsafe fn shared(
        &self,
        around: &mut Surroundings<'_>,
        lanes: &[u64; LANES],
        mask: u32,
    ) -> Result<(), Box<Trap>> {
        let mut finder = around.shared_finder(self.subgroup);
        // SAFETY: the finder gives places of the shared memory only.
        unsafe { self.linear(&mut finder, around.changed, lanes, mask, (false, true)) }
    }

    /// Each element goes where the tag of its own address says (D-24), which is one of 64 bits (Z-02).
    #[inline(never)]
    unsafe fn generic(
        &self,
        around: &mut Surroundings<'_>,
        lanes: &[u64; LANES],
        mask: u32,
    ) -> Result<(), Box<Trap>> {
        // The high half of the address, and with it the tag, is the same for all elements where the low half does not
        // wrap.
        let further = ((self.elements - 1) * T::BYTES) as u32;
        let wraps =
            |lane: usize| mask >> lane & 1 == 1 && (lanes[lane] as u32).checked_add(further).is_none();
        // SAFETY: by the contract of the caller; one element of one lane is a part of the access.
        unsafe {
            if self.elements > 1 && (0..LANES).any(wraps) {
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                    for element in 0..self.elements {
                        let data = self.data.add(element * self.stride);
                        let part = Part { elements: 1, data, ..*self };
                        let address = lanes[lane].wrapping_add((element * T::BYTES) as u64);
                        part.tagged(around, &[address; LANES], 1 << lane)?;
                    }
                }
                return Ok(());
            }
            if matches!(self.access.action, Action::Load | Action::Store) {
                return self.tagged(around, lanes, mask);
            }
            // M-17: atomics of one lane after the other also where lanes go to different spaces.
            let mut left = mask;
            while left != 0 {
                let tag = |lane: usize| lanes[lane] & GENERIC_TAG;
                let first = left.trailing_zeros() as usize;
                let mut run = 0;
                for lane in (first..LANES).filter(|lane| left >> lane & 1 == 1) {
                    if tag(lane) != tag(first) {
                        break;
                    }
                    run |= 1 << lane;
                }
                left &= !run;
                self.tagged(around, lanes, run)?;
            }
        }
        Ok(())
    }

    /// A generic access whose elements have the tag of the lane's address.
    #[inline(always)]
    unsafe fn tagged(
        &self,
        around: &mut Surroundings<'_>,
        lanes: &[u64; LANES],
        mask: u32,
    ) -> Result<(), Box<Trap>> {
        let (mut shared, mut private) = (0u32, 0u32);
        for (lane, &address) in lanes.iter().enumerate() {
            shared |= u32::from(address & GENERIC_TAG == GENERIC_SHARED) << lane;
            private |= u32::from(address & GENERIC_TAG == GENERIC_PRIVATE) << lane;
        }
        (shared, private) = (shared & mask, private & mask);
        if private != 0 && !matches!(self.access.action, Action::Load | Action::Store) {
            // M-21, M-28.
            let lane = private.trailing_zeros() as usize;
            let reason = StopReason::AtomicOnPrivate(lanes[lane]);
            return Err(Box::new(Trap { reason, subgroup: self.subgroup, lane }));
        }
        let global = mask & !shared & !private;
        // SAFETY: by the contract of the caller.
        unsafe {
            if global != 0 {
                self.global(around, lanes, global)?;
            }
            if shared | private != 0 {
                let narrow = lanes.map(|address| address & u64::from(u32::MAX));
                if shared != 0 {
                    self.shared(around, &narrow, shared).map_err(|mut trap| {
                        if let StopReason::Misaligned(address, _) = &mut trap.reason {
                            *address = lanes[trap.lane];
                        }
                        trap
                    })?;
                }
                if private != 0 {
                    self.private(around, &narrow, private);
                }
            }
        }
        Ok(())
    }

    /// `wide` where addresses of further elements wrap at 64 bits rather than at 32; `alone` where no other thread can reach the memory.
    #[inline(always)]
    unsafe fn linear(
        &self,
        finder: &mut Finder<'_>,
        changed: &mut bool,
        lanes: &[u64; LANES],
        mask: u32,
        (wide, alone): (bool, bool),
    ) -> Result<(), Box<Trap>> {
        let (elements, data, stride) = (self.elements, self.data, self.stride);
        // SAFETY: data planes have `elements` elements of this size; the finder is right by the callers' contract.
        let result = unsafe {
            match self.access.action {
                Action::Load => {
                    linear::load::<T>(finder, lanes, mask, elements, wide, data, stride);
                    Ok(())
                }
                Action::Store => {
                    *changed = true;
                    linear::store::<T>(finder, lanes, mask, elements, wide, data, stride)
                }
                Action::AtomicLoad(order) => atomic::load::<T>(finder, lanes, mask, order, data),
                Action::AtomicStore(order) => atomic::store::<T>(finder, lanes, mask, order, data, changed),
                Action::Modify(what, order, sources) => {
                    let sources = sources
                        .map(|plane| self.batch.at::<T>(plane).cast_const().add(self.subgroup * LANES));
                    let how = atomic::Modifying { what, order, sources, alone };
                    atomic::modify::<T>(finder, lanes, mask, how, data, changed)
                }
            }
        };
        result.map_err(|(reason, lane)| Box::new(Trap { reason, subgroup: self.subgroup, lane }))
    }

    /// Private memory has plain loads and stores only.
    #[inline(always)]
    unsafe fn private(&self, around: &mut Surroundings<'_>, lanes: &[u64; LANES], mask: u32) {
        let elements = self.elements;
        let mut stack =
            Stack { private: &mut around.private[self.subgroup], top: u64::from(around.private_top) };
        // SAFETY: data planes have `elements` elements of this size.
        unsafe {
            match self.access.action {
                Action::Load => stack.load::<T>(lanes, mask, elements, self.data, self.stride),
                _ => stack.store::<T>(lanes, mask, elements, self.data, self.stride),
            }
        }
    }
}

macro_rules! by_bytes {
    ($bytes:expr, $t:ident => $call:expr) => {
        match $bytes {
            1 => {
                type $t = u8;
                $call
            }
            2 => {
                type $t = u16;
                $call
            }
            4 => {
                type $t = u32;
                $call
            }
            8 => {
                type $t = u64;
                $call
            }
            _ => {
                type $t = u128;
                $call
            }
        }
    };
}

/// Runs `ld.param` with its offset in a register (K-06).
///
/// # Safety
/// The load was decoded for this batch.
pub(crate) unsafe fn load_parameter(batch: &Batch, load: &ParameterLoad, arguments: &[u8]) {
    for subgroup in 0..batch.count {
        each_lane(batch.masks[subgroup], |lane| {
            let at = subgroup * LANES + lane;
            let bits = u32::from(load.bytes) * 8;
            // SAFETY: the planes belong to the batch. The offset is read before the lane is written.
            unsafe {
                let offset = *batch.at::<u32>(load.offset).add(at);
                for element in 0..u32::from(load.elements) {
                    let from = offset.wrapping_add(element * u32::from(load.bytes));
                    let value = parameter_bytes(arguments, load.start, load.size, from, load.bytes);
                    let plane = load.destination.element(element, bits);
                    by_bytes!(load.bytes, T => *batch.at::<T>(plane).add(at) = value as T);
                }
            }
        });
    }
}
