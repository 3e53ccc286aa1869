//! What a launch says, before it meets its kernel.

use super::{DEFAULT_CALL_DEPTH, DEFAULT_FUEL, LaunchError};
use crate::{Schedule, Value};
use std::fmt;

/// A size or offset in one to three dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Dimensions that are written, 1 to 3.
    pub dimensions: u32,
    /// The numbers; those of dimensions that are not written do not count.
    pub numbers: [u64; 3],
}

impl Extent {
    /// One to three numbers.
    pub fn new(numbers: &[u64]) -> Option<Extent> {
        if !(1..=3).contains(&numbers.len()) {
            return None;
        }
        let mut all = [0; 3];
        all[..numbers.len()].copy_from_slice(numbers);
        Some(Extent { dimensions: numbers.len() as u32, numbers: all })
    }

    /// Reads `X[,Y[,Z]]`; `option` is its name in messages.
    pub fn parse(option: &str, text: &str) -> Result<Extent, LaunchError> {
        let error = |message: String| LaunchError::new(message).wrote(format!("{option} {text}"));
        let numbers = text
            .split(',')
            .map(|part| crate::value::parse_count(part, "a size"))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| {
                error(format!("`{option}`: {}", e.message)).help("sizes are written `X`, `X,Y` or `X,Y,Z`")
            })?;
        Extent::new(&numbers)
            .ok_or_else(|| error(format!("`{option}` has {} dimensions, there are at most 3", numbers.len())))
    }

    /// The numbers, with `rest` in the dimensions that are not written.
    pub fn or(&self, rest: u64) -> [u64; 3] {
        [0, 1, 2].map(|d| if d < self.dimensions as usize { self.numbers[d] } else { rest })
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = &self.numbers[..(self.dimensions as usize).clamp(1, 3)];
        let texts: Vec<String> = used.iter().map(u64::to_string).collect();
        f.write_str(&texts.join(","))
    }
}

/// A named value, or one by its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// A parameter without `%`, or a global variable with `@`; none for `-a`: the next parameter in order.
    pub name: Option<String>,
    /// The value.
    pub value: Value,
    /// As the user wrote it.
    pub wrote: String,
}

impl Argument {
    /// Reads `NAME=VALUE`.
    pub fn parse_named(text: &str) -> Result<Argument, LaunchError> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(LaunchError::new(format!("`{text}` is not an argument"))
                .wrote(text)
                .help("arguments are written `NAME=VALUE`"));
        };
        let name = name.trim().strip_prefix('%').unwrap_or(name.trim());
        if name.is_empty() || name == "@" {
            return Err(LaunchError::new("an argument without a name").wrote(text));
        }
        Argument::new(Some(name), value, text)
    }

    /// Reads the VALUE of `-a VALUE`.
    pub fn parse_positional(text: &str) -> Result<Argument, LaunchError> {
        Argument::new(None, text, format!("-a {text}"))
    }

    fn new(name: Option<&str>, value: &str, wrote: impl Into<String>) -> Result<Argument, LaunchError> {
        let wrote = wrote.into();
        let value = Value::parse(value).map_err(|e| LaunchError::from(e).wrote(&wrote))?;
        Ok(Argument { name: name.map(str::to_owned), value, wrote })
    }
}

/// Everything a launch says: checked against a loaded program by [`LaunchSpec::prepare`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchSpec {
    /// The kernel, with or without its `@`; none: the only one.
    pub kernel: Option<String>,
    /// Global size.
    pub global: Extent,
    /// Work-group size; none: the kernel's, else along x.
    pub local: Option<Extent>,
    /// Global offset; none: 0.
    pub offset: Option<Extent>,
    /// Arguments for parameters, and values for global variables (names with `@`).
    pub arguments: Vec<Argument>,
    /// Buffers that no parameter takes, for `ptr:`.
    pub buffers: Vec<Argument>,
    /// Size in bytes of the buffer for `printf`; none: `%printfbuffer` is 0.
    pub printf_size: Option<u64>,
    /// 32-lane instructions that may be executed.
    pub fuel: u64,
    /// Host threads, at least 1.
    pub threads: usize,
    /// Deepest call stack.
    pub max_call_depth: u32,
    /// Which of the lanes of a sub-group that can run go on.
    pub schedule: Schedule,
}

impl LaunchSpec {
    /// A launch of the only kernel over `global` work-items on one thread, without arguments.
    pub fn new(global: Extent) -> LaunchSpec {
        LaunchSpec {
            kernel: None,
            global,
            local: None,
            offset: None,
            arguments: Vec::new(),
            buffers: Vec::new(),
            printf_size: None,
            fuel: DEFAULT_FUEL,
            threads: 1,
            max_call_depth: DEFAULT_CALL_DEPTH,
            schedule: Schedule::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_read() {
        assert_eq!(Extent::parse("-g", "64"), Ok(Extent { dimensions: 1, numbers: [64, 0, 0] }));
        assert_eq!(Extent::parse("-g", "4, 0x10,2").unwrap().numbers, [4, 16, 2]);
        assert_eq!(Extent::parse("-g", "4,3").unwrap().or(1), [4, 3, 1]);
        assert_eq!(Extent::parse("-g", "4,3").unwrap().to_string(), "4,3");
        for text in ["", "1,", "-1", "1,2,3,4", "x", "1.5", "99999999999999999999"] {
            let error = Extent::parse("-g", text).unwrap_err();
            assert_eq!(error.wrote.unwrap(), format!("-g {text}"));
        }
    }

    #[test]
    fn arguments_are_read() {
        let argument = Argument::parse_named("n=u32:5").unwrap();
        assert_eq!((argument.name.as_deref(), argument.wrote.as_str()), (Some("n"), "n=u32:5"));
        assert_eq!(Argument::parse_named("%n=u32:5").unwrap().name.unwrap(), "n");
        assert_eq!(Argument::parse_named("@G=u32:5").unwrap().name.unwrap(), "@G");
        assert_eq!(Argument::parse_positional("u32:5").unwrap().name, None);
        for text in ["n", "=u32:5", "@=u32:5", "n=", "n=5", ""] {
            assert!(Argument::parse_named(text).is_err(), "{text}");
        }
        assert_eq!(Argument::parse_positional("u33:5").unwrap_err().wrote.unwrap(), "-a u33:5");
    }
}
