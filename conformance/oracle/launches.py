"""Chapter 8 by launches: atomics in every space, loads and stores of every shape. Expected values come from the model."""

from . import floats
from .book import mask, signed
from .floats import BF, DF, F, HF

LANES = 32


class LaunchFile:
    """A module with one kernel a launch."""

    def __init__(self, path, title, covers):
        self.path = path
        self.lines = [f"// {title}", f"// Covers: {covers}", ".version 0.1;", ".target 100;"]
        self.count = 0

    def add(self, kernel, text, arguments, expectations, lanes=LANES):
        self.lines += ["", text.strip("\n")]
        self.lines.append(f"//! launch {kernel} -g {lanes} -l {lanes} {arguments}")
        self.lines += [f"//! expect {name} = {value}" for name, value in expectations]
        self.count += 1

    def text(self):
        return "\n".join(self.lines) + "\n"


def buffer(values, bits):
    """Words of 128 bits are two of 64, the low one first."""
    if bits == 128:
        words = [w for v in values for w in (v & mask(64), v >> 64)]
        return "buf:u64:" + ",".join(hexadecimal(w, 64) for w in words)
    return f"buf:u{bits}:" + ",".join(hexadecimal(v, bits) for v in values)


def hexadecimal(value, bits):
    return str(value) if value < 10 else f"0x{value:0{bits // 4}x}"


def integer_atomic(op, old, a, b, bits):
    """8.2's switch; .smin and .smax signed, .incwrap and .decwrap unsigned (M-18)."""
    return {
        "add": lambda: old + a, "sub": lambda: old - a, "and": lambda: old & a, "or": lambda: old | a,
        "xor": lambda: old ^ a, "xchg": lambda: a, "cas": lambda: b if old == a else old,
        "inc": lambda: old + 1, "dec": lambda: old - 1,
        "smin": lambda: min(old, a, key=lambda x: signed(x, bits)),
        "smax": lambda: max(old, a, key=lambda x: signed(x, bits)),
        "umin": lambda: min(old, a), "umax": lambda: max(old, a),
        "incwrap": lambda: 0 if old >= a else old + 1,
        "decwrap": lambda: a if old == 0 or old > a else old - 1,
    }[op]() & mask(bits)


def float_atomic(op, fmt, old, a, b):
    """8.1's switch: to nearest even, denormals kept (M-20); .cas compares numbers (M-19)."""
    if op == "cas":
        return b if floats.compare(fmt, "eq", old, a) else old
    if op in ("add", "sub"):
        return (floats.add if op == "add" else floats.sub)(fmt, old, a)
    return floats.extreme(fmt, old, a, op == "max")


def run_atomic(function, initial, a, b):
    """Lanes in ascending order (M-17); even lanes use the first word, odd ones the second."""
    memory, old = list(initial), []
    for lane in range(LANES):
        at = lane & 1
        old.append(memory[at])
        memory[at] = function(memory[at], a[lane], b[lane])
    return old, memory


def access(bits):
    return ".relaxed.128b" if bits == 128 else f".{bits}b"


def atomic_kernel(name, mnemonic, space, bits, operands):
    """Each lane does the operation once and stores what it got."""
    size = bits // 8
    words = ", ".join(["%old", "[%at]"] + ["%a", "%b"][:operands])
    lines = [
        f".kernel @{name}(.param[8] %mem, .param[8] %a, .param[8] %b, .param[8] %out) {{",
        f"  .reg .64b %p, %word, %q, %d, %generic;\n  .reg .{bits}b %a_value, %b_value, %old, %initial;",
        "  .reg .32b %odd, %s;",
        f"  .shared .align 16 @S[{2 * size}];" if "shared" in space else "",
        "  and.32b %odd, %laneid, 1;",
        f"  umul.full.32b %d, %odd, {size};",
        "  ld.param.64b %word, [%mem];\n  iadd.64b %word, %word, %d;",
        f"  umul.full.32b %d, %laneid, {size};",
    ]
    for letter in ("a", "b"):
        lines.append(f"  ld.param.64b %q, [%{letter}];\n  iadd.64b %q, %q, %d;\n  ld.global{access(bits)} %{letter}_value, [%q];")
    at = "%word"
    if "shared" in space:
        lines += [
            f"  addrof.32b %s, @S;\n  umul.32b %odd, %odd, {size};\n  iadd.32b %s, %s, %odd;",
            f"  ld.global{access(bits)} %initial, [%word];",
            f"  st.shared{access(bits)} [%s], %initial;",
        ]
        at = "%s"
        if space == "generic shared":
            lines.append("  addrcast.generic.shared %generic, %s;")
            at = "%generic"
    elif space == "generic global":
        lines.append("  addrcast.generic.global %generic, %word;")
        at = "%generic"
    words = words.replace("[%at]", f"[{at}]").replace("%a", "%a_value").replace("%b", "%b_value")
    lines.append(f"  {mnemonic} {words};")
    if "shared" in space:
        lines += [f"  ld.shared{access(bits)} %initial, [%s];", f"  st.global{access(bits)} [%word], %initial;"]
    lines += [f"  ld.param.64b %p, [%out];\n  iadd.64b %p, %p, %d;\n  st.global{access(bits)} [%p], %old;", "}"]
    return "\n".join(line for line in lines if line)


