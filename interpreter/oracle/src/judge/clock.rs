//! When a search ends.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Whose time limits a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchClock {
    /// That of whoever waits for the answer.
    Wall,
    /// The processor's that runs the thread: the answer does not depend on what else the machine does. By the
    /// wall clock it may take ten times as long.
    Processor,
}

/// How many times its limit a search may take that waits for a processor.
const PATIENCE: u32 = 10;

/// The end of a search's time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    wall: Instant,
    processor: Option<Duration>,
}

impl Deadline {
    /// A search that begins now, on this thread.
    pub fn after(time: Duration, clock: SearchClock) -> Self {
        let now = Instant::now();
        let (wall, processor) = match clock {
            SearchClock::Wall => (time, None),
            SearchClock::Processor => {
                (time.saturating_mul(PATIENCE), Some(processor().saturating_add(time)))
            }
        };
        // A limit that no clock reaches is none; a century is as good.
        let century = Duration::from_secs(100 * 366 * 86_400);
        Self { wall: now.checked_add(wall).unwrap_or(now + century), processor }
    }

    /// Whether its time is over.
    pub fn is_over(&self) -> bool {
        self.processor.is_some_and(|end| processor() >= end) || Instant::now() >= self.wall
    }
}

/// The time that this thread has had of a processor.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or_default());
    seconds + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sleeping takes no processor, as waiting for one does not.
    #[test]
    fn what_waits_for_a_processor_has_its_time_left() {
        let time = Duration::from_millis(40);
        let [wall, own] =
            [SearchClock::Wall, SearchClock::Processor].map(|clock| Deadline::after(time, clock));
        std::thread::sleep(time);
        assert!(wall.is_over());
        assert!(!own.is_over());
        let start = processor();
        while processor() < start + time {}
        assert!(own.is_over());
        let bounded = Deadline::after(Duration::from_millis(1), SearchClock::Processor);
        std::thread::sleep(Duration::from_millis(10));
        assert!(bounded.is_over());
        assert!(!Deadline::after(Duration::MAX, SearchClock::Wall).is_over());
    }
}
