//! Codes of findings about who arrives at barriers, B05xx.

codes! {}
