//! Names, which are told apart by a number.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// A name in a specification. Equal names have equal numbers, so that nobody who reads clauses
/// again and again compares texts.
#[derive(Clone)]
pub struct Name {
    text: Arc<str>,
    number: u32,
}

/// All names that there ever were: those of the specifications that somebody read.
static NAMES: LazyLock<RwLock<HashMap<Arc<str>, u32>>> = LazyLock::new(RwLock::default);

impl Name {
    /// The name as text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Its number, the same for all names of this text for as long as the process runs.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        // What a thread that panicked left is whole: an entry is made at once.
        let known = NAMES.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((text, &number)) = known.get_key_value(text) {
            return Self { text: Arc::clone(text), number };
        }
        drop(known);
        let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
        let next = names.len() as u32;
        let text: Arc<str> = Arc::from(text);
        let number = *names.entry(Arc::clone(&text)).or_insert(next);
        Self { text, number }
    }
}

impl From<Arc<str>> for Name {
    fn from(text: Arc<str>) -> Self {
        Self::from(&*text)
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Name {}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &*self.text == other
    }
}

/// Alphabetical.
impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_equal_where_their_texts_are() {
        let texts = ["result", "results", "result", "Result", ""];
        for a in texts {
            for b in texts {
                assert_eq!(Name::from(a) == Name::from(Arc::from(b)), a == b, "{a} {b}");
            }
        }
    }
}
