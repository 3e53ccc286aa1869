//! Operands: where instructions read and write.

use crate::bits::{UNDEFINED, signed, truncate};
use crate::cross_lane::LANES;
use pisa_isa::{Access, Opcode, OperandKind, Qualifier, SlotName};
use pisa_machine::{Image, Launch, SubGroupId, local_id};
use pisa_module::{
    AddressBase, AddressOffset, Function, FunctionKind, Instruction, Operand, RegisterType, RegisterUse,
    Space, SpecialRegister, VariableId,
};

/// What an instruction reads.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Elements of a register: this many from this slot on.
    Register { slot: usize, elements: usize },
    /// The bits of such elements in one row, the first lowest: a swizzled operand of `mov` (D-12, D-13).
    Row { slot: usize, elements: usize, width: u32 },
    /// An immediate, the address of a variable, the handle of a function, the instruction behind a label.
    Constant(u128),
    /// A special register.
    Special(SpecialRegister),
    /// A predicate, 1 or 0 after its `!`.
    Predicate { slot: usize, negated: bool },
    /// The address of a private variable: its offset from the begin of the frame (V-16), and what is added as a tag.
    PrivateVariable { offset: u32 },
    /// `[base + offset]`, modulo 2 to this many bits (Z-02); an offset of fewer bits is sign-extended (M-08, M-11).
    Address { base: Box<Source>, offset: Box<Source>, offset_width: u32, width: u32 },
}

/// What an instruction writes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Destination {
    /// Elements of a register, each of this width; a predicate is one bit.
    Register { slot: usize, elements: usize, width: u32 },
    /// The bits of such elements in one row, the first lowest.
    Row { slot: usize, elements: usize, width: u32 },
}

impl Destination {
    /// Values that the instruction gives for it.
    pub(crate) fn elements(&self) -> usize {
        match *self {
            Destination::Register { elements, .. } => elements,
            Destination::Row { .. } => 1,
        }
    }
}

/// Where the registers of a function lie: each element of each register has a slot of 32 lanes.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    first: Vec<usize>,
    types: Vec<RegisterType>,
    count: usize,
}

impl Slots {
    pub(crate) fn of(function: &Function) -> Slots {
        let mut count = 0;
        let first = function.registers.iter().map(|register| {
            count += usize::from(register.ty.elements);
            count - usize::from(register.ty.elements)
        });
        let first = first.collect();
        Slots { first, types: function.registers.iter().map(|r| r.ty).collect(), count }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The registers of a new activation, every byte without a value; the predicates of a sub-group are the bits of such
    /// bytes. `None` where the host has no room.
    pub(crate) fn undefined(&self) -> Option<Vec<u128>> {
        let mut registers = Vec::new();
        registers.try_reserve_exact(self.count * LANES).ok()?;
        for ty in &self.types {
            for _ in 0..ty.elements {
                if ty.is_predicate() {
                    registers.extend((0..LANES).map(|lane| UNDEFINED >> lane & 1));
                } else {
                    registers.extend([truncate(UNDEFINED, u32::from(ty.bits)); LANES]);
                }
            }
        }
        Some(registers)
    }

    /// First slot and type of a register.
    pub(crate) fn register(&self, index: usize) -> Option<(usize, RegisterType)> {
        Some((*self.first.get(index)?, *self.types.get(index)?))
    }

    /// First slot, count and width of the elements that are meant.
    fn elements(&self, used: RegisterUse) -> Option<(usize, usize, u32)> {
        let (first, ty) = self.register(used.register.index())?;
        let (skip, elements) = match used.swizzle {
            Some(swizzle) => swizzle.range(),
            None => (0, ty.elements),
        };
        let inside = u32::from(skip) + u32::from(elements) <= u32::from(ty.elements);
        inside.then_some((first + usize::from(skip), usize::from(elements), u32::from(ty.bits)))
    }
}

/// Reads the operands of instructions of one function.
pub(crate) struct Operands<'a> {
    pub(crate) image: &'a Image,
    pub(crate) function: &'a Function,
    pub(crate) slots: &'a Slots,
}

