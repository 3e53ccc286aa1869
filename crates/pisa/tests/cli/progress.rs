//! Launches that get nowhere: what they say of who waits for what.

use crate::common::{Folder, Ran};

/// A spin lock that the lane which holds it cannot release: the others come first.
fn lock(body: &str) -> String {
    format!(
        ".version 0.1;
.target 100;
.global .align 4 @gate[4];

.kernel @main(.param[8] %lock) {{
  .shared .align 4 @inner[8];
  .reg .64b %address;
  .reg .32b %near, %old, %zero, %one;
  .pred %taken;

  ld.param.64b %address, [%lock];
  addrof.32b %near, @inner;
  mov.32b %zero, 0;
  mov.32b %one, 1;
again:
{body}
}}
"
    )
}

fn on_each_engine(module: &str, launch: &str, check: impl Fn(Ran)) {
    let folder = Folder::new();
    folder.file("k.pisa", module);
    for engine in ["vector", "reference"] {
        check(folder.run(&format!("run k.pisa --engine {engine} {launch}")).gives(6));
    }
}

const GLOBAL: &str = "  iatom.global.cas.32b %old, [%address], %zero, %one;
  ucmp.ne.32b %taken, %old, 0;
  goto.cond %taken, again;
  iadd.32b %old, %old, 1;
  iatom.global.xchg.32b %old, [%address], %zero;";

#[test]
fn a_lock_is_named_with_its_holder() {
    on_each_engine(&lock(GLOBAL), "-g 32 lock=zeros:u32:1", |ran| {
        ran.says(
            "stopped[P0601]: livelock: lanes 1-31 spin on `lock`, and no lane that can run will change it",
        )
        .says("= note: `lock` holds 1, written by lane 0 on line 16")
        .says("= note: lane 0, which could change it on line 20, waits on line 19 for those that spin")
        .says("lane 0 could change it here")
        .says("= help: put the critical section inside the loop");
    });
}

#[test]
fn a_lock_without_a_first_value_is_recognised() {
    on_each_engine(&lock(GLOBAL), "-g 32 lock=uninit:u32:1", |ran| {
        ran.says("lanes 0-31 spin on `lock`")
            .says("= note: `lock` was never given a value: it holds 0xcdcdcdcd")
            .says("= help: give `lock` a first value");
    });
}

#[test]
fn a_lock_in_shared_memory_is_named_with_its_variable() {
    let body = GLOBAL.replace(".global", ".shared").replace("[%address]", "[%near + 4]");
    on_each_engine(&lock(&body), "-g 32 lock=null", |ran| {
        ran.says("lanes 0-31 spin on `@inner+4`")
            .says("= note: `@inner+4` was never given a value: it holds 0xcdcdcdcd");
    });
    // The first sub-group takes it and waits for a barrier that the second never reaches.
    let body = "  st.shared.relaxed.32b [%near], %zero;
  barrier.workgroup;
spin:
  iatom.shared.cas.32b %old, [%near], %zero, %one;
  ucmp.ne.32b %taken, %old, 0;
  goto.cond %taken, spin;
  barrier.workgroup;
  iatom.shared.xchg.32b %old, [%near], %zero;";
    on_each_engine(&lock(body), "-g 64 lock=null", |ran| {
        ran.says("lanes 1-31 spin on `@inner`")
            .says("= note: `@inner` holds 1, written by lane 0 on line 19");
    });
}

#[test]
fn a_flag_that_nobody_sets_is_named_when_fuel_runs_out() {
    // The count makes every turn another state, so only fuel ends it.
    let body = "  iadd.32b %one, %one, 1;
  ld.global.relaxed.32b %old, [%address + 4];
  ucmp.eq.32b %taken, %old, 7;
  goto.cond %taken, again;";
    on_each_engine(&lock(body), "-g 32 lock=buf:u32:0,7 --fuel 100000", |ran| {
        ran.says("stopped[P0603]")
            .says("have looked at `lock+4` ")
            .says(" times in a row, on line 17")
            .says("= note: `lock+4` holds 7, and nothing in this launch wrote it");
    });
}

#[test]
fn a_circle_without_memory_is_not_said_to_look_at_any() {
    on_each_engine(&lock("  goto again;"), "-g 32 lock=null", |ran| {
        assert!(!ran.stderr.contains("spin on"), "{}", ran.stderr);
        ran.says("livelock: lanes 0-31 of a sub-group run in circles without a look at memory");
    });
}

#[test]
fn who_waits_at_a_barrier_is_said_when_fuel_runs_out() {
    // The first sub-group counts for ever, the second waits for it.
    let body = "  mov.32b %near, %localid.x;
  ucmp.ge.32b %taken, %near, 32;
  goto.cond %taken, join;
spin:
  iadd.32b %one, %one, 1;
  goto spin;
join:
  barrier.workgroup;";
    on_each_engine(&lock(body), "-g 64 lock=null --fuel 100000", |ran| {
        ran.says("stopped[P0603]").says(
            "= note: lanes 0-31 of sub-group 1, work-group (0,0,0), wait at the barrier on line 23 for the rest of the \
             work-group",
        );
    });
}
