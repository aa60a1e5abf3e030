//! The work on one obligation at a time: encoding, queries, replay.

mod after_loops;
mod answered;
mod facts;
mod followed;
mod induced;
mod iterations;
mod pinned;
pub(crate) mod pure_functions;
mod refinement;
mod runs;
mod simplest;
mod uniform;
mod vacuity;
mod witness;
mod worth;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use laneproof_ask::{QueryRunner, QuestionKind, Questions};
use laneproof_encode::{EncodingPlan, KILL, SWITCH_TANGLES, SizeSet, Standpoint, View, below};
use laneproof_induction::Invariant;
use laneproof_lower::Flat;
use laneproof_obligation::{Built, Leaves, Problem, build};
use laneproof_outcome::{Limits, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;
use laneproof_solve::SolverAnswer;

use self::iterations::Iterations;
pub(crate) use self::runs::RunLength;
use crate::abstraction::Abstraction;
use crate::counterexample::Counterexample;
use crate::fact::ProofFact;
use crate::manner::Manner;
use crate::options::Options;
use crate::phase::Phase;
use crate::reconvergence::Apart;
use crate::replay::Subject;
use crate::report::VerificationReport;
use crate::strategy::{Strategy, applicable};
use crate::tried::{Log, StrategyOutcome, Tried};
use crate::unrolled::{Doubt, Unrolled, Unrollings};
use crate::unsettled::Unsettled;
use crate::verdict::{Obligation, Verdict, obligation};

/// The outcome of the strategies for one obligation.
pub(crate) enum Attempt {
    Proved(Abstraction),
    Refuted(Abstraction, Box<Counterexample>),
    Unknown(Unknown),
}

/// The outcome of one strategy.
enum Step {
    Proved(Abstraction),
    Refuted(Abstraction, Box<Counterexample>),
    /// The next strategy may decide it.
    Next(Unknown),
    /// The source has choices: one choice must explain all lanes together.
    Choices,
    /// No later strategy will decide it.
    Stuck(Unknown),
}

impl Step {
    /// The outcome for the log.
    fn outcome(&self) -> StrategyOutcome {
        match self {
            Self::Proved(_) => StrategyOutcome::Proved,
            Self::Refuted(..) => StrategyOutcome::Refuted,
            Self::Next(why) | Self::Stuck(why) => StrategyOutcome::GaveUp(why.clone()),
            Self::Choices => StrategyOutcome::GaveUp(choices()),
        }
    }
}

/// What the verdict depends on.
#[derive(Default)]
pub(crate) struct RestsOn {
    readings: BTreeSet<String>,
    /// Those of them that the source consulted.
    source_readings: BTreeSet<String>,
    /// Something depends on which subgroup of the workgroup this is.
    asks_for_place: bool,
    /// A proof presumes that no other invocation accesses the memory at the same time.
    undisturbed: bool,
    /// Which sides depend on where lanes reconverge.
    pub(crate) apart: Apart,
}

/// How far loops are unrolled.
pub(crate) struct Unrolling<'a> {
    /// The number of unrolled iterations of a loop.
    bound: u32,
    /// Refutations are also searched where they are too few.
    refutes: bool,
    /// There were states in which these are not enough.
    exceeded: bool,
    /// The functions with more iterations of loops.
    unrollings: Option<&'a Unrollings<'a>>,
}

/// The log of strategies and the time spent.
pub(crate) struct Effort {
    limits: Limits,
    solver: Duration,
    /// The log.
    log: Log,
    /// The facts that the current proof uses.
    facts: Vec<ProofFact>,
}

/// The work on one problem.
pub(crate) struct Session<'a> {
    problem: Problem<'a>,
    source: Subject<'a>,
    target: Option<Subject<'a>>,
    options: &'a Options,
    questions: &'a Questions,
    /// The log of strategies and the time spent.
    pub(crate) effort: Effort,
    /// What the verdict depends on.
    pub(crate) rests_on: RestsOn,
    unsettled: Option<Unsettled>,
    /// How far loops are unrolled.
    pub(crate) unrolling: Unrolling<'a>,
    /// The user's invariants.
    invariants: Vec<Invariant>,
    /// Which verdicts do not count, because memory may differ from its encoding.
    doubt: &'a Doubt,
    /// What it is about, and how far it goes.
    pub(crate) manner: Manner,
}

/// Why an answer about one subgroup does not extend to its workgroup.
const CROWDED: &str = "other subgroups of the workgroup touch the same memory, and that they make no \
    difference was not shown";

