//! A part of the work, so that several machines share it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Part I of N, counted from 1: every N-th entry, so that no part gets one folder's hard ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

/// What is no shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a shard I/N with 1 <= I <= N, found `{0}`")]
pub struct ShardError(String);

impl Shard {
    /// The whole.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Every entry is of this part.
    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// The entry with this index, counted from 0, is of this part.
    pub fn holds(self, index: u64) -> bool {
        index % self.count as u64 == self.index as u64 - 1
    }

    /// The entries of this part, in their order.
    pub fn of<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter().skip(self.index - 1).step_by(self.count).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            Some((index.trim().parse().ok()?, count.trim().parse().ok()?))
        });
        match parts {
            Some((index, count)) if 1 <= index && index <= count => Ok(Self { index, count }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}
