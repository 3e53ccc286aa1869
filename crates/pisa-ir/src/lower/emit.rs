//! Appending instructions and blocks while a function is rewritten.

use crate::{
    Block, Constant, CrossLane, CrossLaneKind, Element, Function, InactiveSource, Instruction, LaneMask,
    Operand, Operation, Reduction, Scope, ShuffleKind, Target, Terminator, Value, VectorOperation,
};
use pisa_diag::Place;
use pisa_isa::{Access, Form, OperandKind, Qualifier, SlotValues, Width, match_mnemonic, split_mnemonic};
use pisa_module::{RegisterType, SpecialRegister};

/// The number of the own lane.
pub(super) const LANE: Operand = Operand::Special(SpecialRegister::LaneId);

/// How a block ends and where that was written.
pub(super) type End = (Terminator, Option<Place>);

/// Where instructions go: the end of a block.
pub(super) struct Emitter<'f> {
    pub(super) function: &'f mut Function,
    /// Where the instruction was written that is being lowered.
    pub(super) place: Option<Place>,
    block: Block,
    layout: Vec<Block>,
    /// The lane masks that the block has already.
    lane_masks: [Option<Operand>; 5],
}

impl<'f> Emitter<'f> {
    pub(super) fn new(function: &'f mut Function) -> Emitter<'f> {
        Emitter { function, place: None, block: Block(0), layout: Vec::new(), lane_masks: [None; 5] }
    }
    /// The blocks in their new order.
    pub(super) fn into_layout(self) -> Vec<Block> {
        self.layout
    }
    /// Empties a block that comes next: its instructions and its end, which has to be given back to [`Emitter::close`].
    pub(super) fn reopen(&mut self, block: Block) -> (Vec<Instruction>, End) {
        self.start(block);
        let data = &mut self.function.blocks[block.index()];
        let terminator = std::mem::replace(&mut data.terminator, Terminator::Return(None));
        (std::mem::take(&mut data.instructions), (terminator, data.place.take()))
    }
    /// Ends the block.
    pub(super) fn close(&mut self, (terminator, place): End) {
        let data = &mut self.function.blocks[self.block.index()];
        data.terminator = terminator;
        data.place = place;
    }
    /// Appends an instruction as it is.
    pub(super) fn push(&mut self, instruction: Instruction) {
        self.push_to(self.block, instruction);
    }
    /// The same to another block.
    pub(super) fn push_to(&mut self, block: Block, instruction: Instruction) {
        self.function.blocks[block.index()].instructions.push(instruction);
    }
    /// Gives what a value becomes the value's name, if it has none.
    pub(super) fn name_like(&mut self, operand: Operand, value: Value) {
        let name = self.function.value(value).name;
        if let Operand::Value(new) = operand {
            let new = &mut self.function.values[new.index()];
            new.name = new.name.or(name);
        }
    }

    // Blocks.

    /// A block with parameters of these types, not in the layout yet.
    pub(super) fn block(&mut self, types: &[RegisterType]) -> (Block, Vec<Operand>) {
        let block = self.function.new_block();
        let parameters = types.iter().map(|&ty| self.function.add_parameter(block, ty).into()).collect();
        (block, parameters)
    }
    /// Goes on in a block, which comes next in the layout.
    pub(super) fn start(&mut self, block: Block) {
        self.layout.push(block);
        self.block = block;
        self.lane_masks = [None; 5];
    }
    /// Ends the block with a jump.
    pub(super) fn go(&mut self, block: Block, arguments: &[Operand]) {
        self.close((Terminator::Goto(target(block, arguments)), None));
    }
    /// Ends the block with a branch.
    pub(super) fn branch(
        &mut self,
        condition: Operand,
        taken: (Block, &[Operand]),
        otherwise: (Block, &[Operand]),
    ) {
        let (taken, otherwise) = (target(taken.0, taken.1), target(otherwise.0, otherwise.1));
        self.close((Terminator::Branch { condition, taken, otherwise }, None));
    }
    /// What one of two arms gives: the first comes first, both meet behind the second.
    pub(super) fn either(
        &mut self,
        condition: Operand,
        ty: RegisterType,
        first: impl FnOnce(&mut Self) -> Operand,
        second: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        let (first_block, _) = self.block(&[]);
        let (second_block, _) = self.block(&[]);
        let (join, results) = self.block(&[ty]);
        self.branch(condition, (first_block, &[]), (second_block, &[]));
        self.start(first_block);
        let result = first(self);
        self.go(join, &[result]);
        self.start(second_block);
        let result = second(self);
        self.go(join, &[result]);
        self.start(join);
        results[0]
    }

    // Instructions.

    fn append(&mut self, operation: Operation, operands: &[Operand], ty: RegisterType) -> Operand {
        let operands = operands.iter().copied();
        let instruction = self.function.new_instruction(operation, operands, [ty], self.place);
        self.push(instruction);
        self.function.instruction(instruction).results[0].into()
    }
    /// An instruction of the table with a register destination.
    pub(super) fn table(&mut self, mnemonic: &str, operands: &[Operand]) -> Operand {
        self.table_form(mnemonic, false, operands)
    }
    /// An instruction of the table with a predicate destination.
    pub(super) fn test(&mut self, mnemonic: &str, operands: &[Operand]) -> Operand {
        self.table_form(mnemonic, true, operands)
    }
    fn table_form(&mut self, mnemonic: &str, tests: bool, operands: &[Operand]) -> Operand {
        let types: Vec<bool> = operands
            .iter()
            .map(|&operand| self.function.type_of(operand).is_some_and(RegisterType::is_predicate))
            .collect();
        let (form, qualifiers) = form_of(mnemonic, tests, &types);
        let ty = destination(form, &qualifiers);
        self.append(Operation::Table { form: form.id(), qualifiers }, operands, ty)
    }
    /// The operand in a register, where an immediate will not do. Predicates stay as they are.
    pub(super) fn register(&mut self, operand: Operand) -> Operand {
        let Operand::Constant(value) = operand else { return operand };
        if value.ty.is_predicate() {
            return operand;
        }
        let bits = value.ty.total_bits() as u8;
        let scalar = self.table(&format!("mov.{bits}b"), &[constant(value.bits(), bits)]);
        if value.ty.is_vector() { self.vector(VectorOperation::Unpack, &[scalar], value.ty) } else { scalar }
    }
    /// `sel`: one of two by a predicate, which may be known.
    pub(super) fn select(&mut self, bits: u8, yes: Operand, no: Operand, which: Operand) -> Operand {
        match which.constant() {
            Some(0) => no,
            Some(_) => yes,
            None => self.table(&format!("sel.{bits}b"), &[yes, no, which]),
        }
    }
    /// A register that nobody has written, of which every element gets another value.
    pub(super) fn initial(&mut self, ty: RegisterType) -> Operand {
        let instruction = self.function.new_instruction(Operation::Initial, [], [ty], None);
        let entry = self.layout.first().copied().unwrap_or(self.block);
        self.push_to(entry, instruction);
        self.function.instruction(instruction).results[0].into()
    }
    /// An operation on vectors.
    pub(super) fn vector(
        &mut self,
        operation: VectorOperation,
        operands: &[Operand],
        ty: RegisterType,
    ) -> Operand {
        self.append(Operation::Vector(operation), operands, ty)
    }

    // Masks.

    /// `%activemask`.
    pub(super) fn active_mask(&mut self) -> Operand {
        self.native(CrossLaneKind::ActiveMask, Element::I32, &[])
    }
    /// The lanes that stand so to the own one. H1: `shl 1, %laneid`, H2: `isub H1, 1`; of the others one or two instructions.
    pub(super) fn lane_mask(&mut self, relation: LaneMask) -> Operand {
        if let Some(mask) = self.lane_masks[relation as usize] {
            return mask;
        }
        let mask = match relation {
            LaneMask::Equal => self.table("shl.32b", &[Operand::word(1), LANE]),
            LaneMask::GreaterEqual => self.table("shl.32b", &[Operand::word(u32::MAX), LANE]),
            LaneMask::Greater => self.table("shl.32b", &[Operand::word(u32::MAX - 1), LANE]),
            LaneMask::Less => {
                let equal = self.lane_mask(LaneMask::Equal);
                self.table("isub.32b", &[equal, Operand::word(1)])
            }
            // A shift by the width gives 0 (B-01), and 0 - 1 all lanes.
            LaneMask::LessEqual => {
                let next = self.table("shl.32b", &[Operand::word(2), LANE]);
                self.table("isub.32b", &[next, Operand::word(1)])
            }
        };
        self.lane_masks[relation as usize] = Some(mask);
        mask
    }
    /// The lanes of the own cluster of so many lanes. 2 instructions.
    pub(super) fn cluster_mask(&mut self, size: u32) -> Operand {
        let first = self.table("and.32b", &[LANE, Operand::word(32 - size)]);
        self.table("shl.32b", &[Operand::word((1 << size) - 1), first])
    }
    /// What masks have in common: an instruction for two or three.
    pub(super) fn all_of(&mut self, masks: &[Operand]) -> Operand {
        let mut common = masks.first().copied().unwrap_or(Operand::ALL_LANES);
        for others in masks.get(1..).unwrap_or_default().chunks(2) {
            common = match *others {
                [second, third] => self.table("bfn.0x80.32b", &[common, second, third]),
                [second, ..] => self.table("and.32b", &[common, second]),
                [] => common,
            };
        }
        common
    }

    // What PISA has across lanes.

    fn native(&mut self, kind: CrossLaneKind, element: Element, operands: &[Operand]) -> Operand {
        let operation = CrossLane { kind, element, inactive: InactiveSource::Own };
        self.append(Operation::CrossLane(operation), operands, operation.result())
    }
    /// `redfirstidx`.
    pub(super) fn first(&mut self, mask: Operand) -> Operand {
        self.native(CrossLaneKind::FirstParticipant, Element::I32, &[mask])
    }
    /// `shfl` of a 32-bit register.
    pub(super) fn shfl(
        &mut self,
        (kind, segmented): (ShuffleKind, bool),
        [data, index, mask, kept]: [Operand; 4],
    ) -> Operand {
        self.native(CrossLaneKind::Shuffle { kind, segmented }, Element::I32, &[data, index, mask, kept])
    }
    /// `ired` or `fred`.
    pub(super) fn red(
        &mut self,
        reduction: Reduction,
        element: Element,
        [data, mask, kept]: [Operand; 3],
    ) -> Operand {
        let kind = CrossLaneKind::Reduce {
            reduction,
            scope: Scope::Reduce,
            cluster: crate::ClusterSize::FULL,
            partitioned: false,
        };
        self.native(kind, element, &[data, mask, kept])
    }
}

fn target(block: Block, arguments: &[Operand]) -> Target {
    Target { block, arguments: arguments.iter().copied().collect() }
}

/// A constant of so many bits.
pub(super) fn constant(bits: u128, width: u8) -> Operand {
    Operand::Constant(Constant::scalar(bits, width))
}

/// The row of the table: among those that take the qualifiers the one whose operands are predicates where ours are.
fn form_of(mnemonic: &str, tests: bool, predicates: &[bool]) -> (&'static Form, SlotValues) {
    let found = split_mnemonic(mnemonic)
        .ok()
        .and_then(|split| match_mnemonic(split.opcode, split.qualifiers()).ok())
        .and_then(|matches| {
            let fits = |found: &&pisa_isa::Match| {
                let operands = pisa_isa::form(found.form).operands;
                let is_predicate = |kind: OperandKind| {
                    matches!(kind, OperandKind::Predicate | OperandKind::PredicateOrNegation)
                };
                let mut read = operands.iter().filter(|operand| operand.access == Access::Read);
                operands.first().is_some_and(|result| is_predicate(result.kind) == tests)
                    && predicates.iter().all(|&p| read.next().is_some_and(|o| is_predicate(o.kind) == p))
                    && read.next().is_none()
            };
            matches.iter().find(fits).map(|found| (pisa_isa::form(found.form), found.values))
        });
    // The mnemonics are those of this module, and its tests emit each of them.
    found.unwrap_or_else(|| unreachable!("`{mnemonic}` is not in the table"))
}

/// The type of the first destination.
fn destination(form: &Form, qualifiers: &SlotValues) -> RegisterType {
    let operand = &form.operands[0];
    let in_slot = |slot| form.value(qualifiers, slot);
    let scalar = |bits: Option<u16>| RegisterType::scalar(bits.unwrap_or(32) as u8);
    match operand.width {
        Width::None => RegisterType::PREDICATE,
        Width::Bits(bits) => scalar(Some(bits)),
        Width::TwiceSlot(slot) => scalar(in_slot(slot).and_then(Qualifier::bits).map(|bits| 2 * bits)),
        Width::Slot(slot) | Width::AddressOf(slot) => match in_slot(slot).and_then(Qualifier::packed) {
            Some((elements, bits)) => RegisterType { elements, bits: bits as u8 },
            None => scalar(in_slot(slot).and_then(Qualifier::bits)),
        },
    }
}
