//! The document of the text of the IR: its module is well-formed and printed as it stands there, and it names every word.

use pisa_diag::FileId;
use pisa_ir::text::{parse_and_verify, print};

const DOCUMENT: &str = include_str!("../../../docs/ir.md");

#[test]
fn the_module_of_the_document_is_its_own_text() {
    let block = DOCUMENT.split("```ir\n").nth(1).and_then(|rest| rest.split("```").next());
    let text = block.expect("a module");
    let parsed = parse_and_verify(FileId(0), text);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(print(&parsed.module.expect("a module")), text);
}

/// A kernel around some lines.
fn read(lines: &str) -> Vec<String> {
    let text = format!(
        ".version 0.1;\n.target 100;\n.import .function .32b @f(.reg .32b);\n.kernel @k(.param[8] %in) {{\nentry:\n  %a: 32b = initial\n  %p: pred = initial\n  %v: v4.32b = initial\n{lines}  return\n}}\n"
    );
    parse_and_verify(FileId(0), &text).diagnostics.iter().map(|d| d.message.clone()).collect()
}

#[test]
fn every_mnemonic_of_the_document_is_one() {
    let all = "mask 0xffffffff, keep";
    let lines = format!(
        "  %1: 32b = activemask
  %2: 32b = ballot.32b %p, {all} dead
  %3: 64b = ballot.64b %p, {all} dead
  %4: pred = vote_any %p, {all} false
  %5: pred = vote_all %p, {all} true
  %6: pred = quad_any %p, {all} dead
  %7: pred = quad_all %p, {all} dead
  %8: pred = vote_all_equal.i32 %a, {all} dead
  %9: 32b = read_first_invocation.f %a, {all} %a
  %10: 32b = match_any.i32 %a, {all} dead
  %11: 32b = match_all.i32 %a, {all} dead
  %12: 32b = read_invocation.i32 %a, index 3, {all} dead
  %13: 32b = quad_broadcast.i32 %a, index 3, {all} dead
  %14: 32b = rotate.i32 %a, index 3, {all} dead
  %15: 32b = rotate.cluster8.i32 %a, index 3, {all} dead
  %16: 32b = shuffle.up.segmented.i32 %a, index 3, {all} dead, inactive undefined
  %17: 32b = quad_swap.diagonal.i32 %a, {all} dead
  %18: pred = elect {all} dead
  %19: 32b = first_participant mask 0xffffffff
  %20: 32b = inclusive_scan.absmax.cluster8.i32 %a, {all} dead
  %21: 32b = exclusive_scan.fmin_nan.partitioned.f %a, index -1, {all} dead
  %22: 32b = derivative.horizontal.fine.f %a
  %23: 32b = mask.lanes.less_equal
  %24: pred = mask.inverse_ballot %a
  %25: pred = mask.bit_extract %a, 5
  %26: 32b = mask.bit_count.exclusive %a
  %27: 32b = mask.find_least %a
  %28: 32b = vector.extract.2 %v
  %29: v4.32b = vector.insert.2 %v, %a
  %30: 128b = vector.pack %v
  %31: v4.32b = vector.unpack %30
  %32: 32b = call @f(%a)
  %33: 32b = call.cond !%p, @f(5), keep %a
  %34: 32b, %35: pred = uaddc.co.32b %a, %32
"
    );
    assert_eq!(read(&lines), [""; 0]);
    // What is wrong would be seen.
    assert_eq!(read("  %1: 32b = activemusk\n"), ["there is no operation `activemusk`"]);
}
