"""Templates with addresses, vectors, swizzles, names and labels: what they take and refuse, by hand."""

from .refusals import HEADER
from .template_cases import CasesFile

VARIABLES = """.global .align 16 @g[64];
.const .align 16 @k0[4] = { .32b 1 };
.function void @f(.reg .32b %a) {
}
.function .32b @r() {
  return 1;
}
"""
SHARED = ".shared .align 16 @s[64];"
PRIVATE = ".private .align 16 @l[64];"
ADDRESSES = {".global": "[%d0]", ".generic": "[%d0]", "": "[%d0]", ".shared": "[%w0]", ".private": "[%w0]", ".const": "[%d0]"}
DATA = {"8b": "%b1", "16b": "%h1", "32b": "%w1", "64b": "%d1", "128b": "%q1", "bf": "%h1", "hf": "%h1", "f": "%w1", "df": "%d1"}
VECTORS = {("v2", "32b"): "%v1", ("v3", "32b"): "%t1", ("v4", "32b"): "%u1", ("v8", "32b"): "%x1", ("v2", "16b"): "%m1", ("v4", "8b"): "%c1"}
LOAD_CACHES = [f".L1{a}.L2{b}.L3{c}" for a in ("uc", "c", "s") for b in ("uc", "c") for c in ("uc", "c")] + [".ri"]
STORE_CACHES = [".L1uc.L2uc.L3uc", ".L1uc.L2uc.L3wb", ".L1uc.L2wb.L3uc", ".L1uc.L2wb.L3wb", ".L1wt.L2uc.L3uc", ".L1wt.L2uc.L3wb",
                ".L1wt.L2wb.L3uc", ".L1wt.L2wb.L3wb", ".L1s.L2uc.L3uc", ".L1s.L2uc.L3wb", ".L1s.L2wb.L3uc", ".L1wb.L2uc.L3uc",
                ".L1wb.L2wb.L3uc", ".L1wb.L2uc.L3wb"]


def case(file, name, takes, refuses, before=VARIABLES, parameters=""):
    """`refuses` gives the lines by their code."""
    lines = [(line, code) for code, faulty in refuses.items() for line in faulty]
    file.case(name, takes, lines, before, parameters)


def access(load, space, middle, kind, data, address=None):
    address = address or ADDRESSES[space]
    return f"ld{space}{middle}.{kind} {data}, {address};" if load else f"st{space}{middle}.{kind} {address}, {data};"


