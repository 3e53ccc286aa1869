"""The same facts with immediates instead of registers (operands 3.2), as launches of one work-item."""

from fractions import Fraction

from . import arithmetic, comparison, data_movement, floating_point, logical
from .floats import ALL
from .launches import LaunchFile

FORMATS = {fmt.name: fmt for fmt in ALL}
WIDTH = {"bf": 16, "hf": 16, "f": 32, "df": 64}
# Their templates take registers only, or they are not scalar.
REGISTERS_ONLY = {"ftrunc2", "extract", "insert", "isaddr", "addrcast", "pf2i", "uaddc"}
FACTS_PER_MNEMONIC = 3


def width(kind):
    """Bits of a type's qualifier: 32b, u16, hf."""
    return WIDTH[kind] if kind in WIDTH else int(kind.strip("bus"))


def types(mnemonic, count):
    """The types of the result and of the sources: "s32" for integers of 32 bits, "f" for floats."""
    opcode, *qualifiers = mnemonic.split(".")
    kind = next((q for q in reversed(qualifiers) if q in WIDTH or (q[0] in "us" and q[1:].isdigit()) or (q[-1] == "b" and q[:-1].isdigit())), None)
    if kind is None:
        return None
    named = lambda q: q if q in WIDTH else f"s{width(q)}"
    if opcode in ("f2i", "fext", "ftrunc", "i2f", "sext", "trunc", "zext"):
        return named(qualifiers[0]), [named(qualifiers[1])]
    if opcode in ("scmp", "ucmp", "fcmp"):
        return "s32", [named(kind)] * count
    if "full" in qualifiers:
        result = "f" if opcode == "fmul" else f"s{2 * width(kind)}"
        return result, [named(kind)] * 2 + [result] * (count - 2)
    sources = [named(kind)] * count
    if opcode in ("shl", "shr", "asr"):
        sources[1] = "s32"
    return named(kind), sources


def bits(text, kind):
    """The bits of a value as facts write it, in hexadecimal."""
    if text.startswith("0x"):
        return text
    if kind not in WIDTH:
        size = width(kind)
        return f"0x{int(text) & ((1 << size) - 1):0{size // 4}x}" if abs(int(text)) > 9 or int(text) < 0 else text
    fmt = FORMATS[kind]
    if text in ("inf", "-inf"):
        value = fmt.infinity | (fmt.sign if text[0] == "-" else 0)
    else:
        value = fmt.round(Fraction(text), "re", text.startswith("-"))
    return f"0x{value:0{fmt.bits // 4}x}"


def immediate(text, kind):
    """As an instruction writes it: infinities have no decimal form (I-05)."""
    return bits(text, kind) if "inf" in text else text


def split(line):
    """Mnemonic, sources and result of a fact about scalars, the same in all lanes; None for another one."""
    mnemonic, rest = line.removeprefix("//! op ").split(" (", 1)
    sources, result = rest.split(") = ", 1) if ") = " in rest else (None, None)
    if sources is None or any(c in rest for c in "[{!") or "iota" in line or "active" in line or "old" in line:
        return None
    sources = sources.split(", ")
    if result.startswith("(") or "true" in line or "false" in line:
        return None
    return mnemonic, sources, result


def chosen(lines):
    """Some facts of each mnemonic, from all over its list."""
    by_mnemonic = {}
    for line in lines:
        fact = split(line) if line.startswith("//! op ") else None
        if fact and fact[0].split(".")[0] not in REGISTERS_ONLY and types(fact[0], len(fact[1])):
            by_mnemonic.setdefault(fact[0], []).append(fact)
    for facts in by_mnemonic.values():
        step = max(1, len(facts) // FACTS_PER_MNEMONIC)
        yield from facts[step // 2::step][:FACTS_PER_MNEMONIC]


def kernel(name, facts):
    """All facts in a row; every third one has all sources immediate, the others one of them in a register."""
    values = {}
    body = []
    for number, (mnemonic, sources, result) in enumerate(facts):
        kind, kinds = types(mnemonic, len(sources))
        if mnemonic.startswith("mov.128"):
            continue
        operands = [immediate(text, k) for text, k in zip(sources, kinds)]
        # sel reads its last source from a register.
        in_register = [len(sources) - 1] if mnemonic.startswith("sel.") else [number % 3 - 1] if number % 3 and len(sources) > 1 else []
        for at in in_register:
            size = width(kinds[at])
            body.append(f"  mov.{size}b %source{size}, {bits(sources[at], kinds[at])};")
            operands[at] = f"%source{size}"
        column = values.setdefault(kind, [])
        size = width(kind)
        body.append(f"  {mnemonic} %result{size}, {', '.join(operands)};")
        body.append(f"  st.global.{size}b [%to_{kind} + {len(column) * size // 8}], %result{size};")
        column.append(bits(result, kind))
    kinds = list(values)
    lines = [f".kernel @{name}({', '.join(f'.param[8] %{k}_results' for k in kinds)}) {{"]
    lines += [f"  .reg .{size}b %source{size}, %result{size};" for size in (8, 16, 32, 64)]
    for kind in kinds:
        lines.append(f"  .reg .64b %to_{kind};\n  ld.param.64b %to_{kind}, [%{kind}_results];")
    # Buffers of bits, so that a NaN is compared with its bits.
    typed = {kind: f"u{width(kind)}" if kind in WIDTH else kind for kind in kinds}
    arguments = " ".join(f"{k}_results=zeros:{typed[k]}:{len(values[k])}" for k in kinds)
    expectations = [(f"{k}_results", f"buf:{typed[k]}:" + ",".join(values[k])) for k in kinds]
    return "\n".join(lines + body + ["}"]), arguments, expectations


def files():
    file = LaunchFile("execution/immediates", "Facts of the other files with immediates as operands.", "operands 3.2; I-01 I-02 I-05 I-06 I-09")
    for chapter in (arithmetic, logical, floating_point, data_movement, comparison):
        for facts in chapter.files():
            picked = list(chosen(facts.lines))
            if picked:
                name = facts.path.split("/")[1]
                file.add(name, *kernel(name, picked), lanes=1)
    return [file]
