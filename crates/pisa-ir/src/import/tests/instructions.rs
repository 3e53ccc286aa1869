//! Operands of instructions, and chapter 7.

use super::{check_code, module};
use crate::CrossLaneKind;

#[test]
fn addresses_are_base_and_offset() {
    check_code(
        ".shared .align 4 @tile[128];
         ld.param.64b %p, [%in];
         ld.param.32b %a, [%in + 4];
         ld.shared.32b %b, [@tile + %a];
         ld.global.32b %c, [%p + %globaloffset.x];
         st.shared.32b [%laneid + -4], %c;
         st.global.32b [%p], %b;",
        "block0:
           %p: 64b = ld.param.64b [%in]
           %a: 32b = ld.param.32b [%in + 4]
           %b: 32b = ld.shared.32b [@tile + %a]
           %c: 32b = ld.global.32b [%p + %globaloffset.x]
           st.shared.32b [%laneid + -4], %c
           st.global.32b [%p], %b
           return",
    );
    // A missing offset is a 32-bit zero.
    let module = module(".kernel @k() { .reg .64b %p; st.global.32b [%p], %laneid; }");
    let function = &module.functions[0];
    let (_, store) = function.all_instructions().last().expect("the store");
    assert_eq!(function.instruction(store).operands[1], crate::Operand::word(0));
}

#[test]
fn immediates_have_the_width_of_their_place() {
    let module = module(
        ".kernel @k() {
           .reg .64b %p, %q; .reg .16b %h;
           shl.64b %q, %p, -1;
           fadd.hf %h, %h, 1.0;
           umad.full.32b %q, %laneid, 3, 4;
         }",
    );
    let function = &module.functions[0];
    let constants: Vec<_> = (function.all_instructions())
        .flat_map(|(_, i)| function.instruction(i).operands.iter().copied())
        .filter_map(|operand| match operand {
            crate::Operand::Constant(constant) => Some((constant.bits(), constant.ty.bits)),
            _ => None,
        })
        .collect();
    // I-01: the amount of a shift has 32 bits; 1.0 in .hf is 0x3C00; the last source of a full multiplication is twice as wide.
    assert_eq!(constants, [(0xffff_ffff, 32), (0x3c00, 16), (3, 32), (4, 64)]);
}

#[test]
fn predicates_carries_and_absent_operands() {
    check_code(
        "ld.global.32b %a, [%p];
         uaddc.co.32b %b, %t, %a, 1;
         uaddc.ci.co.32b %c, %u, %a, %b, %t;
         sel.32b %d, %a, %c, !%u;
         iatom.global.inc.32b %m, [%p];
         iatom.global.cas.32b %m, [%p + 8], %m, %d;",
        "block0:
           %p: 64b = initial
           %a: 32b = ld.global.32b [%p]
           %b: 32b, %t: pred = uaddc.co.32b %a, 1
           %c: 32b, %u: pred = uaddc.ci.co.32b %a, %b, %t
           %d: 32b = sel.32b %a, %c, !%u
           %m.7: 32b = iatom.global.inc.32b [%p]
           %m.8: 32b = iatom.global.cas.32b [%p + 8], %m.7, %d
           return",
    );
}

#[test]
fn each_reading_of_the_active_mask_is_its_own() {
    check_code(
        "iadd.32b %a, %activemask, %activemask;
         mov.32b %m, %activemask;
         barrier.workgroup;
         st.shared.32b [%activemask + 4], %a;
         st.shared.32b [%a + %activemask], %m;",
        "block0:
           %0: 32b = activemask in block0, inactive own
           %1: 32b = activemask in block0, inactive own
           %a: 32b = iadd.32b %0, %1
           %3: 32b = activemask in block0, inactive own
           barrier.workgroup in block0, as #1
           %4: 32b = activemask in after #1, inactive own
           st.shared.32b [%4 + 4], %a
           %5: 32b = activemask in after #1, inactive own
           st.shared.32b [%a + %5], %3
           return",
    );
}

