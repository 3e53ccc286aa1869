#!/usr/bin/env python3
"""Writes the facts and most launches of the book: `conformance/CHAPTER/NAME.pisa`.

    python3 make_facts.py            write all files
    python3 make_facts.py --check    say which files differ from what this script writes, and exit with 1

The values come from the model in `oracle/`, which is written from the specification's text and shares nothing with the
engines. Transcendental functions need mpmath.
"""

import sys
from pathlib import Path

from oracle import (
    active_masks, arithmetic, barriers, cache_controls, calls, comparison, control_flow, cross_lane, data_movement, floating_point, immediates, launches,
    logical, refusals, template_cases, template_cases_by_hand,
)

HERE = Path(__file__).resolve().parent
CHAPTERS = (
    arithmetic, floating_point, logical, data_movement, comparison, cross_lane, launches, active_masks, control_flow, calls, barriers,
    cache_controls,
    immediates, refusals, template_cases, template_cases_by_hand,
)


def main():
    check = sys.argv[1:] == ["--check"]
    differ, facts = [], 0
    for chapter in CHAPTERS:
        for file in chapter.files():
            path = HERE / f"{file.path}.pisa"
            text = file.text()
            facts += file.count
            if check:
                if not path.exists() or path.read_text() != text:
                    differ.append(path.name)
            else:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
    print(f"{facts} facts, launches and refusals" + "".join(f"\ndiffers: {name}" for name in differ))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
