//! Random instructions of a form: qualifiers, registers, aliases, swizzles, immediates.

use std::fmt;

use pisa_diag::{FileId, Place, Span};
use pisa_isa::{Form, Interpretation, Opcode, OperandKind, Qualifier, SlotName, Value, Values, Width};
use pisa_module::{
    Function, FunctionKind, Instruction, Linkage, MAX_SLOTS, Operand, Register, RegisterId, RegisterType,
    RegisterUse, Swizzle,
};

use super::Random;

/// Values of all slots.
pub type Qualifiers = [Value; MAX_SLOTS];

/// Every combination of qualifiers; one index and every truth table stand for themselves.
pub fn combinations(form: &Form) -> Vec<Qualifiers> {
    let mut all = vec![[Value::Absent; MAX_SLOTS]];
    for (i, slot) in form.slots.iter().enumerate() {
        let mut values: Vec<Value> = match slot.values {
            Values::OneOf(list) => list.iter().map(|&q| Value::Named(q)).collect(),
            // Chosen with the vectors.
            Values::Index => vec![Value::Number(0)],
            Values::TruthTable => (1..=0xfe).map(Value::Number).collect(),
        };
        if slot.optional {
            values.push(Value::Absent);
        }
        all = all
            .iter()
            .flat_map(|&so_far| {
                values.iter().map(move |&value| {
                    let mut next = so_far;
                    next[i] = value;
                    next
                })
            })
            .collect();
    }
    // Restrictions that concern values: `.dsat` with `.uu`, widths of conversions.
    all.retain(|&qualifiers| {
        let instruction = instruction(form, qualifiers);
        let (to, from) = (instruction.qualifier(SlotName::To), instruction.qualifier(SlotName::From));
        let widths = to.and_then(Qualifier::bits).zip(from.and_then(Qualifier::bits));
        let unsigned = instruction.qualifier(SlotName::Signedness) == Some(Qualifier::Uu);
        match form.opcode {
            Opcode::Dp4a => !(unsigned && instruction.has(SlotName::Dsat)),
            Opcode::Zext | Opcode::Sext | Opcode::Fext => widths.is_some_and(|(to, from)| to > from),
            Opcode::Trunc | Opcode::Ftrunc => widths.is_some_and(|(to, from)| to < from),
            _ => true,
        }
    });
    all
}

fn instruction(form: &Form, qualifiers: Qualifiers) -> Instruction {
    Instruction { form: form.id(), qualifiers, operands: Default::default(), place: nowhere() }
}

fn nowhere() -> Place {
    Place { file: FileId(0), span: Span::new(0, 0) }
}

/// Where an operand lies.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Index into [`Case::registers`].
    pub register: usize,
    /// First element.
    pub first: u32,
    /// Elements.
    pub elements: u32,
    /// Width of an element in bits; 1 is a predicate.
    pub bits: u32,
    /// `!`
    pub negated: bool,
}

/// A register, or an immediate (one value for all lanes, in the fixed area).
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    pub elements: u32,
    pub bits: u32,
    pub immediate: bool,
    /// The floating-point type its values are drawn from.
    pub float: Option<Qualifier>,
}

/// An instruction, its function and where its operands lie.
pub struct Case {
    pub instruction: Instruction,
    pub function: Function,
    pub operands: Vec<Slot>,
    pub registers: Vec<Storage>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.opcode().text())?;
        for value in &self.instruction.qualifiers[..self.instruction.row().slots.len()] {
            match value {
                Value::Absent => {}
                Value::Named(q) => write!(f, "{}", q.text())?,
                Value::Number(n) => write!(f, ".{n:#x}")?,
            }
        }
        for slot in &self.operands {
            let storage = self.registers[slot.register];
            let kind = if storage.immediate { "imm" } else { "r" };
            write!(f, " {kind}{}[{}..+{}]x{}", slot.register, slot.first, slot.elements, slot.bits)?;
        }
        Ok(())
    }
}

impl Case {
    pub fn opcode(&self) -> Opcode {
        self.instruction.row().opcode
    }
    pub fn qualifier(&self, name: SlotName) -> Option<Qualifier> {
        self.instruction.qualifier(name)
    }
    pub fn has(&self, name: SlotName) -> bool {
        self.instruction.has(name)
    }

