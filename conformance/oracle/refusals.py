"""What a checker refuses or warns about: one case a violation, at least one for every code.

A line of a case ends with `~CODE` where that code is expected; `code` puts lines into a kernel with registers of every
kind. The sentences come from the specification, the rest from docs/decisions.md.
"""

import re

HEADER = ".version 0.1;\n.target 100;\n"
REGISTERS = """  .reg .8b %b, %b1;
  .reg .16b %h, %h1;
  .reg .32b %w, %w1, %w2;
  .reg .64b %d, %d1;
  .reg .128b %q;
  .reg .v2.32b %v;
  .reg .v4.32b %u;
  .reg .v2.16b %m, %m1;
  .reg .v4.8b %c, %c1;
  .pred %p, %p1;
"""


class RefusalFile:
    def __init__(self, path, title, covers):
        self.path = f"refusals/{path}"
        self.lines = [f"// {title}", f"// Covers: {covers}"]
        self.count = 0
        self.names = set()

    def module(self, text, strict=False, header=HEADER, below=None):
        """A case of its own, named after the first code it expects and its line. `below` marks a line, known by some of its text, from the
        line below it."""
        codes = re.findall(r"~([EW]\d{4})", text)
        if below:
            known, code = below
            codes.append(code)
            text = re.sub(f"(.*{re.escape(known)}.*)$", rf"\1\n//~^ {mark(code, strict)}", text, flags=re.M)
        self.lines += ["", f"//! case {self.name(codes[0], text, strict)}"] + (["//! strict"] if strict else [])
        marked = re.sub(r"\s*((?:~[EW]\d{4} ?)+)$", lambda m: "  //~ " + mark(m.group(1), strict), header + text.strip("\n"), flags=re.M)
        self.lines.append(marked)
        self.count += len(codes)

    def name(self, code, text, strict):
        """The code and what stands on its line; it stays when other cases come and go."""
        line = next((line for line in text.split("\n") if f"~{code}" in line or "//~^" in line), text.split("\n")[0])
        line = re.sub(r"~[EW]\d{4}|[^A-Za-z0-9.<>-]", " ", line)
        name = "_".join([code, *line.split()] + (["strict"] if strict else []))[:60]
        # The same declaration at module level and in a body.
        name += "_in_a_body" if name in self.names else ""
        assert name not in self.names, name
        self.names.add(name)
        return name

    def code(self, *lines, before="", parameters="", strict=False):
        body = "".join(f"  {line}\n" for line in lines)
        self.module(f"{before}.kernel @k({parameters}) {{\n{REGISTERS}{body}}}\n", strict)

    def text(self):
        return "\n".join(self.lines) + "\n"


def mark(codes, strict):
    def one(code):
        departs = strict and code in DEPARTURES
        return f"{'warning' if code[0] == 'W' and not departs else 'error'}[{code}]"

    return " ".join(one(code) for code in codes.replace("~", " ").split())


DEPARTURES = {f"W00{n:02}" for n in range(1, 28)}


