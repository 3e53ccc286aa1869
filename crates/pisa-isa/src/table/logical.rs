//! Chapter 3 of the instruction reference: logic and shift.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 3.1 and
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits), src1(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::And, "Syntax")
    },
    // 3.2 asr
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Signed), src0(of(Type), Signed), src1(bits(32), Unsigned)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Asr, "Syntax")
    },
    Form {
        slots: &[required(Type, q![B16x2])],
        operands: &[packed_dst(of(Type), Signed), packed("src0", of(Type), Signed), src1(bits(32), Unsigned)],
        ..row(Opcode::Asr, "packed")
    },
    // 3.3 bfi
    Form {
        slots: &[required(Type, q![B32])],
        operands: &[
            dst(bits(32), Bits),
            src0(bits(32), Bits),
            src1(bits(32), Bits),
            src2(bits(32), Bits),
            src3(bits(32), Bits),
        ],
        ..row(Opcode::Bfi, "Syntax")
    },
    // 3.4 bfn
    Form {
        slots: &[truth_table(), required(Type, q![B32])],
        operands: &[dst(bits(32), Bits), src0(bits(32), Bits), src1(bits(32), Bits), src2(bits(32), Bits)],
        ..row(Opcode::Bfn, "Syntax")
    },
    // 3.5 bfrev
    Form {
        slots: &[required(Type, q![B32])],
        operands: &[dst(bits(32), Bits), src0(bits(32), Bits)],
        ..row(Opcode::Bfrev, "Syntax")
    },
    // 3.6 cbit
    Form {
        slots: &[required(Type, q![B16, B32])],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Cbit, "Syntax")
    },
    // 3.7 fbh
    Form {
        slots: &[required(Type, q![B16, B32])],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Fbh, "Syntax")
    },
    // 3.8 fbl
    Form {
        slots: &[required(Type, q![B16, B32])],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Fbl, "Syntax")
    },
    // 3.9 not
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Not, "Syntax")
    },
    // 3.10 or
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits), src1(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Or, "Syntax")
    },
    // 3.11 sbfe
    Form {
        slots: &[required(Type, q![B32])],
        operands: &[dst(bits(32), Bits), src0(bits(32), Bits), src1(bits(32), Bits), src2(bits(32), Bits)],
        ..row(Opcode::Sbfe, "Syntax")
    },
    // 3.12 shr
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Unsigned), src0(of(Type), Unsigned), src1(bits(32), Unsigned)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Shr, "Syntax")
    },
    Form {
        slots: &[required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Unsigned),
            packed("src0", of(Type), Unsigned),
            src1(bits(32), Unsigned),
        ],
        ..row(Opcode::Shr, "packed")
    },
    // 3.13 shl
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Unsigned), src0(of(Type), Unsigned), src1(bits(32), Unsigned)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Shl, "Syntax")
    },
    Form {
        slots: &[required(Type, q![B16x2])],
        operands: &[
            packed_dst(of(Type), Unsigned),
            packed("src0", of(Type), Unsigned),
            src1(bits(32), Unsigned),
        ],
        ..row(Opcode::Shl, "packed")
    },
    // 3.14 shf
    Form {
        slots: &[required(Dir, q![L, R]), required(Type, q![B32])],
        operands: &[
            dst(bits(32), Unsigned),
            src0(bits(32), Unsigned),
            src1(bits(32), Unsigned),
            src2(bits(32), Unsigned),
        ],
        ..row(Opcode::Shf, "Syntax")
    },
    // 3.15 ubfe
    Form {
        slots: &[required(Type, q![B32])],
        operands: &[dst(bits(32), Bits), src0(bits(32), Bits), src1(bits(32), Bits), src2(bits(32), Bits)],
        ..row(Opcode::Ubfe, "Syntax")
    },
    // 3.16 xor
    Form {
        slots: &[required(Type, INTEGERS)],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits), src1(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0_SRC1],
        ..row(Opcode::Xor, "Syntax")
    },
];
