"""Chapter 2: floating point."""

from fractions import Fraction

from . import floats
from .book import File, vector
from .elementary import ELEMENTARY
from .floats import ALL, BF, F, HF, PACKED, ROUNDINGS, power

KINDS = [(fmt.name, fmt) for fmt in ALL] + list(PACKED.items())


def near(fmt, number):
    return fmt.round(Fraction(number), "re")


def emit(file, mnemonic, kind, fmt, tuples, function):
    """One fact a tuple; packed types take two tuples, each one beside its neighbour."""
    if kind not in PACKED:
        for operands in tuples:
            file.op(mnemonic, [fmt.text(x) for x in operands], fmt.text(function(*operands)))
        return
    for low, high in zip(tuples, tuples[1:] + tuples[:1]):
        sources = [vector([fmt.text(a), fmt.text(b)]) for a, b in zip(low, high)]
        file.op(mnemonic, sources, vector([fmt.text(function(*low)), fmt.text(function(*high))]))


def chosen(tuples, function, others, spare=2, most=8):
    """The tuples whose result differs from that of another variant, and a few more."""
    differ = [t for t in tuples if any(function(*t) != other(*t) for other in others)]
    rest = [t for t in tuples if t not in differ]
    return differ[:most] + rest[:spare]


def with_modes(file, name, function, tuples, kinds, dsat=True, ftz=True, prefix=""):
    """Every combination of `<.rndmode><.ftz><.dsat>`; each with the tuples that tell it from the others."""
    for kind, fmt in kinds:
        file.section(f"{kind}")
        all_tuples = tuples(fmt)

        def variant(mode, flush, clamp):
            keywords = {"ftz": flush} | ({"dsat": clamp} if dsat else {})
            return lambda *operands: function(fmt, *operands, mode or "re", **keywords)

        for mode in [None, *ROUNDINGS]:
            for flush in (False, True) if ftz else (False,):
                for clamp in (False, True) if dsat else (False,):
                    mine = variant(mode, flush, clamp)
                    if mode is None and not flush and not clamp:
                        use = all_tuples
                    elif not flush and not clamp:
                        others = [variant(m, False, False) for m in ROUNDINGS]
                        use = chosen(all_tuples, mine, others, most=10)
                    else:
                        use = chosen(all_tuples, mine, [variant(mode, False, False)], 1, 8 if mode is None else 4)
                    middle = (f".{mode}" if mode else "") + (".ftz" if flush else "") + (".dsat" if clamp else "")
                    emit(file, f"{name}{prefix}{middle}.{kind}", kind, fmt, use, mine)


def additions(fmt):
    e = floats.edges(fmt)
    tie = near(fmt, power(-fmt.fraction_bits - 1))
    above = near(fmt, power(-fmt.fraction_bits - 1) + power(-fmt.fraction_bits - 3))
    below = near(fmt, power(-fmt.fraction_bits - 2))
    s = fmt.sign
    names = [
        ("one", "two"), ("zero", "nzero"), ("nzero", "zero"), ("nzero", "nzero"), ("zero", "zero"), ("one", "none"),
        ("none", "one"), ("max", "max"), ("nmax", "nmax"), ("max", "nmax"), ("inf", "ninf"), ("ninf", "inf"),
        ("inf", "one"), ("max", "ninf"), ("inf", "inf"), ("qnan", "one"), ("one", "nqnan"), ("snan", "qnan"),
        ("qnan", "snan"), ("one", "nsnan"), ("inf", "qnan"), ("least", "nleast"), ("maxden", "least"),
        ("least", "least"), ("normal", "nleast"), ("nnormal", "least"), ("nleast", "nzero"), ("max", "least"),
        ("nmax", "nleast"), ("half", "half"), ("one", "belowone"), ("nleast", "zero"), ("half", "least"),
    ]
    pairs = [(e[a], e[b]) for a, b in names]
    pairs += [(fmt.one, tie), (s | fmt.one, s | tie), (fmt.one + 1, tie), (s | (fmt.one + 1), s | tie), (fmt.one, above),
              (s | fmt.one, s | above), (fmt.one, below), (fmt.one, s | below), (fmt.one, s | tie)]
    # Half of the last place of the largest number: the tie at which rounding to nearest overflows.
    half_of_last = near(fmt, power(fmt.greatest_exponent - fmt.fraction_bits - 1))
    pairs += [(fmt.max, half_of_last), (fmt.max, half_of_last - 1), (s | fmt.max, s | half_of_last)]
    return pairs


