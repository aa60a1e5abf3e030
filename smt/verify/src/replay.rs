//! Replay: counterexamples are run in the interpreter, which does not use the clauses.

mod orders;
mod read;
mod run;

use std::time::Instant;

use laneproof_interpreter::{Finished, LaneValue, Stop, Zeros};
use laneproof_lower::{Event, Flat};
use laneproof_module::{Function as ModuleFunction, LaneIndices, Program, WorkgroupPlace};
use laneproof_outcome::{Location, NotReplayed, Unknown, Unsupported};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_solve::Model;

use self::orders::{Explained, Walk, by_any_order};
use crate::counterexample::WorkgroupShape;
use crate::memory_state::{self, MemoryState};
use crate::reconvergence::reconverging;

pub(crate) use self::read::{Recorded, read};
use self::run::run_within;
pub(crate) use self::run::{Mode, STEPS, run, usual};
pub use self::run::{not_followed, readings};

/// The most runs of the source to show that none explains the target.
pub(crate) const SOURCE_RUNS: u64 = 1 << 16;
/// The same where a query has shown it and the choices are too many to run all of them.
const SOME_RUNS: u64 = 1 << 12;

/// Of a state in which a loop takes more iterations than are unrolled, the most instructions of a run: a
/// solver may as well find one with billions of iterations.
const SEVERAL_STEPS: u64 = 1 << 14;

/// What the query was that found a model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Some choice of the source does not explain the target.
    ForSomeChoice,
    /// No choice of the source explains the target.
    ForAllChoices,
    /// A loop takes more iterations than are unrolled.
    MoreIterations,
}

/// How many runs a replay may take, and how long each may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunLimits {
    /// The most runs that are left.
    pub left: u64,
    /// The most instructions of each.
    pub steps: u64,
    /// When the last one may begin.
    pub deadline: Instant,
    /// A query has shown that no choice of the source explains the target; whether the target fails by
    /// the query. Then as many runs as there may be confirm it, else all choices have to be run.
    pub refuted_for_all: Option<bool>,
}

impl RunLimits {
    /// For one replay, or for many that may take together what one may take.
    pub(crate) fn new(deadline: Instant) -> Self {
        Self { left: SOURCE_RUNS, steps: STEPS, deadline, refuted_for_all: None }
    }

    /// For one replay of a model that this query found.
    pub(crate) fn of(query: Found, deadline: Instant) -> Self {
        let steps = if query == Found::MoreIterations { SEVERAL_STEPS } else { STEPS };
        Self { steps, ..Self::new(deadline) }
    }

    /// Takes the runs of this walk from what is left.
    fn took(&mut self, walk: &Walk) {
        self.left = self.left.saturating_sub(walk.runs());
    }
}

/// The initial state of a run.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub size: u32,
    pub max_size: u32,
    pub existing: u32,
    /// Which subgroup of its workgroup it is, if something depends on that.
    pub place: Option<WorkgroupPlace>,
    /// The positions of its lanes in their workgroup and grid.
    pub lane_indices: LaneIndices,
    /// Something depends on which invocations they are.
    pub indexed: bool,
    /// Something depends on the workgroup's size or its grid.
    pub gridded: bool,
    /// The workgroup, if the lanes are all of its invocations.
    pub workgroup: Option<WorkgroupShape>,
    pub active: u128,
    /// By parameter and lane.
    pub parameters: Vec<Vec<LaneValue>>,
    /// The content of memory.
    pub memories: Vec<MemoryState>,
}

/// One of the two functions, for the interpreter.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub program: &'a Program,
    pub function: &'a ModuleFunction,
    pub flat: &'a Flat,
}

/// The outcome of a replay.
#[derive(Debug)]
pub(crate) enum Replay {
    /// No choice of the source explains the target.
    Confirmed(Box<Replayed>),
    /// Some choice does, or the source excludes the state.
    Explained,
    /// The source never ends.
    Endless,
    /// It could not be run to its end.
    Undecided(Unknown),
}

/// The runs of a confirmed replay.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub source: Option<Finished>,
    pub target: Result<Finished, Stop>,
}

/// A confirmed refutation.
pub(crate) struct Confirmed {
    pub model: Model,
    pub state: State,
    pub shown: Box<Replayed>,
}

/// What is equal on both sides under all choices; `None` if more than values depends on them.
#[derive(Debug)]
pub(crate) struct Followed {
    pub source: Option<Finished>,
    pub target: Option<Finished>,
}

impl Followed {
    /// Runs both sides from a state, and tracks what depends on choices.
    pub(crate) fn from(
        state: &State,
        source: Subject<'_>,
        target: Option<Subject<'_>>,
        specification: &Specification,
        settled: &Settled,
    ) -> Self {
        let follow =
            |side| run(side, state, specification, settled, &mut Zeros, Mode::TracedFollowing).ok();
        Self { source: follow(source), target: target.and_then(follow) }
    }
}

