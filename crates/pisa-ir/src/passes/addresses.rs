//! Addresses that are sums become base and offset of the access (spec 3.3), which costs nothing.
//!
//! `[x + y]` is computed modulo two to the width of the address (Z-02), as `iadd` is, so that both give the same address. The sum stays
//! where something else needs it, and goes with dead code otherwise.

use super::Context;
use crate::signature::{Role, Signature};
use crate::{Constant, Function, Operand};
use pisa_isa::{Opcode, SlotName};

pub(super) fn run(function: &mut Function, _: &mut Context<'_>) -> bool {
    let mut changed = false;
    for block in function.layout.clone() {
        for index in 0..function.block(block).instructions.len() {
            let instruction = function.block(block).instructions[index];
            // A sum of sums is taken apart step by step; each step ends at an earlier value.
            while let Some((position, base, offset)) = taken_apart(function, instruction) {
                let operands = &mut function.instructions[instruction.index()].operands;
                (operands[position], operands[position + 1]) = (base, offset);
                changed = true;
            }
        }
    }
    changed
}

/// Where the base of an access stands, and a better base and offset.
fn taken_apart(function: &Function, instruction: crate::Instruction) -> Option<(usize, Operand, Operand)> {
    let data = function.instruction(instruction);
    let form = data.operation.form()?;
    // Cheap refusal first: most instructions have no address.
    form.operands.iter().find(|operand| operand.kind == pisa_isa::OperandKind::Address)?;
    let signature = Signature::of(&data.operation, &data.operands, data.results.len(), &[]);
    let position = signature.operands.iter().position(|operand| operand.role == Role::Base)?;
    let offset = data.operands.get(position + 1)?.constant()? as u32 as i32;
    let base = data.operands[position];
    let sum = function.defining_operand(base)?;
    if sum.operation.opcode() != Some(Opcode::Iadd) || sum.operation.qualifier(SlotName::Dsat).is_some() {
        return None;
    }
    let ty = function.type_of(base)?;
    let &[a, b] = &sum.operands[..] else { return None };
    if function.type_of(a)? != ty || function.type_of(b)? != ty || ty.is_vector() {
        return None;
    }
    // The constant may stand on either side.
    let (a, b) = if a.constant().is_some() { (b, a) } else { (a, b) };
    if !matches!(a, Operand::Value(_) | Operand::Special(_)) {
        return None;
    }
    match b {
        Operand::Constant(constant) => {
            let width = ty.total_bits();
            let signed = ((constant.bits() << (128 - width)) as i128 >> (128 - width)) as i64;
            let all = i32::try_from(signed.checked_add(i64::from(offset))?).ok()?;
            Some((position, a, Operand::Constant(Constant::scalar(all as u32 as u128, 32))))
        }
        // One offset only.
        Operand::Value(_) if offset == 0 => Some((position, a, b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::active_sets::Waiting;
    use crate::passes::Remarks;
    use crate::test_support::{Builder, assert_valid, table};
    use pisa_isa::Qualifier;
    use pisa_module::RegisterType;

    const ADDRESS: RegisterType = RegisterType::scalar(64);

    #[test]
    fn sums_are_taken_apart() {
        let mut b = Builder::kernel();
        let [top] = b.blocks();
        let (x, y) = (b.value(top, ADDRESS), b.value(top, ADDRESS));
        let iadd = table(Opcode::Iadd, &[(SlotName::Type, Qualifier::B64)]);
        let number = |n: i64| Operand::Constant(Constant::scalar(n as u64 as u128, 64));
        let near = b.table(top, iadd, [x.into(), number(-16)], ADDRESS);
        let nearer = b.table(top, iadd, [number(4), b.result(near).into()], ADDRESS);
        let indexed = b.table(top, iadd, [x.into(), y.into()], ADDRESS);
        let far = b.table(top, iadd, [x.into(), number(1 << 40)], ADDRESS);
        let loads: Vec<_> = [nearer, indexed, far].map(|sum| b.load(top, b.result(sum))).to_vec();
        let mut f = b.function;
        let mut remarks = Remarks::new();
        let waiting = Waiting::default();
        let mut context = Context {
            waiting: &waiting,
            remarks: &mut remarks,
            disobedience: Default::default(),
            lowered: false,
        };
        assert!(run(&mut f, &mut context));
        assert!(!run(&mut f, &mut context));
        let address = |load: usize| f.instruction(loads[load]).operands[..2].to_vec();
        assert_eq!(address(0), [Operand::Value(x), Operand::word(-12i32 as u32)]);
        assert_eq!(address(1), [Operand::Value(x), Operand::Value(y)]);
        let far = f.instruction(far).results[0];
        assert_eq!(address(2), [Operand::Value(far), Operand::word(0)]);
        assert_valid(&f);
    }
}