impl Operands<'_> {
    /// Sources and destinations of an instruction, each in their order; `None` where an operand is none that the form
    /// takes.
    pub(crate) fn of(&self, instruction: &Instruction) -> Option<(Vec<Source>, Vec<Destination>)> {
        let row = instruction.row();
        let (mut sources, mut destinations) = (Vec::new(), Vec::new());
        for (i, operand) in instruction.operands.iter().enumerate() {
            // The arguments of `call` follow its last operand.
            let definition = row.operands.get(i.min(row.operands.len().checked_sub(1)?))?;
            let in_a_row = definition.kind == OperandKind::Swizzle;
            match (definition.access, operand) {
                (Access::Read, Operand::Parameter { parameter, offset }) => {
                    let parameter = self.function.kernel_parameters().get(parameter.index())?;
                    sources.push(Source::Constant(u128::from(parameter.offset)));
                    sources.push(Source::Constant(u128::from(parameter.size)));
                    sources.push(self.offset(*offset)?.0);
                }
                (Access::Read, Operand::Address { base, offset }) => {
                    let space = instruction.qualifier(SlotName::Addrspace)?;
                    sources.push(self.address(*base, *offset, space)?);
                }
                (Access::Read, Operand::Register(used)) if in_a_row => {
                    let (slot, elements, width) = self.slots.elements(*used)?;
                    sources.push(Source::Row { slot, elements, width });
                }
                (Access::Read, _) => sources.push(self.source(operand, instruction)?),
                (_, Operand::Void) => {}
                (_, Operand::Register(used)) => {
                    let (slot, elements, width) = self.slots.elements(*used)?;
                    destinations.push(if in_a_row {
                        Destination::Row { slot, elements, width }
                    } else {
                        Destination::Register { slot, elements, width }
                    });
                }
                (_, Operand::Predicate { register, .. }) => {
                    let (slot, _) = self.slots.register(register.index())?;
                    destinations.push(Destination::Register { slot, elements: 1, width: 1 });
                }
                _ => return None,
            }
        }
        Some((sources, destinations))
    }

    /// What can be read of an operand, whether the instruction does or not; `None` where it has no value.
    pub(crate) fn visible(&self, operand: &Operand, instruction: &Instruction) -> Option<Source> {
        match operand {
            Operand::Address { base, offset } => {
                self.address(*base, *offset, instruction.qualifier(SlotName::Addrspace)?)
            }
            Operand::Parameter { offset, .. } => {
                let (offset, offset_width) = self.offset(*offset)?;
                let zero = Box::new(Source::Constant(0));
                Some(Source::Address { base: zero, offset: Box::new(offset), offset_width, width: 64 })
            }
            _ => self.source(operand, instruction),
        }
    }

    fn source(&self, operand: &Operand, instruction: &Instruction) -> Option<Source> {
        Some(match operand {
            Operand::Register(used) => {
                let (slot, elements, _) = self.slots.elements(*used)?;
                Source::Register { slot, elements }
            }
            Operand::Special(register) => Source::Special(*register),
            Operand::Predicate { register, negated } => {
                Source::Predicate { slot: self.slots.register(register.index())?.0, negated: *negated }
            }
            // Literals have 64 bits (D-11).
            Operand::Immediate { bits, sign_extend: true } if self.is_wide(instruction) => {
                Source::Constant(i128::from(*bits as i64) as u128)
            }
            Operand::Immediate { bits, .. } => Source::Constant(u128::from(*bits)),
            Operand::Variable(id) => self.variable(*id)?,
            Operand::Function(id) => Source::Constant(u128::from(self.image.handle(*id))),
            Operand::Label(id) => Source::Constant(u128::from(self.function.labels.get(id.index())?.target)),
            Operand::Void | Operand::Address { .. } | Operand::Parameter { .. } => return None,
        })
    }

    /// Whether an immediate of the instruction has 128 bits: in `mov.128b` and in a `return` of that many.
    fn is_wide(&self, instruction: &Instruction) -> bool {
        let result = match (&self.function.kind, instruction.row().opcode) {
            (FunctionKind::Function { result: Some(ty), .. }, Opcode::Return) => ty.bits == 128,
            _ => false,
        };
        result || instruction.qualifier(SlotName::Type) == Some(Qualifier::B128)
    }

    /// The address of a variable in its space.
    fn variable(&self, id: VariableId) -> Option<Source> {
        let variable = self.image.program.module().variables.get(id.index())?;
        let address = self.image.address(id);
        Some(match variable.space {
            Space::Private => Source::PrivateVariable { offset: address as u32 },
            _ => Source::Constant(u128::from(address)),
        })
    }

    fn address(&self, base: AddressBase, offset: AddressOffset, space: Qualifier) -> Option<Source> {
        let base = match base {
            AddressBase::Register(used) => {
                let (slot, elements, _) = self.slots.elements(used)?;
                Source::Register { slot, elements }
            }
            AddressBase::Special(register) => Source::Special(register),
            AddressBase::Variable(id) => self.variable(id)?,
        };
        let (offset, offset_width) = self.offset(offset)?;
        let width = u32::from(space.address_bits()?);
        Some(Source::Address { base: Box::new(base), offset: Box::new(offset), offset_width, width })
    }

    /// An offset and its width.
    fn offset(&self, offset: AddressOffset) -> Option<(Source, u32)> {
        Some(match offset {
            AddressOffset::Immediate(value) => (Source::Constant(i128::from(value) as u128), 32),
            AddressOffset::Register(used) => {
                let (slot, elements, width) = self.slots.elements(used)?;
                (Source::Register { slot, elements }, width)
            }
            AddressOffset::Special(register) => (Source::Special(register), u32::from(register.bits())),
        })
    }
}

