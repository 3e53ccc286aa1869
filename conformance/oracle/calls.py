"""Functions."""

from .execution import ExecutionFile, each


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


def files():
    return [calls()]
