//! Lists of sentence numbers: `1-3, 5`.

use std::collections::BTreeSet;

/// The numbers of a list, each once and rising; of a range that leaves the section the first
/// number outside is the last one given.
pub(super) fn parse(text: &str, sentences: u32) -> Option<BTreeSet<u32>> {
    let mut numbers = BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: u32 = first.trim().parse().ok()?;
        let last: u32 = last.trim().parse().ok()?;
        let rises = first <= last && numbers.last().is_none_or(|before| *before < first);
        if !rises {
            return None;
        }
        numbers.extend(first..=last.min(first.max(sentences.saturating_add(1))));
    }
    Some(numbers)
}
