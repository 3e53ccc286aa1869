//! Chapter 5 of the instruction reference: comparison and selection.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 5.1 scmp
    Form {
        slots: &[required(Cop, COMPARISONS), required(Type, INTEGERS)],
        operands: &[predicate_out("pred"), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_SRC0_SRC1],
        ..row(Opcode::Scmp, "predicate destination")
    },
    Form {
        slots: &[required(Cop, COMPARISONS), required(Type, INTEGERS)],
        operands: &[dst(bits(32), Bits), src0(of(Type), Signed), src1(of(Type), Signed)],
        restrictions: &[WIDTH_OF_SRC0_SRC1],
        ..row(Opcode::Scmp, "register destination")
    },
    // 5.2 ucmp
    Form {
        slots: &[required(Cop, COMPARISONS), required(Type, INTEGERS)],
        operands: &[predicate_out("pred"), src0(of(Type), Unsigned), src1(of(Type), Unsigned)],
        restrictions: &[WIDTH_OF_SRC0_SRC1],
        ..row(Opcode::Ucmp, "Unsigned comparison with predicate destination")
    },
    Form {
        slots: &[required(Cop, COMPARISONS), required(Type, INTEGERS)],
        operands: &[dst(bits(32), Bits), src0(of(Type), Unsigned), src1(of(Type), Unsigned)],
        restrictions: &[WIDTH_OF_SRC0_SRC1],
        ..row(Opcode::Ucmp, "Unsigned comparison with register destination")
    },
    Form {
        slots: &[required(Cop, COMPARISONS), required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Bits),
            packed("src0", of(Type), Unsigned),
            packed("src1", of(Type), Unsigned),
        ],
        ..row(Opcode::Ucmp, "packed")
    },
    // 5.3 fcmp
    Form {
        slots: &[required(Cop, COMPARISONS), flag(Ftz), required(Type, FLOATS)],
        operands: &[predicate_out("pred"), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_SRC0_SRC1],
        ..row(Opcode::Fcmp, "Floating-point comparison with predicate destination")
    },
    Form {
        slots: &[required(Cop, COMPARISONS), flag(Ftz), required(Type, FLOATS)],
        operands: &[dst(bits(32), Bits), src0(of(Type), Float(Type)), src1(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_SRC0_SRC1],
        ..row(Opcode::Fcmp, "Floating-point comparison with register destination")
    },
    Form {
        slots: &[required(Cop, COMPARISONS), flag(Ftz), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Bits),
            packed("src0", of(Type), Float(Type)),
            packed("src1", of(Type), Float(Type)),
        ],
        ..row(Opcode::Fcmp, "packed")
    },
    // 5.4 sel
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[
            dst(of(Type), Bits),
            src0(of(Type), Bits),
            src1(of(Type), Bits),
            register("src2", of(Type), Bits),
        ],
        restrictions: &[width(
            "bitwidth of dst, src0, src1, and src2 must match the bitwidth of .type",
            &["dst", "src0", "src1", "src2"],
        )],
        ..row(Opcode::Sel, "Select based on register value")
    },
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits), src1(of(Type), Bits), guard()],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Sel, "Select based on predicate")
    },
];