def syntax():
    file = RefusalFile("syntax", "Text that is no PISA.", "syntax 1.1 1.2 1.3; operands 3.2; G-02 G-03 G-05 G-06 G-08 G-14 G-15 G-16 G-17 G-18 G-19 G-20 G-21 I-04 I-05")
    file.code("iadd.32b %w, %w, 1 ~E0101", "return;")
    file.code(".reg .32b %x ~E0101", "return;")
    file.code("iadd.32b %w, [ %w, 1; ~E0102")
    file.code("iadd.32b %w %w, 1; ~E0103")
    file.module(".kernel @k() {\n  return; ~E0104")
    file.module(".kernel @k() {\n}\n} ~E0105")
    file.module(".loc 1; ~E0106\n.kernel @k() {\n}")
    file.module(".kernel @k() .reqd_work_group_size(32, 1, 1) { ~E0107\n}")
    file.code("/* no block comments */ ~E0108")
    file.code("iadd.32b %w, %w, 0b101; ~E0109")
    file.code("fadd.f %w, %w, 1.5e; ~E0110")
    file.code("iadd.32b %w, %w, +1; ~E0111")
    file.module('.global .section(".data) @g[4];\n.kernel @k() {\n}', below=(".data)", "E0112"))
    file.module(".global .section(\"\") @g[4]; ~E0113")
    file.code("iadd.32b %w, %w, 1? ; ~E0114")
    file.code(".reg .32b %0; ~E0116")
    file.code("iadd .32b %w, %w, 1; ~E0117")
    file.code("IADD.32b %w, %w, 1; ~E0118")
    file.module(".global @g[8] = { .32b 1, .32b 2, }; ~E0119")
    file.module(".global @g[4] = { }; ~E0120")
    file.module(".global @g[4] = { { .32b 1 } }; ~E0121")
    file.module(".global @a[4], @b[4]; ~E0122\n.kernel @k() {\n}")
    file.module("iadd.32b %w, %w, 1; ~E0123\n.kernel @k() {\n}")
    file.module(".kernel void @k() { ~E0124\n}")
    file.module(".function @f() { ~E0125\n}")
    file.module(".kernel @k { ~E0126\n}")
    file.module(".global @g[4] = { 1 }; ~E0127")
    file.module(".function void @f(.reg .32b %x) {\n}\n.kernel @k() {\n  call void, @f(1); ~E0128\n}")
    file.module(".kernel @k() {\n  .reg %a; ~E0129\n}")
    file.module(".kernel @k() {\n  .pred .32b %p; ~E0130\n}")
    file.module(".global .align(4) @g[4]; ~E0131")
    file.code("goto L;", "L: iadd.32b %w, %w, 1; ~W0001")
    file.module('.global @"a name"[4]; ~W0002')
    file.code("; ~W0101")
    file.code("L: iadd.32b %w, %w, 1; ~W0001", "goto L;", strict=True)
    file.module('.global @"a name"[4]; ~W0002', strict=True)
    return file


