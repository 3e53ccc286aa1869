//! The restriction rules: those that the qualifiers decide, and those that need the operands.

use super::mnemonic::Candidate;
use super::operands::Resolved;
use super::{Lowerer, codes};
use pisa_diag::Span;
use pisa_isa::{Condition, Form, Opcode, Qualifier, Restriction, Rule, SlotName, SlotValues, Value};

/// What the qualifiers alone do wrong.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// A restriction of the table is broken.
    Restriction(&'static Restriction),
    /// An order stronger than relaxed without a scope (M-04).
    MissingScope,
}

pub(super) fn static_faults(row: &'static Form, values: &SlotValues) -> Vec<Fault> {
    let mut faults = Vec::new();
    faults.extend(row.violations(values).into_iter().map(Fault::Restriction));
    let accesses_memory = matches!(row.opcode, Opcode::Ld | Opcode::St | Opcode::Iatom | Opcode::Fatom);
    let has_scope = row.slot(SlotName::Memscope).is_some_and(|(i, _)| values[i] != Value::Absent);
    if accesses_memory && !has_scope {
        let order = row.value(values, SlotName::Memorder);
        if matches!(
            order,
            Some(Qualifier::Acquire | Qualifier::Release | Qualifier::AcqRel | Qualifier::SeqCst)
        ) {
            faults.push(Fault::MissingScope);
        }
    }
    faults
}

/// The slot that a broken rule blames.
fn blamed_slot(rule: &Rule) -> SlotName {
    match rule {
        Rule::NotSpecifiedWhen { slot, .. }
        | Rule::SpecifiedOnlyWhen { slot, .. }
        | Rule::ValueExcludedWhen { slot, .. } => *slot,
        _ => SlotName::To,
    }
}

/// Where a qualifier stands in a mnemonic.
pub(super) fn qualifier_span(mnemonic: &str, span: Span, text: &str) -> Span {
    let found = mnemonic
        .match_indices(text)
        .find(|(i, t)| matches!(mnemonic.as_bytes().get(i + t.len()), None | Some(b'.')));
    match found {
        Some((i, t)) => Span::new(span.start + i as u32, span.start + (i + t.len()) as u32),
        None => span,
    }
}

/// `.a`, `.a or .b`, `.a, .b or .c`.
fn list_text(list: &[Qualifier]) -> String {
    let texts: Vec<_> = list.iter().map(|q| format!("`{}`", q.text())).collect();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Is(slot, list) => format!("`.{}` is {}", slot.text(), list_text(list)),
        Condition::Not(Condition::Is(slot, list)) => format!("`.{}` is not {}", slot.text(), list_text(list)),
        Condition::Not(inner) => format!("not ({})", condition_text(inner)),
        Condition::All(list) => list.iter().map(condition_text).collect::<Vec<_>>().join(" and "),
        Condition::Any(list) => list.iter().map(condition_text).collect::<Vec<_>>().join(" or "),
    }
}

/// `unless X` where the condition is a negation, else `when X`.
fn when_text(condition: &Condition) -> String {
    match condition {
        Condition::Not(inner) => format!("unless {}", condition_text(inner)),
        other => format!("when {}", condition_text(other)),
    }
}

/// The section of a row, `8.3 ld`.
pub(super) fn section(row: &Form) -> String {
    format!("{} {}", row.opcode.section(), row.opcode.text())
}

impl<'t> Lowerer<'t> {
    /// Reports what the qualifiers of a candidate do wrong; false when it was an error.
    pub(super) fn report_faults(&mut self, candidate: &Candidate, mnemonic: &str, span: Span) -> bool {
        let mut fine = true;
        for fault in &candidate.faults {
            let row = candidate.row;
            let diagnostic = match fault {
                Fault::MissingScope => {
                    let order = candidate.value(SlotName::Memorder).map_or("", Qualifier::text);
                    let scope = match candidate.value(SlotName::Addrspace) {
                        Some(Qualifier::Shared) => ".workgroup",
                        _ => ".gpu",
                    };
                    let place = qualifier_span(mnemonic, span, order);
                    self.departure(
                        codes::MISSING_SCOPE,
                        place,
                        format!("`{order}` without a memory scope; read as `{scope}`"),
                    )
                    .spec("1.2.1.2 memory scope: must be specified when the order is stronger than relaxed")
                    .help(format!("write `{order}{scope}`"))
                    .fix(self.place(place), format!("{order}{scope}"))
                }
                Fault::Restriction(restriction) => self
                    .restriction_fault(candidate, restriction, mnemonic, span)
                    .spec(format!("{}: {}", section(row), restriction.text)),
            };
            fine &= diagnostic.severity != pisa_diag::Severity::Error;
            self.report(diagnostic);
        }
        fine
    }

