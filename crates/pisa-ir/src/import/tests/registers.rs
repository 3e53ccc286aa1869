//! Registers become values, with parameters where values meet and nowhere else.

use super::{check_code, module};

#[test]
fn values_meet_in_parameters() {
    check_code(
        "ucmp.lt.32b %t, %laneid, 5;
         goto.cond %t, small;
         iadd.32b %a, %laneid, 1;
         iadd.32b %b, %laneid, 2;
         st.global.32b [%p], %b;
         goto end;
       small:
         iadd.32b %a, %laneid, 3;
         iadd.32b %b, %laneid, 4;
       end:
         st.global.32b [%p], %a;",
        "block0:
           %p: 64b = initial
           %t: pred = ucmp.lt.32b %laneid, 5
           branch %t, small, block1
         block1:
           %a.2: 32b = iadd.32b %laneid, 1
           %b.3: 32b = iadd.32b %laneid, 2
           st.global.32b [%p], %b.3
           goto end(%a.2)
         small:
           %a.4: 32b = iadd.32b %laneid, 3
           %b.5: 32b = iadd.32b %laneid, 4
           goto end(%a.4)
         end(%a.6: 32b):
           st.global.32b [%p], %a.6
           return",
    );
}

#[test]
fn a_register_that_nothing_has_written_has_one_initial_value() {
    // On one way only, and in a loop; each once.
    check_code(
        "ucmp.lt.32b %t, %laneid, 5;
         goto.cond %t, end;
         iadd.32b %a, %laneid, 1;
       end:
         st.global.32b [%p], %a;
       again:
         iadd.32b %b, %b, %c;
         st.global.32b [%p], %c;
         goto again;",
        "block0:
           %a.0: 32b = initial
           %p: 64b = initial
           %b.2: 32b = initial
           %c: 32b = initial
           %t: pred = ucmp.lt.32b %laneid, 5
           branch %t, end(%a.0), block1
         block1:
           %a.5: 32b = iadd.32b %laneid, 1
           goto end(%a.5)
         end(%a.6: 32b):
           st.global.32b [%p], %a.6
           goto again(%b.2)
         again(%b.7: 32b):
           %b.8: 32b = iadd.32b %b.7, %c
           st.global.32b [%p], %c
           goto again(%b.8)",
    );
}

#[test]
fn moves_pass_their_operand_on() {
    check_code(
        "mov.32b %a, 7;
         mov.32b %b, %a;
         mov.32b %c, %laneid;
         mov.64b %q, %globalsize.y;
         mov.64b %p, %q;
         iadd.32b %d, %b, %c;
         mov.32b %a, %d;
         st.global.32b [%p], %a;",
        "block0:
           %d: 32b = iadd.32b 7, %laneid
           st.global.32b [%globalsize.y], %d
           return",
    );
}

#[test]
fn constants_are_arguments() {
    check_code(
        "mov.32b %a, 0;
         ucmp.lt.32b %t, %laneid, 5;
         goto.cond %t, end;
         mov.32b %a, %laneid;
       end:
         st.global.32b [%p], %a;",
        "block0:
           %p: 64b = initial
           %t: pred = ucmp.lt.32b %laneid, 5
           branch %t, end(0), block1
         block1:
           goto end(%laneid)
         end(%a: 32b):
           st.global.32b [%p], %a
           return",
    );
}

#[test]
fn a_loop_has_parameters_for_what_changes_only() {
    check_code(
        "mov.32b %a, 0;
         iadd.32b %d, %laneid, 9;
       again:
         mov.32b %b, %d;
         mov.32b %d, %b;
         iadd.32b %a, %a, %d;
         ucmp.lt.32b %t, %a, 99;
         goto.cond %t, again;
         st.global.32b [%p], %d;",
        "block0:
           %p: 64b = initial
           %d: 32b = iadd.32b %laneid, 9
           goto again(0)
         again(%a.2: 32b):
           %a.3: 32b = iadd.32b %a.2, %d
           %t: pred = ucmp.lt.32b %a.3, 99
           branch %t, again(%a.3), block2
         block2:
           st.global.32b [%p], %d
           return",
    );
}

#[test]
fn values_that_go_round_in_loops_unchanged_have_no_parameter() {
    // %a and %b change places in two loops, one in the other, but both hold %d all the time.
    check_code(
        "iadd.32b %d, %laneid, 9;
         mov.32b %a, %d;
         mov.32b %b, %d;
       outer:
       inner:
         mov.32b %c, %a;
         mov.32b %a, %b;
         mov.32b %b, %c;
         ld.global.32b %m, [%p];
         ucmp.lt.32b %t, %m, 9;
         goto.cond %t, inner;
         st.global.32b [%p], %a;
         ucmp.lt.32b %t, %m, 99;
         goto.cond %t, outer;
         st.global.32b [%p], %b;",
        "block0:
           %p: 64b = initial
           %d: 32b = iadd.32b %laneid, 9
           goto outer
         outer:
           %m: 32b = ld.global.32b [%p]
           %t.3: pred = ucmp.lt.32b %m, 9
           branch %t.3, outer, block2
         block2:
           st.global.32b [%p], %d
           %t.4: pred = ucmp.lt.32b %m, 99
           branch %t.4, outer, block3
         block3:
           st.global.32b [%p], %d
           return",
    );
}

