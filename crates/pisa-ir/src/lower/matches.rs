//! Which participants have the same bits.
//!
//! | operation | sequence | # |
//! |---|---|---|
//! | any | 6 for each distinct key, below | 6 |
//! | … 8 and 16 bits, packed | … and 1 to make it a word | 6 |
//! | … 64 bits | … and 1 for the halves; a second `shfl`, `xor` and `bfn` compare them | 9 |
//! | … predicates | `sel v, H1, 0, p; ired.or b, v, mask; bfn n, A & mask & ~b; sel d, b, n, p` | 4 |
//! | all | `ired.umin a; ired.umax b; ucmp.eq q, a, b; sel d, A, 0, q` | 4 |
//! | … 64 bits | `ballots` | 9 |
//!
//! ```text
//! L:
//! redfirstidx i, mask;        // of those that are still here
//! shfl.idx    k, key, i, mask;
//! ucmp.eq     p, k, key;
//! sel         v, H1, 0, p;
//! ired.or     d, v, mask;
//! goto.cond   !p, L;          // who has found its own leaves
//! ```
//! Lanes outside the mask keep their key in `k` and leave at once.

use crate::lower::ballots::{equal_bits, lanes_where};
use crate::lower::emit::Emitter;
use crate::lower::group::Group;
use crate::lower::shuffles::INDEX;
use crate::{Element, Operand};
use pisa_module::RegisterType;

pub(super) fn any(emitter: &mut Emitter<'_>, element: Element, data: Operand, group: Group) -> Operand {
    if element == Element::Predicate {
        return same_predicate(emitter, data, group);
    }
    let words: Vec<Operand> = if element.bits() == 64 {
        let halves = emitter.halves(data);
        (0..2).map(|first| emitter.half(halves, first)).collect()
    } else {
        vec![emitter.word(element, data)]
    };
    let (repeat, _) = emitter.block(&[]);
    let (join, results) = emitter.block(&[RegisterType::scalar(32)]);
    emitter.go(repeat, &[]);
    emitter.start(repeat);
    let first = emitter.first(group.mask);
    let mut keys = Vec::new();
    for &word in &words {
        let kept = if group.has_everyone() { Operand::Dead } else { word };
        keys.push(emitter.shfl(INDEX, [word, first, group.mask, kept]));
    }
    let same = match (&words[..], &keys[..]) {
        (&[low, high], &[first_low, first_high]) => {
            let differ = emitter.table("xor.32b", &[low, first_low]);
            // src0 | (src1 ^ src2)
            let differ = emitter.table("bfn.0xbe.32b", &[differ, high, first_high]);
            emitter.test("ucmp.eq.32b", &[differ, Operand::word(0)])
        }
        _ => emitter.test("ucmp.eq.32b", &[keys[0], words[0]]),
    };
    let lanes = lanes_where(emitter, true, same, group);
    emitter.branch(same, (join, &[lanes]), (repeat, &[]));
    emitter.start(join);
    results[0]
}

fn same_predicate(emitter: &mut Emitter<'_>, data: Operand, group: Group) -> Operand {
    let holds = lanes_where(emitter, true, data, group.inner());
    let active = emitter.active_mask();
    // src0 & src1 & ~src2
    let others = emitter.table("bfn.0x08.32b", &[active, group.mask, holds]);
    let same = emitter.select(32, holds, others, data);
    emitter.merge(Element::I32, same, group)
}

pub(super) fn all(emitter: &mut Emitter<'_>, element: Element, data: Operand, group: Group) -> Operand {
    let equal = equal_bits(emitter, element, data, group.inner());
    let lanes = group.lanes(emitter);
    let same = emitter.select(32, lanes, Operand::word(0), equal);
    emitter.merge(Element::I32, same, group)
}
