//! The oracle: does the semantics allow an observation?
//!
//! A few choices are enumerated. With many, a run that tracks choices
//! ([`laneproof_interpreter::RunOptions::follow`]) finds which scalars are equal under all choices,
//! and which are the open result of some instruction; each such instruction then judges the observed value. The
//! answer is "not allowed" only if all choices are covered.

mod blind;
mod clock;
mod direct;
mod follow;
mod guide;
mod search;

use std::time::Duration;

pub use blind::Blind;
pub use clock::SearchClock;
use laneproof_interpreter::{Choices, Stop, Violation};
use laneproof_module::spirv::Op;
use laneproof_module::{Named, Place};
use laneproof_semantics::Scalar;

/// A scalar that was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its type.
    pub scalar: Scalar,
    /// Its bits; `None` where the observer says that it is undefined.
    pub observed: Option<u64>,
}

/// The observed function, run under some choices: the bits of each cell, `None` if a cell is
/// undefined or its lane returned nothing. The first argument requests a run that tracks choices.
pub type ObservedRun<'a> = &'a dyn Fn(bool, &mut dyn Choices) -> Result<Vec<Option<u64>>, Stop>;

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The number of runs.
    pub runs: u64,
    /// So long.
    pub time: Duration,
    /// Whose time that is.
    pub clock: SearchClock,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OracleVerdict {
    /// Some choice gives it.
    Allowed,
    /// Some choice ends like this, in undefined behavior or a false assumption: then everything
    /// is allowed.
    Behavior(Stop),
    /// No choice gives it.
    NotAllowed {
        /// What no choice explains.
        offences: Vec<Offence>,
        /// Each of them is explained by some choice, all of them together by none.
        jointly: bool,
    },
    /// It is not known.
    Undecided {
        /// Why.
        reason: String,
        /// What the nearest of the runs that were tried does not give.
        offences: Vec<Offence>,
    },
    /// The runs cannot be started.
    BadCall(String),
}

/// A scalar that is not explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offence {
    /// The cell.
    pub cell: usize,
    /// What it can be instead.
    pub possible: Possible,
}

/// What a scalar can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// One of these.
    Values(Vec<u64>),
    /// Some NaN.
    Nan,
    /// The result of some order of this reduction, at this word.
    Order(Op, u32),
    /// What the environment's bounds allow this instruction.
    Bounded(Op, u32),
    /// What lanes find that update memory at this instruction.
    SerializationOrder(Op, u32),
    /// The same as another cell.
    SameAs(usize),
}

/// Judges what was observed of a program in which runs do not see `blind`. Runs are to watch
/// `races` and `fences` ([`laneproof_interpreter::RunOptions`]).
pub fn judge(
    cells: &[Cell],
    subject: ObservedRun<'_>,
    blind: Blind,
    limits: SearchLimits,
) -> OracleVerdict {
    let run = |follow: bool, choices: &mut dyn Choices| {
        if follow && blind.aliases {
            return Err(not_supported(Op::Variable, "two variables stand for one buffer"));
        }
        if follow && blind.precision {
            return Err(not_supported(Op::Decorate, RELAXED));
        }
        subject(follow, choices)
    };
    let verdict = search::Search::new(cells, &run, limits).decide();
    match verdict {
        OracleVerdict::Behavior(Stop::UndefinedBehavior { reason, lanes, .. })
            if blind.ordering && reason == Violation::Race =>
        {
            let reason =
                format!("lanes {lanes:?} race, unless memory barriers or atomics order them");
            OracleVerdict::Undecided { reason, offences: Vec::new() }
        }
        OracleVerdict::NotAllowed { offences, .. } if blind.images => {
            let reason = "whether lanes race for images is not known".to_owned();
            OracleVerdict::Undecided { reason, offences }
        }
        OracleVerdict::NotAllowed { offences, .. } if blind.precision => {
            OracleVerdict::Undecided { reason: RELAXED.to_owned(), offences }
        }
        OracleVerdict::Behavior(_) if blind.precision => {
            OracleVerdict::Undecided { reason: RELAXED.to_owned(), offences: Vec::new() }
        }
        verdict => verdict,
    }
}

/// What is not known of a program in which it stands.
const RELAXED: &str = "`RelaxedPrecision` of integers and of memory is not supported";

/// The stop for something that runs which track choices do not know.
fn not_supported(instruction: Op, why: &str) -> Stop {
    Stop::NotModelled {
        instruction: instruction.name().to_owned(),
        place: Place::default(),
        why: why.to_owned(),
    }
}

/// An undefined value may be anything; a defined one is what it is.
fn fits(cell: &Cell, given: Option<u64>) -> bool {
    given.is_none() || given == cell.observed
}
