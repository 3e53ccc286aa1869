//! Blocks, parameters of blocks, copies.

use super::*;

#[test]
fn a_loop_needs_no_copy() {
    let mut b = Build::kernel(&[]);
    let (entry, head, body, done) = (b.block("entry"), b.block("head"), b.block("body"), b.block("done"));
    let i = b.parameter(head, "i", B32);
    b.goto(entry, to(head, &[number(0)]));
    let more = b.test(head, "more", "ucmp.lt.32b", &[i.into(), number(10)]);
    b.branch(head, more, to(body, &[]), to(done, &[]));
    let next = b.word(body, "i", "iadd.32b", &[i.into(), number(1)]);
    b.goto(body, to(head, &[next.into()]));
    assert_text(
        &b.text(),
        "
        .reg .32b %i;
        .pred %more;
        mov.32b %i, 0;
        head:
        ucmp.lt.32b %more, %i, 10;
        goto.cond !%more, done;
        iadd.32b %i, %i, 1;
        goto head;
        done:
        ",
    );
}

#[test]
fn numbers_of_fibonacci_move_up() {
    let (mut b, entry, _) = Build::function(Some(B32), &[B32]);
    let (head, done) = (b.block("head"), b.block("done"));
    let (x, y) = (b.parameter(head, "x", B32), b.parameter(head, "y", B32));
    b.goto(entry, to(head, &[number(0), number(1)]));
    let sum = b.word(head, "sum", "iadd.32b", &[x.into(), y.into()]);
    let more = b.test(head, "more", "ucmp.lt.32b", &[sum.into(), number(1000)]);
    b.branch(head, more, to(head, &[y.into(), sum.into()]), to(done, &[]));
    b.give(done, x);
    // `y` moves to `x` while the other way needs `x`: not before the branch.
    assert_text(
        &b.text(),
        "
        .reg .32b %x, %y, %sum;
        .pred %more;
        mov.32b %x, 0;
        mov.32b %y, 1;
        head:
        iadd.32b %sum, %x, %y;
        ucmp.lt.32b %more, %sum, 1000;
        goto.cond !%more, done;
        mov.32b %x, %y;
        mov.32b %y, %sum;
        goto head;
        done:
        return %x;
        ",
    );
}

#[test]
fn a_swap_takes_a_third_register() {
    let (mut b, entry, _) = Build::function(Some(B32), &[]);
    let (head, done) = (b.block("head"), b.block("done"));
    let (x, y) = (b.parameter(head, "x", B32), b.parameter(head, "y", B32));
    b.goto(entry, to(head, &[number(3), number(4)]));
    let more = b.test(head, "more", "ucmp.lt.32b", &[x.into(), y.into()]);
    b.branch(head, more, to(head, &[y.into(), x.into()]), to(done, &[x.into(), y.into()]));
    let (left, right) = (b.parameter(done, "left", B32), b.parameter(done, "right", B32));
    let both = b.word(done, "both", "isub.32b", &[left.into(), right.into()]);
    b.give(done, both);
    assert_text(
        &b.text(),
        "
        .reg .32b %x, %y, %both, %r0;
        .pred %more;
        mov.32b %x, 3;
        mov.32b %y, 4;
        head:
        ucmp.lt.32b %more, %x, %y;
        goto.cond !%more, done;
        mov.32b %r0, %x;
        mov.32b %x, %y;
        mov.32b %y, %r0;
        goto head;
        done:
        isub.32b %both, %x, %y;
        return %both;
        ",
    );
}

#[test]
fn predicates_are_copied_by_their_carry() {
    let (mut b, entry, arguments) = Build::function(Some(B32), &[B32]);
    let (head, done) = (b.block("head"), b.block("done"));
    let (p, q) =
        (b.parameter(head, "p", RegisterType::PREDICATE), b.parameter(head, "q", RegisterType::PREDICATE));
    let first = b.test(entry, "p", "ucmp.lt.32b", &[arguments[0].into(), number(3)]);
    let no = Operand::Constant(Constant::predicate(false));
    b.goto(entry, to(head, &[first.into(), no]));
    let more = b.test(head, "more", "ucmp.lt.32b", &[arguments[0].into(), number(9)]);
    b.branch(head, more, to(head, &[q.into(), q.into()]), to(done, &[]));
    let [chosen] = b.table(done, "sel.32b", 1, &[number(1), number(0), p.into()], [B32]);
    b.give(done, chosen);
    assert_text(
        &b.text(),
        "
        .reg .32b %r0, %r1;
        .pred %p, %q, %more;
        ucmp.lt.32b %p, %a, 3;
        ucmp.ne.32b %q, 0, 0;
        head:
        ucmp.lt.32b %more, %a, 9;
        goto.cond !%more, done;
        uaddc.ci.co.32b %r1, %p, -1, 0, %q;
        goto head;
        done:
        sel.32b %r0, 1, 0, %p;
        return %r0;
        ",
    );
}

