"""Chapter 7: sub-group communication, by its pseudo-code."""

from functools import reduce
from itertools import product

from . import floats
from .book import LANES, File, integer, lanes, mask, signed, vector
from .floats import BF, F, HF

FULL = 0xFFFFFFFF
# Masks of participation: full, halves, single lanes, scattered, none.
MASKS = [FULL, 0xFFFF, 0xFFFF0000, 1, 0x80000000, 0xF0F0, 0x55555555, 0]
ACTIVE = [FULL, 0x000000FF, 0xFFFFFFFE, 0x80000001, 0x0F0F0F0F, 0x00000010]


def shown(values, bits=32):
    return lanes([integer(v, bits) for v in values])


def state(active):
    return {} if active == FULL else {"active": active}


def shuffle(op, is_segmented, source, control, masks, active, old):
    """7.4, lane arithmetic signed (S-07), masks by lane (S-01), controls by lane (S-17)."""
    out = list(old)
    for lane in range(LANES):
        if not active >> lane & 1:
            continue
        participating = masks[lane] & active
        if not participating >> lane & 1:
            continue
        offset = control[lane] & 31
        if is_segmented:
            clamp, segment = control[lane] >> 8 & 31, control[lane] >> 16 & 31
        else:
            clamp, segment = (0 if op == "up" else 31), 0
        clamp_lane = lane & segment | clamp & ~segment & 31
        least = lane & segment
        other = {"up": lane - offset, "dn": lane + offset, "xor": lane ^ offset, "idx": least | offset & ~segment & 31}[op]
        in_bounds = other >= clamp_lane if op == "up" else other <= clamp_lane
        out[lane] = source[other] if in_bounds and participating >> other & 1 else source[lane]
    return out


