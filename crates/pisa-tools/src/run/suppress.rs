//! Findings that are known and not to be shown: `--allow CODE[@SYMBOL]` and files of such lines.

use crate::Failure;
use pisa_diag::{CodeInfo, Kind, codes};
use pisa_sanitize::Finding;

/// What is not to be shown.
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    code: &'static CodeInfo,
    /// A function, variable, buffer or register; `None`: everywhere.
    symbol: Option<String>,
    /// Where it stands: `--allow M0101@out`, `known.txt:3`.
    origin: String,
    used: bool,
}

/// What is wrong with `CODE[@SYMBOL]`.
struct Fault {
    /// Characters before what is wrong.
    column: usize,
    message: String,
}

impl Suppressions {
    /// Whether `--allow WORD` speaks of findings, not of warnings.
    pub fn is_about_findings(word: &str) -> bool {
        let code = word.split_once('@').map_or(word, |(code, _)| code);
        word.contains('@') || codes::find(code).is_ok_and(|entry| entry.kind == Kind::Finding)
    }

    /// Takes the `CODE` or `CODE@SYMBOL` of `--allow`.
    ///
    /// # Errors
    /// Where it is not the code of a finding, or the symbol is missing.
    pub fn allow(&mut self, word: &str) -> Result<(), Failure> {
        let (code, symbol) = parse(word)
            .map_err(|fault| Failure::usage(fault.message).detail(format!("you wrote:  --allow {word}")))?;
        self.rules.push(Rule { code, symbol, origin: format!("--allow {word}"), used: false });
        Ok(())
    }

    /// Reads a file with `CODE[@SYMBOL]` on a line, and maybe `# why` behind it.
    ///
    /// # Errors
    /// Where it cannot be read, and for each line that says something else; all of them.
    pub fn read(&mut self, path: &str) -> Result<(), Vec<Failure>> {
        let bytes = std::fs::read(path).map_err(|error| vec![Failure::reading(path, &error)])?;
        let text = String::from_utf8(bytes)
            .map_err(|_| vec![Failure::usage(format!("`{path}` holds no suppressions: it is not UTF-8"))])?;
        self.add_text(path, &text)
    }

    fn add_text(&mut self, path: &str, text: &str) -> Result<(), Vec<Failure>> {
        let mut failures = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let said = line.split_once('#').map_or(line, |(said, _)| said);
            let before = said.chars().take_while(|c| c.is_whitespace()).count();
            let said = said.trim();
            if said.is_empty() {
                continue;
            }
            let number = index + 1;
            match parse(said) {
                Ok((code, symbol)) => {
                    self.rules.push(Rule { code, symbol, origin: format!("{path}:{number}"), used: false });
                }
                Err(fault) => {
                    let column = before + fault.column + 1;
                    let message = format!("{path}:{number}:{column}: {}", fault.message);
                    failures.push(Failure::usage(message).detail(format!("you wrote:  {}", line.trim())));
                }
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(failures) }
    }

    /// The findings that are to be shown, and how many are not.
    pub fn apply(&mut self, findings: Vec<Finding>) -> (Vec<Finding>, usize) {
        let all = findings.len();
        let shown: Vec<Finding> = findings.into_iter().filter(|finding| !self.covers(finding)).collect();
        let suppressed = all - shown.len();
        (shown, suppressed)
    }

    /// Marks every rule that fits.
    fn covers(&mut self, finding: &Finding) -> bool {
        let mut covered = false;
        for rule in &mut self.rules {
            let fits = rule.code.code == finding.code
                && rule.symbol.as_ref().is_none_or(|symbol| concerns(finding, symbol));
            rule.used |= fits;
            covered |= fits;
        }
        covered
    }

    /// Those that fitted nothing: a line each.
    pub fn unused(&self) -> Vec<String> {
        let unused = self.rules.iter().filter(|rule| !rule.used);
        unused.map(|rule| format!("{} fits no finding", rule.said())).collect()
    }
}

impl Rule {
    fn said(&self) -> String {
        match (&self.symbol, self.origin.starts_with("--allow")) {
            (_, true) => format!("`{}`", self.origin),
            (Some(symbol), false) => format!("`{}@{symbol}` ({})", self.code.code.0, self.origin),
            (None, false) => format!("`{}` ({})", self.code.code.0, self.origin),
        }
    }
}

