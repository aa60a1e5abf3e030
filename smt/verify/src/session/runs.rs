//! The strategy `runs`: both sides are run in the interpreter from sampled states.
//!
//! A run takes milliseconds where an encoding of many lanes takes seconds to build and a solver takes
//! minutes. So a target that is wrong only at large sizes, or only after many iterations, is mostly
//! refuted here. An encoding is built of a state that was found, not to find one: the refutation
//! counts if the encoding has it, too, and its model explains it as any other.

use std::collections::BTreeSet;
use std::time::Instant;

use laneproof_ask::{QuestionKind, sampled_active, sampled_bits};
use laneproof_encode::{EncodingPlan, SizeSet, lanes_below};
use laneproof_interpreter::LaneValue;
use laneproof_lower::RegionKind;
use laneproof_obligation::{FixedState, Problem, Required, build, entered};
use laneproof_outcome::{NotReplayed, Unknown};
use laneproof_semantics::term::{Pool, Term};
use laneproof_solve::SolverAnswer;

use super::answered::silence;
use super::pinned::{altered, model_of};
use super::witness::Filling;
use super::{Attempt, Session, Step, abstraction_of};
use crate::replay::{
    Confirmed, Difference, Recorded, Replay, RunLimits, SOURCE_RUNS, STEPS, State, differ, read,
};
use crate::strategy::Strategy;
use crate::unrolled::Unrollings;

/// Lanes that are run on each side: a limit of work, so that the result does not depend on the
/// machine. At least the lanes of [`FEWEST`] states.
const LANES_RUN: u32 = 1 << 13;
/// The samples of each kind with all lanes active and with some.
const FEWEST: u32 = 60;
/// These are run on a busy machine, too, so that most states that are shown do not depend on it.
const SURE: u32 = 4;
/// More samples are mostly repetitions at small sizes.
const MOST: u32 = 240;

/// Runs of loops that go round very often take the time in which many others would have ended: so many
/// instructions have a loop over all lanes, and some more.
const SHORT: u64 = 1 << 12;
/// Samples that do not end within these: then most do not.
const UNENDED: u32 = 32;
/// The most samples of short runs: where more would help, the rest comes with long ones.
const FIRST: u32 = 96;

/// How long each run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunLength {
    Short,
    Long,
}

impl RunLength {
    const fn steps(self) -> u64 {
        match self {
            Self::Short => SHORT,
            Self::Long => STEPS,
        }
    }

    /// The runs of all replays together.
    const fn replays(self) -> u64 {
        match self {
            Self::Short => SHORT,
            Self::Long => SOURCE_RUNS,
        }
    }

    const fn samples(self) -> u32 {
        match self {
            Self::Short => FIRST,
            Self::Long => MOST,
        }
    }

    /// The samples that may end later than this.
    const fn unended(self) -> u32 {
        match self {
            Self::Short => UNENDED,
            Self::Long => u32::MAX,
        }
    }
}

/// What came of the runs from sampled states.
struct Sampled {
    /// A state in which the two sides differ under every choice of the source.
    differing: Option<State>,
    /// Some samples were not run to their end.
    unended: bool,
}

/// The query about what a fixed state leaves open may take `1 / SHARE` of the limit.
const SHARE: u32 = 8;

