//! How a run ends.

use std::collections::BTreeMap;

use laneproof_module::spirv::Op;
use laneproof_module::{Id, Named, Place, Site};

use crate::lane::LaneValue;
use crate::memory::Buffer;
use crate::memory::Image;

/// What every instruction gave, for display: by result `<id>` and lane; `None` where the lane did not
/// execute it.
pub type Trace = BTreeMap<Id, Vec<Option<Gave>>>;

/// What an instruction gave a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gave {
    /// The last time.
    pub value: LaneValue,
    /// How often the lane executed it: in a loop, or by several calls.
    pub times: u32,
}

/// A run that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// What each lane returned; `None`: it did not (it was not active, or was killed).
    pub results: Vec<Option<LaneValue>>,
    /// The lanes that were demoted to helpers.
    pub helpers: u128,
    /// What is left in each parameter that is a pointer, and in each variable that was asked for, by
    /// parameter or variable and lane.
    pub outputs: Vec<Vec<LaneValue>>,
    /// What is left in each of the buffers that the call was given.
    pub buffers: Vec<Buffer>,
    /// What is left in each of its images.
    pub images: Vec<Image>,
    /// The result of each instruction, if requested; of the last call, if several calls run the same
    /// one.
    pub trace: Option<Trace>,
}

/// A requirement that was not met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Accesses to memory conflict, and nothing orders them.
    #[error("lanes race for memory")]
    Race,
    /// Any other, in words.
    #[error("{0}")]
    Other(String),
}

impl<Words: Into<String>> From<Words> for Violation {
    fn from(words: Words) -> Self {
        Self::Other(words.into())
    }
}

/// A run that did not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// Undefined behavior was reached.
    #[error("undefined behavior in {instruction}: {reason} (lanes {lanes:?})")]
    UndefinedBehavior {
        /// Where.
        site: Site,
        /// The instruction's name.
        instruction: String,
        /// The lanes in which it shows; of a whole workgroup, invocations by their index.
        lanes: Vec<u32>,
        /// Which requirement was not met.
        reason: Violation,
    },
    /// `OpAssumeTrueKHR` on a false condition.
    #[error("an assumption is false (lanes {lanes:?})")]
    AssumptionFailed {
        /// Where.
        site: Site,
        /// The lanes in which it is false.
        lanes: Vec<u32>,
    },
    /// The interpreter does not know what this means.
    #[error("{instruction} is not supported: {why}")]
    NotModelled {
        /// The instruction's name.
        instruction: String,
        /// Its place.
        place: Place,
        /// What about it.
        why: String,
    },
    /// A loop never ends: an iteration began in exactly the state of an earlier one.
    #[error("a loop never ends (lanes {lanes:?})")]
    Endless {
        /// The lanes in the loop.
        lanes: Vec<u32>,
    },
    /// A result that was given in advance ([`crate::Choices::open`]) is not legal.
    #[error("no choice of {} gives the result that is given (lanes {lanes:?})", instruction.name())]
    Illegal {
        /// Where.
        site: Site,
        /// The instruction.
        instruction: Op,
        /// Lanes; at least one has such a result.
        lanes: Vec<u32>,
    },
    /// Whether a result that was given in advance is legal is too much to find out.
    #[error("whether a given result of {} is legal takes too long to find out", instruction.name())]
    Undecided {
        /// Where.
        site: Site,
        /// The instruction.
        instruction: Op,
    },
    /// More instructions than allowed would have been needed.
    #[error("the limit of steps was reached")]
    StepLimit,
    /// The deadline was over.
    #[error("timed out (`--timeout`)")]
    TimeLimit,
    /// More scalars would have been held than allowed.
    #[error("the limit of values in memory was reached")]
    MemoryLimit,
    /// The call itself makes no sense: sizes, active set, function or arguments.
    #[error("{reason}")]
    BadCall {
        /// What is wrong with it.
        reason: String,
    },
}

impl Stop {
    /// The same with indices of invocations for lanes of several subgroups: `starts` has the index of
    /// each one's first lane.
    pub(crate) fn by_invocation(mut self, starts: &[u32]) -> Self {
        let (site, lanes) = match &mut self {
            Self::UndefinedBehavior { site, lanes, .. }
            | Self::AssumptionFailed { site, lanes }
            | Self::Illegal { site, lanes, .. } => (site, lanes),
            _ => return self,
        };
        // A site names the subgroup where there are several; one past the last is the workgroup.
        let group = site.path.first().filter(|_| starts.len() > 1);
        let start = group.and_then(|group| starts.get(*group as usize)).copied().unwrap_or(0);
        lanes.iter_mut().for_each(|lane| *lane += start);
        self
    }
}
