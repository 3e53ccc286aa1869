use super::*;
use pisa_isa::{Effects, match_mnemonic, split_mnemonic};

/// The form of a mnemonic whose title has this in it.
fn evaluator(mnemonic: &str, title: &str) -> Evaluator {
    let parts = split_mnemonic(mnemonic).unwrap();
    let found = match_mnemonic(parts.opcode, parts.qualifiers()).unwrap();
    let found = found.iter().find(|found| FORMS[usize::from(found.form.0)].title.contains(title)).unwrap();
    Evaluator::of(found.form, &found.values).unwrap()
}

/// What a lane gets of a form that leaves no old element alone.
fn lane(mnemonic: &str, title: &str, sources: &[&[u128]], widths: &[u32]) -> Vec<u128> {
    evaluator(mnemonic, title).lane(sources, &vec![0; widths.len()], widths)
}

#[test]
fn results_are_cut_to_their_destinations() {
    assert_eq!(lane("iadd.32b", "", &[&[0xFFFF_FFFF], &[2]], &[32]), [1]);
    // 1.10: all 32 bits of -1 * 2.
    assert_eq!(lane("smul.full.16b", "", &[&[0xFFFF], &[2]], &[32]), [0xFFFF_FFFE]);
    assert_eq!(lane("scmp.lt.32b", "predicate", &[&[0xFFFF_FFFF], &[0]], &[1]), [1]);
    assert_eq!(lane("scmp.lt.32b", "register", &[&[0xFFFF_FFFF], &[0]], &[32]), [0xFFFF_FFFF]);
    assert_eq!(lane("ucmp.lt.32b", "predicate", &[&[0xFFFF_FFFF], &[0]], &[1]), [0]);
}

#[test]
fn sources_are_cut_to_their_operands() {
    // A 32-bit -1 of 64 bits is as much as 0xFFFFFFFF.
    assert_eq!(lane("umax.32b", "", &[&[u128::MAX], &[1]], &[64]), [0xFFFF_FFFF]);
    assert_eq!(lane("umax.16bx2", "", &[&[0x1_0002, 5], &[3, 4]], &[16, 16]), [3, 5]);
}

#[test]
fn packed_elements_are_apart() {
    assert_eq!(lane("isub.16bx2", "", &[&[0, 7], &[1, 7]], &[16, 16]), [0xFFFF, 0]);
    // 3.12: the second half shifts by bits 21 to 16.
    assert_eq!(lane("shr.16bx2", "", &[&[0x8000, 0x0010], &[0x0004_000F]], &[16, 16]), [1, 1]);
    // 1.5 in hf and 0.25 in hf, of f; D-22.
    assert_eq!(lane("ftrunc2.hfx2", "", &[&[0x3FC0_0000], &[0x3E80_0000]], &[16, 16]), [0x3E00, 0x3400]);
}

#[test]
fn several_destinations_lie_behind_one_another() {
    let sources: &[&[u128]] = &[&[0xFFFF_FFFF], &[0], &[1]];
    assert_eq!(lane("uaddc.ci.co.32b", "", sources, &[32, 1]), [0, 1]);
    assert_eq!(lane("uaddc.co.32b", "", &sources[..2], &[32, 1]), [0xFFFF_FFFF, 0]);
}

#[test]
fn old_elements_show_through() {
    let old = [1, 2, 3, 4];
    assert_eq!(evaluator("insert.1.32b", "").lane(&[&[9]], &old, &[32; 4]), [1, 9, 3, 4]);
    assert_eq!(evaluator("insert.2.v2.32b", "").lane(&[&[8, 9]], &old, &[32; 4]), [1, 2, 8, 9]);
    let dynamic = evaluator("insert.dynamic.v4.32b", "");
    assert_eq!(dynamic.lane(&[&[9], &[3]], &old, &[32; 4]), [1, 2, 3, 9]);
    // D-19
    assert_eq!(dynamic.lane(&[&[9], &[4]], &old, &[32; 4]), old);
    assert_eq!(lane("extract.2.v2.32b", "", &[&old], &[32, 32]), [3, 4]);
    assert_eq!(lane("extract.dynamic.v4.32b", "", &[&old, &[4]], &[32]), [0xCDCD_CDCD]);
}

#[test]
fn swizzles_are_rows() {
    let halves: &[&[u128]] = &[&[0x1111_2222, 0x3333_4444]];
    assert_eq!(lane("mov.64b", "Vector to scalar", halves, &[64]), [0x3333_4444_1111_2222]);
    assert_eq!(
        lane("mov.64b", "Scalar to vector", &[&[0x1111_2222_3333_4444]], &[16; 4]),
        [0x4444, 0x3333, 0x2222, 0x1111]
    );
    assert_eq!(lane("mov.64b", "Vector to vector", halves, &[16; 4]), [0x2222, 0x1111, 0x4444, 0x3333]);
}

