"""Binary floating-point formats, exactly (spec floating_point 3.1 to 3.5)."""

from fractions import Fraction
from math import isqrt

ROUNDINGS = ["re", "rd", "ru", "rz", "rna"]


class Format:
    """One of .hf .bf .f .df; values are their bits."""

    def __init__(self, name, bits, exponent_bits, fraction_bits):
        self.name, self.bits = name, bits
        self.exponent_bits, self.fraction_bits = exponent_bits, fraction_bits
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.least_exponent = 1 - self.bias
        self.greatest_exponent = self.bias
        self.sign = 1 << (bits - 1)
        self.infinity = mask_of(exponent_bits) << fraction_bits
        self.quiet = 1 << (fraction_bits - 1)
        # P-05: a generated NaN is the positive quiet one without payload.
        self.canonical = self.infinity | self.quiet
        self.max = self.infinity - 1
        self.one = self.bias << fraction_bits
        self.least_normal = 1 << fraction_bits
        self.largest_value = self.value(self.max)

    def is_nan(self, x):
        return x & ~self.sign > self.infinity

    def is_inf(self, x):
        return x & ~self.sign == self.infinity

    def is_zero(self, x):
        return x & ~self.sign == 0

    def is_denormal(self, x):
        return 0 < (x & ~self.sign) < self.least_normal

    def is_negative(self, x):
        return bool(x & self.sign)

    def value(self, x):
        """The number that finite bits stand for."""
        fraction = x & mask_of(self.fraction_bits)
        exponent = (x & ~self.sign) >> self.fraction_bits
        if exponent == 0:
            number = Fraction(fraction, 1 << self.fraction_bits) * power(self.least_exponent)
        else:
            number = (1 + Fraction(fraction, 1 << self.fraction_bits)) * power(exponent - self.bias)
        return -number if self.is_negative(x) else number

    def quieted(self, x):
        return x | self.quiet

    def flush(self, x):
        """Denormals to zero of the same sign (3.3)."""
        return x & self.sign if self.is_denormal(x) else x

    def round(self, number, mode, negative_zero=False, overflow="ieee"):
        """The nearest bits of an exact number in a rounding mode (3.2). `overflow` is "ieee" (P-29) or "inf" (D-08)."""
        if number == 0:
            return self.sign if negative_zero else 0
        negative = number < 0
        magnitude = abs(number)
        exponent = max(floor_log2(magnitude), self.least_exponent)
        quantum = power(exponent - self.fraction_bits)
        count = round_integer(number / quantum, mode)
        rounded = abs(count) * quantum
        sign = self.sign if negative else 0
        if rounded > self.largest_value:
            to_infinity = overflow == "inf" or mode in ("re", "rna") or mode == ("rd" if negative else "ru")
            return sign | (self.infinity if to_infinity else self.max)
        return sign | self.encode(rounded)

    def encode(self, magnitude):
        """The bits of a number that is representable and not negative."""
        if magnitude == 0:
            return 0
        exponent = max(floor_log2(magnitude), self.least_exponent)
        count = magnitude / power(exponent - self.fraction_bits)
        assert count.denominator == 1
        count = int(count)
        if count < self.least_normal:
            return count
        return ((exponent + self.bias) << self.fraction_bits) + (count - self.least_normal)

    def text(self, x):
        """The operand as facts write it: short decimals where they are exact, else the bits."""
        if self.is_nan(x):
            return f"0x{x:0{self.bits // 4}x}"
        if self.is_inf(x):
            return "-inf" if self.is_negative(x) else "inf"
        if self.is_zero(x):
            return "-0.0" if self.is_negative(x) else "0.0"
        number = self.value(x)
        shown = repr(float(number))
        if "e" not in shown and len(shown) <= 7 and Fraction(shown) == number:
            return shown
        return f"0x{x:0{self.bits // 4}x}"


def mask_of(bits):
    return (1 << bits) - 1


def power(exponent):
    return Fraction(2) ** exponent


def floor_log2(number):
    """The exponent e with 2^e <= number < 2^(e+1)."""
    e = number.numerator.bit_length() - number.denominator.bit_length()
    return e if power(e) <= number else e - 1


