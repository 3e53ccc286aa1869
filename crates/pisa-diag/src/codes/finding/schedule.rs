//! Codes of findings about results that depend on the schedule, S08xx.

codes! {
    MASK S0801 Finding "a result depends on which lanes have met",
    ORDER S0802 Finding "a result depends on the order of work-items",
    ENDING S0803 Finding "a launch ends under some schedules only",
}
