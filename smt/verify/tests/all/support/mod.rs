//! What the tests of refinement share: pairs from files, and a judge that knows no solver.
#![allow(dead_code)] // each test uses its own part
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod assemble;
pub mod header;
pub mod judge;
pub mod outcomes;
pub mod pair;
pub mod recipe;
pub mod states;
pub mod waterfalls;

/// Where random pairs begin: 1, or what `LANEPROOF_SEED` says.
pub fn seed() -> u64 {
    std::env::var("LANEPROOF_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1)
}

/// What holds of all cases where `LANEPROOF_WHOLE` is set, and otherwise of a sample.
pub fn by_extent<T>(whole: T, sample: T) -> T {
    if std::env::var_os("LANEPROOF_WHOLE").is_some() { whole } else { sample }
}

/// One case in `stride`, or all of them where `LANEPROOF_WHOLE` is set.
pub fn sampled<T>(cases: Vec<T>, stride: usize) -> Vec<T> {
    cases.into_iter().step_by(by_extent(1, stride)).collect()
}

/// In a thread with the stack that a proof may need: the harness's own threads have little.
pub fn deep(work: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(laneproof_verify::STACK);
    if let Err(panic) = worker.spawn(work).unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}
