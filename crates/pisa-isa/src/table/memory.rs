//! Chapter 8 of the instruction reference: memory and atomics.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 8.1 fatom
    Form {
        slots: &[
            required(Addrspace, q![Global, Generic, Shared]),
            optional(Memorder, q![Relaxed, Release, Acquire, AcqRel], Some(Qualifier::Relaxed)),
            optional(Memscope, q![Workgroup, Gpu, System], None),
            optional(Cc, q![Uc, L2wb, L3wb], None),
            required(Op, q![Add, Sub, Min, Max, Cas]),
            required(Type, FLOATS),
        ],
        operands: &[
            dst(of(Type), Float(Type)),
            address(),
            register("src0", of(Type), Float(Type)),
            register("src1", of(Type), Float(Type)).optional(),
        ],
        restrictions: &[
            WIDTH_OF_DST_SRC0_SRC1,
            operand_only_when(
                "operand src1 is defined only when qualifier .op is .cas",
                "src1",
                Is(Op, q![Cas]),
            ),
            not_specified_when(
                "qualifier .cc must not be specified when qualifier .addrspace is .shared",
                Cc,
                Is(Addrspace, q![Shared]),
            )
            .departure(),
            specified_only_when(
                "qualifier .memscope can be specified only when qualifier .memorder != .relaxed",
                Memscope,
                Not(&Is(Memorder, q![Relaxed])),
            ),
            value_excluded_when(
                "qualifier .type cannot be .df unless qualifier .addrspace is .global and qualifier .op is one of [.add, .sub]",
                Type,
                Qualifier::Df,
                Not(&All(&[Is(Addrspace, q![Global]), Is(Op, q![Add, Sub])])),
            ),
        ],
        effects: ATOMIC,
        ..row(Opcode::Fatom, "Syntax")
    },
    // 8.2 iatom
    Form {
        slots: &[
            required(Addrspace, q![Global, Shared, Generic]),
            optional(Memorder, q![Relaxed, Release, Acquire, AcqRel], Some(Qualifier::Relaxed)),
            optional(Memscope, q![Workgroup, Gpu, System], None),
            optional(Cc, q![Uc, L2wb, L3wb], None),
            required(
                Op,
                q![Add, Sub, Smin, Smax, Umin, Umax, And, Or, Xor, Xchg, Cas, Inc, Dec, Incwrap, Decwrap],
            ),
            required(Type, q![B16, B32, B64, B128]),
        ],
        operands: &[
            dst(of(Type), Bits),
            address(),
            register("src0", of(Type), Bits).optional(),
            register("src1", of(Type), Bits).optional(),
        ],
        restrictions: &[
            WIDTH_OF_DST_SRC0_SRC1,
            operand_only_when(
                "operand src0 is not defined when qualifier .op is one of [.inc, .dec]",
                "src0",
                Not(&Is(Op, q![Inc, Dec])),
            ),
            operand_only_when(
                "operand src1 is defined only when qualifier .op is .cas",
                "src1",
                Is(Op, q![Cas]),
            ),
            value_excluded_when(
                "qualifier .type cannot be .16b when qualifier .op is one of [.incwrap, .decwrap]",
                Type,
                Qualifier::B16,
                Is(Op, q![Incwrap, Decwrap]),
            ),
            value_excluded_when(
                "qualifier .type cannot be .128b unless qualifier .op is one of [.xchg, .cas]",
                Type,
                Qualifier::B128,
                Not(&Is(Op, q![Xchg, Cas])),
            ),
            value_excluded_when(
                "qualifier .type cannot be .64b unless qualifier .op is .cas or qualifier .addrspace is .global",
                Type,
                Qualifier::B64,
                Not(&Any(&[Is(Op, q![Cas]), Is(Addrspace, q![Global])])),
            ),
            not_specified_when(
                "qualifier .cc must not be specified when qualifier .addrspace is .shared",
                Cc,
                Is(Addrspace, q![Shared]),
            )
            .departure(),
            specified_only_when(
                "qualifier .memscope can be specified only when qualifier .memorder != .relaxed",
                Memscope,
                Not(&Is(Memorder, q![Relaxed])),
            ),
        ],
        effects: ATOMIC,
        ..row(Opcode::Iatom, "Syntax")
    },
    // 8.3 ld
    Form {
        slots: &[
            optional(Addrspace, q![Global, Generic, Shared, Private, Const], Some(Qualifier::Generic)),
            optional(Memorder, q![Weak], Some(Qualifier::Weak)),
            optional(
                Cc,
                q![
                    L1ucL2ucL3uc,
                    L1ucL2ucL3c,
                    L1ucL2cL3uc,
                    L1ucL2cL3c,
                    L1cL2ucL3uc,
                    L1cL2ucL3c,
                    L1cL2cL3uc,
                    L1cL2cL3c,
                    L1sL2ucL3uc,
                    L1sL2ucL3c,
                    L1sL2cL3uc,
                    L1sL2cL3c,
                    Ri
                ],
                None,
            ),
            optional(Vec, q![V2, V3, V4, V8], None),
            required(Type, q![B8, B16, B32, B64]),
        ],
        operands: &[operand("dst", Memory, of(Type), Write, Bits), address()],
        restrictions: &[
            width("bitwidth of dst must match the bitwidth of .type", &["dst"]),
            restriction(
                "number of elements of dst must match value of .vec",
                Rule::ElementCount { operand: "dst" },
            ),
            value_excluded_when(
                "qualifier .vec cannot be .v3 unless qualifier .type is one of [.32b, .64b]",
                Vec,
                Qualifier::V3,
                Not(&Is(Type, q![B32, B64])),
            ),
            value_excluded_when(
                "qualifier .vec cannot be .v8 unless qualifier .type is .32b",
                Vec,
                Qualifier::V8,
                Not(&Is(Type, q![B32])),
            ),
            not_specified_when(
                "qualifier .cc must not be specified when qualifier .addrspace is .shared",
                Cc,
                Is(Addrspace, q![Shared]),
            )
            .departure(),
            not_specified_when(
                "qualifier .memorder must not be specified when qualifier .addrspace is one of [.private, .const]",
                Memorder,
                Is(Addrspace, q![Private, Const]),
            ),
        ],
        effects: LOAD,
        ..row(Opcode::Ld, "Load data from memory (non-atomic)")
    },
    Form {
        slots: &[
            optional(Addrspace, q![Global, Generic, Shared], Some(Qualifier::Generic)),
            required(Memorder, q![Relaxed, Acquire, SeqCst]),
            optional(Memscope, q![Workgroup, Gpu, System], None),
            optional(Cc, q![Uc, L2wb, L3wb], None),
            required(Type, q![B16, B32, B64, B128]),
        ],
        operands: &[dst(of(Type), Bits), address()],
        restrictions: &[
            width("bitwidth of dst must match the bitwidth of .type", &["dst"]),
            not_specified_when(
                "qualifier .cc must not be specified when qualifier .addrspace is .shared",
                Cc,
                Is(Addrspace, q![Shared]),
            )
            .departure(),
            specified_only_when(
                "qualifier .memscope can be specified only when qualifier .memorder is one of [.acquire, .seq_cst]",
                Memscope,
                Is(Memorder, q![Acquire, SeqCst]),
            ),
            value_excluded_when(
                "qualifier .type cannot be .64b unless qualifier .addrspace is .global",
                Type,
                Qualifier::B64,
                Not(&Is(Addrspace, q![Global])),
            )
            .departure(),
        ],
        effects: ATOMIC_LOAD,
        ..row(Opcode::Ld, "Load data from memory (atomic)")
    },
    // 8.4 ld.param
    Form {
        slots: &[optional(Vec, q![V2, V3, V4, V8], None), required(Type, q![B8, B16, B32, B64])],
        operands: &[operand("dst", Memory, of(Type), Write, Bits), parameter_address()],
        restrictions: &[
            width("bitwidth of dst must match the bitwidth of .type", &["dst"]),
            restriction(
                "number of elements of dst must match value of .vec",
                Rule::ElementCount { operand: "dst" },
            ),
            value_excluded_when(
                "qualifier .vec cannot be .v3 unless qualifier .type is one of [.32b, .64b]",
                Vec,
                Qualifier::V3,
                Not(&Is(Type, q![B32, B64])),
            ),
            value_excluded_when(
                "qualifier .vec cannot be .v8 unless qualifier .type is .32b",
                Vec,
                Qualifier::V8,
                Not(&Is(Type, q![B32])),
            ),
        ],
        effects: PARAMETER,
        ..row(Opcode::LdParam, "Syntax")
    },
    // 8.5 st
    Form {
        slots: &[
            optional(Addrspace, q![Global, Generic, Shared, Private], Some(Qualifier::Generic)),
            optional(Memorder, q![Weak], Some(Qualifier::Weak)),
            optional(
                Cc,
                q![
                    L1ucL2ucL3uc,
                    L1ucL2ucL3wb,
                    L1ucL2wbL3uc,
                    L1ucL2wbL3wb,
                    L1wtL2ucL3uc,
                    L1wtL2ucL3wb,
                    L1wtL2wbL3uc,
                    L1wtL2wbL3wb,
                    L1sL2ucL3uc,
                    L1sL2ucL3wb,
                    L1sL2wbL3uc,
                    L1wbL2ucL3uc,
                    L1wbL2wbL3uc,
                    L1wbL2ucL3wb
                ],
                None,
            ),
            optional(Vec, q![V2, V3, V4, V8], None),
            required(Type, q![B8, B16, B32, B64]),
        ],
        operands: &[address(), operand("src0", Memory, of(Type), Read, Bits)],
        restrictions: &[
            width("bitwidth of src0 must match the bitwidth of .type", &["src0"]),
            restriction(
                "number of elements of src0 must match value of .vec",
                Rule::ElementCount { operand: "src0" },
            ),
            value_excluded_when(
                "qualifier .vec cannot be .v3 unless qualifier .type is one of [.32b, .64b]",
                Vec,
                Qualifier::V3,
                Not(&Is(Type, q![B32, B64])),
            ),
            value_excluded_when(
                "qualifier .vec cannot be .v8 unless qualifier .type is .32b",
                Vec,
                Qualifier::V8,
                Not(&Is(Type, q![B32])),
            ),
            not_specified_when(
                "qualifier .cc must not be specified when qualifier .addrspace is .shared",
                Cc,
                Is(Addrspace, q![Shared]),
            )
            .departure(),
            not_specified_when(
                "qualifier .memorder must not be specified when qualifier .addrspace is .private",
                Memorder,
                Is(Addrspace, q![Private]),
            ),
        ],
        effects: STORE,
        ..row(Opcode::St, "Store data to memory (non-atomic)")
    },
    Form {
        slots: &[
            optional(Addrspace, q![Global, Generic, Shared], Some(Qualifier::Generic)),
            required(Memorder, q![Relaxed, Release, SeqCst]),
            optional(Memscope, q![Workgroup, Gpu, System], None),
            optional(Cc, q![Uc, L2wb, L3wb], None),
            required(Type, q![B16, B32, B64, B128]),
        ],
        operands: &[address(), register("src0", of(Type), Bits)],
        restrictions: &[
            width("bitwidth of src0 must match the bitwidth of .type", &["src0"]),
            not_specified_when(
                "qualifier .cc must not be specified when qualifier .addrspace is .shared",
                Cc,
                Is(Addrspace, q![Shared]),
            )
            .departure(),
            specified_only_when(
                "qualifier .memscope can be specified only when qualifier .memorder is one of [.release, .seq_cst]",
                Memscope,
                Is(Memorder, q![Release, SeqCst]),
            ),
            value_excluded_when(
                "qualifier .type cannot be .64b unless qualifier .addrspace is .global",
                Type,
                Qualifier::B64,
                Not(&Is(Addrspace, q![Global])),
            )
            .departure(),
        ],
        effects: ATOMIC_STORE,
        ..row(Opcode::St, "Store data to memory (atomic)")
    },
];
