//! Instructions made from the table: fitting ones, and ones with a single fault.

use pisa_isa::{
    Form, Interpretation, OperandDef, OperandKind, Qualifier, Rule, SlotName, SlotValues, Value, Width,
};

/// Scalar widths.
pub const WIDTHS: [u16; 5] = [8, 16, 32, 64, 128];

/// Element counts by width (T-03).
pub fn counts(bits: u16) -> &'static [u8] {
    match bits {
        8 | 16 | 64 => &[2, 3, 4],
        32 => &[2, 3, 4, 5, 6, 7, 8, 16, 32, 64],
        _ => &[],
    }
}

/// Everything that the instructions name, up to the opening of the kernel and its declarations.
pub fn preamble() -> String {
    let mut text = String::from(super::HEADER);
    text.push_str(".global .align 16 @global[64];\n.const .align 16 @const[64] = { .zero 64 };\n");
    text.push_str(".function void @nothing() {\n}\n");
    text.push_str(".function .32b @word(.reg .32b %a, .reg .v2.64b %b) {\n  return %a;\n}\n");
    text.push_str(".kernel @k(.param[64] %arg) {\n");
    for bits in WIDTHS {
        text.push_str(&format!("  .reg .{bits}b %s{bits}_<0~10>;\n"));
        for count in counts(bits) {
            text.push_str(&format!("  .reg .v{count}.{bits}b %v{count}_{bits}_<0~10>;\n"));
        }
    }
    text.push_str("  .pred %p<0~10>;\n");
    text.push_str("  .private .align 16 @private[64];\n  .shared .align 16 @shared[64];\nlabel:\n");
    text
}

pub fn scalar(bits: u16, number: usize) -> String {
    format!("%s{bits}_{number}")
}

pub fn vector(count: u8, bits: u16, number: usize) -> String {
    format!("%v{count}_{bits}_{number}")
}

/// The value of a slot, the default where it is absent.
pub fn value(row: &Form, values: &SlotValues, slot: SlotName) -> Option<Qualifier> {
    row.value(values, slot)
}

pub fn bits(row: &Form, values: &SlotValues, operand: &OperandDef) -> u16 {
    let of = |slot| value(row, values, slot);
    match operand.width {
        Width::None => 0,
        Width::Bits(bits) => bits,
        Width::Slot(slot) => of(slot).and_then(Qualifier::bits).unwrap(),
        Width::TwiceSlot(slot) => 2 * of(slot).and_then(Qualifier::bits).unwrap(),
        Width::AddressOf(slot) => of(slot).and_then(Qualifier::address_bits).unwrap(),
    }
}

pub fn float(row: &Form, values: &SlotValues, operand: &OperandDef) -> Option<Qualifier> {
    match operand.interpretation {
        Interpretation::Float(slot) => value(row, values, slot).filter(|q| q.packed().is_none()),
        _ => None,
    }
}

/// Element count and width of a packed operand.
pub fn packed(row: &Form, values: &SlotValues, operand: &OperandDef) -> (u8, u16) {
    match operand.width {
        Width::Slot(slot) => value(row, values, slot).and_then(Qualifier::packed).unwrap(),
        _ => (2, 16),
    }
}

pub fn elements(row: &Form, values: &SlotValues) -> u8 {
    value(row, values, SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1)
}

pub fn index(row: &Form, values: &SlotValues) -> Option<u8> {
    let (i, _) = row.slot(SlotName::Index)?;
    match values[i] {
        Value::Number(n) => Some(n),
        _ => None,
    }
}

/// Whether the index can fit any vector at all: the operand rules of `extract` and `insert`.
pub fn index_can_fit(row: &Form, values: &SlotValues) -> bool {
    let (Some(index), count) = (index(row, values), elements(row, values)) else { return true };
    index % count == 0 && u32::from(index) + u32::from(count) <= 64
}

/// Whether the operand is there with these values.
pub fn present(row: &Form, values: &SlotValues, operand: &OperandDef) -> bool {
    row.restrictions
        .iter()
        .find_map(|r| match r.rule {
            Rule::OperandOnlyWhen { operand: name, when } if name == operand.name => {
                Some(when.holds(row, values))
            }
            _ => None,
        })
        .unwrap_or(!operand.optional)
}

/// The variable of a space.
pub fn variable(space: Qualifier) -> &'static str {
    match space {
        Qualifier::Global => "@global",
        Qualifier::Const => "@const",
        Qualifier::Shared => "@shared",
        Qualifier::Private => "@private",
        other => panic!("{other:?} has no variables"),
    }
}

