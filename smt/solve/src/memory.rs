//! The limit of memory, and queries that exceed it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use laneproof_outcome::Unknown;
use z3::{Solver, StatisticsValue, set_global_param};

/// Limits the solver's memory, in MiB, for the whole process. A query that exceeds it is unknown.
/// By default there is no limit.
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

/// Runs `ask` within the limit of memory. When it is exceeded, Z3 returns null terms, and its
/// bindings panic.
pub fn within_memory<R>(ask: impl FnOnce() -> R, without: impl FnOnce(Unknown) -> R) -> R {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|panic| match out_of_memory() {
        Some(reason) => without(reason),
        None => resume_unwind(panic),
    })
}

/// The reason, if the limit of memory was ever reached in this process.
fn out_of_memory() -> Option<Unknown> {
    let limit = memory_limit();
    let most = match Solver::new().get_statistics().value("max memory") {
        Some(StatisticsValue::Double(most)) => most,
        _ => 0.0,
    };
    // The allocation that was refused is not counted, and may have been large.
    (limit > 0 && most >= limit as f64 / 2.0).then_some(Unknown::OutOfMemory(limit))
}
