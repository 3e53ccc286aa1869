//! Every instruction in the examples of the instruction reference is one of ours.

use pisa_isa::{form, match_mnemonic, split_mnemonic};

use crate::reference;

#[test]
fn examples_match_a_form() {
    let Some(sections) = reference() else { return };
    let (mut instructions, mut departures) = (0, Vec::new());
    for section in &sections {
        let mut in_block = false;
        let after = section.rest.iter().skip_while(|line| *line != "Examples:");
        for line in after {
            in_block ^= line == "```";
            let line = line.split("//").next().unwrap_or("").trim();
            let Some(statement) = line.strip_suffix(';').filter(|_| in_block) else { continue };
            let text = statement.split_whitespace().next().unwrap();
            if text.starts_with('.') {
                continue;
            }
            let mnemonic = split_mnemonic(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            let found = match_mnemonic(mnemonic.opcode, mnemonic.qualifiers())
                .unwrap_or_else(|e| panic!("{text}: {e:?}"));
            instructions += 1;
            for each in found.iter() {
                for broken in form(each.form).violations(&each.values) {
                    assert!(broken.departure, "{text}: {}", broken.text);
                    departures.push(text);
                }
            }
        }
    }
    // M-02 and M-05: the examples of `ld` break the restrictions of `ld`.
    assert_eq!(departures, ["ld.shared.L1c.L2c.L3c.16b", "ld.generic.acquire.64b"]);
    assert!(instructions > 200, "{instructions}");
}