def loads_and_stores(file):
    for load in (True, False):
        caches = LOAD_CACHES if load else STORE_CACHES
        spaces = [".global", ".generic", ".shared", ".private", ""] + ([".const"] if load else [])
        line = lambda space, middle, kind, data, address=None: access(load, space, middle, kind, data, address)
        takes = [SHARED, PRIVATE]
        takes += [line(space, "", "32b", "%w1") for space in spaces]
        takes += [line(space, ".weak", "32b", "%w1") for space in (".global", ".generic", ".shared", "")]
        takes += [line(".global", cache, "32b", "%w1") for cache in caches]
        takes += [line(".global", f".{vec}", kind, data) for (vec, kind), data in VECTORS.items()]
        takes += [line(".global", "", kind, DATA[kind]) for kind in ("8b", "16b", "64b")]
        # MemRR, MemRI, MemR with registers and variables (operands 3.3).
        takes += [line(".global", "", "32b", "%w1", a) for a in ("[%d0 + %d2]", "[%d0 + 4]", "[%d0 + -4]", "[@g]", "[@g + 4]", "[@g + %d2]")]
        takes += [line(".shared", "", "32b", "%w1", a) for a in ("[%w0 + %w2]", "[@s]", "[@s + 4]", "[@s + %w2]")]
        takes += [line(".private", "", "32b", "%w1", a) for a in ("[%w0 + %w2]", "[@l]", "[@l + 4]", "[@l + %w2]")]
        orders = (".relaxed", ".acquire", ".seq_cst") if load else (".relaxed", ".release", ".seq_cst")
        scopes = (".workgroup", ".gpu", ".system")
        takes += [line(space, ".relaxed", "32b", "%w1") for space in (".global", ".generic", ".shared", "")]
        takes += [line(".global", order + scope, "32b", "%w1") for order in orders[1:] for scope in scopes]
        takes += [line(".global", ".relaxed" + cache, "32b", "%w1") for cache in (".uc", ".L2wb", ".L3wb")]
        takes += [line(".global", ".relaxed", kind, DATA[kind]) for kind in ("16b", "64b", "128b")]
        takes += [line(space, ".relaxed", "128b", "%q1") for space in (".generic", ".shared")]
        wrong_order = ".release" if load else ".acquire"
        refuses = {
            "E0203": [line(".global", "", "16b", "%w1"), line(".global", "", "64b", "%w1"), line(".global", ".relaxed", "64b", "%w1"),
                      line(".global", ".relaxed", "128b", "%d1")],
            "E0205": [line(".global", ".v2", "32b", "%u1"), line(".global", ".v4", "32b", "%v1"), line(".global", ".v3", "32b", "%w1"),
                      line(".global", "", "32b", "%v1")],
            "E0308": [line(".global", ".v3", "16b", "%m1"), line(".global", ".v3", "8b", "%c1"), line(".global", ".v8", "64b", "%d1"),
                      line(".global", ".v8", "16b", "%m1"), line(".global", ".v8", "8b", "%c1")],
            "E0306": [line(".private", ".weak", "32b", "%w1")] + ([line(".const", ".weak", "32b", "%w1")] if load else []),
            "E0307": [line(".global", ".relaxed" + scope, "32b", "%w1") for scope in scopes],
            "E0302": [line(".global", f"{wrong_order}.gpu", "32b", "%w1"), line(".global", ".acq_rel.gpu", "32b", "%w1"),
                      line(".global", ".acquire.subgroup" if load else ".release.subgroup", "32b", "%w1"),
                      line(".global", ".v5", "32b", "%x1"), line(".global", "", "f", "%w1"),
                      line(".global", ".L1c.L2c.L3wb", "32b", "%w1"), line(".global", ".relaxed", "8b", "%b1"),
                      line(".param", "", "32b", "%w1", "[%d0]") if not load else line(".texture", "", "32b", "%w1", "[%d0]")],
            "E0224": [line(".global", "", "32b", "%w1", "[%w0]"), line(".shared", "", "32b", "%w1", "[%d0]"),
                      line(".private", "", "32b", "%w1", "[%d0]"), line("", "", "32b", "%w1", "[%w0]"),
                      line(".global", ".relaxed", "32b", "%w1", "[%w0]")],
            "E0225": [line(".global", "", "32b", "%w1", "[@s]"), line(".shared", "", "32b", "%w1", "[@g]"),
                      line(".shared", "", "32b", "%w1", "[@l]"), line("", "", "32b", "%w1", "[@g]")],
            "E0227": [line(".shared", "", "32b", "%w1", "[16]"), line(".global", ".relaxed", "32b", "%w1", "[16]")],
            "E0210": [line(".global", "", "32b", "%p1"), line(".global", ".relaxed", "32b", "%p1")],
            "E0211": [line(".global", "", "32b", "5"), line(".global", ".relaxed", "32b", "5")],
        }
        # Orders and scopes are for global and shared memory (virtual_machine 1.2.1).
        for space in (".private", ".const") if load else (".private",):
            refuses["E0302"] += [line(space, order, "32b", "%w1") for order in (".relaxed", f"{orders[1]}.gpu", ".workgroup")]
        if not load:
            refuses["E0302"].append(line(".const", "", "32b", "%w1", "[%d0]"))
        case(file, "ld" if load else "st", takes, refuses)
        strict = [line(".shared", cache, "32b", "%w1") for cache in (caches[0], caches[-1])]
        strict += [line(".shared", f".relaxed{cache}", "32b", "%w1") for cache in (".uc", ".L2wb", ".L3wb")]
        wide = [line(space, ".relaxed", "64b", "%d1") for space in (".shared", ".generic", "")]
        file.case(("ld" if load else "st") + "_departures", [], [(each, "W0017") for each in strict] + [(each, "W0019") for each in wide]
                  + [(line(".global", f"{orders[1]}", "32b", "%w1"), "W0018")], VARIABLES, strict=True)


