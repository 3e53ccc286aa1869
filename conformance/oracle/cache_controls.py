"""Cache controls: hints that change no value (memory_access 5.3). Every combination of every instruction is executed once."""

from .launches import LaunchFile
from .template_cases_by_hand import LOAD_CACHES, STORE_CACHES

ATOMIC_CACHES = [".uc", ".L2wb", ".L3wb"]


def kernel(name, lines):
    head = [f".kernel @{name}(.param[8] %in, .param[8] %out) {{", "  .reg .64b %i, %o;\n  .reg .32b %w, %one;",
            "  ld.param.64b %i, [%in];\n  ld.param.64b %o, [%out];\n  mov.32b %one, 1;"]
    return "\n".join(head + lines + ["}"])


def words(values):
    return "buf:u32:" + ",".join(map(str, values))


def files():
    file = LaunchFile("memory/cache_controls", "Every cache control of every instruction: the values are those without.",
                      "instructions_memory 8.1 8.2 8.3 8.5; memory_access 5.3; M-25 M-26")

    def add(name, lines, result):
        count = len(result)
        given = [100 + 3 * i for i in range(count)]
        file.add(name, kernel(name, lines), f"in={words(given)} out=zeros:u32:{count}", [("out", words(result))], lanes=1)

    given = lambda count: [100 + 3 * i for i in range(count)]
    for space in ("global", "generic"):
        lines = [f"  ld.{space}{cc}.32b %w, [%i + {4 * i}];\n  st.global.32b [%o + {4 * i}], %w;" for i, cc in enumerate(LOAD_CACHES)]
        add(f"loads_{space}", lines, given(len(lines)))
        lines = [f"  ld.global.32b %w, [%i + {4 * i}];\n  st.{space}{cc}.32b [%o + {4 * i}], %w;" for i, cc in enumerate(STORE_CACHES)]
        add(f"stores_{space}", lines, given(len(lines)))
    lines, result = [], []
    for i, cc in enumerate(ATOMIC_CACHES):
        lines.append(f"  ld.global.relaxed{cc}.32b %w, [%i + {4 * i}];\n  st.global.relaxed{cc}.32b [%o + {8 * i}], %w;")
        lines.append(f"  iatom.global{cc}.add.32b %w, [%i + {4 * i}], %one;\n  iatom.global{cc}.add.32b %w, [%i + {4 * i}], %one;")
        lines.append(f"  st.global.32b [%o + {8 * i + 4}], %w;")
        result += [100 + 3 * i, 101 + 3 * i]
    add("atomics", lines, result)
    # 1.0 is added to 0.0 twice; what was there before the second time is 1.0.
    lines = ["  mov.32b %one, 0x3f800000;"]
    for i, cc in enumerate(ATOMIC_CACHES):
        lines.append(f"  fatom.global{cc}.add.f %w, [%o + {4 * i}], %one;\n  fatom.global{cc}.add.f %w, [%o + {4 * i}], %one;")
    lines.append("  st.global.32b [%o + 12], %w;")
    add("float_atomics", lines, [0x40000000] * 3 + [0x3F800000])
    return [file]
