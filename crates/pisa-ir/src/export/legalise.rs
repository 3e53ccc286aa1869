//! Instructions that make operands: what a position does not take is put into a register before it, once a block; in a loop, before the
//! outermost loop, once for all of it.

use super::roles::{self, Role, named_form, roles as roles_of, terminator_roles};
use super::views::swizzle;
use crate::analysis::{ControlFlow, Dominators, LoopNest};
use crate::{Block, Constant, Function, Instruction, Operand, Operation, Value, VectorOperation};
use pisa_diag::Place;
use pisa_isa::{Opcode, Qualifier, SlotName};
use pisa_module::{RegisterType, Variable};
use rustc_hash::FxHashMap;

/// The `mov` type of that many bits.
pub(super) const fn move_type(bits: u32) -> Option<Qualifier> {
    Some(match bits {
        8 => Qualifier::B8,
        16 => Qualifier::B16,
        32 => Qualifier::B32,
        64 => Qualifier::B64,
        128 => Qualifier::B128,
        _ => return None,
    })
}

/// An operation of the table by opcode and number of the form.
pub(super) fn table(opcode: Opcode, form: usize, values: &[(SlotName, Qualifier)]) -> Operation {
    let (form, qualifiers) = named_form(opcode, form, values);
    Operation::Table { form: form.id(), qualifiers }
}

/// The function with operands that the machine instructions take. `variables` are those of the module.
pub(super) fn legalise(function: &Function, variables: &[Variable]) -> Result<Function, String> {
    let flow = ControlFlow::of(function);
    let mut maker = Maker {
        function: function.clone(),
        variables,
        dominators: Dominators::of(function, &flow),
        nest: LoopNest::of(function, &flow),
        outside: FxHashMap::default(),
        block: None,
        list: Vec::new(),
        made: FxHashMap::default(),
        initials: Vec::new(),
        place: None,
    };
    for &block in &function.layout {
        maker.block(block)?;
    }
    let Maker { mut function, initials, outside, .. } = maker;
    // In one order, whatever that of the map is.
    let mut outside: Vec<(Block, Instruction)> =
        outside.into_iter().map(|((block, _), made)| (block, made)).collect();
    outside.sort_unstable();
    for (block, made) in outside {
        function.blocks[block.index()].instructions.push(made);
    }
    if let Some(entry) = function.entry() {
        function.blocks[entry.index()].instructions.splice(0..0, initials.into_iter().map(|(_, made)| made));
    }
    Ok(function)
}

struct Maker<'a> {
    function: Function,
    variables: &'a [Variable],
    dominators: Dominators,
    nest: LoopNest,
    /// What is made at the end of blocks before loops.
    outside: FxHashMap<(Block, Operand), Instruction>,
    /// The block at hand.
    block: Option<Block>,
    /// The new instructions of the block.
    list: Vec<Instruction>,
    /// What this block has in registers.
    made: FxHashMap<Operand, Value>,
    /// Registers that nobody writes, by type.
    initials: Vec<(RegisterType, Instruction)>,
    place: Option<Place>,
}

