//! How much the solver may do for an answer.

use std::time::{Duration, Instant};

use z3::Params;

/// The least time that the solver gets.
pub const MOMENT: Duration = Duration::from_millis(2);
/// No question that is limited by work takes longer than this on the slowest machine.
const WORKING: Duration = Duration::from_secs(600);

/// How much the solver may do for an answer.
#[derive(Clone, Copy, Debug)]
pub enum SolverLimit {
    /// A time. The answer depends on the machine and its load.
    Time(Duration),
    /// Z3's own units of work. The answer is the same on every machine.
    Work(u32),
    /// Both; whichever is reached first. The answer is the same on every machine that is not much
    /// slower than most.
    Either {
        /// The outer bound.
        time: Duration,
        /// Z3's own units of work.
        units: u32,
    },
}

impl From<Duration> for SolverLimit {
    fn from(time: Duration) -> Self {
        Self::Time(time)
    }
}

impl SolverLimit {
    /// The deadline for stating the problem.
    pub fn until(self, started: Instant) -> Instant {
        started + self.time()
    }

    /// The longest time to wait for an answer.
    pub fn time(self) -> Duration {
        match self {
            Self::Time(time) | Self::Either { time, .. } => time.max(MOMENT),
            Self::Work(_) => WORKING,
        }
    }

    /// The units of work, if they are limited.
    pub fn units(self) -> Option<u32> {
        match self {
            Self::Time(_) => None,
            Self::Work(units) | Self::Either { units, .. } => Some(units),
        }
    }

    /// What is left of the limit, for work that was `started` then.
    pub fn after(self, started: Instant) -> Self {
        let left = |time: Duration| time.saturating_sub(started.elapsed()).max(MOMENT);
        match self {
            Self::Time(time) => Self::Time(left(time)),
            Self::Work(_) => self,
            Self::Either { time, units } => Self::Either { time: left(time), units },
        }
    }

    /// `1 / parts` of the limit.
    pub fn part(self, parts: u32) -> Self {
        let part = |units: u32| (units / parts).max(1);
        match self {
            Self::Time(time) => Self::Time(time / parts),
            Self::Work(units) => Self::Work(part(units)),
            Self::Either { time, units } => Self::Either { time: time / parts, units: part(units) },
        }
    }

    /// The solver's parameters. Time is not among them: Z3's own timer fires late, and has been
    /// seen to deadlock.
    pub fn params(self) -> Params {
        let mut params = Params::new();
        // The process, not the solver, handles interrupts from the keyboard.
        params.set_bool("ctrl_c", false);
        if let Some(units) = self.units() {
            params.set_u32("rlimit", units);
        }
        params
    }
}
