"""Control flow, divergence, calls, barriers, ids: small kernels whose results were worked out by hand.

A kernel's text uses `GET name, %r;` and `PUT name, %r;` for its lane's word of a buffer.
"""

import re

from .launches import LANES, LaunchFile

FULL = 0xFFFFFFFF


def words(values):
    """A buffer of 32-bit words, runs written out."""
    return "buf:u32:" + ",".join(str(v) if v < 10 else f"0x{v:x}" for v in (x & FULL for x in values))


def each(function):
    """One value a lane."""
    return [function(lane) for lane in range(LANES)]


def mask(condition):
    return sum(1 << lane for lane in range(LANES) if condition(lane))


class ExecutionFile(LaunchFile):
    """Kernels over one or more sub-groups; buffers have one word a work-item."""

    def kernel(self, name, about, body, outs, ins=None, size="-g 32 -l 32", extra="", items=LANES, attributes="",
               before="", expectations=()):
        """Adds a kernel. `outs` and `ins` give buffers by name; `extra` are further parameters and their values."""
        ins = ins or {}
        buffers = [*ins, *outs]
        # Registers have the plain names.
        parameters = [f".param[8] %{b}_words" for b in buffers]
        values = [f"{b}_words={words(v)}" for b, v in ins.items()] + [f"{b}_words=zeros:u32:{items}" for b in outs]
        for parameter in filter(None, extra.split("; ")):
            declaration, value = parameter.split(" := ")
            parameters.append(declaration)
            values.append(value)
        lines = [f"// {line}" for line in about.split("\n")]
        lines += [before.strip("\n")] if before else []
        lines.append(f".kernel {attributes}@{name}({', '.join(parameters)}) {{")
        lines += ["  .reg .64b %item, %local;", "  .reg .32b %number;"]
        lines += ["  umad.32b %number, %groupid.x, %enqueuedlocalsize.x, %localid.x;", "  umul.full.32b %item, %number, 4;"]
        for b in buffers:
            lines += [f"  .reg .64b %at_{b};", f"  ld.param.64b %at_{b}, [%{b}_words];", f"  iadd.64b %at_{b}, %at_{b}, %item;"]
        body = re.sub(r"GET (\w+), (%[\w.]+);", r"ld.global.32b \2, [%at_\1];", body)
        body = re.sub(r"PUT (\w+), (%[\w.]+);", r"st.global.32b [%at_\1], \2;", body)
        lines.append(body.strip("\n"))
        lines.append("}")
        self.lines += ["", "\n".join(lines), f"//! launch {name} {size} {' '.join(values)}".rstrip()]
        self.lines += [f"//! expect {b}_words = {words(v)}" for b, v in outs.items()]
        self.lines += [f"//! expect {e}" for e in expectations]
        self.count += 1


def active_masks():
    file = ExecutionFile(
        "execution/activemask",
        "Which lanes are active where: the lexical schedule, by hand after appendix B of the decisions.",
        "special_registers 4; instructions_control_flow 6.1 6.2 6.3; virtual_machine 1.1; "
        "X-01 X-02 X-03 X-06 X-09 X-11 C-01 C-02 C-03 C-06 G-13")
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