def names():
    file = RefusalFile("names", "Names, types, widths, kinds of operands.",
                       "syntax 1.2 1.3; variables 2.1 2.2 2.3; operands 3.1 3.2 3.3 3.4; spaces_types 2.2; special_registers 4; "
                       "G-06 G-08 G-09 G-10 G-12 G-13 G-14 I-01 I-03 I-05 I-06 I-07 I-08 I-12 T-01 T-03 T-05 D-14 M-07 M-08 M-09 M-10 M-11 R-01 R-02 R-03 V-20")
    file.code("iadd.32b %w, %nothing, 1; ~E0201")
    file.code("{", "  .reg .32b %inner;", "}", "mov.32b %w, %inner; ~E0201")
    file.code("ld.global.32b %w, [@nothing]; ~E0202")
    file.code("addrof.64b %d, @nothing; ~E0202")
    # Rule Width, on several forms.
    for line in ("iadd.32b %w, %d, 1;", "iadd.32b %d, %w, 1;", "iabs.16b %h, %w;", "smul.full.16b %w, %w1, %h;",
                 "smul.full.16b %h, %h, %h1;", "smad.full.32b %d, %w, %w1, %w2;", "umad.full.16b %w, %h, %h1, %h;",
                 "shl.64b %d, %d, %d1;", "fadd.hf %h, %w, %h;", "fmul.full.bf %h, %h, %h1;", "fcmp.eq.f %h, %w, %w1;",
                 "f2i.s8.f %w, %w1;", "i2f.df.s32 %w, %w1;", "fext.df.f %w, %w1;", "ftrunc.hf.f %w, %w1;",
                 "sext.64b.8b %d, %w;", "zext.32b.16b %h, %h1;", "trunc.8b.64b %b, %w;", "sel.64b %d, %d, %d1, %w;",
                 "ired.sum.16b %w, %h, -1;", "fred.max.f %h, %w, -1;", "shfl.idx.32b %w, %h, 0, -1;", "mov.128b %d, %q;",
                 "isaddr.shared %d, %d1;", "addrcast.generic.shared %w, %w1;", "addrcast.generic.global %d, %w;",
                 "addrcast.private.generic %d, %d1;", "ld.global.64b %w, [%d];", "st.global.16b [%d], %w;",
                 "iatom.global.add.64b %d, [%d1], %w;", "cbit.16b %w, %h;", "bfi.32b %w, %w1, %w2, %h, 1;"):
        file.code(f"{line} ~E0203")
    # Rule PackedShape.
    for line in ("iadd.16bx2 %w, %m, %m1;", "iadd.8bx4 %m, %c, %c1;", "fadd.hfx2 %m, %v, %m1;", "ucmp.eq.16bx2 %m, %c, %m1;"):
        file.code(f"{line} ~E0204")
    # Rule ElementCount.
    for line in ("extract.dynamic.v4.32b %w, %v, %w1;", "insert.dynamic.v2.32b %u, %w, %w1;", "ld.global.v4.32b %v, [%d];",
                 "st.global.v2.32b [%d], %u;"):
        file.code(f"{line} ~E0205")
    file.code("extract.0.v4.32b %v, %u; ~E0205")
    # Rule SwizzledWidth.
    file.code("mov.64b %v.x, %d; ~E0206")
    file.code("mov.32b %w, %u.xy; ~E0206")
    file.code("mov.64b %u.xyzw, %v.xy; ~E0206")
    file.code("mov.32b %w, %v.z; ~E0207")
    file.code("mov.64b %d, %w.xy; ~E0207")
    file.code("mov.32b %w, %localid; ~E0208")
    file.code("mov.32b %w, %localid.w; ~E0208")
    for line in ("mov.64b %d, %localid.xy;", "mov.64b %d, %groupid.zw;", "mov.128b %q, %localsize.xyzw;", "extract.0.32b %w, %localid;",
                 "iadd.32b %w, %groupcount, 1;", "st.global.v3.32b [%d], %enqueuedlocalsize;"):
        file.code(f"{line} ~E0208")
    file.code("mov.32b %laneid, %w; ~E0209")
    for line in ("mov.32b %activemask, 1;", "ld.global.32b %localid.x, [%d];", "iadd.32b %subgroupsize, %w, 1;", "mov.64b %printfbuffer, %d;"):
        file.code(f"{line} ~E0209")
    file.code("mov.32b %w, %globalsize.x; ~E0203")
    file.code("mov.64b %globaloffset.x, %d; ~E0209")
    file.code("iadd.32b %w, %w, %p; ~E0210")
    file.code("sel.32b %w, %p, %w, %p1; ~E0210")
    # Templates that say register (I-12).
    for line in ("ired.sum.32b %w, 5, -1;", "shfl.idx.32b %w, 5, 0, -1;", "ftrunc2.hfx2 %m, 0x3f800000, %w;",
                 "extract.dynamic.v2.32b %w, %v, 1;", "insert.dynamic.v2.32b %v, 5, %w;", "st.global.32b [%d], 5;",
                 "iatom.global.add.32b %w, [%d], 1;", "sel.32b %w, %w1, %w2, 1;", "isaddr.global %w, 0;",
                 "iadd.16bx2 %m, %m1, 1;"):
        file.code(f"{line} ~E0211")
    # Immediates fit the signed or the unsigned range (I-01, I-03).
    for line in ("iadd.16b %h, %h, 65536;", "iadd.16b %h, %h, -32769;", "iadd.32b %w, %w, 0x100000000;",
                 "iadd.64b %d, %d, 18446744073709551616;", "shl.64b %d, %d, 4294967296;", "zext.32b.8b %w, 256;"):
        file.code(f"{line} ~E0212")
    file.code("fadd.f %w, %w, 1; ~E0213")
    file.code("mov.32b %w, 1.0; ~E0214")
    file.code("iadd.32b %w, %w, 1.0; ~E0214")
    file.code("fadd.hf %h, %h, 0x00003c00; ~E0215")
    file.code("uaddc.ci.32b %w, %w1, 1, !%p; ~E0216")
    file.code("iadd.32b %w, %v, 1; ~E0217")
    file.code(".reg .32b %twice;", ".reg .64b %twice; ~E0218")
    file.code(".reg .32b %laneid; ~E0219")
    file.code(".reg .32b %r<5~5>; ~E0220")
    file.code(".reg .32b %r<5~2>; ~E0220")
    file.code(".reg .32b %v.x; ~E0221")
    for kind in (".v1.32b", ".v5.16b", ".v2.128b", ".24b", ".v8.64b"):
        file.code(f".reg {kind} %z; ~E0222")
    file.module(".global @g[4];\n.function void @g() { ~E0223\n}")
    for line in ("ld.global.32b %w, [%w1];", "ld.shared.32b %w, [%d];", "ld.32b %w, [%w1];", "st.private.32b [%d], %w;",
                 "iatom.shared.inc.32b %w, [%d];", "ld.const.32b %w, [%w1];"):
        file.code(f"{line} ~E0224")
    # Rule AddressSpace, and variables of another space in an address (M-10).
    for line in ("ld.global.32b %w, [@s];", "st.private.32b [@s], %w;", "ld.32b %w, [@s];", "addrcast.generic.private %d, @s;",
                 "iatom.global.inc.32b %w, [@s];"):
        file.code(".shared .align 4 @s[4];", f"{line} ~E0225")
    # Rule VariableAddressSize.
    file.code(".shared @s[4];", "addrof.64b %d, @s; ~E0226")
    file.code("addrof.32b %w, @g; ~E0226", before=".global @g[4];\n")
    file.code("ld.shared.32b %w, [16]; ~E0227")
    file.code("ld.global.32b %w, [%d + 0xfffffffc]; ~E0228")
    file.code("ld.global.32b %w, [%d + 2147483648]; ~E0228")
    file.code("iadd.32b %w, 1; ~E0229")
    file.code("iadd.32b %w, %w, 1, 2; ~E0229")
    file.code("iadd.32b %w, %n, 1; ~E0230", parameters=".param[4] %n")
    file.code("ld.param.32b %w, [%w1]; ~E0231")
    file.code("ld.shared.32b %w, [%w1 + %d]; ~E0232")
    file.code("mov.32b %late, 1; ~E0233", ".reg .32b %late;")
    file.code("fadd.f %w, %w, -0x3f800000; ~E0234")
    return file