def subtractions(fmt):
    return [(a, b if fmt.is_nan(b) else b ^ fmt.sign) for a, b in additions(fmt)]


def multiplications(fmt):
    e = floats.edges(fmt)
    s = fmt.sign
    names = [
        ("one", "two"), ("zero", "one"), ("nzero", "one"), ("nzero", "none"), ("zero", "inf"), ("ninf", "zero"),
        ("inf", "none"), ("inf", "ninf"), ("max", "two"), ("nmax", "two"), ("max", "max"), ("least", "half"),
        ("nleast", "half"), ("least", "least"), ("least", "nleast"), ("normal", "half"), ("normal", "belowone"),
        ("maxden", "two"), ("qnan", "zero"), ("snan", "nqnan"), ("inf", "nsnan"), ("one", "snan"), ("onebit", "onebit"),
        ("none", "onebit"), ("belowone", "belowone"), ("belowone", "onebit"), ("max", "onebit"), ("half", "one"),
        ("max", "least"),
    ]
    pairs = [(e[a], e[b]) for a, b in names]
    three_halves = near(fmt, Fraction(3, 2))
    # 1.5 times an odd last place: a tie.
    pairs += [(three_halves, fmt.one + 1), (three_halves, fmt.one + 3), (s | three_halves, fmt.one + 1),
              (three_halves, 1), (three_halves, s | 1), (near(fmt, 3), s | near(fmt, Fraction(1, 4)))]
    return pairs


def full_multiplications(fmt):
    return multiplications(fmt)


def full(fmt, a, b, mode, ftz=False, dsat=False):
    """2.10 `.full`: sources extended, the product in .f (P-07, P-08)."""
    a, b = floats.sources(fmt, (a, b), ftz)
    return floats.mul(F, extend(fmt, a, F), extend(fmt, b, F), mode, ftz, dsat)


def extend(fmt, x, to):
    """4.6: exact; a NaN is quieted, its payload left-aligned (D-05, D-06)."""
    sign = to.sign if fmt.is_negative(x) else 0
    if fmt.is_nan(x):
        fraction = x & ((1 << fmt.fraction_bits) - 1)
        return sign | to.infinity | to.quiet | fraction << (to.fraction_bits - fmt.fraction_bits)
    if fmt.is_inf(x):
        return sign | to.infinity
    return to.round(fmt.value(x), "re", fmt.is_negative(x))


def fusions(fmt):
    e = floats.edges(fmt)
    s = fmt.sign
    names = [
        ("one", "two", "one"), ("one", "one", "none"), ("none", "one", "one"), ("zero", "one", "nzero"),
        ("nzero", "one", "zero"), ("nzero", "one", "nzero"), ("zero", "none", "nzero"), ("inf", "zero", "qnan"),
        ("inf", "zero", "one"), ("inf", "one", "ninf"), ("inf", "one", "inf"), ("one", "one", "ninf"),
        ("snan", "qnan", "one"), ("one", "nsnan", "qnan"), ("one", "one", "snan"), ("max", "two", "nmax"),
        ("max", "max", "ninf"), ("max", "one", "max"), ("nmax", "two", "zero"), ("least", "half", "zero"),
        ("least", "half", "least"), ("nleast", "half", "nleast"), ("least", "least", "one"), ("nleast", "least", "one"),
        ("least", "nleast", "none"), ("onebit", "onebit", "none"), ("belowone", "onebit", "none"),
        ("normal", "half", "nleast"), ("maxden", "one", "least"), ("half", "half", "zero"), ("zero", "max", "least"),
    ]
    out = [tuple(e[n] for n in three) for three in names]
    # One rounding, not two: the product's low part decides (P-09).
    ulp = power(-fmt.fraction_bits)
    x = near(fmt, 1 + ulp)
    y = near(fmt, 1 - ulp / 2)
    out += [(x, y, s | fmt.one), (x, x, s | near(fmt, 1 + 2 * ulp)), (x, y, near(fmt, power(-fmt.fraction_bits - 1)))]
    return out


