//! The limit of memory, and what is asked beyond it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use laneproof_outcome::Unknown;
use z3::{Solver, StatisticsValue, set_global_param};

/// Lets the solver take so much memory, in MiB, in all of this process: beyond it, it gives up, and
/// what it was asked is unknown. Without this it takes what the system gives.
pub fn limit_memory(mebibytes: u64) {
    MEMORY.store(mebibytes, Ordering::Relaxed);
    set_global_param("memory_max_size", &mebibytes.to_string());
}

/// MiB that the solver may take in this process; 0: no limit.
pub fn memory_limit() -> u64 {
    MEMORY.load(Ordering::Relaxed)
}

/// MiB that the solver may take in this process; 0: no limit.
static MEMORY: AtomicU64 = AtomicU64::new(0);

/// Asks within the limit of memory. Beyond it Z3 makes no more terms, of which its bindings know
/// nothing: they panic.
pub fn within_memory<R>(ask: impl FnOnce() -> R, without: impl FnOnce(Unknown) -> R) -> R {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|panic| match out_of_memory() {
        Some(reason) => without(reason),
        None => resume_unwind(panic),
    })
}

/// That the limit of memory was reached, if it ever was in this process.
fn out_of_memory() -> Option<Unknown> {
    let limit = memory_limit();
    let most = match Solver::new().get_statistics().value("max memory") {
        Some(StatisticsValue::Double(most)) => most,
        _ => 0.0,
    };
    // What was refused is not counted, and may have been large.
    (limit > 0 && most >= limit as f64 / 2.0).then_some(Unknown::OutOfMemory(limit))
}
