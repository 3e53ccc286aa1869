//! Chapter 8 of the instruction reference: memory and atomics.
//!
//! Each function runs for one lane; lanes follow each other from the lowest (M-16, M-17). Memory is one for everybody and
//! always up to date, so that orders, scopes and cache controls change nothing here (M-04, M-25, M-26, Y-08).

use crate::bits::{UNDEFINED, signed, truncate};
use crate::floating_point::{bits, in_format, number};
use crate::operands::Sources;
use crate::qualifiers::Qualifiers;
use crate::spaces::{LaneMemory, Location};
use pisa_float::{self as float, Mode, Ordering4};
use pisa_isa::{Qualifier, SlotName};
use pisa_machine::{StopReason, UNDEFINED_BYTE};

/// What an instruction of this chapter gives: the destination is filled, or the launch stops.
pub(crate) type Access = Result<(), StopReason>;

/// 8.1 `fatom`: `old = *addr; *addr = op(old, src0, src1); dst = old` (M-19, M-20). Sources: address, `src0`, `src1`.
pub(crate) fn fatom(
    q: &Qualifiers,
    src: &Sources<'_>,
    memory: &mut LaneMemory<'_>,
    dst: &mut [u128],
) -> Access {
    dst[0] = atomically(q, src.get(0), memory, |old| fatom_new(q, old, src.get(1), || src.get(2)))?;
    Ok(())
}

/// The value that `fatom` leaves in memory: minimum and maximum without `.nanp`, sums rounded to nearest even with
/// denormals kept, a comparison of numbers for `.cas`.
fn fatom_new(q: &Qualifiers, old: u128, src0: u128, src1: impl FnOnce() -> u128) -> u128 {
    in_format!(q.format(SlotName::Type), T => {
        let (a, b) = (number::<T>(old), number::<T>(src0));
        match q.get(SlotName::Op) {
            Some(Qualifier::Add) => bits::<T>(float::add::<T>(a, b, Mode::default())),
            Some(Qualifier::Sub) => bits::<T>(float::sub::<T>(a, b, Mode::default())),
            Some(Qualifier::Min) => bits::<T>(float::min::<T>(a, b, false, false, false)),
            Some(Qualifier::Max) => bits::<T>(float::max::<T>(a, b, false, false, false)),
            _ if float::compare::<T>(a, b, false) == Ordering4::Equal => src1(),
            _ => old,
        }
    })
}

/// 8.2 `iatom`: `old = *addr; *addr = op(old, src0, src1); dst = old` (M-18). Sources: address, `src0`, `src1`.
pub(crate) fn iatom(
    q: &Qualifiers,
    src: &Sources<'_>,
    memory: &mut LaneMemory<'_>,
    dst: &mut [u128],
) -> Access {
    dst[0] = atomically(q, src.get(0), memory, |old| iatom_new(q, old, || src.get(1), || src.get(2)))?;
    Ok(())
}

/// The value that `iatom` leaves in memory.
fn iatom_new(q: &Qualifiers, old: u128, src0: impl FnOnce() -> u128, src1: impl FnOnce() -> u128) -> u128 {
    let width = q.width();
    match q.get(SlotName::Op) {
        Some(Qualifier::Cas) => {
            if old == src0() {
                src1()
            } else {
                old
            }
        }
        Some(Qualifier::Add) => old.wrapping_add(src0()),
        Some(Qualifier::Sub) => old.wrapping_sub(src0()),
        Some(Qualifier::Inc) => old.wrapping_add(1),
        Some(Qualifier::Dec) => old.wrapping_sub(1),
        Some(Qualifier::Incwrap) => {
            if old >= src0() {
                0
            } else {
                old + 1
            }
        }
        Some(Qualifier::Decwrap) => {
            let src0 = src0();
            if old == 0 || old > src0 { src0 } else { old - 1 }
        }
        Some(Qualifier::Smin) => {
            let src0 = src0();
            if signed(old, width) < signed(src0, width) { old } else { src0 }
        }
        Some(Qualifier::Smax) => {
            let src0 = src0();
            if signed(old, width) > signed(src0, width) { old } else { src0 }
        }
        Some(Qualifier::Umin) => old.min(src0()),
        Some(Qualifier::Umax) => old.max(src0()),
        Some(Qualifier::And) => old & src0(),
        Some(Qualifier::Or) => old | src0(),
        Some(Qualifier::Xor) => old ^ src0(),
        _ => src0(),
    }
}

