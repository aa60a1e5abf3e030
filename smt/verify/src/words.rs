//! Enumerations that are read and printed by the words that stand for their values.

use thiserror::Error;

/// A word that names no value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found `{found}`")]
pub struct WordError {
    /// The words that fit.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

/// Implements reading and printing of an enumeration by the words that stand for its values.
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