impl<'a> Session<'a> {
    /// Searches a state of this size in which running both sides refutes, for `1 / parts` of the
    /// limit; and whether longer runs may still find one.
    pub(crate) fn runs(
        &mut self,
        size: u32,
        unrollings: &'a Unrollings<'a>,
        parts: u32,
        length: RunLength,
    ) -> (Attempt, bool) {
        let begun = Instant::now();
        let group = self.problem.group;
        // Where others access the same memory, only their whole workgroup refutes.
        if self.problem.is_crowded(&SizeSet::One(size)) {
            let invocations = group.declared.and_then(|it| it.invocations());
            self.problem.group.subgroups = invocations.map(|it| it.div_ceil(size.max(1)));
        }
        let sampled = self.within(parts, |session| session.sampled(size, length));
        let step = match sampled.differing {
            Some(state) => {
                let state = self.simplified(size, state);
                self.encoded(size, &state, unrollings)
            }
            None => Step::Next(Unknown::incomplete("no sampled run differs")),
        };
        self.problem.group = group;
        self.note(Strategy::Runs, &SizeSet::One(size), begun, step.outcome());
        if let Ok(first) = unrollings.first() {
            self.unrolled(first, true);
        }
        let attempt = match step {
            Step::Refuted(abstraction, found) => Attempt::Refuted(abstraction, found),
            Step::Next(why) | Step::Stuck(why) => Attempt::Unknown(why),
            Step::Proved(_) | Step::Choices => {
                Attempt::Unknown(Unknown::incomplete("runs prove nothing"))
            }
        };
        (attempt, sampled.unended)
    }

    /// Runs both sides from sampled states.
    fn sampled(&self, size: u32, length: RunLength) -> Sampled {
        let group = &self.problem.group;
        // Samples are not chosen for what execution modes require.
        let refutes =
            self.doubt.refutations.is_none() && !self.problem.is_crowded(&SizeSet::One(size));
        // Images stay free in an encoding, which makes it large.
        let images = self.problem.shapes.iter().any(|it| matches!(it.kind, RegionKind::Image(_)));
        let late = self.effort.limits.over().is_some();
        if group.required != Required::default() || images || late || !refutes {
            return Sampled { differing: None, unended: false };
        }
        let deadline = self.effort.limits.deadline();
        let samples = (LANES_RUN / size.max(1)).clamp(FEWEST, MOST);
        let first = samples.min(length.samples());
        let mut limits = RunLimits { left: length.replays(), ..RunLimits::new(deadline) };
        let mut unended = 0;
        for number in 0..first {
            if unended > length.unended() || number >= SURE && Instant::now() >= deadline {
                return Sampled { differing: None, unended: true };
            }
            let Some(state) = self.sampled_state(size, number) else { continue };
            match self.differs(&state, length.steps(), &mut limits) {
                Difference::Some => return Sampled { differing: Some(state), unended: false },
                Difference::None => {}
                Difference::Unended => unended += 1,
            }
        }
        Sampled { differing: None, unended: unended > 0 || first < samples }
    }

    /// The sample of this number.
    fn sampled_state(&self, size: u32, number: u32) -> Option<State> {
        let group = &self.problem.group;
        let (whole, number) = (group.subgroups.is_some(), u64::from(number));
        let state = self.sample(size, Filling::Sampled(number), size, whole)?;
        if state.workgroup.is_some() != whole {
            return None;
        }
        // All of them, where the options or the source's assumptions say so.
        let number = if group.all_active { 0 } else { number };
        let active = active(number, state.existing);
        Some(State { active, ..state })
    }

    /// Whether the two sides differ under every choice of the source and any choice of the target.
    fn differs(&self, state: &State, steps: u64, limits: &mut RunLimits) -> Difference {
        let (specification, settled) = (self.problem.specification, self.problem.settled);
        let outputs = self.problem.outputs;
        match differ(steps, self.source, self.target, state, specification, settled, outputs) {
            Difference::Some => match self.replay_within(state, &Recorded::default(), limits) {
                Replay::Confirmed(_) => Difference::Some,
                _ => Difference::None,
            },
            other => other,
        }
    }

    /// The same refutation as an encoding has it, with as many iterations of loops as it takes.
    fn encoded(&mut self, size: u32, state: &State, unrollings: &'a Unrollings<'a>) -> Step {
        loop {
            let step = self.encoded_once(size, state);
            if matches!(step, Step::Refuted(..)) || self.effort.limits.over().is_some() {
                return step;
            }
            let Some(more) = unrollings.after(self.unrolling.bound) else { return step };
            self.unrolled(more, false);
        }
    }

