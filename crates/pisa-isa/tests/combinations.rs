//! Counts of legal qualifier combinations, worked out by hand from the spec's syntax blocks and restrictions.

use pisa_isa::{FORMS, Form, Opcode, Qualifier, SlotName, Value, forms_of, match_mnemonic, split_mnemonic};

fn counts(opcode: Opcode) -> Vec<usize> {
    forms_of(opcode).iter().map(|form| form.combinations().count()).collect()
}

#[test]
fn arithmetic() {
    assert_eq!(counts(Opcode::Iadd), [2 * 3, 2 * 2]);
    // `.uu` has no `.dsat`.
    assert_eq!(counts(Opcode::Dp4a), [4 * 2 - 1]);
    assert_eq!(counts(Opcode::Sdiv), [3 * 3]);
    assert_eq!(counts(Opcode::Smad), [2, 3, 1]);
    assert_eq!(counts(Opcode::Uaddc), [1, 1, 1]);
}

#[test]
fn floating_point_and_conversions() {
    // Six roundings: five and none.
    assert_eq!(counts(Opcode::Fadd), [6 * 2 * 2 * 4, 6 * 2 * 2 * 2]);
    assert_eq!(counts(Opcode::Fdiv), [6 * 2 * 2, 2 * 4]);
    // f from bf, hf; df from bf, hf, f.
    assert_eq!(counts(Opcode::Fext), [5]);
    // bf, hf from f; bf, hf, f from df.
    assert_eq!(counts(Opcode::Ftrunc), [5 * 6 * 2 * 2]);
    assert_eq!(counts(Opcode::F2i), [8 * 4 * 6]);
    assert_eq!(counts(Opcode::I2f), [4 * 8 * 6 * 2]);
    // 16 from 8; 32 from 8, 16; 64 from 8, 16, 32; and the reverse.
    assert_eq!(counts(Opcode::Sext), [6]);
    assert_eq!(counts(Opcode::Trunc), [6]);
    assert_eq!(counts(Opcode::Zext), [6]);
}

#[test]
fn numbers() {
    assert_eq!(counts(Opcode::Bfn), [254]);
    assert_eq!(counts(Opcode::Extract), [64, 64 * 10]);
    assert_eq!(counts(Opcode::Insert), [64, 64 * 10]);
}

#[test]
fn memory() {
    // Vector and type: 4 scalars, 4 of v2, v3 of 32b and 64b, 4 of v4, v8 of 32b.
    let shapes = 4 + 4 + 2 + 4 + 1;
    assert_eq!(counts(Opcode::LdParam), [shapes]);
    // By space: none, global and generic with two orders and any cache control; shared without cache control;
    // private (and const) without order.
    let loads = (3 * 2 * 14 + 2 + 2 * 14) * shapes;
    let stores = (3 * 2 * 15 + 2 + 15) * shapes;
    // Relaxed has no scope, the two stronger orders have none or one of three. 64b is for global alone.
    let atomic = (1 + 2 * 4) * (3 * 4 + 4 * 4 + 3 * 4 + 3);
    assert_eq!(counts(Opcode::Ld), [loads, atomic]);
    assert_eq!(counts(Opcode::St), [stores, atomic]);
}

#[test]
fn atomics() {
    // No order and relaxed have no scope; release, acquire and acq_rel have none or one of three.
    let orders = 2 + 3 * 4;
    // Operations and types: global 16b without the two wraps, 32b, 64b, 128b for xchg and cas; shared and generic have
    // 64b for cas alone. Cache controls: four, but none with shared.
    let (global, other) = (13 + 15 + 15 + 2, 13 + 15 + 1 + 2);
    assert_eq!(counts(Opcode::Iatom), [orders * (global * 4 + other + other * 4)]);
    // df for global add and sub alone.
    let (global, other) = (5 * 3 + 2, 5 * 3);
    assert_eq!(counts(Opcode::Fatom), [orders * (global * 4 + other + other * 4)]);
}

#[test]
fn the_rest() {
    assert_eq!(counts(Opcode::BarrierWorkgroup), [1]);
    assert_eq!(counts(Opcode::Fence), [3 * 5 * 2, 5 * 3, 1]);
    assert_eq!(counts(Opcode::Shfl), [4 * 2]);
    assert_eq!(counts(Opcode::Scmp), [6 * 3, 6 * 3]);
    assert_eq!(counts(Opcode::Mov), [5, 5, 5, 5]);
    assert_eq!(counts(Opcode::Goto), [1, 1]);
}

