//! Elements of memory: indivisible accesses by size (M-15).
#![allow(unsafe_code)] // Accesses to simulated memory through host pointers.

use super::modify::Modify;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Serialises 128-bit atomics, for which hosts have no common instruction.
static WIDE: Mutex<()> = Mutex::new(());

/// An unsigned integer of 8 to 128 bits.
pub(super) trait Element: Copy + PartialEq + Modify {
    /// Size in bytes.
    const BYTES: usize = size_of::<Self>();
    /// What memory without a value holds.
    const UNDEFINED: Self;

    /// Reads an element at any alignment: in one access where it is aligned, else bytewise (M-13).
    ///
    /// # Safety
    /// `BYTES` bytes at `at` are simulated memory.
    unsafe fn read(at: *const u8) -> Self;
    /// The counterpart of [`Element::read`].
    ///
    /// # Safety
    /// As there.
    unsafe fn write(at: *mut u8, value: Self);
    /// Reads an aligned element in an order that loads can have.
    ///
    /// # Safety
    /// As [`Element::read`], and aligned.
    unsafe fn atomic_read(at: *mut u8, order: Ordering) -> Self;
    /// Writes an aligned element in an order that stores can have.
    ///
    /// # Safety
    /// As [`Element::read`], and aligned.
    unsafe fn atomic_write(at: *mut u8, value: Self, order: Ordering);
    /// Replaces an aligned element by what `f` makes of it, and gives the old one.
    ///
    /// # Safety
    /// As [`Element::read`], and aligned.
    unsafe fn update(at: *mut u8, order: Ordering, f: impl Fn(Self) -> Self) -> Self;
}

macro_rules! element {
    ($($t:ty, $atomic:ty;)*) => { $(
        impl Element for $t {
            const UNDEFINED: $t = <$t>::from_le_bytes([pisa_machine::UNDEFINED_BYTE; size_of::<$t>()]);

            #[inline(always)]
            unsafe fn read(at: *const u8) -> $t {
                // SAFETY: by the contract, for every byte.
                unsafe {
                    if (at as usize).is_multiple_of(size_of::<$t>()) {
                        <$atomic>::from_ptr(at.cast_mut().cast()).load(Ordering::Relaxed)
                    } else {
                        read_bytes(at)
                    }
                }
            }
            #[inline(always)]
            unsafe fn write(at: *mut u8, value: $t) {
                // SAFETY: by the contract, for every byte.
                unsafe {
                    if (at as usize).is_multiple_of(size_of::<$t>()) {
                        <$atomic>::from_ptr(at.cast()).store(value, Ordering::Relaxed);
                    } else {
                        write_bytes(at, &value.to_le_bytes());
                    }
                }
            }
            #[inline(always)]
            unsafe fn atomic_read(at: *mut u8, order: Ordering) -> $t {
                // SAFETY: by the contract.
                unsafe { <$atomic>::from_ptr(at.cast()).load(order) }
            }
            #[inline(always)]
            unsafe fn atomic_write(at: *mut u8, value: $t, order: Ordering) {
                // SAFETY: by the contract.
                unsafe { <$atomic>::from_ptr(at.cast()).store(value, order) }
            }
            #[inline(always)]
            unsafe fn update(at: *mut u8, order: Ordering, f: impl Fn($t) -> $t) -> $t {
                // SAFETY: by the contract.
                let cell = unsafe { <$atomic>::from_ptr(at.cast()) };
                let failure = match order {
                    Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
                    Ordering::SeqCst => Ordering::SeqCst,
                    _ => Ordering::Relaxed,
                };
                let mut old = cell.load(failure);
                loop {
                    match cell.compare_exchange_weak(old, f(old), order, failure) {
                        Ok(old) => return old,
                        Err(now) => old = now,
                    }
                }
            }
        }
        impl FromBytes for $t {
            fn from_slice(bytes: &[u8]) -> $t {
                let mut whole = [0; size_of::<$t>()];
                whole.copy_from_slice(bytes);
                <$t>::from_le_bytes(whole)
            }
        }
    )* };
}

trait FromBytes {
    fn from_slice(bytes: &[u8]) -> Self;
}

#[cold]
unsafe fn read_bytes<T: FromBytes>(at: *const u8) -> T {
    let mut bytes = [0u8; 16];
    let size = size_of::<T>();
    for (i, byte) in bytes[..size].iter_mut().enumerate() {
        // SAFETY: by the contract of `Element::read`.
        *byte = unsafe { AtomicU8::from_ptr(at.cast_mut().add(i)) }.load(Ordering::Relaxed);
    }
    T::from_slice(&bytes[..size])
}

#[cold]
unsafe fn write_bytes(at: *mut u8, bytes: &[u8]) {
    for (i, &byte) in bytes.iter().enumerate() {
        // SAFETY: by the contract of `Element::write`.
        unsafe { AtomicU8::from_ptr(at.add(i)) }.store(byte, Ordering::Relaxed);
    }
}

element! { u8, AtomicU8; u16, AtomicU16; u32, AtomicU32; u64, AtomicU64; }

impl Element for u128 {
    const UNDEFINED: u128 = u128::from_le_bytes([pisa_machine::UNDEFINED_BYTE; 16]);

    unsafe fn read(at: *const u8) -> u128 {
        // SAFETY: by the contract.
        unsafe { u128::from(u64::read(at)) | u128::from(u64::read(at.add(8))) << 64 }
    }
    unsafe fn write(at: *mut u8, value: u128) {
        // SAFETY: by the contract.
        unsafe {
            u64::write(at, value as u64);
            u64::write(at.add(8), (value >> 64) as u64);
        }
    }
    unsafe fn atomic_read(at: *mut u8, _: Ordering) -> u128 {
        let _alone = WIDE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: by the contract.
        unsafe { Self::read(at) }
    }
    unsafe fn atomic_write(at: *mut u8, value: u128, _: Ordering) {
        let _alone = WIDE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: by the contract.
        unsafe { Self::write(at, value) }
    }
    unsafe fn update(at: *mut u8, _: Ordering, f: impl Fn(u128) -> u128) -> u128 {
        let _alone = WIDE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: by the contract.
        unsafe {
            let old = Self::read(at);
            Self::write(at, f(old));
            old
        }
    }
}
