//! What a stop says to people.

use crate::{Doing, GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG, LANES, Memory, Standing, Stop, StopReason};
use std::fmt::Write as _;

impl Stop {
    /// What happened, one line; `memory` gives addresses their names.
    pub fn message(&self, memory: &Memory) -> String {
        let at = |address: u64| describe_address(memory, address);
        match &self.reason {
            StopReason::CallTarget(0xCDCD_CDCD_CDCD_CDCD) => {
                "the target of the call is a register without a value".to_owned()
            }
            StopReason::CallTarget(target) => format!("the target of the call, {target:#x}, is no function"),
            StopReason::CallDepth(depth) => format!("calls are nested more than {depth} deep"),
            StopReason::Misaligned(address, align) => {
                format!("an atomic access at {} is not aligned to {align} bytes", at(*address))
            }
            StopReason::AtomicOnPrivate(address) => {
                format!("an atomic access through a generic address of private memory, {address:#x}")
            }
            StopReason::StoreToConst(address) => format!("a store to constant memory, {}", at(*address)),
            StopReason::OutOfFuel(fuel) => {
                format!("the launch has executed its {fuel} instructions and is not done")
            }
            StopReason::Deadlock => {
                "deadlock: every live lane waits, and nothing will release the barrier that some wait at"
                    .to_owned()
            }
            StopReason::Livelock => {
                "livelock: lanes run in circles, and no lane that can run will end that".to_owned()
            }
            StopReason::OutOfMemory(what) => format!("the host has too little memory: {what}"),
            StopReason::Internal(what) => format!("this is a bug of pisa, not of your program: {what}"),
        }
    }

    /// What to do about it.
    pub fn help(&self) -> &'static str {
        let at_barrier = self.standing.iter().any(|s| s.doing == Doing::WaitAtBarrier);
        match self.reason {
            StopReason::CallTarget(_) => "only what `addrof` gives for a function can be called",
            StopReason::CallDepth(_) => "a recursion without end? each active lane must reach a `return`",
            StopReason::Misaligned(..) => {
                "give the variable an `.align`, or the pointer a multiple of the access's size"
            }
            StopReason::AtomicOnPrivate(_) => {
                "private memory needs no atomics; use `ld.private` and `st.private`"
            }
            StopReason::StoreToConst(_) => "declare the variable `.global` if it changes",
            StopReason::OutOfFuel(_) => "an endless loop? otherwise `--fuel N` allows more",
            StopReason::Livelock if !at_barrier => {
                "lanes leave a loop when what its branch depends on changes: in the loop, or by work-items of other \
                 sub-groups"
            }
            StopReason::Deadlock | StopReason::Livelock => {
                "every work-item of a work-group must reach the barrier or leave the kernel; \
                 keep `barrier.workgroup` out of branches that differ between work-items"
            }
            StopReason::OutOfMemory(_) => "launch fewer work-items at a time, or use fewer threads",
            StopReason::Internal(_) => "please report it with the modules and the launch",
        }
    }

    /// The section of the specification that has the rule, where one has.
    pub fn spec(&self) -> Option<&'static str> {
        Some(match self.reason {
            StopReason::CallTarget(_) => "6.1 call",
            StopReason::Misaligned(..) => "5.1 Access Alignment",
            StopReason::AtomicOnPrivate(_) => "8.1 fatom, 8.2 iatom",
            StopReason::StoreToConst(_) => "2.1.5 Constant Space",
            StopReason::Deadlock => "9.1 barrier",
            StopReason::Livelock => "1.1.1 Order of Execution",
            StopReason::CallDepth(_)
            | StopReason::OutOfFuel(_)
            | StopReason::OutOfMemory(_)
            | StopReason::Internal(_) => return None,
        })
    }

    /// Where in the launch: `work-group (0,0,0), sub-group 1, lanes 0-7,9`.
    pub fn location(&self) -> String {
        let [x, y, z] = self.group;
        let mut text = format!("work-group ({x},{y},{z}), sub-group {}", self.subgroup);
        if self.lanes != 0 {
            let _ = write!(text, ", {}", lanes_text(self.lanes));
        }
        text
    }
}

