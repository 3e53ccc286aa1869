//! Verification by running: what is the same passes, and what is not is found and made small.

use pisa_ir::passes::{Disobedience, PASSES, Pass, run_disobedient};
use pisa_tools::opt::verify::{Verified, VerifyOptions, verify};
use pisa_tools::opt::{Level, Work, explain, optimise};
use pisa_tools::{Module, Session};

fn module(session: &mut Session, text: &str) -> Module {
    let input = session.add_text("m.pisa", format!(".version 0.1;\n.target 100;\n{text}"));
    let mut checked = session.check_inputs(vec![input]);
    assert!(!checked.is_refused(), "{:?}", checked.diagnostics);
    checked.modules.pop().expect("a module")
}

fn compare(before: &str, after: &str) -> Verified {
    let mut session = Session::default();
    let (before, after) = (module(&mut session, before), module(&mut session, after));
    verify(&before, &after, &session.sources, VerifyOptions::default(), &|_| {})
}

/// A broadcast of lane 0 before a branch that lane 0 does not take, and one in it.
const BROADCAST: &str = ".kernel @k(.param[8] %in, .param[8] %out) {
  .reg .64b %offset, %a;
  .reg .32b %x, %y;
  .pred %p;
  umul.full.32b %offset, %laneid, 4;
  ld.param.64b %a, [%in];
  iadd.64b %a, %a, %offset;
  ld.global.32b %x, [%a];
  BEFORE
  ucmp.eq.32b %p, %laneid, 0;
  goto.cond %p, STORE;
  INSIDE
  iadd.32b %x, %x, %y;
STORE:
  ld.param.64b %a, [%out];
  iadd.64b %a, %a, %offset;
  st.global.32b [%a], %x;
}
";

fn broadcast(inside: bool) -> String {
    let line = "shfl.idx.32b %y, %x, 0, 0xffffffff;";
    let (before, inside) = if inside { ("", line) } else { (line, "") };
    BROADCAST.replace("BEFORE", before).replace("INSIDE", inside)
}