def round_integer(number, mode):
    """A number to an integer in a rounding mode (3.2)."""
    floor = number.numerator // number.denominator
    rest = number - floor
    if rest == 0:
        return floor
    if mode == "rd":
        return floor
    if mode == "ru":
        return floor + 1
    if mode == "rz":
        return floor if number > 0 else floor + 1
    if rest != Fraction(1, 2):
        return floor if rest < Fraction(1, 2) else floor + 1
    if mode == "rna":
        return floor + 1 if number > 0 else floor
    return floor if floor % 2 == 0 else floor + 1


HF = Format("hf", 16, 5, 10)
BF = Format("bf", 16, 8, 7)
F = Format("f", 32, 8, 23)
DF = Format("df", 64, 11, 52)
ALL = [BF, HF, F, DF]
PACKED = {"hfx2": HF, "bfx2": BF}


def first_nan(fmt, operands):
    """3.4, P-04: the first NaN operand, quieted; None where there is none."""
    for x in operands:
        if fmt.is_nan(x):
            return fmt.quieted(x)
    return None


def saturate(fmt, x):
    """3.5, P-06: to [0, 1]; NaN and -0 become +0."""
    if fmt.is_nan(x) or fmt.is_negative(x) or fmt.is_zero(x):
        return 0
    return fmt.one if x > fmt.one else x


def finish(fmt, x, ftz, dsat):
    if ftz:
        x = fmt.flush(x)
    return saturate(fmt, x) if dsat else x


def sources(fmt, operands, ftz):
    return [fmt.flush(x) for x in operands] if ftz else list(operands)


def add(fmt, a, b, mode="re", ftz=False, dsat=False):
    a, b = sources(fmt, (a, b), ftz)
    return finish(fmt, add_plain(fmt, a, b, mode), ftz, dsat)


def add_plain(fmt, a, b, mode):
    nan = first_nan(fmt, (a, b))
    if nan is not None:
        return nan
    if fmt.is_inf(a) or fmt.is_inf(b):
        if fmt.is_inf(a) and fmt.is_inf(b) and a != b:
            return fmt.canonical
        return a if fmt.is_inf(a) else b
    total = fmt.value(a) + fmt.value(b)
    return fmt.round(total, mode, zero_sum(fmt.is_negative(a), fmt.is_negative(b), mode))


def zero_sum(a_negative, b_negative, mode):
    """P-28: whether an exact zero sum is -0."""
    return a_negative if a_negative == b_negative else mode == "rd"


def sub(fmt, a, b, mode="re", ftz=False, dsat=False):
    a, b = sources(fmt, (a, b), ftz)
    nan = first_nan(fmt, (a, b))
    x = nan if nan is not None else add_plain(fmt, a, b ^ fmt.sign, mode)
    return finish(fmt, x, ftz, dsat)


def mul(fmt, a, b, mode="re", ftz=False, dsat=False):
    a, b = sources(fmt, (a, b), ftz)
    nan = first_nan(fmt, (a, b))
    negative = fmt.is_negative(a) != fmt.is_negative(b)
    if nan is not None:
        x = nan
    elif fmt.is_inf(a) or fmt.is_inf(b):
        x = fmt.canonical if fmt.is_zero(a) or fmt.is_zero(b) else (fmt.sign if negative else 0) | fmt.infinity
    else:
        x = fmt.round(fmt.value(a) * fmt.value(b), mode, negative)
    return finish(fmt, x, ftz, dsat)


def fma(fmt, a, b, c, mode="re", ftz=False, dsat=False):
    a, b, c = sources(fmt, (a, b, c), ftz)
    # P-10: a NaN operand wins over inf * 0.
    nan = first_nan(fmt, (a, b, c))
    negative = fmt.is_negative(a) != fmt.is_negative(b)
    if nan is not None:
        x = nan
    elif fmt.is_inf(a) or fmt.is_inf(b):
        if fmt.is_zero(a) or fmt.is_zero(b) or (fmt.is_inf(c) and fmt.is_negative(c) != negative):
            x = fmt.canonical
        else:
            x = (fmt.sign if negative else 0) | fmt.infinity
    elif fmt.is_inf(c):
        x = c
    else:
        exact = fmt.value(a) * fmt.value(b) + fmt.value(c)
        product_is_zero = fmt.is_zero(a) or fmt.is_zero(b)
        both_zero = product_is_zero and fmt.is_zero(c)
        sign = zero_sum(negative, fmt.is_negative(c), mode) if both_zero or exact == 0 else False
        x = fmt.round(exact, mode, sign)
    return finish(fmt, x, ftz, dsat)


