"""Divergence: which lanes are active where."""

from .execution import FULL, ExecutionFile, each, mask


def active_masks():
    file = ExecutionFile(
        "execution/activemask",
        "Which lanes are active where: the lexical schedule, by hand after appendix B of the decisions.",
        "special_registers 4; instructions_control_flow 6.1 6.2 6.3; virtual_machine 1.1; "
        "X-01 X-02 X-03 X-06 X-09 X-11 S-31 C-01 C-02 C-03 C-06 G-13")
    file.kernel("branch", "Appendix B: who falls through runs first, its place being lower, and waits at J for the others.", """
  .reg .32b %m, %j;
  .pred %p;
  ucmp.lt.32b %p, %laneid, 8;
  goto.cond %p, T;
  mov.32b %m, %activemask;
  goto J;
T:
  mov.32b %m, %activemask;
J:
  mov.32b %j, %activemask;
  PUT m, %m;
  PUT j, %j;
""", {"m": each(lambda i: 0xFF if i < 8 else 0xFFFFFF00), "j": each(lambda i: FULL)})
    file.kernel("negated", "The same with a negated condition.", """
  .reg .32b %m;
  .pred %p;
  ucmp.lt.32b %p, %laneid, 8;
  goto.cond !%p, T;
  mov.32b %m, %activemask;
  goto J;
T:
  mov.32b %m, %activemask;
J:
  PUT m, %m;
""", {"m": each(lambda i: 0xFF if i < 8 else 0xFFFFFF00)})
    file.kernel("no_arms", "A branch over nothing: the lanes that jump have not left those that do not.", """
  .reg .32b %m;
  .pred %p;
  ucmp.lt.32b %p, %laneid, 8;
  goto.cond %p, J;
J:
  mov.32b %m, %activemask;
  PUT m, %m;
""", {"m": each(lambda i: FULL)})
    file.kernel("nested", "Two conditions, one in the other: 8 lanes are in both.", """
  .reg .32b %in, %out, %one, %bit;
  .pred %p, %q;
  mov.32b %in, 0;
  mov.32b %one, 0;
  ucmp.ge.32b %p, %laneid, 16;
  goto.cond %p, OUT;
  mov.32b %one, %activemask;
  and.32b %bit, %laneid, 1;
  ucmp.eq.32b %q, %bit, 1;
  goto.cond %q, IN;
  mov.32b %in, %activemask;
IN:
  .reg .32b %after;
  mov.32b %after, %activemask;
  PUT after, %after;
OUT:
  mov.32b %out, %activemask;
  PUT one, %one;
  PUT in, %in;
  PUT out, %out;
""", {"one": each(lambda i: 0xFFFF if i < 16 else 0),
                 "in": each(lambda i: 0x5555 if i < 16 and i % 2 == 0 else 0),
                 "after": each(lambda i: 0xFFFF if i < 16 else 0), "out": each(lambda i: FULL)})
    file.kernel("loop", "Lane i makes i%4+1 turns; those still in the loop run on, the others wait behind it.\n"
                        "In turn t the lanes with i%4 >= t are active; `last` is the mask of a lane's last turn.", """
  .reg .32b %turns, %t, %last, %after;
  .pred %more;
  and.32b %turns, %laneid, 3;
  mov.32b %t, 0;
AGAIN:
  mov.32b %last, %activemask;
  ucmp.lt.32b %more, %t, %turns;
  iadd.32b %t, %t, 1;
  goto.cond %more, AGAIN;
  mov.32b %after, %activemask;
  PUT t, %t;
  PUT last, %last;
  PUT after, %after;
""", {"t": each(lambda i: i % 4 + 1), "last": each(lambda i: mask(lambda j: j % 4 >= i % 4)), "after": each(lambda i: FULL)})
    file.kernel("loop_break", "A loop left in its middle: lane i leaves in turn i. Whoever left waits at OUT, which is lower\n"
                              "in the text than nothing that still runs.", """
  .reg .32b %t, %seen, %after;
  .pred %leave;
  mov.32b %t, 0;
AGAIN:
  ucmp.eq.32b %leave, %t, %laneid;
  goto.cond %leave, OUT;
  mov.32b %seen, %activemask;
  iadd.32b %t, %t, 1;
  goto AGAIN;
OUT:
  mov.32b %after, %activemask;
  PUT t, %t;
  PUT seen, %seen;
  PUT after, %after;
""", {"t": each(lambda i: i), "seen": each(lambda i: 0xCDCDCDCD if i == 0 else mask(lambda j: j >= i)),
      "after": each(lambda i: FULL)})
    file.kernel("nested_loops", "The inner loop has as many turns as the lane's parity says, the outer one two; the lanes meet\n"
                                "behind the inner loop each time.", """
  .reg .32b %parity, %outer, %inner, %met, %count;
  .pred %p;
  and.32b %parity, %laneid, 1;
  mov.32b %outer, 0;
  mov.32b %count, 0;
OUTER:
  mov.32b %inner, 0;
INNER:
  iadd.32b %count, %count, 1;
  iadd.32b %inner, %inner, 1;
  ucmp.le.32b %p, %inner, %parity;
  goto.cond %p, INNER;
  mov.32b %met, %activemask;
  iadd.32b %outer, %outer, 1;
  ucmp.lt.32b %p, %outer, 2;
  goto.cond %p, OUTER;
  PUT met, %met;
  PUT count, %count;
""", {"met": each(lambda i: FULL), "count": each(lambda i: 4 if i % 2 else 2)})
    file.kernel("leaving", "`return.cond` in a kernel: a lane that leaves is never active again; its words stay 0.", """
  .reg .32b %m;
  .pred %p;
  ucmp.lt.32b %p, %laneid, 5;
  return.cond %p;
  mov.32b %m, %activemask;
  PUT m, %m;
  ucmp.ge.32b %p, %laneid, 30;
  return.cond !%p;
  mov.32b %m, %activemask;
  PUT n, %m;
""", {"m": each(lambda i: 0 if i < 5 else 0xFFFFFFE0), "n": each(lambda i: 0xC0000000 if i >= 30 else 0)})
    file.kernel("switch", "Four ways by lane number modulo 4; each way sees its own lanes, and all meet at the end.", """
  .reg .32b %way, %m, %end;
  .pred %p;
  and.32b %way, %laneid, 3;
  ucmp.eq.32b %p, %way, 0;
  goto.cond %p, ZERO;
  ucmp.eq.32b %p, %way, 1;
  goto.cond %p, ONE;
  ucmp.eq.32b %p, %way, 2;
  goto.cond %p, TWO;
  mov.32b %m, %activemask;
  goto END;
TWO:
  mov.32b %m, %activemask;
  goto END;
ONE:
  mov.32b %m, %activemask;
  goto END;
ZERO:
  mov.32b %m, %activemask;
END:
  mov.32b %end, %activemask;
  PUT m, %m;
  PUT end, %end;
""", {"m": each(lambda i: 0x11111111 << (i % 4)), "end": each(lambda i: FULL)})
    file.kernel("fall_through", "A way that runs into the next one: lanes meet where the second begins, since they wait there.", """
  .reg .32b %m;
  .pred %p;
  ucmp.lt.32b %p, %laneid, 4;
  goto.cond %p, SECOND;
  mov.32b %m, 0;
SECOND:
  mov.32b %m, %activemask;
  PUT m, %m;
""", {"m": each(lambda i: FULL)})
    file.kernel("backwards", "A jump back over code that others have behind them: the jumping lanes have the lower place and\n"
                             "run it alone, then catch up.", """
  .reg .32b %first, %second, %seen;
  .pred %p, %q;
  mov.32b %seen, 0;
  goto START;
BACK:
  mov.32b %seen, %activemask;
  goto END;
START:
  ucmp.lt.32b %p, %laneid, 3;
  goto.cond %p, BACK;
  mov.32b %first, %activemask;
  PUT first, %first;
END:
  mov.32b %second, %activemask;
  PUT seen, %seen;
  PUT second, %second;
""", {"first": each(lambda i: FULL - 7 if i >= 3 else 0), "seen": each(lambda i: 7 if i < 3 else 0),
      "second": each(lambda i: FULL)})
    file.kernel("partial", "A sub-group with fewer work-items: the lanes that are not there are never active, the size is still 32\n"
                           "(X-03, X-06).", """
  .reg .32b %m, %size;
  mov.32b %m, %activemask;
  mov.32b %size, %subgroupsize;
  PUT m, %m;
  PUT size, %size;
""", {"m": [0xFFFFF] * 20, "size": [32] * 20}, size="-g 20 -l 20", items=20)
    file.kernel("partial_second", "40 work-items are a full sub-group and one with 8 lanes.", """
  .reg .32b %m, %lane, %sum;
  mov.32b %m, %activemask;
  mov.32b %lane, %laneid;
  ired.sum.32b %sum, %lane, 0xffffffff;
  PUT m, %m;
  PUT lane, %lane;
  PUT sum, %sum;
""", {"m": [FULL] * 32 + [0xFF] * 8, "lane": list(range(32)) + list(range(8)), "sum": [496] * 32 + [28] * 8},
                size="-g 40 -l 40", items=40)
    file.kernel("callee", "A function called by some lanes sees those; lanes that skip the call wait for them (X-11).", """
  .reg .32b %m, %after;
  .pred %p;
  mov.32b %m, 0;
  ucmp.ge.32b %p, %laneid, 24;
  call.cond %p, %m, @mask_here();
  mov.32b %after, %activemask;
  PUT m, %m;
  PUT after, %after;
""", {"m": each(lambda i: 0xFF000000 if i >= 24 else 0), "after": each(lambda i: FULL)}, before="""
.function .32b @mask_here() {
  .reg .32b %m;
  mov.32b %m, %activemask;
  return %m;
}
""")
    file.kernel("callee_negated", "`call.cond` with a negated predicate; lanes that do not call keep the result register (C-02).", """
  .reg .32b %m;
  .pred %p;
  mov.32b %m, 5;
  ucmp.ge.32b %p, %laneid, 24;
  call.cond !%p, %m, @mask_here();
  PUT m, %m;
""", {"m": each(lambda i: 5 if i >= 24 else 0x00FFFFFF)})
    file.kernel("early_return", "Lanes that return early wait behind the call for those that are still in the function.", """
  .reg .32b %m, %after;
  call %m, @early();
  mov.32b %after, %activemask;
  PUT m, %m;
  PUT after, %after;
""", {"m": each(lambda i: 1 if i < 16 else 0xFFFF0000), "after": each(lambda i: FULL)}, before="""
.function .32b @early() {
  .reg .32b %m;
  .pred %p;
  ucmp.lt.32b %p, %laneid, 16;
  return.cond %p, 1;
  mov.32b %m, %activemask;
  return %m;
}
""")
    file.kernel("two_calls", "The same function called from two places: lanes of different activations do not meet in it.", """
  .reg .32b %m, %after;
  .pred %p;
  ucmp.lt.32b %p, %laneid, 4;
  goto.cond %p, OTHER;
  call %m, @mask_here();
  goto END;
OTHER:
  call %m, @mask_here();
END:
  mov.32b %after, %activemask;
  PUT m, %m;
  PUT after, %after;
""", {"m": each(lambda i: 15 if i < 4 else FULL - 15), "after": each(lambda i: FULL)})
    file.kernel("recursion", "Lane i descends i%4 levels; at the bottom of a level are the lanes that end there, since deeper calls\n"
                             "run first and higher ones wait at the return.", """
  .reg .32b %depth, %m, %after;
  and.32b %depth, %laneid, 3;
  call %m, @descend(%depth);
  mov.32b %after, %activemask;
  PUT m, %m;
  PUT after, %after;
""", {"m": each(lambda i: 0x11111111 << (i % 4)), "after": each(lambda i: FULL)}, before="""
.function .32b @descend(.reg .32b %depth) {
  .reg .32b %m;
  .pred %p;
  ucmp.eq.32b %p, %depth, 0;
  goto.cond %p, BOTTOM;
  isub.32b %depth, %depth, 1;
  call %m, @descend(%depth);
  return %m;
BOTTOM:
  mov.32b %m, %activemask;
  return %m;
}
""")
    file.kernel("indirect", "An indirect call with two targets takes them in the order of their first active lanes (C-03): the even\n"
                            "lanes first, though their function stands second. The counter shows the order.", """
  .reg .64b %f, %g, %target;
  .reg .32b %odd, %m, %order, %counter;
  .pred %p;
  .shared .align 4 @Order[4];
  mov.32b %order, 0;
  st.shared.32b [@Order], %order;
  addrof.32b %counter, @Order;
  addrof.64b %f, @even_ones;
  addrof.64b %g, @odd_ones;
  and.32b %odd, %laneid, 1;
  ucmp.eq.32b %p, %odd, 1;
  sel.64b %target, %g, %f, %p;
  call %order, %target(%counter);
  PUT order, %order;
""", {"order": each(lambda i: i // 2 + (16 if i % 2 else 0))}, before="""
.function .32b @odd_ones(.reg .32b %counter) {
  .reg .32b %old;
  iatom.shared.inc.32b %old, [%counter];
  return %old;
}
.function .32b @even_ones(.reg .32b %counter) {
  .reg .32b %old;
  iatom.shared.inc.32b %old, [%counter];
  return %old;
}
""")
    file.kernel("indirect_masks", "Each target sees the lanes that call it.", """
  .reg .64b %f, %g, %target;
  .reg .32b %odd, %m;
  .pred %p;
  addrof.64b %f, @mask_here;
  addrof.64b %g, @other_mask;
  and.32b %odd, %laneid, 1;
  ucmp.eq.32b %p, %odd, 1;
  sel.64b %target, %g, %f, %p;
  call %m, %target();
  PUT m, %m;
""", {"m": each(lambda i: 0xAAAAAAAA if i % 2 else 0x55555555)}, before="""
.function .32b @other_mask() {
  .reg .32b %m;
  mov.32b %m, %activemask;
  return %m;
}
""")
    file.kernel("indirect_same", "Lanes with one target call it together.", """
  .reg .64b %target;
  .reg .32b %m;
  addrof.64b %target, @mask_here;
  call %m, %target();
  PUT m, %m;
""", {"m": each(lambda i: FULL)})
    file.kernel("inactive_registers", "A lane that does not execute an instruction keeps its registers (X-09).", """
  .reg .32b %x;
  .pred %p;
  mov.32b %x, %laneid;
  ucmp.lt.32b %p, %laneid, 10;
  goto.cond %p, END;
  umul.32b %x, %x, 100;
END:
  PUT x, %x;
""", {"x": each(lambda i: i if i < 10 else 100 * i)})
    file.kernel("sums_in_branches", "Reductions count the lanes that are here (S-31).", """
  .reg .32b %one, %sum, %first;
  .pred %p;
  mov.32b %one, 1;
  ucmp.lt.32b %p, %laneid, 12;
  goto.cond %p, T;
  ired.sum.32b %sum, %one, 0xffffffff;
  redfirstidx.32b %first, 0xffffffff;
  goto J;
T:
  ired.sum.32b %sum, %one, 0xffffffff;
  redfirstidx.32b %first, 0xffffffff;
J:
  PUT sum, %sum;
  PUT first, %first;
""", {"sum": each(lambda i: 12 if i < 12 else 20), "first": each(lambda i: 0 if i < 12 else 12)})
    return file


def files():
    return [active_masks()]
