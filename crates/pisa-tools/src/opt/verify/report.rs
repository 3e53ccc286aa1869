//! A difference as it is shown.

use super::{Differs, Launching, Pair, run};
use crate::run::{command_line, quoted};
use crate::{Failure, Status};
use pisa_machine::{LaunchFile, ScheduleChoice};
use pisa_module::Function;
use pisa_reference::ReferenceEngine;
use pisa_sanitize::LastWriter;

/// A function that does something else after optimisation.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The function, with its `@`.
    pub function: String,
    /// A small launch that shows it.
    pub launching: Launching,
    /// The schedule it was seen under.
    pub schedule: ScheduleChoice,
    /// Where memory differs; `None` where the optimised module does not come to its end.
    pub place: Option<Place>,
    /// How the optimised module is stopped.
    pub stop: Option<String>,
}

/// The first word that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The buffer or variable.
    pub object: String,
    /// The first byte of the word.
    pub byte: usize,
    /// The word before and after.
    pub values: (u32, u32),
    /// Who wrote it last, before optimisation; if nobody did, after it.
    pub writer: Option<LastWriter>,
}

pub(super) fn difference(
    pair: &Pair<'_>,
    function: &Function,
    launching: Launching,
    differs: Differs,
) -> Difference {
    let name = format!("@{}", function.name);
    match differs {
        Differs::Stops { schedule, reason } => {
            Difference { function: name, launching, schedule, place: None, stop: Some(reason) }
        }
        Differs::Memory { schedule, object, byte } => {
            let place = place(pair, &launching, schedule, object, byte / 4 * 4);
            Difference { function: name, launching, schedule, place, stop: None }
        }
    }
}

fn place(
    pair: &Pair<'_>,
    launching: &Launching,
    schedule: ScheduleChoice,
    object: usize,
    byte: usize,
) -> Option<Place> {
    const FUEL: u64 = 100_000_000;
    let before = run(pair, pair.before, launching, schedule, FUEL).ok()?;
    let after = run(pair, pair.after, launching, schedule, FUEL).ok()?;
    let word = |bytes: &[u8]| {
        let mut word = [0; 4];
        for (to, from) in word.iter_mut().zip(bytes.get(byte..).unwrap_or_default()) {
            *to = *from;
        }
        u32::from_le_bytes(word)
    };
    let (name, bytes) = before.objects.get(object)?;
    let values = (word(bytes), word(&after.objects.get(object)?.1));
    let engine = ReferenceEngine::new();
    let writer =
        [&before, &after].into_iter().find_map(|ran| ran.run.last_writer(&engine, object, byte as u64));
    Some(Place { object: name.clone(), byte, values, writer })
}

impl Difference {
    /// The launch as `pisa` takes it, of the module in `file`, with `-O0`.
    pub fn command(&self, file: &str, level: &str) -> Option<String> {
        let launch = LaunchFile {
            files: vec![file.to_owned()],
            schedule: (self.schedule != ScheduleChoice::Lexical).then_some(self.schedule),
            seed: (self.schedule == ScheduleChoice::Independent).then_some(1),
            ..self.launching.launch.clone()
        };
        let mut more = Vec::new();
        if let Some(function) = &self.launching.function {
            more.extend(["-f".to_owned(), quoted(function)]);
        }
        if let Some(active) = self.launching.active {
            more.extend(["--active".to_owned(), format!("{active:#x}")]);
        }
        if let Some(place) = &self.place {
            let word = place.byte / 4;
            more.extend(["--print".to_owned(), format!("{}:u32:{word}..{}", place.object, word + 1)]);
        }
        more.extend((!level.is_empty()).then(|| level.to_owned()));
        command_line(&launch, &more).map(|words| format!("pisa {words}"))
    }

    /// As a failure. `words` ask the optimiser for what it did, `file` has the source.
    pub fn failure(&self, file: &str, words: &str) -> Failure {
        let mut failure = Failure::usage(format!("`{}` does something else after {words}", self.function))
            .with_status(Status::Failed);
        match (&self.place, &self.stop) {
            (Some(place), _) => {
                let (before, after) = place.values;
                failure = failure.detail(format!(
                    "`{}` at byte {}: {before:#010x} before, {after:#010x} after, under {}",
                    place.object, place.byte, self.schedule
                ));
                if let Some(writer) = &place.writer {
                    failure = failure.detail(format!(
                        "written last by lane {} of sub-group {} in work-group {}",
                        writer.lane, writer.subgroup, writer.work_group
                    ));
                }
            }
            (None, Some(stop)) => {
                failure = failure
                    .detail(format!("before it comes to its end, after: {stop}, under {}", self.schedule));
            }
            (None, None) => {}
        }
        if let Some(active) = self.launching.active {
            failure = failure.detail(format!("lanes {active:#010x} of each sub-group call it"));
        }
        let level = if words.starts_with("-O") { words } else { "" };
        if let Some(command) = self.command(file, "-O0") {
            failure = failure.detail(format!("before:  {command}"));
        }
        failure = match self.command(if level.is_empty() { "optimised.pisa" } else { file }, level) {
            Some(command) if level.is_empty() => failure
                .detail(format!("after:   pisa opt {} {words} -o optimised.pisa", quoted(file)))
                .detail(format!("         {command}")),
            Some(command) => failure.detail(format!("after:   {command}")),
            None => failure,
        };
        failure.help("this is a bug of the optimiser, please report it with these lines and the module")
    }
}