fn disturbed() -> Unknown {
    Unknown::incomplete(CROWDED)
}

/// Why a strategy does not decide about a source with choices.
fn choices() -> Unknown {
    Unknown::incomplete("the source has choices")
}

/// The reason why all strategies gave up: the first limit that was reached, else the last reason.
fn together(tried: Vec<Unknown>) -> Unknown {
    let late = tried.iter().rposition(Unknown::is_limit);
    let last = tried.len().checked_sub(1);
    late.or(last)
        .and_then(|at| tried.into_iter().nth(at))
        .unwrap_or(Unknown::incomplete("no encoding applies"))
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        problem: Problem<'a>,
        source: Subject<'a>,
        target: Option<Subject<'a>>,
        options: &'a Options,
        questions: &'a Questions,
        doubt: &'a Doubt,
    ) -> Self {
        Self {
            problem,
            doubt,
            source,
            target,
            options,
            questions,
            effort: Effort {
                limits: options.limits(options.total_timeout),
                solver: Duration::ZERO,
                log: Log::default(),
                facts: Vec::new(),
            },
            rests_on: RestsOn {
                readings: BTreeSet::new(),
                source_readings: BTreeSet::new(),
                asks_for_place: false,
                undisturbed: false,
                apart: Apart::default(),
            },
            unsettled: None,
            unrolling: Unrolling { bound: 0, refutes: true, exceeded: false, unrollings: None },
            invariants: options.invariants.iter().map(|text| Invariant::of(text)).collect(),
            manner: Manner::Full,
        }
    }

    /// Sets the source of further unrollings.
    pub(crate) fn unrolls(&mut self, unrollings: &'a Unrollings<'a>) {
        self.unrolling.unrollings = Some(unrollings);
    }

    /// The user's invariants and their status.
    pub(crate) fn invariants(&self) -> &[Invariant] {
        &self.invariants
    }

    /// Some proof presumes that no other invocation accesses the memory at the same time.
    pub(crate) fn undisturbed(&self) -> bool {
        self.rests_on.undisturbed
    }

    /// Something depends on which subgroup of the workgroup this is, and only the first is checked.
    pub(crate) fn looks_at_first_only(&self) -> bool {
        let first = self.problem.group.standpoint == Standpoint::First;
        self.rests_on.asks_for_place && first && self.problem.group.subgroups.is_none()
    }

    /// From now on works with this unrolling.
    pub(crate) fn unrolled(&mut self, unrolled: &'a Unrolled, refutes: bool) {
        self.problem.source = &unrolled.source;
        self.problem.target = unrolled.target.as_ref();
        self.problem.shapes = &unrolled.shapes;
        self.source.flat = &unrolled.source;
        if let (Some(target), Some(flat)) = (&mut self.target, &unrolled.target) {
            target.flat = flat;
        }
        (self.unrolling.bound, self.unrolling.refutes, self.unrolling.exceeded) =
            (unrolled.iterations, refutes, false);
        self.doubt = &unrolled.doubt;
    }

    /// From now on works on one subgroup: which one, and whether others of its workgroup access the
    /// same memory.
    pub(crate) fn of_subgroup(&mut self, standpoint: Standpoint, others: bool) {
        self.problem.group.subgroups = None;
        self.problem.group.all_active = self.options.states.all_active;
        (self.problem.group.standpoint, self.problem.group.others) = (standpoint, others);
        self.problem.same = Leaves::default();
    }

    /// From now on works on a workgroup of this number of subgroups. If the source behaves only if
    /// all invocations enter (as with an instruction or barrier of the workgroup), only such states
    /// are considered: reductions are then the same term on both sides.
    pub(crate) fn of_workgroup(&mut self, subgroups: u32, sizes: &SizeSet) {
        self.problem.group.subgroups = Some(subgroups);
        self.problem.same = Leaves::default();
        self.problem.group.all_active = self.options.states.all_active;
        self.problem.group.all_active |=
            self.all_must_enter(&EncodingPlan::per_lane(sizes.clone(), false));
    }

    /// There is no state in which some lane does not enter and the source behaves under some
    /// choice, even with more iterations than are unrolled.
    fn all_must_enter(&mut self, plan: &EncodingPlan) -> bool {
        self.effort.limits.divide(4);
        let Ok(mut built) = build(&self.problem, plan, self.effort.limits.deadline()) else {
            return false;
        };
        let pool = &mut built.pool;
        let all = below(pool, built.entry.existing);
        let all_lanes = pool.equal(built.entry.active, all);
        let absent = pool.not(all_lanes);
        let mut assertions = built.states.known.clone();
        // The target's choices do not matter here.
        assertions.retain(|it| Some(*it) != built.states.given);
        let behaves = pool.or(built.asks.source_behaves, built.asks.overrun);
        assertions.extend([behaves, absent]);
        matches!(self.ask(&built, plan, QuestionKind::Absent, &assertions), SolverAnswer::Unsat)
    }

    /// The strategies that apply, the last one first; others of this phase are logged.
    fn pending(
        &mut self,
        sizes: &SizeSet,
        phase: Phase,
        joint: bool,
    ) -> Vec<(Strategy, EncodingPlan)> {
        let (mut pending, left_out) = applicable(&self.circumstances(sizes, phase, joint));
        for (strategy, why) in left_out {
            self.note(strategy, sizes, Instant::now(), StrategyOutcome::NotApplicable(why));
        }
        pending.reverse();
        pending
    }

    /// Logs the outcome of a strategy that was `begun` then.
    fn note(
        &mut self,
        strategy: Strategy,
        sizes: &SizeSet,
        begun: Instant,
        outcome: StrategyOutcome,
    ) {
        assert!(
            outcome.is_worth(strategy.worth()),
            "the strategy `{strategy}` answers more than it can: {outcome:?}"
        );
        let facts = std::mem::take(&mut self.effort.facts);
        let facts = if outcome == StrategyOutcome::Proved { facts } else { Vec::new() };
        self.effort.log.note(strategy, sizes, self.unrolling.bound, begun, outcome, facts);
    }

    /// Runs the strategy `traces`, which proves for any workgroup.
    pub(crate) fn trace(&mut self, sizes: &SizeSet) -> Attempt {
        let begun = Instant::now();
        let Some((_, plan)) = self.pending(sizes, Phase::Traces, false).pop() else {
            return Attempt::Unknown(Unknown::incomplete("traces do not apply"));
        };
        let step = self.step(&plan);
        self.note(Strategy::Traces, sizes, begun, step.outcome());
        match step {
            Step::Proved(abstraction) => Attempt::Proved(abstraction),
            Step::Refuted(..) => Attempt::Unknown(Unknown::incomplete("traces refute nothing")),
            Step::Next(why) | Step::Stuck(why) => Attempt::Unknown(why),
            Step::Choices => Attempt::Unknown(choices()),
        }
    }

    /// The number of unrolled iterations of a loop.
    pub(crate) fn iterations_unrolled(&self) -> u32 {
        self.unrolling.bound
    }

    /// Runs `work` within `1 / parts` of the remaining limit.
    pub(crate) fn within<T>(&mut self, parts: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let part = self.effort.limits.portion(parts);
        let whole = std::mem::replace(&mut self.effort.limits, part);
        let result = work(self);
        self.effort.limits = whole;
        result
    }

    /// There are states with more iterations than are unrolled.
    pub(crate) fn exceeded(&self) -> bool {
        self.unrolling.exceeded
    }

    /// A new obligation begins.
    pub(crate) fn restart(&mut self) {
        self.effort.limits.restart();
        self.effort.solver = Duration::ZERO;
    }

    pub(crate) fn obligation(
        &self,
        size: Option<u32>,
        verdict: Verdict,
        abstraction: Option<Abstraction>,
    ) -> Obligation {
        obligation(size, verdict, abstraction, self.effort.limits.started, self.effort.solver)
    }

    pub(crate) fn rests_on(&self) -> Vec<String> {
        self.rests_on.readings.iter().cloned().collect()
    }

    /// Removes readings on which a proof does not depend: implementation-defined choices in the
    /// target only, as the proof covers all of them.
    pub(crate) fn forget_choices_of_target(&self, report: &mut VerificationReport) {
        let settled = self.problem.settled;
        let choice = |reading: &String| {
            [SWITCH_TANGLES, KILL].contains(&reading.as_str())
                && settled.alternative(reading).is_some_and(|it| **it == *"implementation-chooses")
        };
        if report.verdict == Verdict::Proved {
            report.rests_on.retain(|it| !choice(it) || self.rests_on.source_readings.contains(it));
        }
    }

    /// The log of strategies, in order.
    pub(crate) fn log(&self) -> &[Tried] {
        self.effort.log.all()
    }

    /// A reading that was consulted and that is not settled.
    pub(crate) fn unsettled(&self) -> Option<&Unsettled> {
        self.unsettled.as_ref()
    }

    /// Tries one strategy of a phase after the other.
    pub(crate) fn run_strategies(&mut self, sizes: &SizeSet, phase: Phase) -> Attempt {
        self.unrolling.exceeded = false;
        let mut tried = Vec::new();
        let mut pending = self.pending(sizes, phase, false);
        let mut joint = false;
        while let Some((strategy, plan)) = pending.pop() {
            let begun = Instant::now();
            let step = self.step(&plan);
            self.note(strategy, sizes, begun, step.outcome());
            match step {
                Step::Proved(abstraction) => return Attempt::Proved(abstraction),
                Step::Refuted(abstraction, found) => return Attempt::Refuted(abstraction, found),
                Step::Next(why) => tried.push(why),
                Step::Stuck(why) => return Attempt::Unknown(why),
                Step::Choices => {
                    if matches!(sizes, SizeSet::All(_)) {
                        return Attempt::Unknown(choices());
                    }
                    if !joint {
                        joint = true;
                        pending = self.pending(sizes, phase, true);
                    }
                }
            }
        }
        Attempt::Unknown(together(tried))
    }

    fn step(&mut self, plan: &EncodingPlan) -> Step {
        self.effort.limits.divide(plan.share);
        self.effort.facts.clear();
        if let Some(reason) = self.effort.limits.over() {
            return Step::Stuck(reason);
        }
        if self.manner == (Manner::Pure { differ: true }) {
            return Step::Stuck(Unknown::incomplete("functions of what lanes load differ"));
        }
        let mut built = match build(&self.problem, plan, self.effort.limits.deadline()) {
            Ok(built) => built,
            Err(error @ (DenoteError::NotMovement(_) | DenoteError::OutOfTime)) => {
                return Step::Next(error.into());
            }
            Err(error @ (DenoteError::NotModelled(_) | DenoteError::NotModelledIn { .. }))
                if plan.view == View::Quantified || plan.traced || plan.lanewise =>
            {
                return Step::Next(error.into());
            }
            Err(error) => {
                if let DenoteError::NotModelledBy(_, reading) = &error {
                    self.rests_on.readings.insert(reading.to_string());
                }
                self.unsettled = self.unsettled.take().or_else(|| Unsettled::of(&error));
                return Step::Stuck(error.into());
            }
        };
        self.note_readings(&built);
        let unbounded = match self.iterations(&mut built, plan) {
            Iterations::Unrolled => None,
            Iterations::More(reason) => Some(reason),
            Iterations::Settled(step) => {
                self.note_facts(&built, plan, &step);
                return self.worth(step, plan, false);
            }
        };
        if plan.joint
            && let Some(reason) = unbounded
        {
            return Step::Stuck(reason);
        }
        let within = built.pool.not(built.asks.overrun);
        built.states.known.push(within);
        let step = self.refinement(&mut built, plan);
        self.note_facts(&built, plan, &step);
        let step = self.worth(step, plan, built.covers_others);
        // Lane by lane, the target accesses what the source accesses, so other invocations read the
        // same. Between two atomics they may write, though.
        let one = self.problem.group.subgroups.is_none();
        let alike = |target: &Flat| plan.traced || plan.lanewise && one && !target.memory.atomics;
        let touches = |target: &Flat| !target.memory.accesses.is_empty() && !alike(target);
        let touches = self.problem.target.is_some_and(touches);
        self.rests_on.undisturbed |= matches!(step, Step::Proved(_)) && touches;
        match (step, unbounded) {
            // Here every lane was checked, so the refutation is real.
            (Step::Proved(_) | Step::Next(_), Some(reason))
                if self.unrolling.exceeded && plan.view == View::EveryLane =>
            {
                Step::Stuck(reason)
            }
            (Step::Proved(_), Some(reason)) => Step::Next(reason),
            (step, _) => step,
        }
    }

    fn ask(
        &mut self,
        built: &Built<'_>,
        plan: &EncodingPlan,
        kind: QuestionKind,
        assertions: &[Term],
    ) -> SolverAnswer {
        let mut runner = QueryRunner::new(self.questions, plan, &self.effort.limits);
        let answer = runner.ask(built, kind, assertions);
        self.effort.solver += runner.spent;
        answer
    }
}

fn abstraction_of(built: &Built<'_>, plan: &EncodingPlan, counted: bool) -> Abstraction {
    if plan.diagrams {
        return Abstraction::Diagrams;
    }
    match (built.abstracted.folded || counted, built.abstracted.moved) {
        (true, _) => Abstraction::Laws,
        (false, true) => Abstraction::Movement,
        (false, false) => Abstraction::Bits,
    }
}