#[test]
fn masks_and_kept_values_are_operands() {
    check_code(
        "ld.global.32b %a, [%p];
         shfl.dn.sg.32b %b, %a, 0x00181f02, 0xffff;
         shfl.idx.32b %v2.y, %a, %b, %c;
         redfirstidx.32b %d, %c;
         ired.umax.16b %h, %h, 0xffffffff;
         fred.absmax.nanp.hfx2 %vh, %vh, %d;
         st.global.v2.32b [%p], %v2;
         st.global.16b [%p], %h;",
        "block0:
           %p: 64b = initial
           %b.1: 32b = initial
           %c: 32b = initial
           %v2.3: v2.32b = initial
           %h.4: 16b = initial
           %vh.5: v2.16b = initial
           %a: 32b = ld.global.32b [%p]
           %b.7: 32b = shuffle.down.segmented.i32 %a, index 0x00181f02, mask 0x0000ffff, keep %b.1, in block0, inactive own
           %8: 32b = vector.extract.1 %v2.3
           %9: 32b = shuffle.index.i32 %a, index %b.7, mask %c, keep %8, in block0, inactive own
           %v2.10: v2.32b = vector.insert.1 %v2.3, %9
           %d: 32b = first_participant mask %c, in block0, inactive own
           %h.12: 16b = reduce.umax.i16 %h.4, mask 0xffffffff, keep dead, in block0, inactive own
           %vh.13: v2.16b = reduce.fabsmax_nan.hfx2 %vh.5, mask %d, keep %vh.5, in block0, inactive own
           st.global.v2.32b [%p], %v2.10
           st.global.16b [%p], %h.12
           return",
    );
}

/// Every qualifier of chapter 7 and what it is (7.1, 7.2, 7.4).
#[test]
fn chapter_7_by_its_qualifiers() {
    use crate::{Element as E, Reduction as R};
    let reductions = [
        ("ired.sum.32b", R::Sum, E::I32),
        ("ired.sum.16b", R::Sum, E::I16),
        ("ired.smin.32b", R::Smin, E::I32),
        ("ired.smax.16b", R::Smax, E::I16),
        ("ired.umin.32b", R::Umin, E::I32),
        ("ired.umax.32b", R::Umax, E::I32),
        ("ired.and.32b", R::And, E::I32),
        ("ired.or.16b", R::Or, E::I16),
        ("ired.xor.32b", R::Xor, E::I32),
        ("ired.absmax.32b", R::Absmax, E::I32),
        ("fred.min.f", R::Fmin, E::F),
        ("fred.max.hf", R::Fmax, E::Hf),
        ("fred.absmax.bf", R::Fabsmax, E::Bf),
        ("fred.min.nanp.f", R::FminNan, E::F),
        ("fred.max.nanp.bfx2", R::FmaxNan, E::Bfx2),
        ("fred.absmax.nanp.hfx2", R::FabsmaxNan, E::Hfx2),
    ];
    for (mnemonic, reduction, element) in reductions {
        let ty = match element.register() {
            ty if ty.is_vector() => format!(".v{}.{}b", ty.elements, ty.bits),
            ty => format!(".{}b", ty.bits),
        };
        let module = module(&format!(".kernel @k() {{ .reg {ty} %a; {mnemonic} %a, %a, 0xff; }}"));
        let function = &module.functions[0];
        let found =
            function.all_instructions().filter_map(|(_, i)| function.instruction(i).cross_lane()).next();
        let found = found.expect("a reduction");
        assert_eq!(found.element, element, "{mnemonic}");
        assert!(
            matches!(found.kind, CrossLaneKind::Reduce { reduction: r, .. } if r == reduction),
            "{mnemonic}: {found:?}"
        );
        assert!(found.is_native(), "{mnemonic}");
    }
}