    /// Without operands.
    pub fn bare(form: &Form, _: &mut Random) -> Case {
        Case::empty(form, combinations(form)[0])
    }

    fn empty(form: &Form, qualifiers: Qualifiers) -> Case {
        let function = Function {
            name: "f".into(),
            linkage: Linkage::Internal,
            kind: FunctionKind::Function { result: None, parameters: Vec::new() },
            registers: Vec::new(),
            variables: Vec::new(),
            labels: Vec::new(),
            code: Vec::new(),
            place: nowhere(),
        };
        Case {
            instruction: instruction(form, qualifiers),
            function,
            operands: Vec::new(),
            registers: Vec::new(),
        }
    }

    /// With one register for each operand.
    pub fn plain(form: &Form, qualifiers: Qualifiers) -> Case {
        let mut case = Case::empty(form, qualifiers);
        for def in form.operands {
            let (elements, bits) = match (def.kind, def.width) {
                (OperandKind::Predicate | OperandKind::PredicateOrNegation, _) => (1, 1),
                (OperandKind::Packed, Width::Slot(name)) => {
                    let (elements, bits) = case.qualifier(name).and_then(Qualifier::packed).unwrap();
                    (elements as u32, bits as u32)
                }
                _ => (1, case.width(def.width)),
            };
            let register = case.add(Storage { elements, bits, immediate: false, float: None });
            let slot = Slot { register, first: 0, elements, bits, negated: false };
            let operand = case.operand(slot);
            case.operands.push(slot);
            case.instruction.operands.push(operand);
        }
        case
    }

    /// With random operands.
    pub fn new(form: &Form, qualifiers: Qualifiers, random: &mut Random) -> Case {
        let mut case = Case::empty(form, qualifiers);
        let counts = case.vector_counts(random);
        for (i, def) in form.operands.iter().enumerate() {
            let bits = case.width(def.width);
            let float = match def.interpretation {
                Interpretation::Float(slot) => case.qualifier(slot),
                _ if form.opcode == Opcode::Ftrunc2 => Some(Qualifier::F),
                _ => None,
            };
            let immediate = match def.kind {
                OperandKind::RegisterOrImmediate => random.one_in(4),
                // D-10.
                OperandKind::Register => form.title == "Scalar to vector copy" && random.one_in(4),
                _ => false,
            };
            let slot = match def.kind {
                OperandKind::Predicate | OperandKind::PredicateOrNegation => {
                    let negated = def.kind == OperandKind::PredicateOrNegation && random.one_in(2);
                    Slot { negated, ..case.place(random, (1, 1), false, None) }
                }
                OperandKind::Packed => {
                    let (elements, bits) = match def.width {
                        Width::Slot(name) => case.qualifier(name).and_then(Qualifier::packed).unwrap(),
                        _ => unreachable!("a packed operand has the type of a slot"),
                    };
                    case.place(random, (elements as u32, bits as u32), false, float)
                }
                OperandKind::Vector => case.place(random, (counts[i], 32), false, float),
                OperandKind::Swizzle => case.swizzled(random, bits),
                _ => case.place(random, (1, bits), immediate, float),
            };
            let operand = case.operand(slot);
            case.operands.push(slot);
            case.instruction.operands.push(operand);
        }
        case
    }

    fn width(&self, width: Width) -> u32 {
        let bits = |name| self.qualifier(name).and_then(Qualifier::bits).unwrap() as u32;
        match width {
            Width::None => 0,
            Width::Bits(bits) => bits as u32,
            Width::Slot(name) => bits(name),
            Width::TwiceSlot(name) => 2 * bits(name),
            Width::AddressOf(name) => self.qualifier(name).and_then(Qualifier::address_bits).unwrap() as u32,
        }
    }

