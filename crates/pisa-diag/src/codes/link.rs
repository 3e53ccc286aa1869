//! Codes of linking, E06xx.

codes! {}
