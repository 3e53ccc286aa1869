//! `docs/rules.md` is the page of the rules; `UPDATE_EXPECT=1` writes it anew.

use crate::rules::{Family, Stage, cost, expand, families, table};
use std::fmt::Write;

const HEAD: &str = "\
# Rules of the algebra

What `pisa opt` rewrites, by `crates/pisa-ir/src/rules/families/`. A rule says: where the pattern stands and the conditions hold, the
replacement has the same bits in every lane that executes it, for every active set, mask and datum. Each one is run on a model of 4 lanes,
all active sets with all masks and small values, or a random part where these are too many, and on samples of 32 lanes, whenever tests run; `PISA_RULES_EFFORT=200000` runs more of it, `PISA_RULES_LIST=FILE`
writes down how much. A rule cannot be applied without being checked, as both read one table.

* **Conditions**: `uniform x` all active lanes have one value; `constant x`; `power x` a constant power of two; `nonzero x`; `below x N`;
  `equal x y`, `distinct x y`, `sum x y N` of constants; `contains m` the mask has all active lanes; `single m` at most one of them; `member x m`
  the lane is active and in the mask; `closed m k` partners at the distance `k` take part together; `full` all 32 lanes are active;
  `defined x` no lane has it undefined. Masks may differ between lanes (S-01) where nothing is said.
* `{A}` stands for each of several words. `!p` is the negation of a predicate, `ALL` the mask of all lanes, `MIN` and `MAX` the least and greatest
  signed integer; a `?` leaves undefined what is read from a lane that does not take part. A pass-through that is not written is dead.
* The **use** says how many rules of the family are applied of how many there are, commuted operands included: those that make a function
  cheaper. `law` are none; they are true, and for people. `end` are applied at the end alone.

";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let _ = writeln!(page, "{} rules in {} families.\n", table().len(), families().count());
    page.push_str("| rule | pattern | replacement | if | use |\n|---|---|---|---|---|\n");
    for family in families() {
        let rules = expand(family).unwrap_or_default();
        let gain = rules.iter().filter(|rule| cost::can_gain(rule)).count();
        let last =
            table().iter().any(|rule| rule.stage == Stage::Last && rules.iter().any(|r| r.name == rule.name));
        let usage = match (gain, last) {
            (0, _) => "law".to_owned(),
            (gain, true) => format!("{gain}/{} end", rules.len()),
            (gain, false) => format!("{gain}/{}", rules.len()),
        };
        let Family { name, over, pattern, when, replacement } = family;
        let mut choices = String::new();
        for (names, choice) in *over {
            let _ =
                write!(choices, "<br>{names}: {}", choice.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        let choices = choices.replace('|', "\\|");
        let _ = writeln!(page, "| {name}{choices} | `{pattern}` | `{replacement}` | {when} | {usage} |");
    }
    page
}

#[test]
fn the_page_lists_every_family() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    let page = page();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), page, "UPDATE_EXPECT=1 writes it anew");
}
