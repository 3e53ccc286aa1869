"""Chapter 5: comparison and selection."""

from itertools import product

from . import floats
from .arithmetic import few
from .book import File, integer, predicate, signed, vector
from .floating_point import KINDS, chosen, extremes
from .floats import PACKED

ORDERS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
}


def word(value):
    """P-16: all ones or 0, 32 bits for every type."""
    return "-1" if value else "0"


def integers(name, section, is_signed):
    file = File(f"comparison/{name}", f"{name}: spec {section}.", f"instructions_comparison {section}; P-16 I-02")
    for bits in (16, 32, 64):
        file.section(f"{bits} bits: into a predicate, and into a 32-bit register")
        key = (lambda x: signed(x, bits)) if is_signed else (lambda x: x)
        for cop, (a, b) in product(ORDERS, product(few(bits), repeat=2)):
            holds = ORDERS[cop](key(a), key(b))
            sources = [integer(a, bits), integer(b, bits)]
            file.op(f"{name}.{cop}.{bits}b", sources, predicate(holds))
            file.lines.append(f"//! op {name}.{cop}.{bits}b ({', '.join(sources)}) = {word(holds)}")
            file.count += 1
    if not is_signed:
        file.section("Packed: a mask of 16 bits for each half.")
        pairs = list(product(few(16), repeat=2))
        for cop, i in product(ORDERS, range(0, len(pairs), 2)):
            two = (pairs[i], pairs[(i + 1) % len(pairs)])
            sources = [vector([integer(pair[k], 16) for pair in two]) for k in (0, 1)]
            result = vector(["-1" if ORDERS[cop](*pair) else "0" for pair in two])
            file.op(f"{name}.{cop}.16bx2", sources, result)
    file.section("Lanes that do not execute it keep their predicate.")
    file.op(f"{name}.lt.32b", ["iota", "8"], "[1*8, 0*8, 1*16]".replace("1", "true").replace("0", "false").replace("true6", "16"),
            active=0x0000FFFF, old="true")
    return file


def floating():
    file = File("comparison/fcmp", "fcmp: spec 5.3.", "instructions_comparison 5.3; P-15 P-16 P-02")
    for kind, fmt in KINDS:
        file.section(f"{kind}: a NaN makes everything false but .ne; -0 equals +0 (P-15)")
        e = floats.edges(fmt)
        pairs = extremes(fmt) + [(e["qnan"], e["qnan"]), (e["inf"], e["inf"]), (e["least"], e["maxden"])]
        for cop in ORDERS:
            for ftz in (False, True):
                mine = lambda a, b: floats.compare(fmt, cop, a, b, ftz)
                plain = lambda a, b: floats.compare(fmt, cop, a, b)
                use = chosen(pairs, mine, [plain], 2) if ftz else pairs
                name = f"fcmp.{cop}{'.ftz' if ftz else ''}.{kind}"
                if kind in PACKED:
                    for low, high in zip(use, use[1:] + use[:1]):
                        sources = [vector([fmt.text(x), fmt.text(y)]) for x, y in zip(low, high)]
                        file.op(name, sources, vector(["-1" if mine(*low) else "0", "-1" if mine(*high) else "0"]))
                    continue
                for a, b in use:
                    sources = [fmt.text(a), fmt.text(b)]
                    file.op(name, sources, predicate(mine(a, b)))
                    file.lines.append(f"//! op {name} ({', '.join(sources)}) = {word(mine(a, b))}")
                    file.count += 1
    return file


def selection():
    file = File("comparison/sel", "sel: spec 5.4.", "instructions_comparison 5.4; D-30")
    file.section("A register selects src0 where any of its bits is set; -0.0 is not 0 (D-30).")
    for bits in (16, 32, 64):
        for selector in (0, 1, 1 << (bits - 1), (1 << bits) - 1, 0x100):
            file.op(f"sel.{bits}b", ["11", "22", integer(selector, bits)], "11" if selector else "22")
        for negated, value in product(("", "!"), (False, True)):
            chooses_first = value != bool(negated)
            file.op(f"sel.{bits}b", ["11", "22", negated + predicate(value)], "11" if chooses_first else "22")
    file.section("Each lane by its own predicate.")
    lanes = ["true" if i % 3 == 0 else "false" for i in range(32)]
    shown = "[" + ", ".join(lanes) + "]"
    file.op("sel.32b", ["iota", "99", shown], "[" + ", ".join(str(i) if i % 3 == 0 else "99" for i in range(32)) + "]")
    file.op("sel.32b", ["iota", "99", "!" + shown], "[" + ", ".join("99" if i % 3 == 0 else str(i) for i in range(32)) + "]")
    file.op("sel.32b", ["iota", "99", "iota"], "[99, " + ", ".join(str(i) for i in range(1, 32)) + "]")
    return file


def files():
    return [integers("scmp", "5.1", True), integers("ucmp", "5.2", False), floating(), selection()]
