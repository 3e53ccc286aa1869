//! Elements of vectors, read and written in place, and vectors that must be copied.

use super::*;
use crate::VectorOperation;

const V4: RegisterType = RegisterType { elements: 4, bits: 32 };
const V2: RegisterType = RegisterType { elements: 2, bits: 32 };
const V8: RegisterType = RegisterType { elements: 8, bits: 32 };

fn element(b: &mut Build, block: Block, vector: Value, first: u8) -> Value {
    let [value] =
        b.put(block, Operation::Vector(VectorOperation::Extract { first }), &[vector.into()], [B32]);
    value
}

fn insert(b: &mut Build, block: Block, vector: Value, first: u8, value: Value) -> Value {
    let ty = b.0.value(vector).ty;
    let operands = [vector.into(), value.into()];
    let [value] = b.put(block, Operation::Vector(VectorOperation::Insert { first }), &operands, [ty]);
    value
}

#[test]
fn elements_are_read_and_written_in_place() {
    let (mut b, entry, arguments) = Build::function(Some(V4), &[V4]);
    let v = arguments[0];
    let (x, y) = (element(&mut b, entry, v, 0), element(&mut b, entry, v, 1));
    let sum = b.word(entry, "", "iadd.32b", &[x.into(), y.into()]);
    let v = insert(&mut b, entry, v, 0, sum);
    let w = element(&mut b, entry, v, 3);
    let v = insert(&mut b, entry, v, 2, w);
    b.give(entry, v);
    assert_text(&b.text(), "iadd.32b %a.x, %a.x, %a.y;\nmov.32b %a.z, %a.w;\nreturn %a;");
}

#[test]
fn an_element_that_is_read_after_a_change_is_copied() {
    let (mut b, entry, arguments) = Build::function(Some(B32), &[V4, B32]);
    let x = element(&mut b, entry, arguments[0], 0);
    let v = insert(&mut b, entry, arguments[0], 0, arguments[1]);
    let y = element(&mut b, entry, v, 0);
    let sum = b.word(entry, "", "iadd.32b", &[x.into(), y.into()]);
    b.give(entry, sum);
    assert_text(
        &b.text(),
        "
        .reg .32b %r0;
        mov.32b %r0, %a.x;
        mov.32b %a.x, %b;
        iadd.32b %r0, %r0, %a.x;
        return %r0;
        ",
    );
}

#[test]
fn a_vector_that_is_needed_before_and_after_is_copied() {
    let (mut b, entry, arguments) = Build::function(Some(V4), &[V4, B32]);
    let v = insert(&mut b, entry, arguments[0], 1, arguments[1]);
    let [w] =
        b.put(entry, Operation::Vector(VectorOperation::Extract { first: 2 }), &[arguments[0].into()], [V2]);
    let operands = [v.into(), w.into()];
    let [v] = b.put(entry, Operation::Vector(VectorOperation::Insert { first: 2 }), &operands, [V4]);
    b.give(entry, v);
    assert_text(
        &b.text(),
        "
        .reg .v4.32b %v0;
        mov.128b %v0.xyzw, %a.xyzw;
        mov.32b %v0.y, %b;
        mov.64b %v0.zw, %a.zw;
        return %v0;
        ",
    );
}

#[test]
fn rows_are_taken_apart_and_put_together() {
    let (mut b, entry, arguments) = Build::function(Some(B64), &[B64, V4]);
    let [halves] = b.put(entry, Operation::Vector(VectorOperation::Unpack), &[arguments[0].into()], [V2]);
    let operands = [arguments[1].into(), halves.into()];
    let [v] = b.put(entry, Operation::Vector(VectorOperation::Insert { first: 0 }), &operands, [V4]);
    let [pair] = b.put(entry, Operation::Vector(VectorOperation::Extract { first: 2 }), &[v.into()], [V2]);
    let [row] = b.put(entry, Operation::Vector(VectorOperation::Pack), &[pair.into()], [B64]);
    b.named(row, "row");
    b.table(entry, "st.global.v4.32b", 0, &[arguments[0].into(), number(0), v.into()], []);
    b.give(entry, row);
    assert_text(
        &b.text(),
        "
        .reg .64b %row;
        mov.64b %b.xy, %a;
        mov.64b %row, %b.zw;
        st.global.v4.32b [%a], %b;
        return %row;
        ",
    );
}

#[test]
fn elements_from_the_fifth_on() {
    let (mut b, entry, arguments) = Build::function(Some(V8), &[V8, V4]);
    let x = element(&mut b, entry, arguments[0], 6);
    let v = insert(&mut b, entry, arguments[0], 5, x);
    let operands = [v.into(), arguments[1].into()];
    let [v] = b.put(entry, Operation::Vector(VectorOperation::Insert { first: 4 }), &operands, [V8]);
    b.give(entry, v);
    assert_text(
        &b.text(),
        "
        .reg .32b %r0;
        extract.6.32b %r0, %a;
        insert.5.32b %a, %r0;
        insert.4.v4.32b %a, %b;
        return %a;
        ",
    );
}

#[test]
fn constant_vectors() {
    let (mut b, entry, _) = Build::function(Some(V2), &[]);
    b.give(entry, Operand::Constant(Constant::new(5 << 32 | 6, V2)));
    assert_text(
        &b.text(),
        "
        .reg .64b %d0;
        .reg .v2.32b %v0;
        mov.64b %d0, 0x500000006;
        mov.64b %v0.xy, %d0;
        return %v0;
        ",
    );
}
