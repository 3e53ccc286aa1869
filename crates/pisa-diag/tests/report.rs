//! Order, limits, counts and levels.

use pisa_diag::{Code, Diagnostic, Level, LevelError, Levels, Place, Report, Severity, Sources, Span};

fn at(sources: &mut Sources) -> impl FnMut(&'static str, Severity, u32) -> Diagnostic {
    let file = sources.add("a.pisa", "x\n".repeat(100));
    move |code, severity, start| {
        let place = Place { file, span: Span::new(start, start + 1) };
        Diagnostic::new(Code(code), severity, format!("at {start}"), place)
    }
}

#[test]
fn sorted_by_place_and_cut_at_the_limit() {
    let mut sources = Sources::new();
    let mut new = at(&mut sources);
    let found = vec![
        new("E0001", Severity::Error, 8),
        new("E0001", Severity::Error, 4),
        new("W0001", Severity::Warning, 2),
        new("E0001", Severity::Error, 6),
    ];
    let report = Report::new(found.clone(), 2);
    let starts =
        |report: &Report| report.shown.iter().filter_map(|d| d.place()).map(|p| p.span.start).collect();
    let shown: Vec<u32> = starts(&report);
    assert_eq!(shown, [2, 4, 6]);
    assert_eq!(report.summary().expect("a summary"), "3 errors, 1 warning");
    assert_eq!(report.omitted().expect("a rest"), "1 error");
    let all: Vec<u32> = starts(&Report::new(found, 0));
    assert_eq!(all, [2, 4, 6, 8]);
}

#[test]
fn counts_read_well() {
    let mut sources = Sources::new();
    let mut new = at(&mut sources);
    assert_eq!(Report::new(Vec::new(), 100).summary(), None);
    let one = Report::new(vec![new("E0001", Severity::Error, 0)], 100);
    assert_eq!(one.summary().expect("a summary"), "1 error");
    let warnings = vec![new("W0001", Severity::Warning, 0), new("W0001", Severity::Warning, 2)];
    assert_eq!(Report::new(warnings, 100).summary().expect("a summary"), "2 warnings");
}

#[test]
fn levels_of_unknown_codes_and_of_errors_are_refused() {
    let mut levels = Levels::new(false);
    let unknown = levels.set("P06O1", Level::Allow).expect_err("no such code");
    assert!(matches!(unknown, LevelError::Unknown { nearest: Some(_), .. }));
    assert!(unknown.to_string().contains("did you mean `P0601`"), "{unknown}");
    let stop = levels.set("P0601", Level::Allow).expect_err("a stop has no level");
    assert!(matches!(stop, LevelError::Fixed(_)));
}