SPACES = ["global", "shared", "generic global", "generic shared"]
PLAIN = ["add", "sub", "smin", "smax", "umin", "umax", "and", "or", "xor", "xchg", "cas", "inc", "dec"]


def integer_combinations(space):
    """The table at the end of 8.2."""
    if space == "global":
        rows = [(op, bits) for op in PLAIN for bits in (16, 32, 64)]
        rows += [(op, bits) for op in ("incwrap", "decwrap") for bits in (32, 64)]
    else:
        rows = [(op, bits) for op in PLAIN for bits in (16, 32)] + [("cas", 64), ("incwrap", 32), ("decwrap", 32)]
    return rows + [("cas", 128), ("xchg", 128)]


def integer_operands(op, bits):
    least = 1 << (bits - 1)
    pattern = [0x9E3779B97F4A7C15F39CC0605CEDC835 * (2 * i + 3) >> 5 & mask(bits) for i in range(LANES)]
    pattern[4:8] = [mask(bits), 0, least, least - 1]
    if op in ("incwrap", "decwrap"):
        # Small bounds, so that values wrap.
        pattern = [3 + i % 3 for i in range(LANES)]
        return [2, mask(bits)], pattern, pattern
    if op == "cas":
        # Most succeed: each expects what the one before it wrote.
        a = [5 if i < 2 else 100 + i - 2 for i in range(LANES)]
        a[10] = 77
        a[11] = 78
        return [5, 5], a, [100 + i for i in range(LANES)]
    return [mask(bits), least], pattern, pattern


def integer_atomics():
    out = []
    for space in SPACES:
        slug = space.replace(" ", "_of_")
        file = LaunchFile(f"memory/iatom_{slug}", f"iatom on {space} memory: spec 8.2.",
                          "instructions_memory 8.2; M-17 M-18 M-21 M-23")
        for op, bits in integer_combinations(space):
            initial, a, b = integer_operands(op, bits)
            old, memory = run_atomic(lambda o, x, y: integer_atomic(op, o, x, y, bits), initial, a, b)
            name = f"{op}_{bits}b"
            operands = {"inc": 0, "dec": 0, "cas": 2}.get(op, 1)
            order = [".acq_rel.gpu", ".relaxed", "", ".acquire.workgroup", ".release.gpu"][len(file.lines) % 5]
            mnemonic = f"iatom.{space.split()[0]}{order}.{op}.{bits}b"
            kernel = atomic_kernel(name, mnemonic, space, bits, operands)
            words = f"mem={buffer(initial, bits)} a={buffer(a, bits)} b={buffer(b, bits)} out=zeros:{element(bits)}"
            file.add(name, kernel, words, [("out", buffer(old, bits)), ("mem", buffer(memory, bits))])
        out.append(file)
    return out


def element(bits):
    return f"u64:{2 * LANES}" if bits == 128 else f"u{bits}:{LANES}"


def float_operands(op, fmt):
    e = floats.edges(fmt)
    values = [fmt.round(n, "re") for n in (1, -2, 3, 4, -5, 8)] + [e["nzero"], e["least"], e["qnan"], e["inf"]]
    a = [values[(3 * i + 1) % len(values)] for i in range(LANES)]
    if op in ("add", "sub"):
        # No NaN at first: sums would stay one.
        a = [values[i % 8] for i in range(LANES - 4)] + values[6:]
    if op == "cas":
        # Zeros of both signs are equal, a NaN equals nothing (M-19).
        a = [e["zero"], e["qnan"], e["one"], e["qnan"]] + [e["one"]] * (LANES - 4)
        b = [e["one"], e["two"]] * 2 + [fmt.round(i, "re") for i in range(LANES - 4)]
        return [e["nzero"], e["qnan"]], a, b
    return [e["one"], e["least"]], a, a


def float_atomics():
    out = []
    for space in SPACES:
        slug = space.replace(" ", "_of_")
        file = LaunchFile(f"memory/fatom_{slug}", f"fatom on {space} memory: spec 8.1. Buffers hold bits.",
                          "instructions_memory 8.1; M-17 M-19 M-20 M-21")
        for op in ("add", "sub", "min", "max", "cas"):
            for fmt in (BF, HF, F, DF):
                if fmt is DF and (space != "global" or op not in ("add", "sub")):
                    continue
                initial, a, b = float_operands(op, fmt)
                old, memory = run_atomic(lambda o, x, y: float_atomic(op, fmt, o, x, y), initial, a, b)
                name = f"{op}_{fmt.name}"
                kernel = atomic_kernel(name, f"fatom.{space.split()[0]}.{op}.{fmt.name}", space, fmt.bits, 2 if op == "cas" else 1)
                bits = fmt.bits
                words = f"mem={buffer(initial, bits)} a={buffer(a, bits)} b={buffer(b, bits)} out=zeros:{element(bits)}"
                file.add(name, kernel, words, [("out", buffer(old, bits)), ("mem", buffer(memory, bits))])
        out.append(file)
    return out


