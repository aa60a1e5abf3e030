//! The verdict of one obligation.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::abstraction::Abstraction;
use crate::words::words;

/// The verdict of an obligation, or of all of them together. There will be no other, so matches may
/// list all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Holds in every state.
    Proved,
    /// Holds, but no state meets the source's preconditions.
    Vacuous,
    /// Not decided.
    Unknown,
    /// Fails, in a state that was replayed.
    Refuted,
}

/// One obligation and its verdict.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Obligation {
    /// `SubgroupSize`; `None`: all requested sizes at once.
    pub subgroup_size: Option<u32>,
    /// The number of subgroups of the workgroup, if it is about a whole one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subgroups: Option<u32>,
    /// The verdict.
    pub verdict: Verdict,
    /// The abstraction that decided it; `None` if none did.
    #[serde(rename = "rung", skip_serializing_if = "Option::is_none")]
    pub abstraction: Option<Abstraction>,
    /// Time spent on it, in milliseconds.
    pub milliseconds: f64,
    /// The solver's part of that time, in milliseconds.
    pub solver_milliseconds: f64,
}

words!(Verdict, "proved, refuted, unknown or vacuous",
    "proved" => Proved, "refuted" => Refuted, "unknown" => Unknown, "vacuous" => Vacuous);

/// Builds an obligation with its times.
pub(crate) fn obligation(
    subgroup_size: Option<u32>,
    verdict: Verdict,
    abstraction: Option<Abstraction>,
    started: Instant,
    solver: Duration,
) -> Obligation {
    let milliseconds = |time: Duration| (time.as_secs_f64() * 1e5).round() / 100.0;
    Obligation {
        subgroup_size,
        subgroups: None,
        verdict,
        abstraction,
        milliseconds: milliseconds(started.elapsed()),
        solver_milliseconds: milliseconds(solver),
    }
}
