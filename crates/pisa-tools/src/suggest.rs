//! "Did you mean".

/// The candidate that looks most like the word, if one is near enough to be meant.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= limit && distance < candidate.chars().count().max(2))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
