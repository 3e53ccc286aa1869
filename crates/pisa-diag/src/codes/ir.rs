//! Codes of the text of the IR, E07xx.

codes! {
    UNEXPECTED E0701 Error "something else was expected in the text of the IR",
    UNKNOWN_NAME E0702 Error "a name in the text of the IR that nothing defines",
    DEFINED_TWICE E0703 Error "a name in the text of the IR that is taken",
    UNKNOWN_OPERATION E0704 Error "an operation that the IR does not have",
    OPERANDS E0705 Error "operands that an operation of the IR does not take",
    CONSTANT E0706 Error "a constant in the text of the IR without a type, or too large for it",
    ILL_FORMED E0707 Error "ill-formed IR",
}
