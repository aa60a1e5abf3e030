//! Inputs and outputs of a run as JSON documents.
//!
//! One form serves both directions. A value is a number, a Boolean, or a string: `"0x7fc00001"`
//! gives the bits, `"inf"`, `"-inf"` and `"nan"` name what JSON's numbers cannot. A vector, array or
//! structure is a list. `null` is an undefined value; at a lane's place in an output, it is
//! also a lane that returned nothing.

mod entry;
mod function;
mod observed;
mod open;
mod scalar;
mod stop;
mod value;

pub use entry::{read_memory, write_memory};
pub use function::{read_arguments, write_called, write_finished};
pub use observed::{Observation, ObservedList};
pub use open::mark_open;
pub use scalar::{read_scalar, scalar_named, write_scalar};
pub use stop::write_stop;
pub use value::{read_value, write_value};

use serde_json::Value;

/// Why a document cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", if place.is_empty() { String::new() } else { format!("{place}: ") })]
pub struct DocumentError {
    /// Where in the document, as a path of keys and indices; empty for all of it.
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

impl DocumentError {
    fn new(place: &str, reason: impl Into<String>) -> Self {
        Self { place: place.to_owned(), reason: reason.into() }
    }

    /// A type that is not the one of what stands there in the module.
    fn of_type(place: &str, expected: &impl std::fmt::Display, found: &Value) -> Self {
        let found = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
        Self::new(place, format!("expected the type `{expected}`, found `{found}`"))
    }
}

/// Beside a list in what `run` prints: the places at which other values are allowed as well. Where such
/// a document is read it says nothing that counts.
const OPEN: &str = "open";

/// Refuses a member of an object that nothing reads: it would be taken for something that counts.
fn only(object: &Value, known: &[&str], place: &str) -> Result<(), DocumentError> {
    let mut members = object.as_object().into_iter().flatten();
    match members.find(|(key, _)| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some((key, _)) => {
            let reason = format!("unknown key `{key}`; expected `{}`", known.join("`, `"));
            Err(DocumentError::new(place, reason))
        }
    }
}