#[test]
fn the_same_in_a_loop_with_two_entries() {
    check_code(
        "iadd.32b %d, %laneid, 9;
         mov.32b %a, %d;
         ucmp.lt.32b %t, %laneid, 5;
         goto.cond %t, second;
       first:
         mov.32b %a, %d;
         st.global.32b [%p], %a;
       second:
         mov.32b %d, %a;
         st.global.32b [%p], %d;
         goto first;",
        "block0:
           %p: 64b = initial
           %d: 32b = iadd.32b %laneid, 9
           %t: pred = ucmp.lt.32b %laneid, 5
           branch %t, second, first
         first:
           st.global.32b [%p], %d
           goto second
         second:
           st.global.32b [%p], %d
           goto first",
    );
}

#[test]
fn a_group_inside_a_group_of_parameters_is_found() {
    // %c of the inner loop is %a of the outer one, which is not redundant.
    check_code(
        "mov.32b %a, 1;
       outer:
         mov.32b %c, %a;
       inner:
         ld.global.32b %m, [%p];
         mov.32b %b, %c;
         mov.32b %c, %b;
         ucmp.lt.32b %t, %m, 9;
         goto.cond %t, inner;
         iadd.32b %d, %c, %m;
         ucmp.lt.32b %t, %d, 99;
         goto.cond %t, keep;
         mov.32b %c, %d;
       keep:
         mov.32b %a, %c;
         goto outer;",
        "block0:
           %p: 64b = initial
           goto outer(1)
         outer(%a: 32b):
           goto inner
         inner:
           %m: 32b = ld.global.32b [%p]
           %t.3: pred = ucmp.lt.32b %m, 9
           branch %t.3, inner, block3
         block3:
           %d: 32b = iadd.32b %a, %m
           %t.5: pred = ucmp.lt.32b %d, 99
           branch %t.5, keep(%a), block4
         block4:
           goto keep(%d)
         keep(%c: 32b):
           goto outer(%c)",
    );
}

#[test]
fn a_value_that_only_goes_round_is_nobodys() {
    // Nothing but the old value that a full mask does not keep reads %a.
    check_code(
        "mov.32b %m, 0xffffffff;
       again:
         ired.sum.32b %a, %laneid, %m;
         st.global.32b [%p], %a;
         goto again;",
        "block0:
           %p: 64b = initial
           goto again
         again:
           %a: 32b = reduce.sum.i32 %laneid, mask 0xffffffff, keep dead, in again, inactive own
           st.global.32b [%p], %a
           goto again",
    );
}

#[test]
fn a_mask_that_is_full_on_every_way_keeps_nothing() {
    check_code(
        "ucmp.lt.32b %t, %laneid, 5;
         mov.32b %m, 0xffffffff;
         goto.cond %t, end;
         mov.32b %m, -1;
       end:
         ired.sum.32b %a, %laneid, %m;
         st.global.32b [%p], %a;",
        "block0:
           %p: 64b = initial
           %t: pred = ucmp.lt.32b %laneid, 5
           branch %t, end, block1
         block1:
           goto end
         end:
           %a: 32b = reduce.sum.i32 %laneid, mask 0xffffffff, keep dead, in end, inactive own
           st.global.32b [%p], %a
           return",
    );
}

/// Long code takes no more than its share: a loop around many branches, in which many registers change.
#[test]
fn a_hundred_thousand_instructions() {
    let mut code = String::from("top:\n");
    for i in 0..12_500 {
        let r = i % 200;
        code.push_str(&format!(
            "  ucmp.lt.32b %t, %r{r}, {i};
               goto.cond %t, l{i};
               iadd.32b %r{r}, %r{}, {i};
               ired.sum.32b %s{i}, %r{r}, 0xffff;
               mov.32b %r{}, %s{i};
             l{i}:
               xor.32b %r{}, %r{r}, %s{i};
               goto.cond %t, k{i};
               st.global.32b [%p], %s{i};
             k{i}:\n",
            (r + 7) % 200,
            (r + 30) % 200,
            (r + 99) % 200,
        ));
    }
    let registers: String = (0..200).map(|i| format!(".reg .32b %r{i};\n")).collect();
    let sums: String = (0..12_500).map(|i| format!(".reg .32b %s{i};\n")).collect();
    let module =
        module(&format!(".kernel @k() {{\n.reg .64b %p; .pred %t;\n{registers}{sums}{code}  goto top;\n}}"));
    // One block before the loop, and two labels and two branches a group; only the last jump back has a block of its own.
    assert_eq!(module.functions[0].layout.len(), 1 + 12_500 * 4 + 1);
}
