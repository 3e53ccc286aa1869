"""Chapter 3: logic and shift."""

from itertools import product

from .arithmetic import binary, edges
from .book import File, integer, mask, signed, vector

WIDTHS = (16, 32, 64)
# Amounts around every width and beyond; only bits [5:0] count (B-01, B-02).
AMOUNTS = [0, 1, 7, 15, 16, 17, 31, 32, 33, 47, 62, 63, 64, 65, 0x80000001, 0xFFFFFFFF]


def bitwise(name, section, function):
    file = File(f"logical/{name}", f"{name}: spec {section}.", f"instructions_logical {section}; B-10")
    for bits in WIDTHS:
        binary(file, f"{name}.{bits}b", bits, function)
    return file


def complement():
    file = File("logical/not", "not: spec 3.9.", "instructions_logical 3.9; B-10")
    for bits in WIDTHS:
        for a in edges(bits):
            file.op(f"not.{bits}b", [integer(a, bits)], integer(~a, bits))
    return file


def shift(name, section, function):
    covers = f"instructions_logical {section}; B-01 B-02 B-03"
    file = File(f"logical/{name}", f"{name}: spec {section}.", covers)
    file.section("The amount is src1[5:0], also where that is more than the width (B-01).")
    for bits in WIDTHS:
        values = [1, mask(bits), 1 << (bits - 1), (1 << (bits - 1)) - 1, 0x123456789ABCDEF0 & mask(bits)]
        for a, amount in product(values, AMOUNTS):
            result = integer(function(a, amount & 63, bits), bits)
            file.op(f"{name}.{bits}b", [integer(a, bits), integer(amount, 32)], result)
    file.section("Every amount.")
    for bits in WIDTHS:
        value = (1 << (bits - 1) | 0x5A5A5A5A5A5A5A5B) & mask(bits)
        for amount in range(64):
            file.op(f"{name}.{bits}b", [integer(value, bits), integer(amount, 32)], integer(function(value, amount, bits), bits))
    file.section("Packed: src1[5:0] for the low half, src1[21:16] for the high one (B-03).")
    for amount in range(64):
        sources = [vector(["0xa5a5", "0x5a5b"]), integer((63 - amount) << 16 | amount, 32)]
        result = [function(0xA5A5, amount, 16), function(0x5A5B, 63 - amount, 16)]
        file.op(f"{name}.16bx2", sources, vector([integer(x, 16) for x in result]))
    pairs = [(1, 1), (0x8000, 0x7FFF), (0xFFFF, 0x8001), (0x1234, 0xF0F0)]
    amounts = [0, 3, 0x00030003, 0x0010000F, 0x000F0010, 0x0020003F, 0x003F0001, 0x00400041, 0xFFC0FFC0, 0x00010000]
    for (low, high), amount in product(pairs, amounts):
        result = [function(low, amount & 63, 16), function(high, amount >> 16 & 63, 16)]
        file.op(f"{name}.16bx2", [vector([integer(low, 16), integer(high, 16)]), integer(amount, 32)],
                vector([integer(x, 16) for x in result]))
    file.section("An amount for each lane.")
    word = 0x80000001
    results = [integer(function(word, lane, 32), 32) for lane in range(32)]
    file.op(f"{name}.32b", [integer(word, 32), "iota"], "[" + ", ".join(results) + "]")
    return file


def insert_bits():
    file = File("logical/bfi", "bfi: spec 3.3.", "instructions_logical 3.3; B-04")
    file.section("Width src2[5:0] and offset src3[4:0]; what goes beyond bit 31 is ignored (B-04).")
    pairs = [(0, 0xFFFFFFFF), (0xFFFFFFFF, 0), (0x11111111, 0xFEDCBA98), (0x55, 0xF)]
    widths = [0, 1, 4, 8, 31, 32, 33, 63, 64, 65, 0xFFFFFFC8]
    offsets = [0, 1, 4, 16, 28, 31, 32, 36, 63, 0xFFFFFFE4]
    for (a, b), width, offset in product(pairs, widths, offsets):
        if (a, b) not in pairs[:1] and (width in (33, 65) or offset in (1, 63)):
            continue
        at = offset & 31
        count = min(width & 63, 32, 32 - at)
        field = mask(count) << at
        result = (a & ~field) | ((b << at) & field)
        file.op("bfi.32b", [integer(x, 32) for x in (a, b, width, offset)], integer(result, 32))
    return file