    /// Element counts of the operands of `extract` and `insert`, by position; sets the index.
    fn vector_counts(&mut self, random: &mut Random) -> [u32; 4] {
        let part = self.qualifier(SlotName::Vec).and_then(Qualifier::elements).unwrap_or(1) as u32;
        let whole = match self.opcode() {
            Opcode::ExtractDynamic | Opcode::InsertDynamic => part,
            _ => loop {
                let whole = random.pick(&[2, 3, 4, 5, 6, 7, 8, 16, 32, 64]);
                if whole >= part {
                    break whole;
                }
            },
        };
        if let Some((i, _)) = self.instruction.row().slot(SlotName::Index) {
            let index = random.below((whole / part) as usize) as u32 * part;
            self.instruction.qualifiers[i] = Value::Number(index as u8);
        }
        match self.opcode() {
            Opcode::Insert | Opcode::InsertDynamic => [whole, part, 0, 0],
            _ => [part, whole, 0, 0],
        }
    }

    fn add(&mut self, storage: Storage) -> usize {
        self.registers.push(storage);
        self.function.registers.push(Register {
            name: format!("r{}", self.registers.len()).into(),
            ty: RegisterType { elements: storage.elements as u8, bits: storage.bits as u8 },
            place: nowhere(),
        });
        self.registers.len() - 1
    }

    /// A new register or part of one, or one that another operand has.
    fn place(
        &mut self,
        random: &mut Random,
        (elements, bits): (u32, u32),
        immediate: bool,
        float: Option<Qualifier>,
    ) -> Slot {
        if !immediate && random.one_in(3) {
            let same: Vec<usize> = (0..self.registers.len())
                .filter(|&r| {
                    let storage = self.registers[r];
                    let shape = elements == 1 || storage.elements == elements;
                    storage.bits == bits && shape && !storage.immediate
                })
                .collect();
            if !same.is_empty() {
                let register = random.pick(&same);
                self.registers[register].float = self.registers[register].float.or(float);
                let reach = if elements == 1 { self.registers[register].elements.min(4) } else { 1 };
                return Slot {
                    register,
                    first: random.below(reach as usize) as u32,
                    elements,
                    bits,
                    negated: false,
                };
            }
        }
        // An element of a vector where there are such vectors.
        let vector = elements == 1 && (8..=64).contains(&bits) && !immediate && random.one_in(4);
        let whole = if vector { 2 + random.below(3) as u32 } else { elements };
        let first = if vector { random.below(whole as usize) as u32 } else { 0 };
        let register = self.add(Storage { elements: whole, bits, immediate, float });
        Slot { register, first, elements, bits, negated: false }
    }

    /// Elements of a vector with `total` bits in all.
    fn swizzled(&mut self, random: &mut Random, total: u32) -> Slot {
        let shapes: Vec<(u32, u32)> = [(1, total), (2, total / 2), (4, total / 4)]
            .into_iter()
            .filter(|&(_, bits)| (8..=64).contains(&bits))
            .collect();
        let (elements, bits) = random.pick(&shapes);
        let same = (0..self.registers.len()).find(|&r| {
            let storage = self.registers[r];
            storage.bits == bits && storage.elements >= elements.max(2) && !storage.immediate
        });
        let register = match same {
            Some(register) if random.one_in(2) => register,
            _ => {
                let whole = elements.max(2 + random.below(3) as u32);
                self.add(Storage { elements: whole, bits, immediate: false, float: None })
            }
        };
        let places = self.registers[register].elements.min(4) / elements;
        Slot {
            register,
            first: random.below(places as usize) as u32 * elements,
            elements,
            bits,
            negated: false,
        }
    }

    fn operand(&self, slot: Slot) -> Operand {
        let storage = self.registers[slot.register];
        let register = RegisterId(slot.register as u32);
        if storage.immediate {
            return Operand::Immediate { bits: 0, sign_extend: false };
        }
        if slot.bits == 1 {
            return Operand::Predicate { register, negated: slot.negated };
        }
        let swizzle = match (storage.elements, slot.first, slot.elements) {
            (1, ..) => None,
            (_, 0, 1) => Some(Swizzle::X),
            (_, 1, 1) => Some(Swizzle::Y),
            (_, 2, 1) => Some(Swizzle::Z),
            (_, 3, 1) => Some(Swizzle::W),
            _ if self.opcode() != Opcode::Mov => None,
            (_, 0, 2) => Some(Swizzle::Xy),
            (_, 2, 2) => Some(Swizzle::Zw),
            _ => Some(Swizzle::Xyzw),
        };
        Operand::Register(RegisterUse { register, swizzle })
    }
}
