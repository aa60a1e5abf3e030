//! The queries: what each asks, in words, and one SMT-LIB 2 file for each, if the user wants to run
//! another solver on them.

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use laneproof_encode::{EncodingPlan, SizeSet, View};
use laneproof_obligation::Built;
use laneproof_outcome::Limits;
use laneproof_semantics::term::{Pool, Term};
use laneproof_solve::{
    Model, QueryFile, QueryFileError, SolverAnswer, SolverLimit, by_diagrams, found_without, solve,
};

use crate::sampling::sampled;

/// The steps of an induction over the iterations of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The code before the loop misbehaves.
    Enters,
    /// A part of the invariant fails when the loop is entered.
    Begins,
    /// An iteration does not preserve a part of the invariant.
    Stays,
    /// An iteration misbehaves.
    Behaves,
    /// An iteration makes no progress towards the end of the loop.
    Ends,
    /// After the loop the target misbehaves or disagrees.
    Answers,
    /// The hypothesis of the other steps can be met.
    Met,
}

impl Stage {
    const fn wording(self) -> (&'static str, &'static str) {
        match self {
            Self::Enters => ("enters", "what goes before the loop misbehaves"),
            Self::Begins => {
                ("begins", "a candidate for the invariant fails when the loop is entered")
            }
            Self::Stays => {
                ("stays", "an iteration that begins with the invariant loses a part of it")
            }
            Self::Behaves => ("behaves", "an iteration that begins with the invariant misbehaves"),
            Self::Ends => ("ends", "an iteration that begins with the invariant frees no lane"),
            Self::Answers => (
                "answers",
                "the loop is over, the invariant holds, and the target misbehaves or \
                 disagrees",
            ),
            Self::Met => ("met", "the invariant holds"),
        }
    }
}

/// The queries about one encoding, in the order in which they can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// A state that refutes the obligation.
    Main,
    /// A state that would refute it under a weaker hypothesis about the source.
    WeakenedHypothesis,
    /// A state that refutes it, with a Skolem template in place of the source's choices.
    Answered,
    /// A state that refutes it, with memories small enough for the interpreter.
    Small,
    /// A refutation whose state was simplified.
    Simplest,
    /// A state for which the text gives no consequence.
    Silence,
    /// A state in which the source behaves although some lane does not enter.
    Absent,
    /// A state in which the source's assumptions hold although a parameter differs between two
    /// lanes.
    Apart,
    /// A state in which a loop takes more iterations than are unrolled.
    Iterations,
    /// A state in which the functions differ after their loops leave equal values.
    AfterLoops,
    /// A step of an induction over the iterations of a loop.
    Induction(Stage),
    /// A state that none of this number of candidate choices of the source explains.
    Unexplained(usize),
    /// A choice of the source that explains the state just found.
    Explanation,
    /// A state in which the source behaves; with only lane 0 active, or with any lanes.
    Behaves {
        /// Only lane 0 is active.
        alone: bool,
    },
    /// A choice of the source that misbehaves in the state just found.
    Misbehaves,
}

/// The question for a state of the source, in a lane alone or in any lanes.
const fn of_vacuity(alone: bool) -> [&'static str; 3] {
    let sat = "a state that the claim is about, unless some choice of the source misbehaves";
    match alone {
        true => [
            "a state in which the source behaves and only the lowest lane is active",
            sat,
            "there is none with one lane only; states with more are asked for next",
        ],
        false => [
            "a state in which the source behaves",
            sat,
            "there is none: the claim is vacuous at this size",
        ],
    }
}

/// What a model means before the interpreter has replayed it.
const CANDIDATE: &str =
    "a candidate for a counterexample, which counts once the interpreter shows it again";

