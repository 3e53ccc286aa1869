//! `pisa run`: launches, what is asked for afterwards, statuses.

use crate::common::Folder;
use serde_json::Value;

/// `out[i] = 3 * i`, for one dimension.
const TRIPLE: &str = "\
.version 0.1;
.target 100;
.kernel @triple(.param[8] %out, .param[4] %factor) {
  .reg .64b %address, %offset;
  .reg .32b %i, %value;

  umad.32b %i, %groupid.x, %enqueuedlocalsize.x, %localid.x;
  ld.param.32b %value, [%factor];
  umul.32b %value, %value, %i;
  ld.param.64b %address, [%out];
  zext.64b.32b %offset, %i;
  umul.64b %offset, %offset, 4;
  iadd.64b %address, %address, %offset;
  st.global.32b [%address], %value;
}
";

/// Stores 7 to the first element, then traps.
const TRAP: &str = "\
.version 0.1;
.target 100;
.kernel @trap(.param[8] %out) {
  .reg .64b %address;
  .reg .32b %value;

  ld.param.64b %address, [%out];
  mov.32b %value, 7;
  st.global.32b [%address], %value;
  iatom.global.add.32b %value, [%address + 2], %value;
}
";

#[test]
fn a_kernel_runs_and_its_buffer_is_printed() {
    let folder = Folder::new();
    folder.file("triple.pisa", TRIPLE);
    let ran = folder.run("run triple.pisa -g 12 out=zeros:u32:12 factor=u32:3 --print out").gives(0);
    assert_eq!(ran.stdout, "out = u32[12]\n   0:  0  3  6  9 12 15 18 21 24 27 30 33\n");
    assert_eq!(ran.stderr, "");
    let part = folder.run("run triple.pisa -g 12 out=zeros:u32:12 factor=u32:3 --print out:2..4").gives(0);
    assert_eq!(part.stdout, "out[2..4] = u32[12]\n  2: 6 9\n");
    let positional = folder.run("run triple.pisa -g 2 -a zeros:u32:2 -a u32:5 --print out").gives(0);
    assert_eq!(positional.stdout, "out = u32[2]\n  0: 0 5\n");
}

#[test]
fn expectations_decide_the_status() {
    let folder = Folder::new();
    folder.file("triple.pisa", TRIPLE);
    let launch = "run triple.pisa -g 4 out=zeros:u32:4 factor=u32:3 --expect";
    folder.run(&format!("{launch} out=buf:u32:0,3,6,9")).gives(0);
    folder.run(&format!("{launch} out=buf:u32:0,3,6,8~abs:1")).gives(0);
    folder.run(&format!("{launch} out=buf:u32:0,3,6,8")).gives(1).says("out").says("9").says("8");
    folder.run(&format!("{launch} nothing=buf:u32:0")).gives(2).says("`nothing`");
    folder.run(&format!("{launch} out=buf:u33:0")).gives(2).says("u33");
}

#[test]
fn buffers_are_saved_and_read_again() {
    let folder = Folder::new();
    folder.file("triple.pisa", TRIPLE);
    let launch = "run triple.pisa -g 4 factor=u32:3 out=zeros:u32:4";
    folder.run(&format!("{launch} --save out=@out.npy --save out=@out.bin")).gives(0);
    let raw = std::fs::read(folder.path().join("out.bin")).expect("a file");
    assert_eq!(raw, [0, 3, 6, 9].map(u32::to_le_bytes).concat());
    folder.run(&format!("{launch} --expect out=@out.npy --expect out=@out.bin:u32")).gives(0);
}

#[test]
fn a_save_that_fails_loses_nothing_else() {
    let folder = Folder::new();
    folder.file("triple.pisa", TRIPLE);
    let ran = folder
        .run(
            "run triple.pisa -g 4 factor=u32:3 out=zeros:u32:4 --save out=@no/such/a.bin --save out=@b.bin \
             --save out=@no/such/c.bin --print out",
        )
        .gives(2)
        .says("no/such/a.bin")
        .says("no/such/c.bin")
        .prints("0 3 6 9");
    assert!(!ran.stderr.contains("b.bin"));
    assert_eq!(std::fs::read(folder.path().join("b.bin")).expect("a file").len(), 16);
    // What cannot be saved in any case is refused before the launch.
    folder.run("run triple.pisa -g 4 factor=u32:3 out=zeros:u32:4 --save out=@b.xyz --print out").gives(2);
}