def parameters(file):
    kinds = ["8b", "16b", "32b", "64b"]
    takes = [f"ld.param.{kind} {DATA[kind]}, [%arg];" for kind in kinds]
    takes += [f"ld.param.{vec}.{kind} {data}, [%arg];" for (vec, kind), data in VECTORS.items()]
    takes += ["ld.param.32b %w1, [%arg + 4];", "ld.param.32b %w1, [%arg + %w2];", "ld.param.32b %w1, [%arg + -4];"]
    case(file, "ld.param", takes, {
        "E0203": ["ld.param.16b %w1, [%arg];", "ld.param.64b %w1, [%arg];", "ld.param.8b %h1, [%arg];"],
        "E0205": ["ld.param.v2.32b %u1, [%arg];", "ld.param.v4.32b %w1, [%arg];"],
        "E0308": ["ld.param.v3.16b %m1, [%arg];", "ld.param.v3.8b %c1, [%arg];", "ld.param.v8.64b %d1, [%arg];", "ld.param.v8.16b %m1, [%arg];"],
        "E0302": ["ld.param.v5.32b %x1, [%arg];", "ld.param.128b %q1, [%arg];", "ld.param.relaxed.32b %w1, [%arg];"],
        "E0231": ["ld.param.32b %w1, [%w2];", "ld.param.32b %w1, [@g];"],
        "E0232": ["ld.param.32b %w1, [%arg + %d2];"],
        "E0228": ["ld.param.32b %w1, [%arg + 0x80000000];"],
        "E0210": ["ld.param.32b %p1, [%arg];"], "E0211": ["ld.param.32b 1, [%arg];"],
    }, parameters=".param[64] %arg")


