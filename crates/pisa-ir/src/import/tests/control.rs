//! Blocks, branches, returns, calls.

use super::{check, check_code, module};

#[test]
fn code_without_jumps_is_one_block() {
    check(".kernel @k() { }", "block0: \n return");
    check_code(
        "iadd.32b %a, %laneid, 1;
         st.global.32b [%p], %a;",
        "block0:
           %p: 64b = initial
           %a: 32b = iadd.32b %laneid, 1
           st.global.32b [%p], %a
           return",
    );
    check_code("return;", "block0:\nreturn");
}

#[test]
fn blocks_begin_at_targets_and_behind_jumps_only() {
    // `unused` is no target, `dead` only from code that is not reached.
    check_code(
        "ucmp.lt.32b %t, %laneid, 5;
         goto.cond %t, end;
       unused:
         st.global.32b [%p], %laneid;
         goto end;
         st.global.32b [%p], %groupid.x;
         goto dead;
       dead:
         st.global.32b [%p], %groupid.y;
       end:
         st.global.32b [%p], %groupid.z;",
        "block0:
           %p: 64b = initial
           %t: pred = ucmp.lt.32b %laneid, 5
           branch %t, end, unused
         unused:
           st.global.32b [%p], %laneid
           goto end
         end:
           st.global.32b [%p], %groupid.z
           return",
    );
}

#[test]
fn a_label_that_only_dead_code_goes_to_splits_nothing() {
    check_code(
        "iadd.32b %a, %laneid, 1;
       here:
         st.global.32b [%p], %a;
         return;
         goto here;",
        "block0:
           %p: 64b = initial
           %a: 32b = iadd.32b %laneid, 1
           st.global.32b [%p], %a
           return",
    );
}

#[test]
fn nothing_goes_to_the_entry_block() {
    check_code(
        "top:
           barrier.workgroup;
           goto top;",
        "block0:
           goto top
         top:
           barrier.workgroup in top, as #1
           goto top",
    );
}

#[test]
fn a_branch_to_the_next_instruction_stays_one() {
    check_code(
        "ucmp.lt.32b %t, %laneid, 5;
         goto.cond !%t, next;
       next:
         goto end;
       end:",
        "block0:
           %t: pred = ucmp.lt.32b %laneid, 5
           branch !%t, next, next
         next:
           goto end
         end:
           return",
    );
}

#[test]
fn lanes_return_by_a_predicate_and_at_the_end() {
    check_code(
        "ucmp.lt.32b %t, %laneid, 5;
         return.cond %t;
         ucmp.lt.32b %u, %laneid, 9;
         return.cond !%u;",
        "block0:
           %t: pred = ucmp.lt.32b %laneid, 5
           return if %t, else block1
         block1:
           %u: pred = ucmp.lt.32b %laneid, 9
           return if !%u, else block2
         block2:
           return",
    );
}

#[test]
fn functions_take_and_return_values() {
    check(
        ".function .32b @f(.reg .32b %x, .reg .32b %y) {
           .pred %t;
           ucmp.lt.32b %t, %x, %y;
           return.cond %t, %x;
           return -1;
         }",
        "block0(%x: 32b, %y: 32b):
           %t: pred = ucmp.lt.32b %x, %y
           return %x if %t, else block1
         block1:
           return -1",
    );
    // D-11: decimal numbers are extended by their sign.
    check(
        ".function .128b @f() { return -2; }",
        "block0:
           return 0xfffffffffffffffffffffffffffffffe",
    );
    let wide = module(".function .128b @f() { return -2; }");
    let block = &wide.functions[0].blocks[0];
    assert_eq!(block.terminator.operands()[0].constant(), Some(u128::MAX - 1));
    let wide = module(".function .128b @f() { return 0xfffffffffffffffe; }");
    assert_eq!(wide.functions[0].blocks[0].terminator.operands()[0].constant(), Some(u64::MAX as u128 - 1));
}

#[test]
fn an_argument_is_overwritten_like_any_register() {
    check(
        ".function .32b @f(.reg .32b %x, .reg .32b %n) {
           .pred %t;
         again:
           isub.32b %n, %n, 1;
           shl.32b %x, %x, 1;
           ucmp.ne.32b %t, %n, 0;
           goto.cond %t, again;
           return %x;
         }",
        "block0(%x.0: 32b, %n.1: 32b):
           goto again(%x.0, %n.1)
         again(%x.2: 32b, %n.3: 32b):
           %n.4: 32b = isub.32b %n.3, 1
           %x.5: 32b = shl.32b %x.2, 1
           %t: pred = ucmp.ne.32b %n.4, 0
           branch %t, again(%x.5, %n.4), block2
         block2:
           return %x.5",
    );
}

#[test]
fn calls_have_predicate_target_arguments_and_old_value() {
    check(
        ".kernel @k(.param[8] %in) {
           .reg .32b %a, %b; .reg .64b %h; .pred %t; .reg .v2.32b %v;
           iadd.32b %a, %laneid, 1;
           addrof.64b %h, @f;
           ucmp.eq.32b %t, %a, 7;
           call %b, @f(%a, %laneid);
           call.cond !%t, %b, @f(%b, %activemask);
           call void, %h(%a);
           call %v.y, %h(%v.x);
           call.cond %t, void, @g();
           st.global.32b [%h], %b;
         }
         .import .function .32b @f(.reg .32b, .reg .32b);
         .import .function void @g();",
        "block0:
           %v.0: v2.32b = initial
           %a: 32b = iadd.32b %laneid, 1
           %h: 64b = addrof.64b @f
           %t: pred = ucmp.eq.32b %a, 7
           %b.4: 32b = call @f(%a, %laneid), in block0, as #1
           %5: 32b = activemask in after #1, inactive own
           %b.6: 32b = call.cond !%t, @f(%b.4, %5), keep %b.4, in after #1, as #2
           call %h(%a), in after #2, as #3
           %7: 32b = vector.extract.0 %v.0
           %8: 32b = call %h(%7), in after #3, as #4
           %v.9: v2.32b = vector.insert.1 %v.0, %8
           call.cond %t, @g(), in after #4, as #5
           st.global.32b [%h], %b.6
           return",
    );
}

#[test]
fn imported_functions_have_no_blocks() {
    let module = module(".import .function .32b @f(.reg .64b, .reg .v2.32b %v);\n.kernel @k() { }");
    let [f, k] = &module.functions[..] else { panic!("{module}") };
    assert_eq!(f.entry(), None);
    let types: Vec<_> = f.arguments.iter().map(|ty| (ty.elements, ty.bits)).collect();
    assert_eq!(types, [(1, 64), (2, 32)]);
    assert_eq!(f.argument_names, ["".into(), "v".into()]);
    assert!(k.entry().is_some());
}
