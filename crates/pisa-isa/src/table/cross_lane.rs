//! Chapter 7 of the instruction reference: sub-group communication.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 7.1 fred
    Form {
        slots: &[required(Op, q![Min, Max, Absmax]), flag(Nanp), required(Type, SHORT_FLOATS)],
        operands: &[
            dst(of(Type), Float(Type)).read_write(),
            register("src0", of(Type), Float(Type)),
            src1(bits(32), Bits),
        ],
        restrictions: &[WIDTH_OF_DST_SRC0],
        effects: ACROSS_LANES,
        ..row(Opcode::Fred, "Syntax")
    },
    Form {
        slots: &[required(Op, q![Min, Max, Absmax]), flag(Nanp), required(Type, PACKED_FLOATS)],
        operands: &[
            packed_dst(of(Type), Float(Type)).read_write(),
            packed("src0", of(Type), Float(Type)),
            src1(bits(32), Bits),
        ],
        effects: ACROSS_LANES,
        ..row(Opcode::Fred, "packed")
    },
    // 7.2 ired
    Form {
        slots: &[
            required(Op, q![Sum, Smin, Smax, Umin, Umax, And, Or, Xor, Absmax]),
            required(Type, q![B16, B32]),
        ],
        operands: &[dst(of(Type), Bits).read_write(), register("src0", of(Type), Bits), src1(bits(32), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        effects: ACROSS_LANES,
        ..row(Opcode::Ired, "Syntax")
    },
    // 7.3 redfirstidx
    Form {
        slots: &[required(Type, q![B32])],
        operands: &[dst(bits(32), Bits), src0(bits(32), Bits)],
        effects: ACROSS_LANES,
        ..row(Opcode::Redfirstidx, "Syntax")
    },
    // 7.4 shfl
    Form {
        slots: &[required(Op, q![Up, Dn, Xor, Idx]), flag(Sg), required(Type, q![B32])],
        operands: &[
            dst(bits(32), Bits).read_write(),
            register("src0", bits(32), Bits),
            src1(bits(32), Bits),
            src2(bits(32), Bits),
        ],
        effects: ACROSS_LANES,
        ..row(Opcode::Shfl, "Syntax")
    },
];
