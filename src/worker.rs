//! Work that needs a deep stack, and whose faults must not end the process.

use std::alloc::{Layout, handle_alloc_error};

use laneproof_verify::{STACK, guarded};

use crate::failure::Failure;

/// Does some work on a thread of its own; a panic in it becomes a failure with its message.
pub fn deep<R: Send>(work: impl FnOnce() -> Result<R, Failure> + Send) -> Result<R, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || guarded(work))
            // There is no room for its stack: memory has run out, and ends as it does elsewhere.
            .unwrap_or_else(|_| handle_alloc_error(Layout::new::<[u8; STACK]>()));
        let ended = thread.join().unwrap_or_else(|_| Err("a thread ended".to_owned()));
        ended.map_err(Failure::Fault)?
    })
}

/// Runs some work on `jobs` threads with deep stacks; 0: one per processor.
pub fn on<R: Send>(jobs: usize, work: impl FnOnce() -> R + Send) -> Result<R, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(STACK)
        .build()
        .map_err(|error| Failure::Threads(error.to_string()))?;
    guarded(|| pool.install(work)).map_err(Failure::Fault)
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_says_whose_fault_it_is() {
        let ended: Result<(), Failure> = deep(|| panic!("planted"));
        let Err(failure) = ended else { panic!("no failure") };
        assert!(matches!(failure, Failure::Fault(_)));
        assert!(
            failure.line().starts_with("internal error in laneproof, please report it: planted")
        );
    }
}
