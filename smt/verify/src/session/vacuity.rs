//! Vacuity: whether any state meets the preconditions.

use std::time::Instant;

use laneproof_ask::{Inhabited, QueryRunner, QuestionKind, inhabited};
use laneproof_encode::{EncodingPlan, LARGEST, SizeSet, Standpoint, View};
use laneproof_interpreter::{Enumerate, Zeros};
use laneproof_obligation::{Built, Entering, Problem, build};
use laneproof_outcome::{Bound, NotReplayed, Question, Unknown};
use laneproof_solve::SolverAnswer;

use super::Session;
use crate::replay::{Mode, State, read, run, stopped};
use crate::strategy::Strategy;
use crate::tried::StrategyOutcome;
use crate::verdict::Verdict;

/// The query with one lane may take `1 / ALONE` of the time.
const ALONE: u32 = 3;
/// Workgroups without a fixed size are looked at up to this many subgroups.
const SUBGROUPS: u32 = 4;
/// The most choices of the source that are run in a state in which a loop overruns.
const RUNS: u64 = 1 << 8;

/// Whether some state of a size meets the source's preconditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    Yes,
    No,
    /// Only states in which a loop takes more iterations than are unrolled.
    CutOff,
}

impl Session<'_> {
    /// Is there a state that the source's preconditions allow? The interpreter runs it. This takes
    /// what is left of the obligation's time.
    pub(crate) fn vacuity(&mut self, size: u32) -> (Verdict, Option<Unknown>) {
        if self.is_pure() {
            // A state of the sides is asked for, later.
            return (Verdict::Proved, None);
        }
        let begun = Instant::now();
        let (verdict, unknown) = self.some_state(size);
        let outcome = match (verdict, &unknown) {
            (_, Some(why)) => StrategyOutcome::GaveUp(why.clone()),
            (Verdict::Vacuous, None) => StrategyOutcome::Refuted,
            (_, None) => StrategyOutcome::Proved,
        };
        self.note(Strategy::Vacuity, &SizeSet::One(size), begun, outcome);
        (verdict, unknown)
    }

    fn some_state(&mut self, size: u32) -> (Verdict, Option<Unknown>) {
        // Where a source behaves only if the other subgroups enter, too, these are looked at.
        let sizes = SizeSet::One(size);
        let whole = self.problem.is_crowded(&sizes) && self.needs_others();
        if self.is_witnessed(size, whole) {
            return (Verdict::Proved, None);
        }
        if !whole {
            return self.met(size);
        }
        let before = self.problem.group;
        self.problem.group.others = false;
        let met = match before.declared.and_then(|it| it.invocations()) {
            Some(invocations) if invocations <= LARGEST => {
                self.problem.group.subgroups = Some(invocations.div_ceil(size));
                self.met(size)
            }
            Some(_) => self.met(size),
            None => self.met_in_some_workgroup(size),
        };
        self.problem.group = before;
        met
    }

    /// The same in a workgroup without a fixed size: of one subgroup, or of a few. That none of these
    /// has a state says nothing of the others.
    fn met_in_some_workgroup(&mut self, size: u32) -> (Verdict, Option<Unknown>) {
        let standpoint = self.problem.group.standpoint;
        self.problem.group.standpoint = Standpoint::Lone;
        let met = self.met(size);
        if met.0 != Verdict::Vacuous {
            return met;
        }
        self.problem.group.standpoint = standpoint;
        for subgroups in (2..=SUBGROUPS).filter(|it| it * size <= LARGEST) {
            self.problem.group.subgroups = Some(subgroups);
            let met = self.met(size);
            if met.0 != Verdict::Vacuous {
                return met;
            }
        }
        let why = Unknown::BoundReached(Bound::Subgroups(SUBGROUPS));
        (Verdict::Unknown, Some(why.about(Question::Vacuity(size))))
    }

    /// The same by the solver, with more iterations of loops as long as there are too few.
    fn met(&mut self, size: u32) -> (Verdict, Option<Unknown>) {
        let mut plan = EncodingPlan::per_lane(SizeSet::One(size), true);
        if self.problem.group.subgroups.is_none() {
            plan.view = View::AnyLaneOfAll;
        }
        loop {
            // The query with one lane is much smaller, and mostly enough.
            if !self.problem.group.all_active && self.inhabited(&plan, true) == Ok(Met::Yes) {
                return (Verdict::Proved, None);
            }
            let why = match self.inhabited(&plan, false) {
                Ok(Met::Yes) => return (Verdict::Proved, None),
                Ok(Met::No) => return (Verdict::Vacuous, None),
                Ok(Met::CutOff) => {
                    if let Some((unrollings, more)) = self
                        .unrolling
                        .unrollings
                        .and_then(|it| Some((it, it.after(self.unrolling.bound)?)))
                    {
                        self.unrolled(more, unrollings.after(more.iterations).is_none());
                        continue;
                    }
                    Unknown::BoundReached(Bound::Iterations(self.unrolling.bound))
                }
                Err(why) => why,
            };
            return (Verdict::Unknown, Some(why.about(Question::Vacuity(size))));
        }
    }

    /// The same with as many iterations as are unrolled, if `alone` with one lane.
    fn inhabited(&mut self, plan: &EncodingPlan, alone: bool) -> Result<Met, Unknown> {
        self.effort.limits.finish();
        if alone {
            self.effort.limits.divide(ALONE);
        }
        if let Some(reason) = self.effort.limits.over() {
            return Err(reason);
        }
        let deadline = self.effort.limits.deadline();
        let group = Entering { alone, ..self.problem.group };
        let problem = Problem { group, ..self.problem };
        let mut built = build(&problem, plan, deadline)?;
        let mut runner = QueryRunner::new(self.questions, plan, &self.effort.limits);
        let any_size = built.states.known.len();
        built.states.known.push(built.states.small);
        let mut answer = inhabited(&mut built, &mut runner, alone);
        if matches!(answer, Inhabited::No) && built.pool.bool_of(built.states.small) != Some(true) {
            built.states.known.truncate(any_size);
            answer = match inhabited(&mut built, &mut runner, alone) {
                Inhabited::Yes(_) => {
                    Inhabited::Unknown(Unknown::NotReplayed(NotReplayed::TooLarge))
                }
                other => other,
            };
        }
        self.effort.solver += runner.spent;
        match answer {
            Inhabited::No => self.met_further_on(&built, plan),
            Inhabited::Unknown(reason) => Err(reason),
            Inhabited::Yes(model) => {
                let (state, _) = read(&built, &model, self.source.flat);
                let (settled, specification) = (self.problem.settled, self.problem.specification);
                run(self.source, &state, specification, settled, &mut Zeros, Mode::Plain)
                    .map(|_| Met::Yes)
                    .map_err(|stop| stopped("source", &stop))
            }
        }
    }

    /// If no state is found in which all loops end within the unrolled iterations, searches one in
    /// which a loop goes on. The interpreter runs it to its end.
    fn met_further_on(&mut self, built: &Built<'_>, plan: &EncodingPlan) -> Result<Met, Unknown> {
        if built.pool.bool_of(built.asks.overrun) == Some(false) {
            return Ok(Met::No);
        }
        let mut assertions = built.states.known.clone();
        // The target's choices do not matter here.
        assertions.retain(|it| Some(*it) != built.states.given && *it != built.states.small);
        assertions.extend([built.asks.overrun, built.states.small]);
        match self.ask(built, plan, QuestionKind::Iterations, &assertions) {
            SolverAnswer::Unknown(reason) => Err(reason),
            SolverAnswer::Sat(model) => {
                let (state, _) = read(built, &model, self.source.flat);
                Ok(if self.behaves_from(&state) { Met::Yes } else { Met::CutOff })
            }
            SolverAnswer::Unsat if built.pool.bool_of(built.states.small) == Some(true) => {
                Ok(Met::No)
            }
            SolverAnswer::Unsat => {
                assertions.pop();
                match self.ask(built, plan, QuestionKind::Iterations, &assertions) {
                    SolverAnswer::Unsat => Ok(Met::No),
                    SolverAnswer::Sat(_) => Ok(Met::CutOff),
                    SolverAnswer::Unknown(reason) => Err(reason),
                }
            }
        }
    }

    /// From this state the source behaves under all choices, if these can be enumerated.
    fn behaves_from(&self, state: &State) -> bool {
        if self.source_read_otherwise(state).is_some() {
            return false;
        }
        let (settled, specification) = (self.problem.settled, self.problem.specification);
        let mut choices = Enumerate::new(RUNS);
        while choices.next() {
            if run(self.source, state, specification, settled, &mut choices, Mode::Plain).is_err() {
                return false;
            }
        }
        choices.complete()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use laneproof_module::load_text_unvalidated;
    use laneproof_semantics::Specification;
    use laneproof_semantics::denote::Settled;

    use super::*;
    use crate::options::Options;
    use crate::phase::Phase;
    use crate::replay::Subject;
    use crate::session::Attempt;
    use crate::unrolled::Doubt;
    use laneproof_ask::Questions;
    use laneproof_lower::{Loops, flatten};
    use laneproof_obligation::{Entering, Problem};
    use laneproof_outcome::TimeLimit;

    const SAME: &str = "OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        OpName %src \"src\"
        %u32 = OpTypeInt 32 0
        %fn = OpTypeFunction %u32 %u32
        %src = OpFunction %u32 None %fn
        %x = OpFunctionParameter %u32
        %entry = OpLabel
        OpReturnValue %x
        OpFunctionEnd";

    /// The vacuity query has the time that the proof left.
    #[test]
    fn vacuity_counts_within_the_obligation() {
        let program = load_text_unvalidated(SAME, "same").unwrap();
        let specification = Specification::built_in();
        let function = program.function("src").unwrap();
        let iterations = Loops::Iterations(1);
        let flat = flatten(
            &program,
            specification,
            function,
            &Vec::new(),
            iterations,
            &Default::default(),
        )
        .unwrap();
        let subject = Subject { program: &program, function, flat: &flat };
        let problem = Problem {
            specification,
            settled: &Settled::default(),
            source: &flat,
            target: Some(&flat),
            group: Entering {
                kernel: false,
                partial: false,
                standpoint: Standpoint::First,
                declared: None,
                required: laneproof_obligation::Required::default(),
                others: false,
                all_active: false,
                subgroups: None,
                alone: false,
            },
            outputs: false,
            shapes: &[],
            same: Default::default(),
            fixed: None,
        };
        let options = Options { timeout: Duration::from_secs(3600), ..Options::default() };
        let questions = Questions::new(None, "none");
        let doubt = Doubt::default();
        let mut session =
            Session::new(problem, subject, Some(subject), &options, &questions, &doubt);
        assert!(matches!(
            session.run_strategies(&SizeSet::One(4), Phase::Full),
            Attempt::Proved(_)
        ));
        let began = session.effort.limits.started;
        assert_eq!(session.vacuity(4), (Verdict::Proved, None));
        let plan = EncodingPlan::per_lane(SizeSet::One(4), true);
        assert_eq!(session.inhabited(&plan, false), Ok(Met::Yes));
        session.effort.limits.started = began.checked_sub(options.timeout).unwrap();
        let reason = session.inhabited(&plan, false).unwrap_err();
        assert_eq!(reason, Unknown::TimedOut(TimeLimit::Obligation(options.timeout)));
    }
}
