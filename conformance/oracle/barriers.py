"""Work-groups: barriers, fences, shared memory."""

from .execution import ExecutionFile, each


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
    return [barriers()]
