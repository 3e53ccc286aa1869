//! What the machine itself can do, for benchmarks that give speed as a ratio.
#![allow(unsafe_code)] // Measures single vector instructions, which needs inline assembly.

use crate::Level;
use std::time::{Duration, Instant};

/// Nanoseconds this core takes for an addition of 32 lanes of 32-bit integers that stay in registers, at its best:
/// independent additions with the widest vectors of `level`. The least of several runs of about 20 ms in all.
pub fn add_nanoseconds(level: Level) -> f64 {
    const ROUNDS: u32 = 200_000;
    let best = (0..20).map(|_| time(level, ROUNDS)).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / f64::from(ROUNDS) / f64::from(ADDITIONS_PER_ROUND)
}

/// 32-lane additions that one round of [`time`] makes.
const ADDITIONS_PER_ROUND: u32 = 8;

#[cfg(target_arch = "x86_64")]
fn time(level: Level, rounds: u32) -> Duration {
    use std::arch::asm;
    // 16 vector registers are added to themselves each round, none depending on another: 512 bytes * 2 for 512-bit
    // vectors are 8 additions of 32 lanes. Narrower vectors repeat the round as often as they are narrower.
    macro_rules! measure {
        ($instruction:literal, $register:literal, $repeat:expr, $operands:literal) => {{
            let mut left = rounds * $repeat;
            let start = Instant::now();
            // SAFETY: touches the counter and vector registers only, all declared.
            unsafe {
                asm!(
                    "2:",
                    concat!($instruction, " ", $register, "0, ", $register, "0", $operands, $register, "0"),
                    concat!($instruction, " ", $register, "1, ", $register, "1", $operands, $register, "1"),
                    concat!($instruction, " ", $register, "2, ", $register, "2", $operands, $register, "2"),
                    concat!($instruction, " ", $register, "3, ", $register, "3", $operands, $register, "3"),
                    concat!($instruction, " ", $register, "4, ", $register, "4", $operands, $register, "4"),
                    concat!($instruction, " ", $register, "5, ", $register, "5", $operands, $register, "5"),
                    concat!($instruction, " ", $register, "6, ", $register, "6", $operands, $register, "6"),
                    concat!($instruction, " ", $register, "7, ", $register, "7", $operands, $register, "7"),
                    concat!($instruction, " ", $register, "8, ", $register, "8", $operands, $register, "8"),
                    concat!($instruction, " ", $register, "9, ", $register, "9", $operands, $register, "9"),
                    concat!($instruction, " ", $register, "10, ", $register, "10", $operands, $register, "10"),
                    concat!($instruction, " ", $register, "11, ", $register, "11", $operands, $register, "11"),
                    concat!($instruction, " ", $register, "12, ", $register, "12", $operands, $register, "12"),
                    concat!($instruction, " ", $register, "13, ", $register, "13", $operands, $register, "13"),
                    concat!($instruction, " ", $register, "14, ", $register, "14", $operands, $register, "14"),
                    concat!($instruction, " ", $register, "15, ", $register, "15", $operands, $register, "15"),
                    "sub {left:e}, 1",
                    "jnz 2b",
                    left = inout(reg) left,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                    out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                    out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                    out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                    options(nomem, nostack),
                );
            }
            let _ = left;
            start.elapsed()
        }};
    }
    match level {
        Level::Avx512 => measure!("vpaddd", "zmm", 1, ", "),
        Level::Avx2 => measure!("vpaddd", "ymm", 2, ", "),
        Level::Plain => {
            let mut left = rounds * 4;
            let start = Instant::now();
            // SAFETY: as above.
            unsafe {
                asm!(
                    "2:",
                    "paddd xmm0, xmm0", "paddd xmm1, xmm1", "paddd xmm2, xmm2", "paddd xmm3, xmm3",
                    "paddd xmm4, xmm4", "paddd xmm5, xmm5", "paddd xmm6, xmm6", "paddd xmm7, xmm7",
                    "paddd xmm8, xmm8", "paddd xmm9, xmm9", "paddd xmm10, xmm10", "paddd xmm11, xmm11",
                    "paddd xmm12, xmm12", "paddd xmm13, xmm13", "paddd xmm14, xmm14", "paddd xmm15, xmm15",
                    "sub {left:e}, 1",
                    "jnz 2b",
                    left = inout(reg) left,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                    out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                    out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                    out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                    options(nomem, nostack),
                );
            }
            let _ = left;
            start.elapsed()
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn time(_level: Level, rounds: u32) -> Duration {
    use std::hint::black_box;
    let mut lanes = [[1u32; 32]; ADDITIONS_PER_ROUND as usize];
    let start = Instant::now();
    for _ in 0..rounds {
        for value in &mut lanes {
            for lane in value.iter_mut() {
                *lane = lane.wrapping_add(*lane);
            }
        }
        black_box(&mut lanes);
    }
    start.elapsed()
}
