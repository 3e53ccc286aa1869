//! Codes of findings about who arrives at barriers, B05xx.

codes! {
    DIFFERENT_BARRIERS B0501 Finding "work-items wait at different barriers",
    DIFFERENT_ITERATIONS B0502 Finding "work-items meet at a barrier in different iterations",
    PARTIAL_ARRIVAL B0503 Finding "a part of a sub-group arrives at a barrier",
    DIFFERENT_CALLS B0504 Finding "work-items come to a barrier by different calls",
    PASSED_BY B0505 Finding "work-items went past a barrier and left the kernel without it",
}