#[test]
fn copies_of_both_ways() {
    // Diamond whose arms only choose a number: one copy before the branch, one behind it.
    let (mut b, entry, arguments) = Build::function(Some(B32), &[B32]);
    let join = b.block("join");
    let x = b.parameter(join, "x", B32);
    let p = b.test(entry, "p", "ucmp.lt.32b", &[arguments[0].into(), number(3)]);
    b.branch(entry, p, to(join, &[number(7)]), to(join, &[number(8)]));
    b.give(join, x);
    assert_text(
        &b.text(),
        "
        .reg .32b %x;
        .pred %p;
        ucmp.lt.32b %p, %a, 3;
        goto.cond !%p, L1;
        mov.32b %x, 7;
        goto join;
        L1:
        mov.32b %x, 8;
        join:
        return %x;
        ",
    );
}

#[test]
fn a_copy_before_the_branch() {
    let (mut b, entry, arguments) = Build::function(Some(B32), &[B32]);
    let (other, join) = (b.block("other"), b.block("join"));
    let x = b.parameter(join, "x", B32);
    let p = b.test(entry, "p", "ucmp.lt.32b", &[arguments[0].into(), number(3)]);
    b.branch(entry, p, to(join, &[number(7)]), to(other, &[]));
    let sum = b.word(other, "sum", "iadd.32b", &[arguments[0].into(), number(1)]);
    b.goto(other, to(join, &[sum.into()]));
    b.give(join, x);
    assert_text(
        &b.text(),
        "
        .reg .32b %x;
        .pred %p;
        ucmp.lt.32b %p, %a, 3;
        mov.32b %x, 7;
        goto.cond %p, join;
        iadd.32b %x, %a, 1;
        join:
        return %x;
        ",
    );
}

#[test]
fn returns() {
    // A conditional return, one at the end of a kernel that says nothing, and one that a function must have.
    let mut b = Build::kernel(&[]);
    let (entry, done) = (b.block(""), b.block(""));
    let p = b.test(
        entry,
        "",
        "ucmp.lt.32b",
        &[Operand::Special(pisa_module::SpecialRegister::LaneId), number(3)],
    );
    b.0.blocks[0].terminator =
        Terminator::ReturnIf { condition: Operand::Negated(p), value: None, otherwise: to(done, &[]) };
    assert_text(
        &b.text(),
        ".pred %p0; ucmp.lt.32b %p0, %laneid, 3; return.cond !%p0;".replace("; ", ";\n").as_str(),
    );

    let (mut b, entry, arguments) = Build::function(Some(B64), &[B64]);
    let again = b.block("again");
    b.goto(entry, to(again, &[]));
    b.goto(again, to(again, &[]));
    let _ = arguments;
    assert_text(&b.text(), "again:\ngoto again;\nreturn 0;");

    let (mut b, entry, arguments) = Build::function(Some(B64), &[B64]);
    let p = b.test(entry, "", "ucmp.lt.64b", &[arguments[0].into(), long(3)]);
    let rest = b.block("");
    b.0.blocks[0].terminator =
        Terminator::ReturnIf { condition: p.into(), value: Some(long(5)), otherwise: to(rest, &[]) };
    b.give(rest, arguments[0]);
    assert_text(&b.text(), ".pred %p0;\nucmp.lt.64b %p0, %a, 3;\nreturn.cond %p0, 5;\nreturn %a;");
}

#[test]
fn an_unwritten_register_is_written_by_nobody() {
    let mut b = Build::kernel(&[]);
    let (entry, head, done) = (b.block(""), b.block("head"), b.block(""));
    let unwritten = b.initial(entry, "x", B32);
    b.goto(entry, to(head, &[]));
    let sum = b.word(head, "x", "iadd.32b", &[unwritten.into(), number(1)]);
    let p = b.test(head, "p", "ucmp.lt.32b", &[sum.into(), number(3)]);
    b.branch(head, p, to(head, &[]), to(done, &[]));
    // The sum bears the same name, but the loop reads the unwritten register again.
    assert_text(
        &b.text(),
        "
        .reg .32b %x, %x_1;
        .pred %p;
        head:
        iadd.32b %x_1, %x, 1;
        ucmp.lt.32b %p, %x_1, 3;
        goto.cond %p, head;
        ",
    );
}

#[test]
fn branches_on_constants_and_to_one_block() {
    let mut b = Build::kernel(&[]);
    let (entry, left, right) = (b.block(""), b.block("left"), b.block("right"));
    b.branch(entry, Operand::Constant(Constant::predicate(true)), to(right, &[]), to(left, &[]));
    b.branch(left, Operand::Constant(Constant::predicate(false)), to(left, &[]), to(right, &[]));
    assert_text(&b.text(), "goto right;\nright:");
}
