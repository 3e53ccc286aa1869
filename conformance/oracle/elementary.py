"""Elementary functions, correctly rounded to nearest even (P-18): mpmath with enough digits, special values by rule."""

from fractions import Fraction

import mpmath

from . import floats
from .floats import ALL, BF, F, HF, power

mpmath.mp.prec = 500


def exact(number):
    """A binary floating-point number of mpmath as a fraction."""
    sign, mantissa, exponent, _ = mpmath.mpf(number)._mpf_
    value = Fraction(int(mantissa)) * power(int(exponent))
    return -value if sign else value


def real(fraction):
    return mpmath.mpf(fraction.numerator) / mpmath.mpf(fraction.denominator)


def rounded(fmt, number):
    """To nearest even; the approximation must be far enough from a tie to be sure."""
    number = exact(number)
    result = fmt.round(number, "re")
    margin = power(-400)
    assert fmt.round(number * (1 - margin), "re") == result == fmt.round(number * (1 + margin), "re")
    return result


def with_rules(rules):
    """Flushes, quiets a NaN, then applies the function; flushes the result."""

    def function(fmt, x, ftz=False):
        (x,) = floats.sources(fmt, (x,), ftz)
        result = fmt.quieted(x) if fmt.is_nan(x) else rules(fmt, x)
        return fmt.flush(result) if ftz else result

    return function


def exp2(fmt, x):
    # P-30.
    if fmt.is_inf(x):
        return 0 if fmt.is_negative(x) else fmt.infinity
    number = fmt.value(x)
    if number > 2 * fmt.greatest_exponent:
        return fmt.infinity
    if number < -4 * fmt.greatest_exponent:
        return 0
    if number.denominator == 1:
        return fmt.round(power(int(number)), "re")
    if abs(number) < power(-200):
        # 2^x is 1 within far less than half a place.
        return fmt.one
    return rounded(fmt, mpmath.power(2, real(number)))


def log2(fmt, x):
    # P-21.
    if fmt.is_zero(x):
        return fmt.sign | fmt.infinity
    if fmt.is_negative(x):
        return fmt.canonical
    if fmt.is_inf(x):
        return x
    number = fmt.value(x)
    exponent = floats.floor_log2(number)
    if number == power(exponent):
        return fmt.round(Fraction(exponent), "re")
    return rounded(fmt, mpmath.log(real(number), 2))


def circular(name):
    def function(fmt, x):
        # P-20: infinities give a NaN; the whole range is reduced.
        if fmt.is_inf(x):
            return fmt.canonical
        if fmt.is_zero(x):
            return x if name == "sin" else fmt.one
        return rounded(fmt, getattr(mpmath, name)(real(fmt.value(x))))

    return function


def tanh(fmt, x):
    # P-30.
    sign = x & fmt.sign
    if fmt.is_inf(x):
        return sign | fmt.one
    if fmt.is_zero(x):
        return x
    number = fmt.value(x)
    if abs(number) > 100:
        return sign | fmt.one
    return rounded(fmt, mpmath.tanh(real(number)))


def reciprocal(fmt, x):
    # P-21.
    sign = x & fmt.sign
    if fmt.is_zero(x):
        return sign | fmt.infinity
    if fmt.is_inf(x):
        return sign
    return fmt.round(1 / fmt.value(x), "re")


def reciprocal_root(fmt, x):
    # P-21.
    if fmt.is_zero(x):
        return x & fmt.sign | fmt.infinity
    if fmt.is_negative(x):
        return fmt.canonical
    if fmt.is_inf(x):
        return 0
    return fmt.round(floats.sqrt_bounds(1 / fmt.value(x), 1200), "re")


def inputs(numbers):
    def make(fmt):
        values = list(floats.edges(fmt).values())
        values += [fmt.round(Fraction(n), "re", overflow="inf") for n in numbers]
        return [(x,) for x in dict.fromkeys(values)]

    return make


HALVES = [Fraction(n, 8) for n in (-41, -23, -12, -9, -7, -3, 3, 5, 7, 9, 11, 13, 20, 33, 61)]
ANGLES = HALVES + [Fraction(355, 113), Fraction(355, 226), 10, -100, 1000, 30000, 100000, 10**10, 10**30, Fraction(1, 1000)]
POWERS = HALVES + [-10, 10, 15, 16, -14, -15, -24, -25, -26, -126, -127, -149, -150, 127, 128, Fraction(1, 1000)]
LOGARITHMS = [abs(n) for n in HALVES] + [3, 10, 100, 1000, Fraction(1, 3), Fraction(1, 1000), Fraction(1023, 1024),
                                        Fraction(1025, 1024), 8, Fraction(1, 64), 30000]
QUOTIENTS = HALVES + [3, -3, 7, 10, 100, 1000, Fraction(1, 3), Fraction(1, 1000), 60000, power(-14), power(-15)]
TANGENTS = HALVES + [Fraction(1, 100), Fraction(-1, 1000), 4, 8, 9, -9, 10, 12, 20, 88]

SHORT = [BF, HF, F]
ELEMENTARY = [
    ("fcos", "2.3", "P-18 P-20", with_rules(circular("cos")), inputs(ANGLES), SHORT, False),
    ("fexp2", "2.5", "P-18 P-30", with_rules(exp2), inputs(POWERS), SHORT, False),
    ("flog2", "2.6", "P-18 P-19 P-21", with_rules(log2), inputs(LOGARITHMS), SHORT, False),
    ("frcp", "2.13", "P-18 P-21", with_rules(reciprocal), inputs(QUOTIENTS), SHORT, False),
    ("frsqrt", "2.14", "P-18 P-21 P-23", with_rules(reciprocal_root), inputs(QUOTIENTS), ALL, True),
    ("fsin", "2.15", "P-18 P-20", with_rules(circular("sin")), inputs(ANGLES), SHORT, False),
    ("ftanh", "2.18", "P-18 P-30", with_rules(tanh), inputs(TANGENTS), SHORT, False),
]
