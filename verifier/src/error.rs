//! Why there is no report.

use laneproof_frontends::SourceError;
use laneproof_semantics::SpecificationError;
use laneproof_verify::{ClaimError, VerifyError};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A module does not compile, or is not a valid one.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The functions to compare are not there.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The two cannot be compared, or the options do not fit them.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// An additional specification does not parse.
    #[error(transparent)]
    Specification(#[from] Box<SpecificationError>),
    /// No thread could be started.
    #[error("no thread to work on: {0}")]
    Thread(String),
    /// A panic: an internal error of laneproof.
    #[error("{0}")]
    Internal(String),
}
