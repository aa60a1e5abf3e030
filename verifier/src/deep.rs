//! A deep stack, and a barrier for panics.

use std::thread;

use laneproof_verify::{STACK, guarded};

use crate::error::Error;

/// Does some work on a thread with a deep stack: terms nest as deep as modules do. A panic in it is
/// an internal error, and does not end the caller.
pub fn deep<R: Send>(work: impl FnOnce() -> Result<R, Error> + Send) -> Result<R, Error> {
    thread::scope(|scope| {
        let spawned =
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || guarded(work));
        let thread = spawned.map_err(|error| Error::Thread(error.to_string()))?;
        let ended = thread.join().unwrap_or_else(|_| Err("a thread ended".to_owned()));
        ended.map_err(Error::Internal)?
    })
}
