//! The long texts of the codes.

use crate::Failure;
use pisa_diag::{CODES, CodeInfo, Kind, codes};

/// The entry of a code, written in either case.
///
/// # Errors
/// For an unknown code.
pub fn explain(code: &str) -> Result<&'static CodeInfo, Failure> {
    codes::find(code).map_err(|nearest| {
        let failure = Failure::usage(format!("there is no code `{code}`"));
        match nearest {
            Some(entry) => failure.help(format!("did you mean `{}` ({})?", entry.code.0, entry.title)),
            None => failure.help("`pisa explain` without a code lists them all"),
        }
    })
}

/// All codes with their titles, one a line.
pub fn list() -> String {
    let line = |entry: &CodeInfo| {
        let kind = match entry.kind {
            Kind::Error => "error",
            Kind::Departure => "departure",
            Kind::Lint => "lint",
            Kind::Stop => "stop",
            Kind::Finding => "finding",
        };
        format!("{}  {kind:9}  {}\n", entry.code.0, entry.title)
    };
    CODES.iter().map(line).collect()
}

/// An example out of a long text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Whether it stands under `Wrong`, and shows the code.
    pub wrong: bool,
    /// Its files; more than one where several are linked.
    pub files: Vec<String>,
    /// How it is launched, words separated by blanks; empty where it is only checked.
    pub launch: String,
    /// Whether it only shows the idea: too large to stand in the text, or not to be had.
    pub is_sketch: bool,
    /// Whether its files are texts of the IR, which are neither checked nor launched as they are.
    pub is_ir: bool,
}

/// The examples of a long text, those of one heading together.
pub fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut block: Option<String> = None;
    let mut heading = false;
    for line in text.lines() {
        if let Some(body) = &mut block {
            if line == "```" {
                if let (Some(example), Some(body)) = (found.last_mut(), block.take()) {
                    example.files.push(body);
                }
            } else {
                body.push_str(line);
                body.push('\n');
            }
        } else if line == "## Wrong" || line == "## Right" {
            heading = true;
            found.push(Example {
                wrong: line == "## Wrong",
                files: Vec::new(),
                launch: String::new(),
                is_sketch: false,
                is_ir: false,
            });
        } else if line == "```ir" {
            if let Some(example) = found.last_mut().filter(|_| heading) {
                example.is_ir = true;
                block = Some(String::new());
            }
        } else if let Some(launch) = line.strip_prefix("```pisa") {
            if !heading {
                continue;
            }
            if let Some(example) = found.last_mut() {
                match launch.trim() {
                    "not-run" => example.is_sketch = true,
                    launch => example.launch = launch.to_owned(),
                }
                block = Some(String::new());
            }
        }
    }
    found
}
