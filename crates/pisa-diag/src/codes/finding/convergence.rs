//! Codes of findings about who takes part in cross-lane instructions, C03xx.

codes! {
    ABSENT_SOURCE C0301 Finding "a shuffle from a lane that is alive but elsewhere",
    MASK_NOT_UNIFORM C0302 Finding "a mask that differs between active lanes",
    MASK_NAMES_ABSENT C0303 Finding "a mask that names lanes which are alive but elsewhere",
    NOBODY_TAKES_PART C0304 Finding "a cross-lane instruction in which nobody takes part",
    OUTSIDE_OWN_MASK C0305 Finding "a lane that is not in its own mask",
    DIVERGENT_ACTIVE_MASK C0306 Finding "`%activemask` read where lanes are apart",
    SHUFFLE_CONTROL C0307 Finding "a shuffle control that is not in the table",
    SOURCE_LEFT C0308 Finding "a shuffle from a lane that has left the kernel",
}
