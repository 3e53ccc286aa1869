"""Makes the inputs of the examples and, with NumPy, the results they are checked against.

Run it to remake `data/`; needs NumPy and Pillow. With `--check` it compares instead and exits 1 if a file differs.
"""

import io
import pathlib
import sys

import numpy as np
from PIL import Image

DATA = pathlib.Path(__file__).parent / "data"
files: dict[str, bytes] = {}


def save(name: str, array: np.ndarray) -> None:
    buffer = io.BytesIO()
    np.save(buffer, array)
    files[name] = buffer.getvalue()


def random(example: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(list(example.encode())))


def to_bfloat(values: np.ndarray) -> np.ndarray:
    """Single precision to bfloat16 bits, nearest even; finite values only."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bfloat(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def reduction() -> None:
    values = random("reduction").integers(0, 2**32, 10_000, dtype=np.uint32)
    save("reduction.in.npy", values)
    save("reduction.expected.npy", np.array([values.sum(dtype=np.uint32)]))


def scan() -> None:
    values = random("scan").integers(0, 1000, 1024, dtype=np.uint32)
    blocks = values.reshape(-1, 256)
    inclusive = blocks.cumsum(axis=1, dtype=np.uint32)
    save("scan.in.npy", values)
    save("scan.inclusive.expected.npy", inclusive.reshape(-1))
    save("scan.exclusive.expected.npy", (inclusive - blocks).reshape(-1))


def vote() -> None:
    values = random("vote").integers(0, 2, (8, 32), dtype=np.uint32)
    values[1] = 7  # all equal
    values[2] = 7
    values[2, 31] = 8  # the last one differs
    values[3] = 7
    values[3, 0] = 8  # the first one differs
    values[4, 1::2] = 5  # only the odd ones are equal
    whole = (values == values[:, :1]).all(axis=1)
    odd = (values[:, 1::2] == values[:, 1:2]).all(axis=1)
    save("vote.in.npy", values.reshape(-1))
    save("vote.whole.expected.npy", np.repeat(whole, 32).astype(np.uint32))
    by_lane = np.full((8, 32), 2, np.uint32)
    by_lane[:, 1::2] = odd[:, None]
    save("vote.odd.expected.npy", by_lane.reshape(-1))


def compact() -> None:
    generator = random("compact")
    values = generator.integers(1, 1000, 256, dtype=np.uint32) * (generator.random(256) < 0.4)
    values = values.astype(np.uint32)
    kept = values[values != 0]
    # One sub-group after the other under the fixed order of one thread.
    save("compact.in.npy", values)
    save("compact.expected.npy", np.concatenate([kept, np.zeros(256 - len(kept), np.uint32)]))
    save("compact.count.expected.npy", np.array([len(kept)], np.uint32))


def segments() -> None:
    values = random("segments").integers(-1000, 1000, 128, dtype=np.int32)
    rows = values.reshape(-1, 8)
    save("segments.in.npy", values)
    save("segments.reversed.expected.npy", rows[:, ::-1].reshape(-1))
    save("segments.rotated.expected.npy", np.roll(rows, -1, axis=1).reshape(-1))
    save("segments.maximum.expected.npy", np.repeat(rows.max(axis=1), 8))


def histogram() -> None:
    pixels = np.array(Image.open(DATA / "camera.png"))
    save("histogram.expected.npy", np.bincount(pixels.reshape(-1), minlength=256).astype(np.uint32))


def equalise() -> None:
    pixels = np.array(Image.open(DATA / "camera.png"))
    sums = np.bincount(pixels.reshape(-1), minlength=256).cumsum()
    least = sums[sums > 0][0]
    spread = pixels.size - least
    tones = (np.maximum(sums - least, 0) * 255 + spread // 2) // spread
    buffer = io.BytesIO()
    Image.fromarray(tones.astype(np.uint8)[pixels]).save(buffer, "png", optimize=True)
    files["equalise.expected.png"] = buffer.getvalue()


def bitonic() -> None:
    values = random("bitonic").integers(-(2**31), 2**31, 1024, dtype=np.int32)
    save("bitonic.in.npy", values)
    save("bitonic.expected.npy", np.sort(values.reshape(-1, 256), axis=1).reshape(-1))


def radix() -> None:
    keys = random("radix").integers(0, 2**32, 5000, dtype=np.uint32)
    order = np.argsort((keys >> 8) & 15, kind="stable")
    save("radix.in.npy", keys)
    save("radix.expected.npy", keys[order])


def matmul() -> None:
    generator = random("matmul")
    a = generator.standard_normal((64, 64), dtype=np.float32)
    b = generator.standard_normal((64, 64), dtype=np.float32)
    save("matmul.in.a.npy", a)
    save("matmul.in.b.npy", b)
    save("matmul.expected.npy", (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32))


def softmax() -> None:
    values = random("softmax").normal(0, 3, (16, 100)).astype(np.float32)
    exact = values.astype(np.float64)
    powers = np.exp(exact - exact.max(axis=1, keepdims=True))
    save("softmax.in.npy", values)
    save("softmax.expected.npy", (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32))


def normalised(rows: np.ndarray) -> np.ndarray:
    rows = rows.astype(np.float64)
    centred = rows - rows.mean(axis=1, keepdims=True)
    return (centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)).astype(np.float32)


def layernorm() -> None:
    values = random("layernorm").normal(2, 5, (8, 64)).astype(np.float32)
    half = values.astype(np.float16)
    save("layernorm_half.in.npy", half)
    save("layernorm_half.expected.npy", normalised(half).astype(np.float16))
    bfloat = to_bfloat(values)
    save("layernorm_bfloat.in.npy", bfloat)
    save("layernorm_bfloat.expected.npy", to_bfloat(normalised(from_bfloat(bfloat))))


def mandelbrot() -> None:
    width, height, limit = 192, 160, 100
    f = np.float32

    def fused(a, b, c):  # exact product in double, then one rounding to single: enough for these sizes
        return (a.astype(np.float64) * b + c).astype(f)

    cx = fused(np.arange(width).astype(f) / f(width), 3.0, np.float64(-2.25))[None, :] + np.zeros((height, 1), f)
    cy = fused(np.arange(height).astype(f) / f(height), 3.0, np.float64(-1.5))[:, None] + np.zeros((1, width), f)
    zx, zy = np.zeros_like(cx), np.zeros_like(cx)
    steps = np.zeros(cx.shape, np.int64)
    inside = np.ones(cx.shape, bool)
    for _ in range(limit):
        xx, yy = zx * zx, zy * zy
        inside &= ~(xx + yy > f(4))
        zy = np.where(inside, fused(zx * zy, 2.0, cy.astype(np.float64)), zy)
        zx = np.where(inside, (xx - yy) + cx, zx)
        steps += inside
    grey = np.where(steps == limit, 0, steps * 255 // limit)
    buffer = io.BytesIO()
    Image.fromarray(grey.astype(np.uint8)).save(buffer, "png", optimize=True)
    files["mandelbrot.expected.png"] = buffer.getvalue()


def spmv() -> None:
    generator = random("spmv")
    dense = generator.standard_normal((64, 500)).astype(np.float32)
    dense[generator.random(dense.shape) > np.linspace(0, 0.4, 64)[:, None]] = 0  # rows from empty to 40 % full
    rows, columns = np.nonzero(dense)
    x = generator.standard_normal(500, dtype=np.float32)
    save("spmv.in.rows.npy", np.concatenate([[0], np.bincount(rows, minlength=64).cumsum()]).astype(np.uint32))
    save("spmv.in.columns.npy", columns.astype(np.uint32))
    save("spmv.in.values.npy", dense[rows, columns])
    save("spmv.in.x.npy", x)
    save("spmv.expected.npy", (dense.astype(np.float64) @ x.astype(np.float64)).astype(np.float32))


def pointers() -> None:
    generator = random("pointers")
    operation = generator.integers(0, 4, 256, dtype=np.uint32)
    left = generator.integers(1, 10_000, 256, dtype=np.uint32)
    right = generator.integers(0, 10_000, 256, dtype=np.uint32)
    results = np.select(
        [operation == 0, operation == 1, operation == 2],
        [left + right, left * right, np.maximum(left, right)],
        np.gcd(left, right),
    )
    save("pointers.in.operation.npy", operation)
    save("pointers.in.left.npy", left)
    save("pointers.in.right.npy", right)
    save("pointers.expected.npy", results.astype(np.uint32))


def same(name: str, ours: bytes) -> bool:
    path = DATA / name
    if not path.exists():
        return False
    if name.endswith(".png"):  # compare pixels: encoders differ between versions
        return np.array_equal(np.array(Image.open(path)), np.array(Image.open(io.BytesIO(ours))))
    return path.read_bytes() == ours


def main() -> int:
    for example in (reduction, scan, vote, compact, segments, histogram, equalise, bitonic, radix, matmul, softmax,
                    layernorm, mandelbrot, spmv, pointers):
        example()
    if "--check" in sys.argv[1:]:
        differing = [name for name, content in files.items() if not same(name, content)]
        for name in differing:
            print(f"differs: {name}")
        print(f"{len(files) - len(differing)} passed, {len(differing)} failed")
        return 1 if differing else 0
    for name, content in files.items():
        (DATA / name).write_bytes(content)
    print(f"{len(files)} files written to {DATA}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
