//! Codes of findings about accesses to memory, M01xx.

codes! {
    OUT_OF_BOUNDS M0101 Finding "an access outside every object",
    OUTSIDE_NAMED_VARIABLE M0102 Finding "an access outside the variable that it names",
    MISALIGNED_ACCESS M0103 Finding "an access that is not aligned",
    NULL_POINTER M0104 Finding "an access through a null pointer",
    WRONG_SPACE M0105 Finding "an address of another space",
    DANGLING M0106 Finding "private memory of a function that has returned",
    STORE_TO_CONSTANT M0107 Finding "a store to a constant",
    ATOMIC_ON_PRIVATE_MEMORY M0108 Finding "an atomic access to private memory",
    PARAMETER_OUT_OF_BOUNDS M0109 Finding "a load past the end of a kernel parameter",
    POINTER_ALIGNMENT M0110 Finding "a pointer that breaks its `.ptr_align`",
    ACCESS_TO_CODE M0111 Finding "an access through the address of a function",
    NULL_CAST M0112 Finding "a null pointer cast without a look at it",
    CAST_OF_NO_OBJECT M0113 Finding "a cast of an address that is in no object",
}
