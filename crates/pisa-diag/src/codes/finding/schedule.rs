//! Codes of findings about results that depend on the schedule, S08xx.

codes! {}
