//! Faulty passes are noticed: each takes one refusal of the legality query for leave, in every function that it sees.

use pisa_ir::passes::Pass;
use pisa_smith::{Argument, Case, Disagreement, Program, Variant, compare_optimised, reconvergence};

/// Odd lanes jump to the end of a turn, which is an empty block, and wait there for the even ones. Each lane adds up what is active at the
/// top of its turns.
const TURNS: &str = "
  mov.32b %turn, 0;
  mov.32b %sum, 0;
top:
  iadd.32b %sum, %sum, %activemask;
  iadd.32b %turn, %turn, 1;
  ucmp.gt.32b %p, %turn, 3;
  goto.cond %p, out;
  and.32b %odd, %laneid, 1;
  ucmp.ne.32b %p, %odd, 0;
  goto.cond %p, next;
  iadd.32b %sum, %sum, 1;
next:
  goto top;
out:
";

/// A kernel that stores `%sum` for each lane behind the word at `%to`.
fn kernel(body: &str) -> Case {
    let text = format!(
        ".version 0.1;\n.target 100;\n.kernel @k(.param[8] .addrspace(global) %out) {{
  .reg .32b %turn, %sum, %odd;
  .reg .64b %to, %own;
  .pred %p;
  ld.param.64b %to, [%out];
{body}
  umad.full.32b %own, %laneid, 4, %to;
  st.global.32b [%own + 4], %sum;
}}\n"
    );
    Case {
        modules: vec![text],
        global: vec![32],
        local: vec![32],
        offset: vec![0],
        arguments: vec![Argument { name: "out".to_owned(), value: "zeros:u32:33".to_owned() }],
        schedule: pisa_machine::Schedule::Lexical,
    }
}

/// How the first program differs that shows that a variant is wrong.
fn noticed(variant: Variant) -> Option<Disagreement> {
    let variants = [variant];
    let by_hand = kernel(TURNS);
    assert_eq!(compare_optimised(&by_hand, &Variant::all()), None);
    compare_optimised(&by_hand, &variants).or_else(|| {
        (0..600).find_map(|seed| {
            let structured = reconvergence::Program::generate(seed).compare_optimised(&variants);
            structured.or_else(|| compare_optimised(&Program::generate(seed).case(), &variants))
        })
    })
}

#[test]
fn ten_passes_that_disobey_once_are_noticed() {
    // How many refusals of each are tried.
    let asking =
        [("blocks", 1), ("value-numbering", 3), ("invariants", 2), ("if-conversion", 2), ("sinking", 2)];
    let faults = asking.iter().flat_map(|&(name, refusals)| (0..refusals).map(move |number| (name, number)));
    let faults: Vec<(&str, u32)> = faults.collect();
    assert_eq!(faults.len(), 10);
    let mut missed = Vec::new();
    for (name, number) in faults {
        let pass = Pass::named(name).expect("a pass of that name");
        if noticed(Variant::Disobedient(pass, number)).is_none() {
            missed.push((name, number));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