#[test]
fn after_a_trap_what_was_asked_for_still_comes() {
    let folder = Folder::new();
    folder.file("trap.pisa", TRAP);
    let ran = folder
        .run("run trap.pisa -g 1 out=zeros:u32:2 --print out --save out=@out.bin --expect out=buf:u32:8,8")
        .gives(5)
        .says("stopped[P0612]")
        .says("trap.pisa:10:3")
        .prints("7 0");
    assert!(ran.stderr.contains("work-group (0,0,0), sub-group 0, lane 0"), "{}", ran.stderr);
    assert_eq!(std::fs::read(folder.path().join("out.bin")).expect("a file"), [7, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn fuel_ends_a_loop_with_6() {
    let folder = Folder::new();
    folder.file(
        "loop.pisa",
        ".version 0.1;\n.target 100;\n.kernel @k(.param[8] %out) {\n  .reg .64b %o;\n  .reg .32b %a;\n  \
         ld.param.64b %o, [%out];\n  mov.32b %a, 0;\nagain:\n  iadd.32b %a, %a, 1;\n  st.global.32b [%o], %a;\n  \
         goto again;\n}\n",
    );
    folder
        .run("run loop.pisa -g 1 --fuel 1000 out=zeros:u32:1 --print out")
        .gives(6)
        .says("P0603")
        .prints("out");
}

#[test]
fn launches_that_do_not_fit_give_2_before_anything_runs() {
    let folder = Folder::new();
    folder.file("triple.pisa", TRIPLE);
    let cases = [
        ("run triple.pisa out=zeros:u32:4 factor=u32:3", "-g"),
        ("run triple.pisa -g 4 out=zeros:u32:4", "factor"),
        ("run triple.pisa -g 4 out=zeros:u32:4 factor=u64:3", "8 bytes"),
        ("run triple.pisa -g 4 out=zeros:u32:4 factor=u32:3 extra=u32:1", "extra"),
        ("run triple.pisa -g 4 -l 2000 out=zeros:u32:4 factor=u32:3", "1024"),
        ("run triple.pisa -g 0 out=zeros:u32:4 factor=u32:3", "0"),
        ("run triple.pisa -g 4 -k tripel out=zeros:u32:4 factor=u32:3", "did you mean `triple`"),
        ("run triple.pisa -g 4 -k triple -f triple", "cannot be used with"),
        ("run triple.pisa -g 4 out=zeros:u32:4 factor=u32:3 --print nothing", "`nothing`"),
        ("run triple.pisa -g 4 out=zeros:u32:4 factor=u32:3 --print out:2..9", "4 elements"),
        ("run triple.pisa -g 4 out=zeros:u32:4 factor=u32:3 --threads 0", "threads"),
        ("run triple.pisa -g 4 out=zeros:u8:99999999999999 factor=u32:3", "bytes"),
        ("run out=zeros:u32:4 factor=u32:3", "no module"),
    ];
    for (words, text) in cases {
        folder.run(words).gives(2).says(text);
    }
    folder.file("bad.pisa", TRIPLE.replace("umul.32b", "umul.33b"));
    folder.run("run bad.pisa -g 4 out=zeros:u32:4 factor=u32:3").gives(3).says("error[E");
}

#[test]
fn launches_are_written_and_read() {
    let folder = Folder::new();
    folder.file("triple.pisa", TRIPLE);
    folder
        .run("run triple.pisa -g 4 -l 2 out=zeros:u32:4 factor=u32:3 --emit-launch launch.toml --expect out=buf:u32:0,3,6,9")
        .gives(0);
    let expect = "--expect out=buf:u32:0,3,6,9";
    folder.run(&format!("run triple.pisa --launch launch.toml {expect}")).gives(0);
    // What the command line says goes first.
    folder.run("run triple.pisa --launch launch.toml factor=u32:1 --expect out=buf:u32:0,1,2,3").gives(0);
    folder.run("run triple.pisa --launch missing.toml").gives(2).says("missing.toml");
    folder.file("broken.toml", "global = [\n");
    folder.run("run triple.pisa --launch broken.toml").gives(2).says("broken.toml");
}

#[test]
fn globals_are_set_and_printed() {
    let folder = Folder::new();
    folder.file(
        "global.pisa",
        ".version 0.1;\n.target 100;\n.global .align 4 @G[8] = { .32b 1, .32b 2 };\n.kernel @k() {\n  .reg .32b %a;\n  \
         ld.global.32b %a, [@G];\n  iadd.32b %a, %a, 1;\n  st.global.32b [@G], %a;\n}\n",
    );
    folder.run("run global.pisa -g 1 --print @G --expect @G=buf:u32:2,2").gives(0).prints("@G");
    folder.run("run global.pisa -g 1 @G=buf:u32:7,9 --expect @G=buf:u32:8,9").gives(0);
}

#[test]
fn a_function_runs_on_every_work_item() {
    let folder = Folder::new();
    folder.file(
        "f.pisa",
        ".version 0.1;\n.target 100;\n.function .32b @scale(.reg .32b %x, .reg .32b %by) {\n  \
         umul.32b %x, %x, %by;\n  return %x;\n}\n",
    );
    let run = |rest: &str| folder.run(&format!("run f.pisa -f scale {rest}"));
    run("-g 5 -a iota:u32:5 -a u32:10 --print result")
        .gives(0)
        .prints("result = u32[5]\n  0:  0 10 20 30 40\n");
    run("-g 2,2 -a iota:u32:4 -a buf:u32:1,2,3,4 --expect result=buf:u32:0,2,6,12").gives(0);
    run("-g 300 -l 64 -a iota:u32:300 -a bytes:02000000 --print result:298..300").gives(0).prints("596 598");
    run("-g 5 -a iota:u32:5").gives(2).says("has 2 parameters, 1 were given");
    run("-g 5 -a iota:u32:4 -a u32:1").gives(2).says("16 bytes").says(".32b @scale(.reg .32b, .reg .32b)");
    run("-g 5 -a iota:u32:5 -a u64:1").gives(2).says("8 bytes");
    folder.run("run f.pisa -f scal -g 1").gives(2).says("did you mean `@scale`?");
}

#[test]
fn functions_take_vectors_addresses_and_wide_values() {
    let folder = Folder::new();
    let head = ".version 0.1;\n.target 100;\n";
    folder.file(
        "swap.pisa",
        format!(
            "{head}.function .v2.16b @swap(.reg .v2.16b %v) {{\n  .reg .16b %t;\n  mov.16b %t, %v.x;\n  \
             mov.16b %v.x, %v.y;\n  mov.16b %v.y, %t;\n  return %v;\n}}\n"
        ),
    );
    folder.run("run swap.pisa -f @swap -g 2 -a buf:u16:1,2,3,4 --expect result=buf:u16:2,1,4,3").gives(0);
    folder.file(
        "wide.pisa",
        format!("{head}.function .v8.32b @wide(.reg .v8.32b %v) {{\n  insert.7.32b %v, %laneid;\n  return %v;\n}}\n"),
    );
    folder
        .run("run wide.pisa -f wide -g 2 -a iota:u32:16 --expect result=buf:u32:0,1,2,3,4,5,6,0,8,9,10,11,12,13,14,1")
        .gives(0);
    folder.file("same.pisa", format!("{head}.function .128b @same(.reg .128b %v) {{\n  return %v;\n}}\n"));
    folder.run("run same.pisa -f same -g 2 -a iota:u64:4 --expect result=iota:u64:4").gives(0);
    folder.file(
        "store.pisa",
        format!(
            "{head}.function void @store(.reg .64b %p, .reg .32b %s, .reg .8b %v) {{\n  .reg .32b %w;\n  \
             .reg .64b %o;\n  zext.32b.8b %w, %v;\n  st.shared.32b [%s + 4], %w;\n  ld.shared.32b %w, [%s + 4];\n  \
             zext.64b.32b %o, %laneid;\n  umul.64b %o, %o, 4;\n  iadd.64b %p, %p, %o;\n  \
             st.global.32b [%p], %w;\n}}\n"
        ),
    );
    folder
        .run(
            "run store.pisa -f store -g 2 -l 1 mem=zeros:u32:4 sh=shared:16 -a ptr:mem+4 -a ptr:sh -a buf:u8:7,9 \
             --print mem",
        )
        .gives(0);
    folder
        .run("run store.pisa -f store -g 1 mem=zeros:u32:4 -a ptr:mem -a ptr:mem -a u8:1")
        .gives(2)
        .says("mem=shared:BYTES");
}

#[test]
fn a_float_result_gets_its_type_from_the_buffer() {
    let folder = Folder::new();
    folder.file(
        "half.pisa",
        ".version 0.1;\n.target 100;\n.function .32b @half(.reg .32b %x) {\n  fmul.f %x, %x, 0.5;\n  return %x;\n}\n",
    );
    folder
        .run("run half.pisa -f half -g 2 -a buf:f:1,3 result=zeros:f:2 --print result")
        .gives(0)
        .prints("result = f[2]\n  0: 0.5 1.5\n");
    folder.run("run half.pisa -f half -g 2 -a buf:f:1,3 --expect result=buf:f:0.5,1.5").gives(0);
    folder.run("run half.pisa -f half -g 2 -a buf:f:1,3 result=zeros:f:3").gives(2).says("takes 8");
}

#[test]
fn statistics_are_counted() {
    let folder = Folder::new();
    folder.file("triple.pisa", TRIPLE);
    let launch = "run triple.pisa -g 64 -l 64 out=zeros:u32:64 factor=u32:3 --stats";
    let ran = folder.run(launch).gives(0);
    // Eight instructions, two sub-groups.
    assert!(ran.stderr.contains("16 instructions"), "{}", ran.stderr);
    assert!(ran.stderr.contains("32.0 active lanes"), "{}", ran.stderr);
    let json = folder.run(&format!("{launch} --format json --print out:0..2")).gives(0).stdout;
    let objects: Vec<Value> = json.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let of = |what: &str| objects.iter().find(|o| o["type"] == what).expect("the object");
    assert_eq!(of("statistics")["instructions"], 16);
    assert_eq!(of("statistics")["active_lanes"], 512);
    assert_eq!(of("buffer")["values"], serde_json::json!([0, 3]));
    assert_eq!(of("summary")["errors"], 0);
}
