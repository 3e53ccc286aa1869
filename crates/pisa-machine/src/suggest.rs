//! "Did you mean …?"

/// The candidate that is most like `word`, where one is like it at all.
pub(crate) fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Names as a list in the text of a message; long lists are cut.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    match names.len() {
        0..=SHOWN => names.join(", "),
        all => format!("{} and {} more", names[..SHOWN].join(", "), all - SHOWN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_found() {
        assert_eq!(suggestion("softmx", ["scan", "softmax"]), Some("softmax"));
        assert_eq!(suggestion("ouput", ["in", "output"]), Some("output"));
        assert_eq!(suggestion("a", ["b"]), None);
        assert_eq!(suggestion("histogram", ["scan"]), None);
    }

    #[test]
    fn lists_are_cut() {
        assert_eq!(list(["a", "b"]), "`a`, `b`");
        let many: Vec<String> = (0..14).map(|i| i.to_string()).collect();
        assert!(list(many.iter().map(String::as_str)).ends_with("`11` and 2 more"));
    }
}
