//! The control flow of functions as they are written.

mod common;
use common::*;
use pisa_module::ControlFlow;

fn flow(body: &str) -> ControlFlow {
    let text = kernel(&format!(".pred %p;\n.reg .32b %a;\n{body}"));
    let checked = check(&text);
    let module = checked.module.as_ref().unwrap_or_else(|| panic!("{}", checked.messages()));
    ControlFlow::of(&module.functions[0])
}

fn successors(flow: &ControlFlow) -> Vec<Vec<u32>> {
    (0..=flow.end()).map(|index| flow.successors(index).collect()).collect()
}

#[test]
fn jumps_returns_calls_and_the_end() {
    let flow = flow(
        "goto.cond %p, other;\nmov.32b %a, 1;\ngoto join;\nother:\nmov.32b %a, 2;\njoin:\n\
         return.cond %p;\ngoto.cond !%p, next;\nnext:\ngoto join;\nreturn;\n",
    );
    let expected: [&[u32]; 9] = [&[1, 3], &[2], &[4], &[4], &[5], &[6], &[4], &[], &[]];
    assert_eq!(successors(&flow), expected);
    assert_eq!((0..9).filter(|&index| flow.leaves(index)).collect::<Vec<_>>(), [4, 7, 8]);
    assert!(flow.branches(0) && !flow.branches(5));
    let reachable: Vec<usize> =
        flow.reachable().iter().enumerate().filter(|(_, r)| **r).map(|(index, _)| index).collect();
    assert_eq!(reachable, [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn ways_meet_at_the_immediate_post_dominator() {
    // A diamond in a loop; the loop's exit; an arm that returns; a loop without an exit.
    let flow = flow(
        "top:\ngoto.cond %p, other;\nmov.32b %a, 1;\ngoto join;\nother:\nmov.32b %a, 2;\njoin:\n\
         goto.cond %p, top;\ngoto.cond %p, out;\nreturn;\nout:\ngoto.cond %p, ever;\nreturn;\never:\ngoto ever;\n",
    );
    let found = flow.post_dominators();
    let immediate: Vec<Option<u32>> = (0..=flow.end()).map(|index| found.immediate(index)).collect();
    let expected = [Some(4), Some(2), Some(4), Some(4), Some(5), None, None, Some(8), None, None, None];
    assert_eq!(immediate, expected);
}
