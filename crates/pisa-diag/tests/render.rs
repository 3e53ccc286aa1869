//! Full texts of the renderings.

use expect_test::{Expect, expect};
use pisa_diag::render::{self, Human, Tool};
use pisa_diag::{
    Call, Code, Diagnostic, Elsewhere, FileId, Occurrence, Place, Report, Severity, Sources, Span,
};

/// The place of the `n`-th occurrence (from 0) of `needle` in a file.
fn place(sources: &Sources, file: FileId, needle: &str, n: usize) -> Place {
    let start = sources.file(file).text.match_indices(needle).nth(n).expect("the needle").0 as u32;
    Place { file, span: Span::new(start, start + needle.len() as u32) }
}

fn error(message: &str, place: Place) -> Diagnostic {
    Diagnostic::new(Code("E0203"), Severity::Error, message, place)
}

fn check(diagnostic: &Diagnostic, sources: &Sources, expect: Expect) {
    expect.assert_eq(&Human::default().render(diagnostic, sources));
}

const SCAN: &str = ".version 0.1;
.target 100;


.kernel @scan() {
  .reg .32b %a;

  .reg .64b %b;



  iadd.32b %a, %b, 1;
}
";

fn scan() -> (Sources, Diagnostic) {
    let mut sources = Sources::new();
    let file = sources.add("scan.pisa", SCAN);
    let diagnostic = error("`%b` is 64 bits wide, `iadd.32b` reads 32", place(&sources, file, "%b", 1))
        .label("64 bits")
        .also(place(&sources, file, "%b", 0), "declared here")
        .spec("1.3 iadd")
        .help("`trunc.32b.64b %t, %b;` takes the low half; for a 64-bit sum write `iadd.64b`");
    (sources, diagnostic)
}

#[test]
fn an_error_with_a_declaration_and_footnotes() {
    let (sources, diagnostic) = scan();
    check(
        &diagnostic,
        &sources,
        expect![[r#"
            error[E0203]: `%b` is 64 bits wide, `iadd.32b` reads 32
              --> scan.pisa:12:16
               |
             8 |   .reg .64b %b;
               |             -- declared here
            12 |   iadd.32b %a, %b, 1;
               |                ^^ 64 bits
               |
               = spec: 1.3 iadd
               = help: `trunc.32b.64b %t, %b;` takes the low half; for a 64-bit sum write `iadd.64b`
        "#]],
    );
}

#[test]
fn several_labels_of_one_line_hang_below_it() {
    let mut sources = Sources::new();
    let file = sources.add("a.pisa", "mov.32b %a, %b;\n");
    let diagnostic = error("three", place(&sources, file, "%b", 0))
        .label("last")
        .also(place(&sources, file, "mov", 0), "first")
        .also(place(&sources, file, "%a", 0), "second");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
            error[E0203]: three
             --> a.pisa:1:13
              |
            1 | mov.32b %a, %b;
              | ---     --  ^^ last
              | |       |
              | |       second
              | first
        "#]],
    );
}

#[test]
fn labels_that_begin_together_do_not_lose_a_text() {
    let mut sources = Sources::new();
    let file = sources.add("a.pisa", "mov.32b %a;\n");
    let diagnostic = error("two", place(&sources, file, "mov.32b", 0))
        .label("wide")
        .also(place(&sources, file, "mov", 0), "narrow");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
            error[E0203]: two
             --> a.pisa:1:1
              |
            1 | mov.32b %a;
              | ^^^^^^^ wide
              | |
              | narrow
        "#]],
    );
}