/// `atomic { old = *addr; *addr = new(old) }`, and `old`. Out of bounds, `old` is undefined bytes and nothing is stored.
fn atomically(
    q: &Qualifiers,
    address: u128,
    memory: &mut LaneMemory<'_>,
    new: impl FnOnce(u128) -> u128,
) -> Result<u128, StopReason> {
    let width = q.width();
    let location = atomic_location(q, address, memory)?;
    let old = memory.load(location, width);
    memory.store(location, width, truncate(new(old), width))?;
    Ok(old)
}

/// Where an atomic access goes: it must be aligned (M-13, M-14) and not lie in private memory (M-21).
fn atomic_location(q: &Qualifiers, address: u128, memory: &LaneMemory<'_>) -> Result<Location, StopReason> {
    let address = address as u64;
    let location = memory.location(q, address);
    if let Location::Private(_) = location {
        return Err(StopReason::AtomicOnPrivate(address));
    }
    let alignment = q.width() / 8;
    if !location.address().is_multiple_of(u64::from(alignment)) {
        return Err(StopReason::Misaligned(address, alignment));
    }
    Ok(location)
}

/// 8.3 `ld`: `dst[i] = *(addr + i * sizeof(.type))`; undefined bytes for an element out of bounds (M-30). A misaligned
/// one is no trouble unless the load is atomic (M-13).
pub(crate) fn ld(q: &Qualifiers, src: &Sources<'_>, memory: &mut LaneMemory<'_>, dst: &mut [u128]) -> Access {
    if is_atomic(q) {
        let location = atomic_location(q, src.get(0), memory)?;
        dst[0] = memory.load(location, q.width());
        return Ok(());
    }
    for (i, dst) in dst.iter_mut().enumerate() {
        let location = memory.location(q, element_address(q, src.get(0), i));
        *dst = memory.load(location, q.width());
    }
    Ok(())
}

/// Whether `.memorder` makes the access an atomic one (M-15).
fn is_atomic(q: &Qualifiers) -> bool {
    !matches!(q.get(SlotName::Memorder), None | Some(Qualifier::Weak))
}

/// `addr + i * sizeof(.type)`, modulo the address size (Z-02).
fn element_address(q: &Qualifiers, address: u128, i: usize) -> u64 {
    let address = address as u64;
    let distance = i as u64 * u64::from(q.width() / 8);
    match q.get(SlotName::Addrspace) {
        Some(Qualifier::Shared | Qualifier::Private) => {
            u64::from((address as u32).wrapping_add(distance as u32))
        }
        _ => address.wrapping_add(distance),
    }
}

/// 8.4 `ld.param`: the bytes of a parameter from an offset on; undefined bytes outside it (K-04). Sources: where the
/// parameter begins in the argument buffer (K-02), its size, and the signed offset (K-06).
pub(crate) fn ld_param(
    q: &Qualifiers,
    src: &Sources<'_>,
    memory: &mut LaneMemory<'_>,
    dst: &mut [u128],
) -> Access {
    let (begin, size) = (src.get(0) as i128, src.get(1) as i128);
    let bytes = q.width() / 8;
    let mut at = signed(src.get(2), 32);
    for dst in dst {
        *dst = 0;
        for i in 0..bytes {
            let byte = if (0..size).contains(&at) { memory.argument((begin + at) as usize) } else { None };
            *dst |= u128::from(byte.unwrap_or(UNDEFINED_BYTE)) << (8 * i);
            at += 1;
        }
    }
    Ok(())
}

/// 8.5 `st`: `*(addr + i * sizeof(.type)) = src0[i]`; nothing for an element out of bounds (M-30). A misaligned one is no
/// trouble unless the store is atomic (M-13). Sources: address, `src0`.
pub(crate) fn st(q: &Qualifiers, src: &Sources<'_>, memory: &mut LaneMemory<'_>, _: &mut [u128]) -> Access {
    if is_atomic(q) {
        let location = atomic_location(q, src.get(0), memory)?;
        return memory.store(location, q.width(), src.get(1));
    }
    for i in 0..q.elements() {
        let location = memory.location(q, element_address(q, src.get(0), i));
        memory.store(location, q.width(), src.element(1, i))?;
    }
    Ok(())
}

impl LaneMemory<'_> {
    /// The element of `width` bits at the location; undefined bytes where it is not wholly inside an object (M-30).
    fn load(&self, location: Location, width: u32) -> u128 {
        let mut bytes = [0; 16];
        let size = width as usize / 8;
        if self.read(location, &mut bytes[..size]) {
            u128::from_le_bytes(bytes)
        } else {
            truncate(UNDEFINED, width)
        }
    }
    /// Stores an element of `width` bits; nothing where it is not wholly inside an object (M-30).
    fn store(&mut self, location: Location, width: u32, value: u128) -> Access {
        self.write(location, &value.to_le_bytes()[..width as usize / 8])
    }
}