def atomics(file):
    scopes = (".workgroup", ".gpu", ".system")
    plain = ["add", "sub", "smin", "smax", "umin", "umax", "and", "or", "xor", "xchg"]

    def integer(space, middle, op, kind, operands=None, address=None):
        number = operands if operands is not None else {"inc": 0, "dec": 0, "cas": 2}.get(op, 1)
        words = [DATA[kind], address or ADDRESSES[space], DATA[kind].replace("1", "2"), DATA[kind].replace("1", "3")]
        return f"iatom{space}{middle}.{op}.{kind} {', '.join(words[:2 + number])};"

    takes = [SHARED, PRIVATE]
    takes += [integer(space, "", op, kind) for space in (".global", ".shared", ".generic") for op in plain + ["cas", "inc", "dec"] for kind in ("16b", "32b")]
    takes += [integer(".global", "", op, "64b") for op in plain + ["cas", "inc", "dec", "incwrap", "decwrap"]]
    takes += [integer(space, "", op, "32b") for space in (".global", ".shared", ".generic") for op in ("incwrap", "decwrap")]
    takes += [integer(space, "", "cas", "64b") for space in (".shared", ".generic")]
    takes += [integer(space, "", op, "128b") for space in (".global", ".shared", ".generic") for op in ("cas", "xchg")]
    takes += [integer(".global", order + scope, "add", "32b") for order in (".release", ".acquire", ".acq_rel") for scope in scopes]
    takes += [integer(".global", middle, "add", "32b") for middle in (".relaxed", ".uc", ".L2wb", ".L3wb")]
    takes += [integer(".global", "", "add", "32b", address=a) for a in ("[%d0 + %d4]", "[%d0 + 8]", "[@g]", "[@g + 4]")]
    case(file, "iatom", takes, {
        "E0203": ["iatom.global.add.64b %d1, [%d0], %w2;", "iatom.global.add.16b %w1, [%d0], %h2;", "iatom.global.cas.32b %w1, [%d0], %w2, %d3;"],
        "E0309": [integer(".global", "", op, "32b", 1) for op in ("inc", "dec")] + [integer(".global", "", "cas", "32b", 1)]
        + [integer(".global", "", op, "32b", 2) for op in plain + ["incwrap", "decwrap"]] + [integer(".global", "", "add", "32b", 0)],
        "E0308": [integer(".global", "", op, "16b") for op in ("incwrap", "decwrap")]
        + [integer(".global", "", op, "128b") for op in plain[:-1] + ["inc", "dec", "incwrap", "decwrap"]]
        + [integer(space, "", op, "64b") for space in (".shared", ".generic") for op in plain + ["inc", "dec", "incwrap", "decwrap"]],
        "E0307": [integer(".global", middle + scope, "add", "32b") for middle in ("", ".relaxed") for scope in scopes],
        "E0302": [integer(".global", ".seq_cst.gpu", "add", "32b"), integer(".global", ".acquire.subgroup", "add", "32b"),
                  integer(".global", ".weak", "add", "32b"), integer(".global", ".L1c", "add", "32b"), "iatom.private.add.32b %w1, [%w0], %w2;",
                  "iatom.global.nand.32b %w1, [%d0], %w2;", "iatom.global.add.8b %b1, [%d0], %b2;", "iatom.const.add.32b %w1, [%d0], %w2;"],
        "E0304": ["iatom.add.32b %w1, [%d0], %w2;"],
        "E0224": ["iatom.shared.inc.32b %w1, [%d0];", "iatom.global.inc.32b %w1, [%w0];"],
        "E0225": ["iatom.global.inc.32b %w1, [@s];", "iatom.shared.inc.32b %w1, [@l];"],
        "E0227": ["iatom.shared.inc.32b %w1, [16];"],
        "E0211": ["iatom.global.add.32b %w1, [%d0], 1;", "iatom.global.cas.32b %w1, [%d0], %w2, 1;", "iatom.global.add.32b 1, [%d0], %w2;"],
        "E0210": ["iatom.global.add.32b %w1, [%d0], %p2;"],
    })

    def floating(space, middle, op, kind, operands=None):
        number = operands if operands is not None else 2 if op == "cas" else 1
        words = [DATA[kind], ADDRESSES[space], DATA[kind].replace("1", "2"), DATA[kind].replace("1", "3")]
        return f"fatom{space}{middle}.{op}.{kind} {', '.join(words[:2 + number])};"

    operations = ("add", "sub", "min", "max", "cas")
    takes = [SHARED, PRIVATE]
    takes += [floating(space, "", op, kind) for space in (".global", ".shared", ".generic") for op in operations for kind in ("bf", "hf", "f")]
    takes += [floating(".global", "", op, "df") for op in ("add", "sub")]
    takes += [floating(".global", order + scope, "add", "f") for order in (".release", ".acquire", ".acq_rel") for scope in scopes]
    takes += [floating(".global", middle, "add", "f") for middle in (".relaxed", ".uc", ".L2wb", ".L3wb")]
    case(file, "fatom", takes, {
        "E0203": ["fatom.global.add.f %h1, [%d0], %w2;", "fatom.global.add.hf %h1, [%d0], %w2;", "fatom.global.cas.f %w1, [%d0], %w2, %d3;"],
        "E0309": [floating(".global", "", op, "f", 2) for op in operations[:-1]] + [floating(".global", "", "cas", "f", 1)],
        "E0308": [floating(".global", "", op, "df") for op in ("min", "max", "cas")]
        + [floating(space, "", op, "df") for space in (".shared", ".generic") for op in operations],
        "E0307": [floating(".global", middle + scope, "add", "f") for middle in ("", ".relaxed") for scope in scopes],
        "E0302": [floating(".global", ".seq_cst.gpu", "add", "f"), floating(".global", ".acquire.subgroup", "add", "f"),
                  "fatom.private.add.f %w1, [%w0], %w2;", "fatom.global.xchg.f %w1, [%d0], %w2;", "fatom.global.add.32b %w1, [%d0], %w2;",
                  "fatom.global.ri.add.f %w1, [%d0], %w2;"],
        "E0304": ["fatom.add.f %w1, [%d0], %w2;"],
        "E0224": ["fatom.shared.add.f %w1, [%d0], %w2;"], "E0225": ["fatom.global.add.f %w1, [@s], %w2;"],
        "E0211": ["fatom.global.add.f %w1, [%d0], 1.0;"], "E0210": ["fatom.global.add.f %p1, [%d0], %w2;"],
    })
    lines = [f"iatom.shared{cache}.add.32b %w1, [%w0], %w2;" for cache in (".uc", ".L2wb", ".L3wb")]
    lines += [f"fatom.shared{cache}.add.f %w1, [%w0], %w2;" for cache in (".uc", ".L2wb", ".L3wb")]
    scopeless = ["iatom.global.acquire.add.32b %w1, [%d0], %w2;", "fatom.global.release.add.f %w1, [%d0], %w2;"]
    file.case("atomics_departures", [], [(line, "W0017") for line in lines] + [(line, "W0018") for line in scopeless], VARIABLES, strict=True)


