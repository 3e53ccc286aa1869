//! `pisa run --san`: what it finds, how that is shown, suppressed and counted.

use crate::common::{Folder, Ran};
use serde_json::Value;

/// Even lanes call a function that branches on a register without a value, then every lane stores.
const NEVER: &str = ".version 0.1;
.target 100;

.function .32b @helper(.reg .32b %x) {
  .reg .32b %never, %r;
  .pred %p;
  mov.32b %r, 0;
  ucmp.lt.32b %p, %x, %never;
  goto.cond %p, low;
  iadd.32b %r, %r, 1;
low:
  return %r;
}

.kernel @main(.param[8] %out) {
  .reg .64b %address, %offset;
  .reg .32b %id, %v;
  .pred %odd;

  ld.param.64b %address, [%out];
  mov.32b %id, %localid.x;
  and.32b %v, %id, 1;
  ucmp.ne.32b %odd, %v, 0;
  goto.cond %odd, skip;
  call %v, @helper(%id);
skip:
  zext.64b.32b %offset, %id;
  shl.64b %offset, %offset, 2;
  iadd.64b %address, %address, %offset;
  st.global.32b [%address], %v;
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("never.pisa", NEVER);
    folder
}

const LAUNCH: &str = "run never.pisa -g 64 out=zeros:u32:64";

fn run(folder: &Folder, words: &str) -> Ran {
    folder.run(&format!("{LAUNCH} {words}"))
}

#[test]
fn a_finding_says_where_and_who_and_why() {
    let folder = folder();
    for engine in ["vector", "reference"] {
        let ran = run(&folder, &format!("--san init --engine {engine}")).gives(4);
        for text in [
            "finding[I0201]: ",
            "(2 times, 32 lanes)",
            " --> never.pisa:9:3 in @helper, work-group (0,0,0), sub-group 0\n",
            "9 |   goto.cond %p, low;",
            "= lanes: ■w■w■w■w ■w■w■w■w ■w■w■w■w ■w■w■w■w   ■ 16 lanes of this finding   w waiting elsewhere",
            "= first: lane 0 is work-item (0,0,0), (0,0,0) in its work-group; schedule lexical",
            "= elsewhere: 16 lanes wait at line 27",
            "= called: by @main at line 25",
            "= spec: ",
            "= help: ",
            "\n1 finding\n",
        ] {
            assert!(ran.stderr.contains(text), "{text:?} is not in:\n{}", ran.stderr);
        }
    }
}

#[test]
fn what_is_asked_for_is_printed_all_the_same() {
    let folder = folder();
    run(&folder, "--san init --print out:0..2").gives(4).prints("out");
    // Without the sanitizer the launch is silent; with checks that find nothing, it says so.
    assert_eq!(run(&folder, "").gives(0).stderr, "");
    assert_eq!(run(&folder, "--san barrier").gives(0).stderr, "no findings (barrier)\n");
}

#[test]
fn more_threads_are_said_to_be_too_many() {
    run(&folder(), "--san init --threads 4").gives(4).says("note: `--san` runs on one thread, not on 4");
}

#[test]
fn words_that_are_none_are_named() {
    let folder = folder();
    run(&folder, "--san races").gives(2).says("does not know `races`").says("race");
    folder.file(
        "k.toml",
        "files = [\"never.pisa\"]\nglobal = 64\nsan = \"never\"\n[args]\nout = \"zeros:u32:64\"\n",
    );
    folder.run("run --launch k.toml").gives(2).says("does not know `never`").says("`san` of k.toml");
    // The command line goes first.
    folder.run("run --launch k.toml --san init").gives(4).says("[I0201]");
}

#[test]
fn a_launch_file_asks_for_it() {
    let folder = folder();
    run(&folder, "--san init --emit-launch k.toml").gives(4);
    assert!(folder.read("k.toml").contains("san = \"init\"\n"));
    folder.run("run --launch k.toml").gives(4).says("[I0201]");
}

