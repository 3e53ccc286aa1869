"""Kernels whose results were worked out by hand: what the files about control flow, calls and barriers share.

A kernel's text uses `GET name, %r;` and `PUT name, %r;` for its lane's word of a buffer.
"""

import re

from .launches import LANES, LaunchFile

FULL = 0xFFFFFFFF


def words(values):
    """A buffer of 32-bit words, runs written out."""
    return "buf:u32:" + ",".join(str(v) if v < 10 else f"0x{v:x}" for v in (x & FULL for x in values))


def each(function):
    """One value a lane."""
    return [function(lane) for lane in range(LANES)]


def mask(condition):
    return sum(1 << lane for lane in range(LANES) if condition(lane))


class ExecutionFile(LaunchFile):
    """Kernels over one or more sub-groups; buffers have one word a work-item."""

    def kernel(self, name, about, body, outs, ins=None, size="-g 32 -l 32", extra="", items=LANES, attributes="",
               before="", expectations=()):
        """Adds a kernel. `outs` and `ins` give buffers by name; `extra` are further parameters and their values."""
        ins = ins or {}
        buffers = [*ins, *outs]
        # Registers have the plain names.
        parameters = [f".param[8] %{b}_words" for b in buffers]
        values = [f"{b}_words={words(v)}" for b, v in ins.items()] + [f"{b}_words=zeros:u32:{items}" for b in outs]
        for parameter in filter(None, extra.split("; ")):
            declaration, value = parameter.split(" := ")
            parameters.append(declaration)
            values.append(value)
        lines = [f"// {line}" for line in about.split("\n")]
        lines += [before.strip("\n")] if before else []
        lines.append(f".kernel {attributes}@{name}({', '.join(parameters)}) {{")
        lines += ["  .reg .64b %item, %local;", "  .reg .32b %number;"]
        lines += ["  umad.32b %number, %groupid.x, %enqueuedlocalsize.x, %localid.x;", "  umul.full.32b %item, %number, 4;"]
        for b in buffers:
            lines += [f"  .reg .64b %at_{b};", f"  ld.param.64b %at_{b}, [%{b}_words];", f"  iadd.64b %at_{b}, %at_{b}, %item;"]
        body = re.sub(r"GET (\w+), (%[\w.]+);", r"ld.global.32b \2, [%at_\1];", body)
        body = re.sub(r"PUT (\w+), (%[\w.]+);", r"st.global.32b [%at_\1], \2;", body)
        lines.append(body.strip("\n"))
        lines.append("}")
        self.lines += ["", "\n".join(lines), f"//! launch {name} {size} {' '.join(values)}".rstrip()]
        self.lines += [f"//! expect {b}_words = {words(v)}" for b, v in outs.items()]
        self.lines += [f"//! expect {e}" for e in expectations]
        self.count += 1