/// Runs the target under its recorded choices, then the source under all of its own, or as many of them
/// as the limits permit.
///
/// What is recorded comes from an encoding in which lanes reconverge at merge blocks. They may do so
/// by every reading of `reconvergence`, so the target does, while the source may do all that its
/// reading permits.
#[allow(clippy::too_many_arguments)] // one call, all of it needed
pub(crate) fn replay(
    source: Subject<'_>,
    target: Option<Subject<'_>>,
    state: &State,
    choices: &Recorded,
    specification: &Specification,
    settled: &Settled,
    outputs: bool,
    limits: &mut RunLimits,
) -> Replay {
    let Some(target) = target else {
        return replay_property(source, state, choices, specification, settled, limits);
    };
    let as_encoded = reconverging(settled);
    let given = &mut choices.clone();
    let found =
        run_within(limits.steps, target, state, specification, &as_encoded, given, Mode::Traced);
    if let Err(stop) = &found
        && !fails(stop)
    {
        return Replay::Undecided(stopped("target", stop));
    }
    let compared = compared(source, outputs);
    let mut walk = Walk::new(limits.left);
    let confirms_some = limits.refuted_for_all == Some(found.is_err());
    let mut first = None;
    while walk.next_run() {
        if first.is_some() && Instant::now() >= limits.deadline {
            break;
        }
        let mode = if first.is_none() { Mode::Traced } else { Mode::Plain };
        let expected =
            run_within(limits.steps, source, state, specification, settled, &mut walk, mode);
        match (&expected, &found) {
            (Err(Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. }), _) => {
                return Replay::Explained;
            }
            (Err(Stop::Endless { .. }), _) => return Replay::Endless,
            (Err(stop), _) => return Replay::Undecided(stopped("source", stop)),
            (Ok(expected), Ok(found)) if agree(expected, found, state, &compared) => {
                return Replay::Explained;
            }
            _ => {}
        }
        if first.is_none() {
            first = expected.ok();
        }
        let enough = if confirms_some { SOME_RUNS } else { 1 };
        if !walk.may_complete() && walk.runs() >= enough {
            break;
        }
    }
    limits.took(&walk);
    if !walk.complete() && !confirms_some {
        return Replay::Undecided(not_replayed(NotReplayed::TooManyChoices("source")));
    }
    if walk.misses_orders(source.flat) {
        let explained = match &found {
            Ok(found) => {
                by_any_order(source, state, found, specification, settled, outputs, limits.deadline)
            }
            // Another order may misbehave, too.
            Err(_) => Explained::Unknown,
        };
        match explained {
            Explained::No => {}
            Explained::Yes => return Replay::Explained,
            Explained::Unknown => {
                return Replay::Undecided(not_replayed(NotReplayed::Orders(orders::OUT_OF_STEP)));
            }
        }
    }
    Replay::Confirmed(Box::new(Replayed { source: first, target: found }))
}

/// The numbers of the outputs that are compared.
fn compared(source: Subject<'_>, outputs: bool) -> Vec<usize> {
    source.flat.interface.compared(outputs).map(|(number, _)| number).collect()
}

/// Whether two runs from one state differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    Some,
    None,
    /// A run did not end within its limit of instructions.
    Unended,
}

/// Whether the sides differ, each under the first of its choices and within `steps` instructions: what a
/// replay may confirm, or not.
pub(crate) fn differ(
    steps: u64,
    source: Subject<'_>,
    target: Option<Subject<'_>>,
    state: &State,
    specification: &Specification,
    settled: &Settled,
    outputs: bool,
) -> Difference {
    let plain =
        |side| run_within(steps, side, state, specification, settled, &mut Zeros, Mode::Plain);
    let expected = plain(source);
    // What the source does not end does not matter on the other side.
    let found = target.filter(|_| expected.is_ok()).map(plain);
    let differ = match (&expected, &found) {
        (Err(Stop::StepLimit), _) | (_, Some(Err(Stop::StepLimit))) => return Difference::Unended,
        (Ok(finished), None) => !holds(finished, state),
        (Err(stop), None) => target.is_none() && matches!(stop, Stop::UndefinedBehavior { .. }),
        (Ok(expected), Some(Ok(found))) => {
            !agree(expected, found, state, &compared(source, outputs))
        }
        (Ok(_), Some(Err(stop))) => fails(stop),
        (Err(_), Some(_)) => false,
    };
    if differ { Difference::Some } else { Difference::None }
}

/// A target that stops like this refines no source that ends. An illegal result is none: then the
/// model was spurious.
fn fails(stop: &Stop) -> bool {
    matches!(
        stop,
        Stop::UndefinedBehavior { .. } | Stop::AssumptionFailed { .. } | Stop::Endless { .. }
    )
}