impl Standing {
    /// `lanes 0-15 of sub-group 1, work-group (0,0,0), wait at the barrier`.
    pub fn text(&self) -> String {
        let one = self.lanes.is_power_of_two();
        let doing = match (self.doing, one) {
            (Doing::Spin, true) => "runs in circles",
            (Doing::Spin, false) => "run in circles",
            (Doing::WaitForThem, true) => "waits for them",
            (Doing::WaitForThem, false) => "wait for them",
            (Doing::WaitAtBarrier, true) => "waits at the barrier",
            (Doing::WaitAtBarrier, false) => "wait at the barrier",
        };
        let [x, y, z] = self.group;
        format!(
            "{} of sub-group {}, work-group ({x},{y},{z}), {doing}",
            lanes_text(self.lanes),
            self.subgroup
        )
    }
}

/// `lane 0`, `lanes 1-31`.
pub fn lanes_text(lanes: u32) -> String {
    let word = if lanes.is_power_of_two() { "lane" } else { "lanes" };
    format!("{word} {}", lane_ranges(lanes))
}

/// An address as people read it: `@table+12`, `out+64`, `shared+16`, or the number where no object is near.
pub fn describe_address(memory: &Memory, address: u64) -> String {
    let offset =
        |name: &str, offset: u64| if offset == 0 { name.to_owned() } else { format!("{name}+{offset}") };
    match address & GENERIC_TAG {
        GENERIC_SHARED => return offset("shared", address & !GENERIC_TAG),
        GENERIC_PRIVATE => return offset("private", address & !GENERIC_TAG),
        _ => {}
    }
    match memory.nearest_below(address) {
        Some(object) if address - object.address < object.size.max(1) => {
            format!("{} ({address:#x})", offset(&object.name, address - object.address))
        }
        // Behind its end, within the gap.
        Some(object) if address - object.address <= object.size.saturating_mul(2).saturating_add(4096) => {
            let past = address - object.address - object.size;
            format!("{address:#x}, {past} bytes past the end of {}", object.name)
        }
        _ => format!("{address:#x}"),
    }
}

/// Ranges of lanes that are listed before the rest is left out.
const LISTED: usize = 8;

/// A set of lanes as ranges: `0-7,9`. Lanes at even distances are `1,3,…,31`; of a set in many pieces the first are
/// listed: `0,2,5,9,12,17,20,24,…`.
pub fn lane_ranges(lanes: u32) -> String {
    let has = |lane: u32| lane < LANES && lanes >> lane & 1 == 1;
    if let Some((first, second, last)) = steps(lanes) {
        return format!("{first},{second},…,{last}");
    }
    let mut pieces: Vec<String> = Vec::new();
    let mut lane = 0;
    while lane < LANES {
        if has(lane) {
            let first = lane;
            while has(lane + 1) {
                lane += 1;
            }
            pieces.push(match lane - first {
                0 => first.to_string(),
                _ => format!("{first}-{lane}"),
            });
        }
        lane += 1;
    }
    if pieces.len() > LISTED {
        pieces.truncate(LISTED);
        pieces.push("…".to_owned());
    }
    pieces.join(",")
}