def movement(file):
    case(file, "addrcast", [SHARED, PRIVATE] + [f"addrcast.generic.{space} %d0, {source};" for space, source in (
        ("private", "%w1"), ("private", "@l"), ("shared", "%w1"), ("shared", "@s"), ("global", "%d1"), ("global", "@g"), ("const", "%d1"), ("const", "@k0"))]
        + ["addrcast.global.generic %d0, %d1;", "addrcast.private.generic %w0, %d1;", "addrcast.shared.generic %w0, %d1;"], {
        "E0203": ["addrcast.generic.private %d0, %d1;", "addrcast.generic.shared %d0, %d1;", "addrcast.generic.global %d0, %w1;",
                  "addrcast.generic.const %d0, %w1;", "addrcast.generic.shared %w0, %w1;", "addrcast.private.generic %d0, %d1;",
                  "addrcast.shared.generic %d0, %d1;", "addrcast.global.generic %w0, %d1;", "addrcast.global.generic %d0, %w1;"],
        "E0225": ["addrcast.generic.private %d0, @s;", "addrcast.generic.shared %d0, @l;", "addrcast.generic.global %d0, @k0;", "addrcast.generic.const %d0, @g;"],
        # To `.const` goes no cast: `addrcast.global.generic` does it.
        "E0302": ["addrcast.generic.param %d0, %d1;", "addrcast.global.shared %d0, %w1;", "addrcast.const.generic %d0, %d1;"],
        "E0211": ["addrcast.generic.shared %d0, 16;", "addrcast.shared.generic %w0, 16;", "addrcast.generic.shared 1, %w1;"],
        "E0229": ["addrcast.generic.shared %d0;"],
    })
    case(file, "addrof", [SHARED, PRIVATE, "addrof.64b %d0, @g;", "addrof.64b %d0, @k0;", "addrof.64b %d0, @f;", "addrof.32b %w0, @s;", "addrof.32b %w0, @l;"], {
        "E0203": ["addrof.64b %w0, @g;", "addrof.64b %w0, @f;", "addrof.32b %d0, @s;"],
        "E0226": ["addrof.32b %w0, @g;", "addrof.64b %d0, @s;", "addrof.64b %d0, @l;", "addrof.32b %w0, @k0;"],
        "E0302": ["addrof.16b %h0, @s;"], "E0304": ["addrof %d0, @g;"], "E0229": ["addrof.64b %d0;"],
        "E0210": ["addrof.64b %d0, %d1;"],
    })
    takes = [f"extract.{i}.32b %w0, %u1;" for i in range(4)] + ["extract.0.v2.32b %v0, %u1;", "extract.2.v2.32b %v0, %u1;", "extract.4.v4.32b %u0, %x1;",
                                                              "extract.3.v3.32b %t0, %x1;"]
    case(file, "extract", takes, {
        "E0310": ["extract.2.32b %w0, %v1;", "extract.4.32b %w0, %u1;", "extract.63.32b %w0, %x1;"],
        "E0205": ["extract.0.v4.32b %v0, %u1;", "extract.0.v2.32b %u0, %x1;"],
        "E0311": ["extract.1.v2.32b %v0, %u1;", "extract.2.v4.32b %u0, %x1;", "extract.4.v3.32b %t0, %x1;"],
        "E0312": ["extract.4.v2.32b %v0, %u1;", "extract.6.v3.32b %t0, %x1;"],
        "E0203": ["extract.0.32b %h0, %u1;", "extract.0.32b %w0, %m1;"],
        "E0302": ["extract.0.16b %h0, %m1;", "extract.64.32b %w0, %u1;", "extract.0.v9.32b %x0, %x1;"],
        "E0207": ["extract.0.32b %w0, %u1.xy;", "extract.0.v2.32b %u0.xy, %x1;"],
        "E0210": ["extract.0.32b %w0, %w1;"], "E0211": ["extract.0.32b %w0, 1;", "extract.0.32b 1, %u1;"],
    })
    takes = [f"insert.{i}.32b %u0, %w1;" for i in range(4)] + ["insert.0.v2.32b %u0, %v1;", "insert.2.v2.32b %u0, %v1;", "insert.4.v4.32b %x0, %u1;",
                                                             "insert.3.v3.32b %x0, %t1;"]
    case(file, "insert", takes, {
        "E0310": ["insert.2.32b %v0, %w1;", "insert.4.32b %u0, %w1;"],
        "E0205": ["insert.0.v4.32b %u0, %v1;", "insert.0.v2.32b %x0, %u1;"],
        "E0311": ["insert.1.v2.32b %u0, %v1;", "insert.2.v4.32b %x0, %u1;"],
        "E0312": ["insert.4.v2.32b %u0, %v1;", "insert.6.v3.32b %x0, %t1;"],
        "E0203": ["insert.0.32b %u0, %h1;", "insert.0.32b %m0, %w1;"],
        "E0302": ["insert.0.16b %m0, %h1;", "insert.64.32b %u0, %w1;", "insert.0.v9.32b %x0, %x1;"],
        "E0207": ["insert.0.32b %u0.xy, %w1;", "insert.0.v2.32b %x0, %u1.xy;"],
        "E0210": ["insert.0.32b %w0, %w1;"], "E0211": ["insert.0.32b %u0, 1;"],
    })
    case(file, "extract.dynamic", [f"extract.dynamic.{vec}.32b %w0, {register}, %w2;" for (vec, kind), register in VECTORS.items() if kind == "32b"], {
        "E0205": ["extract.dynamic.v4.32b %w0, %v1, %w2;", "extract.dynamic.v2.32b %w0, %u1, %w2;"],
        "E0203": ["extract.dynamic.v2.32b %h0, %v1, %w2;", "extract.dynamic.v2.32b %w0, %v1, %h2;", "extract.dynamic.v2.32b %w0, %m1, %w2;"],
        "E0302": ["extract.dynamic.v9.32b %w0, %v1, %w2;", "extract.dynamic.v2.16b %h0, %m1, %w2;"],
        "E0304": ["extract.dynamic.32b %w0, %v1, %w2;"], "E0211": ["extract.dynamic.v2.32b %w0, %v1, 1;", "extract.dynamic.v2.32b %w0, 1, %w2;"],
        "E0210": ["extract.dynamic.v2.32b %w0, %w1, %w2;"],
    })
    case(file, "insert.dynamic", [f"insert.dynamic.{vec}.32b {register}, %w1, %w2;" for (vec, kind), register in VECTORS.items() if kind == "32b"], {
        "E0205": ["insert.dynamic.v4.32b %v0, %w1, %w2;", "insert.dynamic.v2.32b %u0, %w1, %w2;"],
        "E0203": ["insert.dynamic.v2.32b %v0, %h1, %w2;", "insert.dynamic.v2.32b %v0, %w1, %h2;", "insert.dynamic.v2.32b %m0, %w1, %w2;"],
        "E0302": ["insert.dynamic.v9.32b %v0, %w1, %w2;", "insert.dynamic.v2.16b %m0, %h1, %w2;"],
        "E0304": ["insert.dynamic.32b %v0, %w1, %w2;"], "E0211": ["insert.dynamic.v2.32b %v0, 1, %w2;", "insert.dynamic.v2.32b %v0, %w1, 1;"],
        "E0210": ["insert.dynamic.v2.32b %w0, %w1, %w2;"],
    })
    case(file, "mov_swizzles", [
        "mov.32b %u0.x, %w1;", "mov.32b %u0.w, %w1;", "mov.64b %u0.xy, %d1;", "mov.64b %u0.zw, %d1;", "mov.128b %u0.xyzw, %q1;", "mov.16b %m0.y, %h1;",
        "mov.8b %c0.w, %b1;", "mov.32b %w0, %u1.z;", "mov.64b %d0, %v1.xy;", "mov.32b %w0, %m1.xy;", "mov.32b %w0, %c1.xyzw;", "mov.128b %q0, %u1.xyzw;",
        "mov.32b %u0.x, %v1.y;", "mov.64b %u0.zw, %v1.xy;", "mov.32b %m0.xy, %c1.xyzw;"], {
        "E0206": ["mov.64b %v0.x, %d1;", "mov.32b %u0.xy, %w1;", "mov.32b %w0, %u1.xy;", "mov.64b %d0, %u1.xyzw;", "mov.64b %u0.xyzw, %v1.xy;",
                  "mov.64b %u0.xy, %v1.x;"],
        "E0203": ["mov.32b %u0.x, %d1;", "mov.64b %d0, %w1;", "mov.32b %d0, %u1.x;"],
        "E0207": ["mov.32b %w0, %v1.z;", "mov.64b %u0.yz, %d1;", "mov.64b %d0, %w1.xy;", "mov.32b %m0.z, %w1;"],
    })


