//! Enumerations that are parsed and printed by a word for each value.

use thiserror::Error;

/// A word that names no value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found `{found}`")]
#[non_exhaustive]
pub struct WordError {
    /// The valid words.
    pub expected: &'static str,
    /// The word that was found.
    pub found: String,
}

/// Implements parsing and printing of an enumeration by a word for each value.
macro_rules! words {
    ($type:ident, $expected:literal, $($word:literal => $variant:ident),+) => {
        impl std::str::FromStr for $type {
            type Err = $crate::WordError;

            fn from_str(word: &str) -> Result<Self, $crate::WordError> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::WordError { expected: $expected, found: word.to_owned() }),
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self { $(Self::$variant => $word,)+ })
            }
        }
    };
}

pub(crate) use words;
