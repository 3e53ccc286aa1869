"""Writing facts: one file an opcode, each fact one `//! op` line."""

LANES = 32


def mask(bits):
    return (1 << bits) - 1


def signed(value, bits):
    value &= mask(bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def integer(value, bits):
    """An integer operand: small ones in decimal, others as their bits."""
    value &= mask(bits)
    if value < 1000:
        return str(value)
    if bits <= 64 and value >= (1 << bits) - 100:
        return str(value - (1 << bits))
    return f"0x{value:0{bits // 4}x}"


def vector(texts):
    return "{" + ", ".join(texts) + "}"


def lanes(texts):
    """One text a lane; runs of equal ones are written once."""
    assert len(texts) == LANES
    if all(t == texts[0] for t in texts):
        return texts[0]
    if texts == [str(i) for i in range(LANES)]:
        return "iota"
    out, i = [], 0
    while i < LANES:
        n = 1
        while i + n < LANES and texts[i + n] == texts[i]:
            n += 1
        out.append(texts[i] if n == 1 else f"{texts[i]}*{n}")
        i += n
    return "[" + ", ".join(out) + "]"


def predicate(value):
    return "true" if value else "false"


class File:
    """A file of facts about one opcode."""

    def __init__(self, path, title, covers):
        self.path = path
        self.lines = [f"// {title}", f"// Covers: {covers}", ".version 0.1;", ".target 100;"]
        self.seen = set()
        self.count = 0

    def section(self, text):
        self.lines += ["", f"// {text}"]

    def op(self, mnemonic, sources, result, active=None, old=None):
        text = f"//! op {mnemonic} ({', '.join(sources)})"
        if active is not None:
            text += f" active=0x{active:08x}"
        if old is not None:
            text += f" old={old}"
        key = text
        text += f" = {result}"
        # Lists of edges overlap; a fact is said once.
        if key in self.seen:
            return
        self.seen.add(key)
        self.lines.append(text)
        self.count += 1

    def text(self):
        return "\n".join(self.lines) + "\n"