/// A fitting operand for a position. `variant` asks for another way to write it; 0 is the plain one.
pub fn operand(row: &Form, values: &SlotValues, number: usize, variant: usize) -> String {
    use OperandKind as K;
    let definition = &row.operands[number];
    let bits = bits(row, values, definition);
    let reads = definition.access == pisa_isa::Access::Read;
    match definition.kind {
        K::Register | K::RegisterOrImmediate => {
            let immediate = definition.kind == K::RegisterOrImmediate;
            match (variant, bits) {
                (1, 8 | 16 | 32 | 64) => format!("{}.w", vector(4, bits, number)),
                (2, 32) if reads => "%localid.y".to_owned(),
                (2, 64) if reads => "%globalsize.z".to_owned(),
                (3, _) if immediate => match float(row, values, definition) {
                    Some(_) => "-1.5".to_owned(),
                    None => "-1".to_owned(),
                },
                (4, _) if immediate => match float(row, values, definition) {
                    Some(ty) => format!("0x{:0width$x}", 1, width = usize::from(ty.bits().unwrap()) / 4),
                    None => "0x7f".to_owned(),
                },
                _ => scalar(bits, number),
            }
        }
        K::Predicate => format!("%p{number}"),
        K::PredicateOrNegation => format!("{}%p{number}", if variant == 1 { "!" } else { "" }),
        K::Packed => {
            let (count, bits) = packed(row, values, definition);
            vector(count, bits, number)
        }
        K::Vector => {
            let whole = row.restrictions.iter().any(|r| match r.rule {
                Rule::IndexInRange { operand } => operand == definition.name,
                Rule::IndexSum { whole, .. } => whole == definition.name,
                _ => false,
            });
            vector(if whole { 64 } else { elements(row, values) }, bits, number)
        }
        K::Swizzle => match (variant, bits) {
            (1, 16) => format!("{}.zw", vector(4, 8, number)),
            (1, 32) => format!("{}.xyzw", vector(4, 8, number)),
            (1, 64) => format!("{}.xy", vector(3, 32, number)),
            (_, 128) => format!("{}.xy", vector(2, 64, number)),
            _ => format!("{}.y", vector(2, bits, number)),
        },
        K::Memory => match elements(row, values) {
            1 if variant == 1 => format!("{}.x", vector(2, bits, number)),
            1 => scalar(bits, number),
            // There are no such vectors of other widths; the mnemonic is refused before the operand matters.
            count if !counts(bits).contains(&count) => vector(count, 32, number),
            count => vector(count, bits, number),
        },
        K::Address => {
            let space = value(row, values, SlotName::Addrspace).unwrap();
            let base = scalar(bits, 7);
            match variant {
                1 => format!("[{base} + 16]"),
                2 => format!("[{base}+{}]", scalar(bits, 8)),
                3 if space != Qualifier::Generic && space != Qualifier::Const => {
                    format!("[{} + -16]", variable(space))
                }
                _ => format!("[{base}]"),
            }
        }
        K::ParameterAddress => match variant {
            1 => format!("[%arg + {}]", scalar(32, 8)),
            2 => "[%arg+0]".to_owned(),
            _ => "[%arg]".to_owned(),
        },
        K::MemoryVariable => {
            let ty = value(row, values, SlotName::Type).unwrap();
            match (ty, variant) {
                (Qualifier::B32, 1) => "@private".to_owned(),
                (Qualifier::B32, _) => "@shared".to_owned(),
                (_, 1) => "@const".to_owned(),
                _ => "@global".to_owned(),
            }
        }
        K::RegisterOrMemoryVariable => match (variant, value(row, values, SlotName::From)) {
            (1, Some(space)) if space != Qualifier::Generic => variable(space).to_owned(),
            _ => scalar(bits, number),
        },
        K::FunctionName => "@word".to_owned(),
        K::Label => "label".to_owned(),
        K::ResultOrVoid => {
            if variant == 1 {
                scalar(32, number)
            } else {
                "void".to_owned()
            }
        }
        K::CallTarget => match variant {
            1 => "@word".to_owned(),
            2 => scalar(64, number),
            _ => "@nothing".to_owned(),
        },
        K::Arguments => match variant {
            1 => format!("({}, {})", scalar(32, 7), vector(2, 64, 7)),
            2 => format!("({})", scalar(128, 7)),
            _ => "()".to_owned(),
        },
        K::ReturnValue => String::new(),
    }
}

/// An instruction of operands as text.
pub fn instruction(row: &Form, values: &SlotValues, operands: &[String]) -> String {
    let mut text = format!("  {}", row.mnemonic(values));
    let mut first = true;
    for (i, operand) in operands.iter().enumerate() {
        if operand.is_empty() {
            continue;
        }
        let list = row.operands.get(i).is_some_and(|o| o.kind == OperandKind::Arguments);
        text.push_str(if first || list { " " } else { ", " });
        text.push_str(operand);
        first = false;
    }
    text.push_str(";\n");
    text
}

/// Fitting operands, all in one variant.
pub fn operands(row: &Form, values: &SlotValues, variant: usize) -> Vec<String> {
    (0..row.operands.len())
        .filter(|&i| present(row, values, &row.operands[i]))
        .map(|i| operand(row, values, i, variant))
        .collect()
}