def forms():
    file = RefusalFile("forms", "Opcodes, qualifiers and their combinations.",
                       "instruction_set; compatibility 6.1; "
                       "A-04 A-15 A-16 A-17 B-07 B-09 D-16 G-15 H-01 H-03 M-06 M-22 M-24 M-25 M-29 P-23 S-25 S-30 Y-05 Y-06 Y-07 Y-09")
    file.code("frobnicate.32b %w, %w, 1; ~E0301")
    file.code("iadd.foo.32b %w, %w, 1; ~E0302")
    file.code("fadd.ftz.re.f %w, %w, 1.0; ~E0303")
    file.code("fadd.dsat.ftz.f %w, %w, 1.0; ~E0303")
    file.code("iadd %w, %w, 1; ~E0304")
    file.code("frsqrt.f %w, %w1; ~E0304")
    file.code("frnd.f %w, %w1; ~E0304")
    file.code("fdiv.hf %h, %h1, %h; ~E0304")
    file.code("fence.system; ~E0304")
    file.code("fsqrt.re.fast.f %w, %w1; ~E0305")
    # Types and values that a form does not have: closed lists.
    for line in ("isub.8bx4 %c, %c1, %c;", "umax.8bx4 %c, %c1, %c;", "umad.16bx2 %m, %m, %m1, %m;", "cbit.64b %d, %d1;",
                 "fred.max.df %d, %d1, -1;", "ired.sum.64b %d, %d1, -1;", "frcp.df %d, %d1;",
                 "bfrev.16b %h, %h1;", "shfl.idx.16b %h, %h1, 0, -1;", "sel.8b %b, %b1, %b, %p;", "scmp.eq.16bx2 %m, %m, %m1;"):
        file.code(f"{line} ~E0302")
    # Rule NotSpecifiedWhen.
    file.code("dp4a.uu.dsat.32b %w, %w, %w1, %w2; ~E0306")
    file.code("ld.private.weak.32b %w, [%w1]; ~E0306")
    file.code("ld.const.weak.32b %w, [%d]; ~E0306")
    file.code("st.private.weak.32b [%w1], %w; ~E0306")
    # Rule SpecifiedOnlyWhen.
    file.code("ld.global.relaxed.gpu.32b %w, [%d]; ~E0307")
    file.code("st.shared.relaxed.workgroup.32b [%w1], %w; ~E0307")
    file.code("iatom.global.relaxed.gpu.add.32b %w, [%d], %w1; ~E0307")
    file.code("iatom.global.gpu.add.32b %w, [%d], %w1; ~E0307")
    file.code("fatom.shared.relaxed.workgroup.add.f %w, [%w1], %w2; ~E0307")
    # Rule ValueExcludedWhen.
    for line in ("ld.global.v3.16b %m, [%d];", "ld.global.v8.64b %d, [%d];", "st.global.v3.8b [%d], %c;",
                 "iatom.global.incwrap.16b %h, [%d], %h1;", "iatom.global.add.128b %q, [%d], %q;",
                 "iatom.shared.add.64b %d, [%w], %d1;", "fatom.shared.add.df %d, [%w], %d1;", "fatom.global.min.df %d, [%d1], %d;"):
        file.code(f"{line} ~E0308")
    # Rule OperandOnlyWhen.
    for line in ("iatom.global.inc.32b %w, [%d], %w1;", "iatom.global.cas.32b %w, [%d], %w1;", "iatom.global.add.32b %w, [%d];",
                 "iatom.global.add.32b %w, [%d], %w1, %w2;", "fatom.global.cas.f %w, [%d], %w1;", "fatom.global.add.f %w, [%d], %w1, %w2;"):
        file.code(f"{line} ~E0309")
    # Rules IndexInRange, IndexAligned, IndexSum.
    file.code("extract.2.32b %w, %v; ~E0310")
    file.code("insert.4.32b %u, %w; ~E0310")
    file.code("extract.1.v2.32b %v, %u; ~E0311")
    file.code("insert.1.v2.32b %u, %v; ~E0311")
    file.code("extract.4.v2.32b %v, %u; ~E0312")
    file.code("insert.4.v4.32b %u, %u; ~E0312")
    # Rules Wider and Narrower.
    file.code("sext.32b.32b %w, %w1; ~E0313")
    file.code("zext.16b.32b %h, %w; ~E0313")
    file.code("fext.f.f %w, %w1; ~E0313")
    file.code("trunc.32b.32b %w, %w1; ~E0314")
    file.code("ftrunc.f.f %w, %w1; ~E0314")
    file.code("fadd.ftz.ftz.f %w, %w, 1.0; ~E0316")
    for table in ("0x00", "0xff", "0x1", "0x100"):
        file.code(f"bfn.{table}.32b %w, %w, %w1, %w2; ~E0317")
    # Closed lists of memory orders and scopes.
    for line in ("ld.global.release.gpu.32b %w, [%d];", "st.global.acquire.gpu.32b [%d], %w;",
                 "iatom.global.seq_cst.gpu.add.32b %w, [%d], %w1;", "ld.global.relaxed.8b %b, [%d];",
                 "fence.relaxed.gpu;", "fence.shared.system;"):
        file.code(f"{line} ~E0302")
    file.module(".version 0.1; ~W0010\n.kernel @k() {\n}", header="")
    file.module(".target 100;\n.version 0.1; ~W0011\n.kernel @k() {\n}", header="")
    file.module(".version 0.2; ~E0320\n.target 100;", header="")
    file.module(".version 2.0; ~E0320\n.target 100;", header="")
    file.module(".version 0.1;\n.target 200; ~E0321", header="")
    return file


