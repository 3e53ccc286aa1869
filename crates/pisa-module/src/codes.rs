//! The codes of everything that is found after parsing; their titles and long texts stand in `pisa-diag`.

pub use pisa_diag::codes::link::*;
pub use pisa_diag::codes::module::*;

/// The code of a rule's violation, where it is no departure.
pub const fn of_rule(rule: &pisa_isa::Rule) -> pisa_diag::Code {
    use pisa_isa::Rule;
    match rule {
        Rule::Width { .. } => WRONG_WIDTH,
        Rule::PackedShape { .. } => PACKED_SHAPE,
        Rule::SwizzledWidth { .. } => SWIZZLED_WIDTH,
        Rule::AddressSpace { .. } => ADDRESS_SPACE,
        Rule::VariableAddressSize { .. } => VARIABLE_ADDRESS_SIZE,
        Rule::ElementCount { .. } => ELEMENT_COUNT,
        Rule::IndexInRange { .. } => INDEX_RANGE,
        Rule::IndexAligned { .. } => INDEX_ALIGNMENT,
        Rule::IndexSum { .. } => INDEX_SUM,
        Rule::Wider => NOT_WIDER,
        Rule::Narrower => NOT_NARROWER,
        Rule::OperandOnlyWhen { .. } => OPERAND_ONLY_WHEN,
        Rule::NotSpecifiedWhen { .. } => FORBIDDEN_QUALIFIER,
        Rule::SpecifiedOnlyWhen { .. } => QUALIFIER_ONLY_WHEN,
        Rule::ValueExcludedWhen { .. } => EXCLUDED_VALUE,
        Rule::ReturnType { .. } => RETURN_TYPE,
    }
}
