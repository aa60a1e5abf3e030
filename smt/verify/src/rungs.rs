//! One obligation at a time: built, asked, replayed.

mod after_loops;
mod answered;
mod vacuity;
mod witness;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use laneproof_ask::{Asker, Joint, Kind, Questions, search};
use laneproof_encode::{
    KILL, Plan, RECONVERGENCE, SWITCH_TANGLES, Side, Sizes, Standpoint, View, below,
};
use laneproof_induction::{Induced, Invariant, induct};
use laneproof_lower::{Flat, exchange};
use laneproof_obligation::{Built, Problem, build};
use laneproof_outcome::{Bound, Limits, NotReplayed, Question, Unknown};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;
use laneproof_solve::{Answer, Model};

use self::answered::silence;
use crate::counterexample::Counterexample;
use crate::options::Options;
use crate::phase::Phase;
use crate::present::counterexample;
use crate::reconvergence::Apart;
use crate::replay::{Recorded, Replay, State, Subject, read, replay};
use crate::report::Report;
use crate::rung::Rung;
use crate::strategy::{Circumstances, Strategy, applicable};
use crate::tried::{Log, Outcome, Tried};
use crate::unrolled::{Doubt, Unrolled, Unrollings};
use crate::unsettled::Unsettled;
use crate::verdict::obligation;
use crate::verdict::{Obligation, Verdict};

/// What the ladder came to.
pub(crate) enum Attempt {
    Proved(Rung),
    Refuted(Rung, Box<Counterexample>),
    Unknown(Unknown),
}

/// What one rung came to.
enum Step {
    Proved(Rung),
    Refuted(Rung, Box<Counterexample>),
    /// The next rung may know more.
    Next(Unknown),
    /// The source has choices: all lanes must be explained together.
    Choices,
    /// No rung below will know more.
    Stuck(Unknown),
}

impl Step {
    /// The same, for whoever asks what was tried.
    fn outcome(&self) -> Outcome {
        match self {
            Self::Proved(_) => Outcome::Proved,
            Self::Refuted(..) => Outcome::Refuted,
            Self::Next(why) | Self::Stuck(why) => Outcome::GaveUp(why.clone()),
            Self::Choices => Outcome::GaveUp(choices()),
        }
    }
}

/// What is known of the rounds of loops.
enum Rounds {
    /// All are written out.
    Written,
    /// There may be more, or nobody knows: nothing is proved.
    More(Unknown),
    /// That settles the plan.
    Settled(Step),
}

/// Works on one problem.
pub(crate) struct Desk<'a> {
    problem: Problem<'a>,
    source: Subject<'a>,
    target: Option<Subject<'a>>,
    options: &'a Options,
    questions: &'a Questions,
    limits: Limits,
    solver: Duration,
    readings: BTreeSet<String>,
    /// Those of them that the source consulted.
    source_readings: BTreeSet<String>,
    /// Something asked which subgroup of the workgroup this is.
    asks_for_place: bool,
    /// A proof presumed that nobody else touches the memory meanwhile.
    undisturbed: bool,
    /// Which sides hang on where lanes meet again.
    pub(crate) apart: Apart,
    unsettled: Option<Unsettled>,
    /// What was tried.
    log: Log,
    /// How many rounds of a loop are written out.
    bound: u32,
    /// A refutation is looked for even where they are too few.
    refutes: bool,
    /// There were states in which these are not enough.
    exceeded: bool,
    /// What the user states of the loop.
    invariants: Vec<Invariant>,
    /// The functions with more iterations of loops.
    unrollings: Option<&'a Unrollings<'a>>,
    /// What is in doubt, as memory is not as it is modelled.
    doubt: &'a Doubt,
}

/// Why an answer about one subgroup is none about its workgroup.
const CROWDED: &str = "other subgroups of the workgroup touch the same memory, and that they make no \
    difference was not shown";

fn disturbed() -> Unknown {
    Unknown::incomplete(CROWDED)
}

