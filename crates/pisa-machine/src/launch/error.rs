//! A launch that does not fit its kernel, in words.

use crate::{LoadError, OutOfMemory, ValueError};
use pisa_diag::{Place, Sources};
use pisa_module::{Function, FunctionKind};
use std::fmt::{self, Write as _};

/// Why a launch, its values or its expectations are refused (exit status 2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchError {
    /// What is wrong in the user's terms, one line.
    pub message: String,
    /// The kernel it concerns: its signature and its declaration.
    pub kernel: Option<(String, Place)>,
    /// The argument or option as the user wrote it.
    pub wrote: Option<String>,
    /// What to do.
    pub help: Option<String>,
}

impl LaunchError {
    /// An error with its message only.
    pub fn new(message: impl Into<String>) -> LaunchError {
        LaunchError { message: message.into(), kernel: None, wrote: None, help: None }
    }
    /// Adds the kernel.
    pub fn kernel(mut self, kernel: &Function) -> LaunchError {
        self.kernel = Some((kernel_signature(kernel), kernel.place));
        self
    }
    /// Adds what the user wrote.
    pub fn wrote(mut self, text: impl Into<String>) -> LaunchError {
        self.wrote = Some(text.into());
        self
    }
    /// Adds what to do.
    pub fn help(mut self, text: impl Into<String>) -> LaunchError {
        self.help = Some(text.into());
        self
    }
    /// The whole text without a leading `error:`: the message, then indented lines. With sources, the kernel's line says
    /// where it stands.
    pub fn text(&self, sources: Option<&Sources>) -> String {
        let mut text = self.message.clone();
        if let Some((signature, place)) = &self.kernel {
            let _ = write!(text, "\n  kernel {signature}");
            if let Some(sources) = sources {
                let file = sources.file(place.file);
                let _ = write!(text, ", {}:{}", file.name, file.line_column(place.span.start).0);
            }
        }
        if let Some(wrote) = &self.wrote {
            let _ = write!(text, "\n  you wrote:  {wrote}");
        }
        if let Some(help) = &self.help {
            let _ = write!(text, "\n  help: {help}");
        }
        text
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(None))
    }
}

impl std::error::Error for LaunchError {}

impl From<ValueError> for LaunchError {
    fn from(error: ValueError) -> LaunchError {
        LaunchError { message: error.message, kernel: None, wrote: None, help: error.help }
    }
}

impl From<OutOfMemory> for LaunchError {
    fn from(error: OutOfMemory) -> LaunchError {
        LaunchError::new(error.to_string())
    }
}

impl From<LoadError> for LaunchError {
    fn from(error: LoadError) -> LaunchError {
        LaunchError::new(error.to_string())
    }
}

/// A kernel's name and parameters as its declaration has them: `@k(.param[8] %x, .param[4] %n)`.
pub fn kernel_signature(kernel: &Function) -> String {
    let mut text = String::new();
    if let FunctionKind::Kernel { required_work_group_size: Some([x, y, z]), .. } = kernel.kind {
        let _ = write!(text, ".reqd_work_group_size({x}, {y}, {z}) ");
    }
    let _ = write!(text, "@{}(", kernel.name);
    for (i, parameter) in kernel.kernel_parameters().iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}.param[{}]", parameter.size);
        if let Some(space) = parameter.space {
            let _ = write!(text, " .addrspace({})", space.qualifier().text().trim_start_matches('.'));
        }
        let _ = write!(text, " %{}", parameter.name);
    }
    text.push(')');
    text
}