#[test]
fn qualifiers_count() {
    // 1 + 2^-24 is half way between 1 and the next number of f.
    let sources: &[&[u128]] = &[&[0x3F80_0000], &[0x3380_0000]];
    assert_eq!(lane("fadd.f", "", sources, &[32]), [0x3F80_0000]);
    assert_eq!(lane("fadd.ru.f", "", sources, &[32]), [0x3F80_0001]);
    // 3.4: the truth table of `src0 & ~src1 & src2` has the bit 0b101 alone.
    assert_eq!(lane("bfn.0x20.32b", "", &[&[0b1111], &[0b0011], &[0b0110]], &[32]), [0b0100]);
    assert_eq!(lane("sel.32b", "predicate", &[&[1], &[2], &[0]], &[32]), [2]);
}

#[test]
fn tags_of_generic_addresses_need_no_launch() {
    let generic = lane("addrcast.generic.shared", "", &[&[0x10]], &[64]);
    assert_eq!(lane("isaddr.shared", "", &[&generic], &[32]), [0xFFFF_FFFF]);
    assert_eq!(lane("isaddr.global", "", &[&generic], &[32]), [0]);
    assert_eq!(lane("addrcast.shared.generic", "", &[&generic], &[32]), [0x10]);
}

#[test]
fn lanes_see_each_other() {
    let shfl = evaluator("shfl.dn.32b", "");
    assert!(shfl.is_cross_lane() && !evaluator("mov.32b", "Scalar to scalar").is_cross_lane());
    let values = std::array::from_fn(|lane| 10 + lane as u128);
    // Lanes 0 to 3 are active, lanes 0 to 2 take part; 7.4: lane 2 finds no partner and keeps its own value.
    let shuffled = shfl.cross_lane(0b1111, &[values, [1; LANES], [0b0111; LANES]]);
    assert_eq!(shuffled[..4], [Some(11), Some(12), Some(12), None]);
    assert_eq!(shuffled[4..], [None; 28]);
    let sums = evaluator("ired.sum.16b", "").cross_lane(0b11, &[[0x9000; LANES], [3; LANES], [0; LANES]]);
    assert_eq!(sums[..3], [Some(0x2000), Some(0x2000), None]);
    // S-05
    let first = evaluator("redfirstidx.32b", "").cross_lane(0b10, &[[1; LANES], [0; LANES], [0; LANES]]);
    assert_eq!(first[..3], [None, Some(0xFFFF_FFFF), None]);
}

#[test]
fn forms_that_reach_further_are_refused() {
    let further = [
        Effects::READS_MEMORY,
        Effects::WRITES_MEMORY,
        Effects::CONTROL_FLOW,
        Effects::BARRIER,
        Effects::FENCE,
    ];
    let (mut refused, mut taken) = (0, 0);
    for form in FORMS.iter() {
        let reaches = further.into_iter().any(|effect| form.effects.contains(effect));
        let values = form.combinations().next().unwrap();
        let evaluator = Evaluator::of(form.id(), &values);
        assert_eq!(evaluator.is_none(), reaches || form.opcode == Opcode::Addrof, "{}", form.syntax());
        if evaluator.is_none() {
            refused += 1
        } else {
            taken += 1
        }
        assert_eq!(
            evaluator.is_some_and(|evaluator| evaluator.is_cross_lane()),
            form.effects.contains(Effects::CROSS_LANE)
        );
    }
    assert!(refused > 10 && taken > 100, "{refused} refused, {taken} taken");
}

#[test]
fn what_no_mnemonic_says_is_refused() {
    let iadd = FORMS.iter().find(|form| form.opcode == Opcode::Iadd).unwrap().id();
    assert!(Evaluator::of(iadd, &SlotValues::default()).is_none());
    let sext = FORMS.iter().find(|form| form.opcode == Opcode::Sext).unwrap();
    let narrower = sext.spellings().find(|values| !sext.violations(values).is_empty()).unwrap();
    assert!(Evaluator::of(sext.id(), &narrower).is_none());
    assert!(Evaluator::of(FormId(u16::MAX), &SlotValues::default()).is_none());
}

/// Too many, too few, too wide: nothing that is given panics.
#[test]
fn anything_can_be_given() {
    for form in FORMS.iter() {
        for values in form.combinations() {
            let Some(evaluator) = Evaluator::of(form.id(), &values) else { continue };
            let given: [&[u128]; 4] = [&[], &[u128::MAX; 7], &[1 << 127], &[0]];
            for sources in given.into_iter().flat_map(|elements| [vec![elements; 5], vec![elements]]) {
                evaluator.lane(&sources, &[u128::MAX; 9], &[]);
                assert_eq!(evaluator.lane(&sources, &[], &[200; 70]).len(), 70);
            }
            evaluator.cross_lane(u32::MAX, &[[u128::MAX; LANES]; 3]);
        }
    }
}