#[test]
fn a_shuffle_that_was_sunk_is_found_with_its_lane() {
    let verified = compare(&broadcast(false), &broadcast(true));
    let difference = verified.difference.expect("a difference");
    assert_eq!(difference.function, "@k");
    let place = difference.place.as_ref().expect("a place");
    assert_eq!(place.object, "out");
    // Two work-items are the fewest that show it: lane 1 adds its own value instead of that of lane 0.
    assert_eq!(difference.launching.launch.global.map(|g| g.or(1)), Some([2, 1, 1]));
    let writer = place.writer.expect("a writer");
    assert_eq!((writer.work_group, writer.subgroup, writer.lane), (0, 0, 1));
    let text = difference.failure("m.pisa", "-O2").to_string();
    for part in
        ["`@k` does something else after -O2", "lane 1 of sub-group 0", "pisa run m.pisa", "-g 2", "-O2"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let same = compare(&broadcast(true), &broadcast(true));
    assert!(same.difference.is_none() && same.launches > 20, "{same:?}");
}

#[test]
fn masks_with_gaps_show_what_full_ones_do_not() {
    // A ladder of shuffles is a sum where all lanes are active.
    let step = |by: u32| format!("  shfl.xor.32b %t, %x, {by}, 0xffffffff;\n  iadd.32b %x, %x, %t;\n");
    let ladder: String = [16, 8, 4, 2, 1].map(step).concat();
    let before = format!(".function .32b @sum(.reg .32b %x) {{\n  .reg .32b %t;\n{ladder}  return %x;\n}}\n");
    let after = ".function .32b @sum(.reg .32b %x) {\n  .reg .32b %s;\n  ired.sum.32b %s, %x, 0xffffffff;\n  return %s;\n}\n";
    let difference = compare(&before, after).difference.expect("a difference");
    let items = difference.launching.launch.global.map_or(1, |g| g.or(1)[0]);
    assert!(difference.launching.active.is_some() || items < 32, "{difference:?}");
}

#[test]
fn what_no_longer_ends_is_found() {
    let before = ".kernel @k(.param[8] %out) {\n  .reg .64b %a;\n  .reg .32b %x;\n  .pred %p;\n  ld.param.64b %a, [%out];\n  \
                  mov.32b %x, 0;\nAGAIN:\n  iadd.32b %x, %x, 1;\n  ucmp.lt.32b %p, %x, LIMIT;\n  goto.cond %p, AGAIN;\n  \
                  st.global.32b [%a], %x;\n}\n";
    let verified = compare(&before.replace("LIMIT", "3"), &before.replace("LIMIT", "0xffffffff"));
    let difference = verified.difference.expect("a difference");
    assert!(difference.stop.is_some_and(|stop| stop.contains("P060")));
}

#[test]
fn what_cannot_run_is_said() {
    let text = ".function void @f(.reg .32b %x) {\nAGAIN:\n  goto AGAIN;\n}\n";
    let verified = compare(text, text);
    assert_eq!((verified.functions, verified.launches), (0, 0));
    assert_eq!(verified.not_compared.len(), 1);
}

#[test]
fn remarks_follow_the_source_and_have_witnesses() {
    let mut session = Session::default();
    let text = ".kernel @k(.param[8] %in, .param[8] %out) {
  .reg .64b %a;
  .reg .32b %x, %s, %t;
  .pred %p;
  ld.param.64b %a, [%in];
  umad.full.32b %a, %laneid, 4, %a;
  ld.global.32b %x, [%a];
  ired.sum.32b %s, %x, 0xffffffff;
  ucmp.lt.32b %p, %x, 10;
  goto.cond %p, JOIN;
  ired.sum.32b %t, %x, 0xffffffff;
  iadd.32b %s, %s, %t;
JOIN:
  ld.param.64b %a, [%out];
  umad.full.32b %a, %laneid, 4, %a;
  st.global.32b [%a], %s;
}
";
    let module = module(&mut session, text);
    let optimised = optimise(&module, &Work::Level(Level::O1)).expect("code");
    let explained = explain(&optimised.remarks, &session.sources);
    let lines: Vec<u32> = explained.iter().filter_map(|e| e.place.as_ref().map(|place| place.1)).collect();
    assert_eq!(lines, [10, 13]);
    assert_eq!(explained[1].source, "ired.sum.32b %t, %x, 0xffffffff;");
    // The second sum is that of the lanes that are in the branch: it is not the first one.
    let witness = explained[1].witness.expect("a witness");
    assert_ne!(witness.here, witness.there);
    assert!(explained[1].text().contains("witness: active 0x"));
}

/// Passes that take one refusal of the legality query for leave, on the kernels of the miscompiles: the verifier of the IR, or
/// verification by running, notices most of what this breaks. (A refusal is cautious: not every one that is ignored does harm.)
#[test]
fn passes_that_disobey_are_caught_on_the_miscompiles() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/optimisation");
    let passes: Vec<&Pass> = PASSES.iter().collect();
    let (mut planted, mut refused, mut seen) = (0, 0, 0);
    for file in ["branches", "merging", "moving", "values"] {
        let mut session = Session::default();
        let checked = session.check(&[format!("{folder}/{file}.pisa")]);
        let before = &checked.modules[0];
        for number in 0..40 {
            let mut ir = pisa_ir::import::import(before);
            let mut disobedience = Disobedience::of(number);
            run_disobedient(&mut ir, &passes, &mut disobedience);
            if !disobedience.planted {
                break;
            }
            planted += 1;
            if !pisa_ir::verify::verify(&ir).is_empty() {
                refused += 1;
                continue;
            }
            let Ok(after) = pisa_ir::export::export(&ir) else { continue };
            let options = VerifyOptions { launches: 4, seed: 0 };
            let verified = verify(before, &after, &session.sources, options, &|_| {});
            seen += u32::from(verified.difference.is_some());
        }
    }
    assert!(planted >= 20 && seen >= 5, "{planted} planted, {refused} refused, {seen} seen to differ");
}