/// The first, the second and the last of five lanes or more that are the same distance apart, which is not 1.
fn steps(lanes: u32) -> Option<(u32, u32, u32)> {
    let first = lanes.trailing_zeros();
    let second = (lanes & lanes.wrapping_sub(1)).trailing_zeros();
    let last = 31u32.checked_sub(lanes.leading_zeros())?;
    let step = second.checked_sub(first)?;
    if step < 2 || second >= LANES || lanes.count_ones() < 5 {
        return None;
    }
    let all = (first..=last).step_by(step as usize).fold(0u32, |set, lane| set | 1 << lane);
    (all == lanes).then_some((first, second, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Contents;

    fn stop(reason: StopReason, lanes: u32) -> Stop {
        Stop { reason, place: None, group: [1, 0, 2], subgroup: 3, lanes, standing: Vec::new() }
    }

    #[test]
    fn lanes_are_ranges() {
        assert_eq!(lane_ranges(0), "");
        assert_eq!(lane_ranges(u32::MAX), "0-31");
        assert_eq!(lane_ranges(0x8000_02FF), "0-7,9,31");
        assert_eq!(lane_ranges(0b110), "1-2");
        assert_eq!(lane_ranges(0x5555_5555), "0,2,…,30");
        assert_eq!(lane_ranges(0xAAAA_AAAA), "1,3,…,31");
        assert_eq!(lane_ranges(0x1111_1110), "4,8,…,28");
        assert_eq!(lane_ranges(0b10101), "0,2,4");
        assert_eq!(lane_ranges(0x0055_5457), "0-2,4,6,10,12,14,16,18,…");
        assert_eq!(lane_ranges(1 << 31), "31");
    }

    #[test]
    fn addresses_have_names() {
        let mut memory = Memory::with_limit(1 << 20);
        let a = memory.allocate_buffer("out", Contents::Zero(64), 64).unwrap();
        assert_eq!(describe_address(&memory, a), format!("out ({a:#x})"));
        assert_eq!(describe_address(&memory, a + 12), format!("out+12 ({:#x})", a + 12));
        assert_eq!(describe_address(&memory, a + 68), format!("{:#x}, 4 bytes past the end of out", a + 68));
        assert_eq!(describe_address(&memory, GENERIC_SHARED + 16), "shared+16");
        assert_eq!(describe_address(&memory, GENERIC_PRIVATE), "private");
        assert_eq!(describe_address(&memory, 0), "0x0");
        assert_eq!(describe_address(&memory, u64::MAX), "0xffffffffffffffff");
    }

    #[test]
    fn lanes_that_get_nowhere_say_what_they_do() {
        let standing = |lanes, doing| Standing { group: [0, 1, 2], subgroup: 3, lanes, doing, place: None };
        assert_eq!(
            standing(1, Doing::WaitForThem).text(),
            "lane 0 of sub-group 3, work-group (0,1,2), waits for them"
        );
        assert_eq!(
            standing(!1, Doing::Spin).text(),
            "lanes 1-31 of sub-group 3, work-group (0,1,2), run in circles"
        );
        let mut stop = stop(StopReason::Livelock, 1);
        assert!(stop.help().contains("loop"));
        stop.standing.push(standing(2, Doing::WaitAtBarrier));
        assert!(stop.help().contains("barrier"));
    }

    #[test]
    fn stops_say_where_and_what() {
        let memory = Memory::with_limit(1);
        let all = [
            StopReason::CallTarget(1),
            StopReason::CallDepth(1024),
            StopReason::Misaligned(2, 4),
            StopReason::AtomicOnPrivate(GENERIC_PRIVATE),
            StopReason::StoreToConst(3),
            StopReason::OutOfFuel(7),
            StopReason::Deadlock,
            StopReason::Livelock,
            StopReason::OutOfMemory("no room for another work-group".to_owned()),
            StopReason::Internal("an instruction has operands that no form takes".to_owned()),
        ];
        for reason in all {
            let stop = stop(reason, 1);
            assert!(!stop.message(&memory).contains('\n') && !stop.help().contains("  "));
        }
        assert_eq!(stop(StopReason::Deadlock, 1).location(), "work-group (1,0,2), sub-group 3, lane 0");
        assert_eq!(stop(StopReason::Deadlock, 0).location(), "work-group (1,0,2), sub-group 3");
        assert_eq!(stop(StopReason::Livelock, 6).location(), "work-group (1,0,2), sub-group 3, lanes 1-2");
        assert_eq!(
            stop(StopReason::Misaligned(2, 4), 1).message(&memory),
            "an atomic access at 0x2 is not aligned to 4 bytes"
        );
    }
}
