//! Why an entry could not be put to the prover.

use laneproof_frontends::SourceError;
use laneproof_semantics::SpecificationError;
use laneproof_verify::{ClaimError, VerifyError};
use thiserror::Error;

use crate::second::SecondError;

/// Why an entry could not be put to the prover.
#[derive(Debug, Error)]
pub enum RunError {
    /// Its module does not compile or load.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A specification file that it names is invalid.
    #[error(transparent)]
    Specification(Box<SpecificationError>),
    /// It makes no claim.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// Its claim or its options are invalid.
    #[error("{entry}: {source}")]
    Verify {
        /// The entry's file.
        entry: String,
        /// Why not.
        source: VerifyError,
    },
    /// The second solver cannot be asked.
    #[error(transparent)]
    Second(#[from] SecondError),
    /// Something panicked on it.
    #[error("{entry}: {fault}")]
    Fault {
        /// The entry's file.
        entry: String,
        /// What it said.
        fault: String,
    },
    /// No threads to run on.
    #[error("no threads to run on: {0}")]
    Threads(String),
}
