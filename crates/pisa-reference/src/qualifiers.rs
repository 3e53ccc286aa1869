//! The qualifiers of an instruction, as its semantics ask for them.

use pisa_float::{Mode, Rounding};
use pisa_isa::{Form, Qualifier, SlotName, SlotValues, Value};
use pisa_module::Instruction;

const SLOT_NAMES: usize = SlotName::Index as usize + 1;

/// The qualifier values of one instruction by the name of their slot, defaults filled in.
#[derive(Clone, Debug)]
pub(crate) struct Qualifiers {
    named: [Option<Qualifier>; SLOT_NAMES],
    number: u8,
    width: u32,
    mode: Mode,
}

/// A floating-point type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Hf,
    Bf,
    F,
    Df,
}

impl Qualifiers {
    pub(crate) fn of(instruction: &Instruction) -> Qualifiers {
        Qualifiers::new(instruction.row(), &instruction.qualifiers)
    }

    /// Of a form with these values in its slots.
    pub(crate) fn new(row: &Form, values: &SlotValues) -> Qualifiers {
        let mut named = [None; SLOT_NAMES];
        let mut number = 0;
        for (slot, value) in row.slots.iter().zip(*values) {
            named[slot.name as usize] = match value {
                Value::Absent => slot.default,
                Value::Named(qualifier) => Some(qualifier),
                Value::Number(n) => {
                    number = n;
                    None
                }
            };
        }
        let mut qualifiers = Qualifiers { named, number, width: 0, mode: Mode::default() };
        let ty = if row.slot(SlotName::Type).is_some() { SlotName::Type } else { SlotName::To };
        qualifiers.width = qualifiers.width_of(ty);
        qualifiers.mode = Mode {
            rounding: match qualifiers.get(SlotName::Rndmode) {
                Some(Qualifier::Rd) => Rounding::Down,
                Some(Qualifier::Ru) => Rounding::Up,
                Some(Qualifier::Rz) => Rounding::Zero,
                Some(Qualifier::Rna) => Rounding::NearestAway,
                // `.re` is the default of every instruction, `f2i` included (spec 3.2, D-01).
                _ => Rounding::NearestEven,
            },
            ftz: qualifiers.has(SlotName::Ftz),
            dsat: qualifiers.has(SlotName::Dsat),
        };
        qualifiers
    }

    /// The value in the slot; an absent optional one gives its default.
    pub(crate) fn get(&self, slot: SlotName) -> Option<Qualifier> {
        self.named[slot as usize]
    }
    /// Whether the slot holds this value.
    pub(crate) fn is(&self, slot: SlotName, value: Qualifier) -> bool {
        self.get(slot) == Some(value)
    }
    /// Whether a flag such as `.ftz` is there.
    pub(crate) fn has(&self, slot: SlotName) -> bool {
        self.get(slot).is_some()
    }
    /// The `.index` of `extract` and `insert`, the truth table of `bfn`.
    pub(crate) fn number(&self) -> u8 {
        self.number
    }

    /// `bitwidth(.type)`; of a packed type, the width of one element (spec 2.2.2). Where there is no `.type`, that of `.to`.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }
    /// The width of the type in the slot, of a packed type that of one element; 0 without such a slot.
    pub(crate) fn width_of(&self, slot: SlotName) -> u32 {
        self.get(slot).map_or(0, |ty| match ty.packed() {
            Some((_, bits)) => u32::from(bits),
            None => u32::from(ty.bits().unwrap_or(0)),
        })
    }
    /// `element_count(.vec)`, 1 without `.vec`.
    pub(crate) fn elements(&self) -> usize {
        self.get(SlotName::Vec).and_then(Qualifier::elements).map_or(1, usize::from)
    }

    /// The floating-point type in the slot, of a packed type that of one element.
    pub(crate) fn format(&self, slot: SlotName) -> Format {
        match self.get(slot) {
            Some(Qualifier::Hf | Qualifier::Hfx2) => Format::Hf,
            Some(Qualifier::Bf | Qualifier::Bfx2) => Format::Bf,
            Some(Qualifier::Df) => Format::Df,
            _ => Format::F,
        }
    }
    /// Whether the integer type in the slot is signed (`.s8`, `.s16x2`, …).
    pub(crate) fn is_signed(&self, slot: SlotName) -> bool {
        use Qualifier::{S8, S16, S16x2, S32, S64};
        matches!(self.get(slot), Some(S8 | S16 | S32 | S64 | S16x2))
    }
    /// `.rndmode`, `.ftz` and `.dsat`.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }
    /// `.rndmode`, `.re` by default (spec 3.2).
    pub(crate) fn rounding(&self) -> Rounding {
        self.mode.rounding
    }
    /// `.ftz`.
    pub(crate) fn ftz(&self) -> bool {
        self.mode.ftz
    }
    /// `.dsat`.
    pub(crate) fn dsat(&self) -> bool {
        self.mode.dsat
    }
}