def control_flow(file):
    case(file, "call", ["call void, @f(%w0);", "call void, @f (%w0);", "call %w1, @r();", "call void, %d0(%w0);", "call %w1, %d0();",
                        "call.cond %p0, void, @f(%w0);", "call.cond !%p0, void, @f(%w0);", "call.cond %p0, %w1, @r();", "call.cond !%p0, %w1, %d0();"], {
        "E0512": ["call void, @r();", "call %d1, @r();", "call %w1, @f(%w0);", "call.cond %p0, void, @r();", "call.cond %p0, %h1, @r();"],
        "E0513": ["call void, @f();", "call void, @f(%w0, %w1);", "call.cond %p0, %w1, @r(%w0);"],
        "E0514": ["call void, @f(%d0);", "call.cond %p0, void, @f(%h0);"],
        "E0517": ["call void, @f(%p0);"],
        "E0128": ["call void, @f(1);", "call.cond %p0, void, @f(1);"],
        "E0203": ["call void, %w0();", "call.cond %p0, void, %w0();"],
        "E0210": ["call.cond %w0, void, @f(%w0);"], "E0202": ["call void, @nothing();"], "E0516": ["call void, @g();"],
    })
    case(file, "goto", ["goto L;", "goto.cond %p0, L;", "goto.cond !%p0, L;", "L:"], {
        "E0518": ["goto M;", "goto.cond %p0, M;"], "E0210": ["goto.cond %w0, L;"], "E0229": ["goto.cond %p0;"], "E0211": ["goto.cond 1, L;"],
        "E0302": ["goto.uniform L;"],
    })
    case(file, "return", ["return.cond %p0;", "return.cond !%p0;", "return;"], {
        "E0511": ["return 5;", "return %w0;", "return.cond %p0, 5;"], "E0210": ["return.cond %w0;"], "E0211": ["return.cond 1;"],
    })
    file.add("return_values", HEADER + ".function .32b @value(.reg .32b %a) {\n  .reg .64b %d;\n  .reg .16b %h;\n  .pred %p;", [
        ("return.cond %p, %a;", None), ("return.cond !%p, 7;", None), ("return.cond %p, %d;", "E0510"), ("return.cond %p, %h;", "E0510"),
        ("return.cond %p;", "E0511"), ("return %d;", "E0510"), ("return 0x100000000;", "E0212"), ("return.cond %p, 4294967296;", "E0212"),
        ("return 1.0;", "E0214"), ("return %p;", "E0210"), ("return %a;", None)])


