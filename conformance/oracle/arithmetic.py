"""Chapter 1: integer arithmetic."""

from itertools import product

from .book import File, integer, mask, signed, vector

WIDTHS = (16, 32, 64)


def edges(bits):
    least = 1 << (bits - 1)
    return [0, 1, mask(bits), least, least - 1, least + 1, 2, 0x5555555555555555 & mask(bits), 100]


def few(bits):
    least = 1 << (bits - 1)
    return [0, 1, mask(bits), least, least - 1]


def binary(file, mnemonic, bits, function, values=None):
    for a, b in product(values or edges(bits), repeat=2):
        file.op(mnemonic, [integer(a, bits), integer(b, bits)], integer(function(a, b), bits))


def packed(file, mnemonic, count, bits, function, values=None):
    """Every pair of edges, spread over the elements so that neighbours differ."""
    pairs = list(product(values or few(bits) + [2, 100], repeat=2))
    for i in range(0, len(pairs), count):
        group = [pairs[(i + k) % len(pairs)] for k in range(count)]
        a, b = [vector([integer(pair[k], bits) for pair in group]) for k in (0, 1)]
        file.op(mnemonic, [a, b], vector([integer(function(*pair), bits) for pair in group]))


def clamp(value, bits):
    return max(-(1 << (bits - 1)), min((1 << (bits - 1)) - 1, value))


def saturating(function):
    """A-03: exact first, then clamped to the signed range."""
    return lambda bits: lambda a, b: clamp(function(signed(a, bits), signed(b, bits)), bits)


def sums(name, section, function, packed_types):
    file = File(f"arithmetic/{name}", f"{name}: spec {section}.", f"instructions_arithmetic {section}; A-01 A-03 T-07")
    file.section("Wraps modulo 2^N (A-01).")
    for bits in WIDTHS:
        binary(file, f"{name}.{bits}b", bits, function)
    file.section("`.dsat` clamps the exact result to the signed range (A-03).")
    for bits in WIDTHS:
        binary(file, f"{name}.dsat.{bits}b", bits, saturating(function)(bits))
    file.section("Packed: each element on its own.")
    for kind, count, bits in packed_types:
        packed(file, f"{name}.{kind}", count, bits, function)
        packed(file, f"{name}.dsat.{kind}", count, bits, saturating(function)(bits))
    return file


def unary(name, section, covers, function):
    file = File(f"arithmetic/{name}", f"{name}: spec {section}.", f"instructions_arithmetic {section}; {covers}")
    file.section("The least integer stays what it is (A-02).")
    for bits in WIDTHS:
        for a in edges(bits):
            file.op(f"{name}.{bits}b", [integer(a, bits)], integer(function(signed(a, bits)), bits))
    return file


def order(name, section, is_signed, greatest, packed_types):
    covers = f"instructions_arithmetic {section}; I-02 A-16"
    file = File(f"arithmetic/{name}", f"{name}: spec {section}.", covers)

    def function(bits):
        key = (lambda x: signed(x, bits)) if is_signed else (lambda x: x & mask(bits))
        return lambda a, b: (max if greatest else min)(a, b, key=key)

    file.section("Operands are " + ("signed." if is_signed else "unsigned."))
    for bits in WIDTHS:
        binary(file, f"{name}.{bits}b", bits, function(bits))
    file.section("Packed.")
    for kind, count, bits in packed_types:
        packed(file, f"{name}.{kind}", count, bits, function(bits))
    return file


def divide(a, b, bits, is_signed):
    """A-05: toward zero, the remainder has the dividend's sign. A-06, A-07: what is undefined has a fixed result."""
    if is_signed:
        a, b = signed(a, bits), signed(b, bits)
    if b == 0:
        return mask(bits), a
    quotient = abs(a) // abs(b)
    if (a < 0) != (b < 0):
        quotient = -quotient
    return quotient, a - quotient * b


def division(name, section, is_signed):
    covers = f"instructions_arithmetic {section}; A-05 A-06 A-07 A-08"
    file = File(f"arithmetic/{name}", f"{name}: spec {section}.", covers)
    for bits in WIDTHS:
        file.section(f"{bits} bits; a divisor of 0 gives all ones and the dividend (A-07).")
        values = edges(bits) + [7, mask(bits) - 6, 3, mask(bits) - 2]
        for index, qualifier in ((0, ""), (0, ".quo"), (1, ".rem")):
            few_values = values if qualifier else few(bits)
            binary(file, f"{name}{qualifier}.{bits}b", bits, lambda a, b: divide(a, b, bits, is_signed)[index], few_values)
    return file


def multiplication(name, section, is_signed, has_packed):
    covers = f"instructions_arithmetic {section}; A-01 A-12"
    file = File(f"arithmetic/{name}", f"{name}: spec {section}.", covers)
    file.section("The low half of the product (A-12).")
    for bits in WIDTHS:
        binary(file, f"{name}.{bits}b", bits, lambda a, b: a * b)
    file.section("`.full`: sources extended to twice the width.")
    for bits in (16, 32):
        extend = (lambda x: signed(x, bits)) if is_signed else (lambda x: x)
        for a, b in product(edges(bits), repeat=2):
            result = integer(extend(a) * extend(b), 2 * bits)
            file.op(f"{name}.full.{bits}b", [integer(a, bits), integer(b, bits)], result)
    if has_packed:
        file.section("Packed.")
        packed(file, f"{name}.16bx2", 2, 16, lambda a, b: a * b)
    return file


