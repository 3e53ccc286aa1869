//! Codes of findings about values that were never given, I02xx.

codes! {}