fn parse(text: &str) -> Result<(&'static CodeInfo, Option<String>), Fault> {
    let (code, symbol) = match text.split_once('@') {
        Some((code, symbol)) => (code, Some(symbol)),
        None => (text, None),
    };
    let fault = |column: usize, message: String| Fault { column, message };
    let entry = codes::find(code.trim()).map_err(|nearest| {
        let hint = match nearest {
            Some(near) => format!("did you mean `{}` ({})?", near.code.0, near.title),
            None => "`pisa explain` lists them all".to_owned(),
        };
        fault(0, format!("there is no code `{}`; {hint}", code.trim()))
    })?;
    if entry.kind != Kind::Finding {
        let message = format!("`{}` ({}) is not the code of a finding", entry.code.0, entry.title);
        return Err(fault(0, message));
    }
    let Some(symbol) = symbol else { return Ok((entry, None)) };
    let column = code.chars().count() + 1;
    // `CODE@%value` names a register, `CODE@@table` a variable with its sign.
    let name = symbol.strip_prefix('@').unwrap_or(symbol);
    let plain = name.strip_prefix('%').unwrap_or(name);
    if plain.is_empty() || plain.contains(char::is_whitespace) {
        let message = "`@` is followed by one name: of a function, variable, buffer or register".to_owned();
        return Err(fault(column, message));
    }
    Ok((entry, Some(name.to_owned())))
}

/// Whether a finding happened in this function, or speaks of this variable, buffer or register. The name of a function
/// or variable has no `@`, that of a register has its `%`.
fn concerns(finding: &Finding, symbol: &str) -> bool {
    if *finding.function == *symbol {
        return true;
    }
    if finding.object.as_deref().is_some_and(|object| object.trim_start_matches('@') == symbol) {
        return true;
    }
    let text = &finding.text;
    let signed = if symbol.starts_with('%') { symbol.to_owned() } else { format!("@{symbol}") };
    let lines = [&text.message, &text.label];
    let mut lines = lines.into_iter().chain(&text.notes).chain(text.also.iter().map(|(_, line)| line));
    lines.any(|line| names(line, &signed))
}

/// Whether a name with its sign stands in a text, not as the beginning of a longer one.
fn names(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let next = text[at + name.len()..].chars().next();
        next.is_none_or(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pisa_diag::{FileId, Place, Span};
    use pisa_sanitize::Text;

    /// Any code of a finding.
    fn some_code() -> &'static CodeInfo {
        pisa_diag::CODES.iter().find(|entry| entry.kind == Kind::Finding).expect("a code of a finding")
    }

    fn finding(function: &str, object: Option<&str>, message: &str) -> Finding {
        Finding {
            code: some_code().code,
            place: Place { file: FileId(0), span: Span::new(0, 1) },
            text: Text { message: message.to_owned(), ..Text::default() },
            count: 1,
            lanes_in_all: 1,
            group: [0; 3],
            size: [32, 1, 1],
            subgroup: 0,
            lanes: 1,
            active: 1,
            live: 1,
            function: function.into(),
            object: object.map(str::to_owned),
            elsewhere: Vec::new(),
            calls: Vec::new(),
        }
    }

    fn shown(rule: &str, finding: &Finding) -> (usize, usize) {
        let mut suppressions = Suppressions::default();
        suppressions.allow(&format!("{}{rule}", some_code().code.0)).expect("a rule");
        let (shown, suppressed) = suppressions.apply(vec![finding.clone()]);
        assert_eq!(suppressions.unused().len(), shown.len());
        (shown.len(), suppressed)
    }

    #[test]
    fn rules_fit_functions_objects_and_names_in_the_text() {
        let one = finding("reduce", Some("out"), "`%v` goes to @tile+4");
        for rule in ["", "@reduce", "@out", "@tile", "@@tile", "@%v"] {
            assert_eq!(shown(rule, &one), (0, 1), "{rule}");
        }
        for rule in ["@red", "@goes", "@til", "@v", "@%w"] {
            assert_eq!(shown(rule, &one), (1, 0), "{rule}");
        }
    }

    #[test]
    fn a_file_has_a_rule_a_line() {
        let code = some_code().code.0;
        let mut suppressions = Suppressions::default();
        let text = format!("# known\n\n  {code}@reduce  # the halo\n{code}@other\n");
        suppressions.add_text("known.txt", &text).expect("rules");
        assert_eq!(suppressions.apply(vec![finding("reduce", None, "")]).1, 1);
        assert_eq!(suppressions.unused(), [format!("`{code}@other` (known.txt:4) fits no finding")]);
    }

    #[test]
    fn faults_of_a_file_have_their_place() {
        let code = some_code().code.0;
        let text = format!("E0203\n  Q9999 # what\n{code}@ # no name\n{code}@a b\n");
        let faults = Suppressions::default().add_text("known.txt", &text).expect_err("faults");
        let places: Vec<&str> =
            faults.iter().map(|f| f.message.split_once(": ").expect("a place").0).collect();
        assert_eq!(places, ["known.txt:1:1", "known.txt:2:3", "known.txt:3:7", "known.txt:4:7"]);
        assert!(faults[0].message.contains("is not the code of a finding"));
    }

    #[test]
    fn words_of_allow_are_told_apart() {
        assert!(Suppressions::is_about_findings(some_code().code.0));
        assert!(Suppressions::is_about_findings("W0110@f"));
        assert!(!Suppressions::is_about_findings("W0110"));
        assert!(Suppressions::default().allow("W0110@f").is_err());
    }
}
