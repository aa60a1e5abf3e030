//! The reference validator, for the universal environment.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator};

/// What the validator says, and of which instruction (ordinal from 0).
pub(crate) struct Complaint {
    pub(crate) message: String,
    pub(crate) ordinal: Option<usize>,
}

/// Validates for the newest universal environment, which accepts every earlier version under
/// that version's own rules.
pub(crate) fn validate(words: &[u32]) -> Result<(), Complaint> {
    let validator = val::create(Some(TargetEnv::Universal_1_6));
    validator.validate(words, None).map_err(|error| match error.diagnostic {
        Some(found) => {
            let notes = found.notes.trim();
            let message = if notes.is_empty() {
                found.message
            } else {
                format!("{}\n  {notes}", found.message)
            };
            Complaint { message, ordinal: found.index.checked_sub(1) }
        }
        None => Complaint { message: error.inner.to_string(), ordinal: None },
    })
}
