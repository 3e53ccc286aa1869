//! Chapter 1 of the instruction reference: integer arithmetic.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 1.1 dp4a
    Form {
        slots: &[required(Signedness, q![Ss, Us, Su, Uu]), flag(Dsat), required(Type, q![B32])],
        operands: &[dst(bits(32), Bits), src0(bits(32), Bits), src1(bits(32), Bits), src2(bits(32), Bits)],
        restrictions: &[not_specified_when(
            "qualifier .dsat must not be specified when qualifier .signedness is .uu",
            Dsat,
            Is(Signedness, q![Uu]),
        )],
        ..row(Opcode::Dp4a, "Syntax")
    },
    // 1.2 iabs
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Iabs, "Syntax")
    },
    // 1.3 iadd
    Form {
        slots: &[flag(Dsat), required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Iadd, "Syntax")
    },
    Form {
        slots: &[flag(Dsat), required(Type, q![B8x4, B16x2])],
        operands: &[
            packed_dst(of(Type), Signed),
            packed("src0", of(Type), Signed),
            packed("src1", of(Type), Signed),
        ],
        restrictions: &[packed_shape(
            "element count and bitwidth of dst, src0 and src1 must match definitions of .type",
            &["dst", "src0", "src1"],
        )],
        ..row(Opcode::Iadd, "packed")
    },
    // 1.4 ineg
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Ineg, "Syntax")
    },
    // 1.5 isub
    Form {
        slots: &[flag(Dsat), required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Isub, "Syntax")
    },
    Form {
        slots: &[flag(Dsat), required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Signed),
            packed("src0", of(Type), Signed),
            packed("src1", of(Type), Signed),
        ],
        ..row(Opcode::Isub, "packed")
    },
    // 1.6 sdiv
    Form {
        slots: &[optional(Output, q![Quo, Rem], Some(Qualifier::Quo)), required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        effects: Effects::CAN_BE_UNDEFINED,
        ..row(Opcode::Sdiv, "Syntax")
    },
    // 1.7 smad
    Form {
        slots: &[required(Precision, q![Full]), required(Type, q![B16, B32])],
        operands: &[
            dst(twice(Type), Signed),
            src0(of(Type), Signed),
            src1(of(Type), Signed),
            src2(twice(Type), Signed),
        ],
        restrictions: &[
            WIDTH_OF_SRC0_SRC1,
            width("bitwidth of dst and src2 must be twice the bitwidth of .type", &["dst", "src2"]),
        ],
        ..row(Opcode::Smad, "Widening signed multiply-add")
    },
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[
            dst(of(Type), Signed),
            src0(of(Type), Signed),
            src1(of(Type), Signed),
            src2(of(Type), Signed),
        ],
        restrictions: &[width(
            "bitwidth of dst, src0, src1, and src2 must match the bitwidth of .type",
            &["dst", "src0", "src1", "src2"],
        )],
        ..row(Opcode::Smad, "Signed multiply-add")
    },
    Form {
        slots: &[required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Signed),
            packed("src0", of(Type), Signed),
            packed("src1", of(Type), Signed),
            packed("src2", of(Type), Signed),
        ],
        ..row(Opcode::Smad, "packed")
    },
    // 1.8 smax
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Smax, "Syntax")
    },
    Form {
        slots: &[required(Type, q![B8x4, B16x2])],
        operands: &[
            packed_dst(of(Type), Signed),
            packed("src0", of(Type), Signed),
            packed("src1", of(Type), Signed),
        ],
        restrictions: &[packed_shape(
            "element count and bitwidth of dst, src0 and src1 must match definitions of .type",
            &["dst", "src0", "src1"],
        )],
        ..row(Opcode::Smax, "packed")
    },
    // 1.9 smin
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Smin, "Syntax")
    },
    Form {
        slots: &[required(Type, q![B8x4, B16x2])],
        operands: &[
            packed_dst(of(Type), Signed),
            packed("src0", of(Type), Signed),
            packed("src1", of(Type), Signed),
        ],
        restrictions: &[packed_shape(
            "element count and bitwidth of dst, src0 and src1 must match definitions of .type",
            &["dst", "src0", "src1"],
        )],
        ..row(Opcode::Smin, "packed")
    },
    // 1.10 smul
    Form {
        slots: &[required(Precision, q![Full]), required(Type, q![B16, B32])],
        operands: &[dst(twice(Type), Signed), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[
            WIDTH_OF_SRC0_SRC1,
            width("bitwidth of dst must be twice the bitwidth of .type", &["dst"]),
        ],
        ..row(Opcode::Smul, "Widening signed multiply")
    },
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Smul, "Signed multiply")
    },
    Form {
        slots: &[required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Signed),
            packed("src0", of(Type), Signed),
            packed("src1", of(Type), Signed),
        ],
        ..row(Opcode::Smul, "packed")
    },
    // 1.11 uaddc
    Form {
        slots: &[required(Ci, q![Ci]), required(Type, q![B32])],
        operands: &[
            dst(bits(32), Unsigned),
            src0(bits(32), Unsigned),
            src1(bits(32), Unsigned),
            predicate("carry-in"),
        ],
        ..row(Opcode::Uaddc, "Add with carry-in")
    },
    Form {
        slots: &[required(Co, q![Co]), required(Type, q![B32])],
        operands: &[
            dst(bits(32), Unsigned),
            predicate_out("carry-out"),
            src0(bits(32), Unsigned),
            src1(bits(32), Unsigned),
        ],
        ..row(Opcode::Uaddc, "Add with carry-out")
    },
    Form {
        slots: &[required(Ci, q![Ci]), required(Co, q![Co]), required(Type, q![B32])],
        operands: &[
            dst(bits(32), Unsigned),
            predicate_out("carry-out"),
            src0(bits(32), Unsigned),
            src1(bits(32), Unsigned),
            predicate("carry-in"),
        ],
        ..row(Opcode::Uaddc, "Add with carry-in and carry-out")
    },
    // 1.12 udiv
    Form {
        slots: &[optional(Output, q![Quo, Rem], Some(Qualifier::Quo)), required(Type, INTEGERS)],
        operands: &[dst(of(Type), Unsigned), src0(of(Type), Unsigned), src1(of(Type), Unsigned)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        effects: Effects::CAN_BE_UNDEFINED,
        ..row(Opcode::Udiv, "Syntax")
    },
    // 1.13 umad
    Form {
        slots: &[required(Precision, q![Full]), required(Type, q![B16, B32])],
        operands: &[
            dst(twice(Type), Unsigned),
            src0(of(Type), Unsigned),
            src1(of(Type), Unsigned),
            src2(twice(Type), Unsigned),
        ],
        restrictions: &[
            WIDTH_OF_SRC0_SRC1,
            width("bitwidth of dst and src2 must be twice the bitwidth of .type", &["dst", "src2"]),
        ],
        ..row(Opcode::Umad, "Widening unsigned multiply-add")
    },
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[
            dst(of(Type), Unsigned),
            src0(of(Type), Unsigned),
            src1(of(Type), Unsigned),
            src2(of(Type), Unsigned),
        ],
        restrictions: &[width(
            "bitwidth of dst, src0, src1, and src2 must match the bitwidth of .type",
            &["dst", "src0", "src1", "src2"],
        )],
        ..row(Opcode::Umad, "Unsigned multiply-add")
    },
    // 1.14 umax
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Unsigned), src0(of(Type), Unsigned), src1(of(Type), Unsigned)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Umax, "Syntax")
    },
    Form {
        slots: &[required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Unsigned),
            packed("src0", of(Type), Unsigned),
            packed("src1", of(Type), Unsigned),
        ],
        ..row(Opcode::Umax, "packed")
    },
    // 1.15 umin
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Unsigned), src0(of(Type), Unsigned), src1(of(Type), Unsigned)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Umin, "Syntax")
    },
    Form {
        slots: &[required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Unsigned),
            packed("src0", of(Type), Unsigned),
            packed("src1", of(Type), Unsigned),
        ],
        ..row(Opcode::Umin, "packed")
    },
    // 1.16 umul
    Form {
        slots: &[required(Precision, q![Full]), required(Type, q![B16, B32])],
        operands: &[dst(twice(Type), Unsigned), src0(of(Type), Unsigned), src1(of(Type), Unsigned)],
        restrictions: &[
            WIDTH_OF_SRC0_SRC1,
            width("bitwidth of dst must be twice the bitwidth of .type", &["dst"]),
        ],
        ..row(Opcode::Umul, "Widening unsigned multiply")
    },
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Unsigned), src0(of(Type), Unsigned), src1(of(Type), Unsigned)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Umul, "Unsigned multiply")
    },
];
