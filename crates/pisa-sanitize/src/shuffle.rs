//! Where `shfl` reads (spec 7.4, S-07 to S-09, S-13).

use pisa_isa::{Qualifier, SlotName};
use pisa_machine::{LANES, LaneValues};
use pisa_module::Instruction;

/// The lanes that a `shfl` reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sources {
    /// Lanes that take part: active, and in their own mask. The others keep `dst`.
    pub(crate) taking_part: u32,
    /// Those of them whose source is within the segment and the clamp. The others get their own value.
    pub(crate) in_bounds: u32,
    /// By lane that is in bounds: its source.
    pub(crate) lane: [u8; LANES as usize],
}

/// Where the active lanes of a `shfl` read, by their values of `src1` and their masks `src2`.
pub(crate) fn sources(
    instruction: &Instruction,
    active: u32,
    index: &LaneValues,
    masks: &LaneValues,
) -> Sources {
    let direction = instruction.qualifier(SlotName::Op);
    let segments = instruction.has(SlotName::Sg);
    let mut sources = Sources { taking_part: 0, in_bounds: 0, lane: [0; LANES as usize] };
    for lane in 0..LANES {
        let bit = 1 << lane;
        if active & bit == 0 || masks[lane as usize] as u32 & bit == 0 {
            continue;
        }
        sources.taking_part |= bit;
        let word = index[lane as usize] as u32;
        let offset = (word & 31) as i32;
        let up = direction == Some(Qualifier::Up);
        let (clamp, segment) = match segments {
            true => (word >> 8 & 31, word >> 16 & 31),
            false => (if up { 0 } else { 31 }, 0),
        };
        let first = lane & segment;
        let bound = (first | clamp & !segment & 31) as i32;
        let source = match direction {
            Some(Qualifier::Up) => lane as i32 - offset,
            Some(Qualifier::Dn) => lane as i32 + offset,
            Some(Qualifier::Xor) => lane as i32 ^ offset,
            _ => (first | offset as u32 & !segment & 31) as i32,
        };
        if if up { source >= bound } else { source <= bound } {
            sources.in_bounds |= bit;
            sources.lane[lane as usize] = source as u8;
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use pisa_diag::FileId;
    use pisa_module::{Options, link, lower};
    use std::sync::Arc;

    /// What each lane gets when `src0` of lane `i` is `i`; `None` where it takes no part.
    fn results(mnemonic: &str, control: u64, mask: u64) -> Vec<Option<u8>> {
        let text = format!(
            ".version 0.1;\n.target 100;\n.kernel @k() {{\n.reg .32b %a, %b;\n{mnemonic} %a, %b, 0, 0xffffffff;\n}}\n"
        );
        let tree = pisa_syntax::parse(FileId(0), Arc::from(text.as_str()));
        let module = lower(&tree, &Options::default()).module.expect("a valid module");
        let program = link(vec![module]).expect("a whole program");
        let (_, kernel) = program.kernels().next().expect("a kernel");
        let lanes = LANES as usize;
        let found = sources(&kernel.code[0], u32::MAX, &[control; LANES as usize], &[mask; LANES as usize]);
        (0..lanes)
            .map(|lane| {
                let source = found.lane[lane];
                // A source that takes no part gives the own value.
                let moves = found.in_bounds >> lane & 1 == 1 && mask >> source & 1 == 1;
                let own = if moves { source } else { lane as u8 };
                (found.taking_part >> lane & 1 == 1).then_some(own)
            })
            .collect()
    }

    fn numbers(text: &str) -> Vec<Option<u8>> {
        text.split_whitespace().map(|word| word.parse().ok()).collect()
    }

    /// Worked by hand from the pseudo-code of 7.4.
    #[test]
    fn worked_examples() {
        let own = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31";
        let all = 0xFFFF_FFFF;
        let cases: [(&str, u64, u64, &str); 17] = [
            (
                "shfl.up.32b",
                1,
                all,
                "0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30",
            ),
            (
                "shfl.dn.32b",
                2,
                all,
                "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 30 31",
            ),
            (
                "shfl.dn.32b",
                31,
                all,
                "31 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
            ),
            (
                "shfl.xor.32b",
                16,
                all,
                "16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
            ),
            ("shfl.idx.32b", 5, all, "5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5"),
            (
                "shfl.idx.sg.32b",
                0x18_1F03,
                all,
                "3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27",
            ),
            (
                "shfl.idx.sg.32b",
                0x18_1F0B,
                all,
                "3 3 3 3 3 3 3 3 11 11 11 11 11 11 11 11 19 19 19 19 19 19 19 19 27 27 27 27 27 27 27 27",
            ),
            ("shfl.idx.sg.32b", 0x18_1D06, all, own),
            (
                "shfl.dn.sg.32b",
                0x18_1F02,
                all,
                "2 3 4 5 6 7 6 7 10 11 12 13 14 15 14 15 18 19 20 21 22 23 22 23 26 27 28 29 30 31 30 31",
            ),
            (
                "shfl.dn.sg.32b",
                0x18_1D02,
                all,
                "2 3 4 5 4 5 6 7 10 11 12 13 12 13 14 15 18 19 20 21 20 21 22 23 26 27 28 29 28 29 30 31",
            ),
            ("shfl.dn.sg.32b", 0x18_0002, all, own),
            (
                "shfl.up.sg.32b",
                0x18_1802,
                all,
                "0 1 0 1 2 3 4 5 8 9 8 9 10 11 12 13 16 17 16 17 18 19 20 21 24 25 24 25 26 27 28 29",
            ),
            (
                "shfl.up.sg.32b",
                0x18_1B02,
                all,
                "0 1 2 3 4 3 4 5 8 9 10 11 12 11 12 13 16 17 18 19 20 19 20 21 24 25 26 27 28 27 28 29",
            ),
            ("shfl.up.sg.32b", 0x18_1F02, all, own),
            (
                "shfl.xor.sg.32b",
                0x18_1F09,
                all,
                "0 1 2 3 4 5 6 7 1 0 3 2 5 4 7 6 16 17 18 19 20 21 22 23 17 16 19 18 21 20 23 22",
            ),
            ("shfl.dn.32b", 1, 0xF0F0, "· · · · 5 6 7 7 · · · · 13 14 15 15 · · · · · · · · · · · · · · · ·"),
            (
                "shfl.idx.32b",
                0,
                0xFFFF_FFFE,
                "· 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
            ),
        ];
        for (mnemonic, control, mask, wanted) in cases {
            assert_eq!(
                results(mnemonic, control, mask),
                numbers(wanted),
                "{mnemonic} {control:#x} {mask:#x}"
            );
        }
    }
}
