//! Chapter 4 of the instruction reference: data movement and conversion.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 4.1 addrcast
    Form {
        slots: &[required(To, q![Generic]), required(From, q![Private, Shared, Global, Const])],
        operands: &[
            dst(bits(64), Bits),
            operand("src0", RegisterOrMemoryVariable, address_of(From), Read, Bits),
        ],
        restrictions: &[
            width("bitwidth of src0 must match the address size of .from", &["src0"]),
            restriction(
                "address space of src0 must match value of .from",
                Rule::AddressSpace { operand: "src0", slot: From },
            ),
        ],
        effects: Effects::CAN_BE_UNDEFINED,
        ..row(Opcode::Addrcast, "Convert from specific address space to generic address space")
    },
    Form {
        slots: &[required(To, q![Global, Private, Shared]), required(From, q![Generic])],
        operands: &[dst(address_of(To), Bits), register("src0", bits(64), Bits)],
        restrictions: &[width("bitwidth of dst must match the address size of .to", &["dst"])],
        effects: Effects::CAN_BE_UNDEFINED,
        ..row(Opcode::Addrcast, "Convert from generic address space to specific address space")
    },
    // 4.2 addrof
    Form {
        slots: &[required(Type, q![B32, B64])],
        operands: &[dst(of(Type), Bits), operand("src0", MemoryVariable, Width::None, Read, Bits)],
        restrictions: &[
            width("bitwidth of dst must match the bitwidth of .type", &["dst"]),
            restriction(
                "address size of storage space of src0 must match the bitwidth of .type",
                Rule::VariableAddressSize { operand: "src0", slot: Type },
            ),
        ],
        ..row(Opcode::Addrof, "Address of a memory variable")
    },
    Form {
        slots: &[required(Type, q![B64])],
        operands: &[dst(bits(64), Bits), operand("src0", FunctionName, Width::None, Read, Bits)],
        ..row(Opcode::Addrof, "Address of a function")
    },
    // 4.3 extract.dynamic
    Form {
        slots: &[required(Vec, VECTOR_COUNTS), required(Type, q![B32])],
        operands: &[
            dst(bits(32), Bits),
            operand("src0", Vector, bits(32), Read, Bits),
            register("index", bits(32), Bits),
        ],
        restrictions: &[restriction(
            "number of elements of src0 must match value of .vec",
            Rule::ElementCount { operand: "src0" },
        )],
        effects: Effects::CAN_BE_UNDEFINED,
        ..row(Opcode::ExtractDynamic, "Syntax")
    },
    // 4.4 extract
    Form {
        slots: &[index(), required(Type, q![B32])],
        operands: &[dst(bits(32), Bits), operand("src0", Vector, bits(32), Read, Bits)],
        restrictions: &[restriction(
            "value of .index must be less than the number of elements in src0",
            Rule::IndexInRange { operand: "src0" },
        )],
        ..row(Opcode::Extract, "Extract scalar from vector register")
    },
    Form {
        slots: &[index(), required(Vec, VECTOR_COUNTS), required(Type, q![B32])],
        operands: &[
            operand("dst", Vector, bits(32), Write, Bits),
            operand("src0", Vector, bits(32), Read, Bits),
        ],
        restrictions: &[
            restriction(
                "number of elements of dst must match value of .vec",
                Rule::ElementCount { operand: "dst" },
            ),
            restriction(
                "qualifier .index must be aligned to the number of elements in dst",
                Rule::IndexAligned { operand: "dst" },
            ),
            restriction(
                "sum of value of .index and number of elements in dst must not exceed the number of elements in src0",
                Rule::IndexSum { part: "dst", whole: "src0" },
            ),
        ],
        ..row(Opcode::Extract, "Extract subvector from vector register")
    },
    // 4.5 f2i
    Form {
        slots: &[required(To, CONVERSION_INTEGERS), required(From, FLOATS), rounding()],
        operands: &[dst(of(To), Bits), src0(of(From), Float(From))],
        restrictions: &[WIDTH_OF_DST_TO, WIDTH_OF_SRC0_FROM],
        ..row(Opcode::F2i, "Syntax")
    },
    // 4.6 fext
    Form {
        slots: &[required(To, q![F, Df]), required(From, SHORT_FLOATS)],
        operands: &[dst(of(To), Float(To)), src0(of(From), Float(From))],
        restrictions: &[WIDTH_OF_DST_TO, WIDTH_OF_SRC0_FROM, WIDER],
        ..row(Opcode::Fext, "Syntax")
    },
    // 4.7 frnd
    Form {
        slots: &[required(Rndmode, ROUNDINGS), flag(Ftz), required(Type, FLOATS)],
        operands: &[dst(of(Type), Float(Type)), src0(of(Type), Float(Type))],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Frnd, "Syntax")
    },
    // 4.8 ftrunc
    Form {
        slots: &[required(To, SHORT_FLOATS), required(From, q![F, Df]), rounding(), flag(Ftz), flag(Dsat)],
        operands: &[dst(of(To), Float(To)), src0(of(From), Float(From))],
        restrictions: &[WIDTH_OF_DST_TO, WIDTH_OF_SRC0_FROM, NARROWER],
        ..row(Opcode::Ftrunc, "Syntax")
    },
    // 4.9 ftrunc2
    Form {
        slots: &[required(To, PACKED_FLOATS), rounding(), flag(Ftz), flag(Dsat)],
        operands: &[
            packed_dst(of(To), Float(To)),
            register("src0", bits(32), Bits),
            register("src1", bits(32), Bits),
        ],
        ..row(Opcode::Ftrunc2, "Syntax")
    },
    // 4.10 i2f
    Form {
        slots: &[required(To, FLOATS), required(From, CONVERSION_INTEGERS), rounding(), flag(Dsat)],
        operands: &[dst(of(To), Float(To)), src0(of(From), Bits)],
        restrictions: &[WIDTH_OF_DST_TO, WIDTH_OF_SRC0_FROM],
        ..row(Opcode::I2f, "Syntax")
    },
    // 4.11 insert.dynamic
    Form {
        slots: &[required(Vec, VECTOR_COUNTS), required(Type, q![B32])],
        operands: &[
            operand("dst", Vector, bits(32), ReadWrite, Bits),
            register("src0", bits(32), Bits),
            register("index", bits(32), Bits),
        ],
        restrictions: &[restriction(
            "number of elements of dst must match value of .vec",
            Rule::ElementCount { operand: "dst" },
        )],
        effects: Effects::CAN_BE_UNDEFINED,
        ..row(Opcode::InsertDynamic, "Syntax")
    },
    // 4.12 insert
    Form {
        slots: &[index(), required(Type, q![B32])],
        operands: &[operand("dst", Vector, bits(32), ReadWrite, Bits), register("src0", bits(32), Bits)],
        restrictions: &[restriction(
            "value of .index must be less than the number of elements in dst",
            Rule::IndexInRange { operand: "dst" },
        )],
        ..row(Opcode::Insert, "Insert scalar into vector register")
    },
    Form {
        slots: &[index(), required(Vec, VECTOR_COUNTS), required(Type, q![B32])],
        operands: &[
            operand("dst", Vector, bits(32), ReadWrite, Bits),
            operand("src0", Vector, bits(32), Read, Bits),
        ],
        restrictions: &[
            restriction(
                "number of elements of src0 must match value of .vec",
                Rule::ElementCount { operand: "src0" },
            ),
            restriction(
                "qualifier .index must be aligned to the number of elements in src0",
                Rule::IndexAligned { operand: "src0" },
            ),
            restriction(
                "sum of value of .index and number of elements in src0 must not exceed the number of elements in dst",
                Rule::IndexSum { part: "src0", whole: "dst" },
            ),
        ],
        ..row(Opcode::Insert, "Insert subvector into vector register")
    },
    // 4.13 isaddr
    Form {
        slots: &[required(Addrspace, q![Private, Shared, Global])],
        operands: &[dst(bits(32), Bits), register("src0", bits(64), Unsigned)],
        ..row(Opcode::Isaddr, "Check if generic address belongs to private/shared/global address space")
    },
    // 4.14 mov
    Form {
        slots: &[required(Type, MOVE_TYPES)],
        operands: &[dst(of(Type), Bits), src0(of(Type), Bits)],
        restrictions: &[WIDTH_OF_DST_SRC0],
        ..row(Opcode::Mov, "Scalar to scalar copy")
    },
    Form {
        slots: &[required(Type, MOVE_TYPES)],
        operands: &[operand("dst", Swizzle, of(Type), Write, Bits), register("src0", of(Type), Bits)],
        restrictions: &[
            restriction(
                "total width of dst must match the bitwidth of .type",
                Rule::SwizzledWidth { operand: "dst" },
            ),
            width("bitwidth of src0 must match the bitwidth of .type", &["src0"]),
        ],
        ..row(Opcode::Mov, "Scalar to vector copy")
    },
    Form {
        slots: &[required(Type, MOVE_TYPES)],
        operands: &[dst(of(Type), Bits), operand("src0", Swizzle, of(Type), Read, Bits)],
        restrictions: &[
            width("bitwidth of dst must match the bitwidth of .type", &["dst"]),
            restriction(
                "total width of src0 must match the bitwidth of .type",
                Rule::SwizzledWidth { operand: "src0" },
            ),
        ],
        ..row(Opcode::Mov, "Vector to scalar copy")
    },
    Form {
        slots: &[required(Type, MOVE_TYPES)],
        operands: &[
            operand("dst", Swizzle, of(Type), Write, Bits),
            operand("src0", Swizzle, of(Type), Read, Bits),
        ],
        restrictions: &[
            restriction(
                "total width of dst must match the bitwidth of .type",
                Rule::SwizzledWidth { operand: "dst" },
            ),
            restriction(
                "total width of src0 must match the bitwidth of .type",
                Rule::SwizzledWidth { operand: "src0" },
            ),
        ],
        ..row(Opcode::Mov, "Vector to vector copy")
    },
    // 4.15 pf2i
    Form {
        slots: &[required(To, q![U16x2, S16x2]), required(From, PACKED_FLOATS), rounding()],
        operands: &[packed_dst(of(To), Bits), packed("src0", of(From), Float(From))],
        ..row(Opcode::Pf2i, "Syntax")
    },
    // 4.16 sext
    Form {
        slots: &[required(To, INTEGERS), required(From, q![B8, B16, B32])],
        operands: &[dst(of(To), Bits), src0(of(From), Bits)],
        restrictions: &[WIDTH_OF_DST_TO, WIDTH_OF_SRC0_FROM, WIDER],
        ..row(Opcode::Sext, "Syntax")
    },
    // 4.17 trunc
    Form {
        slots: &[required(To, q![B8, B16, B32]), required(From, INTEGERS)],
        operands: &[dst(of(To), Bits), src0(of(From), Bits)],
        restrictions: &[WIDTH_OF_DST_TO, WIDTH_OF_SRC0_FROM, NARROWER],
        ..row(Opcode::Trunc, "Syntax")
    },
    // 4.18 zext
    Form {
        slots: &[required(To, INTEGERS), required(From, q![B8, B16, B32])],
        operands: &[dst(of(To), Bits), src0(of(From), Bits)],
        restrictions: &[WIDTH_OF_DST_TO, WIDTH_OF_SRC0_FROM, WIDER],
        ..row(Opcode::Zext, "Syntax")
    },
];
