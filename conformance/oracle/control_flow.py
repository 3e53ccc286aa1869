"""Loops and branches."""

from .execution import ExecutionFile, each


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


def files():
    return [control_flow()]
