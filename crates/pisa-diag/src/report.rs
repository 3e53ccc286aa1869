//! A report: diagnostics in order, at most so many of them, and their counts.

use crate::{Diagnostic, Severity};

/// What a run found, ready to be shown.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Those to show: by file, place and code.
    pub shown: Vec<Diagnostic>,
    /// All errors, stops among them, the omitted ones too.
    pub errors: usize,
    /// All warnings, the omitted ones too.
    pub warnings: usize,
    /// Errors beyond the limit.
    pub omitted_errors: usize,
    /// Warnings beyond the limit.
    pub omitted_warnings: usize,
    /// All findings of a launch that are not suppressed.
    pub findings: usize,
    /// How many codes they have.
    pub kinds: usize,
    /// Findings beyond the limit.
    pub omitted_findings: usize,
    /// Findings that are suppressed.
    pub suppressed: usize,
    /// Remarks without a place.
    pub notes: Vec<String>,
}

impl Report {
    /// Sorts diagnostics by file, place and code, and keeps at most `limit` errors and as many warnings (0: all).
    pub fn new(mut diagnostics: Vec<Diagnostic>, limit: usize) -> Report {
        diagnostics.sort_by_key(|diagnostic| (diagnostic.place(), diagnostic.code));
        let mut report = Report::default();
        let limit = if limit == 0 { usize::MAX } else { limit };
        diagnostics.retain(|diagnostic| {
            let count = match diagnostic.severity {
                Severity::Warning => &mut report.warnings,
                Severity::Finding => &mut report.findings,
                Severity::Error | Severity::Stopped => &mut report.errors,
            };
            *count += 1;
            *count <= limit
        });
        report.omitted_errors = report.errors.saturating_sub(limit);
        report.omitted_warnings = report.warnings.saturating_sub(limit);
        report.shown = diagnostics;
        report
    }

    /// Findings of one launch, given in the order in which they first happened: grouped by code, and at most `limit` of
    /// them (0: all), of each code as many as of the others.
    pub fn of_findings(findings: Vec<Diagnostic>, suppressed: usize, limit: usize) -> Report {
        let limit = if limit == 0 { usize::MAX } else { limit };
        let all = findings.len();
        let mut groups: Vec<Vec<Diagnostic>> = Vec::new();
        for finding in findings {
            match groups.iter_mut().find(|group| group[0].code == finding.code) {
                Some(group) => group.push(finding),
                None => groups.push(vec![finding]),
            }
        }
        let kinds = groups.len();
        let longest = groups.iter().map(Vec::len).max().unwrap_or(0);
        // The greatest count that every code may have, and how many codes may have one more.
        let shown_with = |each: usize| groups.iter().map(|group| group.len().min(each)).sum::<usize>();
        let each = (1..=longest).rev().find(|&each| shown_with(each) <= limit).unwrap_or(0);
        let mut more = limit.saturating_sub(shown_with(each));
        let mut shown = Vec::new();
        for mut group in groups {
            let one_more = usize::from(group.len() > each && more > 0);
            more -= one_more;
            group.truncate(each + one_more);
            shown.extend(group);
        }
        let omitted_findings = all - shown.len();
        Report { shown, findings: all, kinds, omitted_findings, suppressed, ..Report::default() }
    }

    /// Adds the counts of another report.
    pub fn add_counts(&mut self, other: &Report) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.omitted_errors += other.omitted_errors;
        self.omitted_warnings += other.omitted_warnings;
        self.findings += other.findings;
        self.kinds += other.kinds;
        self.omitted_findings += other.omitted_findings;
        self.suppressed += other.suppressed;
    }

    /// `2 errors, 1 warning`, `3 findings (2 kinds), 1 suppressed`; `None` where there is nothing.
    pub fn summary(&self) -> Option<String> {
        let findings = count(self.findings, "finding").map(|findings| match self.kinds {
            0 | 1 => findings,
            kinds => format!("{findings} ({kinds} kinds)"),
        });
        let suppressed = (self.suppressed > 0).then(|| match &findings {
            Some(_) => format!("{} suppressed", self.suppressed),
            None => format!("{} suppressed", count(self.suppressed, "finding").unwrap_or_default()),
        });
        let parts = [count(self.errors, "error"), count(self.warnings, "warning"), findings, suppressed];
        joined(parts)
    }

    /// `12 errors, 3 warnings`, those beyond the limit; `None` where all are shown.
    pub fn omitted(&self) -> Option<String> {
        joined([count(self.omitted_errors, "error"), count(self.omitted_warnings, "warning")])
    }
}

fn count(n: usize, what: &str) -> Option<String> {
    match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    }
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, FileId, Place, Span};

    fn finding(code: &'static str, at: u32) -> Diagnostic {
        let place = Place { file: FileId(0), span: Span::new(at, at + 1) };
        Diagnostic::new(Code(code), Severity::Finding, "", place)
    }

    fn shown(limit: usize) -> (Vec<(&'static str, u32)>, usize) {
        let findings = [("R0401", 9), ("M0101", 1), ("R0401", 2), ("R0401", 7), ("M0101", 0), ("C0301", 5)];
        let report = Report::of_findings(findings.map(|(c, at)| finding(c, at)).to_vec(), 0, limit);
        let shown = report.shown.iter().map(|d| (d.code.0, d.place().expect("a place").span.start));
        (shown.collect(), report.omitted_findings)
    }

    #[test]
    fn findings_are_grouped_and_each_kind_has_its_share() {
        let all = [("R0401", 9), ("R0401", 2), ("R0401", 7), ("M0101", 1), ("M0101", 0), ("C0301", 5)];
        assert_eq!(shown(0), (all.to_vec(), 0));
        assert_eq!(shown(6), (all.to_vec(), 0));
        assert_eq!(shown(5), ([&all[..2], &all[3..]].concat(), 1));
        assert_eq!(shown(4), ([&all[..2], &all[3..4], &all[5..]].concat(), 2));
        assert_eq!(shown(3), (vec![all[0], all[3], all[5]], 3));
        assert_eq!(shown(1), (vec![all[0]], 5));
    }

    #[test]
    fn the_summary_counts() {
        let report = Report::of_findings(vec![finding("M0101", 0), finding("R0401", 0)], 3, 0);
        assert_eq!(report.summary().as_deref(), Some("2 findings (2 kinds), 3 suppressed"));
        let report = Report::of_findings(vec![finding("M0101", 0)], 0, 0);
        assert_eq!(report.summary().as_deref(), Some("1 finding"));
        let report = Report::of_findings(Vec::new(), 1, 0);
        assert_eq!(report.summary().as_deref(), Some("1 finding suppressed"));
        assert_eq!(Report::default().summary(), None);
    }
}
