//! A module as text, and its launch.

use pisa_machine::{Extent, LaunchFile, Schedule};

/// A named argument of a launch, its value in the VALUE grammar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The parameter without `%`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A program of one or several modules, and its launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The modules' texts.
    pub modules: Vec<String>,
    /// Global size, one to three numbers.
    pub global: Vec<u64>,
    /// Work-group size, as many.
    pub local: Vec<u64>,
    /// Global offset, as many.
    pub offset: Vec<u64>,
    /// What the parameters get.
    pub arguments: Vec<Argument>,
    /// Under which schedule engines are compared.
    pub schedule: Schedule,
}

/// 32-lane instructions that a case may take; none comes near.
const FUEL: u64 = 20_000_000;

impl Case {
    /// The texts of all modules, one after the other.
    pub fn text(&self) -> String {
        self.modules.join("\n")
    }

    /// Names for the files of the modules: `smith-7.pisa`, or `smith-7-1.pisa` and so on.
    pub fn file_names(&self, stem: &str) -> Vec<String> {
        match self.modules.len() {
            1 => vec![format!("{stem}.pisa")],
            count => (1..=count).map(|number| format!("{stem}-{number}.pisa")).collect(),
        }
    }

    /// The launch, of modules with these paths.
    ///
    /// # Errors
    /// Where a size or value is not one: a message.
    pub fn launch_file(&self, modules: &[String]) -> Result<LaunchFile, String> {
        let extent = |numbers: &[u64]| Extent::new(numbers).ok_or(format!("{numbers:?} is no size"));
        let arguments = self.arguments.iter().map(|a| {
            let text = format!("{}={}", a.name, a.value);
            pisa_machine::Argument::parse_named(&text).map_err(|error| error.text(None))
        });
        Ok(LaunchFile {
            files: modules.to_vec(),
            kernel: Some("k".to_owned()),
            global: Some(extent(&self.global)?),
            local: Some(extent(&self.local)?),
            offset: Some(extent(&self.offset)?),
            arguments: arguments.collect::<Result<_, _>>()?,
            fuel: Some(FUEL),
            schedule: (self.schedule != Schedule::Lexical).then(|| self.schedule.choice()),
            seed: self.schedule.seed(),
            ..LaunchFile::default()
        })
    }
}
