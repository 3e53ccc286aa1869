//! Codes of findings about accesses to memory, M01xx.

codes! {}
