//! Chapter 9 of the instruction reference: synchronization.

use super::dsl::*;

pub(crate) const FORMS: &[Form] = &[
    // 9.1 barrier.workgroup
    Form { effects: BARRIER, ..row(Opcode::BarrierWorkgroup, "Syntax") },
    // 9.2 fence
    Form {
        slots: &[
            optional(Addrspace, q![Shared, Generic], Some(Qualifier::Generic)),
            optional(Memorder, q![Acquire, Release, AcqRel, SeqCst], Some(Qualifier::AcqRel)),
            required(Memscope, q![Workgroup, Gpu]),
        ],
        effects: Effects::FENCE,
        ..row(Opcode::Fence, "Fence on shared or generic address space")
    },
    Form {
        slots: &[
            required(Addrspace, q![Global]),
            optional(Memorder, q![Acquire, Release, AcqRel, SeqCst], Some(Qualifier::AcqRel)),
            required(Memscope, q![Workgroup, Gpu, System]),
        ],
        effects: Effects::FENCE,
        ..row(Opcode::Fence, "Fence on global address space")
    },
    Form {
        slots: &[required(Memscope, q![Subgroup])],
        effects: Effects::FENCE,
        ..row(Opcode::Fence, "Sub-group fence")
    },
];