def multiply_add(name, section, is_signed, has_packed):
    covers = f"instructions_arithmetic {section}; A-01 A-11 A-12"
    file = File(f"arithmetic/{name}", f"{name}: spec {section}.", covers)
    file.section("Wraps modulo 2^N.")
    for bits in WIDTHS:
        for a, b, c in product(few(bits), few(bits), [0, 1, mask(bits), 1 << (bits - 1)]):
            file.op(f"{name}.{bits}b", [integer(x, bits) for x in (a, b, c)], integer(a * b + c, bits))
    file.section("`.full`: the third source is as wide as the result; the sum wraps modulo 2^(2N) (A-11).")
    for bits in (16, 32):
        extend = (lambda x: signed(x, bits)) if is_signed else (lambda x: x)
        for a, b in product(few(bits) + [1000], repeat=2):
            for c in (0, 1, mask(2 * bits), 1 << (2 * bits - 1), (1 << (2 * bits - 1)) - 1):
                sources = [integer(a, bits), integer(b, bits), integer(c, 2 * bits)]
                file.op(f"{name}.full.{bits}b", sources, integer(extend(a) * extend(b) + c, 2 * bits))
    if has_packed:
        file.section("Packed.")
        triples = list(product([0, 1, 0xFFFF, 0x8000, 0x7FFF, 300], [1, 0xFFFF, 0x8000, 257], [0, 1, 0x8000]))
        for low, high in zip(triples, triples[1:] + triples[:1]):
            sources = [vector([integer(low[k], 16), integer(high[k], 16)]) for k in range(3)]
            result = vector([integer(t[0] * t[1] + t[2], 16) for t in (low, high)])
            file.op(f"{name}.16bx2", sources, result)
    return file


def dot_product():
    file = File("arithmetic/dp4a", "dp4a: spec 1.1.", "instructions_arithmetic 1.1; A-09 A-10")
    words = [0, 0xFFFFFFFF, 0xFF, 2, 0x80808080, 0x7F7F7F7F, 0x01010101, 0x0102FEFF, 0x80FF7F01]
    accumulators = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]

    def parts(word, is_signed):
        pieces = [(word >> (8 * i)) & 0xFF for i in range(4)]
        return [signed(p, 8) for p in pieces] if is_signed else pieces

    for signedness in ("ss", "us", "su", "uu"):
        # the first letter is src1, the second src2.
        first, second = signedness[0] == "s", signedness[1] == "s"
        for saturates in (False, True):
            # The restriction: no `.dsat` with `.uu`.
            if saturates and signedness == "uu":
                continue
            file.section(f"src1 {'' if first else 'un'}signed, src2 {'' if second else 'un'}signed"
                         + (", clamped to signed 32 bits (A-10)." if saturates else "."))
            for accumulator, a, b in product(accumulators, words, words):
                if accumulator not in (0, 0x7FFFFFFF, 0x80000000) and (a, b) != (words[1], words[1]):
                    continue
                if accumulator and a > b:
                    continue
                total = sum(x * y for x, y in zip(parts(a, first), parts(b, second)))
                total = clamp(signed(accumulator, 32) + total, 32) if saturates else accumulator + total
                sources = [integer(x, 32) for x in (accumulator, a, b)]
                file.op(f"dp4a.{signedness}{'.dsat' if saturates else ''}.32b", sources, integer(total, 32))
    return file


def add_with_carry():
    file = File("arithmetic/uaddc", "uaddc: spec 1.11.", "instructions_arithmetic 1.11; A-13 A-14")
    values = edges(32) + [0xFFFFFFFE]
    file.section("Carry out: 1 where the sum, carry in included, needs a 33rd bit (A-13).")
    for a, b in product(values, repeat=2):
        words = [integer(a, 32), integer(b, 32)]
        total = a + b
        file.op("uaddc.co.32b", words, f"({integer(total, 32)}, {total >> 32})")
        for carry in (0, 1):
            total = a + b + carry
            file.op("uaddc.ci.32b", words + [str(carry)], integer(total, 32))
            file.op("uaddc.ci.co.32b", words + [str(carry)], f"({integer(total, 32)}, {total >> 32})")
    file.section("A carry that differs from lane to lane.")
    carries = [i % 3 == 0 for i in range(32)]
    result = ["0" if carry else "-1" for carry in carries]
    shown = "[" + ", ".join(str(int(c)) for c in carries) + "]"
    file.op("uaddc.ci.co.32b", ["-1", "0", shown], f"([{', '.join(result)}], {shown})")
    file.section("Lanes that do not execute it keep both destinations.")
    file.op("uaddc.co.32b", ["0xffffffff", "iota"], "([7*16, " + ", ".join(str(i - 1) for i in range(16, 32)) + "], [0*16, 1*16])",
            active=0xFFFF0000, old="(7, 0)")
    return file


def files():
    return [
        dot_product(),
        unary("iabs", "1.2", "A-02", abs),
        sums("iadd", "1.3", lambda a, b: a + b, [("16bx2", 2, 16), ("8bx4", 4, 8)]),
        unary("ineg", "1.4", "A-02", lambda x: -x),
        sums("isub", "1.5", lambda a, b: a - b, [("16bx2", 2, 16)]),
        division("sdiv", "1.6", True),
        multiply_add("smad", "1.7", True, True),
        order("smax", "1.8", True, True, [("16bx2", 2, 16), ("8bx4", 4, 8)]),
        order("smin", "1.9", True, False, [("16bx2", 2, 16), ("8bx4", 4, 8)]),
        multiplication("smul", "1.10", True, True),
        add_with_carry(),
        division("udiv", "1.12", False),
        multiply_add("umad", "1.13", False, False),
        order("umax", "1.14", False, True, [("16bx2", 2, 16)]),
        order("umin", "1.15", False, False, [("16bx2", 2, 16)]),
        multiplication("umul", "1.16", False, False),
    ]
