//! `--schedule`: which lanes go on, and what depends on it.

use crate::common::Folder;
use serde_json::Value;
use std::collections::BTreeSet;

/// Lanes 0 to 15 go one way, 16 to 31 another; each stores how many are active where the ways meet.
const MEETING: &str = "\
.version 0.1;
.target 100;
.kernel @meeting(.param[8] %out) {
  .reg .64b %address, %offset;
  .reg .32b %n;
  .pred %low;

  ld.param.64b %address, [%out];
  umul.full.32b %offset, %laneid, 4;
  iadd.64b %address, %address, %offset;
  ucmp.lt.32b %low, %laneid, 16;
  goto.cond %low, other;
  mov.32b %n, 1;
  mov.32b %n, 2;
  goto join;
other:
  mov.32b %n, 3;
join:
  cbit.32b %n, %activemask;
  st.global.32b [%address], %n;
}
";

/// A barrier in one arm only.
const BARRIER: &str = "\
.version 0.1;
.target 100;
.kernel @barrier() {
  .pred %low;

  ucmp.lt.32b %low, %laneid, 16;
  goto.cond %low, join;
  barrier.workgroup;
join:
  barrier.workgroup;
}
";

const LAUNCH: &str = "run meeting.pisa -g 32 out=zeros:u32:32 --print out";

#[test]
fn each_schedule_has_its_own_masks() {
    let folder = Folder::new();
    folder.file("meeting.pisa", MEETING);
    for engine in ["vector", "reference"] {
        for (schedule, count) in [("lexical", 32), ("ipdom", 32), ("lanes", 1)] {
            let expect = format!("--expect out=fill:u32:32:{count}");
            folder.run(&format!("{LAUNCH} {expect} --schedule {schedule} --engine {engine}")).gives(0);
        }
    }
}

#[test]
fn a_seed_is_one_run_in_every_engine_and_another_seed_another() {
    let folder = Folder::new();
    folder.file("meeting.pisa", MEETING);
    let mut outputs = BTreeSet::new();
    for seed in 0..12 {
        let run = |engine: &str| {
            let seeded = format!("--schedule independent --seed {seed} --engine {engine}");
            folder.run(&format!("{LAUNCH} {seeded}")).gives(0).stdout
        };
        let output = run("vector");
        assert_eq!(output, run("vector"));
        assert_eq!(output, run("reference"), "seed {seed}");
        outputs.insert(output);
    }
    // The halves meet or not, and so on.
    assert!(outputs.len() >= 2, "{outputs:?}");
}

#[test]
fn reports_name_the_schedule() {
    let folder = Folder::new();
    folder.file("barrier.pisa", BARRIER);
    folder.run("run barrier.pisa -g 32").gives(0);
    for engine in ["vector", "reference"] {
        folder
            .run(&format!("run barrier.pisa -g 32 --schedule ipdom --engine {engine}"))
            .gives(6)
            .says("stopped[P0602]")
            .says("schedule ipdom");
    }
    folder.run("run barrier.pisa -g 32 --fuel 3 --schedule independent --seed 5").gives(6).says("(seed 5)");
}

#[test]
fn all_schedules_point_at_what_depends_on_them() {
    let folder = Folder::new();
    folder.file("meeting.pisa", MEETING);
    let ran = folder.run(&format!("{LAUNCH} --schedule all")).gives(4);
    // What is printed is the result under the lexical one.
    let ran = ran.says("finding[S0801]").says("meeting.pisa:19:3").says("lanes 0-31 are here under lexical");
    assert!(ran.stdout.contains("32"), "{}", ran.stdout);
    folder.run(&format!("{LAUNCH} --schedule all --engine reference")).gives(4).says("finding[S0801]");
    let ran = folder.run(&format!("{LAUNCH} --schedule all --format json")).gives(4);
    let lines: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.iter().any(|line| line["code"] == "S0801"), "{}", ran.stdout);
}

#[test]
fn what_depends_on_nothing_says_so_in_one_line() {
    let folder = Folder::new();
    let plain = MEETING.replace("cbit.32b %n, %activemask", "iadd.32b %n, %n, %n");
    folder.file("meeting.pisa", plain);
    let ran = folder.run(&format!("{LAUNCH} --schedule all --seeds 2 --seed 7")).gives(0);
    assert_eq!(ran.stderr, "@meeting: the same under lexical, ipdom, lanes and independent (seeds 7-8)\n");
    let ran = folder.run(&format!("{LAUNCH} --schedule all --seeds 1 --format json")).gives(0);
    assert!(ran.stdout.contains("\"type\":\"schedules\""), "{}", ran.stdout);
}

#[test]
fn launch_files_name_a_schedule() {
    let folder = Folder::new();
    folder.file("meeting.pisa", MEETING);
    folder.run(&format!("{LAUNCH} --schedule independent --seed 9 --emit-launch k.toml")).gives(0);
    let text = folder.read("k.toml");
    assert!(text.contains("schedule = \"independent\"\nseed = 9\n"), "{text}");
    let by_file = folder.run("run --launch k.toml").gives(0).stdout;
    let by_option = folder.run(&format!("{LAUNCH} --schedule independent --seed 9")).gives(0).stdout;
    assert_eq!(by_file, by_option);
    // The command line goes first.
    folder.run("run --launch k.toml --schedule lanes --expect out=fill:u32:32:1").gives(0);
    folder.run("run --launch k.toml --schedule all").gives(4);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new();
    folder.file("meeting.pisa", MEETING);
    folder.run(&format!("{LAUNCH} --schedule warp")).gives(2).says("independent");
    folder.run(&format!("{LAUNCH} --schedule all --san init")).gives(2).says("compares several");
    folder.run(&format!("{LAUNCH} --schedule lanes --threads 4")).gives(0).says("one thread, not on 4");
    folder.file("k.toml", "files = [\"meeting.pisa\"]\nglobal = 32\nschedule = \"warp\"\n");
    folder.run("run --launch k.toml out=zeros:u32:32").gives(2).says("k.toml:3").says("no schedule `warp`");
}