impl QuestionKind {
    /// Part of the file's name.
    const fn word(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::WeakenedHypothesis => "weakened-hypothesis",
            Self::Answered => "answered",
            Self::Small => "small",
            Self::Simplest => "simplest",
            Self::Silence => "silence",
            Self::Absent => "absent",
            Self::Apart => "apart",
            Self::Iterations => "iterations",
            Self::AfterLoops => "after-loops",
            Self::Induction(stage) => stage.wording().0,
            Self::Unexplained(_) => "joint-unexplained",
            Self::Explanation => "joint-explanation",
            Self::Behaves { .. } => "vacuity-behaves",
            Self::Misbehaves => "vacuity-misbehaves",
        }
    }

    /// The question, what `sat` means and what `unsat` means.
    fn wording(self) -> [String; 3] {
        let wording = match self {
            Self::Main => [
                "a state in which the source behaves, every clause speaks, and the target \
                 misbehaves or disagrees",
                CANDIDATE,
                "proved, if no clause is silent either and some state is met",
            ],
            Self::WeakenedHypothesis => [
                "a state in which every clause speaks, and the target misbehaves or disagrees, \
                 whether or not the source meets conditions on many lanes",
                "nothing: the source may misbehave there; the same is asked with all conditions",
                "proved, if no clause is silent either and some state is met",
            ],
            Self::Answered => [
                "a state in which the source, choosing in answer to the target, behaves, every \
                 clause speaks, and the target misbehaves or disagrees",
                "undecided: other choices of the source may explain the target",
                "proved, if no clause is silent either and some state is met",
            ],
            Self::Small => [
                "a state as in the question before, with memories small enough to run in",
                CANDIDATE,
                "undecided: what would refute it cannot be run",
            ],
            Self::Simplest => [
                "what was found, in the simpler state that these values are",
                "the counterexample that is shown",
                "the state that was found first is shown",
            ],
            Self::Silence => [
                "a state in which the source behaves and some clause gives no consequence",
                "undecided: what that state means is not known",
                "every clause speaks wherever the source behaves",
            ],
            Self::Absent => [
                "a state in which the source behaves though some lane does not enter",
                "states in which lanes do not enter count, too",
                "only states in which all lanes enter count",
            ],
            Self::Apart => [
                "a state in which all assumptions hold and a parameter differs in two lanes",
                "the parameter may be any lane's own",
                "only states in which it is the same in all lanes count",
            ],
            Self::Induction(stage) => return of_induction(stage),
            Self::Iterations => [
                "a state in which the source behaves and some loop takes more iterations than are \
                 unrolled",
                "undecided, unless the interpreter shows that the target never ends there",
                "all iterations that any loop takes are unrolled",
            ],
            Self::AfterLoops => [
                "a state in which the source behaves, loops of both sides leave the same, whatever \
                 that is, and the target misbehaves or disagrees",
                CANDIDATE,
                "undecided: the loops may leave something else",
            ],
            Self::Unexplained(count) => return unexplained(count),
            Self::Explanation => [
                "in the state just found, a choice of the source that explains the target",
                "one more candidate",
                "no choice explains it: a counterexample, once the interpreter shows it again",
            ],
            Self::Behaves { alone } => of_vacuity(alone),
            Self::Misbehaves => [
                "in the state just found, a choice of the source that misbehaves",
                "the state does not count; another one is asked for next",
                "the claim is about this state, so it is not vacuous",
            ],
        };
        wording.map(str::to_owned)
    }
}

fn of_induction(stage: Stage) -> [String; 3] {
    let wording = match stage {
        Stage::Met => [
            "a state in which the invariant holds",
            "the induction is about something",
            "undecided: the induction would prove anything",
        ],
        stage => {
            return [
                format!("a state in which {}", stage.wording().1),
                "undecided, as such a state may be none that is reached".to_owned(),
                "this step of the induction holds".to_owned(),
            ];
        }
    };
    wording.map(str::to_owned)
}

fn unexplained(candidates: usize) -> [String; 3] {
    [
        format!(
            "a state, and choices of the target, that none of {candidates} candidate choices of \
             the source explains"
        ),
        "that state is looked at next".to_owned(),
        "proved: in every state some candidate explains the target".to_owned(),
    ]
}

/// Where queries are written, and how many were written so far.
#[derive(Clone, Debug)]
pub struct Questions {
    folder: Option<PathBuf>,
    /// The profile, and the alternatives of readings under which the query is made.
    under: Vec<String>,
    written: Rc<Cell<usize>>,
    unwritten: Arc<OnceLock<QueryFileError>>,
}

impl Questions {
    /// Queries under a profile; they are written into `folder`, if there is one.
    pub fn new(folder: Option<PathBuf>, profile: &str) -> Self {
        let under = vec![format!("profile {profile}")];
        Self { folder, under, written: Rc::default(), unwritten: Arc::default() }
    }

    /// The first page that could not be written.
    pub fn unwritten(&self) -> Option<&QueryFileError> {
        self.unwritten.get()
    }

    /// The questions under one alternative of a reading that nothing settles.
    pub fn under(&self, reading: &str, alternative: &str) -> Self {
        let mut inner = self.clone();
        inner.under.push(format!("{reading} = {alternative}"));
        inner
    }