/// Why a strategy is not the one for such a source.
fn choices() -> Unknown {
    Unknown::incomplete("the source has choices")
}

/// Why nothing that was tried decided it: what more time may change first, else what came last.
fn together(tried: Vec<Unknown>) -> Unknown {
    let late = tried.iter().rposition(Unknown::depends_on_machine);
    let last = tried.len().checked_sub(1);
    late.or(last)
        .and_then(|at| tried.into_iter().nth(at))
        .unwrap_or(Unknown::incomplete("no encoding applies"))
}

impl<'a> Desk<'a> {
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
            limits: Limits::new(options.timeout, options.total_timeout),
            solver: Duration::ZERO,
            readings: BTreeSet::new(),
            source_readings: BTreeSet::new(),
            asks_for_place: false,
            undisturbed: false,
            apart: Apart::default(),
            unsettled: None,
            log: Log::default(),
            bound: 0,
            refutes: true,
            exceeded: false,
            invariants: options.invariants.iter().map(|text| Invariant::of(text)).collect(),
            unrollings: None,
        }
    }

    /// Where more iterations of loops are to be had.
    pub(crate) fn unrolls(&mut self, unrollings: &'a Unrollings<'a>) {
        self.unrollings = Some(unrollings);
    }

    /// What became of the invariants that the user states.
    pub(crate) fn invariants(&self) -> &[Invariant] {
        &self.invariants
    }

    /// Some proof presumes that nobody else touches the memory meanwhile.
    pub(crate) fn undisturbed(&self) -> bool {
        self.undisturbed
    }

    /// Something asked which subgroup of the workgroup this is, and only the first is looked at.
    pub(crate) fn looks_at_first_only(&self) -> bool {
        let first = self.problem.standpoint == Standpoint::First;
        self.asks_for_place && first && self.problem.subgroups.is_none()
    }

    /// Works with so many rounds of each loop from now on.
    pub(crate) fn unrolled(&mut self, unrolled: &'a Unrolled, refutes: bool) {
        self.problem.source = &unrolled.source;
        self.problem.target = unrolled.target.as_ref();
        self.problem.shapes = &unrolled.shapes;
        self.source.flat = &unrolled.source;
        if let (Some(target), Some(flat)) = (&mut self.target, &unrolled.target) {
            target.flat = flat;
        }
        (self.bound, self.refutes, self.exceeded) = (unrolled.rounds, refutes, false);
        self.doubt = &unrolled.doubt;
    }

    /// Works on one subgroup from now on: on which, and whether others of its workgroup touch the
    /// same memory.
    pub(crate) fn of_subgroup(&mut self, standpoint: Standpoint, others: bool) {
        self.problem.subgroups = None;
        self.problem.all_active = self.options.all_active;
        (self.problem.standpoint, self.problem.others) = (standpoint, others);
    }

    /// Works on a workgroup of so many subgroups of a size from now on. Where the source behaves
    /// only if all invocations enter, as one does with an instruction or a barrier of the
    /// workgroup, no others are looked at: what is folded is then the same term on both sides.
    pub(crate) fn of_workgroup(&mut self, subgroups: u32, sizes: &Sizes) {
        self.problem.subgroups = Some(subgroups);
        self.problem.all_active = self.options.all_active;
        self.problem.all_active |= self.all_must_enter(&Plan::written_out(sizes.clone(), false));
    }

    /// In no state does the source behave, whatever it chooses, if some lane does not enter; not
    /// even if loops take more rounds than are written out.
    fn all_must_enter(&mut self, plan: &Plan) -> bool {
        self.limits.divide(4);
        let Ok(mut built) = build(&self.problem, plan, self.limits.deadline()) else {
            return false;
        };
        let pool = &mut built.pool;
        let all = below(pool, built.existing);
        let everyone = pool.equal(built.active, all);
        let absent = pool.not(everyone);
        let mut assertions = built.state.clone();
        // What the target may choose is no matter here.
        assertions.retain(|it| Some(*it) != built.given);
        let behaves = pool.or(built.source_behaves, built.overrun);
        assertions.extend([behaves, absent]);
        matches!(self.ask(&built, plan, Kind::Absent, &assertions), Answer::Unsat)
    }

    /// What strategies are tried by.
    fn circumstances<'s>(
        &'s self,
        sizes: &'s Sizes,
        phase: Phase,
        joint: bool,
    ) -> Circumstances<'s> {
        Circumstances {
            phase: if self.problem.subgroups.is_some() { Phase::Workgroup } else { phase },
            sizes,
            joint,
            loops: self.loops(),
            memory: self.compares_memory(),
            doubt: self.doubt.proofs.is_some(),
            options: self.options,
        }
    }

    /// The strategies that are tried here, the last one first; others of this phase are noted.
    fn pending(&mut self, sizes: &Sizes, phase: Phase, joint: bool) -> Vec<(Strategy, Plan)> {
        let (mut pending, left_out) = applicable(&self.circumstances(sizes, phase, joint));
        for (strategy, why) in left_out {
            self.note(strategy, sizes, Instant::now(), Outcome::NotApplicable(why));
        }
        pending.reverse();
        pending
    }

    /// Notes what came of a strategy that was `begun` then.
    fn note(&mut self, strategy: Strategy, sizes: &Sizes, begun: Instant, outcome: Outcome) {
        self.log.note(strategy, sizes, self.bound, begun, outcome);
    }

    /// Both sides make the same accesses to memory, one for one: that is so in any workgroup.
    pub(crate) fn trace(&mut self, sizes: &Sizes) -> Attempt {
        let begun = Instant::now();
        let Some((_, plan)) = self.pending(sizes, Phase::Traces, false).pop() else {
            return Attempt::Unknown(Unknown::incomplete("traces do not apply"));
        };
        let step = self.step(&plan);
        self.note(Strategy::Traces, sizes, begun, step.outcome());
        match step {
            Step::Proved(rung) => Attempt::Proved(rung),
            Step::Refuted(..) => Attempt::Unknown(Unknown::incomplete("traces refute nothing")),
            Step::Next(why) | Step::Stuck(why) => Attempt::Unknown(why),
            Step::Choices => Attempt::Unknown(choices()),
        }
    }

    /// How many rounds of a loop are written out.
    pub(crate) fn rounds_written(&self) -> u32 {
        self.bound
    }

    /// Works within one part in so many of what is left of the limit.
    pub(crate) fn within<T>(&mut self, parts: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let part = self.limits.portion(parts);
        let whole = std::mem::replace(&mut self.limits, part);
        let result = work(self);
        self.limits = whole;
        result
    }

    /// Tries all sizes at once by induction over the rounds of a loop, within parts of the limit:
    /// one, and one where an invariant is in sight.
    pub(crate) fn induct(
        &mut self,
        unrolled: &Unrolled,
        sizes: &[u32],
        parts: [u32; 2],
    ) -> Attempt {
        let [limits, whole] = parts.map(|parts| self.limits.portion(parts));
        let limits = [&limits, &whole];
        let problem = Problem {
            source: &unrolled.source,
            target: unrolled.target.as_ref(),
            shapes: &unrolled.shapes,
            ..self.problem
        };
        let sizes = Sizes::All(sizes.to_vec());
        let barred = self.is_barred_to_induction().then(disturbed);
        let barred = self.doubt.proofs.clone().or(barred);
        let told = &mut self.invariants;
        let begun = Instant::now();
        let induced = induct(&problem, &sizes, limits, self.questions, &mut self.solver, told);
        let outcome = match (&induced, &barred) {
            (Induced::Proved { .. }, None) => Outcome::Proved,
            (Induced::Proved { .. }, Some(why)) | (Induced::Unknown(why), _) => {
                Outcome::GaveUp(why.clone())
            }
        };
        self.note(Strategy::Induction, &sizes, begun, outcome);
        match induced {
            Induced::Proved { .. } if let Some(reason) = barred => Attempt::Unknown(reason),
            Induced::Proved { readings, asks_for_place } => {
                self.asks_for_place |= asks_for_place;
                if readings.contains(RECONVERGENCE) {
                    self.apart = Apart { source: true, target: true };
                }
                self.readings.extend(readings);
                Attempt::Proved(Rung::Induction)
            }
            Induced::Unknown(why) => Attempt::Unknown(why),
        }
    }

    /// What an induction says of memory is said lane by lane, and not of what subgroups exchange.
    fn is_barred_to_induction(&self) -> bool {
        let Problem { source, target, .. } = self.problem;
        let atomics = source.atomics || target.is_some_and(|it| it.atomics);
        self.problem.others && (atomics || exchange(source, target))
    }

    /// What a step is worth where memory is not as it is modelled, or others touch it.
    fn worth(&self, step: Step, plan: &Plan, covers_others: bool) -> Step {
        let crowded = self.problem.is_crowded(&plan.sizes);
        match step {
            Step::Proved(_) if plan.traced => step,
            Step::Proved(_) if let Some(reason) = &self.doubt.proofs => Step::Next(reason.clone()),
            Step::Proved(_) if crowded && !covers_others => Step::Next(disturbed()),
            Step::Refuted(..) if let Some(reason) = &self.doubt.refutations => {
                Step::Stuck(reason.clone())
            }
            // Where nobody waits for the others, they need not have entered.
            Step::Refuted(..) if crowded && self.needs_others() => Step::Next(disturbed()),
            step => step,
        }
    }

    /// In the states that are looked at all other subgroups enter, too, or must.
    fn needs_others(&self) -> bool {
        let gathers = |flat: &Flat| flat.gathers();
        let target = self.problem.target.is_some_and(gathers);
        self.problem.all_active || target || gathers(self.problem.source)
    }

    /// Some loop is written out, and may have more rounds.
    pub(crate) fn loops(&self) -> bool {
        let target = self.problem.target.is_some_and(Flat::may_overrun);
        target || self.problem.source.may_overrun()
    }

    /// There is a target, and some side touches memory that lanes share.
    fn compares_memory(&self) -> bool {
        let touches = |flat: &Flat| !flat.accesses.is_empty();
        self.problem.target.is_some_and(|target| touches(target) || touches(self.problem.source))
    }

    /// So many rounds were not enough.
    pub(crate) fn exceeded(&self) -> bool {
        self.exceeded
    }

    /// A new obligation begins.
    pub(crate) fn restart(&mut self) {
        self.limits.restart();
        self.solver = Duration::ZERO;
    }

    pub(crate) fn obligation(
        &self,
        size: Option<u32>,
        verdict: Verdict,
        rung: Option<Rung>,
    ) -> Obligation {
        obligation(size, verdict, rung, self.limits.started, self.solver)
    }

    pub(crate) fn rests_on(&self) -> Vec<String> {
        self.readings.iter().cloned().collect()
    }

    /// What a proof does not rest on: what is left to the implementation, in the target only, was
    /// shown for all that it may choose.
    pub(crate) fn forget_choices_of_target(&self, report: &mut Report) {
        let settled = self.problem.settled;
        let choice = |reading: &String| {
            [SWITCH_TANGLES, KILL].contains(&reading.as_str())
                && settled.alternative(reading).is_some_and(|it| **it == *"implementation-chooses")
        };
        if report.verdict == Verdict::Proved {
            report.rests_on.retain(|it| !choice(it) || self.source_readings.contains(it));
        }
    }

    /// What was tried, in order.
    pub(crate) fn log(&self) -> &[Tried] {
        self.log.all()
    }

    /// A reading that was met and that nothing settles.
    pub(crate) fn unsettled(&self) -> Option<&Unsettled> {
        self.unsettled.as_ref()
    }

    /// Tries one strategy of a phase after the other.
    pub(crate) fn climb(&mut self, sizes: &Sizes, phase: Phase) -> Attempt {
        self.exceeded = false;
        let mut tried = Vec::new();
        let mut pending = self.pending(sizes, phase, false);
        let mut joint = false;
        while let Some((strategy, plan)) = pending.pop() {
            let begun = Instant::now();
            let step = self.step(&plan);
            self.note(strategy, sizes, begun, step.outcome());
            match step {
                Step::Proved(rung) => return Attempt::Proved(rung),
                Step::Refuted(rung, found) => return Attempt::Refuted(rung, found),
                Step::Next(why) => tried.push(why),
                Step::Stuck(why) => return Attempt::Unknown(why),
                Step::Choices => {
                    if matches!(sizes, Sizes::All(_)) {
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

    fn step(&mut self, plan: &Plan) -> Step {
        self.limits.divide(plan.share);
        if let Some(reason) = self.limits.over() {
            return Step::Stuck(reason);
        }
        let mut built = match build(&self.problem, plan, self.limits.deadline()) {
            Ok(built) => built,
            Err(error @ (DenoteError::NotMovement(_) | DenoteError::OutOfTime)) => {
                return Step::Next(error.into());
            }
            Err(error @ (DenoteError::NotModelled(_) | DenoteError::NotModelledIn { .. }))
                if plan.view == View::Surveyed || plan.traced =>
            {
                return Step::Next(error.into());
            }
            Err(error) => {
                if let DenoteError::NotModelledBy(_, reading) = &error {
                    self.readings.insert(reading.to_string());
                }
                self.unsettled = self.unsettled.take().or_else(|| Unsettled::of(&error));
                return Step::Stuck(error.into());
            }
        };
        self.note_readings(&built);
        let unbounded = match self.rounds(&built, plan) {
            Rounds::Written => None,
            Rounds::More(reason) => Some(reason),
            Rounds::Settled(step) => return self.worth(step, plan, false),
        };
        if plan.joint
            && let Some(reason) = unbounded
        {
            return Step::Stuck(reason);
        }
        let within = built.pool.not(built.overrun);
        built.state.push(within);
        let step = self.refinement(&mut built, plan);
        let step = self.worth(step, plan, built.covers_others);
        // Lane by lane, the target touches what the source touches, and others find the same;
        // between two atomics they may leave something else.
        let one = self.problem.subgroups.is_none();
        let alike = |target: &Flat| plan.traced || plan.lanewise && one && !target.atomics;
        let touches = |target: &Flat| !target.accesses.is_empty() && !alike(target);
        let touches = self.problem.target.is_some_and(touches);
        self.undisturbed |= matches!(step, Step::Proved(_)) && touches;
        match (step, unbounded) {
            // Here every lane was looked at: it is really so.
            (Step::Proved(_) | Step::Next(_), Some(reason))
                if self.exceeded && plan.view == View::EveryLane =>
            {
                Step::Stuck(reason)
            }
            (Step::Proved(_), Some(reason)) => Step::Next(reason),
            (step, _) => step,
        }
    }

    /// Whether all rounds of all loops are written out.
    fn rounds(&mut self, built: &Built<'_>, plan: &Plan) -> Rounds {
        if built.pool.bool_of(built.overrun) == Some(false) {
            return Rounds::Written;
        }
        let mut assertions = built.state.clone();
        assertions.push(built.overrun);
        let reason = Unknown::BoundReached(Bound::Iterations(self.bound));
        let asked = Question::Iterations(self.bound);
        match self.ask(built, plan, Kind::Rounds, &assertions) {
            Answer::Unsat => Rounds::Written,
            Answer::Unknown(why) if plan.diagrams => {
                // More rounds cost little here.
                self.exceeded = true;
                Rounds::Settled(Step::Stuck(why.about(asked)))
            }
            Answer::Unknown(why) => Rounds::More(why.about(asked)),
            Answer::Sat(_) if built.surveyed => Rounds::Settled(Step::Next(reason)),
            Answer::Sat(model) => {
                // With choices of its own the source may explain what it cannot explain here.
                if built.pool.evaluate(&[built.small], &model)[0].is_true() {
                    match self.candidate(built, &model, rung_of(built, plan, false), false) {
                        refuted @ Step::Refuted(..) => return Rounds::Settled(refuted),
                        // No number of rounds will do.
                        Step::Next(reason @ Unknown::NotReplayed(NotReplayed::SourceMayNotEnd))
                            if plan.view == View::EveryLane =>
                        {
                            return Rounds::Settled(Step::Stuck(reason));
                        }
                        _ => {}
                    }
                }
                self.exceeded = true;
                match (self.refutes, plan.view) {
                    (true, _) => Rounds::More(reason),
                    (false, View::EveryLane) => Rounds::Settled(Step::Stuck(reason)),
                    (false, _) => Rounds::Settled(Step::Next(reason)),
                }
            }
        }
    }

    fn refinement(&mut self, built: &mut Built<'_>, plan: &Plan) -> Step {
        if plan.joint {
            let rung = rung_of(built, plan, false);
            return self.joint_step(built, plan, rung);
        }
        if plan.lanewise || plan.traced {
            return self.lane_by_lane(built, plan);
        }
        // A property is to hold whatever it chooses: a choice that breaks it is a model.
        if self.target.is_some() && !built.source.choices.is_empty() {
            return match plan.view {
                View::Surveyed => Step::Next(choices()),
                _ => self.answered(built, plan).unwrap_or(Step::Choices),
            };
        }
        let (silent, spoken) = silence(built);
        let bad = built.pool.or(built.target_fails, built.disagrees);
        let mut assertions = built.state.clone();
        assertions.extend([built.source_legal, spoken, bad]);
        if let Some(less) = built.presumed_at_little_cost(&assertions) {
            let mut assertions = [assertions.as_slice(), &[less]].concat();
            let counted = built.count_by_laws(plan, &mut assertions);
            if let Answer::Unsat = self.ask(built, plan, Kind::PresumingLess, &assertions) {
                return self.unless_silent(built, plan, silent, rung_of(built, plan, counted));
            }
        }
        assertions.push(built.source_behaves);
        let counted = built.count_by_laws(plan, &mut assertions);
        match self.ask(built, plan, Kind::Main, &assertions) {
            Answer::Unsat => self.unless_silent(built, plan, silent, rung_of(built, plan, counted)),
            Answer::Unknown(reason) => Step::Next(reason),
            Answer::Sat(_) if built.surveyed => {
                Step::Next(Unknown::incomplete("instances do not settle it"))
            }
            Answer::Sat(model) => {
                let rung = rung_of(built, plan, counted);
                if built.pool.evaluate(&[built.small], &model)[0].is_true() {
                    return self.candidate(built, &model, rung, false);
                }
                // The solver's memories are too large to run in: are there smaller ones?
                assertions.push(built.small);
                match self.ask(built, plan, Kind::Small, &assertions) {
                    Answer::Sat(model) => self.candidate(built, &model, rung, false),
                    _ => Step::Next(Unknown::NotReplayed(NotReplayed::TooLarge)),
                }
            }
        }
    }

    /// Proved, unless there is a state about which the texts say nothing.
    fn unless_silent(&mut self, built: &Built<'_>, plan: &Plan, silent: Term, rung: Rung) -> Step {
        if built.silence.is_empty() {
            return Step::Proved(rung);
        }
        let mut assertions = built.state.clone();
        assertions.extend([built.source_behaves, built.source_legal, silent]);
        match self.ask(built, plan, Kind::Silence, &assertions) {
            Answer::Unsat => Step::Proved(rung),
            Answer::Unknown(reason) => Step::Next(reason),
            // Surveys are not known whole: such a state may be none.
            Answer::Sat(_) if built.surveyed => {
                Step::Next(Unknown::incomplete("the text may be silent"))
            }
            Answer::Sat(model) => {
                let clause = built
                    .silence
                    .iter()
                    .find(|it| built.pool.evaluate(&[it.condition], &model)[0].is_true());
                let clause = clause.map_or("a clause", |it| &it.clause);
                Step::Stuck(Unknown::Silent(clause.to_owned()))
            }
        }
    }

    fn joint_step(&mut self, built: &mut Built<'_>, plan: &Plan, rung: Rung) -> Step {
        if !built.silence.is_empty() {
            let clause = built.silence[0].clause.clone();
            return Step::Stuck(Unknown::Silent(clause.to_string()));
        }
        let mut asker = Asker::new(self.questions, plan, &self.limits);
        // First in memories that a replay can take, then in any.
        let any_size = built.state.len();
        built.state.push(built.small);
        let mut answer = search(built, &mut asker);
        if matches!(answer, Joint::Explained) && built.pool.bool_of(built.small) != Some(true) {
            built.state.truncate(any_size);
            answer = match search(built, &mut asker) {
                Joint::Unexplained(_) => {
                    Joint::Unknown(Unknown::NotReplayed(NotReplayed::TooLarge))
                }
                other => other,
            };
        }
        self.solver += asker.spent;
        match answer {
            Joint::Explained => Step::Proved(rung),
            Joint::Unknown(reason) => Step::Stuck(reason),
            Joint::Unexplained(model) => self.candidate(built, &model, rung, true),
        }
    }

    /// A model refutes only what the interpreter shows again.
    fn candidate(
        &mut self,
        built: &Built<'_>,
        model: &Model,
        rung: Rung,
        refuted_for_all: bool,
    ) -> Step {
        let (state, choices) = read(built, model, self.source.flat);
        match self.replay(&state, &choices, refuted_for_all) {
            Replay::Confirmed(shown) => {
                let found = counterexample(built, model, &state, &shown, self.source, self.target);
                Step::Refuted(rung, Box::new(found))
            }
            Replay::Explained => Step::Next(Unknown::NotReplayed(NotReplayed::Explained)),
            Replay::Endless => Step::Next(Unknown::NotReplayed(NotReplayed::SourceMayNotEnd)),
            Replay::Undecided(reason) => Step::Next(reason),
        }
    }

    fn replay(&self, state: &State, choices: &Recorded, refuted_for_all: bool) -> Replay {
        replay(
            self.source,
            self.target,
            state,
            choices,
            self.problem.specification,
            self.problem.settled,
            self.problem.outputs,
            refuted_for_all,
            self.limits.deadline(),
        )
    }

    fn ask(&mut self, built: &Built<'_>, plan: &Plan, kind: Kind, assertions: &[Term]) -> Answer {
        let mut asker = Asker::new(self.questions, plan, &self.limits);
        let answer = asker.ask(built, kind, assertions);
        self.solver += asker.spent;
        answer
    }

    fn note_readings(&mut self, built: &Built<'_>) {
        let sides = [Some(&built.source), built.target.as_ref()];
        for reading in sides.into_iter().flatten().flat_map(|side| side.readings()) {
            self.readings.insert(reading.to_string());
        }
        self.source_readings.extend(built.source.readings().map(str::to_owned));
        self.asks_for_place |= built.place.consulted;
        self.apart.source |= built.source.is_apart();
        self.apart.target |= built.target.as_ref().is_some_and(Side::is_apart);
    }
}

fn rung_of(built: &Built<'_>, plan: &Plan, counted: bool) -> Rung {
    if plan.diagrams {
        return Rung::Diagrams;
    }
    match (built.folded || counted, built.moved) {
        (true, _) => Rung::Laws,
        (false, true) => Rung::Movement,
        (false, false) => Rung::Bits,
    }
}