    fn restriction_fault(
        &self,
        candidate: &Candidate,
        restriction: &Restriction,
        mnemonic: &str,
        span: Span,
    ) -> pisa_diag::Diagnostic {
        let row = candidate.row;
        let rule = &restriction.rule;
        let slot = blamed_slot(rule);
        let text = candidate.value(slot).map_or("", Qualifier::text);
        let place = qualifier_span(mnemonic, span, text);
        let opcode = row.opcode.text();
        let to = candidate.value(SlotName::To).map_or("", Qualifier::text);
        let from = candidate.value(SlotName::From).map_or("", Qualifier::text);
        let make = |code, message: String| {
            if restriction.departure {
                self.departure(departure_code(rule), place, message)
            } else {
                self.error(code, place, message)
            }
        };
        match rule {
            Rule::Wider => {
                let help = match row.opcode {
                    Opcode::Fext => "`ftrunc` makes floating-point values narrower",
                    _ => "`trunc` makes integers narrower, `mov` copies",
                };
                make(
                    codes::NOT_WIDER,
                    format!("`{opcode}` makes values wider, `{to}` is not wider than `{from}`"),
                )
                .help(help)
            }
            Rule::Narrower => {
                let help = match row.opcode {
                    Opcode::Ftrunc => "`fext` makes floating-point values wider",
                    _ => "`zext` and `sext` make integers wider, `mov` copies",
                };
                make(
                    codes::NOT_NARROWER,
                    format!("`{opcode}` makes values narrower, `{to}` is not narrower than `{from}`"),
                )
                .help(help)
            }
            Rule::NotSpecifiedWhen { slot, when } => make(
                codes::FORBIDDEN_QUALIFIER,
                format!("`{text}` (`.{}`) must not be specified {}", slot.text(), when_text(when)),
            )
            .help(format!("remove `{text}`"))
            .fix(self.place(place), ""),
            Rule::SpecifiedOnlyWhen { slot, when } => make(
                codes::QUALIFIER_ONLY_WHEN,
                format!("`{text}` (`.{}`) can be specified only when {}", slot.text(), condition_text(when)),
            )
            .help(format!("remove `{text}`, or add the qualifier that it goes with")),
            Rule::ValueExcludedWhen { slot, value, when } => make(
                codes::EXCLUDED_VALUE,
                format!("`.{}` of `{opcode}` cannot be `{}` {}", slot.text(), value.text(), when_text(when)),
            )
            .help(self.values_help(candidate, *slot)),
            _ => make(codes::of_rule(rule), format!("`{mnemonic}` breaks a restriction")),
        }
    }

    /// The values of a slot that the other qualifiers allow.
    fn values_help(&self, candidate: &Candidate, slot: SlotName) -> String {
        let row = candidate.row;
        let Some(index) = row.slots.iter().position(|s| s.name == slot) else { return String::new() };
        let pisa_isa::Values::OneOf(list) = row.slots[index].values else { return String::new() };
        let allowed: Vec<_> = list
            .iter()
            .filter(|&&q| {
                let mut values = candidate.values;
                values[index] = Value::Named(q);
                !static_faults(row, &values)
                    .iter()
                    .any(|f| matches!(f, Fault::Restriction(r) if blamed_slot(&r.rule) == slot))
            })
            .map(|q| q.text())
            .collect();
        format!("`.{}` here: {}", slot.text(), allowed.join(" "))
    }