def synchronization(file):
    spaces, orders = (".shared", ".generic", ""), (".acquire", ".release", ".acq_rel", ".seq_cst", "")
    takes = ["barrier.workgroup;", "fence.subgroup;"]
    fences = [f"fence{space}{order}{scope};" for space in spaces for order in orders for scope in (".workgroup", ".gpu")]
    fences += [f"fence.global{order}{scope};" for order in orders for scope in (".workgroup", ".gpu", ".system")]
    case(file, "barrier.workgroup", takes[:1], {"E0301": ["barrier.subgroup;"], "E0302": ["barrier.workgroup.acquire;"], "E0229": ["barrier.workgroup %w0;"]})
    case(file, "fence", takes[1:] + fences, {
        "E0302": ["fence.relaxed.gpu;", "fence.weak.gpu;", "fence.private.gpu;", "fence.const.gpu;", "fence.shared.system;", "fence.generic.system;", "fence.global.subgroup;", "fence.acquire.subgroup;"],
        "E0304": ["fence;", "fence.acquire;", "fence.shared;", "fence.system;"],
        "E0229": ["fence.gpu %w0;"],
    })


def files():
    title = "The syntax templates with addresses, vectors and names: what they take, and what each qualifier, operand and restriction refuses."
    moves = CasesFile("templates_vectors", title, "instructions_data_movement 4.1 4.2 4.3 4.4 4.11 4.12 4.14")
    movement(moves)
    memory = CasesFile("templates_memory", title, "instructions_memory 8")
    loads_and_stores(memory)
    parameters(memory)
    atomics(memory)
    control = CasesFile("templates_control", title, "instructions_control_flow 6; instructions_synchronization 9")
    control_flow(control)
    synchronization(control)
    return [moves, memory, control]
