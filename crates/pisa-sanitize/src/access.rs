//! Accesses to memory as checks see them: addresses worked out once for all of them.

use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_machine::{GENERIC_PRIVATE, GENERIC_SHARED, GENERIC_TAG, LANES, LaneValues, Step};
use pisa_module::{Instruction, Operand};

/// What an access does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Load,
    Store,
    /// `iatom` and `fatom`: both.
    Modify,
}

/// The parts of an access that are the same every time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    /// `.addrspace`, `.generic` where none is written (M-01).
    pub(crate) space: Qualifier,
    /// `.memorder`; `None` for weak accesses. `iatom` and `fatom` are relaxed where none is written (M-06).
    pub(crate) order: Option<Qualifier>,
    /// `.memscope`; `.gpu`, or `.workgroup` in shared memory, where an order stronger than relaxed has none (M-04).
    pub(crate) scope: Option<Qualifier>,
    /// Bytes of an element.
    pub(crate) bytes: u32,
    /// Elements, at consecutive addresses.
    pub(crate) elements: u32,
    /// Index of the address among the operands.
    pub(crate) address: usize,
}

impl Shape {
    /// The shape of `ld`, `st`, `iatom` and `fatom`; `None` for other instructions.
    pub(crate) fn of(instruction: &Instruction) -> Option<Shape> {
        let kind = match instruction.row().opcode {
            Opcode::Ld => Kind::Load,
            Opcode::St => Kind::Store,
            Opcode::Iatom | Opcode::Fatom => Kind::Modify,
            _ => return None,
        };
        let space = instruction.qualifier(SlotName::Addrspace).unwrap_or(Qualifier::Generic);
        let order = match instruction.qualifier(SlotName::Memorder) {
            Some(Qualifier::Weak) => None,
            None if kind == Kind::Modify => Some(Qualifier::Relaxed),
            order => order,
        };
        let scope = instruction.qualifier(SlotName::Memscope).or(match order {
            None | Some(Qualifier::Relaxed) => None,
            Some(_) if space == Qualifier::Shared => Some(Qualifier::Workgroup),
            Some(_) => Some(Qualifier::Gpu),
        });
        let bits = instruction.qualifier(SlotName::Type)?.bits()?;
        let elements = instruction.qualifier(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1);
        let address =
            instruction.operands.iter().position(|operand| matches!(operand, Operand::Address { .. }))?;
        let (bytes, elements) = (u32::from(bits) / 8, u32::from(elements));
        Some(Shape { kind, space, order, scope, bytes, elements, address })
    }

    /// Whether it is an atomic access (M-15).
    pub(crate) fn is_atomic(&self) -> bool {
        self.order.is_some()
    }
}

/// Lanes of an access by the space that they go to, and where in it.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) shape: Shape,
    /// The addresses as the instruction has them.
    pub(crate) addresses: LaneValues,
    /// Lanes that go to global or constant memory: all addresses count in full.
    pub(crate) global: u32,
    /// Lanes that go to shared memory: the low 32 bits of the address count.
    pub(crate) shared: u32,
    /// Lanes that go to private memory: the low 32 bits of the address count.
    pub(crate) private: u32,
}

impl Access {
    pub(crate) fn of(shape: Shape, step: &Step<'_>) -> Access {
        let mut access = Access::new(shape);
        access.read(step);
        access
    }

    /// Of no lane yet.
    pub(crate) fn new(shape: Shape) -> Access {
        Access { shape, addresses: [0; LANES as usize], global: 0, shared: 0, private: 0 }
    }

    /// Works out the lanes and addresses of a step.
    pub(crate) fn read(&mut self, step: &Step<'_>) {
        let access = self;
        step.view.read(access.shape.address, 0, &mut access.addresses);
        (access.global, access.shared, access.private) = (0, 0, 0);
        match access.shape.space {
            Qualifier::Shared => access.shared = step.lanes,
            Qualifier::Private => access.private = step.lanes,
            // M-01, D-24, D-28.
            Qualifier::Generic => {
                for (lane, address) in access.addresses.iter().enumerate() {
                    let tag = address & GENERIC_TAG;
                    access.shared |= u32::from(tag == GENERIC_SHARED) << lane;
                    access.private |= u32::from(tag == GENERIC_PRIVATE) << lane;
                }
                access.shared &= step.lanes;
                access.private &= step.lanes;
                access.global = step.lanes & !access.shared & !access.private;
            }
            _ => access.global = step.lanes,
        }
    }

    /// Bytes that a lane accesses.
    pub(crate) fn size(&self) -> u64 {
        u64::from(self.shape.bytes) * u64::from(self.shape.elements)
    }
}
