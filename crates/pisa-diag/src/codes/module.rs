//! Codes of names, types, forms, variables, functions (E02xx to E05xx) and the departures and lints found there.

codes! {}
