//! Elements of vectors: taken out, put in, in a row, copied, by `mov` with swizzles where these reach and by `extract` and `insert`
//! beyond.

use super::copies::Source;
use super::emit::{Emitter, Scratch};
use super::legalise::move_type;
use super::roles::{self, named_form};
use super::views::{View, swizzle};
use crate::{InstructionData, Operand, VectorOperation};
use pisa_isa::{Opcode, Qualifier, SlotName, Value as QualifierValue};
use pisa_module::{Operand as MachineOperand, RegisterType, RegisterUse, Swizzle};

impl Emitter<'_> {
    /// An operation on a vector.
    pub(super) fn vector(
        &mut self,
        operation: VectorOperation,
        instruction: &InstructionData,
    ) -> Result<(), String> {
        let result = instruction.result().ok_or("a vector operation without a result")?;
        let (ty, destination) = (self.function.value(result).ty, self.register(result));
        let whole = |register: RegisterUse, ty: RegisterType| match register.swizzle {
            None if ty.is_vector() => {
                swizzle(0, ty.elements).map(|swizzle| RegisterUse { swizzle: Some(swizzle), ..register })
            }
            _ => Some(register),
        };
        let first_operand = *instruction.operands.first().ok_or("a vector operation without operands")?;
        match operation {
            VectorOperation::Pack | VectorOperation::Unpack => {
                let (source, from) = self.moved(first_operand)?;
                let source = match source {
                    Source::Register(register) => whole(register, from).map(Source::Register),
                    other => Some(other),
                };
                match (whole(destination, ty), source) {
                    (Some(destination), Some(source)) if move_type(ty.total_bits()).is_some() => {
                        self.move_bits(destination, ty.total_bits(), source)
                    }
                    _ => Err(format!(
                        "no `mov` takes `.v{}.{}b` apart or puts it together",
                        ty.elements.max(from.elements),
                        ty.bits.min(from.bits)
                    )),
                }
            }
            VectorOperation::Extract { first } => {
                let Operand::Value(vector) = first_operand else {
                    return Err("elements of something that is no vector".to_owned());
                };
                let from = self.function.value(vector).ty;
                let source = self.register(vector);
                if source == destination {
                    return Ok(());
                }
                self.elements(
                    Piece { register: destination, ty, first: 0 },
                    Piece { register: source, ty: from, first },
                    ty.elements,
                )
            }
            VectorOperation::Insert { first } => {
                let inserted = *instruction.operands.get(1).ok_or("an insertion of nothing")?;
                let (source, from) = self.moved(inserted)?;
                let count = self.function.type_of(inserted).map_or(1, |ty| ty.elements);
                let reads = self.reads(instruction, destination.register);
                let write = |this: &mut Self, register: RegisterUse| {
                    let to = Piece { register, ty, first };
                    match source {
                        Source::Register(read) if from.is_vector() && read.swizzle.is_none() => {
                            this.elements(to, Piece { register: read, ty: from, first: 0 }, count)
                        }
                        source => this.row(to, count, source),
                    }
                };
                match roles::old_value(instruction) {
                    Some(old) => self.keep(old, destination, ty, reads, write),
                    None => write(self, destination),
                }
            }
        }
    }

    /// What a `mov` reads, and the type of what lies there: of a vector that is read in a scalar, that.
    fn moved(&self, operand: Operand) -> Result<(Source, RegisterType), String> {
        let ty = match operand {
            Operand::Value(value) => match self.views.of(value) {
                Some(View::Scalar(base)) => Some(self.function.value(base).ty),
                _ => Some(self.function.value(value).ty),
            },
            _ => self.function.type_of(operand),
        };
        Ok((self.source(operand)?, ty.ok_or("a move of something without a type")?))
    }

    /// Bits from a row into elements.
    fn row(&mut self, to: Piece, count: u8, source: Source) -> Result<(), String> {
        let bits = u32::from(count) * u32::from(to.ty.bits);
        if let (Some(swizzle), Some(_)) = (swizzle(to.first, count), move_type(bits)) {
            return self.move_bits(RegisterUse { swizzle: Some(swizzle), ..to.register }, bits, source);
        }
        match source {
            Source::Register(register) if count == 1 && to.ty.bits == 32 => {
                self.indexed(Opcode::Insert, to.first, None, to.register, MachineOperand::Register(register));
                Ok(())
            }
            Source::Special(special) if count == 1 && to.ty.bits == 32 => {
                self.indexed(Opcode::Insert, to.first, None, to.register, MachineOperand::Special(special));
                Ok(())
            }
            _ => Err(unreachable_element(to.ty)),
        }
    }

    /// `extract` and `insert` with a constant place, of a scalar or of so many elements.
    fn indexed(
        &mut self,
        opcode: Opcode,
        place: u8,
        count: Option<u8>,
        to: RegisterUse,
        from: MachineOperand,
    ) {
        let (form, mut qualifiers) =
            named_form(opcode, usize::from(count.is_some()), &[(SlotName::Type, Qualifier::B32)]);
        for (slot, value) in form.slots.iter().zip(&mut qualifiers) {
            match slot.name {
                SlotName::Index => *value = QualifierValue::Number(place),
                SlotName::Vec => *value = count.and_then(vector_count).map_or(*value, QualifierValue::Named),
                _ => {}
            }
        }
        self.push((form.id(), qualifiers), [MachineOperand::Register(to), from]);
    }

    /// Elements of one vector, or an element, from another.
    pub(super) fn elements(&mut self, to: Piece, from: Piece, count: u8) -> Result<(), String> {
        let bits = u32::from(count) * u32::from(from.ty.bits);
        // One `mov` where swizzles reach.
        if move_type(bits).is_some()
            && let (Some(destination), Some(source)) = (to.swizzled(count), from.swizzled(count))
        {
            return self.move_bits(destination, bits, Source::Register(source));
        }
        if from.ty.bits == 32 {
            let whole_result = to.first == 0 && to.ty.elements == count;
            if count == 1 && !to.ty.is_vector() {
                self.indexed(
                    Opcode::Extract,
                    from.first,
                    None,
                    to.register,
                    MachineOperand::Register(from.register),
                );
                return Ok(());
            }
            let aligned = |place: u8| place.is_multiple_of(count) && vector_count(count).is_some();
            if whole_result && aligned(from.first) {
                self.indexed(
                    Opcode::Extract,
                    from.first,
                    Some(count),
                    to.register,
                    MachineOperand::Register(from.register),
                );
                return Ok(());
            }
            if from.first == 0 && from.ty.elements == count && from.ty.is_vector() && aligned(to.first) {
                self.indexed(
                    Opcode::Insert,
                    to.first,
                    Some(count),
                    to.register,
                    MachineOperand::Register(from.register),
                );
                return Ok(());
            }
        }
        if count == 1 {
            // One of both places is behind the fourth.
            if from.ty.bits != 32 {
                return Err(unreachable_element(if from.swizzled(1).is_none() { from.ty } else { to.ty }));
            }
            let source = match from.swizzled(1) {
                Some(source) => source,
                None => {
                    let scratch = self.scratch(RegisterType::scalar(32), Scratch::Element);
                    self.indexed(
                        Opcode::Extract,
                        from.first,
                        None,
                        scratch,
                        MachineOperand::Register(from.register),
                    );
                    scratch
                }
            };
            return self.row(to, 1, Source::Register(source));
        }
        // The largest pieces that a `mov` can do.
        let mut done = 0;
        while done < count {
            let (to, from) = (to.skip(done), from.skip(done));
            let fits = |&count: &u8| {
                let bits = u32::from(count) * u32::from(from.ty.bits);
                to.swizzled(count).is_some() && from.swizzled(count).is_some() && move_type(bits).is_some()
            };
            let step = [4, 2].into_iter().filter(|&step| step <= count - done).find(fits).unwrap_or(1);
            self.elements(to, from, step)?;
            done += step;
        }
        Ok(())
    }
}

/// Elements of a register from one on.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) register: RegisterUse,
    pub(super) ty: RegisterType,
    pub(super) first: u8,
}

impl Piece {
    fn skip(self, count: u8) -> Piece {
        Piece { first: self.first + count, ..self }
    }
    /// So many elements as an operand of `mov`.
    fn swizzled(self, count: u8) -> Option<RegisterUse> {
        if !self.ty.is_vector() {
            return (count == 1).then_some(self.register);
        }
        swizzle(self.first, count)
            .map(|swizzle: Swizzle| RegisterUse { swizzle: Some(swizzle), ..self.register })
    }
}

fn unreachable_element(ty: RegisterType) -> String {
    format!("no instruction reaches the elements of `.v{}.{}b` from the fifth on", ty.elements, ty.bits)
}

const fn vector_count(count: u8) -> Option<Qualifier> {
    Some(match count {
        2 => Qualifier::V2,
        3 => Qualifier::V3,
        4 => Qualifier::V4,
        5 => Qualifier::V5,
        6 => Qualifier::V6,
        7 => Qualifier::V7,
        8 => Qualifier::V8,
        16 => Qualifier::V16,
        32 => Qualifier::V32,
        64 => Qualifier::V64,
        _ => return None,
    })
}