#[test]
fn a_label_in_another_file() {
    let mut sources = Sources::new();
    let first = sources.add("first.pisa", ".function void @f() {\n}\n");
    let second = sources.add("second.pisa", "\n\n.function void @f() {\n}\n");
    let diagnostic = error("`@f` is defined twice", place(&sources, second, "@f", 0))
        .also(place(&sources, first, "@f", 0), "first defined here");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
            error[E0203]: `@f` is defined twice
             --> second.pisa:3:16
              |
            3 | .function void @f() {
              |                ^^
             ::: first.pisa:1:16
              |
            1 | .function void @f() {
              |                -- first defined here
        "#]],
    );
}

#[test]
fn tabs_wide_characters_and_escapes() {
    let mut sources = Sources::new();
    let file = sources.add("a.pisa", "\tmov %a; // 漢字 \u{1b}[31m é\r\n");
    let wide = error("a wide one", place(&sources, file, "字", 0)).label("two columns");
    check(
        &wide,
        &sources,
        expect![[r#"
            error[E0203]: a wide one
             --> a.pisa:1:14
              |
            1 |     mov %a; // 漢字 ␛[31m é
              |                  ^^ two columns
        "#]],
    );
    let after = error("\u{1b}[31mred", place(&sources, file, "é", 0)).help("one\ntwo");
    check(
        &after,
        &sources,
        expect![[r#"
            error[E0203]: ␛[31mred
             --> a.pisa:1:22
              |
            1 |     mov %a; // 漢字 ␛[31m é
              |                           ^
              |
              = help: one
                      two
        "#]],
    );
}

#[test]
fn a_long_line_is_cut_around_the_caret() {
    let mut sources = Sources::new();
    let text = format!("{}{}{}", "a ".repeat(50_000), "HERE", " b".repeat(50_000));
    let file = sources.add("long.pisa", text);
    let diagnostic = error("in the middle", place(&sources, file, "HERE", 0)).label("it");
    let narrow = Human { width: 60, ..Human::default() };
    expect![[r#"
        error[E0203]: in the middle
         --> long.pisa:1:100001
          |
        1 | …a a a a a a a a a HERE b b b b b b b b b b b b b b b b…
          |                    ^^^^ it
    "#]]
    .assert_eq(&narrow.render(&diagnostic, &sources));
}

#[test]
fn far_labels_of_a_long_line_get_a_line_each() {
    let mut sources = Sources::new();
    let file = sources.add("long.pisa", format!("FIRST{}SECOND", " x".repeat(2_000)));
    let diagnostic = error("two ends", place(&sources, file, "SECOND", 0))
        .label("here")
        .also(place(&sources, file, "FIRST", 0), "there");
    let narrow = Human { width: 44, ..Human::default() };
    expect![[r#"
        error[E0203]: two ends
         --> long.pisa:1:4006
          |
        1 | FIRST x x x x x x x x x x x x x x x x …
          | ----- there
        1 | … x x x x x x x x x x x x x x x xSECOND
          |                                  ^^^^^^ here
    "#]]
    .assert_eq(&narrow.render(&diagnostic, &sources));
}

#[test]
fn places_at_the_end_and_over_several_lines() {
    let mut sources = Sources::new();
    let file = sources.add("a.pisa", "one\ntwo {");
    let end = error("`}` is missing", Place { file, span: Span::new(9, 9) });
    check(
        &end,
        &sources,
        expect![[r#"
            error[E0203]: `}` is missing
             --> a.pisa:2:6
              |
            2 | two {
              |      ^
        "#]],
    );
    let both = error("two lines", Place { file, span: Span::new(1, 7) });
    check(
        &both,
        &sources,
        expect![[r#"
            error[E0203]: two lines
             --> a.pisa:1:2
              |
            1 | one
              |  ^^
        "#]],
    );
    let empty = sources.add("empty.pisa", "");
    let nothing = error("empty", Place { file: empty, span: Span::new(0, 0) });
    check(
        &nothing,
        &sources,
        expect![[r#"
            error[E0203]: empty
             --> empty.pisa:1:1
              |
            1 |
              | ^
        "#]],
    );
}

#[test]
fn colours_frame_the_same_text() {
    let (sources, diagnostic) = scan();
    let styled = Human { styled: true, ..Human::default() }.render(&diagnostic, &sources);
    assert!(styled.contains("\u{1b}["));
    let mut plain = String::new();
    let mut escape = false;
    for c in styled.chars() {
        match c {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            c if !escape => plain.push(c),
            _ => {}
        }
    }
    assert_eq!(plain, Human::default().render(&diagnostic, &sources));
}

#[test]
fn one_line_a_diagnostic() {
    let (sources, diagnostic) = scan();
    expect!["scan.pisa:12:16: error[E0203]: `%b` is 64 bits wide, `iadd.32b` reads 32"]
        .assert_eq(&render::short(&diagnostic, &sources));
}

#[test]
fn json_lines() {
    let (sources, diagnostic) = scan();
    let diagnostic = diagnostic.fix(diagnostic_place(&sources), "%a");
    expect![[r#"{"type":"diagnostic","severity":"error","code":"E0203","title":null,"message":"`%b` is 64 bits wide, `iadd.32b` reads 32","place":{"file":"scan.pisa","line":12,"column":16,"end_line":12,"end_column":18,"byte":98,"end_byte":100},"labels":[{"file":"scan.pisa","line":12,"column":16,"end_line":12,"end_column":18,"byte":98,"end_byte":100,"primary":true,"text":"64 bits"},{"file":"scan.pisa","line":8,"column":13,"end_line":8,"end_column":15,"byte":76,"end_byte":78,"primary":false,"text":"declared here"}],"notes":[{"kind":"spec","text":"1.3 iadd"},{"kind":"help","text":"`trunc.32b.64b %t, %b;` takes the low half; for a 64-bit sum write `iadd.64b`"}],"fix":{"file":"scan.pisa","line":12,"column":16,"end_line":12,"end_column":18,"byte":98,"end_byte":100,"replacement":"%a"}}"#]]
        .assert_eq(&without_title(&render::json(&diagnostic, &sources)));
}

fn diagnostic_place(sources: &Sources) -> Place {
    let (file, _) = sources.iter().next().expect("a file");
    place(sources, file, "%b", 1)
}

/// The title belongs to the registry, not to this test.
fn without_title(json: &str) -> String {
    let start = json.find(r#""title":"#).expect("a title") + 8;
    let end = start + json[start..].find(r#","message""#).expect("the next field");
    format!("{}null{}", &json[..start], &json[end..])
}

#[test]
fn sarif_log() {
    let mut sources = Sources::new();
    let file = sources.add("dir with space/a.pisa", "goto é;\n");
    let at = Place { file, span: Span::new(5, 7) };
    let stop = Diagnostic::new(pisa_diag::codes::run::LIVELOCK, Severity::Stopped, "it spins", at)
        .label("é")
        .also(Place { file, span: Span::new(0, 4) }, "from here")
        .help("stop");
    let report = Report::new(vec![stop], 100);
    let tool = Tool { name: "pisa", version: "0.1.0", uri: "https://example.org" };
    let log: serde_json::Value =
        serde_json::from_str(&render::sarif(&report, &["no such file".into()], &sources, tool))
            .expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "pisa");
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "P0601");
    assert!(run["tool"]["driver"]["rules"][0]["help"]["text"].as_str().expect("text").contains("## Wrong"));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "P0601");
    assert_eq!(result["level"], "error");
    assert_eq!(result["message"]["text"], "it spins (é)\nhelp: stop");
    let at = &result["locations"][0]["physicalLocation"];
    assert_eq!(at["artifactLocation"]["uri"], "dir%20with%20space/a.pisa");
    assert_eq!(at["region"]["startColumn"], 6);
    assert_eq!(at["region"]["endColumn"], 7);
    assert_eq!(at["region"]["byteLength"], 2);
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "from here");
}

const REDUCE: &str = ".version 0.1;
.target 100;

.function .32b @step(.reg .32b %v) {
  .reg .32b %t;
  shfl.dn.32b %t, %v, 8, 0xffffffff;
  return %t;
}

.kernel @reduce() {
  .reg .32b %v;
  call %v, @step(%v);
  barrier.workgroup;
}
";

fn reduce() -> (Sources, Diagnostic) {
    let mut sources = Sources::new();
    let file = sources.add("reduce.pisa", REDUCE);
    let at = |needle: &str| place(&sources, file, needle, 0);
    let mut diagnostic = Diagnostic::new(
        Code("C0301"),
        Severity::Finding,
        "lanes 0-7 read lanes 16-23, which are elsewhere",
        at("shfl.dn.32b"),
    )
    .spec("7.4 shfl");
    diagnostic.occurrence = Some(Box::new(Occurrence {
        count: 1200,
        lanes_in_all: 9600,
        function: "@step".to_owned(),
        group: [3, 0, 0],
        subgroup: 1,
        lanes: 0x0000_00FF,
        active: 0x0000_01FF,
        live: 0x00FF_01FF,
        local_id: [32, 0, 0],
        global_id: [224, 0, 0],
        schedule: "independent".to_owned(),
        seed: Some(7),
        elsewhere: vec![
            Elsewhere { lanes: 0x007F_0000, doing: "wait".to_owned(), place: Some(at("barrier.workgroup;")) },
            Elsewhere { lanes: 0x0080_0000, doing: "wait".to_owned(), place: None },
        ],
        calls: vec![Call { caller: "@reduce".to_owned(), place: Some(at("call %v, @step(%v);")) }],
    }));
    (sources, diagnostic)
}

#[test]
fn a_finding_with_where_it_happened() {
    let (sources, diagnostic) = reduce();
    check(
        &diagnostic,
        &sources,
        expect![[r#"
            finding[C0301]: lanes 0-7 read lanes 16-23, which are elsewhere  (1 200 times, 9 600 lanes)
             --> reduce.pisa:6:3 in @step, work-group (3,0,0), sub-group 1
              |
            6 |   shfl.dn.32b %t, %v, 8, 0xffffffff;
              |   ^^^^^^^^^^^
              |
              = lanes: ■■■■■■■■ □······· wwwwwwww ········   ■ lanes 0-7 of this finding   □ also here   w waiting elsewhere   · left the kernel, or never there
              = first: lane 0 is work-item (224,0,0), (32,0,0) in its work-group; schedule independent, seed 7
              = elsewhere: lanes 16-22 wait at line 13
              = elsewhere: lane 23 waits at the end of the function
              = called: by @reduce at line 12
              = spec: 7.4 shfl
        "#]],
    );
    assert_eq!(
        render::short(&diagnostic, &sources),
        "reduce.pisa:6:3: finding[C0301]: lanes 0-7 read lanes 16-23, which are elsewhere (1 200 times, 9 600 lanes)"
    );
}