#[test]
fn the_short_form_is_a_line() {
    let ran = run(&folder(), "--san init --format short").gives(4);
    let first = ran.stderr.lines().next().expect("a line");
    assert!(first.starts_with("never.pisa:9:3: finding[I0201]: "), "{first}");
    assert!(first.ends_with(" (2 times, 32 lanes)"), "{first}");
}

#[test]
fn programs_read_it() {
    let ran = run(&folder(), "--san init --format json").gives(4);
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let finding = &lines[0];
    assert_eq!(finding["severity"], "finding");
    assert_eq!(finding["code"], "I0201");
    let occurrence = &finding["occurrence"];
    assert_eq!(occurrence["count"], 2);
    assert_eq!(occurrence["lanes_in_all"], 32);
    assert_eq!(occurrence["function"], "@helper");
    assert_eq!(occurrence["lanes"], "0x55555555");
    assert_eq!(occurrence["live"], "0xffffffff");
    assert_eq!(occurrence["elsewhere"][0]["lanes"], "0xaaaaaaaa");
    assert_eq!(occurrence["elsewhere"][0]["place"]["line"], 27);
    assert_eq!(occurrence["calls"][0]["caller"], "@main");
    let summary = lines.last().expect("a summary");
    assert_eq!((&summary["findings"], &summary["errors"]), (&1.into(), &0.into()));

    let ran = run(&folder(), "--san init --format sarif").gives(4);
    let log: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"I0201".into(), &"error".into()));
    assert_eq!(result["locations"][0]["logicalLocations"][0]["name"], "@helper");
    assert_eq!(result["occurrenceCount"], 2);
    assert_eq!(result["properties"]["globalId"], serde_json::json!([0, 0, 0]));
    assert_eq!(result["stacks"][0]["frames"][1]["location"]["logicalLocations"][0]["name"], "@main");
    let related = result["relatedLocations"].as_array().expect("related places");
    assert!(related.iter().any(|place| place["physicalLocation"]["region"]["startLine"] == 27));
}

#[test]
fn findings_are_suppressed_by_code_and_name() {
    let folder = folder();
    for rule in ["I0201", "i0201", "I0201@helper", "I0201@%p"] {
        let ran = run(&folder, &format!("--san init --allow {rule}")).gives(0);
        assert_eq!(ran.stderr, "1 finding suppressed\n", "{rule}");
    }
    run(&folder, "--san init --allow I0201@main").gives(4).says("note: `--allow I0201@main` fits no finding");
    run(&folder, "--san init --allow W0110@main").gives(2).says("is not the code of a finding");
    // Warnings are allowed as ever.
    run(&folder, "--san init --allow W0110").gives(4);

    folder.file("known.txt", "# known ones\nI0201@helper  # looked at\nI0202 # gone\n");
    let ran = run(&folder, "--san init --suppressions known.txt").gives(0);
    assert_eq!(ran.stderr, "note: `I0202` (known.txt:3) fits no finding\n1 finding suppressed\n");
    folder.file("known.txt", "I0201@helper\n  X9999\nE0203\n");
    let ran = run(&folder, "--san init --suppressions known.txt").gives(2);
    ran.says("known.txt:2:3: there is no code `X9999`").says("known.txt:3:1: `E0203`");
    run(&folder, "--san init --suppressions none.txt").gives(2).says("cannot read `none.txt`");
}

#[test]
fn findings_beyond_the_limit_are_counted() {
    let folder = Folder::new();
    let branch = |i: u32| format!("  goto.cond %p{i}, l{i};\nl{i}:\n");
    let body: String = (0..4).map(branch).collect();
    folder.file(
        "k.pisa",
        format!(".version 0.1;\n.target 100;\n\n.kernel @k() {{\n  .pred %p0, %p1, %p2, %p3;\n{body}}}\n"),
    );
    folder.run("run k.pisa -g 32 --san init").gives(4).says("\n4 findings\n");
    let ran = folder.run("run k.pisa -g 32 --san init --max-findings 3").gives(4);
    assert_eq!(ran.stderr.matches("finding[I0201]").count(), 3);
    ran.says("1 finding more not shown; --max-findings sets the limit\n4 findings\n");
    let ran = folder.run("run k.pisa -g 32 --san init --max-findings 0").gives(4);
    assert_eq!(ran.stderr.matches("finding[I0201]").count(), 4);
}

