//! Chapter 2 of the instruction reference: floating point.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 2.1 fabs
    Form {
        slots: &[flag(Ftz), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Fabs, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ..row(Opcode::Fabs, "packed")
    },
    // 2.2 fadd
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Fadd, "Syntax")
    },
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Float(Type)),
            packed("src0", of(Type), Float(Type)),
            packed("src1", of(Type), Float(Type)),
        ],
        ..row(Opcode::Fadd, "packed")
    },
    // 2.3 fcos
    Form {
        slots: &[flag(Ftz), required(Type, SHORT_FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: SHORT_ULP_2,
        ..row(Opcode::Fcos, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_2,
        ..row(Opcode::Fcos, "packed")
    },
    // 2.4 fdiv
    Form {
        slots: &[rounding(), flag(Ftz), required(Type, q![F, Df])],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Fdiv, "Floating-point division")
    },
    Form {
        slots: &[flag(Ftz), required(Fast, q![Fast]), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ulp: &[(Qualifier::Bf, 0.5), (Qualifier::Hf, 0.5), (Qualifier::F, 2.5), (Qualifier::Df, 2.0)],
        ..row(Opcode::Fdiv, "Fast floating-point division")
    },
    // 2.5 fexp2
    Form {
        slots: &[flag(Ftz), required(Type, SHORT_FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: SHORT_ULP_2,
        ..row(Opcode::Fexp2, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_2,
        ..row(Opcode::Fexp2, "packed")
    },
    // 2.6 flog2
    Form {
        slots: &[flag(Ftz), required(Type, SHORT_FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: SHORT_ULP_1,
        ulp_exception: NEAR_ONE,
        ..row(Opcode::Flog2, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_1,
        ulp_exception: NEAR_ONE,
        ..row(Opcode::Flog2, "packed")
    },
    // 2.7 fmad
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, FLOATS)],
        operands: &[
            dst(of(Type), Float(Type)),
            src0(of(Type), Float(Type)),
            src1(of(Type), Float(Type)),
            src2(of(Type), Float(Type)),
        ],
        restrictions: &[width(
            "bitwidth of dst, src0, src1, and src2 must match the bitwidth of .type",
            &["dst", "src0", "src1", "src2"],
        )],
        ..row(Opcode::Fmad, "Syntax")
    },
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Float(Type)),
            packed("src0", of(Type), Float(Type)),
            packed("src1", of(Type), Float(Type)),
            packed("src2", of(Type), Float(Type)),
        ],
        ..row(Opcode::Fmad, "packed")
    },
    // 2.8 fmax
    Form {
        slots: &[flag(Ftz), flag(Dsat), flag(Nanp), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Fmax, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), flag(Dsat), flag(Nanp), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Float(Type)),
            packed("src0", of(Type), Float(Type)),
            packed("src1", of(Type), Float(Type)),
        ],
        ..row(Opcode::Fmax, "packed")
    },
    // 2.9 fmin
    Form {
        slots: &[flag(Ftz), flag(Dsat), flag(Nanp), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Fmin, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), flag(Dsat), flag(Nanp), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Float(Type)),
            packed("src0", of(Type), Float(Type)),
            packed("src1", of(Type), Float(Type)),
        ],
        ..row(Opcode::Fmin, "packed")
    },
    // 2.10 fmul
    Form {
        slots: &[
            required(Precision, q![Full]),
            rounding(),
            flag(Ftz),
            flag(Dsat),
            required(Type, q![Bf, Hf]),
        ],
        operands: &[dst(twice(Type), Bits), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[
            WIDTH_OF_SRC0_SRC1,
            width("bitwidth of dst must be twice the bitwidth of .type", &["dst"]),
        ],
        ..row(Opcode::Fmul, "Widening floating-point multiply")
    },
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Fmul, "Floating-point multiply")
    },
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Float(Type)),
            packed("src0", of(Type), Float(Type)),
            packed("src1", of(Type), Float(Type)),
        ],
        ..row(Opcode::Fmul, "packed")
    },
    // 2.11 fneg
    Form {
        slots: &[flag(Ftz), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Fneg, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ..row(Opcode::Fneg, "packed")
    },
    // 2.12 frc
    Form {
        slots: &[flag(Ftz), required(Type, q![F])],
        operands: &[dst(bits(32), Float(Type)), src0(bits(32), Float(Type))],
        ..row(Opcode::Frc, "Syntax")
    },
    // 2.13 frcp
    Form {
        slots: &[flag(Ftz), required(Type, SHORT_FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: SHORT_ULP_1,
        ..row(Opcode::Frcp, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_1,
        ..row(Opcode::Frcp, "packed")
    },
    // 2.14 frsqrt
    Form {
        slots: &[flag(Ftz), required(Fast, q![Fast]), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: &[(Qualifier::Bf, 1.0), (Qualifier::Hf, 1.0), (Qualifier::F, 1.0), (Qualifier::Df, 1.0)],
        ..row(Opcode::Frsqrt, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Fast, q![Fast]), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_1,
        ..row(Opcode::Frsqrt, "packed")
    },
    // 2.15 fsin
    Form {
        slots: &[flag(Ftz), required(Type, SHORT_FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: SHORT_ULP_2,
        ..row(Opcode::Fsin, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_2,
        ..row(Opcode::Fsin, "packed")
    },
    // 2.16 fsqrt
    Form {
        slots: &[rounding(), flag(Ftz), required(Type, q![F, Df])],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Fsqrt, "Floating-point square root")
    },
    Form {
        slots: &[flag(Ftz), required(Fast, q![Fast]), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: &[(Qualifier::Bf, 1.0), (Qualifier::Hf, 1.0), (Qualifier::F, 1.0), (Qualifier::Df, 2.0)],
        ..row(Opcode::Fsqrt, "Fast floating-point square root")
    },
    Form {
        slots: &[flag(Ftz), required(Fast, q![Fast]), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_1,
        ..row(Opcode::Fsqrt, "packed")
    },
    // 2.17 fsub
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Fsub, "Syntax")
    },
    Form {
        slots: &[rounding(), flag(Ftz), flag(Dsat), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Float(Type)),
            packed("src0", of(Type), Float(Type)),
            packed("src1", of(Type), Float(Type)),
        ],
        ..row(Opcode::Fsub, "packed")
    },
    // 2.18 ftanh
    Form {
        slots: &[flag(Ftz), required(Type, SHORT_FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ulp: SHORT_ULP_2,
        ..row(Opcode::Ftanh, "Syntax")
    },
    Form {
        slots: &[flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[packed_dst(of(Type), Float(Type)), packed("src0", of(Type), Float(Type))],
        ulp: PACKED_ULP_2,
        ..row(Opcode::Ftanh, "packed")
    },
];
