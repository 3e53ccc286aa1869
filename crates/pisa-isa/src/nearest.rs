//! "Did you mean": the candidate closest to a misspelt word.

/// Longer words are not compared; nothing in the language comes near that length.
const MAX_LENGTH: usize = 48;

/// The candidate that a misspelt `text` most likely means, the first of equally close ones.
///
/// Close means a third of the letters wrong at most (at least one is always allowed); swapped neighbours count as one
/// error, and a word that differs only in case is closest of all.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if text.is_empty() || text.len() > MAX_LENGTH {
        return None;
    }
    let limit = (text.trim_start_matches('.').len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        // The distance is at least the difference of the lengths.
        if candidate.len().abs_diff(text.len()) > limit {
            continue;
        }
        let distance =
            if candidate.eq_ignore_ascii_case(text) { 0 } else { edit_distance(text, candidate).max(1) };
        // A word that shares no letter is no suggestion, however short it is.
        let letters = candidate.trim_start_matches('.').len().max(text.trim_start_matches('.').len());
        if distance <= limit && distance < letters && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters have to be inserted, removed, replaced or swapped with their neighbour to get from `a` to `b`
/// (bytes, as all words of the language are ASCII). Words longer than 48 bytes give `usize::MAX`.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() > MAX_LENGTH || b.len() > MAX_LENGTH {
        return usize::MAX;
    }
    // Three rows of the usual matrix: the one before last is needed for swaps.
    let mut before_last = [0; MAX_LENGTH + 1];
    let mut last = [0; MAX_LENGTH + 1];
    let mut row = [0; MAX_LENGTH + 1];
    for (j, cell) in last.iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(edit_distance("", ""), 0);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("iadd", "iadd"), 0);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("iadd", "aidd"), 1);
        assert_eq!(edit_distance("shfl", "shf"), 1);
        assert_eq!(edit_distance(&"a".repeat(49), "a"), usize::MAX);
    }

    #[test]
    fn suggestions() {
        let words = ["iadd", "isub", "ld.param", "barrier.workgroup"];
        assert_eq!(nearest("iad", words), Some("iadd"));
        assert_eq!(nearest("IADD", words), Some("iadd"));
        assert_eq!(nearest("barier.workgruop", words), Some("barrier.workgroup"));
        assert_eq!(nearest("zzzz", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
