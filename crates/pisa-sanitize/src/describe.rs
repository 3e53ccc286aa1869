//! How findings call operands: as the text of the module does, with their values.

use pisa_machine::{LANES, LaneValues, Step};
use pisa_module::{AddressBase, AddressOffset, Function, Operand, Program, RegisterUse};

/// `%name`, `%name.x`.
pub(crate) fn register_text(function: &Function, used: RegisterUse) -> String {
    let name = function.registers.get(used.register.index()).map_or("?", |register| &register.name);
    format!("%{name}{}", used.swizzle.map_or("", |swizzle| swizzle.text()))
}

/// An operand as the text has it; integers in decimal.
pub(crate) fn operand_text(program: &Program, function: &Function, operand: &Operand) -> String {
    match operand {
        Operand::Register(used) => register_text(function, *used),
        Operand::Special(special) => special.to_string(),
        Operand::Predicate { register, negated } => {
            let plain = register_text(function, RegisterUse { register: *register, swizzle: None });
            if *negated { format!("!{plain}") } else { plain }
        }
        Operand::Immediate { bits, .. } => bits.to_string(),
        Operand::Address { base, offset } => {
            let base = match base {
                AddressBase::Register(used) => register_text(function, *used),
                AddressBase::Special(special) => special.to_string(),
                AddressBase::Variable(id) => format!("@{}", program.variable(*id).name),
            };
            match offset_text(function, *offset) {
                Some(offset) => format!("[{base} + {offset}]"),
                None => format!("[{base}]"),
            }
        }
        Operand::Parameter { parameter, offset } => {
            let name = function.kernel_parameters().get(parameter.index()).map_or("?", |p| &p.name);
            match offset_text(function, *offset) {
                Some(offset) => format!("[%{name} + {offset}]"),
                None => format!("[%{name}]"),
            }
        }
        Operand::Variable(id) => format!("@{}", program.variable(*id).name),
        Operand::Function(id) => format!("@{}", program.function(*id).name),
        Operand::Label(id) => {
            function.labels.get(id.index()).map_or_else(String::new, |l| l.name.to_string())
        }
        Operand::Void => "void".to_owned(),
    }
}

/// An offset as the text has it; `None` for the offset 0.
fn offset_text(function: &Function, offset: AddressOffset) -> Option<String> {
    match offset {
        AddressOffset::Immediate(0) => None,
        AddressOffset::Immediate(value) => Some(value.to_string()),
        AddressOffset::Register(used) => Some(register_text(function, used)),
        AddressOffset::Special(special) => Some(special.to_string()),
    }
}

/// What an offset is in each lane, with its name; `None` for an immediate.
pub(crate) fn offset_values(
    function: &Function,
    step: &Step<'_>,
    offset: AddressOffset,
) -> Option<(String, LaneValues)> {
    let AddressOffset::Register(used) = offset else { return None };
    let mut values = [0; LANES as usize];
    read_use(step, used, &mut values);
    // M-08: offsets are signed.
    let bits = function.registers.get(used.register.index()).map_or(64, |register| register.ty.bits);
    for value in &mut values {
        *value = signed(*value, u32::from(bits)) as u64;
    }
    Some((register_text(function, used), values))
}

/// Reads a scalar register or the element of a vector that is meant.
pub(crate) fn read_use(step: &Step<'_>, used: RegisterUse, into: &mut LaneValues) {
    let element = used.swizzle.map_or(0, |swizzle| usize::from(swizzle.range().0));
    step.view.read_register(used.register, element, into);
}

/// Bits of so many as a signed number.
pub(crate) fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64u32.saturating_sub(width.max(1));
    (bits << unused) as i64 >> unused
}

/// The number of the first lane of a set; 0 of an empty one.
pub(crate) fn first_lane(lanes: u32) -> usize {
    (lanes.trailing_zeros() as usize).min(LANES as usize - 1)
}

/// `1 byte`, `4 bytes`.
pub(crate) fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}
