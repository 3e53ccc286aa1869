//! Operands: immediates, what must be in a register, addresses, masks, kept values.

use super::*;
use crate::{ClusterSize, LaneMask, MaskOperation};
use crate::{CrossLane, CrossLaneKind, Element, InactiveSource, Reduction, Scope, ShuffleKind};
use pisa_module::{ParameterId, SpecialRegister};

fn cross(kind: CrossLaneKind, element: Element) -> Operation {
    Operation::CrossLane(CrossLane { kind, element, inactive: InactiveSource::Own })
}

fn reduce(reduction: Reduction, element: Element) -> Operation {
    let kind = CrossLaneKind::Reduce {
        reduction,
        scope: Scope::Reduce,
        cluster: ClusterSize::FULL,
        partitioned: false,
    };
    cross(kind, element)
}

#[test]
fn numbers_that_are_no_operands_come_into_registers_once_a_block() {
    let mut b = Build::kernel(&["out"]);
    let entry = b.block("");
    let [out] = b.table(entry, "ld.param.64b", 0, &[Operand::Parameter(ParameterId(0)), number(0)], [B64]);
    b.named(out, "out");
    for (offset, value) in [(0, 7), (4, 7), (0xffff_fff8, 9)] {
        b.table(entry, "st.global.32b", 0, &[out.into(), number(offset), number(value)], []);
    }
    let lane = Operand::Special(SpecialRegister::LaneId);
    b.table(entry, "st.global.32b", 0, &[out.into(), long(8), lane], []);
    assert_text(
        &b.text(),
        "
        .reg .64b %out_1;
        .reg .32b %r0;
        ld.param.64b %out_1, [%out];
        mov.32b %r0, 7;
        st.global.32b [%out_1], %r0;
        st.global.32b [%out_1 + 4], %r0;
        mov.32b %r0, 9;
        st.global.32b [%out_1 + -8], %r0;
        st.global.32b [%out_1 + 8], %laneid;
        ",
    );
}

#[test]
fn kept_values_are_tied() {
    // A shuffle that keeps its own data, a reduction that keeps something else needed later, one that keeps nothing.
    let (mut b, entry, arguments) = Build::function(Some(B32), &[B32, B32]);
    let [x, mask] = [arguments[0], arguments[1]];
    let shuffle = cross(CrossLaneKind::Shuffle { kind: ShuffleKind::Xor, segmented: false }, Element::I32);
    let [s] = b.put(entry, shuffle, &[x.into(), number(1), mask.into(), x.into()], [B32]);
    let [kept] =
        b.put(entry, reduce(Reduction::Smax, Element::I32), &[s.into(), mask.into(), mask.into()], [B32]);
    b.named(kept, "kept");
    let [free] = b.put(
        entry,
        reduce(Reduction::Or, Element::I32),
        &[s.into(), number(u32::MAX), Operand::Dead],
        [B32],
    );
    let sum = b.word(entry, "", "iadd.32b", &[kept.into(), free.into()]);
    let sum = b.word(entry, "", "iadd.32b", &[sum.into(), mask.into()]);
    b.give(entry, sum);
    assert_text(
        &b.text(),
        "
        .reg .32b %kept, %r0;
        shfl.xor.32b %a, %a, 1, %b;
        mov.32b %kept, %b;
        ired.smax.32b %kept, %a, %b;
        ired.or.32b %r0, %a, 0xffffffff;
        iadd.32b %r0, %kept, %r0;
        iadd.32b %r0, %r0, %b;
        return %r0;
        ",
    );
}

#[test]
fn the_next_instruction_reads_activemask() {
    let (mut b, entry, arguments) = Build::function(Some(B32), &[B32]);
    let [mask] = b.put(entry, cross(CrossLaneKind::ActiveMask, Element::I32), &[], [B32]);
    let [first] = b.put(entry, cross(CrossLaneKind::FirstParticipant, Element::I32), &[mask.into()], [B32]);
    let [late] = b.put(entry, cross(CrossLaneKind::ActiveMask, Element::I32), &[], [B32]);
    b.named(late, "mask");
    let one = b.word(entry, "", "iadd.32b", &[first.into(), arguments[0].into()]);
    let two = b.word(entry, "", "iadd.32b", &[late.into(), one.into()]);
    b.give(entry, two);
    assert_text(
        &b.text(),
        "
        .reg .32b %mask, %r0;
        redfirstidx.32b %r0, %activemask;
        mov.32b %mask, %activemask;
        iadd.32b %r0, %r0, %a;
        iadd.32b %r0, %mask, %r0;
        return %r0;
        ",
    );
}

