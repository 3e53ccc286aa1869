//! Widths of types and address spaces against the tables of the specification.

use pisa_isa::Qualifier;

use crate::pages;

#[test]
fn widths_of_types_and_spaces() {
    let Some(lines) = pages::lines("spaces_types") else { return };
    let (mut scalars, mut packed, mut spaces) = (0, 0, 0);
    let mut heading = String::new();
    for line in &lines {
        if let Some(title) = line.strip_prefix("**").and_then(|rest| rest.strip_suffix("**")) {
            heading = title.to_owned();
        }
        let Some(cells) = pages::cells(line) else { continue };
        let qualifier = |text: &str| Qualifier::from_text(text).unwrap_or_else(|| panic!("{text}"));
        let is_row = cells[0].starts_with('.') || cells[0].contains("(.");
        match heading.as_str() {
            _ if !is_row => {}
            "Scalar Integer Types" | "Scalar Floating Point Types" => {
                assert_eq!(qualifier(&cells[0]).bits(), Some(cells[1].parse().unwrap()));
                assert_eq!(qualifier(&cells[0]).is_float(), heading.contains("Floating"));
                scalars += 1;
            }
            "Scalar Integer Types (Conversion)" => {
                for cell in &cells[..2] {
                    assert_eq!(qualifier(cell).bits(), Some(cells[2].parse().unwrap()));
                    scalars += 1;
                }
            }
            "Packed Data Types" => {
                let ty = qualifier(&cells[0]);
                assert_eq!(ty.bits(), Some(cells[1].parse().unwrap()));
                let element = qualifier(&cells[2]);
                assert_eq!(ty.packed(), Some((cells[3].parse().unwrap(), element.bits().unwrap())));
                assert_eq!(ty.is_float(), element.is_float());
                packed += 1;
            }
            "Memory Address Spaces" => {
                let name = cells[0].split_once('(').unwrap().1.trim_end_matches(')');
                let bits: u16 = cells[1].strip_suffix("-bit").unwrap().parse().unwrap();
                assert_eq!(qualifier(name).address_bits(), Some(bits));
                spaces += 1;
            }
            _ => {}
        }
    }
    assert_eq!((scalars, packed, spaces), (5 + 4 + 8, 4, 4));
    // Generic addresses have 64 bits (operands 3.3.1).
    assert_eq!(Qualifier::Generic.address_bits(), Some(64));
}
