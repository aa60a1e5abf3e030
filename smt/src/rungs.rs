//! One obligation at a time: built, asked, replayed.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use laneproof_interpreter::Zeros;
use laneproof_semantics::denote::DenoteError;

use crate::count::by_laws;
use crate::counterpart::{Answer as Answered, unanswered};
use crate::joint::{Inhabited, Joint, inhabited, search};
use crate::obligation::{Built, Plan, Problem, Sizes, View, build};
use crate::present::counterexample;
use crate::replay::{Recorded, Replay, State, Subject, read, replay, run};
use crate::solver::{Answer, Model, solve};
use crate::unsettled::Unsettled;
use crate::verdict::{Counterexample, Obligation, Rung, Verdict};
use crate::verify::{Effort, Options, obligation, plans};

/// What the ladder came to.
pub(crate) enum Attempt {
    Proved(Rung),
    Refuted(Rung, Box<Counterexample>),
    Unknown(String),
}

/// What one rung came to.
enum Step {
    Proved(Rung),
    Refuted(Rung, Box<Counterexample>),
    /// The next rung may know more.
    Next(String),
    /// The source has choices: all lanes must be explained together.
    Choices,
    /// No rung below will know more.
    Stuck(String),
}

/// Works on one problem.
pub(crate) struct Desk<'a> {
    problem: Problem<'a>,
    source: Subject<'a>,
    target: Option<Subject<'a>>,
    options: &'a Options,
    deadline: Option<Instant>,
    started: Instant,
    solver: Duration,
    readings: BTreeSet<String>,
    unsettled: Option<Unsettled>,
    written: usize,
    share: Duration,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(
        problem: Problem<'a>,
        source: Subject<'a>,
        target: Option<Subject<'a>>,
        options: &'a Options,
    ) -> Self {
        let started = Instant::now();
        Self {
            problem,
            source,
            target,
            options,
            deadline: options.total_timeout.map(|limit| started + limit),
            started,
            solver: Duration::ZERO,
            readings: BTreeSet::new(),
            unsettled: None,
            written: 0,
            share: options.timeout,
        }
    }

    /// A new obligation begins.
    pub(crate) fn restart(&mut self) {
        self.started = Instant::now();
        self.solver = Duration::ZERO;
    }

    pub(crate) fn obligation(
        &self,
        size: Option<u32>,
        verdict: Verdict,
        rung: Option<Rung>,
    ) -> Obligation {
        obligation(size, verdict, rung, self.started, self.solver)
    }

    pub(crate) fn rests_on(&self) -> Vec<String> {
        self.readings.iter().cloned().collect()
    }

    /// A reading that was met and that nothing settles.
    pub(crate) fn unsettled(&self) -> Option<&Unsettled> {
        self.unsettled.as_ref()
    }

    /// Tries one rung after the other.
    pub(crate) fn climb(&mut self, sizes: &Sizes, effort: Effort) -> Attempt {
        let mut reason = String::from("no encoding applies");
        let mut pending = plans(sizes, &self.options.rungs, effort, false);
        pending.reverse();
        let mut joint = false;
        while let Some(plan) = pending.pop() {
            match self.step(&plan) {
                Step::Proved(rung) => return Attempt::Proved(rung),
                Step::Refuted(rung, found) => return Attempt::Refuted(rung, found),
                Step::Next(why) => reason = why,
                Step::Stuck(why) => return Attempt::Unknown(why),
                Step::Choices => {
                    if matches!(sizes, Sizes::All(_)) {
                        return Attempt::Unknown("the source has choices".into());
                    }
                    if !joint {
                        joint = true;
                        pending = plans(sizes, &self.options.rungs, effort, true);
                    }
                }
            }
        }
        Attempt::Unknown(reason)
    }

    /// What is left of the time limit; of a plan's share, all that is left at most.
    fn left(&self) -> Duration {
        let own = self.options.timeout.saturating_sub(self.started.elapsed()).min(self.share);
        match self.deadline {
            Some(deadline) => own.min(deadline.saturating_duration_since(Instant::now())),
            None => own,
        }
    }

    fn step(&mut self, plan: &Plan) -> Step {
        self.share = self.options.timeout / plan.share;
        if self.left().is_zero() {
            let limit = self.options.timeout.as_secs_f64();
            return Step::Stuck(format!("the limit of {limit} s ran out"));
        }
        let mut built = match build(&self.problem, plan, Instant::now() + self.left()) {
            Ok(built) => built,
            Err(DenoteError::NotMovement(_)) => {
                return Step::Next("a payload that is only moved is computed with".into());
            }
            Err(DenoteError::OutOfTime) => {
                return Step::Next(DenoteError::OutOfTime.to_string());
            }
            Err(error) => {
                self.unsettled = self.unsettled.take().or_else(|| Unsettled::of(&error));
                return Step::Stuck(error.to_string());
            }
        };
        self.note_readings(&built);
        let mut counted = false;
        if plan.joint {
            let rung = rung_of(&built, counted);
            return self.joint_step(&mut built, rung);
        }
        // A property is to hold whatever it chooses: a choice that breaks it is a model.
        if self.target.is_some() && !built.source.choices.is_empty() {
            return self.answered(&mut built, plan).unwrap_or(Step::Choices);
        }
        let conditions: Vec<_> = built.silence.iter().map(|it| it.condition).collect();
        let silent = built.pool.any(conditions);
        let spoken = built.pool.not(silent);
        let bad = built.pool.or(built.target_fails, built.disagrees);
        let mut assertions = built.state.clone();
        assertions.extend([built.source_behaves, built.source_legal, spoken, bad]);
        if plan.laws {
            let counts = by_laws(&mut built.pool, &mut assertions, built.lane);
            counted = !counts.is_empty();
            assertions.extend(counts);
        }
        let name = self.smt2_path(plan);
        match self.ask(&built, &assertions, name) {
            Answer::Unsat => self.unless_silent(&built, silent, rung_of(&built, counted)),
            Answer::Unknown(reason) => Step::Next(reason),
            Answer::Sat(model) => {
                let rung = rung_of(&built, counted);
                if built.pool.evaluate(&[built.small], &model)[0].is_true() {
                    return self.candidate(&built, &model, rung, false);
                }
                // The solver's memories are too large to run in: are there smaller ones?
                assertions.push(built.small);
                match self.ask(&built, &assertions, None) {
                    Answer::Sat(model) => self.candidate(&built, &model, rung, false),
                    _ => Step::Next("only memories too large to replay would refute it".into()),
                }
            }
        }
    }

    /// Tries answers that the source gives in advance to all that it may choose.
    fn answered(&mut self, built: &mut Built<'_>, plan: &Plan) -> Option<Step> {
        // What lanes do to memory is looked at together, in the search.
        let sides = [Some(&built.source), built.target.as_ref()];
        if sides.into_iter().flatten().any(|side| !side.flat.accesses.is_empty()) {
            return None;
        }
        let conditions: Vec<_> = built.silence.iter().map(|it| it.condition).collect();
        let silent = built.pool.any(conditions);
        let spoken = built.pool.not(silent);
        for answer in Answered::ALL {
            let mut assertions = unanswered(built, answer, &[spoken]);
            let mut counted = false;
            if plan.laws {
                let counts = by_laws(&mut built.pool, &mut assertions, built.lane);
                counted = !counts.is_empty();
                assertions.extend(counts);
            }
            let rung = rung_of(built, counted);
            match self.ask(built, &assertions, None) {
                Answer::Unsat => return Some(self.unless_silent(built, silent, rung)),
                // A state that this answer does not explain may be one that none does.
                Answer::Sat(model) if answer == Answered::Alike => {
                    if let refuted @ Step::Refuted(..) = self.candidate(built, &model, rung, false)
                    {
                        return Some(refuted);
                    }
                }
                Answer::Sat(_) | Answer::Unknown(_) => {}
            }
        }
        None
    }

    /// Proved, unless there is a state about which the texts say nothing.
    fn unless_silent(
        &mut self,
        built: &Built<'_>,
        silent: laneproof_semantics::term::Term,
        rung: Rung,
    ) -> Step {
        if built.silence.is_empty() {
            return Step::Proved(rung);
        }
        let mut assertions = built.state.clone();
        assertions.extend([built.source_behaves, built.source_legal, silent]);
        match self.ask(built, &assertions, None) {
            Answer::Unsat => Step::Proved(rung),
            Answer::Unknown(reason) => Step::Next(reason),
            Answer::Sat(model) => {
                let clause = built
                    .silence
                    .iter()
                    .find(|it| built.pool.evaluate(&[it.condition], &model)[0].is_true());
                let clause = clause.map_or("a clause", |it| &it.clause);
                Step::Stuck(format!("the text is silent: {clause}"))
            }
        }
    }

    fn joint_step(&mut self, built: &mut Built<'_>, rung: Rung) -> Step {
        if !built.silence.is_empty() {
            let clause = built.silence[0].clause.clone();
            return Step::Stuck(format!("the text may be silent: {clause}"));
        }
        let mut spent = Duration::ZERO;
        // First in memories that a replay can take, then in any.
        let any_size = built.state.len();
        built.state.push(built.small);
        let mut answer = search(built, self.left(), &mut spent);
        if matches!(answer, Joint::Explained) && built.pool.bool_of(built.small) != Some(true) {
            built.state.truncate(any_size);
            answer = match search(built, self.left(), &mut spent) {
                Joint::Unexplained(_) => {
                    Joint::Unknown("only memories too large to replay would refute it".into())
                }
                other => other,
            };
        }
        self.solver += spent;
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
            Replay::Explained => {
                Step::Next("a counterexample of this encoding did not replay".into())
            }
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
        )
    }

    fn ask(
        &mut self,
        built: &Built<'_>,
        assertions: &[laneproof_semantics::term::Term],
        smt2: Option<PathBuf>,
    ) -> Answer {
        let started = Instant::now();
        let answer = solve(&built.pool, assertions, self.left(), smt2.as_deref());
        self.solver += started.elapsed();
        answer
    }

    fn smt2_path(&mut self, plan: &Plan) -> Option<PathBuf> {
        let folder = self.options.smt2.as_ref()?;
        self.written += 1;
        let size = match &plan.sizes {
            Sizes::All(_) => "all".to_owned(),
            Sizes::One(size) => size.to_string(),
        };
        Some(folder.join(format!("{:03}-size-{size}.smt2", self.written)))
    }

    fn note_readings(&mut self, built: &Built<'_>) {
        let sides = [Some(&built.source), built.target.as_ref()];
        for reading in sides.into_iter().flatten().flat_map(|side| side.readings()) {
            self.readings.insert(reading.to_string());
        }
    }

    /// Is there a state that the source's preconditions allow? The interpreter runs it.
    pub(crate) fn vacuity(&mut self, sizes: &[u32]) -> (Verdict, Option<String>) {
        let mut reason = None;
        for &size in sizes {
            let plan = Plan {
                sizes: Sizes::One(size),
                view: View::AnyLaneOfAll,
                tags: false,
                laws: false,
                joint: true,
                share: 1,
            };
            match self.inhabited(&plan) {
                Ok(true) => return (Verdict::Proved, None),
                Ok(false) => {}
                Err(why) => reason = Some(format!("whether any state is met: {why}")),
            }
        }
        match reason {
            Some(reason) => (Verdict::Unknown, Some(reason)),
            None => (Verdict::Vacuous, Some("no state meets the source's preconditions".into())),
        }
    }

    fn inhabited(&mut self, plan: &Plan) -> Result<bool, String> {
        self.share = self.options.timeout;
        let deadline = Instant::now() + self.options.timeout;
        let mut built = build(&self.problem, plan, deadline).map_err(|error| error.to_string())?;
        let mut spent = Duration::ZERO;
        let any_size = built.state.len();
        built.state.push(built.small);
        let mut answer = inhabited(&mut built, self.options.timeout, &mut spent);
        if matches!(answer, Inhabited::No) && built.pool.bool_of(built.small) != Some(true) {
            built.state.truncate(any_size);
            answer = match inhabited(&mut built, self.options.timeout, &mut spent) {
                Inhabited::Yes(_) => Inhabited::Unknown("its memory is too large to run in".into()),
                other => other,
            };
        }
        self.solver += spent;
        match answer {
            Inhabited::No => Ok(false),
            Inhabited::Unknown(reason) => Err(reason),
            Inhabited::Yes(model) => {
                let (state, _) = read(&built, &model, self.source.flat);
                let settled = self.problem.settled;
                let specification = self.problem.specification;
                run(self.source, &state, specification, settled, &mut Zeros, false)
                    .map(|_| true)
                    .map_err(|stop| format!("a state that the solver found does not run: {stop}"))
            }
        }
    }
}

fn rung_of(built: &Built<'_>, counted: bool) -> Rung {
    match (built.folded || counted, built.moved) {
        (true, _) => Rung::Laws,
        (false, true) => Rung::Movement,
        (false, false) => Rung::Bits,
    }
}