impl Maker<'_> {
    fn block(&mut self, block: Block) -> Result<(), String> {
        self.made.clear();
        self.block = Some(block);
        let old = std::mem::take(&mut self.function.blocks[block.index()].instructions);
        self.list = Vec::with_capacity(old.len());
        for instruction in old {
            let data = self.function.instruction(instruction);
            self.place = data.place;
            let roles = roles_of(data);
            let space = |role| match role {
                Role::Base(space) => space,
                _ => None,
            };
            for (number, &role) in roles.iter().enumerate() {
                let operand = self.function.instruction(instruction).operands[number];
                let legal = self.operand(operand, role, space(role))?;
                self.function.instructions[instruction.index()].operands[number] = legal;
            }
            self.list.push(instruction);
        }
        let mut terminator = self.function.block(block).terminator.clone();
        self.place = self.function.block(block).place;
        let mut roles = terminator_roles(&terminator).into_iter();
        let mut failed = Ok(());
        let constant_condition = matches!(terminator.operands().first(), Some(Operand::Constant(_)));
        terminator.for_each_operand_mut(|operand| {
            let role = roles.next().unwrap_or(Role::Copied);
            if failed.is_ok() && !(role == Role::Guard && constant_condition) {
                match self.operand(*operand, role, None) {
                    Ok(legal) => *operand = legal,
                    Err(error) => failed = Err(error),
                }
            }
        });
        failed?;
        let data = &mut self.function.blocks[block.index()];
        data.terminator = terminator;
        data.instructions = std::mem::take(&mut self.list);
        Ok(())
    }

    /// The operand as its position takes it.
    fn operand(&mut self, operand: Operand, role: Role, space: Option<Qualifier>) -> Result<Operand, String> {
        let fits = match operand {
            Operand::Value(_) => true,
            Operand::Negated(_) => role == Role::Guard,
            Operand::Constant(constant) => match role {
                Role::Old | Role::Copied if constant.ty.is_predicate() => true,
                Role::Offset => roles::offset(constant).is_some(),
                role => role.takes_immediate() && roles::immediate(constant).is_some(),
            },
            Operand::Special(_) => role.takes_special(),
            Operand::Variable(id) => match role {
                Role::Variable | Role::RegisterOrVariable => true,
                Role::Base(_) => {
                    let found = self.variables.get(id.index()).map(|variable| variable.space.qualifier());
                    found.is_some() && found == space
                }
                _ => false,
            },
            Operand::Function(_) => matches!(role, Role::Function | Role::Callee),
            Operand::Parameter(_) if role == Role::Parameter => true,
            Operand::Parameter(_) => return Err("a kernel parameter where a value is needed".to_owned()),
            Operand::Dead if matches!(role, Role::Old | Role::Copied) => true,
            Operand::Dead => return Err("a dead operand where a value is needed".to_owned()),
        };
        if fits { Ok(operand) } else { self.make(operand).map(Operand::Value) }
    }

    fn push(
        &mut self,
        operation: Operation,
        operands: impl IntoIterator<Item = Operand>,
        ty: RegisterType,
    ) -> Value {
        let instruction = self.function.new_instruction(operation, operands, [ty], self.place);
        self.list.push(instruction);
        self.function.instruction(instruction).results[0]
    }

    /// The operand in a register.
    fn make(&mut self, operand: Operand) -> Result<Value, String> {
        if let Some(&value) = self.made.get(&operand) {
            return Ok(value);
        }
        if let Some(value) = self.make_outside(operand) {
            return Ok(value);
        }
        let value = match operand {
            Operand::Constant(constant) => self.constant(constant)?,
            Operand::Negated(predicate) => self.negation(predicate),
            Operand::Special(register) => {
                let bits = u32::from(register.bits());
                let ty = move_type(bits).ok_or("a special register of unknown width")?;
                self.push(
                    table(Opcode::Mov, 0, &[(SlotName::Type, ty)]),
                    [operand],
                    RegisterType::scalar(register.bits()),
                )
            }
            Operand::Variable(id) => {
                let variable = self.variables.get(id.index()).ok_or("a variable that the module lacks")?;
                let bits = variable.space.qualifier().address_bits().unwrap_or(64);
                let ty = if bits == 32 { Qualifier::B32 } else { Qualifier::B64 };
                self.push(
                    table(Opcode::Addrof, 0, &[(SlotName::Type, ty)]),
                    [operand],
                    RegisterType::scalar(bits as u8),
                )
            }
            Operand::Function(_) => self.push(
                table(Opcode::Addrof, 1, &[(SlotName::Type, Qualifier::B64)]),
                [operand],
                RegisterType::scalar(64),
            ),
            Operand::Value(value) => value,
            Operand::Parameter(_) | Operand::Dead => return Err("an operand without a value".to_owned()),
        };
        self.made.insert(operand, value);
        Ok(value)
    }

    /// The operand in a register that is written before the outermost loop around the block, if that has one entry and one instruction
    /// makes the operand.
    fn make_outside(&mut self, operand: Operand) -> Option<Value> {
        let mut l = self.nest.innermost(self.block?)?;
        while let Some(parent) = self.nest.data(l).parent {
            l = parent;
        }
        let loop_data = self.nest.data(l);
        let before = self.dominators.immediate(loop_data.header).filter(|_| loop_data.is_reducible())?;
        if let Some(&made) = self.outside.get(&(before, operand)) {
            return self.function.instruction(made).result();
        }
        let ty = match operand {
            Operand::Constant(constant) if !constant.ty.is_predicate() && !constant.ty.is_vector() => {
                roles::immediate(constant)?;
                constant.ty
            }
            Operand::Special(register) => RegisterType::scalar(register.bits()),
            _ => return None,
        };
        let operation = table(Opcode::Mov, 0, &[(SlotName::Type, move_type(ty.total_bits())?)]);
        let made = self.function.new_instruction(operation, [operand], [ty], self.place);
        self.outside.insert((before, operand), made);
        self.function.instruction(made).result()
    }

    /// `!%p` as a predicate: no instruction takes one and gives one, so that it goes through a number.
    fn negation(&mut self, predicate: Value) -> Value {
        let number = self.push(
            table(Opcode::Sel, 1, &[(SlotName::Type, Qualifier::B32)]),
            [Operand::word(0), Operand::word(1), Operand::Value(predicate)],
            RegisterType::scalar(32),
        );
        self.push(
            table(Opcode::Ucmp, 0, &[(SlotName::Cop, Qualifier::Ne), (SlotName::Type, Qualifier::B32)]),
            [Operand::Value(number), Operand::word(0)],
            RegisterType::PREDICATE,
        )
    }

    fn constant(&mut self, constant: Constant) -> Result<Value, String> {
        let ty = constant.ty;
        if ty.is_predicate() {
            let comparison = if constant.bits() == 1 { Qualifier::Eq } else { Qualifier::Ne };
            return Ok(self.push(
                table(Opcode::Ucmp, 0, &[(SlotName::Cop, comparison), (SlotName::Type, Qualifier::B32)]),
                [Operand::word(0), Operand::word(0)],
                ty,
            ));
        }
        if ty.is_vector() {
            return self.vector(constant);
        }
        let qualifier = move_type(ty.total_bits()).ok_or("a constant of unknown width")?;
        if roles::immediate(constant).is_some() {
            let operation = table(Opcode::Mov, 0, &[(SlotName::Type, qualifier)]);
            return Ok(self.push(operation, [Operand::Constant(constant)], ty));
        }
        // A literal has 64 bits (D-11): two halves are put together.
        let halves = RegisterType { elements: 2, bits: 64 };
        let halves = self.make(Operand::Constant(Constant::new(constant.bits(), halves)))?;
        Ok(self.push(Operation::Vector(VectorOperation::Pack), [Operand::Value(halves)], ty))
    }

    fn vector(&mut self, constant: Constant) -> Result<Value, String> {
        let ty = constant.ty;
        if swizzle(0, ty.elements).is_some() && move_type(ty.total_bits()).is_some() {
            let row = Constant::new(constant.bits(), RegisterType::scalar(ty.total_bits() as u8));
            if roles::immediate(row).is_some() || ty.bits != 64 {
                let row = self.make(Operand::Constant(row))?;
                return Ok(self.push(Operation::Vector(VectorOperation::Unpack), [Operand::Value(row)], ty));
            }
        }
        if ty.elements > 4 {
            return Err(format!(
                "a constant of type `.v{}.{}b`: no instruction writes its elements from the fifth on",
                ty.elements, ty.bits
            ));
        }
        let mut vector = self.initial(ty);
        for first in 0..ty.elements {
            let element = constant.bits() >> (u32::from(first) * u32::from(ty.bits));
            let element = self.make(Operand::Constant(Constant::scalar(element, ty.bits)))?;
            vector = self.push(
                Operation::Vector(VectorOperation::Insert { first }),
                [Operand::Value(vector), Operand::Value(element)],
                ty,
            );
        }
        Ok(vector)
    }

    /// A register that nobody has written.
    fn initial(&mut self, ty: RegisterType) -> Value {
        let known = self.initials.iter().find(|(known, _)| *known == ty).map(|&(_, made)| made);
        let made = known.unwrap_or_else(|| {
            let made = self.function.new_instruction(Operation::Initial, [], [ty], None);
            self.initials.push((ty, made));
            made
        });
        self.function.instruction(made).results[0]
    }
}