/// What the special registers say (spec special_registers).
#[derive(Clone, Copy)]
pub(crate) struct Identity<'a> {
    pub(crate) launch: &'a Launch,
    /// Id of the work-group.
    pub(crate) group: [u64; 3],
    /// Its actual size.
    pub(crate) size: [u32; 3],
    /// Number of the sub-group in it.
    pub(crate) subgroup: u32,
    /// Number of the work-group in the fixed order.
    pub(crate) number: u64,
}

impl Identity<'_> {
    pub(crate) fn id(&self) -> SubGroupId {
        SubGroupId { group: self.number, number: self.subgroup }
    }

    fn special(&self, register: SpecialRegister, activemask: u32, lane: usize) -> u128 {
        match register {
            SpecialRegister::ActiveMask => u128::from(activemask),
            SpecialRegister::LaneId => lane as u128,
            // 32 consecutive work-items of the work-group, x fastest.
            SpecialRegister::LocalId(dimension) => u128::from(
                local_id(self.subgroup * LANES as u32 + lane as u32, self.size)[dimension as usize],
            ),
            _ => {
                let value = self.launch.uniform_register(register, self.group).unwrap_or_default();
                truncate(u128::from(value), u32::from(register.bits()))
            }
        }
    }
}

/// The sources of an instruction as one lane sees them.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) operands: &'a [Source],
    /// The registers of the running activation, slot after slot.
    pub(crate) registers: &'a [u128],
    /// Lanes of a slot: 32 in an activation, 1 where the values of one lane are at hand.
    pub(crate) stride: usize,
    /// Where the private frame of the activation begins.
    pub(crate) frame_base: u32,
    /// Whose special registers these are; `None` outside a launch.
    pub(crate) identity: Option<Identity<'a>>,
    pub(crate) activemask: u32,
    pub(crate) lane: usize,
}

impl Sources<'_> {
    /// The operand of that number, its first element if it has several.
    pub(crate) fn get(&self, operand: usize) -> u128 {
        self.element(operand, 0)
    }

    /// An element of the operand of that number. Of a scalar every element is the scalar.
    pub(crate) fn element(&self, operand: usize, element: usize) -> u128 {
        self.operands.get(operand).map_or(0, |source| self.read(source, element))
    }

    /// Elements of the operand of that number.
    pub(crate) fn elements(&self, operand: usize) -> usize {
        match self.operands.get(operand) {
            Some(Source::Register { elements, .. }) => *elements,
            _ => 1,
        }
    }

    pub(crate) fn read(&self, source: &Source, element: usize) -> u128 {
        match source {
            Source::Register { slot, elements } => self.slot(slot + element.min(elements - 1)),
            Source::Row { slot, elements, width } => {
                (0..*elements).fold(0, |row, e| row | self.slot(slot + e) << (e as u32 * width))
            }
            Source::Constant(value) => *value,
            Source::Special(register) => {
                self.identity.map_or(0, |identity| identity.special(*register, self.activemask, self.lane))
            }
            Source::Predicate { slot, negated } => self.slot(*slot) ^ u128::from(*negated),
            Source::PrivateVariable { offset } => u128::from(self.frame_base.wrapping_add(*offset)),
            Source::Address { base, offset, offset_width, width } => {
                let offset = signed(self.read(offset, 0), *offset_width) as u128;
                truncate(self.read(base, 0).wrapping_add(offset), *width)
            }
        }
    }

    fn slot(&self, slot: usize) -> u128 {
        self.registers[slot * self.stride + self.lane]
    }
}