/// Work-items that find a 7 branch on a predicate without a value.
const SEVEN: &str = ".version 0.1;
.target 100;

.kernel @main(.param[8] %in, .param[8] %out, .param[4] %n) {
  .reg .64b %from, %to, %offset;
  .reg .32b %id, %size, %count, %group, %v;
  .pred %outside, %never;

  ld.param.64b %from, [%in];
  ld.param.64b %to, [%out];
  ld.param.32b %count, [%n];
  mov.32b %id, %localid.x;
  mov.32b %group, %groupid.x;
  mov.32b %size, %enqueuedlocalsize.x;
  umul.32b %group, %group, %size;
  iadd.32b %id, %id, %group;
  zext.64b.32b %offset, %id;
  shl.64b %offset, %offset, 2;
  iadd.64b %from, %from, %offset;
  ld.global.32b %v, [%from];
  ucmp.ne.32b %outside, %v, 7;
  goto.cond %outside, done;
  goto.cond %never, done;
done:
  return;
}
";

#[test]
fn a_launch_shrinks_while_the_finding_persists() {
    let folder = Folder::new();
    folder.file("seven.pisa", SEVEN);
    let launch =
        "run seven.pisa -g 640,2 -l 64 --offset 5 in=fill:u32:1000:7 out=rand:u32:640 n=u32:640 --san init";
    for engine in ["vector", "reference"] {
        let ran =
            folder.run(&format!("{launch} --engine {engine} --shrink --emit-launch small.toml")).gives(4);
        ran.says("runs made the launch as small as this with I0201: pisa run --launch small.toml");
        // Only a 7 in front of the first work-item's element is needed.
        let toml = folder.read("small.toml");
        for line in [
            "global = [1]",
            "local = [1]",
            "in = \"fill:u32:1:7\"",
            "out = \"zeros:u32:1\"",
            "n = \"u32:0\"",
            "san = \"init\"",
        ] {
            assert!(toml.contains(line), "{line} is not in\n{toml}");
        }
        assert!(!toml.contains("offset"), "{toml}");
        folder.run("run --launch small.toml").gives(4).says("finding[I0201]").says("seven.pisa:23:3");
    }
    // Without a file, the command line is printed.
    let ran = folder.run(&format!("{launch} --shrink=i0201")).gives(4);
    ran.says("pisa run seven.pisa -g 1 -l 1 --san init in=fill:u32:1:7 out=zeros:u32:1 n=u32:0");
    folder.run(&format!("{launch} --shrink=M0101")).gives(2).says("there is no finding `M0101` to keep");
    let ran = folder.run(&format!("{} --shrink", launch.replace("1000:7", "1000:6"))).gives(0);
    assert_eq!(ran.stderr, "no findings (init)\nnote: nothing was found, so the launch stays as it is\n");
    folder.run("run seven.pisa -g 1 --shrink").gives(2).says("nothing looks for any");
}

#[test]
fn the_same_again_is_a_command() {
    let folder = folder();
    let ran = run(&folder, "--san init").gives(4);
    let line = ran.stderr.lines().find_map(|line| line.strip_prefix("note: the same again: pisa "));
    folder.run(line.expect("a command line")).gives(4).says("finding[I0201]");
    let ran = run(&folder, "--san init --schedule independent --seed 3").gives(4);
    ran.says("schedule independent, seed 3").says("--schedule independent --seed 3 --san init");
}

#[test]
fn a_buffer_names_the_findings_of_its_accesses() {
    let folder = Folder::new();
    folder.file("seven.pisa", SEVEN);
    let launch = "run seven.pisa -g 64 in=fill:u32:40:1 out=zeros:u32:1 n=u32:0 --san mem";
    folder.run(launch).gives(4).says("finding[M0101]").says("(24 lanes)");
    let ran = folder.run(&format!("{launch} --allow M0101@in")).gives(0);
    assert_eq!(ran.stderr, "1 finding suppressed\n");
    folder.run(&format!("{launch} --allow M0101@out")).gives(4).says("fits no finding");
}