/// A property fails in a state where some run of it does not give true, and none breaks an
/// assumption or runs forever.
fn replay_property(
    property: Subject<'_>,
    state: &State,
    choices: &Recorded,
    specification: &Specification,
    settled: &Settled,
    limits: &mut RunLimits,
) -> Replay {
    let (as_encoded, given) = (reconverging(settled), &mut choices.clone());
    let found =
        run_within(limits.steps, property, state, specification, &as_encoded, given, Mode::Traced);
    match &found {
        Err(Stop::AssumptionFailed { .. } | Stop::Endless { .. }) => return Replay::Explained,
        Err(Stop::UndefinedBehavior { .. }) => {}
        Err(stop) => return Replay::Undecided(stopped("property", stop)),
        Ok(finished) if holds(finished, state) => return Replay::Explained,
        Ok(_) => {}
    }
    let assumes = property.flat.events.iter().any(|event| matches!(event, Event::Assume(..)));
    let excused = assumes || property.flat.may_overrun();
    let mut walk = Walk::new(limits.left);
    while excused && walk.next_run() {
        if walk.runs() > 1 && Instant::now() >= limits.deadline {
            break;
        }
        let mode = Mode::Plain;
        let other =
            run_within(limits.steps, property, state, specification, settled, &mut walk, mode);
        if let Err(Stop::AssumptionFailed { .. } | Stop::Endless { .. }) = other {
            return Replay::Explained;
        }
        if !walk.may_complete() {
            break;
        }
    }
    limits.took(&walk);
    if excused && !walk.complete() {
        return Replay::Undecided(not_replayed(NotReplayed::TooManyChoices("property")));
    }
    if excused && walk.misses_orders(property.flat) {
        return Replay::Undecided(not_replayed(NotReplayed::Orders(orders::OUT_OF_STEP)));
    }
    Replay::Confirmed(Box::new(Replayed { source: None, target: found }))
}

/// True in every active lane.
fn holds(finished: &Finished, state: &State) -> bool {
    active_lanes(state).all(|lane| {
        let result = finished.results.get(lane as usize).and_then(Option::as_ref);
        result.is_some_and(|value| value.0.first() == Some(&Some(1)))
    })
}

fn not_replayed(why: NotReplayed) -> Unknown {
    Unknown::NotReplayed(why)
}

/// Why a stopped run confirms nothing.
pub(crate) fn stopped(side: &'static str, stop: &Stop) -> Unknown {
    match stop {
        Stop::NotModelled { instruction, place, why } => Unknown::Unsupported(Unsupported {
            what: why.clone(),
            instruction: Some(instruction.clone()),
            location: Location::of(*place),
            remedy: None,
        }),
        _ => not_replayed(NotReplayed::Stopped { side, why: stop.to_string() }),
    }
}

fn active_lanes(state: &State) -> impl Iterator<Item = u32> {
    let active = state.active;
    (0..state.existing).filter(move |lane| active >> lane & 1 == 1)
}

/// The results of all lanes agree jointly: one run of the source gives the target's results.
/// `compared` are the numbers of the outputs that are compared.
fn agree(source: &Finished, target: &Finished, state: &State, compared: &[usize]) -> bool {
    let results = active_lanes(state).all(|lane| {
        let index = lane as usize;
        let helper = |finished: &Finished| finished.helpers >> lane & 1 == 1;
        let gone = |finished: &Finished| finished.results[index].is_none();
        // A terminated lane is gone, demoted or not.
        let ended = |finished: &Finished| gone(finished) && !helper(finished);
        if ended(source) || ended(target) {
            return ended(source) == ended(target);
        }
        helper(source) == helper(target)
            && match (&source.results[index], &target.results[index]) {
                (Some(expected), Some(found)) => fits(expected, found),
                (expected, _) => expected.as_ref().is_none_or(|it| it.0.is_empty()),
            }
    });
    let mut left =
        compared.iter().map(|&number| (&source.outputs[number], &target.outputs[number]));
    results
        && memory_state::agree(&state.memories, source, target)
        && left.all(|(expected, found)| {
            let mut left = active_lanes(state).map(|lane| lane as usize);
            let killed = |lane: usize| source.results[lane].is_none();
            left.all(|lane| killed(lane) || fits(&expected[lane], &found[lane]))
        })
}

/// An undefined leaf of the source accepts anything, a defined one only its value.
pub(crate) fn fits(expected: &LaneValue, found: &LaneValue) -> bool {
    expected.0.len() == found.0.len()
        && expected.0.iter().zip(&found.0).all(|(expected, found)| match (expected, found) {
            (None, _) => true,
            (Some(expected), Some(found)) => expected == found,
            (Some(_), None) => false,
        })
}
