//! Whether any state is met at all: a proof about none says nothing.

use laneproof_interpreter::Zeros;

use super::Desk;
use crate::joint::{Inhabited, inhabited};
use crate::obligation::{Plan, Problem, Sizes, View, build};
use crate::question::Asker;
use crate::replay::{read, run};
use crate::verdict::Verdict;

/// With one lane only, one part in so many of the time.
const ALONE: u32 = 3;

impl Desk<'_> {
    /// Is there a state that the source's preconditions allow? The interpreter runs it. This takes
    /// what is left of the obligation's time.
    pub(crate) fn vacuity(&mut self, sizes: &[u32]) -> (Verdict, Option<String>) {
        let mut reason = None;
        for &size in sizes {
            let mut plan = Plan::written_out(Sizes::One(size), true);
            if self.problem.subgroups.is_none() {
                plan.view = View::AnyLaneOfAll;
            }
            // With one lane there is much less to look at, and mostly it is enough.
            let alone = !self.problem.all_active && self.inhabited(&plan, true) == Ok(true);
            if alone {
                return (Verdict::Proved, None);
            }
            match self.inhabited(&plan, false) {
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

    fn inhabited(&mut self, plan: &Plan, alone: bool) -> Result<bool, String> {
        self.limits.finish();
        if alone {
            self.limits.divide(ALONE);
        }
        if let Some(reason) = self.limits.over() {
            return Err(reason);
        }
        let deadline = self.limits.deadline();
        let problem = Problem { alone, ..self.problem };
        let mut built = build(&problem, plan, deadline).map_err(|error| error.to_string())?;
        let mut asker = Asker::new(self.questions, plan, &self.limits);
        let any_size = built.state.len();
        built.state.push(built.small);
        let mut answer = inhabited(&mut built, &mut asker, alone);
        if matches!(answer, Inhabited::No) && built.pool.bool_of(built.small) != Some(true) {
            built.state.truncate(any_size);
            answer = match inhabited(&mut built, &mut asker, alone) {
                Inhabited::Yes(_) => Inhabited::Unknown("its memory is too large to run in".into()),
                other => other,
            };
        }
        self.solver += asker.spent;
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use laneproof_module::load_text_unvalidated;
    use laneproof_semantics::Specification;
    use laneproof_semantics::denote::Settled;

    use super::*;
    use crate::flat::{Loops, flatten};
    use crate::obligation::Problem;
    use crate::plans::Effort;
    use crate::question::Questions;
    use crate::replay::Subject;
    use crate::rungs::Attempt;
    use crate::verify::Options;

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

    /// What is asked after the proof, whether any state is met, has what the proof left.
    #[test]
    fn vacuity_counts_within_the_obligation() {
        let program = load_text_unvalidated(SAME, "same").unwrap();
        let specification = Specification::built_in();
        let function = program.function("src").unwrap();
        let rounds = Loops::Rounds(1);
        let flat = flatten(&program, specification, function, &Vec::new(), rounds).unwrap();
        let subject = Subject { program: &program, function, flat: &flat };
        let problem = Problem {
            specification,
            settled: &Settled::default(),
            source: &flat,
            target: Some(&flat),
            kernel: false,
            partial: false,
            any_subgroup: false,
            local_size: None,
            all_active: false,
            subgroups: None,
            alone: false,
            outputs: false,
            shapes: &[],
        };
        let options = Options { timeout: Duration::from_secs(3600), ..Options::default() };
        let questions = Questions::new(None, "none");
        let mut desk = Desk::new(problem, subject, Some(subject), &options, &questions);
        assert!(matches!(desk.climb(&Sizes::One(4), Effort::Full), Attempt::Proved(_)));
        let began = desk.limits.started;
        assert_eq!(desk.vacuity(&[4]), (Verdict::Proved, None));
        desk.limits.started = began.checked_sub(options.timeout).unwrap();
        let (verdict, reason) = desk.vacuity(&[4]);
        let reason = reason.unwrap();
        assert_eq!(verdict, Verdict::Unknown);
        assert!(reason.contains("the limit of 3600 s ran out"), "{reason}");
    }
}