def variables():
    file = RefusalFile("variables", "Memory variables, attributes and initialisers.",
                       "variables 2.4 2.5; I-13 L-03 L-05 V-01 V-02 V-03 V-06 V-07 V-08 V-09 V-10 V-11 V-12 V-14 V-19 V-20 V-21 V-22")
    file.module(".shared @s[4]; ~E0401")
    file.module(".private @p[4]; ~E0401")
    file.code(".global @g[4]; ~E0402")
    file.module(".global @g; ~E0403")
    file.module(".global @g[0]; ~E0404")
    for align in (0, 3, 8192):
        file.module(f".global .align {align} @g[4]; ~E0405")
    file.module(".global .align 4 .align 8 @g[8]; ~E0406")
    file.code('.private .section("stack") @p[4]; ~E0407')
    file.module(".const @c[4]; ~E0408")
    file.code(".const @c[4]; ~E0408")
    file.code(".shared @s[4] = { .32b 1 }; ~E0409")
    file.module(".import .global @g[4] = { .32b 1 }; ~E0409")
    file.module(".global @g[4] = { .16b 1 }; ~E0410")
    file.module(".global @g[4] = { .32b 1, .8b 1 }; ~E0410")
    file.module(".global @g[4] = { .f 0x3f800000 }; ~E0411")
    file.module(".global @g[16] = { .128b 1 }; ~E0411")
    file.module(".global @g[4] = { .32b 1.0 }; ~E0412")
    file.module(".global @g[4] = { .32b @g }; ~E0413")
    file.module(".function void @f() {\n}\n.global @g[8] = { .64b @f+4 }; ~E0414")
    file.module(".global @g[4] = { .32b 1, .zero 0 }; ~E0415")
    file.module(".kernel @k() {\n}\n.global @g[8] = { .64b @k }; ~E0416")
    file.module('.global .host_access("n") @a[4];\n.global .host_access("n") @b[4]; ~E0417')
    file.code(".export .const @c[4] = { .32b 1 }; ~E0104")
    file.code("st.global.32b [@c], %w; ~E0420", before=".const .align 4 @c[4] = { .32b 1 };\n")
    file.module(".import .global @g[4];\n.export .global @g[4] = { .32b 1 }; ~E0223")
    file.module(".global .align 4 @g = { .32b 1 }; ~W0023")
    file.code(".shared .16b @s[100]; ~W0024")
    file.code(".shared .16b @s[100]; ~W0024", strict=True)
    file.module(".global @g[1] = { .8b 300 }; ~W0118")
    file.code(".private .align 4 @g[4]; ~W0119", before=".global @g[4];\n")
    file.module(".function void @f() {\n  .shared @s[4]; ~W0125\n}")
    file.code(".private @p[8];", "ld.private.32b %w, [@p]; ~W0117")
    return file


