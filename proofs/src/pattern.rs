//! Which entries are meant, by name.

/// A pattern of names: with stars it fits whole names, without it fits any part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// A pattern as it was typed.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// Whether a name fits.
    pub fn fits(&self, name: &str) -> bool {
        let mut pieces = self.0.split('*');
        let first = pieces.next().unwrap_or_default();
        let Some(last) = pieces.next_back() else {
            return name.contains(first);
        };
        let Some(middle) = name.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
            return false;
        };
        // The leftmost place of each piece leaves the most room for those after it.
        let mut rest = Some(middle);
        for piece in pieces {
            rest = rest.and_then(|rest| rest.split_once(piece)).map(|(_, after)| after);
        }
        rest.is_some()
    }
}
