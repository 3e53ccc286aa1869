//! Codes of findings about undefined behaviour of single instructions, U07xx.

codes! {
    DIVISION_BY_ZERO_EXECUTED U0701 Finding "division by zero",
    DIVISION_OVERFLOW U0702 Finding "signed division that overflows",
    SHIFT_AMOUNT U0703 Finding "a shift by the width or more",
    VECTOR_INDEX U0704 Finding "a vector index out of range",
    CALL_TO_NO_FUNCTION U0705 Finding "a call through a register that holds no function",
    CALL_SIGNATURE U0706 Finding "a call with another signature than the function's",
    EMPTY_FIRST_INDEX U0707 Finding "the first index of an empty set of lanes",
    ROUNDED_CONVERSION U0708 Finding "a bare conversion whose result depends on the rounding mode",
    DENORMAL_TRUNCATION U0709 Finding "a truncation that loses a denormal",
    OVERFLOW_TO_INFINITY U0710 Finding "an overflow to infinity under a rounding mode that stays finite elsewhere",
    NAN_COMPARED_AND_SWAPPED U0711 Finding "a compare-and-swap that compares floats otherwise than bits",
    FRACTION_OF_ONE U0712 Finding "a fractional part of 1.0",
    BIT_FIELD_CLAMPED U0713 Finding "a bit field that reaches past the top",
    ABSOLUTE_OF_LEAST U0714 Finding "the absolute value of the least number",
}
