//! Why there is nothing to verify.

use std::path::PathBuf;

use laneproof_encode::LARGEST;

/// Why there is nothing to verify.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The two functions have different types.
    #[error("source and target disagree in type: {0}")]
    Types(String),
    /// A property returns something else than a Boolean.
    #[error("expected a `property` that returns a Boolean; it returns {0}")]
    Property(String),
    /// There is no such profile.
    #[error("there is no profile `{0}`; expected one of {known}", known = .1.join(", "))]
    Profile(String, Vec<String>),
    /// There is no such reading.
    #[error("there is no reading `{0}`; expected one of {known}", known = .1.join(", "))]
    Reading(String, Vec<String>),
    /// A reading has no such alternative.
    #[error("reading `{0}` cannot be settled as `{1}`; expected one of {known}", known = .2.join(", "))]
    Alternative(String, String, Vec<String>),
    /// A workgroup without subgroups, or with more invocations than are supported.
    #[error("{0} is no number of subgroups: there are 1 to {LARGEST}")]
    Subgroups(u32),
    /// An invariant that is not an expression.
    #[error("cannot parse the invariant `{text}`, column {column}: {reason}")]
    Invariant {
        /// The invariant.
        text: String,
        /// The column, in characters from 1.
        column: usize,
        /// What is wrong.
        reason: String,
    },
    /// An invariant that parses, but has names or types that the loop does not have.
    #[error("the invariant `{text}` is ill-formed: {reason}")]
    IllFormedInvariant {
        /// The invariant.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A query could not be written to its file.
    #[error("{}: cannot be written: {why}", path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// An invariant of the prover is broken. There is no verdict.
    #[error("internal error in laneproof, please report it: {0}")]
    Internal(&'static str),
    /// A claim about no size.
    #[error("no subgroup size is named: name at least one")]
    NoSize,
    /// A size that no subgroup has.
    #[error("{0} is not a subgroup size: sizes are powers of two up to {LARGEST}")]
    Size(u32),
}