    fn encoded_once(&mut self, size: u32, state: &State) -> Step {
        let plan = EncodingPlan::per_lane(SizeSet::One(size), false);
        let fixed = fixed(state);
        let problem = Problem { fixed: Some(&fixed), ..self.problem };
        let mut built = match build(&problem, &plan, self.effort.limits.deadline()) {
            Ok(built) => built,
            Err(error) => return Step::Next(error.into()),
        };
        self.note_readings(&built);
        let (_, spoken) = silence(&mut built);
        let within = built.pool.not(built.asks.overrun);
        let bad = built.pool.or(built.asks.target_fails, built.asks.disagrees);
        let mut assertions = built.states.known.clone();
        assertions.extend([built.asks.source_legal, built.asks.source_behaves]);
        assertions.extend([spoken, within, bad]);
        let never = |it: &Term| built.pool.bool_of(*it) == Some(false);
        if assertions.iter().any(never) {
            return Step::Next(Unknown::incomplete("the encoding ends before the run does"));
        }
        let model = model_of(&built, state, &assertions).or_else(|| {
            // Where memories differ, and which choices differ, is not fixed.
            self.effort.limits.divide(SHARE);
            match self.ask(&built, &plan, QuestionKind::Simplest, &assertions) {
                SolverAnswer::Sat(model) => altered(&built, &model, state, &assertions),
                SolverAnswer::Unsat | SolverAnswer::Unknown(_) => None,
            }
        });
        let Some(model) = model else {
            return Step::Next(Unknown::incomplete(
                "the encoding has no run that differs like this",
            ));
        };
        let (state, choices) = read(&built, &model, self.source.flat);
        let step = match self.replay(&state, &choices) {
            Replay::Confirmed(shown) => {
                let found = self.shown(&built, &Confirmed { model, state, shown });
                Step::Refuted(abstraction_of(&built, &plan, false), Box::new(found))
            }
            Replay::Undecided(reason @ Unknown::NotReplayed(NotReplayed::Reading(_))) => {
                Step::Next(reason)
            }
            _ => Step::Next(Unknown::NotReplayed(NotReplayed::Explained)),
        };
        self.worth(step, &plan, built.covers_others)
    }

    /// A simpler state with the same refutation.
    fn simplified(&self, size: u32, state: State) -> State {
        let plan = EncodingPlan::per_lane(SizeSet::One(size), false);
        let deadline = self.effort.limits.deadline();
        let entered = entered(&mut Pool::new(), &self.problem, &plan, &BTreeSet::new(), deadline);
        let entry = entered.ok().map(|it| it.world.entry);
        let simpler = entry.and_then(|it| self.simpler(&it, &state, &Recorded::default()));
        simpler.unwrap_or(state)
    }
}

/// The active lanes of a sample: all, all but one, the first ones, one, or any.
fn active(number: u64, lanes: u32) -> u128 {
    let some = (sampled_bits(number, "lane", None, 64) % u128::from(lanes)) as u32;
    let [all, below] = [lanes, some].map(lanes_below);
    match number % 6 {
        0 => all,
        1 if lanes > 1 => all & !(1 << some),
        2 if some > 0 => below,
        3 => 1 << some,
        _ => sampled_active(number, lanes),
    }
}

/// The constants of an encoding of this state.
pub(super) fn fixed(state: &State) -> FixedState {
    let leaves = |lane: &LaneValue| lane.0.iter().map(|leaf| leaf.unwrap_or(0)).collect();
    FixedState {
        grid: state.lane_indices.grid,
        active: state.active,
        parameters: state.parameters.iter().map(|it| it.iter().map(leaves).collect()).collect(),
        memories: state
            .memories
            .iter()
            .filter(|it| it.sides.is_none())
            .map(|it| (it.kind, it.scalars.clone()))
            .collect(),
    }
}
