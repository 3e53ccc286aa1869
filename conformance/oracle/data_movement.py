"""Chapter 4: data movement and conversion."""

from fractions import Fraction
from itertools import product

from . import floats
from .arithmetic import edges as integer_edges
from .book import File, integer, mask, signed, vector
from .floating_point import chosen, emit, extend, near
from .floats import ALL, BF, DF, F, HF, PACKED, ROUNDINGS, power

INTEGERS = [(f"{letter}{bits}", bits, letter == "s") for bits in (8, 16, 32, 64) for letter in "us"]


def file_of(name, section, covers):
    title = f"{name}: spec {section}."
    return File(f"data_movement/{name.replace('.', '_')}", title, f"instructions_data_movement {section}; {covers}")


def limits(bits, is_signed):
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, mask(bits))


def to_integer(fmt, x, bits, is_signed, mode):
    """4.5, D-02: rounded without bounds, then clamped; a NaN gives 0."""
    least, most = limits(bits, is_signed)
    if fmt.is_nan(x):
        return 0
    if fmt.is_inf(x):
        return least if fmt.is_negative(x) else most
    return max(least, min(most, floats.round_integer(fmt.value(x), mode)))


def conversion_inputs(fmt, bits, is_signed):
    least, most = limits(bits, is_signed)
    out = [x for name, x in floats.edges(fmt).items() if name not in ("two", "nnormal", "normal")]
    halves = [Fraction(n, 10) for n in (5, 15, 25, -5, -15, -25, 9, -9, 35, -35)]
    around = [most, most + 1, most + Fraction(1, 2), most - Fraction(1, 2), least, least - 1,
              least - Fraction(1, 2), least - Fraction(3, 5), most + Fraction(2, 5), most * 2, 100, 200, -100]
    for number in halves + around:
        # Both neighbours of what the format cannot hold.
        for mode in ("rd", "ru"):
            out.append(fmt.round(Fraction(number), mode, overflow="inf"))
    return list(dict.fromkeys(out))


def float_to_integer():
    file = file_of("f2i", "4.5", "D-01 D-02 D-03 D-04")
    for fmt in ALL:
        for name, bits, is_signed in INTEGERS:
            file.section(f"{fmt.name} to {name}; without a mode .re (D-01)")
            inputs = [(x,) for x in conversion_inputs(fmt, bits, is_signed)]
            for mode in [None, *ROUNDINGS]:
                mine = lambda x: to_integer(fmt, x, bits, is_signed, mode or "re")
                others = [lambda x, m=m: to_integer(fmt, x, bits, is_signed, m) for m in ROUNDINGS]
                use = inputs if mode == "rz" else chosen(inputs, mine, others, 1, 6 if mode is None else 12)
                for (x,) in use:
                    result = integer(mine(x), bits)
                    file.op(f"f2i.{name}.{fmt.name}{'.' + mode if mode else ''}", [fmt.text(x)], result)
    return file


def packed_to_integer():
    file = file_of("pf2i", "4.15", "D-21 T-06")
    for (kind, fmt), (name, is_signed) in product(PACKED.items(), (("u16x2", False), ("s16x2", True))):
        file.section(f"{kind} to {name}")
        inputs = [(x,) for x in conversion_inputs(fmt, 16, is_signed)]
        for mode in [None, *ROUNDINGS]:
            mine = lambda x: to_integer(fmt, x, 16, is_signed, mode or "re")
            others = [lambda x, m=m: to_integer(fmt, x, 16, is_signed, m) for m in ROUNDINGS]
            use = inputs if mode == "rz" else chosen(inputs, mine, others, 2, 10)
            for (low,), (high,) in zip(use, use[1:] + use[:1]):
                sources = [vector([fmt.text(low), fmt.text(high)])]
                result = vector([integer(mine(low), 16), integer(mine(high), 16)])
                file.op(f"pf2i.{name}.{kind}{'.' + mode if mode else ''}", sources, result)
    return file


