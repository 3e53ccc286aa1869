//! Codes of stops: what ends a launch before its end (P06xx).

codes! {
    LIVELOCK P0601 Stop "lanes spin and nothing they wait for can happen",
    DEADLOCK P0602 Stop "a barrier that can never be released",
    OUT_OF_FUEL P0603 Stop "the launch used up its fuel",
    CALL_TARGET P0610 Stop "a call through a register that holds no function",
    CALL_DEPTH P0611 Stop "calls nested too deeply",
    MISALIGNED P0612 Stop "an atomic access that is not aligned",
    ATOMIC_ON_PRIVATE P0613 Stop "an atomic access to private memory",
    STORE_TO_CONST P0614 Stop "a store to constant memory",
}
