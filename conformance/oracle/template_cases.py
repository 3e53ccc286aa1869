"""One case an opcode: what its syntax template takes and, line by line, what it refuses: each qualifier, each operand, each
restriction."""

from itertools import product

from . import templates
from .refusals import HEADER

CHAPTERS = (
    ("arithmetic", templates.ARITHMETIC, "instructions_arithmetic 1"),
    ("floating_point", templates.FLOATING_POINT, "instructions_floating_point 2"),
    ("logical", templates.LOGICAL, "instructions_logical 3"),
    ("data_movement", templates.DATA_MOVEMENT, "instructions_data_movement 4"),
    ("comparison", templates.COMPARISON, "instructions_comparison 5"),
    ("cross_lane", templates.CROSS_LANE, "instructions_cross_lane 7"),
)
FLOATS = {"bf": 16, "hf": 16, "f": 32, "df": 64}
# Two registers of each shape, so that no line needs one twice.
REGISTERS = {8: "%b", 16: "%h", 32: "%w", 64: "%d", 128: "%q", "16x2": "%m", "8x4": "%c", "pred": "%p"}
DECLARATIONS = """  .reg .8b %b<0~6>;
  .reg .16b %h<0~6>;
  .reg .32b %w<0~6>;
  .reg .64b %d<0~6>;
  .reg .128b %q<0~6>;
  .reg .v2.16b %m<0~6>;
  .reg .v4.8b %c<0~6>;
  .reg .v2.32b %v<0~6>;
  .reg .v3.32b %t<0~6>;
  .reg .v4.32b %u<0~6>;
  .reg .v8.32b %x<0~6>;
  .pred %p<0~6>;
"""
# Values that some instruction has, to be refused where the list does not name them.
ELSEWHERE = {
    "type": ["128b", "8b", "df", "32b"], "to": ["128b", "u32", "f"], "from": ["128b", "u32", "8b"], "op": ["add", "sum"],
    "rndmode": ["rn"], "cop": ["ltu"], "signedness": ["s"], "output": ["mod"], "precision": ["half"], "dir": ["up"],
    "addrspace": ["const"], "operation": ["0x1"],
}


def bits(kind):
    return FLOATS[kind] if kind in FLOATS else int(kind.strip("bus"))


class Template:
    def __init__(self, mnemonic, values, operands):
        opcode, *slots = mnemonic.replace("<.", ".?").replace(">", "").split(".")
        self.opcode = opcode
        self.optional = [slot.startswith("?") for slot in slots]
        self.slots = [slot.lstrip("?") for slot in slots]
        listed = dict(part.split("=") for part in values.split()) if values else {}
        self.listed = set(listed)
        self.values = [listed[slot].split(",") if slot in listed else [slot] for slot in self.slots]
        self.operands = [tuple(part.split(":")) for part in operands.split()]

    def combinations(self):
        choices = [([None] if optional else []) + values for optional, values in zip(self.optional, self.values)]
        return [c for c in product(*choices) if self.valid(dict(zip(self.slots, c)))]

    def valid(self, chosen):
        """The restrictions about qualifiers alone."""
        if self.opcode == "dp4a":
            return not (chosen["dsat"] and chosen["signedness"] == "uu")
        if self.opcode in ("sext", "zext", "fext"):
            return bits(chosen["to"]) > bits(chosen["from"])
        if self.opcode in ("trunc", "ftrunc"):
            return bits(chosen["to"]) < bits(chosen["from"])
        return True

    def mnemonic(self, combination):
        return ".".join([self.opcode] + [value for value in combination if value])

    def kinds(self, combination):
        """For each operand its register's kind, the floating-point type of an immediate or None, and whether one may stand there."""
        chosen = dict(zip(self.slots, combination))
        out = []
        for _, text in self.operands:
            width, _, immediate = text.partition("/")
            named = chosen.get(width.removeprefix("2*"))
            if width == "packed":
                kind = "8x4" if chosen.get("type") == "8bx4" else "16x2"
            elif width.startswith("pred"):
                kind = width
            else:
                kind = bits(named) * (2 if width.startswith("2*") else 1) if named else int(width)
            floating = named if named in FLOATS else "f" if self.opcode == "frc" else None
            out.append((kind, floating, bool(immediate)))
        return out


def register(kind, at):
    return f"{REGISTERS[kind]}{at}" if kind in REGISTERS else f"%p{at}"


def other(width):
    return 16 if width == 32 else 32


def qualifier_faults(template, all_values):
    """A value that is elsewhere, one that is nowhere, and none where there must be one."""
    base = template.combinations()[0]
    registers = [register(kind, at) for at, (kind, _, _) in enumerate(template.kinds(base))]
    for at, slot in enumerate(template.slots):
        if slot not in template.listed:
            continue
        for value in [next(v for v in ELSEWHERE[slot] if v not in all_values[slot]), "zz"]:
            changed = template.mnemonic(base[:at] + (value,) + base[at + 1:])
            code = "E0317" if slot == "operation" and value != "zz" else "E0302"
            yield f"{changed} {', '.join(registers)};", code
        # Without `.full` it is the other form.
        if not template.optional[at] and slot != "precision":
            yield f"{template.mnemonic(base[:at] + base[at + 1:])} {', '.join(registers)};", "E0304"


