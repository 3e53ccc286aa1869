//! Codes of syntax, E01xx and the departures and lints that the parser finds.

codes! {}