def functions():
    file = RefusalFile("functions", "Kernels, functions, calls, control flow.",
                       "calling_convention 4.1 4.2 4.3 4.4 4.5; instructions_control_flow 6.1 6.2 6.3; "
                       "C-05 C-07 C-08 C-20 F-01 F-02 F-03 F-04 F-07 F-10 F-11 G-13 K-01 K-03 K-04 K-05 K-07 K-08 K-09 K-10 K-11 K-13")
    file.module(".export .kernel @k() { ~E0501\n}")
    for size in ("0, 1, 1", "8, 8", "32, 32, 2"):
        file.module(f".kernel .reqd_work_group_size({size}) @k() {{ ~E0502\n}}")
    file.module(".kernel @k(.param[8] .addrspace(private) %a) { ~E0503\n}")
    file.module(".kernel @k(.param[4] %w) {\n  .reg .32b %w; ~E0504\n}")
    file.module(".import .function void @f() { ~E0505\n}")
    file.module(".function void @f(); ~E0506")
    file.module(".function void @f(.reg .32b) { ~E0507\n}")
    file.module(".function .32b @f() { ~E0509\n}")
    file.module(".function .32b @f() {\n  .reg .32b %a;\n  .pred %p;\n  return.cond %p, %a; ~E0509\n}")
    # Rule ReturnType.
    file.module(".function .32b @f() {\n  .reg .64b %a;\n  return %a; ~E0510\n}")
    file.module(".function .16b @f() {\n  return 65536; ~E0212\n}")
    file.code("return 5; ~E0511")
    file.module(".function .32b @f() {\n  return; ~E0511\n}")
    callee = ".function .32b @f(.reg .32b %a, .reg .v2.32b %b) {\n  return %a;\n}\n"
    file.code("call void, @f(%w, %v); ~E0512", before=callee)
    file.code("call %d, @f(%w, %v); ~E0512", before=callee)
    file.code("call %w, @f(%w); ~E0513", before=callee)
    file.code("call %w, @f(%d, %v); ~E0514", before=callee)
    file.code("call %w, @f(%w, %u); ~E0514", before=callee)
    file.code("call void, @other(); ~E0515", before=".kernel @other() {\n}\n")
    file.code("addrof.64b %d, @other; ~E0515", before=".kernel @other() {\n}\n")
    file.code("call void, @g(); ~E0516", before=".global @g[4];\n")
    file.code("call %w, @f(%p, %v); ~E0517", before=callee)
    file.code("goto nowhere; ~E0518")
    # A label has no prefix.
    file.code("L:", "goto %L; ~E0201")
    file.code("L:", "goto @L; ~E0202")
    # Parameters need a size; alignments are powers of two.
    file.module(".kernel @k(.param %a) { ~E0102 ~E0521\n}")
    file.module(".kernel @k(.param[8] .align(3) %a) { ~E0405\n}")
    file.module(".kernel @k(.param[8] .ptr_align(3) %a) { ~E0405\n}")
    # Predicates are no arguments and no results.
    file.module(".function void @f(.pred %q) { ~E0102\n}")
    file.module(".function .pred @f() { ~E0102\n}")
    file.code("L:", "iadd.32b %w, %w, 1;", "L: ~E0519")
    file.module(".function void @f() {\n  .reg .32b %w;\n  ld.param.32b %w, [%w]; ~E0520\n}")
    file.module(".kernel @k(.param[0] %n) { ~E0521\n}")
    file.module(".kernel @k(.reg .32b %n) { ~E0522\n}")
    file.code("ld.param.v5.32b %w, [%n]; ~E0302", parameters=".param[32] %n")
    file.code("ld.param.32b %w, [%n + 4]; ~W0015", parameters=".param[4] %n")
    file.code("ld.param.32b %w, [@n]; ~W0016", parameters=".param[4] %n")
    file.code("ld.param.32b %w, [@n]; ~W0016", parameters=".param[4] %n", strict=True)
    file.module(".function .32b @f(.32b %a) { ~W0014\n  return %a;\n}")
    file.module(".function .v2.32b @f(.reg .v2.32b %a) { ~W0027\n  return %a;\n}")
    file.module(".function void @f() {\n  call void, @f(); ~W0120\n}")
    file.module(".kernel @k(.param[2] .addrspace(global) %p) { ~W0126\n}")
    return file