SHAPES = [(8, 1), (8, 2), (8, 4), (16, 1), (16, 2), (16, 4), (32, 1), (32, 2), (32, 3), (32, 4), (32, 8),
          (64, 1), (64, 2), (64, 3), (64, 4)]


def part(register, index, count, bits):
    """Instructions that leave element `index` in `%e`."""
    if count == 1:
        return f"  mov.{bits}b %e, {register};"
    if index < 4:
        return f"  mov.{bits}b %e, {register}.{'xyzw'[index]};"
    return f"  extract.{index}.{bits}b %e, {register};"


def shape_kernel(name, space, bits, count):
    """Fills memory of the space element by element, loads it at once, stores its elements backwards; then stores it at once
    elsewhere in the space and reads that back element by element."""
    size, total = bits // 8, bits // 8 * count
    vec = f".v{count}" if count > 1 else ""
    register = f".v{count}.{bits}b" if count > 1 else f".{bits}b"
    lines = [
        f".kernel @{name}(.param[8] %in, .param[8] %backwards, .param[8] %copy, .param[8] %scratch) {{",
        f"  .reg .64b %a, %b, %c, %d, %g;\n  .reg .32b %s, %t;\n  .reg .{bits}b %e;\n  .reg {register} %v;",
    ]
    if space == "shared":
        lines.append(f"  .shared .align 32 @S[{2 * total * LANES}];")
    if "private" in space:
        lines.append(f"  .private .align 32 @P[{2 * total + 32}];")
    lines.append(f"  umul.full.32b %d, %laneid, {total};")
    for letter, name in (("a", "in"), ("b", "backwards"), ("c", "copy")):
        lines.append(f"  ld.param.64b %{letter}, [%{name}];\n  iadd.64b %{letter}, %{letter}, %d;")
    if space == "shared":
        lines.append(f"  addrof.32b %s, @S;\n  umul.32b %t, %laneid, {2 * total};\n  iadd.32b %s, %s, %t;")
        base = "%s"
    elif space == "private":
        lines.append("  addrof.32b %s, @P;")
        base = "%s"
    elif space == "generic private":
        lines.append("  addrcast.generic.private %g, @P;")
        base = "%g"
    else:
        lines.append("  ld.param.64b %g, [%scratch];\n  iadd.64b %g, %g, %d;\n  iadd.64b %g, %g, %d;")
        base = "%g"
        if space == "generic global":
            lines.append("  addrcast.generic.global %g, %g;")
    where = space.split()[0]
    for i in range(count):
        lines.append(f"  ld.global.{bits}b %e, [%a + {i * size}];\n  st.{where}.{bits}b [{base} + {i * size}], %e;")
    lines.append(f"  ld.{where}{vec}.{bits}b %v, [{base}];")
    for i in range(count):
        lines.append(part("%v", i, count, bits))
        lines.append(f"  st.global.{bits}b [%b + {(count - 1 - i) * size}], %e;")
    lines.append(f"  st.{where}{vec}.{bits}b [{base} + {total}], %v;")
    for i in range(count):
        lines.append(f"  ld.{where}.{bits}b %e, [{base} + {total + i * size}];\n  st.global.{bits}b [%c + {i * size}], %e;")
    return "\n".join(lines + ["}"])


def shapes():
    out = []
    for space in ("global", "shared", "private", "generic global", "generic private"):
        slug = space.replace(" ", "_of_")
        file = LaunchFile(f"memory/shapes_{slug}", f"ld and st of every shape in {space} memory: spec 8.3, 8.5, memory_access 5.2.",
                          "instructions_memory 8.3 8.5; memory_access 5.2; M-01 M-03 M-13")
        for bits, count in SHAPES:
            total = count * LANES
            values = [0x0123456789ABCDEF * (i + 1) & mask(bits) for i in range(total)]
            backwards = [values[i // count * count + count - 1 - i % count] for i in range(total)]
            name = f"v{count}_{bits}b"
            kernel = shape_kernel(name, space, bits, count)
            words = f"in={buffer(values, bits)} backwards=zeros:u{bits}:{total} copy=zeros:u{bits}:{total} scratch=zeros:u{bits}:{2 * total}"
            file.add(name, kernel, words, [("backwards", buffer(backwards, bits)), ("copy", buffer(values, bits))])
        out.append(file)
    return out


def files():
    return [*integer_atomics(), *float_atomics(), *shapes()]
