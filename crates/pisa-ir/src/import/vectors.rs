//! Elements of vector registers: swizzles, `mov`, `extract` and `insert` (spec 3.4, D-10 to D-18).

use super::registers::Importer;
use crate::function::{Constant, Operand};
use crate::operation::{Operation, VectorOperation};
use pisa_module::{RegisterType, RegisterUse};

impl Importer<'_> {
    /// The type of what a use names.
    pub(super) fn type_of(&self, used: RegisterUse) -> RegisterType {
        let ty = self.source.registers[used.register.index()].ty;
        RegisterType { elements: used.swizzle.map_or(ty.elements, |swizzle| swizzle.range().1), ..ty }
    }

    /// What a register or elements of it hold.
    pub(super) fn read(&mut self, used: RegisterUse) -> Operand {
        let whole = self.read_register(used.register);
        match used.swizzle {
            None => whole,
            Some(swizzle) => {
                let ty = self.source.registers[used.register.index()].ty;
                self.extract(whole, ty, swizzle.range().0, self.type_of(used))
            }
        }
    }

    /// Puts an operand of the type of the use into a register or elements of it; the other elements stay.
    pub(super) fn write(&mut self, used: RegisterUse, operand: Operand) {
        let first = used.swizzle.map_or(0, |swizzle| swizzle.range().0);
        self.write_elements(used, first, self.type_of(used), operand);
    }

    /// Puts an operand of type `part` into a whole register from element `first` on.
    pub(super) fn write_elements(
        &mut self,
        used: RegisterUse,
        first: u8,
        part: RegisterType,
        operand: Operand,
    ) {
        let ty = self.source.registers[used.register.index()].ty;
        if part == ty {
            self.write_register(used.register, operand);
            return;
        }
        let old = self.read_register(used.register);
        let insert = Operation::Vector(VectorOperation::Insert { first });
        let new = self.value(insert, [old, operand], ty);
        self.name(new, used.register);
        self.write_register(used.register, new.into());
    }

    /// Elements of a vector from `first` on, as many as `part` has; all of it is the vector itself.
    pub(super) fn extract(
        &mut self,
        vector: Operand,
        ty: RegisterType,
        first: u8,
        part: RegisterType,
    ) -> Operand {
        if part == ty {
            return vector;
        }
        self.value(Operation::Vector(VectorOperation::Extract { first }), [vector], part).into()
    }

    /// The bits of an operand as another type of as many: elements in one row, the first lowest (D-12).
    pub(super) fn as_type(&mut self, operand: Operand, from: RegisterType, to: RegisterType) -> Operand {
        if from == to {
            return operand;
        }
        if let Operand::Constant(constant) = operand {
            return Operand::Constant(Constant::new(constant.bits(), to));
        }
        let mut operand = operand;
        if from.is_vector() {
            let row = RegisterType::scalar(from.total_bits() as u8);
            operand = self.value(Operation::Vector(VectorOperation::Pack), [operand], row).into();
        }
        if to.is_vector() {
            operand = self.value(Operation::Vector(VectorOperation::Unpack), [operand], to).into();
        }
        operand
    }
}
