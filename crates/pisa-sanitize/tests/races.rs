//! What a report of a race says, and how often.

use pisa_diag::Sources;
use pisa_machine::{Image, Launch, Memory, ObservedEngine, Schedule};
use pisa_reference::ReferenceEngine;
use pisa_sanitize::{Finding, Options, Sanitizer};
use std::sync::Arc;

/// Runs `@k`, which takes nothing, for two work-groups of 64, and shows what was found, with the lines of the places.
fn found(body: &str, options: &str) -> Vec<(Finding, usize, Vec<usize>)> {
    let mut sources = Sources::new();
    let text: Arc<str> = format!(".version 0.1;\n.target 100;\n{body}").into();
    let file = sources.add("test.pisa", Arc::clone(&text));
    let tree = pisa_syntax::parse(file, Arc::clone(&text));
    let module = pisa_module::lower(&tree, &pisa_module::Options::default()).module.expect("a valid module");
    let program = pisa_module::link(vec![module]).expect("a program");
    let mut memory = Memory::with_limit(1 << 20);
    let image = Image::load(Arc::new(program), &mut memory).expect("room for it");
    let launch = Launch {
        kernel: image.kernel("k").expect("a kernel @k"),
        dimensions: 1,
        global: [128, 1, 1],
        local: [64, 1, 1],
        offset: [0; 3],
        arguments: Vec::new(),
        shared_size: image.shared_size(),
        shared_blocks: Vec::new(),
        printf_buffer: 0,
        fuel: 1_000_000,
        threads: 1,
        max_call_depth: 8,
        schedule: Schedule::default(),
    };
    let options = Options::parse(options).expect("words of --san");
    let mut sanitizer = Sanitizer::new(options, &image, &memory, &launch);
    ReferenceEngine.run_observed(&image, &memory, &launch, &mut sanitizer);
    let line = |place: pisa_diag::Place| {
        text.as_bytes().iter().take(place.span.start as usize).filter(|&&b| b == b'\n').count() + 1
    };
    let show = |finding: Finding| {
        let (at, also) = (line(finding.place), finding.text.also.iter().map(|also| line(also.0)).collect());
        (finding, at, also)
    };
    sanitizer.finish().into_iter().map(show).collect()
}

const EXCHANGE: &str = "
.kernel @k() {
  .shared .align 4 @tile[256];
  .reg .32b %slot, %other, %value;
  shl.32b %slot, %localid.x, 2;
  xor.32b %other, %slot, 128;
  st.shared.32b [@tile + %slot], %slot;
BEFORE
  barrier.workgroup;
AFTER
  ld.shared.32b %value, [@tile + %other];
}";

fn exchange(before: &str, after: &str) -> String {
    EXCHANGE.replace("BEFORE", before).replace("AFTER", after)
}

#[test]
fn one_race_is_one_report() {
    let all = found(&exchange("", ""), "race");
    let [(finding, line, also)] = all.as_slice() else { panic!("{all:#?}") };
    assert_eq!(finding.code.0, "R0402");
    // The loads of four sub-groups, 32 lanes each.
    assert_eq!((finding.count, finding.lanes_in_all, finding.lanes), (4, 128, u32::MAX));
    assert_eq!((*line, also.as_slice()), (13, &[9, 11][..]));
    let text = &finding.text;
    assert_eq!(text.message, "race on `@tile+128` (shared, 4 bytes)");
    assert_eq!(text.label, "work-item (0,0,0), sub-group 0, lane 0 reads");
    assert_eq!(
        text.also[0].1,
        "work-item (32,0,0), sub-group 1, lane 0 writes before, and nothing orders the two"
    );
    assert_eq!(text.also[1].1, "waits for all, but orders no memory");
    assert_eq!(text.spec, "9.1 barrier.workgroup");
    assert_eq!(
        text.help,
        "`fence.shared.release.workgroup;` before the barrier and `fence.shared.acquire.workgroup;` after it"
    );
}

#[test]
fn the_report_names_the_switch_for_one_fence() {
    let all = found(&exchange("  fence.workgroup;", ""), "race");
    let [(finding, ..)] = all.as_slice() else { panic!("{all:#?}") };
    assert!(finding.text.notes.iter().any(|note| note.contains("`--san race=opencl`")), "{finding:#?}");
    assert!(finding.text.help.contains("`fence.shared.acquire.workgroup;`"), "{finding:#?}");
    assert!(found(&exchange("  fence.workgroup;", ""), "race=opencl").is_empty());
}

#[test]
fn an_increment_under_a_lock_is_silent() {
    let lock = "
.global .align 4 @lock[4] = { .32b 0 };
.global .align 4 @count[4] = { .32b 0 };
.kernel @k() {
  .reg .64b %lock, %count;
  .reg .32b %old, %zero, %one;
  .pred %p;
  addrof.64b %lock, @lock;
  addrof.64b %count, @count;
  ucmp.ne.32b %p, %laneid, 0;
  return.cond %p;
  mov.32b %zero, 0;
  mov.32b %one, 1;
again:
  iatom.global.acquire.gpu.cas.32b %old, [%lock], %zero, %one;
  ucmp.ne.32b %p, %old, 0;
  goto.cond %p, again;
  ld.global.32b %old, [%count];
  iadd.32b %old, %old, 1;
  st.global.32b [%count], %old;
  iatom.global.RELEASE.xchg.32b %old, [%lock], %zero;
}";
    assert!(found(&lock.replace("RELEASE", "release.gpu"), "race").is_empty());
    let all = found(&lock.replace("RELEASE", "relaxed"), "race");
    // The load after another's store, shown at the store, and the store after another's store.
    let lines: Vec<_> = all.iter().map(|(finding, line, _)| (finding.code.0, *line)).collect();
    assert_eq!(lines, [("R0402", 22), ("R0402", 22)]);
}

#[test]
fn a_counter_without_atomics_is_told_of_them() {
    let counter = ".global .align 4 @count[4] = { .32b 0 };
.kernel @k() {
  .reg .32b %count;
  ld.global.32b %count, [@count];
  iadd.32b %count, %count, 1;
  st.global.32b [@count], %count;
}";
    let helps = |text: &str| {
        let all = found(text, "race");
        assert!(!all.is_empty());
        all.iter().all(|(finding, ..)| finding.text.help.contains("`iatom`"))
    };
    assert!(helps(counter));
    // What is stored goes elsewhere than what was loaded.
    let copy = counter.replace("[@count], %count", "[@other], %count");
    assert!(!helps(&format!(".global .align 4 @other[4];\n{copy}")));
}