def shuffles():
    file = File("cross_lane/shfl", "shfl: spec 7.4 and appendix A of the decisions.",
                "instructions_cross_lane 7.4; S-01 S-02 S-03 S-04 S-07 S-08 S-09 S-13 S-14 S-15 S-16 S-17 S-18 S-19 X-07")
    own = list(range(LANES))

    def fact(op, sg, control, participation=FULL, active=FULL, old=99, source=own):
        controls = control if isinstance(control, list) else [control] * LANES
        masks = participation if isinstance(participation, list) else [participation] * LANES
        before = [old] * LANES
        result = shuffle(op, sg, source, controls, masks, active, before)
        name = f"shfl.{op}{'.sg' if sg else ''}.32b"
        keeps = any(not (masks[i] & active) >> i & 1 for i in range(LANES))
        file.op(name, [shown(source), shown(controls), shown(masks)], shown(result),
                **state(active), **({"old": str(old)} if keeps else {}))

    file.section("Full group; bits [20:8] are ignored (S-16).")
    for op in ("up", "dn", "xor", "idx"):
        for control in (0, 1, 2, 5, 15, 16, 30, 31, 32, 33, 0x001F1F01, 0xFFFFFFE3):
            fact(op, False, control)
    file.section("Every segment width with its clamps; clamp 0 as in the diagram that the pseudo-code contradicts (S-08).")
    for op, (segment, width) in product(("up", "dn", "xor", "idx"), [(0b11110, 2), (0b11100, 4), (0b11000, 8), (0b10000, 16), (0, 32)]):
        for clamp in sorted({0, segment, segment | (width - 1), segment | width // 2, segment | max(width - 3, 0)}):
            for offset in sorted({0, 1, width // 2, width - 1, width, 31} & set(range(32))):
                fact(op, True, segment << 16 | clamp << 8 | offset)
    file.section("Every clamp value with every segment width: bits of the clamp that the segment mask fixes do not count. Every offset.")
    for op, (segment, width) in product(("up", "dn", "xor", "idx"), [(0b11110, 2), (0b11100, 4), (0b11000, 8), (0b10000, 16), (0, 32)]):
        for clamp in range(32):
            fact(op, True, segment << 16 | clamp << 8 | (1 if op != "idx" else width // 2))
        for offset in range(32):
            fact(op, True, segment << 16 | (0 if op == "up" else 31) << 8 | offset)
    file.section("Worked examples of appendix A.")
    for op, control in [("idx", 0x181F0B), ("idx", 0x181D06), ("dn", 0x181F02), ("dn", 0x181D02), ("dn", 0x180002),
                        ("up", 0x181802), ("up", 0x181B02), ("up", 0x181F02), ("xor", 0x1C1F01), ("xor", 0x181F09)]:
        fact(op, True, control)
    file.section("Segment masks off the table follow the pseudo-code, too (S-09).")
    for op, segment in product(("up", "dn", "xor", "idx"), (0b01000, 0b00001, 0b10101, 0b11111)):
        fact(op, True, segment << 16 | 0x1F << 8 | 3)
        fact(op, True, segment << 16 | 1)
    file.section("Participation: who is not in the mask keeps dst, who reads such a lane gets its own value (S-03, S-18).")
    for op, participation in product(("up", "dn", "xor", "idx"), MASKS):
        fact(op, False, 1, participation)
        fact(op, True, 0x181F02, participation)
    file.section("Inactive lanes.")
    for op, active, participation in product(("up", "dn", "xor", "idx"), ACTIVE[1:], (FULL, 0xFFFF, 0x80000011)):
        fact(op, False, 4, participation, active)
        fact(op, True, 0x181F01, participation, active)
    file.section("An offset for each lane (S-17).")
    for op in ("up", "dn", "xor", "idx"):
        fact(op, False, [(7 * lane + 3) & 31 for lane in range(LANES)])
        fact(op, True, [0x181F00 | lane for lane in range(LANES)])
    file.section("Masks that are not uniform: each lane goes by its own (S-01).")
    for op in ("up", "dn", "xor", "idx"):
        fact(op, False, 1, [FULL if lane % 3 else 0x0000FFFF for lane in range(LANES)])
        fact(op, False, 2, [1 << lane | 1 << ((lane + 2) & 31) for lane in range(LANES)])
    return file


def reduce_lanes(source, masks, active, old, combine):
    """7.1, 7.2: each lane of the participating set gets the set's reduction."""
    out = list(old)
    for lane in range(LANES):
        participating = masks[lane] & active
        if active >> lane & 1 and participating >> lane & 1:
            out[lane] = combine([source[i] for i in range(LANES) if participating >> i & 1])
    return out


INTEGER_REDUCTIONS = {
    "sum": lambda v, bits: sum(v),
    "smin": lambda v, bits: min(v, key=lambda x: signed(x, bits)),
    "smax": lambda v, bits: max(v, key=lambda x: signed(x, bits)),
    "umin": lambda v, bits: min(v),
    "umax": lambda v, bits: max(v),
    "and": lambda v, bits: reduce(lambda a, b: a & b, v),
    "or": lambda v, bits: reduce(lambda a, b: a | b, v),
    "xor": lambda v, bits: reduce(lambda a, b: a ^ b, v),
    # S-28: the most negative value counts as the largest.
    "absmax": lambda v, bits: max(abs(signed(x, bits)) & mask(bits) for x in v),
}


def integer_reductions():
    file = File("cross_lane/ired", "ired: spec 7.2.",
                "instructions_cross_lane 7.2; S-01 S-02 S-03 S-04 S-26 S-27 S-28 S-29 S-30 X-07")
    for op, function in INTEGER_REDUCTIONS.items():
        for bits in (16, 32):
            file.section(f"{op}, {bits} bits")
            least = 1 << (bits - 1)
            inputs = [
                list(range(LANES)),
                [(0x9E3779B97F4A7C15 * (i + 1) >> 7) & mask(bits) for i in range(LANES)],
                [least if i == 3 else (least - 1 if i == 20 else 1) for i in range(LANES)],
                [mask(bits) - i if i % 2 else i for i in range(LANES)],
            ]
            for number, source in enumerate(inputs):
                cases = [(FULL, FULL)]
                cases += [(m, FULL) for m in MASKS[1:]] if number == 1 else [(0xF0F0, FULL), (0x00100008, FULL)]
                cases += [(FULL, a) for a in ACTIVE[1:]] + [(0xFFFF, 0x00FF00FF), (0xF0, 0x0F)] if number == 1 else []
                for participation, active in cases:
                    reduction(file, f"ired.{op}.{bits}b", source, [participation] * LANES, active, bits,
                              lambda v: function(v, bits) & mask(bits), lambda v: shown(v, bits))
    file.section("Masks that are not uniform: each lane goes by its own (S-01).")
    own = list(range(LANES))
    halves = [0xFFFF if lane < 16 else 0xFFFF0000 for lane in range(LANES)]
    ragged = [0x000000FF << (lane & 24) if lane % 5 else 1 << lane for lane in range(LANES)]
    for op, function in INTEGER_REDUCTIONS.items():
        for masks in (halves, ragged):
            reduction(file, f"ired.{op}.32b", own, masks, FULL, 32, lambda v: function(v, 32) & FULL, shown)
    return file


def reduction(file, name, source, masks, active, bits, combine, show):
    old = [7] * LANES
    result = reduce_lanes(source, masks, active, old, combine)
    keeps = any(not (masks[i] & active) >> i & 1 for i in range(LANES))
    file.op(name, [show(source), shown(masks)], show(result), **state(active), **({"old": "7"} if keeps else {}))


def float_combine(fmt, op, nanp):
    """7.1: fmin, fmax of the set, S-20 to S-23."""

    def combine(values):
        if op == "absmax":
            values = [(fmt.quieted(v) if fmt.is_nan(v) else v) & ~fmt.sign for v in values]
        nans = [v for v in values if fmt.is_nan(v)]
        if nans and (nanp or len(nans) == len(values)):
            return fmt.quieted(nans[0])
        numbers = [v for v in values if not fmt.is_nan(v)]
        key = lambda v: floats.order(fmt, v)
        return min(numbers, key=key) if op == "min" else max(numbers, key=key)

    return combine


def float_inputs(fmt):
    e = floats.edges(fmt)
    names = list(e)
    mixed = [e[names[(5 * i + 2) % len(names)]] for i in range(LANES)]
    numbers = [e[n] for n in names if "nan" not in n]
    return [
        [fmt.round(i - 16, "re") if i != 16 else 0 for i in range(LANES)],
        [numbers[(3 * i + 1) % len(numbers)] for i in range(LANES)],
        mixed,
        [e["nzero"] if i % 2 else e["zero"] for i in range(LANES)],
        [fmt.infinity | (i + 1) for i in range(LANES)],
        [fmt.sign | fmt.infinity | (LANES - i) if i % 4 else fmt.sign | fmt.one for i in range(LANES)],
        [e["least"] if i % 2 else e["nleast"] for i in range(LANES)],
    ]


def float_reductions():
    file = File("cross_lane/fred", "fred: spec 7.1 and appendix E of the decisions.",
                "instructions_cross_lane 7.1; S-01 S-02 S-03 S-04 S-20 S-21 S-22 S-23 S-24 S-25 S-29")
    for fmt, op, nanp in product((BF, HF, F), ("min", "max", "absmax"), (False, True)):
        name = f"fred.{op}{'.nanp' if nanp else ''}.{fmt.name}"
        file.section(name)
        combine = float_combine(fmt, op, nanp)
        show = lambda v: lanes([fmt.text(x) for x in v])
        for number, source in enumerate(float_inputs(fmt)):
            cases = [(FULL, FULL), (0xF0F0, FULL)]
            if number == 2:
                cases += [(m, FULL) for m in (0xFFFF, 1, 0x80000000, 0, 0x00420000)]
                cases += [(FULL, a) for a in (0xFF, 0x80000001, 0x10)]
            for participation, active in cases:
                old = [fmt.one] * LANES
                masks = [participation] * LANES
                result = reduce_lanes(source, masks, active, old, combine)
                keeps = any(not (participation & active) >> i & 1 for i in range(LANES))
                file.op(name, [show(source), shown(masks)], show(result), **state(active), **({"old": "1.0"} if keeps else {}))
    file.section("Packed: each half on its own (S-24).")
    for (kind, fmt), op, nanp in product((("bfx2", BF), ("hfx2", HF)), ("min", "max", "absmax"), (False, True)):
        name = f"fred.{op}{'.nanp' if nanp else ''}.{kind}"
        combine = float_combine(fmt, op, nanp)
        all_inputs = float_inputs(fmt)
        for low, high in zip(all_inputs, all_inputs[1:] + all_inputs[:1]):
            for participation in (FULL, 0x00FFFF00):
                masks = [participation] * LANES
                old = [fmt.one] * LANES
                halves = [reduce_lanes(half, masks, FULL, old, combine) for half in (low, high)]
                pair = lambda a, b: lanes([vector([fmt.text(x), fmt.text(y)]) for x, y in zip(a, b)])
                keeps = {"old": "{1.0, 1.0}"} if participation != FULL else {}
                file.op(name, [pair(low, high), shown(masks)], pair(*halves), **keeps)
    return file


def first_index():
    file = File("cross_lane/redfirstidx", "redfirstidx: spec 7.3.", "instructions_cross_lane 7.3; S-01 S-05 S-06")
    file.section("Every active lane gets it, also one outside the mask (S-06); an empty set gives all ones (S-05).")
    for participation, active in product(MASKS + [1 << i for i in range(LANES)], [FULL, 0xF8, 0x80000001, 0x10]):
        both = participation & active
        result = (both & -both).bit_length() - 1 if both else FULL
        values = [result if active >> i & 1 else 7 for i in range(LANES)]
        file.op("redfirstidx.32b", [integer(participation, 32)], shown(values), **state(active),
                **({"old": "7"} if active != FULL else {}))
    file.section("Masks that are not uniform: each lane goes by its own (S-01).")
    masks = [0xFFFFFFFF << lane & FULL for lane in range(LANES)]
    file.op("redfirstidx.32b", [shown(masks)], "iota")
    return file


def files():
    return [float_reductions(), integer_reductions(), first_index(), shuffles()]
