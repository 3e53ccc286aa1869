//! `//! launch` and the `//! expect` lines below it.

use pisa_machine::{Argument, Expectation, Extent, LaunchSpec, Schedule, ScheduleChoice, UnknownSchedule};
use pisa_sanitize::Options;
use std::ops::Range;

/// A launch and what is expected of it.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    /// Its line.
    pub line: u32,
    /// As it is written.
    pub wrote: String,
    /// The launch. Values whose names are no parameter's become buffers once the kernel is known.
    pub spec: LaunchSpec,
    /// What buffers hold afterwards.
    pub expectations: Vec<Expected>,
    /// The line and code of the stop that ends it.
    pub stop: Option<(u32, String)>,
    /// The line of `expect refused`, and what the message contains.
    pub refused: Option<(u32, String)>,
    /// What the sanitizer looks for, where the launch runs under it; with the words.
    pub sanitize: Option<(Options, String)>,
    /// Whether it is compared under all schedules; the sanitizer does not run then.
    pub all_schedules: bool,
    /// The line of `expect silent`.
    pub silent: Option<u32>,
}

/// `//! expect NAME = VALUE`.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    /// Its line.
    pub line: u32,
    /// Where its VALUE stands in that line, tolerance left out.
    pub value: Range<usize>,
    /// What is expected.
    pub expectation: Expectation,
}

