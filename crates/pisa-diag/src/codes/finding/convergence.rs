//! Codes of findings about who takes part in cross-lane instructions, C03xx.

codes! {}
