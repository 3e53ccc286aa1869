//! A launch as the words of a command line.

use pisa_machine::LaunchFile;

/// The words behind `pisa`, quoted for a shell; `None` where a command line cannot say it (the size of the buffer for
/// `printf` stands in launch files only).
///
/// A module from standard input is not there a second time.
pub fn command_line(launch: &LaunchFile, more: &[String]) -> Option<String> {
    if launch.printf_size.is_some() || launch.files.iter().any(|file| file == "-") {
        return None;
    }
    let mut words = vec!["run".to_owned()];
    words.extend(launch.files.iter().cloned());
    let options = [
        ("-k", launch.kernel.clone()),
        ("-g", launch.global.map(|extent| extent.to_string())),
        ("-l", launch.local.map(|extent| extent.to_string())),
        ("--offset", launch.offset.map(|extent| extent.to_string())),
        ("--fuel", launch.fuel.map(|fuel| fuel.to_string())),
        ("--schedule", launch.schedule.map(|schedule| schedule.to_string())),
        ("--seed", launch.seed.map(|seed| seed.to_string())),
        ("--san", launch.sanitize.clone()),
    ];
    for (name, value) in options {
        words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
    }
    for argument in launch.arguments.iter().chain(&launch.buffers) {
        match &argument.name {
            Some(name) => words.push(format!("{name}={}", argument.value)),
            None => words.extend(["-a".to_owned(), argument.value.to_string()]),
        }
    }
    words.extend(more.iter().cloned());
    Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
}

/// A word as a POSIX shell takes it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_finding_depends_on_is_said() {
        let launch = LaunchFile {
            files: vec!["k.pisa".to_owned()],
            schedule: Some(pisa_machine::ScheduleChoice::Independent),
            seed: Some(7),
            sanitize: Some("all,barrier=strict".to_owned()),
            ..LaunchFile::default()
        };
        assert_eq!(
            command_line(&launch, &["--seeds".to_owned(), "9".to_owned()]).as_deref(),
            Some("run k.pisa --schedule independent --seed 7 --san all,barrier=strict --seeds 9")
        );
    }

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        assert_eq!(quoted("n=u32:5"), "n=u32:5");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("$x"), "'$x'");
    }
}
