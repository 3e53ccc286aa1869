//! The library without the command: modules as text in, data out.

use pisa_tools::diag::{Level, Levels, Severity};
use pisa_tools::machine::{Argument, Expectation, Extent, LaunchFile, PrintRequest};
use pisa_tools::run::{Refused, Run, RunOptions};
use pisa_tools::{Session, Status, VectorEngine};

const SQUARE: &str = "\
.version 0.1;
.target 100;
.kernel @square(.param[8] %out) {
  .reg .64b %address, %offset;
  .reg .32b %value;

  ld.param.64b %address, [%out];
  umul.32b %value, %localid.x, %localid.x;
  zext.64b.32b %offset, %localid.x;
  umul.64b %offset, %offset, 4;
  iadd.64b %address, %address, %offset;
  st.global.32b [%address], %value;
}
";

fn launch(arguments: &[&str]) -> LaunchFile {
    LaunchFile {
        global: Extent::new(&[4]),
        arguments: arguments.iter().map(|text| Argument::parse_named(text).expect("an argument")).collect(),
        ..LaunchFile::default()
    }
}

fn prepare(text: &str, launch: LaunchFile) -> Result<Run, Refused> {
    let mut session = Session::default();
    let input = session.add_text("k.pisa", text);
    let checked = session.check_inputs(vec![input]);
    assert!(!checked.is_refused(), "{:?}", checked.diagnostics);
    session.prepare(checked.modules, RunOptions { launch, function: None, active: None, threads: 1 })
}

#[test]
fn a_kernel_runs() {
    let mut launch = launch(&["out=zeros:u32:4"]);
    launch.print = vec![PrintRequest::parse("out").expect("a print")];
    launch.expect = vec![
        Expectation::parse("out=buf:u32:0,1,4,9").expect("an expectation"),
        Expectation::parse("out=buf:u32:0,1,4,8").expect("an expectation"),
    ];
    let run = prepare(SQUARE, launch).expect("a launch");
    assert_eq!(run.kernel(), "square");
    let result = run.execute(&VectorEngine::new());
    assert!(result.stop.is_none() && result.failure.is_none());
    assert_eq!((result.statistics.instructions, result.statistics.active_lanes), (6, 24));
    let printed = run.printed().next().expect("a print").expect("a buffer");
    let (from, numbers) = printed.numbers().expect("in range");
    assert_eq!((from, numbers.collect::<Vec<_>>()), (0, ["0", "1", "4", "9"].map(String::from).to_vec()));
    let failures: Vec<_> = run.compare().into_iter().filter_map(Result::err).collect();
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].status, Status::Failed);
}

#[test]
fn a_launch_that_does_not_fit_is_refused_with_its_kernel() {
    let Err(Refused::Launch(failure)) = prepare(SQUARE, launch(&["out=u32:1"])) else { panic!("it fits") };
    assert_eq!(failure.status, Status::Usage);
    assert!(failure.message.contains("4 bytes"), "{failure}");
    assert!(
        failure.details.iter().any(|line| line.contains("@square(.param[8] %out), k.pisa:3")),
        "{failure}"
    );
    assert!(failure.details.iter().any(|line| line.contains("out=u32:1")), "{failure}");
}

#[test]
fn a_named_buffer_that_no_parameter_takes_is_pointed_to() {
    let mut launch = launch(&["out=ptr:memory+16", "memory=zeros:u32:8"]);
    launch.expect = vec![Expectation::parse("memory=buf:u32:0,0,0,0,0,1,4,9").expect("an expectation")];
    let run = prepare(SQUARE, launch).expect("a launch");
    run.execute(&VectorEngine::new());
    assert!(run.compare().iter().all(Result::is_ok));
}

#[test]
fn errors_are_data() {
    let mut session = Session::default();
    let input = session.add_text("bad.pisa", SQUARE.replace("umul.32b", "umul.33b"));
    let checked = session.check_inputs(vec![input]);
    assert!(checked.is_refused() && checked.modules.is_empty());
    let place = checked.diagnostics[0].place().expect("a place");
    assert_eq!(session.sources.file(place.file).line_column(place.span.start).0, 8);
    assert_eq!(checked.diagnostics[0].severity, Severity::Error);
    assert!(session.check(&["no/such/file.pisa".to_owned()]).is_refused());
}

#[test]
fn levels_decide_what_is_an_error() {
    let text = ".version 0.1;\n.target 100;\n.kernel @k() {\n  ;\n}\n";
    let found = |levels: Levels| {
        let mut session = Session::new(levels);
        let input = session.add_text("k.pisa", text);
        let result = session.check_inputs(vec![input]);
        (result.diagnostics.len(), result.is_refused())
    };
    assert_eq!(found(Levels::default()), (1, false));
    // A lint stays a warning, also when departures are errors.
    assert_eq!(found(Levels::new(true)), (1, false));
    let with = |level| {
        let mut levels = Levels::default();
        levels.set("W0101", level).expect("a lint");
        levels
    };
    assert_eq!(found(with(Level::Allow)), (0, false));
    assert_eq!(found(with(Level::Deny)), (1, true));
}