    /// Rules that speak of operands which were each found fitting before.
    pub(super) fn operand_rules(
        &mut self,
        candidate: &Candidate,
        operands: &[Resolved<'t>],
        mnemonic: &str,
    ) -> bool {
        let mut fine = true;
        let position = |name: &str| candidate.row.operands.iter().position(|o| o.name == name);
        let vector = |name: &str| match position(name).and_then(|i| operands.get(i)) {
            Some(Resolved::Register { ty, span, register, swizzle: None }) => {
                Some((ty.elements, *span, *register))
            }
            _ => None,
        };
        for rule in &candidate.rules {
            let diagnostic = match rule {
                Rule::ElementCount { operand } => {
                    // Operands of kind Memory have been compared with `.vec` already.
                    let Some((elements, span, _)) = vector(operand) else { continue };
                    let Some(wanted) = candidate.value(SlotName::Vec).and_then(Qualifier::elements) else {
                        continue;
                    };
                    if elements == wanted {
                        continue;
                    }
                    self.error(
                        codes::ELEMENT_COUNT,
                        span,
                        format!(
                            "`{}` has {elements} elements, `{mnemonic}` takes {wanted}",
                            self.text_at(span)
                        ),
                    )
                    .label(format!("{elements} elements"))
                    .help(format!(
                        "declare it as `.reg .v{wanted}.32b`, or write `.v{elements}` in the mnemonic"
                    ))
                }
                Rule::IndexInRange { operand } => {
                    let (Some((elements, span, _)), Some(index)) = (vector(operand), candidate.index())
                    else {
                        continue;
                    };
                    if index < elements {
                        continue;
                    }
                    self.error(
                        codes::INDEX_RANGE,
                        span,
                        format!(
                            "`{}` has {elements} elements, there is no element {index}",
                            self.text_at(span)
                        ),
                    )
                    .help(format!("`.index` here: .0 to .{}", elements - 1))
                }
                Rule::IndexAligned { operand } => {
                    let (Some((elements, span, _)), Some(index)) = (vector(operand), candidate.index())
                    else {
                        continue;
                    };
                    if elements == 0 || index % elements == 0 {
                        continue;
                    }
                    self.error(
                        codes::INDEX_ALIGNMENT,
                        span,
                        format!(
                            "index {index} is not a multiple of the {elements} elements of `{}`",
                            self.text_at(span)
                        ),
                    )
                    .help(format!(
                        "the nearest ones are .{} and .{}",
                        index / elements * elements,
                        (index / elements + 1) as u32 * u32::from(elements)
                    ))
                }
                Rule::IndexSum { part, whole } => {
                    let (Some((count, _, _)), Some((elements, span, _)), Some(index)) =
                        (vector(part), vector(whole), candidate.index())
                    else {
                        continue;
                    };
                    if u32::from(index) + u32::from(count) <= u32::from(elements) {
                        continue;
                    }
                    self.error(
                        codes::INDEX_SUM,
                        span,
                        format!(
                            "elements {index} to {} are past the end of `{}`, which has {elements}",
                            u32::from(index) + u32::from(count) - 1,
                            self.text_at(span)
                        ),
                    )
                    .label(format!("{elements} elements"))
                    .help(format!("`.index` and the element count together can be at most {elements}"))
                }
                Rule::VariableAddressSize { operand, slot } => {
                    let Some(Resolved::Variable { id, span }) =
                        position(operand).and_then(|i| operands.get(i))
                    else {
                        continue;
                    };
                    let Some(bits) = candidate.value(*slot).and_then(Qualifier::bits) else { continue };
                    let Some(variable) = self.variables.get(id.index()) else { continue };
                    let size = variable.space.qualifier().address_bits().unwrap_or(64);
                    if size == bits {
                        continue;
                    }
                    let space = variable.space.qualifier().text();
                    self.error(
                        codes::VARIABLE_ADDRESS_SIZE,
                        *span,
                        format!(
                            "addresses of `{space}` variables have {size} bits, `{mnemonic}` takes {bits}"
                        ),
                    )
                    .also(variable.place, "declared here")
                    .help(format!(
                        "write `{}.{size}b` and a {size}-bit destination",
                        candidate.row.opcode.text()
                    ))
                }
                _ => continue,
            };
            let diagnostic = diagnostic.spec(section(candidate.row));
            self.report(diagnostic);
            fine = false;
        }
        fine
    }

    /// The text of a span.
    pub(super) fn text_at(&self, span: Span) -> &'t str {
        self.tree.text().get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// The code of a restriction that is only warned about (M-02, M-05).
pub(super) const fn departure_code(rule: &Rule) -> pisa_diag::Code {
    match rule {
        Rule::ValueExcludedWhen { .. } => codes::ATOMIC_64,
        _ => codes::CACHE_CONTROL_SHARED,
    }
}
