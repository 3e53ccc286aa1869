//! A module as text, and its launch.

use pisa_machine::{Extent, LaunchFile};

/// A named argument of a launch, its value in the VALUE grammar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The parameter without `%`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A module and its launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The module.
    pub text: String,
    /// Global size, one to three numbers.
    pub global: Vec<u64>,
    /// Work-group size, as many.
    pub local: Vec<u64>,
    /// Global offset, as many.
    pub offset: Vec<u64>,
    /// What the parameters get.
    pub arguments: Vec<Argument>,
}

/// 32-lane instructions that a case may take; none comes near.
const FUEL: u64 = 20_000_000;

impl Case {
    /// The launch, of the module with that path.
    ///
    /// # Errors
    /// Where a size or value is not one: a message.
    pub fn launch_file(&self, module: &str) -> Result<LaunchFile, String> {
        let extent = |numbers: &[u64]| Extent::new(numbers).ok_or(format!("{numbers:?} is no size"));
        let arguments = self.arguments.iter().map(|a| {
            let text = format!("{}={}", a.name, a.value);
            pisa_machine::Argument::parse_named(&text).map_err(|error| error.text(None))
        });
        Ok(LaunchFile {
            files: vec![module.to_owned()],
            kernel: Some("k".to_owned()),
            global: Some(extent(&self.global)?),
            local: Some(extent(&self.local)?),
            offset: Some(extent(&self.offset)?),
            arguments: arguments.collect::<Result<_, _>>()?,
            fuel: Some(FUEL),
            ..LaunchFile::default()
        })
    }
}
