//! Work that needs a deep stack, and whose faults must not end the process.

use laneproof_proofs::{STACK, guarded};

use crate::failure::Failure;

/// Does some work on a thread of its own; inner errors are faults of laneproof's, as messages.
pub fn deep<R: Send>(work: impl FnOnce() -> R + Send) -> Result<Result<R, String>, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || guarded(work))
            .map_err(|error| Failure::Threads(error.to_string()))?;
        // What panics is caught inside already.
        Ok(thread.join().unwrap_or_else(|_| Err("a thread ended".to_owned())))
    })
}
