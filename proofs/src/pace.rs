//! How much of a processor some work gets.

use std::time::{Duration, Instant};

use laneproof_verify::Slowdown;
use rustix::time::{ClockId, clock_gettime};

/// The time that a thread has had of a processor. Solvers run on the thread that asks them.
struct Processor(Duration);

impl Processor {
    fn now() -> Self {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or_default());
        Self(seconds + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or_default()))
    }
}

/// Does some work on this thread: how much longer did it take than it needed of a processor?
pub(crate) fn paced<R>(work: impl FnOnce() -> R) -> (R, Slowdown) {
    let (clock, processor) = (Instant::now(), Processor::now());
    let done = work();
    let processor = Processor::now().0.saturating_sub(processor.0);
    (done, Slowdown::of(clock.elapsed(), processor))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waiting for a processor takes time on the clock alone, and so does sleep.
    #[test]
    fn what_waits_is_slow_and_what_works_is_as_slow_as_the_machine() {
        let ((), waits) = paced(|| std::thread::sleep(Duration::from_millis(100)));
        assert!(waits > Slowdown::NONE);
        let (begun, start) = (Instant::now(), Processor::now());
        let ((), works) =
            paced(|| while Processor::now().0 < start.0 + Duration::from_millis(40) {});
        let most = Slowdown::of(begun.elapsed(), Duration::from_millis(30));
        assert!(works <= most, "{works:?} {most:?}");
    }
}