def departures():
    file = RefusalFile("departures", "Against the letter of the specification, but printed by a compiler or its own examples: a warning, an "
                       "error where checks are strict.", "compatibility 6.1; G-01 H-01 A-17 M-02 M-04 M-05 M-08 M-12 D-10 I-06 I-09 D-01")
    lines = [
        (".shared .align 4 @s[8];", "ld.shared.L1c.L2c.L3c.32b %w, [@s]; ~W0017"),
        ("ld.global.acquire.32b %w, [%d]; ~W0018",),
        ("iatom.global.acq_rel.add.32b %w, [%d], %w1; ~W0018",),
        ("ld.generic.relaxed.64b %d, [%d1]; ~W0019",),
        ("st.shared.relaxed.64b [%w], %d; ~W0019",),
        ("ld.global.32b %w, [%d + %w1]; ~W0020",),
        ("ld.shared.32b %w, [%w1 + %h]; ~W0020",),
        ("ld.global.32b %w, [%d - 8]; ~W0021",),
        ("mov.32b %v.x, 5; ~W0022",),
        ("ld.shared.32b %w, [%w1 + %v.x]; ~W0025",),
        ("ld.shared.v2.32b %u.zw, [%w]; ~W0026",),
        ("lifetime.start %w; ~W0013",),
    ]
    for case in lines:
        for strict in (False, True):
            file.code(*case, strict=strict)
    for strict in (False, True):
        file.module(".version 1.0; ~W0012\n.target 100;", strict, header="")
    return file