def divisions(fmt):
    e = floats.edges(fmt)
    names = [
        ("one", "two"), ("zero", "zero"), ("one", "zero"), ("one", "nzero"), ("none", "zero"), ("inf", "inf"),
        ("inf", "zero"), ("zero", "inf"), ("none", "inf"), ("nzero", "one"), ("qnan", "snan"), ("snan", "one"),
        ("one", "nqnan"), ("max", "half"), ("nmax", "half"), ("max", "least"), ("least", "two"), ("nleast", "two"),
        ("least", "max"), ("normal", "two"), ("least", "least"), ("maxden", "normal"), ("one", "max"),
        ("one", "onebit"), ("belowone", "onebit"), ("none", "belowone"), ("inf", "least"),
    ]
    pairs = [(e[a], e[b]) for a, b in names]
    three, ten = near(fmt, 3), near(fmt, 10)
    return pairs + [(fmt.one, three), (fmt.sign | fmt.one, three), (near(fmt, 2), three), (fmt.one, ten), (three, ten),
                    (near(fmt, 7), near(fmt, 9)), (3, near(fmt, 2))]


def roots(fmt):
    e = floats.edges(fmt)
    out = [(x,) for x in e.values()]
    out += [(near(fmt, n),) for n in (2, 3, 4, 9, 10, Fraction(1, 4), 100, 15129)]
    return out + [(fmt.one + 2,), (fmt.one + 3,), (3,), (fmt.least_normal + 1,), (fmt.max - 1,)]


def extremes(fmt):
    e = floats.edges(fmt)
    names = [
        ("zero", "nzero"), ("nzero", "zero"), ("one", "two"), ("two", "one"), ("none", "one"), ("inf", "max"),
        ("ninf", "nmax"), ("qnan", "one"), ("one", "nqnan"), ("snan", "one"), ("none", "nsnan"), ("qnan", "snan"),
        ("nsnan", "nqnan"), ("least", "nleast"), ("nleast", "nzero"), ("least", "zero"), ("maxden", "normal"),
        ("qnan", "inf"), ("snan", "least"), ("half", "belowone"), ("none", "none"), ("inf", "ninf"),
    ]
    return [(e[a], e[b]) for a, b in names]


def flagged(name, section, covers, function, tuples, flags, kinds, fast=False):
    """Operations without rounding mode: every combination of their flags."""
    file = File(f"floating_point/{name}", f"{name}: spec {section}.", f"instructions_floating_point {section}; {covers}")
    for kind, fmt in kinds:
        file.section(kind)
        for number in range(1 << len(flags)):
            on = {flag: bool(number >> i & 1) for i, flag in enumerate(flags)}
            mine = lambda *operands: function(fmt, *operands, **on)
            plain = lambda *operands: function(fmt, *operands)
            use = tuples(fmt) if number == 0 else chosen(tuples(fmt), mine, [plain], 2, 10)
            middle = "".join(f".{flag}" for flag in flags if on[flag]) + (".fast" if fast else "")
            emit(file, f"{name}{middle}.{kind}", kind, fmt, use, mine)
    return file


def absolute(fmt, x, ftz=False):
    """P-13: a NaN is quieted, the sign cleared."""
    (x,) = floats.sources(fmt, (x,), ftz)
    return (fmt.quieted(x) if fmt.is_nan(x) else x) & ~fmt.sign


def negate(fmt, x, ftz=False):
    """P-14: the sign is turned, also that of a NaN, which is quieted."""
    (x,) = floats.sources(fmt, (x,), ftz)
    return (fmt.quieted(x) if fmt.is_nan(x) else x) ^ fmt.sign


def fraction(fmt, x, ftz=False):
    """2.12, P-24: the exact difference to the next lower integer, to nearest even."""
    (x,) = floats.sources(fmt, (x,), ftz)
    if fmt.is_nan(x):
        return fmt.quieted(x)
    if fmt.is_inf(x):
        return fmt.canonical
    number = fmt.value(x)
    result = fmt.round(number - floats.round_integer(number, "rd"), "re")
    return fmt.flush(result) if ftz else result


def singles(fmt):
    return [(x,) for x in floats.edges(fmt).values()]


def fractions(fmt):
    numbers = [Fraction(5, 2), Fraction(-5, 2), Fraction(-1, 4), 7, -7, Fraction(999, 1000), power(23) + Fraction(1, 2), -power(24)]
    return singles(fmt) + [(near(fmt, n),) for n in numbers] + [(near(fmt, -power(-30)),), (near(fmt, -power(-24)),)]


