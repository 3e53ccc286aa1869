//! Codes of findings about data races, R04xx.

codes! {
    SUB_GROUP R0401 Finding "a race between lanes of one sub-group",
    WORK_ITEMS R0402 Finding "a race between work-items",
    ONE_STORE R0403 Finding "lanes of one store write different values to the same place",
    SAME_VALUE R0404 Finding "a race between stores of the same value",
    SCOPES R0405 Finding "atomic accesses whose scopes do not reach each other",
    MIXED R0406 Finding "a race between a weak and an atomic access",
    WIDTHS R0407 Finding "a race between atomic accesses of different widths",
}
