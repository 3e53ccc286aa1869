//! One instruction: mnemonic and operands to a form.

use super::Lowerer;
use super::addresses::access;
use super::fits::{AddressContext, fit};
use super::mnemonic::{Candidate, Presence};
use super::operands::Resolved;
use crate::{Instruction, Operand, codes};
use pisa_diag::Span;
use pisa_isa::{Opcode, OperandKind, Qualifier, SlotName};
use pisa_syntax::{Node, NodeKind};
use smallvec::SmallVec;

impl<'t> Lowerer<'t> {
    pub(super) fn instruction(&mut self, node: Node<'t>) {
        if node.has_error() {
            return; // The parser has complained.
        }
        let mut children = node.children();
        let Some(mnemonic) = children.next().filter(|n| n.kind() == NodeKind::Mnemonic) else { return };
        let text = mnemonic.text();
        let mnemonic_span = mnemonic.span();
        if text == "lifetime.start" {
            return self.lifetime_start(node);
        }
        let entry = self.entry(text);
        let Some(entry) = self.entries.get(entry as usize).cloned() else { return };
        let mut operands: SmallVec<[Resolved<'t>; 4]> = SmallVec::new();
        for child in children {
            let operand = self.resolve(child);
            operands.push(operand);
        }
        let Some(candidate) = choose(&entry.candidates, &operands) else {
            return self.explain_mnemonic(text, mnemonic_span);
        };
        if !candidate.faults.is_empty() && !self.report_faults(candidate, text, mnemonic_span) {
            return; // What the operands should be is not clear then.
        }
        let mut fine = true;
        if !self.check_count(candidate.row, &candidate.operands, &operands, text, mnemonic_span) {
            return;
        }
        let context = address_context(candidate);
        let mut result: SmallVec<[Operand; 4]> = SmallVec::new();
        for (plan, operand) in candidate.operands.iter().zip(&operands) {
            if plan.def.kind == OperandKind::Arguments {
                continue; // Checked with the target below.
            }
            match self.check_operand(candidate.row, plan, operand, context, text) {
                Some(operand) => result.push(operand),
                None if plan.def.kind == OperandKind::ReturnValue
                    && matches!(operand, Resolved::Number(_)) => {}
                None => fine = false,
            }
        }
        if fine && !candidate.rules.is_empty() {
            fine = self.operand_rules(candidate, &operands, text);
        }
        if fine {
            fine = match candidate.row.opcode {
                Opcode::Call => self.check_call(candidate, &operands, &mut result, mnemonic_span),
                Opcode::Return => self.check_return(candidate, &operands, &mut result, mnemonic_span),
                _ => true,
            };
        }
        if !fine {
            return;
        }
        self.lint_instruction(candidate, &result, &operands, text, mnemonic_span);
        let mut qualifiers = candidate.values;
        if self.options.f2i_toward_zero && matches!(candidate.row.opcode, Opcode::F2i | Opcode::Pf2i) {
            // D-01: what LLVM means by a bare f2i.
            if let Some(i) = candidate.row.slots.iter().position(|s| s.name == SlotName::Rndmode)
                && qualifiers[i] == pisa_isa::Value::Absent
            {
                qualifiers[i] = pisa_isa::Value::Named(Qualifier::Rz);
            }
        }
        let place = self.place(node.span());
        self.body.code.push(Instruction { form: candidate.row.id(), qualifiers, operands: result, place });
    }

    /// E3: a marker of LLVM's, without effect.
    fn lifetime_start(&mut self, node: Node<'t>) {
        for child in node.children().filter(|c| c.kind() == NodeKind::RegisterOperand) {
            self.resolve(child);
        }
        let span = node.span();
        let diagnostic = self
            .departure(
                codes::LIFETIME_START,
                Span::new(span.start, span.start + "lifetime.start".len() as u32),
                "`lifetime.start` is what LLVM prints; the specification has no such instruction",
            )
            .note("it has no effect and is left out")
            .fix(self.place(span), "");
        self.report(diagnostic);
    }
}

/// The form whose operand kinds fit best; the first of equals.
fn choose<'c>(candidates: &'c [Candidate], operands: &[Resolved<'_>]) -> Option<&'c Candidate> {
    if let [only] = candidates {
        return Some(only);
    }
    let mut best: Option<(&Candidate, i64)> = None;
    for candidate in candidates {
        let required = candidate.operands.iter().filter(|p| p.presence == Presence::Required).count();
        let most = candidate.operands.iter().filter(|p| p.presence != Presence::Forbidden).count();
        let mut score = 0;
        for (plan, operand) in candidate.operands.iter().zip(operands) {
            // One misfit weighs more than any better fit elsewhere.
            score += match fit(plan, operand) {
                // A register of the wrong shape is nearer to a register than to a predicate.
                0 if takes_register(plan.def.kind) && matches!(operand, Resolved::Register { .. }) => -50,
                0 => -100,
                fits => i64::from(fits),
            };
        }
        if !(required..=most).contains(&operands.len()) {
            score -= 1000;
        }
        if best.is_none_or(|(_, s)| score > s) {
            best = Some((candidate, score));
        }
    }
    best.map(|(candidate, _)| candidate)
}

const fn takes_register(kind: OperandKind) -> bool {
    matches!(
        kind,
        OperandKind::Register
            | OperandKind::RegisterOrImmediate
            | OperandKind::Packed
            | OperandKind::Vector
            | OperandKind::Memory
    )
}

/// What the address operand of an instruction is checked against.
fn address_context(candidate: &Candidate) -> AddressContext {
    let row = candidate.row;
    match row.opcode {
        Opcode::Ld | Opcode::St | Opcode::Iatom | Opcode::Fatom | Opcode::LdParam => {
            let bits = candidate.value(SlotName::Type).and_then(Qualifier::bits).unwrap_or(8);
            let elements = candidate.value(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1);
            let (bytes, align) = access(bits, elements);
            AddressContext {
                space: candidate.value(SlotName::Addrspace),
                bytes,
                align,
                writes: matches!(row.opcode, Opcode::St | Opcode::Iatom | Opcode::Fatom),
            }
        }
        Opcode::Addrcast => {
            AddressContext { space: candidate.value(SlotName::From), ..AddressContext::default() }
        }
        _ => AddressContext::default(),
    }
}
