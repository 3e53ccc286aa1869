//! Swizzles, and the instructions that move elements.

use super::{check_code, module};
use crate::{Operation, VectorOperation};

#[test]
fn elements_are_taken_out_and_put_in() {
    check_code(
        "ld.global.v2.32b %v2, [%p];
         iadd.32b %v2.x, %v2.y, %laneid;
         st.global.v2.32b [%p], %v2;",
        "block0:
           %p: 64b = initial
           %v2.1: v2.32b = ld.global.v2.32b [%p]
           %2: 32b = vector.extract.1 %v2.1
           %3: 32b = iadd.32b %2, %laneid
           %v2.4: v2.32b = vector.insert.0 %v2.1, %3
           st.global.v2.32b [%p], %v2.4
           return",
    );
}

#[test]
fn moves_between_elements_of_one_width() {
    check_code(
        "ld.global.v4.32b %v4, [%p];
         mov.32b %a, %v4.z;
         mov.32b %v4.y, %a;
         mov.64b %v4.zw, %v4.xy;
         mov.64b %v2.xy, %v4.zw;
         mov.128b %v4.xyzw, %v4.xyzw;
         st.global.v4.32b [%p], %v4;
         st.global.v2.32b [%p], %v2;",
        "block0:
           %p: 64b = initial
           %v4.1: v4.32b = ld.global.v4.32b [%p]
           %2: 32b = vector.extract.2 %v4.1
           %v4.3: v4.32b = vector.insert.1 %v4.1, %2
           %4: v2.32b = vector.extract.0 %v4.3
           %v4.5: v4.32b = vector.insert.2 %v4.3, %4
           %6: v2.32b = vector.extract.2 %v4.5
           st.global.v4.32b [%p], %v4.5
           st.global.v2.32b [%p], %6
           return",
    );
}

#[test]
fn moves_between_widths_go_through_one_row() {
    // D-12: the bits in one row, the first element lowest.
    check_code(
        "ld.global.v4.32b %v4, [%p];
         mov.64b %q, %v4.zw;
         mov.64b %v4h.xyzw, %v4.xy;
         mov.32b %vh.xy, %v4.x;
         mov.32b %a, %vh.xy;
         mov.64b %v4.zw, %q;
         mov.32b %v4.x, %v4h.zw;
         st.global.v4.32b [%p], %v4;
         st.global.32b [%p], %a;",
        "block0:
           %p: 64b = initial
           %v4.1: v4.32b = ld.global.v4.32b [%p]
           %2: v2.32b = vector.extract.2 %v4.1
           %3: 64b = vector.pack %2
           %4: v2.32b = vector.extract.0 %v4.1
           %5: 64b = vector.pack %4
           %6: v4.16b = vector.unpack %5
           %7: 32b = vector.extract.0 %v4.1
           %8: v2.16b = vector.unpack %7
           %9: 32b = vector.pack %8
           %10: v2.32b = vector.unpack %3
           %v4.11: v4.32b = vector.insert.2 %v4.1, %10
           %12: v2.16b = vector.extract.2 %6
           %13: 32b = vector.pack %12
           %v4.14: v4.32b = vector.insert.0 %v4.11, %13
           st.global.v4.32b [%p], %v4.14
           st.global.32b [%p], %9
           return",
    );
}

#[test]
fn a_vector_that_is_written_whole_needs_no_old_value() {
    let module = module(
        ".kernel @k() {
           .reg .v2.32b %v; .reg .64b %q, %p;
           ld.global.64b %q, [%p];
           mov.64b %v.xy, %q;
           st.global.v2.32b [%p], %v;
           mov.64b %v.xy, 0x0000000100000002;
           st.global.v2.32b [%p], %v;
         }",
    );
    let function = &module.functions[0];
    let operations: Vec<_> =
        function.all_instructions().map(|(_, i)| &function.instruction(i).operation).collect();
    // Of %p, not of %v.
    assert_eq!(operations.iter().filter(|o| ***o == Operation::Initial).count(), 1, "{module}");
    assert_eq!(*operations[2], Operation::Vector(VectorOperation::Unpack), "{module}");
    // A constant is one of the vector's type.
    let (_, last) = function.all_instructions().last().expect("the store");
    let stored = *function.instruction(last).operands.last().expect("what is stored");
    assert_eq!(stored.constant(), Some(0x0000_0001_0000_0002));
    assert_eq!(function.type_of(stored).map(|ty| (ty.elements, ty.bits)), Some((2, 32)));
}

#[test]
fn decimal_literals_of_128_bits_are_extended_by_their_sign() {
    let module = module(
        ".kernel @k() {
           .reg .64b %p; .reg .128b %w, %x;
           mov.128b %w, -1;
           st.global.relaxed.128b [%p], %w;
           mov.128b %x, 0xffffffffffffffff;
           st.global.relaxed.128b [%p], %x;
         }",
    );
    let function = &module.functions[0];
    let stored: Vec<_> = (function.all_instructions())
        .filter_map(|(_, i)| function.instruction(i).operands.last()?.constant())
        .collect();
    assert_eq!(stored, [u128::MAX, u128::from(u64::MAX)]);
}

#[test]
fn extract_and_insert_with_places_known_and_not() {
    check_code(
        "ld.global.v4.32b %v4, [%p];
         extract.3.32b %a, %v4;
         extract.2.v2.32b %v2, %v4;
         insert.1.32b %v4, %a;
         insert.0.v2.32b %v4, %v2;
         extract.dynamic.v4.32b %b, %v4, %laneid;
         insert.dynamic.v4.32b %v4, %b, %a;
         st.global.v4.32b [%p], %v4;",
        "block0:
           %p: 64b = initial
           %v4.1: v4.32b = ld.global.v4.32b [%p]
           %2: 32b = vector.extract.3 %v4.1
           %3: v2.32b = vector.extract.2 %v4.1
           %v4.4: v4.32b = vector.insert.1 %v4.1, %2
           %v4.5: v4.32b = vector.insert.0 %v4.4, %3
           %b: 32b = extract.dynamic.v4.32b %v4.5, %laneid
           %v4.7: v4.32b = insert.dynamic.v4.32b %b, %2, keep %v4.5
           st.global.v4.32b [%p], %v4.7
           return",
    );
}