    /// The page for the next question, where questions are written.
    fn page(&self, plan: &EncodingPlan, kind: QuestionKind) -> Option<QueryFile> {
        let folder = self.folder.as_ref()?;
        let number = self.written.get() + 1;
        self.written.set(number);
        let (size, sizes) = match &plan.sizes {
            SizeSet::One(size) => (format!("size-{size}"), format!("SubgroupSize {size}")),
            SizeSet::All(sizes) => {
                let list: Vec<String> = sizes.iter().map(u32::to_string).collect();
                ("all-sizes".to_owned(), format!("SubgroupSize any of {}", list.join(", ")))
            }
        };
        let (view, lanes) = match plan.view {
            View::AnyLane => ("any-lane", "one symbolic lane, alone"),
            View::AnyLaneOfAll => {
                ("any-lane-of-all", "one symbolic lane, and all lanes of the source")
            }
            View::EveryLane => ("every-lane", "every lane by its number"),
            View::Quantified => ("quantified", "one symbolic lane, others by instances"),
        };
        let payloads = if plan.tags { "tags where only moved" } else { "bits" };
        let folds = if plan.axioms { "by axioms" } else { "exact" };
        let [asks, sat, unsat] = kind.wording();
        let header = format!(
            "; Question {number}: {sizes}, {}\n\
             ; Is there {asks}?\n\
             ;   sat: {sat}\n\
             ;   unsat: {unsat}\n\
             ; Lanes: {lanes}. Payloads: {payloads}. Reductions and counts: {folds}.\n\
             ; `name!n` is a value; `name@n` is what a function of the lane is at some lane.\n",
            self.under.join(", "),
        );
        let tried: String = self.under[1..].iter().map(|it| it.replace(" = ", "-") + "-").collect();
        let name = format!("{number:03}-{tried}{size}-{view}-{}.smt2", kind.word());
        Some(QueryFile { path: folder.join(name), header, unwritten: self.unwritten.clone() })
    }
}

/// Steps that decision diagrams may take for one query: a few seconds.
const STEPS: u64 = 1 << 24;
/// Steps for the query whether all iterations of a loop are unrolled. It is cheaper to unroll more
/// iterations than to decide a hard one.
const STEPS_FOR_ITERATIONS: u64 = 1 << 23;

/// Runs the queries about one encoding within the limits, and adds up their time.
pub struct QueryRunner<'a> {
    /// Where questions are written.
    pub questions: &'a Questions,
    /// How the obligation is encoded.
    pub plan: &'a EncodingPlan,
    /// The limits of time.
    pub limits: &'a Limits,
    /// Time that answers took so far.
    pub spent: Duration,
}

impl<'a> QueryRunner<'a> {
    /// A runner that has run no query yet.
    pub fn new(questions: &'a Questions, plan: &'a EncodingPlan, limits: &'a Limits) -> Self {
        Self { questions, plan, limits, spent: Duration::ZERO }
    }

    /// Runs a query about an obligation: by sampling, by decision diagrams or by the solver.
    pub fn ask(
        &mut self,
        built: &Built<'_>,
        kind: QuestionKind,
        assertions: &[Term],
    ) -> SolverAnswer {
        let found = || match kind {
            // Sampling cannot evaluate quantifiers, and has little to vary where the state is fixed
            // already.
            _ if built.abstracted.quantified => None,
            // Decision diagrams find no state, and take long to fail.
            _ if self.plan.diagrams && kind != QuestionKind::Iterations => None,
            QuestionKind::Explanation | QuestionKind::Misbehaves | QuestionKind::Simplest => None,
            _ => sampled(built, self.plan, assertions, self.limits.deadline()),
        };
        let found = self.limits.over().is_none().then(found).flatten();
        self.answer(&built.pool, kind, assertions, found)
    }

    /// Runs a query about terms of a pool.
    pub fn put(&mut self, pool: &Pool, kind: QuestionKind, assertions: &[Term]) -> SolverAnswer {
        self.answer(pool, kind, assertions, None)
    }

    /// The solver's answer, unless a model was found without it.
    fn answer(
        &mut self,
        pool: &Pool,
        kind: QuestionKind,
        assertions: &[Term],
        found: Option<Model>,
    ) -> SolverAnswer {
        if let Some(reason) = self.limits.over() {
            return SolverAnswer::Unknown(reason);
        }
        let started = Instant::now();
        let page = self.questions.page(self.plan, kind);
        let answer = match found {
            Some(model) => found_without(pool, assertions, model, page.as_ref()),
            None if self.plan.diagrams => {
                let steps =
                    if let QuestionKind::Iterations = kind { STEPS_FOR_ITERATIONS } else { STEPS };
                by_diagrams(pool, assertions, steps, self.limits.left(), page.as_ref())
            }
            None => {
                let limit =
                    SolverLimit::Either { time: self.limits.left(), units: self.limits.units() };
                solve(pool, assertions, limit, page.as_ref())
            }
        };
        self.spent += started.elapsed();
        answer
    }
}