def integer_to_float():
    file = file_of("i2f", "4.10", "D-08 D-09 D-20 I-02")
    for fmt in ALL:
        for name, bits, is_signed in INTEGERS:
            file.section(f"{name} to {fmt.name}")
            precision = fmt.fraction_bits + 1
            values = list(integer_edges(bits))
            # Ties and their neighbours, at the least integers that are not exact.
            for base in (1 << precision, (1 << precision) * 2, (1 << (bits - 1)) - (1 << max(bits - 1 - precision, 0))):
                values += [base + n for n in (1, 2, 3, -1) if 0 <= base + n < 1 << (bits - 1)]
                values += [-(base + n) for n in (1, 3) if is_signed and base + n < 1 << (bits - 1)]
            # hf: the largest finite number, the tie above it (D-08).
            values += [n for n in (65503, 65504, 65519, 65520, 65535) if n <= mask(bits) // (2 if is_signed else 1)]
            values += [-n for n in (65519, 65520) if is_signed and bits > 16]
            inputs = [(v & mask(bits),) for v in dict.fromkeys(values)]
            for mode in [None, *ROUNDINGS]:
                for dsat in (False, True):
                    mine = lambda v: from_integer(fmt, v, bits, is_signed, mode or "re", dsat)
                    others = [lambda v, m=m: from_integer(fmt, v, bits, is_signed, m, False) for m in ROUNDINGS]
                    use = inputs if not mode and not dsat else chosen(inputs, mine, others, 1, 6)
                    for (v,) in use:
                        middle = (f".{mode}" if mode else "") + (".dsat" if dsat else "")
                        file.op(f"i2f.{fmt.name}.{name}{middle}", [integer(v, bits)], fmt.text(mine(v)))
    return file


def from_integer(fmt, value, bits, is_signed, mode, dsat):
    """4.10: D-08, above the maximum after rounding is infinity in every mode; D-09, `.dsat` gives the maximum."""
    number = signed(value, bits) if is_signed else value
    x = fmt.round(Fraction(number), mode, overflow="inf")
    return x & fmt.sign | fmt.max if dsat and fmt.is_inf(x) else x


def extension():
    file = file_of("fext", "4.6", "D-05 D-06")
    for source, to in product((BF, HF, F), (F, DF)):
        if source.bits >= to.bits:
            continue
        file.section(f"{source.name} to {to.name}: exact, denormals too (D-05)")
        values = list(floats.edges(source).values()) + [source.infinity | 0x2A, source.sign | source.canonical | 0x15, 3]
        for x in dict.fromkeys(values):
            file.op(f"fext.{to.name}.{source.name}", [source.text(x)], to.text(extend(source, x, to)))
    return file


def truncate(source, to, x, mode="re", ftz=False, dsat=False):
    """4.8. D-06: NaN payloads keep their top bits. D-07: a denormal source is a signed zero. D-08, D-09: overflow."""
    sign = to.sign if source.is_negative(x) else 0
    if source.is_nan(x):
        fraction = (x & ((1 << source.fraction_bits) - 1)) >> (source.fraction_bits - to.fraction_bits)
        return sign | to.infinity | to.quiet | fraction
    if source.is_denormal(x) or source.is_zero(x):
        return sign
    if source.is_inf(x):
        return sign | (to.max if dsat else to.infinity)
    result = to.round(source.value(x), mode, overflow="inf")
    if to.is_inf(result) and dsat:
        result = sign | to.max
    return to.flush(result) if ftz else result


def truncation_inputs(source, to):
    out = list(floats.edges(source).values())
    ulp = power(-to.fraction_bits)
    last = power(to.greatest_exponent - to.fraction_bits)
    most = to.largest_value
    least = power(to.least_exponent - to.fraction_bits)
    numbers = [1 + ulp / 2, 1 + ulp * 3 / 2, 1 + ulp / 4, 1 + ulp * 5 / 8, most, most + last / 2, most + last / 4,
               most + last, most * 2, least, least / 2, least / 4, least * 3 / 2, least * 5 / 8,
               power(to.least_exponent) - least / 2, power(to.least_exponent), 1, 3, Fraction(1, 3), 70000, 65519, 65520]
    for number in numbers:
        for value in (number, -number):
            out.append(source.round(Fraction(value), "rz"))
    out += [source.infinity | 1 << (source.fraction_bits - 3), source.sign | source.infinity | 0x2A]
    return [(x,) for x in dict.fromkeys(out)]


def truncation():
    file = file_of("ftrunc", "4.8", "D-06 D-07 D-08 D-09 P-02")
    for source, to in product((F, DF), (BF, HF, F)):
        if to.bits >= source.bits:
            continue
        file.section(f"{source.name} to {to.name}")
        inputs = truncation_inputs(source, to)
        for mode in [None, *ROUNDINGS]:
            for ftz in (False, True):
                for dsat in (False, True):
                    mine = lambda x: truncate(source, to, x, mode or "re", ftz, dsat)
                    others = [lambda x, m=m: truncate(source, to, x, m) for m in ROUNDINGS]
                    plain = not mode and not ftz and not dsat
                    use = inputs if plain else chosen(inputs, mine, others, 2, 14 if not ftz and not dsat else 8)
                    middle = (f".{mode}" if mode else "") + (".ftz" if ftz else "") + (".dsat" if dsat else "")
                    for (x,) in use:
                        file.op(f"ftrunc.{to.name}.{source.name}{middle}", [source.text(x)], to.text(mine(x)))
    return file


def packed_truncation():
    file = file_of("ftrunc2", "4.9", "D-22 D-07 D-08 D-09")
    for kind, to in PACKED.items():
        file.section(f"{kind}: src0 is the low half (D-22)")
        inputs = truncation_inputs(F, to)
        for mode in [None, *ROUNDINGS]:
            for ftz in (False, True):
                for dsat in (False, True):
                    mine = lambda x: truncate(F, to, x, mode or "re", ftz, dsat)
                    others = [lambda x, m=m: truncate(F, to, x, m) for m in ROUNDINGS]
                    plain = not mode and not ftz and not dsat
                    use = inputs if plain else chosen(inputs, mine, others, 2, 6)
                    middle = (f".{mode}" if mode else "") + (".ftz" if ftz else "") + (".dsat" if dsat else "")
                    for (low,), (high,) in zip(use, use[1:] + use[:1]):
                        # The sources are untyped 32-bit registers.
                        sources = [f"0x{low:08x}", f"0x{high:08x}"]
                        file.op(f"ftrunc2.{kind}{middle}", sources, vector([to.text(mine(low)), to.text(mine(high))]))
    return file


def integral(fmt, x, mode, ftz=False):
    """4.7, P-25: the sign stays, also that of a zero."""
    (x,) = floats.sources(fmt, (x,), ftz)
    if fmt.is_nan(x):
        return fmt.quieted(x)
    if fmt.is_inf(x) or fmt.is_zero(x):
        return x
    return fmt.round(Fraction(floats.round_integer(fmt.value(x), mode)), "re", fmt.is_negative(x))


def rounding():
    file = file_of("frnd", "4.7", "P-25 P-02")
    numbers = [Fraction(n, 4) for n in (1, 2, 3, 5, 6, 7, 10, 14, 18)]
    for fmt in ALL:
        file.section(fmt.name)
        values = list(floats.edges(fmt).values())
        values += [fmt.round(n * s, "re") for n in numbers for s in (1, -1)]
        values += [fmt.round(power(fmt.fraction_bits - 1) + Fraction(1, 2), "rz"), fmt.round(power(fmt.fraction_bits) - Fraction(1, 2), "rz"),
                   fmt.round(power(fmt.fraction_bits) + 1, "rz")]
        inputs = [(x,) for x in dict.fromkeys(values)]
        for mode in ROUNDINGS:
            emit(file, f"frnd.{mode}.{fmt.name}", fmt.name, fmt, inputs, lambda x: integral(fmt, x, mode))
            mine = lambda x: integral(fmt, x, mode, True)
            use = chosen(inputs, mine, [lambda x: integral(fmt, x, mode)], 3)
            emit(file, f"frnd.{mode}.ftz.{fmt.name}", fmt.name, fmt, use, mine)
    return file


def widths(name, section, pairs, function):
    file = file_of(name, section, "D-23")
    for to, source in pairs:
        for value in integer_edges(source) + [0x80 & mask(source), 0x7F, 0xFF, 0x8000 & mask(source)]:
            result = integer(function(value, source), to)
            file.op(f"{name}.{to}b.{source}b", [integer(value, source)], result)
    return file


def moves():
    file = file_of("mov", "4.14", "D-11")
    for bits in (8, 16, 32, 64, 128):
        values = [0, 1, mask(bits), 1 << (bits - 1), 0x0123456789ABCDEFFEDCBA9876543210 & mask(bits)]
        for value in values:
            file.op(f"mov.{bits}b", [integer(value, bits)], integer(value, bits))
    file.op("mov.32b", ["iota"], "[" + ", ".join(["9*4"] + [str(i) for i in range(4, 32)]) + "]", active=0xFFFFFFF0, old="9")
    return file


COUNTS = [2, 3, 4, 5, 6, 7, 8, 16, 32, 64]


def numbered(count, base):
    return [base + i for i in range(count)]


def texts(values):
    return vector([str(v) for v in values])


def extraction():
    file = file_of("extract", "4.4", "D-16")
    for count in COUNTS:
        for index in sorted({0, 1, count // 2, count - 1}):
            file.op(f"extract.{index}.32b", [texts(numbered(count, 10))], str(10 + index))
    file.section("Sub-vectors; the index is a multiple of their length (D-16).")
    for count, part in product(COUNTS, COUNTS):
        if part > count:
            continue
        last = (count - part) // part * part
        for index in sorted({0, part if part + part <= count else 0, last}):
            result = texts(numbered(part, 10 + index))
            file.op(f"extract.{index}.v{part}.32b", [texts(numbered(count, 10))], result)
    return file


def insertion():
    file = file_of("insert", "4.12", "D-16 D-17 D-18")
    for count in COUNTS:
        for index in sorted({0, 1, count // 2, count - 1}):
            old = numbered(count, 10)
            new = list(old)
            new[index] = 7
            file.op(f"insert.{index}.32b", ["7"], texts(new), old=texts(old))
    file.section("Sub-vectors.")
    for count, part in product(COUNTS, COUNTS):
        if part > count:
            continue
        last = (count - part) // part * part
        for index in sorted({0, last}):
            old = numbered(count, 10)
            new = list(old)
            new[index:index + part] = numbered(part, 100)
            file.op(f"insert.{index}.v{part}.32b", [texts(numbered(part, 100))], texts(new), old=texts(old))
    return file


def dynamic():
    extract = file_of("extract.dynamic", "4.3", "D-19")
    insert = file_of("insert.dynamic", "4.11", "D-18 D-19")
    for count in COUNTS:
        old = numbered(count, 10)
        for index in sorted({0, 1, count // 2, count - 1}):
            extract.op(f"extract.dynamic.v{count}.32b", [texts(old), str(index)], str(10 + index))
            new = list(old)
            new[index] = 7
            insert.op(f"insert.dynamic.v{count}.32b", ["7", str(index)], texts(new), old=texts(old))
        # D-19: out of bounds reads a fixed pattern and writes nothing.
        for index in (count, 0x80000000, 0xFFFFFFFF):
            extract.op(f"extract.dynamic.v{count}.32b", [texts(old), integer(index, 32)], "0xcdcdcdcd")
            insert.op(f"insert.dynamic.v{count}.32b", ["7", integer(index, 32)], texts(old), old=texts(old))
        # An index for each lane.
        by_lane = [str(10 + lane) if lane < count else "0xcdcdcdcd" for lane in range(32)]
        extract.op(f"extract.dynamic.v{count}.32b", [texts(old), "iota"], "[" + ", ".join(by_lane) + "]")
    return [extract, insert]


def casts():
    addrcast = file_of("addrcast", "4.1", "D-24 D-25 D-26 D-27")
    isaddr = file_of("isaddr", "4.13", "D-24 D-27 D-28")
    tags = {"shared": 1 << 48, "private": 2 << 48}
    for space, tag in tags.items():
        addrcast.section(f"{space}: a tag above the 32-bit address (D-24); null is not mapped (D-25)")
        for address in (0, 4, 0x1000, 0x7FFFFFFF, 0xFFFFFFFF):
            addrcast.op(f"addrcast.generic.{space}", [integer(address, 32)], integer(tag | address, 64))
            addrcast.op(f"addrcast.{space}.generic", [integer(tag | address, 64)], integer(address, 32))
        addrcast.op(f"addrcast.{space}.generic", ["0"], "0")
    addrcast.section("global and const: the address itself; what is of another space keeps its bits (D-26)")
    for address in (0, 8, 0x10000000, 0xFFFFFFFFFFFF, 1 << 48 | 5):
        for space in ("global", "const"):
            addrcast.op(f"addrcast.generic.{space}", [integer(address, 64)], integer(address, 64))
        addrcast.op("addrcast.global.generic", [integer(address, 64)], integer(address, 64))
    for address in (0, 8, 0x10000000, 0xFFFFFFFFFFFF, 1 << 48, 1 << 48 | 0xFFFFFFFF, 2 << 48, 2 << 48 | 12):
        space = {1: "shared", 2: "private"}.get(address >> 48, "global")
        for asked in ("private", "shared", "global"):
            isaddr.op(f"isaddr.{asked}", [integer(address, 64)], "-1" if asked == space else "0")
    return [addrcast, isaddr]


def files():
    wider = [(to, source) for to in (16, 32, 64) for source in (8, 16, 32) if to > source]
    return [
        *casts(),
        extraction(),
        *dynamic(),
        float_to_integer(),
        extension(),
        rounding(),
        truncation(),
        packed_truncation(),
        integer_to_float(),
        insertion(),
        moves(),
        packed_to_integer(),
        widths("sext", "4.16", wider, signed),
        widths("trunc", "4.17", [(source, to) for to, source in wider], lambda v, _: v),
        widths("zext", "4.18", wider, lambda v, _: v),
    ]