def operand_faults(template, combination, ambiguous):
    mnemonic, kinds = template.mnemonic(combination), template.kinds(combination)
    fitting = [register(kind, at) for at, (kind, _, _) in enumerate(kinds)]

    def line(at, text):
        return f"{mnemonic} {', '.join(fitting[:at] + [text] + fitting[at + 1:])};"

    for at, (kind, floating, immediate) in enumerate(kinds):
        if kind in ("16x2", "8x4"):
            yield line(at, f"%v{at}"), "E0204"
            yield line(at, f"%w{at}"), "E0204"
            yield line(at, "1"), "E0211"
        elif kind in ("pred", "pred!"):
            if not ambiguous:
                yield line(at, f"%w{at}"), "E0210"
                yield line(at, "1"), "E0211"
                yield line(at, f"!%p{at}"), "E0216"
        else:
            # The other form of a comparison has another first operand; `sel` another last one.
            if not (ambiguous and template.operands[at][0] in ("src2", "dst")):
                yield line(at, f"{REGISTERS[other(kind)]}{at}"), "E0203"
            if kind in (16, 32, 64) and not ambiguous:
                yield line(at, f"%p{at}"), "E0210"
            if not immediate:
                if not (ambiguous or template.opcode == "mov"):
                    yield line(at, "1"), "E0211"
            elif floating:
                yield line(at, "1"), "E0213"
            elif kind <= 64:
                yield line(at, str(1 << kind)), "E0212"
                yield line(at, "1.5"), "E0214"
    yield f"{mnemonic} {', '.join(fitting[:-1])};", "E0229"
    yield f"{mnemonic} {', '.join(fitting + ['%w5'])};", "E0229"


def accepted(template):
    """Each value of each qualifier once, with registers and with immediates."""
    combinations = template.combinations()
    for at, values in enumerate(template.values):
        for value in values:
            combination = next(c for c in combinations if c[at] == value)
            kinds = template.kinds(combination)
            yield f"{template.mnemonic(combination)} {', '.join(register(k, i) for i, (k, _, _) in enumerate(kinds))};"
            if any(immediate for _, _, immediate in kinds):
                operands = [("1.0" if floating else "1") if immediate else register(kind, i) for i, (kind, floating, immediate) in enumerate(kinds)]
                yield f"{template.mnemonic(combination)} {', '.join(operands)};"


def restriction_faults(opcode):
    if opcode == "dp4a":
        yield "dp4a.uu.dsat.32b %w0, %w1, %w2, %w3;", "E0306"
    if opcode in ("sext", "zext"):
        for to, source in ((16, 16), (16, 32), (32, 32)):
            yield f"{opcode}.{to}b.{source}b {register(to, 0)}, {register(source, 1)};", "E0313"
    if opcode == "fext":
        yield "fext.f.f %w0, %w1;", "E0313"
    if opcode == "trunc":
        for to, source in ((16, 16), (32, 16), (32, 32)):
            yield f"trunc.{to}b.{source}b {register(to, 0)}, {register(source, 1)};", "E0314"
    if opcode == "ftrunc":
        yield "ftrunc.f.f %w0, %w1;", "E0314"


def width_slots(template):
    """One combination for each value of the qualifiers that give widths."""
    named = {text.partition("/")[0].removeprefix("2*") for _, text in template.operands} & set(template.slots)
    combinations = template.combinations()
    if not named or template.opcode == "ftrunc2":
        return combinations[:1]
    out = []
    for slot in sorted(named):
        at = template.slots.index(slot)
        out += [next(c for c in combinations if c[at] == value) for value in template.values[at]]
    return list(dict.fromkeys(out))


class CasesFile:
    """A file with one case an opcode."""

    def __init__(self, path, title, covers):
        self.path = f"refusals/{path}"
        self.lines = [f"// {title}", f"// Covers: {covers}"]
        self.count = 0

    def case(self, name, accepted_lines, refused, before="", parameters="", strict=False):
        """A kernel with the lines; with `strict`, what the others only warn about is an error, too."""
        head = f"{HEADER}{before}.kernel @k({parameters}) {{\n{DECLARATIONS}".rstrip("\n")
        self.add(name, head, [(line, None) for line in accepted_lines] + refused, strict)

    def add(self, name, head, lines, strict=False):
        self.lines += ["", f"//! case {name}"] + (["//! strict"] if strict else []) + [head]
        for line, code in dict.fromkeys(lines):
            self.lines.append(f"  {line}" + (f"  //~ error[{code}]" if code else ""))
            self.count += code is not None
        self.lines.append("}")

    def text(self):
        return "\n".join(self.lines) + "\n"


def chapter(name, rows, covers):
    file = CasesFile(f"templates_{name}", "The syntax templates: what they take, and what each qualifier, operand and restriction refuses.", covers)
    by_opcode = {}
    for row in rows:
        template = Template(*row)
        by_opcode.setdefault(template.opcode, []).append(template)
    for opcode, forms in by_opcode.items():
        # Comparisons and `sel` have two forms that differ in the kind of one operand.
        ambiguous = opcode in ("scmp", "ucmp", "fcmp", "sel")
        all_values = {}
        for template in forms:
            for slot, values in zip(template.slots, template.values):
                all_values.setdefault(slot, set()).update(values)
        takes, refuses = [], []
        for template in forms:
            takes += accepted(template)
            refuses += qualifier_faults(template, all_values)
            for combination in width_slots(template):
                refuses += operand_faults(template, combination, ambiguous)
        refuses += restriction_faults(opcode)
        file.case(opcode, takes, refuses)
    return file


def files():
    return [chapter(*each) for each in CHAPTERS]