fn broken(text: &str) -> Vec<&'static str> {
    let mnemonic = split_mnemonic(text).unwrap();
    let found = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).unwrap();
    pisa_isa::form(found[0].form).violations(&found[0].values).iter().map(|r| r.text).collect()
}

#[test]
fn broken_restrictions_are_named() {
    assert_eq!(
        broken("dp4a.uu.dsat.32b"),
        ["qualifier .dsat must not be specified when qualifier .signedness is .uu"]
    );
    assert_eq!(broken("fext.f.f"), ["bitwidth of .to must be greater than the bitwidth of .from"]);
    assert_eq!(broken("trunc.32b.16b"), ["bitwidth of .to must be less than the bitwidth of .from"]);
    let scope = "qualifier .memscope can be specified only when qualifier .memorder != .relaxed";
    // No order means relaxed (M-06).
    assert_eq!(broken("iatom.global.gpu.add.32b"), [scope]);
    assert_eq!(broken("iatom.global.relaxed.gpu.add.32b"), [scope]);
    assert!(broken("iatom.global.acquire.gpu.add.32b").is_empty());
    // No space means generic (M-01), so 64 bits are too many (M-05), a departure.
    assert_eq!(
        broken("ld.relaxed.64b"),
        ["qualifier .type cannot be .64b unless qualifier .addrspace is .global"]
    );
    assert_eq!(broken("fatom.shared.uc.add.df").len(), 2);
    assert!(broken("ld.shared.v8.32b").is_empty());
    assert_eq!(broken("ld.shared.v8.16b").len(), 1);
}

#[test]
fn departures_are_the_two_known_ones() {
    for form in FORMS {
        for restriction in form.restrictions {
            let known = restriction.text.starts_with("qualifier .cc must not be specified")
                || restriction.text
                    == "qualifier .type cannot be .64b unless qualifier .addrspace is .global";
            assert_eq!(restriction.departure, known, "{}", restriction.text);
        }
    }
}

#[test]
fn defaults_stand_for_absent_values() {
    let value = |text: &str, name| {
        let mnemonic = split_mnemonic(text).unwrap();
        let found = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers()).unwrap()[0];
        pisa_isa::form(found.form).value(&found.values, name)
    };
    assert_eq!(value("fadd.f", SlotName::Rndmode), Some(Qualifier::Re));
    assert_eq!(value("fadd.rz.f", SlotName::Rndmode), Some(Qualifier::Rz));
    assert_eq!(value("fadd.f", SlotName::Ftz), None);
    assert_eq!(value("fadd.f", SlotName::Index), None);
    assert_eq!(value("extract.3.32b", SlotName::Index), None);
    assert_eq!(value("ld.32b", SlotName::Memorder), Some(Qualifier::Weak));
}

#[test]
fn ids_slots_and_operands_are_found() {
    for (i, form) in FORMS.iter().enumerate() {
        assert_eq!(form.id().0 as usize, i);
        assert!(std::ptr::eq(pisa_isa::form(form.id()), form));
        assert!(forms_of(form.opcode).iter().any(|other| std::ptr::eq(other, form)));
    }
    let uaddc: &Form = &forms_of(Opcode::Uaddc)[2];
    assert_eq!(uaddc.operand("carry-in").map(|(i, _)| i), Some(4));
    assert!(uaddc.operand("carry").is_none());
    assert_eq!(uaddc.slot(SlotName::Co).map(|(i, _)| i), Some(1));
    assert!(uaddc.slot(SlotName::Ftz).is_none());
}

#[test]
fn mnemonics_are_printed_as_they_are_read() {
    let text = |opcode, values: &[Value]| {
        let mut all = pisa_isa::SlotValues::default();
        all[..values.len()].copy_from_slice(values);
        forms_of(opcode)[0].mnemonic(&all)
    };
    assert_eq!(text(Opcode::Bfn, &[Value::Number(0x0a), Value::Named(Qualifier::B32)]), "bfn.0x0a.32b");
    assert_eq!(text(Opcode::Extract, &[Value::Number(9), Value::Named(Qualifier::B32)]), "extract.9.32b");
    assert_eq!(text(Opcode::Iadd, &[Value::Absent, Value::Named(Qualifier::B16)]), "iadd.16b");
}