def extract_bits(name, section, is_signed):
    file = File(f"logical/{name}", f"{name}: spec {section}.", f"instructions_logical {section}; B-05")
    file.section("src1 is the width, src2 the offset; bits beyond the last are ignored, a width of 0 gives 0 (B-05).")
    for a in (0x80000000, 0x7FFFFFFF, 0xF0, 0x12345678, 0xFFFFFFFF, 0xA5A5A5A5):
        for width, offset in product([0, 1, 4, 5, 8, 31, 32, 33, 63, 64, 0xFFFFFFC1], [0, 3, 4, 27, 31, 32, 35, 0xFFFFFFFF]):
            at = offset & 31
            last = min(at + min(width & 63, 32), 32)
            count = last - at
            field = a >> at & mask(count)
            result = signed(field, count) if is_signed and count else field
            file.op(f"{name}.32b", [integer(x, 32) for x in (a, width, offset)], integer(result, 32))
    return file


def truth_tables():
    file = File("logical/bfn", "bfn: spec 3.4.", "instructions_logical 3.4; B-07")
    file.section("Every table: bit i of the result is bit src2[i]*4 + src1[i]*2 + src0[i] of the operation (B-07).")
    triples = [(0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0), (0x01234567, 0x89ABCDEF, 0xFFFF0000)]
    for table, (a, b, c) in product(range(1, 255), triples):
        result = 0
        for i in range(32):
            entry = (c >> i & 1) << 2 | (b >> i & 1) << 1 | (a >> i & 1)
            result |= (table >> entry & 1) << i
        file.op(f"bfn.0x{table:02x}.32b", [integer(x, 32) for x in (a, b, c)], integer(result, 32))
    return file


def counts():
    out = []
    words = {32: [0, 1, 2, 0x80000000, 0xFFFFFFFF, 0x00010000, 0x0000FFFF, 0x7FFFFFFF, 0xA5A50000, 0x00800100],
             16: [0, 1, 2, 0x8000, 0xFFFF, 0x0100, 0x00FF, 0x7FFF, 0xA500, 0x0810]}

    def fbh(a, bits):
        return ~a if a == 0 else bits - a.bit_length()

    def fbl(a, bits):
        return ~a if a == 0 else (a & -a).bit_length() - 1

    for name, section, covers, function in (
        ("cbit", "3.6", "B-09", lambda a, bits: bin(a).count("1")),
        ("fbh", "3.7", "B-08 B-09", fbh),
        ("fbl", "3.8", "B-08 B-09", fbl),
    ):
        file = File(f"logical/{name}", f"{name}: spec {section}.", f"instructions_logical {section}; {covers}")
        for bits, values in words.items():
            values = values + [1 << i for i in range(bits)] + [mask(bits) >> i for i in range(0, bits, 3)]
            for a in values:
                file.op(f"{name}.{bits}b", [integer(a, bits)], integer(function(a, bits), bits))
        out.append(file)
    return out


def reverse():
    file = File("logical/bfrev", "bfrev: spec 3.5.", "instructions_logical 3.5")
    for a in [0, 1, 0x80000000, 0xFFFFFFFF, 0x0000FFFF, 0x12345678, 0xF0000000, 0x55555555] + [1 << i for i in range(32)]:
        file.op("bfrev.32b", [integer(a, 32)], integer(int(f"{a:032b}"[::-1], 2), 32))
    return file


def funnel():
    file = File("logical/shf", "shf: spec 3.14.", "instructions_logical 3.14; B-06")
    file.section("src0 is the high word (B-06); the amount is src2[4:0].")
    pairs = [(0x80000001, 0x80000000), (1, 2), (0xFFFFFFFF, 0), (0, 0xFFFFFFFF), (0x12345678, 0x9ABCDEF0), (0x80000001, 2)]
    for (high, low), amount in product(pairs, [0, 1, 4, 16, 31, 32, 33, 63, 64, 0xFFFFFFFF]):
        number, distance = high << 32 | low, amount & 31
        words = [integer(x, 32) for x in (high, low, amount)]
        file.op("shf.l.32b", words, integer((number << distance) >> 32, 32))
        file.op("shf.r.32b", words, integer(number >> distance, 32))
    return file


def files():
    return [
        bitwise("and", "3.1", lambda a, b: a & b),
        shift("asr", "3.2", lambda a, n, bits: signed(a, bits) >> n),
        insert_bits(),
        truth_tables(),
        reverse(),
        *counts(),
        complement(),
        bitwise("or", "3.10", lambda a, b: a | b),
        extract_bits("sbfe", "3.11", True),
        shift("shr", "3.12", lambda a, n, bits: a >> n),
        shift("shl", "3.13", lambda a, n, bits: a << n),
        funnel(),
        extract_bits("ubfe", "3.15", False),
        bitwise("xor", "3.16", lambda a, b: a ^ b),
    ]
