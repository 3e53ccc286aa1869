//! From a launch to TOML.

use super::LaunchFile;
use crate::{Argument, Extent};
use std::fmt::Write as _;

impl LaunchFile {
    /// The text of a launch file that says the same.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(text, "{key} = {value}");
        };
        if !self.files.is_empty() {
            line("files", list(self.files.iter().map(String::as_str)));
        }
        if let Some(kernel) = &self.kernel {
            line("kernel", quoted(kernel));
        }
        for (key, extent) in [("global", &self.global), ("local", &self.local), ("offset", &self.offset)] {
            if let Some(extent) = extent {
                line(key, sizes(extent));
            }
        }
        if let Some(size) = self.printf_size {
            line("printf", size.to_string());
        }
        if let Some(fuel) = self.fuel {
            line("fuel", fuel.to_string());
        }
        if let Some(schedule) = self.schedule {
            line("schedule", quoted(schedule.name()));
        }
        if let Some(seed) = self.seed {
            line("seed", seed.to_string());
        }
        if let Some(words) = &self.sanitize {
            line("san", quoted(words));
        }
        if !self.print.is_empty() {
            let requests: Vec<String> = self.print.iter().map(ToString::to_string).collect();
            line("print", list(requests.iter().map(String::as_str)));
        }
        let is_global = |a: &&Argument| a.name.as_deref().is_some_and(|name| name.starts_with('@'));
        let arguments: Vec<&Argument> = self.arguments.iter().filter(|a| !is_global(a)).collect();
        if arguments.iter().any(|a| a.name.is_none()) {
            // A list has no names; such a launch names none or fails anyway.
            let values: Vec<String> = arguments.iter().map(|a| a.value.to_string()).collect();
            line("args", list(values.iter().map(String::as_str)));
        } else {
            table(&mut text, "args", arguments.into_iter().map(entry));
        }
        table(&mut text, "globals", self.arguments.iter().filter(is_global).map(entry));
        table(&mut text, "buffers", self.buffers.iter().map(entry));
        table(&mut text, "save", self.save.iter().map(|(name, target)| (name.clone(), target.to_string())));
        table(
            &mut text,
            "expect",
            self.expect.iter().map(|e| {
                let whole = e.to_string();
                (e.name.clone(), whole.split_once('=').map_or(String::new(), |(_, value)| value.to_owned()))
            }),
        );
        text
    }
}

fn entry(argument: &Argument) -> (String, String) {
    (argument.name.clone().unwrap_or_default(), argument.value.to_string())
}

fn table(text: &mut String, name: &str, entries: impl Iterator<Item = (String, String)>) {
    for (i, (key, value)) in entries.enumerate() {
        if i == 0 {
            let blank = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{blank}[{name}]");
        }
        let is_bare =
            !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        let key = if is_bare { key } else { quoted(&key) };
        let _ = writeln!(text, "{key} = {}", quoted(&value));
    }
}

fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.map(quoted).collect::<Vec<_>>().join(", "))
}

fn sizes(extent: &Extent) -> String {
    format!("[{}]", extent.to_string().replace(',', ", "))
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
