//! Codes of findings about values that were never given, I02xx.

codes! {
    BRANCH I0201 Finding "a branch on a value that was never given",
    ADDRESS I0202 Finding "an address made of a value that was never given",
    STORE I0203 Finding "a value that was never given goes to memory that others see",
    CONTRIBUTION I0204 Finding "a value that was never given goes into a cross-lane result",
    CHOICE I0205 Finding "lanes chosen by a value that was never given",
    CALL I0206 Finding "a call through a value that was never given",
    ATOMIC I0207 Finding "an atomic operation on memory that was never given a value",
}