#[test]
fn reductions_of_floats() {
    let (mut b, entry, arguments) = Build::function(Some(B32), &[B32]);
    let mut value = arguments[0];
    for (reduction, element) in [(Reduction::FmaxNan, Element::F), (Reduction::Fabsmax, Element::F)] {
        [value] =
            b.put(entry, reduce(reduction, element), &[value.into(), number(0xffff), value.into()], [B32]);
    }
    b.give(entry, value);
    assert_text(&b.text(), "fred.max.nanp.f %a, %a, 0xffff;\nfred.absmax.f %a, %a, 0xffff;\nreturn %a;");
}

#[test]
fn negations_and_constant_predicates() {
    let (mut b, entry, arguments) = Build::function(Some(B32), &[B32]);
    let x = arguments[0];
    let p = b.test(entry, "p", "ucmp.lt.32b", &[x.into(), number(3)]);
    let [chosen] = b.table(entry, "sel.32b", 1, &[x.into(), number(5), Operand::Negated(p)], [B32]);
    let [sum] = b.table(entry, "uaddc.ci.32b", 0, &[x.into(), chosen.into(), Operand::Negated(p)], [B32]);
    let yes = Operand::Constant(Constant::predicate(true));
    let [sum] = b.table(entry, "uaddc.ci.32b", 0, &[x.into(), sum.into(), yes], [B32]);
    b.give(entry, sum);
    assert_text(
        &b.text(),
        "
        .reg .32b %r0, %r1;
        .pred %p, %p0;
        ucmp.lt.32b %p, %a, 3;
        sel.32b %r0, %a, 5, !%p;
        sel.32b %r1, 0, 1, %p;
        ucmp.ne.32b %p0, %r1, 0;
        uaddc.ci.32b %r0, %a, %r0, %p0;
        ucmp.eq.32b %p0, 0, 0;
        uaddc.ci.32b %r0, %a, %r0, %p0;
        return %r0;
        ",
    );
}

#[test]
fn wide_numbers() {
    let (mut b, entry, _) = Build::function(Some(RegisterType::scalar(128)), &[]);
    b.give(entry, Operand::Constant(Constant::scalar(u128::MAX - 1, 128)));
    assert_text(&b.text(), "return -2;");
    let (mut b, entry, _) = Build::function(Some(RegisterType::scalar(128)), &[]);
    b.give(entry, Operand::Constant(Constant::scalar(5 << 64 | 6, 128)));
    assert_text(
        &b.text(),
        "
        .reg .128b %q0;
        .reg .v2.64b %v0;
        .reg .64b %d0;
        mov.64b %d0, 6;
        mov.64b %v0.x, %d0;
        mov.64b %d0, 5;
        mov.64b %v0.y, %d0;
        mov.128b %q0, %v0.xy;
        return %q0;
        ",
    );
}

#[test]
fn what_is_not_lowered_is_named() {
    let mut b = Build::kernel(&[]);
    let entry = b.block("");
    b.put(entry, Operation::Mask(MaskOperation::Lanes(LaneMask::Less)), &[], [B32]);
    let module = Module {
        version: Version(0, 1),
        target: pisa_isa::Target::T100,
        variables: vec![],
        functions: vec![b.0],
    };
    let error = export(&module).unwrap_err();
    assert_eq!(&*error.function, "k");
    assert!(error.to_string().contains("Lanes(Less)"), "{error}");
}

#[test]
fn the_sample_module_is_valid() {
    // Calls, a barrier, variables of all kinds: it reads back as itself, which `body` checks.
    let mut module = crate::samples::sample();
    for instruction in &mut module.functions[0].instructions {
        if let Operation::CrossLane(operation) = &mut instruction.operation {
            operation.inactive = InactiveSource::Own;
        }
    }
    let text = body(&module);
    assert!(text.contains("call.cond !%p0, %s, @g(%s, %d0);"), "{text}");
}
