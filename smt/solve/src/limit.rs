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
    /// So long. What is answered in it depends on the machine and on what else it does.
    Time(Duration),
    /// So many of Z3's own units of work: what is answered is the same on every machine.
    Work(u32),
    /// So many units of work, and so long where that comes first: on a machine that is not much
    /// slower than most, what is answered is the same.
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
    /// What is stated by then may be asked.
    pub fn until(self, started: Instant) -> Instant {
        started + self.time()
    }

    /// The time that is waited for an answer.
    pub fn time(self) -> Duration {
        match self {
            Self::Time(time) | Self::Either { time, .. } => time.max(MOMENT),
            Self::Work(_) => WORKING,
        }
    }

    /// The units that it may work.
    pub fn units(self) -> Option<u32> {
        match self {
            Self::Time(_) => None,
            Self::Work(units) | Self::Either { units, .. } => Some(units),
        }
    }

    /// What is left of it: of time what did not pass since it was `started`.
    pub fn after(self, started: Instant) -> Self {
        let left = |time: Duration| time.saturating_sub(started.elapsed()).max(MOMENT);
        match self {
            Self::Time(time) => Self::Time(left(time)),
            Self::Work(_) => self,
            Self::Either { time, units } => Self::Either { time: left(time), units },
        }
    }

    /// One of so many equal parts.
    pub fn part(self, parts: u32) -> Self {
        let part = |units: u32| (units / parts).max(1);
        match self {
            Self::Time(time) => Self::Time(time / parts),
            Self::Work(units) => Self::Work(part(units)),
            Self::Either { time, units } => Self::Either { time: time / parts, units: part(units) },
        }
    }

    /// The solver's parameters. Time is not among them: Z3's own timer looks only now and then, and
    /// has been seen to wait for itself for ever.
    pub fn params(self) -> Params {
        let mut params = Params::new();
        // Whose process it is decides what an interrupt from the keyboard does.
        params.set_bool("ctrl_c", false);
        if let Some(units) = self.units() {
            params.set_u32("rlimit", units);
        }
        params
    }
}
