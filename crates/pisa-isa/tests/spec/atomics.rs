//! The two tables of supported atomic combinations, which say once more what the restrictions say.

use std::collections::BTreeSet;

use pisa_isa::{Opcode, SlotName, forms_of};

use crate::{pages, reference};

type Combinations = BTreeSet<(String, String, String)>;

fn check(opcode: Opcode) {
    let Some(sections) = reference() else { return };
    let section = sections.iter().find(|section| section.opcode == opcode.text()).unwrap();
    let mut expected = Combinations::new();
    for cells in section.rest.iter().filter_map(|line| pages::cells(line)) {
        let list = |cell: usize| cells[cell].split(", ").map(str::to_owned).collect::<Vec<_>>();
        if cells[0] == ".addrspace" || cells[0].starts_with("---") {
            continue;
        }
        for space in list(0) {
            for op in list(1) {
                expected.extend(list(2).into_iter().map(|ty| (space.clone(), op.clone(), ty)));
            }
        }
    }
    assert!(!expected.is_empty());
    let form = &forms_of(opcode)[0];
    let found: Combinations = form
        .combinations()
        .map(|values| {
            let text = |slot| form.value(&values, slot).unwrap().text().to_owned();
            (text(SlotName::Addrspace), text(SlotName::Op), text(SlotName::Type))
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn floating_point_atomics() {
    check(Opcode::Fatom);
}

#[test]
fn integer_atomics() {
    check(Opcode::Iatom);
}