def control_flow():
    file = ExecutionFile("execution/control_flow", "Loops and branches.",
                         "instructions_control_flow 6.2 6.3; syntax 1.2; C-09 C-10 G-04 G-05 G-09 G-11 G-13 X-10 S-11 S-12")
    file.kernel("sum_to_n", "1 + 2 + … + lane.", """
  .reg .32b %i, %sum;
  .pred %p;
  mov.32b %i, 0;
  mov.32b %sum, 0;
NEXT:
  ucmp.eq.32b %p, %i, %laneid;
  goto.cond %p, DONE;
  iadd.32b %i, %i, 1;
  iadd.32b %sum, %sum, %i;
  goto NEXT;
DONE:
  PUT out, %sum;
""", {"out": each(lambda i: i * (i + 1) // 2)})

    def steps(n):
        count = 0
        while n != 1:
            n, count = (n // 2 if n % 2 == 0 else 3 * n + 1), count + 1
        return count

    file.kernel("collatz", "Steps of 3n+1 until 1, from lane + 1: every lane takes its own way.", """
  .reg .32b %n, %count, %odd;
  .pred %p;
  iadd.32b %n, %laneid, 1;
  mov.32b %count, 0;
NEXT:
  ucmp.eq.32b %p, %n, 1;
  goto.cond %p, DONE;
  iadd.32b %count, %count, 1;
  and.32b %odd, %n, 1;
  ucmp.eq.32b %p, %odd, 1;
  goto.cond %p, ODD;
  shr.32b %n, %n, 1;
  goto NEXT;
ODD:
  umad.32b %n, %n, 3, 1;
  goto NEXT;
DONE:
  PUT out, %count;
""", {"out": each(lambda i: steps(i + 1))})
    file.kernel("no_return", "Control falls off the end of a kernel (C-10); a label may be the last thing (G-05).", """
  .reg .32b %x;
  .pred %p;
  mov.32b %x, 7;
  PUT out, %x;
  ucmp.lt.32b %p, %laneid, 3;
  goto.cond %p, END;
  mov.32b %x, 8;
  PUT out, %x;
END:
""", {"out": each(lambda i: 7 if i < 3 else 8)})
    file.kernel("unreachable", "Code that is never reached (C-09).", """
  .reg .32b %x;
  mov.32b %x, 7;
  PUT out, %x;
  return;
  mov.32b %x, 8;
  PUT out, %x;
""", {"out": each(lambda i: 7)})
    file.kernel("scopes", "A jump into a scope and out of it; a name of an inner scope hides the outer one (G-11, G-13).", """
  .reg .32b %x, %y;
  .pred %p;
  mov.32b %x, 1;
  mov.32b %y, 0;
  ucmp.lt.32b %p, %laneid, 4;
  goto.cond %p, INSIDE;
  {
    .reg .32b %x;
    mov.32b %x, 100;
    iadd.32b %y, %y, %x;
INSIDE:
    iadd.32b %y, %y, 10;
  }
  iadd.32b %y, %y, %x;
  PUT out, %y;
""", {"out": each(lambda i: 11 if i < 4 else 111)})
    file.kernel("declared_in_loop", "Executing past a declaration does nothing: the register keeps its value (G-09).", """
  .reg .32b %i;
  .pred %p;
  mov.32b %i, 0;
  goto START;
START:
  .reg .32b %kept;
  ucmp.eq.32b %p, %i, 0;
  goto.cond !%p, NEXT;
  mov.32b %kept, 40;
NEXT:
  iadd.32b %kept, %kept, 1;
  iadd.32b %i, %i, 1;
  ucmp.lt.32b %p, %i, 3;
  goto.cond %p, START;
  PUT out, %kept;
""", {"out": each(lambda i: 43)})
    file.kernel("free_form", "Statements do not care for lines (G-04).", """
  .reg .32b %x; mov.32b %x,
    40; iadd.32b
      %x, %x,2; PUT out, %x;
""", {"out": each(lambda i: 42)})
    file.kernel("uninitialised", "A register that nothing wrote holds bytes CD (X-10).", """
  .reg .32b %x;
  .reg .v2.32b %v;
  .reg .64b %d;
  .reg .32b %low;
  PUT x, %x;
  trunc.32b.64b %low, %d;
  PUT d, %low;
  mov.32b %v.x, %laneid;
  PUT v, %v.y;
""", {"x": each(lambda i: 0xCDCDCDCD), "d": each(lambda i: 0xCDCDCDCD), "v": each(lambda i: 0xCDCDCDCD)})
    file.kernel("prefix_sum", "The specification's prefix sum counts lanes of the edge twice: of all ones it gives 32 everywhere, 31\n"
                              "after the last subtraction (S-11).", """
  .reg .32b %value, %sum, %tmp;
  mov.32b %value, 1;
  shfl.up.32b %tmp, %value, 1, 0xffffffff;
  iadd.32b %sum, %value, %tmp;
  shfl.up.32b %tmp, %sum, 2, 0xffffffff;
  iadd.32b %sum, %sum, %tmp;
  shfl.up.32b %tmp, %sum, 4, 0xffffffff;
  iadd.32b %sum, %sum, %tmp;
  shfl.up.32b %tmp, %sum, 8, 0xffffffff;
  iadd.32b %sum, %sum, %tmp;
  shfl.up.32b %tmp, %sum, 16, 0xffffffff;
  iadd.32b %sum, %sum, %tmp;
  isub.32b %sum, %sum, %value;
  PUT out, %sum;
""", {"out": each(lambda i: 31)})
    for name, what, result in (("same", "all equal: 32", 32), ("different", "all different: 1", 1)):
        file.kernel(f"all_{name}", f"The specification's test for equal values, {what} (S-12).", f"""
  .reg .32b %expr, %flag, %r1, %r2, %r3, %r4, %r5, %result;
  .pred %p;
  mov.32b %expr, {'5' if name == 'same' else '%laneid'};
  shfl.up.32b %r1, %expr, 1, 0xffffffff;
  ucmp.ne.32b %p, %r1, %expr;
  sel.32b %flag, 0x0, 0x1, %p;
  shfl.xor.32b %r1, %flag, 16, 0xffffffff;
  iadd.32b %r1, %r1, %flag;
  shfl.xor.32b %r2, %r1, 8, 0xffffffff;
  iadd.32b %r2, %r2, %r1;
  shfl.xor.32b %r3, %r2, 4, 0xffffffff;
  iadd.32b %r3, %r3, %r2;
  shfl.xor.32b %r4, %r3, 2, 0xffffffff;
  iadd.32b %r4, %r4, %r3;
  shfl.xor.32b %r5, %r4, 1, 0xffffffff;
  iadd.32b %result, %r5, %r4;
  PUT out, %result;
""", {"out": each(lambda i: result)})
    return file


def calls():
    file = ExecutionFile("execution/calls", "Functions: arguments, results, recursion, pointers.",
                         "calling_convention 4.3 4.4 4.5; instructions_control_flow 6.1 6.3; instructions_data_movement 4.2; "
                         "C-12 C-13 F-03 F-05 F-06 F-08 F-09 V-16 G-10")
    file.kernel("arguments", "Arguments are copies: the function may write its parameters (F-09).", """
  .reg .32b %a, %b, %r;
  mov.32b %a, %laneid;
  mov.32b %b, 1000;
  call %r, @subtract(%a, %b);
  PUT r, %r;
  PUT a, %a;
""", {"r": each(lambda i: i - 1000), "a": each(lambda i: i)}, before="""
.function .32b @subtract(.reg .32b %a, .reg .32b %b) {
  isub.32b %a, %a, %b;
  return %a;
}
""")
    file.kernel("aliased", "A result register that is an argument, too: arguments are read before (C-13).", """
  .reg .32b %x, %y;
  mov.32b %x, %laneid;
  mov.32b %y, 3;
  call %y, @subtract(%x, %y);
  PUT y, %y;
""", {"y": each(lambda i: i - 3)})
    file.kernel("results", "A result of every width, as register and as immediate; `call %r, @f (…)` with a blank (C-12).", """
  .reg .8b %b;
  .reg .16b %h;
  .reg .64b %d;
  .reg .32b %w, %low;
  call %b, @byte();
  zext.32b.8b %w, %b;
  PUT byte, %w;
  call %h, @half ();
  zext.32b.16b %w, %h;
  PUT half, %w;
  call %d, @double();
  shr.64b %d, %d, 32;
  trunc.32b.64b %low, %d;
  PUT double, %low;
""", {"byte": each(lambda i: 0xFE), "half": each(lambda i: 0x1234), "double": each(lambda i: 0x01234567)}, before="""
.function .8b @byte() {
  return -2;
}
.function .16b @half() {
  .reg .16b %h;
  mov.16b %h, 0x1234;
  return %h;
}
.function .64b @double() {
  return 0x0123456789abcdef;
}
""")
    file.kernel("elements", "An element of a vector and a special register as arguments (F-06).", """
  .reg .v2.32b %v;
  .reg .32b %r;
  mov.32b %v.x, 7;
  mov.32b %v.y, 9;
  call %r, @subtract(%v.y, %v.x);
  PUT a, %r;
  call %v.x, @subtract(%laneid, %v.y);
  PUT b, %v.x;
""", {"a": each(lambda i: 2), "b": each(lambda i: i - 9)})
    file.kernel("vectors", "A vector as argument.", """
  .reg .v4.32b %v;
  .reg .32b %r;
  mov.32b %v.x, 1;
  mov.32b %v.y, 20;
  mov.32b %v.z, 300;
  mov.32b %v.w, 4000;
  call %r, @sum4(%v);
  PUT out, %r;
""", {"out": each(lambda i: 4321)}, before="""
.function .32b @sum4(.reg .v4.32b %v) {
  .reg .32b %s;
  iadd.32b %s, %v.x, %v.y;
  iadd.32b %s, %s, %v.z;
  iadd.32b %s, %s, %v.w;
  return %s;
}
""")
    factorial = [1]
    for i in range(1, 13):
        factorial.append(factorial[-1] * i)
    file.kernel("factorial", "Recursion, by a different depth for each lane (F-08).", """
  .reg .32b %n, %r;
  umin.32b %n, %laneid, 12;
  call %r, @product_to(%n);
  PUT out, %r;
""", {"out": each(lambda i: factorial[min(i, 12)])}, before="""
.function .32b @product_to(.reg .32b %n) {
  .reg .32b %r, %less;
  .pred %p;
  ucmp.eq.32b %p, %n, 0;
  return.cond %p, 1;
  isub.32b %less, %n, 1;
  call %r, @product_to(%less);
  umul.32b %r, %r, %n;
  return %r;
}
""")
    file.kernel("mutual", "Two functions that call each other; the second is used before it is defined (G-10).", """
  .reg .32b %n, %r;
  mov.32b %n, %laneid;
  call %r, @is_even(%n);
  PUT out, %r;
""", {"out": each(lambda i: 1 - i % 2)}, before="""
.function .32b @is_even(.reg .32b %n) {
  .reg .32b %r;
  .pred %p;
  ucmp.eq.32b %p, %n, 0;
  return.cond %p, 1;
  isub.32b %n, %n, 1;
  call %r, @is_odd(%n);
  return %r;
}
.function .32b @is_odd(.reg .32b %n) {
  .reg .32b %r;
  .pred %p;
  ucmp.eq.32b %p, %n, 0;
  return.cond %p, 0;
  isub.32b %n, %n, 1;
  call %r, @is_even(%n);
  return %r;
}
""")
    file.kernel("pointers", "Functions by their addresses: from `addrof` and from a table in constant memory.", """
  .reg .64b %f, %at;
  .reg .32b %n, %r, %odd;
  mov.32b %n, 10;
  addrof.64b %f, @twice;
  call %r, %f(%n);
  PUT a, %r;
  and.32b %odd, %laneid, 1;
  umul.full.32b %at, %odd, 8;
  .reg .64b %table;
  addrof.64b %table, @Table;
  iadd.64b %at, %at, %table;
  ld.const.64b %f, [%at];
  call %r, %f(%n);
  PUT b, %r;
""", {"a": each(lambda i: 20), "b": each(lambda i: 30 if i % 2 else 20)}, before="""
.const .align 8 @Table[16] = { .64b @twice, .64b @thrice };
.function .32b @twice(.reg .32b %n) {
  iadd.32b %n, %n, %n;
  return %n;
}
.function .32b @thrice(.reg .32b %n) {
  umul.32b %n, %n, 3;
  return %n;
}
""")
    file.kernel("frames", "Each activation has its own private variable (V-16): the caller's is as it was when the callee returns.", """
  .reg .32b %n, %r;
  mov.32b %n, 3;
  call %r, @nest(%n);
  PUT out, %r;
""", {"out": each(lambda i: 3210)}, before="""
.function .32b @nest(.reg .32b %n) {
  .private .align 4 @Mine[4];
  .reg .32b %r, %less;
  .pred %p;
  st.private.32b [@Mine], %n;
  mov.32b %r, 0;
  ucmp.eq.32b %p, %n, 0;
  goto.cond %p, OUT;
  isub.32b %less, %n, 1;
  call %r, @nest(%less);
OUT:
  ld.private.32b %n, [@Mine];
  .reg .32b %i;
  mov.32b %i, %n;
POWER:
  ucmp.eq.32b %p, %i, 0;
  goto.cond %p, ADD;
  umul.32b %n, %n, 10;
  isub.32b %i, %i, 1;
  goto POWER;
ADD:
  iadd.32b %r, %r, %n;
  return %r;
}
""")
    file.kernel("void", "A function without result that writes where a pointer says.", """
  .reg .32b %x;
  mov.32b %x, 77;
  call void, @write(%at_out, %x);
""", {"out": each(lambda i: 77)}, before="""
.function void @write(.reg .64b %p, .reg .32b %x) {
  st.global.32b [%p], %x;
}
""")
    file.kernel("conditional_void", "`call.cond` of a function without result.", """
  .reg .32b %x;
  .pred %p;
  mov.32b %x, 77;
  ucmp.gt.32b %p, %laneid, 20;
  call.cond %p, void, @write(%at_out, %x);
""", {"out": each(lambda i: 77 if i > 20 else 0)})
    return file


def barriers():
    file = ExecutionFile("execution/barriers", "Work-groups: barriers, shared memory, sub-groups that wait for each other.",
                         "instructions_synchronization 9.1 9.2; virtual_machine 1.1.1; spaces_types 2.1.3; "
                         "Y-01 Y-02 Y-04 Y-05 Y-06 V-13 V-17 X-08 C-06")
    two = "-g 64 -l 64"
    file.kernel("reverse", "64 work-items turn an array round through shared memory.", """
  .shared .align 4 @S[256];
  .reg .32b %s, %x, %back;
  addrof.32b %s, @S;
  umad.32b %x, %localid.x, 4, %s;
  st.shared.32b [%x], %localid.x;
  barrier.workgroup;
  isub.32b %back, 63, %localid.x;
  umad.32b %x, %back, 4, %s;
  ld.shared.32b %x, [%x];
  PUT out, %x;
""", {"out": [63 - i for i in range(64)]}, size=two, items=64)
    file.kernel("halving", "A sum over 64 work-items, a barrier in a loop: 0 + 1 + … + 63.", """
  .shared .align 4 @T[256];
  .reg .32b %s, %mine, %step, %x, %y, %other;
  .pred %p;
  addrof.32b %s, @T;
  umad.32b %mine, %localid.x, 4, %s;
  st.shared.32b [%mine], %localid.x;
  mov.32b %step, 32;
NEXT:
  barrier.workgroup;
  ucmp.ge.32b %p, %localid.x, %step;
  goto.cond %p, SKIP;
  ld.shared.32b %x, [%mine];
  umad.32b %other, %step, 4, %mine;
  ld.shared.32b %y, [%other];
  iadd.32b %x, %x, %y;
  st.shared.32b [%mine], %x;
SKIP:
  shr.32b %step, %step, 1;
  ucmp.ne.32b %p, %step, 0;
  goto.cond %p, NEXT;
  barrier.workgroup;
  ld.shared.32b %x, [%s];
  PUT out, %x;
""", {"out": [2016] * 64}, size=two, items=64)
    file.kernel("left", "Work-items that have left the kernel are not waited for (Y-02).", """
  .shared .align 4 @U[4];
  .reg .32b %x;
  .pred %p;
  ucmp.ge.32b %p, %localid.x, 40;
  return.cond %p;
  ucmp.eq.32b %p, %localid.x, 33;
  goto.cond !%p, WAIT;
  mov.32b %x, 99;
  st.shared.32b [@U], %x;
WAIT:
  barrier.workgroup;
  ld.shared.32b %x, [@U];
  PUT out, %x;
""", {"out": [99 if i < 40 else 0 for i in range(64)]}, size=two, items=64)
    file.kernel("any_barrier", "Two sub-groups at two different barriers release each other: any barrier counts (Y-01).", """
  .shared .align 4 @V[4];
  .reg .32b %x, %group;
  .pred %p;
  ucmp.lt.32b %p, %localid.x, 32;
  goto.cond %p, FIRST;
  mov.32b %x, 5;
  st.shared.32b [@V], %x;
  barrier.workgroup;
  goto END;
FIRST:
  barrier.workgroup;
END:
  ld.shared.32b %x, [@V];
  PUT out, %x;
""", {"out": [5] * 64}, size=two, items=64)
    file.kernel("spin", "A sub-group that waits for another one in a loop: sub-groups make progress independently.", """
  .shared .align 4 @Flag[4];
  .reg .32b %x;
  .pred %p;
  mov.32b %x, 0;
  st.shared.32b [@Flag], %x;
  barrier.workgroup;
  ucmp.ge.32b %p, %localid.x, 32;
  goto.cond %p, RAISE;
WAIT:
  ld.shared.acquire.workgroup.32b %x, [@Flag];
  ucmp.eq.32b %p, %x, 0;
  goto.cond %p, WAIT;
  goto END;
RAISE:
  mov.32b %x, 1;
  st.shared.release.workgroup.32b [@Flag], %x;
END:
  PUT out, %x;
""", {"out": [1] * 64}, size=two, items=64)
    file.kernel("per_group", "Each work-group has shared memory of its own, with bytes CD at first (V-13).", """
  .shared .align 4 @W[4];
  .reg .32b %x, %y;
  .pred %p;
  ld.shared.32b %x, [@W];
  PUT before, %x;
  barrier.workgroup;
  iadd.32b %y, %groupid.x, 100;
  st.shared.32b [@W], %y;
  barrier.workgroup;
  ld.shared.32b %x, [@W];
  PUT after, %x;
""", {"before": [0xCDCDCDCD] * 96, "after": [100 + i // 32 for i in range(96)]}, size="-g 96 -l 32", items=96)
    fences = ["fence.workgroup", "fence.gpu", "fence.shared.workgroup", "fence.shared.release.gpu",
              "fence.generic.acquire.workgroup", "fence.acquire.gpu", "fence.generic.seq_cst.gpu", "fence.global.gpu",
              "fence.global.acq_rel.system", "fence.global.release.workgroup", "fence.subgroup"]
    file.kernel("fences", "Fences of every kind change no value.", "  .reg .32b %x;\n  mov.32b %x, 3;\n"
                + "".join(f"  {fence};\n" for fence in fences) + "  PUT out, %x;\n", {"out": each(lambda i: 3)})
    file.kernel("turns", "Work-groups that take turns through a global word; all are resident.", """
  .reg .32b %x, %next;
  .pred %p;
  ucmp.ne.32b %p, %laneid, 0;
  return.cond %p;
WAIT:
  ld.global.acquire.gpu.32b %x, [@Turn];
  ucmp.ne.32b %p, %x, %groupid.x;
  goto.cond %p, WAIT;
  iadd.32b %next, %x, 1;
  st.global.release.gpu.32b [@Turn], %next;
  PUT out, %next;
""", {"out": [i // 32 + 1 if i % 32 == 0 else 0 for i in range(128)]}, size="-g 128 -l 32", items=128,
                before=".global .align 4 @Turn[4] = { .32b 0 };", expectations=["@Turn = buf:u32:4"])
    return file


def files():
    return [active_masks(), control_flow(), calls(), barriers()]
