//! Numbers by which choices are made, the same in every process.

use std::hash::{DefaultHasher, Hash, Hasher as _};

/// A number of a value.
pub(crate) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish() >> 3
}
