//! Launch files: everything a launch needs, in TOML. docs/launch-files.md describes the format.

mod paths;
mod read;
mod write;

use crate::{
    Argument, DEFAULT_CALL_DEPTH, DEFAULT_FUEL, Expectation, Extent, FileLoader, LaunchError, LaunchSpec,
    PrintRequest, SaveTarget, ScheduleChoice, Value,
};
use std::path::Path;

/// What a launch file, a command line, or both together say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LaunchFile {
    /// The modules, where the file names them.
    pub files: Vec<String>,
    /// The kernel.
    pub kernel: Option<String>,
    /// Global size.
    pub global: Option<Extent>,
    /// Work-group size.
    pub local: Option<Extent>,
    /// Global offset.
    pub offset: Option<Extent>,
    /// Arguments, and values for global variables (names with `@`).
    pub arguments: Vec<Argument>,
    /// Buffers that no parameter takes.
    pub buffers: Vec<Argument>,
    /// Buffers to save, and where.
    pub save: Vec<(String, SaveTarget)>,
    /// Buffers to print.
    pub print: Vec<PrintRequest>,
    /// What buffers should hold.
    pub expect: Vec<Expectation>,
    /// Size of the buffer for `printf`.
    pub printf_size: Option<u64>,
    /// 32-lane instructions that may be executed.
    pub fuel: Option<u64>,
    /// Which of the lanes of a sub-group that can run go on.
    pub schedule: Option<ScheduleChoice>,
    /// The seed of [`Schedule::Independent`](crate::Schedule::Independent), the first one where all are compared.
    pub seed: Option<u64>,
    /// What a sanitizer shall look for: words with commas between them, as `--san` takes them.
    pub sanitize: Option<String>,
}

/// Most bytes of a launch file.
const MAX_SIZE: u64 = 64 << 20;

impl LaunchFile {
    /// Reads a launch file. Its relative paths, which start at the file's directory, become relative to the current one.
    pub fn load(path: &str) -> Result<LaunchFile, LaunchError> {
        let bytes = crate::Directory::default().load(path, MAX_SIZE)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| LaunchError::new(format!("`{path}` is no launch file: it is not UTF-8 text")))?;
        let mut file = LaunchFile::parse(&text, path)?;
        let directory = Path::new(path).parent().unwrap_or(Path::new(""));
        file.map_paths(&|p| paths::join(directory, p));
        Ok(file)
    }

    /// Writes a launch file; relative paths, which start at the current directory, become relative to the file's.
    pub fn save(&self, path: &str) -> Result<(), LaunchError> {
        let mut file = self.clone();
        let directory = Path::new(path).parent().unwrap_or(Path::new(""));
        file.map_paths(&|p| paths::relative_to(directory, p));
        std::fs::write(path, file.to_toml())
            .map_err(|e| LaunchError::new(format!("cannot write `{path}`: {}", crate::files::reason(&e))))
    }

    /// Adds what `other`, a command line, says: it wins where both name the kernel, a size, or an argument.
    pub fn merge(&mut self, other: LaunchFile) {
        if !other.files.is_empty() {
            self.files = other.files;
        }
        self.kernel = other.kernel.or(self.kernel.take());
        self.global = other.global.or(self.global);
        self.local = other.local.or(self.local);
        self.offset = other.offset.or(self.offset);
        self.printf_size = other.printf_size.or(self.printf_size);
        self.fuel = other.fuel.or(self.fuel);
        self.schedule = other.schedule.or(self.schedule);
        self.seed = other.seed.or(self.seed);
        self.sanitize = other.sanitize.or(self.sanitize.take());
        self.arguments.retain(|a| a.name.is_none() || other.arguments.iter().all(|b| b.name != a.name));
        self.buffers.retain(|a| other.buffers.iter().all(|b| b.name != a.name));
        self.arguments.extend(other.arguments);
        self.buffers.extend(other.buffers);
        self.save.extend(other.save);
        self.print.extend(other.print);
        self.expect.extend(other.expect);
    }

    /// The launch, on one thread; where all schedules are to be compared, under the lexical one.
    pub fn spec(&self) -> Result<LaunchSpec, LaunchError> {
        let Some(global) = self.global else {
            return Err(LaunchError::new("the launch has no global size")
                .help("give it with `-g X[,Y[,Z]]`, or as `global` in the launch file"));
        };
        Ok(LaunchSpec {
            kernel: self.kernel.clone(),
            local: self.local,
            offset: self.offset,
            arguments: self.arguments.clone(),
            buffers: self.buffers.clone(),
            printf_size: self.printf_size,
            fuel: self.fuel.unwrap_or(DEFAULT_FUEL),
            max_call_depth: DEFAULT_CALL_DEPTH,
            schedule: self
                .schedule
                .and_then(|choice| choice.with_seed(self.seed.unwrap_or(0)))
                .unwrap_or_default(),
            ..LaunchSpec::new(global)
        })
    }

    fn map_paths(&mut self, map: &dyn Fn(&str) -> String) {
        let value = |value: &mut Value| {
            if let Value::File { path, .. } = value {
                *path = map(path);
            }
        };
        self.files.iter_mut().for_each(|path| *path = map(path));
        self.arguments.iter_mut().chain(&mut self.buffers).for_each(|a| value(&mut a.value));
        self.expect.iter_mut().for_each(|e| value(&mut e.value));
        self.save.iter_mut().for_each(|(_, target)| target.path = map(&target.path));
    }
}

#[cfg(test)]
mod tests;