def modes_file(name, section, covers, function, tuples, kinds, **keywords):
    file = File(f"floating_point/{name}", f"{name}: spec {section}.", f"instructions_floating_point {section}; {covers}")
    with_modes(file, name, function, tuples, kinds, **keywords)
    return file


def files():
    wide = [(fmt.name, fmt) for fmt in (F, floats.DF)]
    scalar = KINDS[:4]
    common = "P-26 P-01 P-02 P-03 P-04 P-05"
    division = modes_file("fdiv", "2.4", f"{common} P-17 P-22", floats.div, divisions, wide, dsat=False)
    fast_division(division, scalar)
    root = modes_file("fsqrt", "2.16", f"{common} P-18 P-21 P-22", floats.sqrt, roots, wide, dsat=False)
    fast_root(root)
    product = modes_file("fmul", "2.10", f"{common} P-06 P-07 P-08 P-29", floats.mul, multiplications, KINDS)
    product.section("`.full`: the product of the extended sources, 32 bits wide.")
    with_full(product)
    return [
        flagged("fabs", "2.1", "P-13 P-02", absolute, singles, ["ftz"], KINDS),
        modes_file("fadd", "2.2", f"{common} P-06 P-28 P-29", floats.add, additions, KINDS),
        division,
        modes_file("fmad", "2.7", f"{common} P-06 P-09 P-10 P-28 P-29", floats.fma, fusions, KINDS),
        flagged("fmax", "2.8", "P-11 P-12 P-06 P-04", lambda f, a, b, **k: floats.extreme(f, a, b, True, **k), extremes,
                ["ftz", "dsat", "nanp"], KINDS),
        flagged("fmin", "2.9", "P-11 P-12 P-06 P-04", lambda f, a, b, **k: floats.extreme(f, a, b, False, **k), extremes,
                ["ftz", "dsat", "nanp"], KINDS),
        product,
        flagged("fneg", "2.11", "P-14 P-02", negate, singles, ["ftz"], KINDS),
        flagged("frc", "2.12", "P-24", fraction, fractions, ["ftz"], [("f", F)]),
        root,
        modes_file("fsub", "2.17", f"{common} P-06 P-28 P-29", floats.sub, subtractions, KINDS),
        *[elementary(*row) for row in ELEMENTARY],
    ]


def fast_division(file, kinds):
    for kind, fmt in kinds:
        file.section(f"`.fast` {kind}: rounded correctly to nearest even, within every bound (P-17).")
        for ftz in (False, True):
            mine = lambda a, b: floats.div(fmt, a, b, "re", ftz)
            plain = lambda a, b: floats.div(fmt, a, b)
            use = divisions(fmt) if not ftz else chosen(divisions(fmt), mine, [plain])
            emit(file, f"fdiv{'.ftz' if ftz else ''}.fast.{kind}", kind, fmt, use, mine)


def fast_root(file):
    for kind, fmt in KINDS:
        file.section(f"`.fast` {kind} (P-18).")
        for ftz in (False, True):
            mine = lambda a: floats.sqrt(fmt, a, "re", ftz)
            plain = lambda a: floats.sqrt(fmt, a)
            use = roots(fmt) if not ftz else chosen(roots(fmt), mine, [plain])
            emit(file, f"fsqrt{'.ftz' if ftz else ''}.fast.{kind}", kind, fmt, use, mine)


def with_full(file):
    for fmt in (BF, HF):
        for mode in [None, *ROUNDINGS]:
            for ftz in (False, True):
                for dsat in (False, True):
                    mine = lambda a, b: full(fmt, a, b, mode or "re", ftz, dsat)
                    others = [lambda a, b, m=m: full(fmt, a, b, m) for m in ["re", "rd", "ru", "rz", "rna"]]
                    tuples = full_multiplications(fmt)
                    use = tuples if not (mode or ftz or dsat) else chosen(tuples, mine, others, 1, 5)
                    middle = (f".{mode}" if mode else "") + (".ftz" if ftz else "") + (".dsat" if dsat else "")
                    for a, b in use:
                        file.op(f"fmul.full{middle}.{fmt.name}", [fmt.text(a), fmt.text(b)], F.text(mine(a, b)))


def elementary(name, section, covers, function, inputs, formats, fast):
    kinds = [(kind, fmt) for kind, fmt in KINDS if fmt in formats]
    return flagged(name, section, covers, function, inputs, ["ftz"], kinds, fast)