def lints():
    file = RefusalFile("lints", "Legal but doubtful.", "D-01 S-04 S-05 S-08 S-09 S-14 S-16 A-07 B-01 B-03 V-04 V-07 G-07 G-11 I-06 I-09 F-08")
    for line, code in (
        ("f2i.s32.f %w, %w1;", "W0110"), ("pf2i.s16x2.hfx2 %m, %m1;", "W0110"), ("ired.sum.32b %w, %w1, 0;", "W0111"),
        ("redfirstidx.32b %w, 0;", "W0111"), ("shfl.dn.sg.32b %w, %w1, 0x00180002, -1;", "W0112"),
        ("shfl.idx.sg.32b %w, %w1, 0x00081f00, -1;", "W0113"), ("udiv.32b %w, %w1, 0;", "W0114"),
        ("sdiv.rem.64b %d, %d1, 0;", "W0114"), ("shl.32b %w, %w1, 32;", "W0115"), ("asr.16b %h, %h1, 16;", "W0115"),
        ("shl.16bx2 %m, %m1, 3;", "W0116"), ("shfl.idx.32b %w, %w1, 32, -1;", "W0127"),
        ("shfl.xor.sg.32b %w, %w1, 0x00181f09, -1;", "W0128"), ("fadd.f %w, %w1, 0x3f80;", "W0123"),
        ("fadd.f %w, %w1, 1e40;", "W0124"), ("fadd.hf %h, %h1, 70000.0;", "W0124"),
    ):
        file.code(f"{line} ~{code}")
    # Access alignment (memory_access 5.1): the type's width, narrow vectors as a whole.
    for line in ("ld.private.64b %d, [@p];", "ld.private.v2.8b %y, [@p];", "ld.private.v2.64b %z, [@p];", "ld.private.v4.16b %n, [@p];"):
        file.code(".reg .v2.8b %y;", ".reg .v2.64b %z;", ".reg .v4.16b %n;", f".private .align {1 if '8b' in line else 4} @p[16];", f"{line} ~W0117")
    file.code("goto .reg;", ".reg: ~W0121")
    file.code("{", "  .reg .32b %w; ~W0122", "  mov.32b %w, 1;", "}")
    return file


def files():
    return [syntax(), names(), forms(), variables(), functions(), departures(), lints()]