impl Launch {
    /// Reads what stands after `launch`.
    pub fn parse(line: u32, text: &str) -> Result<Launch, String> {
        let mut words = text.split_whitespace();
        let kernel = words.next().filter(|word| !word.starts_with('-') && !word.contains('='));
        let kernel = kernel.ok_or("`launch` is followed by the name of a kernel")?;
        let mut global = None;
        let mut sanitize = None;
        let (mut schedule, mut seed) = (ScheduleChoice::Lexical, None);
        let mut spec = LaunchSpec::new(Extent { dimensions: 1, numbers: [1, 1, 1] });
        spec.kernel = Some(kernel.to_owned());
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                spec.arguments.push(Argument::parse_named(word).map_err(|e| e.to_string())?);
                continue;
            }
            let value = words.next().ok_or_else(|| format!("`{word}` is followed by a value"))?;
            let extent = || Extent::parse(word, value).map_err(|e| e.to_string());
            match word {
                "-g" | "--global" => global = Some(extent()?),
                "-l" | "--local" => spec.local = Some(extent()?),
                "--offset" => spec.offset = Some(extent()?),
                "-a" | "--argument" => {
                    spec.arguments.push(Argument::parse_positional(value).map_err(|e| e.to_string())?);
                }
                "--san" => {
                    sanitize = Some((Options::parse(value).map_err(|e| e.to_string())?, value.to_owned()));
                }
                "--schedule" => {
                    schedule = value.parse().map_err(|e: UnknownSchedule| e.to_string())?;
                }
                "--seed" => {
                    seed = Some(value.parse().map_err(|_| format!("`{value}` is not a seed"))?);
                }
                "--fuel" => {
                    let fuel = value.parse().map_err(|_| format!("`{value}` is not an amount of fuel"))?;
                    spec.fuel = fuel;
                }
                _ => {
                    return Err(format!(
                        "`launch` has no option `{word}`; there are `-g`, `-l`, `--offset`, `-a`, `--fuel`, \
                         `--schedule`, `--seed` and `--san`"
                    ));
                }
            }
        }
        spec.global = global.ok_or("`launch` needs `-g X[,Y[,Z]]`, the global size")?;
        spec.schedule = match (schedule.with_seed(seed.unwrap_or(0)), seed) {
            (Some(schedule @ Schedule::Independent(_)), _) | (Some(schedule), None) => schedule,
            (Some(schedule), Some(_)) => return Err(format!("`{schedule}` has no seed")),
            (None, None) if sanitize.is_none() => Schedule::Lexical,
            (None, _) => return Err("`--schedule all` goes without `--seed` and `--san`".to_owned()),
        };
        let wrote = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (expectations, stop, refused, silent) = (Vec::new(), None, None, None);
        let all_schedules = schedule == ScheduleChoice::All;
        Ok(Launch { line, wrote, spec, expectations, stop, refused, sanitize, all_schedules, silent })
    }

    /// Whether it can fail.
    pub fn asserts(&self) -> bool {
        !self.expectations.is_empty() || self.stop.is_some() || self.refused.is_some() || self.finds()
    }

    /// Whether it may come to findings.
    pub fn finds(&self) -> bool {
        self.sanitize.is_some() || self.all_schedules
    }

    /// Reads what stands after `expect`; `at` is where that is in its line.
    pub fn expect(&mut self, line: u32, text: &str, at: usize) -> Result<(), String> {
        let trimmed = text.trim();
        if let Some(code) = trimmed.strip_prefix("stopped[") {
            let code = code.strip_suffix(']').ok_or("a stop is written `stopped[CODE]`")?;
            if self.stop.replace((line, code.to_owned())).is_some() {
                return Err("a launch stops once".to_owned());
            }
            return Ok(());
        }
        if trimmed == "silent" {
            self.silent = Some(line);
            return Ok(());
        }
        if let Some(message) = trimmed.strip_prefix("refused") {
            let message = message.trim();
            let quoted = message.strip_prefix('"').and_then(|m| m.strip_suffix('"'));
            let quoted = quoted.filter(|m| !m.is_empty()).ok_or("a refusal is written `refused \"text\"`")?;
            self.refused = Some((line, quoted.to_owned()));
            return Ok(());
        }
        let (name, value) = text.split_once('=').ok_or("an expectation is written `NAME = VALUE`")?;
        let wrote = format!("{}={}", name.trim(), value.trim());
        let expectation = Expectation::parse(&wrote).map_err(|e| e.to_string())?;
        let start = at + name.len() + 1 + (value.len() - value.trim_start().len());
        // Only the last `~` can begin a tolerance, and it is one where the expectation has one.
        let value = value.trim();
        let has_tolerance = expectation.tolerance != pisa_machine::Tolerance::Exact;
        let length = value.rfind('~').filter(|_| has_tolerance).unwrap_or(value.len());
        self.expectations.push(Expected { line, value: start..start + length, expectation });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_read() {
        let mut launch = Launch::parse(3, "k -g 64,2 -l 32 --offset 5 in=iota:u32:64 -a u32:7").unwrap();
        assert_eq!(launch.spec.global.numbers, [64, 2, 0]);
        assert_eq!(launch.spec.arguments.len(), 2);
        launch.expect(4, " out = buf:f:1,2~ulp:1", 10).unwrap();
        let expected = &launch.expectations[0];
        assert_eq!(expected.value, 17..26);
        launch.expect(5, " stopped[P0601]", 10).unwrap();
        assert_eq!(launch.stop, Some((5, "P0601".to_owned())));
        launch.expect(6, " refused \"requires 8,1,1\"", 10).unwrap();
        assert_eq!(launch.refused, Some((6, "requires 8,1,1".to_owned())));
        assert!(launch.sanitize.is_none());
        let launch_of = |text: &str| Launch::parse(3, text).unwrap().spec.schedule;
        assert_eq!(launch_of("k -g 64 --schedule ipdom"), Schedule::Ipdom);
        assert_eq!(launch_of("k --seed 7 -g 64 --schedule independent"), Schedule::Independent(7));
        assert_eq!(launch_of("k -g 64"), Schedule::Lexical);
        let mut launch = Launch::parse(3, "k -g 64 --san mem,ub").unwrap();
        let options = Options { memory: true, undefined: true, ..Options::default() };
        assert_eq!(launch.sanitize, Some((options, "mem,ub".to_owned())));
        assert!(launch.asserts());
        launch.expect(4, "silent", 10).unwrap();
        assert_eq!(launch.silent, Some(4));
    }

    #[test]
    fn what_is_no_launch_is_refused() {
        for text in [
            "",
            "-g 1",
            "k",
            "k -g",
            "k -g x",
            "k -g 1 --what 2",
            "k -g 1 n",
            "k -g 1 n=u99:1",
            "k -g 1 --san x",
            "k -g 1 --schedule x",
            "k -g 1 --schedule all --seed 1",
            "k -g 1 --schedule all --san mem",
            "k -g 1 --schedule ipdom --seed 1",
            "k -g 1 --schedule independent --seed x",
        ] {
            assert!(Launch::parse(1, text).is_err(), "{text}");
        }
        let mut launch = Launch::parse(1, "k -g 1").unwrap();
        for text in
            ["out", "= u32:1", "out = x", "stopped[P0601", "refused", "refused \"\"", "out = u32:1~x:1"]
        {
            assert!(launch.expect(2, text, 0).is_err(), "{text}");
        }
    }
}