def div(fmt, a, b, mode="re", ftz=False):
    a, b = sources(fmt, (a, b), ftz)
    nan = first_nan(fmt, (a, b))
    negative = fmt.is_negative(a) != fmt.is_negative(b)
    sign = fmt.sign if negative else 0
    if nan is not None:
        x = nan
    elif fmt.is_inf(a):
        x = fmt.canonical if fmt.is_inf(b) else sign | fmt.infinity
    elif fmt.is_inf(b):
        x = sign
    elif fmt.is_zero(b):
        x = fmt.canonical if fmt.is_zero(a) else sign | fmt.infinity
    else:
        x = fmt.round(fmt.value(a) / fmt.value(b), mode, negative)
    return finish(fmt, x, ftz, False)


def sqrt_bounds(number, bits=300):
    """A number with the same rounding as the square root: the root where it is exact, else between its neighbours."""
    shift = 2 * bits
    scaled = number * power(shift)
    whole = scaled.numerator // scaled.denominator
    root = isqrt(whole)
    exact = root * root == whole and scaled.denominator == 1
    return Fraction(root) / power(bits) if exact else (Fraction(root) + Fraction(1, 2)) / power(bits)


def sqrt(fmt, a, mode="re", ftz=False):
    (a,) = sources(fmt, (a,), ftz)
    if fmt.is_nan(a):
        x = fmt.quieted(a)
    elif fmt.is_zero(a):
        x = a  # P-21: fsqrt(-0) is -0
    elif fmt.is_negative(a):
        x = fmt.canonical
    elif fmt.is_inf(a):
        x = a
    else:
        x = fmt.round(sqrt_bounds(fmt.value(a), 1200), mode)
    return finish(fmt, x, ftz, False)


def extreme(fmt, a, b, greatest, nanp=False, ftz=False, dsat=False):
    """2.8, 2.9: maximumNumber and minimumNumber, maximum and minimum with .nanp; -0 is less than +0 (P-11)."""
    a, b = sources(fmt, (a, b), ftz)
    nan = first_nan(fmt, (a, b))
    if nan is not None and (nanp or (fmt.is_nan(a) and fmt.is_nan(b))):
        x = nan
    elif fmt.is_nan(a):
        x = b
    elif fmt.is_nan(b):
        x = a
    else:
        ka, kb = order(fmt, a), order(fmt, b)
        x = a if (ka > kb) == greatest or ka == kb else b
    return finish(fmt, x, ftz, dsat)


def order(fmt, x):
    """Sorts bits as numbers, -0 before +0."""
    return -1 - (x ^ fmt.sign) if fmt.is_negative(x) else x


def compare(fmt, cop, a, b, ftz=False):
    """5.3, P-15: false for a NaN, except .ne."""
    a, b = sources(fmt, (a, b), ftz)
    if fmt.is_nan(a) or fmt.is_nan(b):
        return cop == "ne"
    ka = 0 if fmt.is_zero(a) else order(fmt, a)
    kb = 0 if fmt.is_zero(b) else order(fmt, b)
    return {"eq": ka == kb, "ne": ka != kb, "gt": ka > kb, "ge": ka >= kb, "lt": ka < kb, "le": ka <= kb}[cop]


def edges(fmt):
    """Values at which floating-point arithmetic goes wrong."""
    s = fmt.sign
    one_and_bit = fmt.one + 1
    return {
        "zero": 0, "nzero": s, "one": fmt.one, "none": s | fmt.one, "two": fmt.one + fmt.least_normal,
        "onebit": one_and_bit, "half": fmt.one - fmt.least_normal, "belowone": fmt.one - 1,
        "max": fmt.max, "nmax": s | fmt.max, "least": 1, "nleast": s | 1, "maxden": fmt.least_normal - 1,
        "normal": fmt.least_normal, "nnormal": s | fmt.least_normal, "inf": fmt.infinity, "ninf": s | fmt.infinity,
        "qnan": fmt.canonical | 5, "nqnan": s | fmt.canonical | 3, "snan": fmt.infinity | 1,
        "nsnan": s | fmt.infinity | 2,
    }


