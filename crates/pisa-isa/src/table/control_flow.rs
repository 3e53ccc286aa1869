//! Chapter 6 of the instruction reference: control flow.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 6.1 call
    Form {
        operands: &[
            operand("retval", ResultOrVoid, Width::None, Write, Bits),
            operand("target", CallTarget, bits(64), Read, Bits),
            operand("args", Arguments, Width::None, Read, Bits),
        ],
        restrictions: &[restriction(
            "type of retval must match target function return type",
            Rule::ReturnType { operand: "retval" },
        )],
        effects: CALL,
        ..row(Opcode::Call, "Unconditional function call")
    },
    Form {
        slots: &[required(Cond, q![Cond])],
        operands: &[
            guard(),
            operand("retval", ResultOrVoid, Width::None, ReadWrite, Bits),
            operand("target", CallTarget, bits(64), Read, Bits),
            operand("args", Arguments, Width::None, Read, Bits),
        ],
        restrictions: &[restriction(
            "type of retval must match target function return type",
            Rule::ReturnType { operand: "retval" },
        )],
        effects: CALL,
        ..row(Opcode::Call, "Conditional function call")
    },
    // 6.2 goto
    Form {
        operands: &[operand("label", Label, Width::None, Read, Bits)],
        effects: Effects::CONTROL_FLOW,
        ..row(Opcode::Goto, "Unconditional branch")
    },
    Form {
        slots: &[required(Cond, q![Cond])],
        operands: &[guard(), operand("label", Label, Width::None, Read, Bits)],
        effects: Effects::CONTROL_FLOW,
        ..row(Opcode::Goto, "Conditional branch")
    },
    // 6.3 return
    Form {
        operands: &[operand("retval", ReturnValue, Width::None, Read, Bits).optional()],
        restrictions: &[restriction(
            "type of retval must match current function return type",
            Rule::ReturnType { operand: "retval" },
        )],
        effects: Effects::CONTROL_FLOW,
        ..row(Opcode::Return, "Unconditional return")
    },
    Form {
        slots: &[required(Cond, q![Cond])],
        operands: &[guard(), operand("retval", ReturnValue, Width::None, Read, Bits).optional()],
        restrictions: &[restriction(
            "type of retval must match current function return type",
            Rule::ReturnType { operand: "retval" },
        )],
        effects: Effects::CONTROL_FLOW,
        ..row(Opcode::Return, "Conditional return")
    },
];
