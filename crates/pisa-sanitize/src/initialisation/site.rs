//! What is known of an instruction before the launch: its slots and its rule.

use super::registers::{Elements, Layout};
use super::rules::Rule;
use pisa_isa::{Access, Opcode, SlotName};
use pisa_module::{AddressBase, AddressOffset, Instruction, Operand, RegisterId};

/// An operand that has slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    pub(crate) register: RegisterId,
    pub(crate) elements: Elements,
}

/// What an instruction does to the shadow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Results element by element.
    Rule(Rule),
    /// Bits in a row, from one register to another.
    Move,
    /// The two halves of the result from a source each.
    Pair,
    Extract,
    Insert,
    ExtractDynamic,
    InsertDynamic,
    Shuffle,
    Reduce,
    FirstIndex,
    Branch,
    Call,
    Return,
    LoadParameter,
    Memory,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) kind: Kind,
    /// By operand: its slots where it is a register or predicate.
    pub(crate) operands: Vec<Option<Slots>>,
    /// Registers of the address.
    pub(crate) address: Vec<Slots>,
    /// Operands that are written.
    pub(crate) written: Vec<usize>,
    /// Operands that are read.
    pub(crate) read: Vec<usize>,
    /// Slots that matter: where they lack nothing, the result does not either.
    pub(crate) reads: Vec<u32>,
    /// Slots that then have a value in every active lane.
    pub(crate) writes: Vec<u32>,
    /// First element of `extract` and `insert`.
    pub(crate) index: usize,
    /// Operands that come before the rest: the guard of `call.cond` and `return.cond`.
    pub(crate) first: usize,
}

impl Site {
    /// `None` for instructions that read and write no registers.
    pub(crate) fn of(layout: &Layout, instruction: &Instruction) -> Option<Site> {
        use Opcode as O;
        let row = instruction.row();
        let kind = match row.opcode {
            O::Mov => Kind::Move,
            O::Ftrunc2 => Kind::Pair,
            O::Extract => Kind::Extract,
            O::Insert => Kind::Insert,
            O::ExtractDynamic => Kind::ExtractDynamic,
            O::InsertDynamic => Kind::InsertDynamic,
            O::Shfl => Kind::Shuffle,
            O::Ired | O::Fred => Kind::Reduce,
            O::Redfirstidx => Kind::FirstIndex,
            O::Goto => Kind::Branch,
            O::Call => Kind::Call,
            O::Return => Kind::Return,
            O::LdParam => Kind::LoadParameter,
            O::Ld | O::St | O::Iatom | O::Fatom => Kind::Memory,
            O::BarrierWorkgroup | O::Fence => return None,
            _ => Kind::Rule(Rule::of(instruction)),
        };
        let mut site = Site {
            kind,
            operands: Vec::new(),
            address: Vec::new(),
            written: Vec::new(),
            read: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            index: usize::from(instruction.number(SlotName::Index).unwrap_or_default()),
            first: usize::from(instruction.has(SlotName::Cond)),
        };
        for (i, operand) in instruction.operands.iter().enumerate() {
            // The arguments of `call` follow its last operand.
            let definition = row.operands.get(i.min(row.operands.len().saturating_sub(1)))?;
            let slots = match operand {
                Operand::Register(used) => {
                    layout.elements(*used).map(|elements| Slots { register: used.register, elements })
                }
                Operand::Predicate { register, .. } => {
                    layout.register(register.index()).map(|elements| Slots { register: *register, elements })
                }
                Operand::Address { base, offset } => {
                    let registers = [base_register(base), offset_register(offset)];
                    for used in registers.into_iter().flatten() {
                        let elements = layout.elements(used)?;
                        site.address.push(Slots { register: used.register, elements });
                    }
                    None
                }
                Operand::Parameter { offset, .. } => {
                    if let Some(used) = offset_register(offset) {
                        let elements = layout.elements(used)?;
                        site.address.push(Slots { register: used.register, elements });
                    }
                    None
                }
                _ => None,
            };
            site.operands.push(slots);
            let writes = definition.access != Access::Read;
            match slots {
                Some(slots) if writes => {
                    site.written.push(i);
                    match kind {
                        // Only the elements that it names.
                        Kind::Insert => {
                            let count = site.inserted(instruction);
                            let elements =
                                (site.index..site.index + count).flat_map(|e| slots.elements.slots(e));
                            site.writes.extend(elements);
                        }
                        // Not all lanes, or not all elements: the old contents matter.
                        Kind::InsertDynamic | Kind::Shuffle | Kind::Reduce => {
                            site.reads.extend(slots.elements.all());
                        }
                        Kind::Call => {}
                        _ => site.writes.extend(slots.elements.all()),
                    }
                }
                Some(slots) => {
                    site.read.push(i);
                    site.reads.extend(slots.elements.all());
                }
                None if !writes => site.read.push(i),
                None => {}
            }
        }
        for slots in &site.address {
            site.reads.extend(slots.elements.all());
        }
        Some(site)
    }

    /// How many elements `insert` writes: those of its source.
    fn inserted(&self, instruction: &Instruction) -> usize {
        let count = instruction.qualifier(SlotName::Vec).and_then(pisa_isa::Qualifier::elements);
        usize::from(count.unwrap_or(1))
    }
}

fn base_register(base: &AddressBase) -> Option<pisa_module::RegisterUse> {
    match base {
        AddressBase::Register(used) => Some(*used),
        AddressBase::Special(_) | AddressBase::Variable(_) => None,
    }
}

fn offset_register(offset: &AddressOffset) -> Option<pisa_module::RegisterUse> {
    match offset {
        AddressOffset::Register(used) => Some(*used),
        AddressOffset::Immediate(_) | AddressOffset::Special(_) => None,
    }
}
