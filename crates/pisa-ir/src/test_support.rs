//! Small functions for tests.

use crate::{
    Block, CrossLane, CrossLaneKind, Element, Function, InactiveSource, Instruction, Operand, Operation,
    Reduction, Scope, ShuffleKind, Target, Terminator, Value,
};
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{FunctionKind, RegisterType};

/// A function under construction.
pub(crate) struct Builder {
    pub(crate) function: Function,
}

impl Builder {
    /// A kernel without blocks.
    pub(crate) fn kernel() -> Builder {
        let kind = FunctionKind::Kernel {
            parameters: Vec::new(),
            required_work_group_size: None,
            vector_type_hint: None,
        };
        let function = Function::new("k", kind, crate::samples::NOWHERE);
        Builder { function }
    }
    /// Blocks at the end of the layout.
    pub(crate) fn blocks<const N: usize>(&mut self) -> [Block; N] {
        std::array::from_fn(|_| self.function.append_block())
    }
    /// A value of which nothing is known: an unwritten register.
    pub(crate) fn value(&mut self, block: Block, ty: RegisterType) -> Value {
        self.function.append_value(block, Operation::Initial, [], ty)
    }
    pub(crate) fn branch(&mut self, from: Block, condition: Value, taken: Block, otherwise: Block) {
        self.function.blocks[from.index()].terminator = Terminator::Branch {
            condition: condition.into(),
            taken: Target::new(taken),
            otherwise: Target::new(otherwise),
        };
    }
    pub(crate) fn goto(&mut self, from: Block, to: Block) {
        self.function.blocks[from.index()].terminator = Terminator::Goto(Target::new(to));
    }
    /// A cross-lane operation with its operands before the mask; its pass-through is dead.
    pub(crate) fn cross(
        &mut self,
        block: Block,
        operation: CrossLane,
        operands: impl IntoIterator<Item = Operand>,
        mask: Operand,
    ) -> Instruction {
        let mut operands: Vec<Operand> = operands.into_iter().collect();
        operands.extend(operation.has_mask().then_some(mask));
        operands.extend(operation.has_pass_through().then_some(Operand::Dead));
        self.function.append(block, Operation::CrossLane(operation), operands, [operation.result()], None)
    }
    pub(crate) fn table(
        &mut self,
        block: Block,
        operation: Operation,
        operands: impl IntoIterator<Item = Operand>,
        ty: RegisterType,
    ) -> Instruction {
        self.function.append(block, operation, operands, [ty], None)
    }
    pub(crate) fn load(&mut self, block: Block, address: Value) -> Instruction {
        let load =
            table(Opcode::Ld, &[(SlotName::Addrspace, Qualifier::Global), (SlotName::Type, Qualifier::B32)]);
        self.table(block, load, [address.into(), Operand::word(0)], RegisterType::scalar(32))
    }
    pub(crate) fn store(&mut self, block: Block, address: Value, value: Operand) -> Instruction {
        let store =
            table(Opcode::St, &[(SlotName::Addrspace, Qualifier::Global), (SlotName::Type, Qualifier::B32)]);
        self.function.append(block, store, [address.into(), Operand::word(0), value], [], None)
    }
    /// The result of an instruction.
    pub(crate) fn result(&self, instruction: Instruction) -> Value {
        self.function.instruction(instruction).results[0]
    }
}

/// The first form of an opcode that has these slots.
pub(crate) fn table(opcode: Opcode, values: &[(SlotName, Qualifier)]) -> Operation {
    pisa_isa::forms_of(opcode).iter().find_map(|form| Operation::table(form, values)).expect("a form")
}

pub(crate) fn iadd() -> Operation {
    table(Opcode::Iadd, &[(SlotName::Type, Qualifier::B32)])
}

fn own(kind: CrossLaneKind, element: Element) -> CrossLane {
    CrossLane { kind, element, inactive: InactiveSource::Own }
}

pub(crate) fn ballot() -> CrossLane {
    own(CrossLaneKind::Ballot { bits: 32 }, Element::Predicate)
}

pub(crate) fn reduce(reduction: Reduction) -> CrossLane {
    let cluster = crate::ClusterSize::FULL;
    own(CrossLaneKind::Reduce { reduction, scope: Scope::Reduce, cluster, partitioned: false }, Element::I32)
}

pub(crate) fn shuffle() -> CrossLane {
    own(CrossLaneKind::Shuffle { kind: ShuffleKind::Xor, segmented: false }, Element::I32)
}

pub(crate) fn first_participant() -> CrossLane {
    own(CrossLaneKind::FirstParticipant, Element::I32)
}

/// A module of one function.
pub(crate) fn module(function: &Function) -> crate::Module {
    crate::Module {
        version: pisa_isa::Version(0, 1),
        target: pisa_isa::Target::T100,
        variables: Vec::new(),
        functions: vec![function.clone()],
    }
}

/// Fails with what the verifier says.
pub(crate) fn assert_valid(function: &Function) {
    let module = module(function);
    let errors = crate::verify::verify(&module);
    assert!(errors.is_empty(), "{errors:#?}\n{}", crate::text::print(&module));
}
