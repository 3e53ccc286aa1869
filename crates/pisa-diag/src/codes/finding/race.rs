//! Codes of findings about data races, R04xx.

codes! {}
