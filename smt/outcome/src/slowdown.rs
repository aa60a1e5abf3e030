//! How busy the machine is: what work takes on the clock, beside what it takes of a processor.

use std::time::Duration;

/// How many times longer than its processor time some work takes on the clock: 1 on a machine that does
/// nothing else, 3 if two other processes want the same processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slowdown {
    /// In hundredths, from 100.
    percent: u32,
}

/// Less is what an idle machine shows.
const NOTICED: u32 = 125;
/// A machine that is busier than this is not waited for.
const MOST: u32 = 2000;

impl Slowdown {
    /// The machine does nothing else.
    pub const NONE: Self = Self { percent: 100 };

    /// Of work that took this long on the clock, and this much of a processor's time.
    pub fn of(clock: Duration, processor: Duration) -> Self {
        let percent = 100 * clock.as_nanos() / processor.as_nanos().max(1);
        let percent = u32::try_from(percent).unwrap_or(u32::MAX).min(MOST);
        if percent < NOTICED { Self::NONE } else { Self { percent } }
    }

    /// What takes this long on an idle machine, on the clock of this one.
    pub fn on_the_clock(self, idle: Duration) -> Duration {
        // Whole seconds are exact; a limit that overflows is no limit.
        idle.checked_mul(self.percent).map_or(Duration::MAX, |it| it / 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_extended_by_what_the_machine_does_beside() {
        let second = Duration::from_secs(1);
        for (clock, extended) in [(0, 10), (1, 10), (3, 30), (19, 190), (1000, 200)] {
            let slowdown = Slowdown::of(second * clock, second);
            assert_eq!(slowdown.on_the_clock(10 * second), extended * second, "{clock}");
            assert_eq!(slowdown == Slowdown::NONE, extended == 10);
        }
        assert_eq!(Slowdown::of(second, Duration::ZERO).on_the_clock(second), 20 * second);
        assert_eq!(Slowdown::of(second * 6 / 5, second), Slowdown::NONE);
        assert_eq!(Slowdown::NONE.on_the_clock(Duration::MAX), Duration::MAX);
    }
}
