//! Interned names, which are compared without their texts.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// A name in a specification. Each text is kept once, for as long as the process runs, so that
/// equal names have one address and need no comparison of texts.
#[derive(Clone)]
pub struct Name(&'static Arc<str>);

/// All names of all specifications that were read.
static NAMES: LazyLock<RwLock<HashSet<&'static Arc<str>>>> = LazyLock::new(RwLock::default);

impl Name {
    /// The name as text.
    pub fn text(&self) -> &Arc<str> {
        self.0
    }

    /// A number that no other name has.
    pub fn number(&self) -> usize {
        std::ptr::from_ref(self.0) as usize
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        let text: Arc<str> = Arc::from(text);
        // What a thread that panicked left is whole: an entry is made at once.
        let known = NAMES.read().unwrap_or_else(PoisonError::into_inner).get(&text).copied();
        Self(known.unwrap_or_else(|| {
            let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = names.get(&text) {
                return known;
            }
            let kept: &'static Arc<str> = Box::leak(Box::new(text));
            names.insert(kept);
            kept
        }))
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
        self.0
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Name {}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &**self.0 == other
    }
}

/// Alphabetical.
impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(other.0)
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number().hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
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
                let names = [Name::from(a), Name::from(Arc::from(b))];
                assert_eq!(names[0] == names[1], a == b, "{a} {b}");
            }
        }
    }
}
