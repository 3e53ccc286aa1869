//! Codes of findings about undefined behaviour of single instructions, U07xx.

codes! {}
