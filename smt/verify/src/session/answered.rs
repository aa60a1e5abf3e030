//! Proofs by Skolem templates.

use laneproof_ask::{QuestionKind, SkolemTemplate as Answered, unanswered};
use laneproof_encode::EncodingPlan;
use laneproof_obligation::Built;
use laneproof_outcome::Unknown;
use laneproof_semantics::term::Term;
use laneproof_solve::SolverAnswer;

use super::{Session, Step, abstraction_of};
use crate::replay::Found;

/// Up to this number of lanes, CEGIS is as fast as a template.
const FEW: u32 = 4;
/// `1 / FOR_ANY` of the time is for the question whether the target agrees with every choice: where it does,
/// nothing ties the source's choices to the target's values.
const FOR_ANY: u32 = 2;

impl Session<'_> {
    /// Counts become constants with axioms, if the plan says so; whether there were any.
    pub(super) fn counted(
        &self,
        built: &mut Built<'_>,
        plan: &EncodingPlan,
        assertions: &mut Vec<Term>,
    ) -> bool {
        built.count_by_axioms(plan, assertions, self.effort.limits.deadline())
    }

    /// The strategy `lane-by-lane`, with the source choosing as the target does.
    pub(super) fn lane_by_lane(&mut self, built: &mut Built<'_>, plan: &EncodingPlan) -> Step {
        let (silent, spoken) = silence(built);
        for answer in [Answered::Alike, Answered::AlikeFromTheEnd] {
            let mut assertions = unanswered(built, answer, &[spoken]);
            let counted = self.counted(built, plan, &mut assertions);
            let abstraction = abstraction_of(built, plan, counted);
            match self.ask(built, plan, QuestionKind::Answered, &assertions) {
                SolverAnswer::Unsat => return self.unless_silent(built, plan, silent, abstraction),
                SolverAnswer::Unknown(reason) => return Step::Next(reason),
                // A state that this template does not explain may be a refutation.
                SolverAnswer::Sat(model) => {
                    if built.pool.evaluate(&[built.states.small], &model)[0].is_true()
                        && let refuted @ Step::Refuted(..) =
                            self.candidate(built, plan, &model, abstraction, Found::ForSomeChoice)
                    {
                        return refuted;
                    }
                    if built.source.choices.is_empty() {
                        break;
                    }
                }
            }
        }
        Step::Next(Unknown::incomplete("lanes do not do the same one by one"))
    }

    /// Tries the templates.
    pub(super) fn answered(&mut self, built: &mut Built<'_>, plan: &EncodingPlan) -> Option<Step> {
        // Shared memory is compared for all lanes together.
        let sides = [Some(&built.source), built.target.as_ref()];
        if sides.into_iter().flatten().any(|side| !side.flat.memory.accesses.is_empty()) {
            return None;
        }
        let (silent, spoken) = silence(built);
        let opened = built.source.opened().next().is_some();
        let answers: &[Answered] = match () {
            () if plan.diagrams && opened => &Answered::DETERMINED,
            () if plan.diagrams => &Answered::FREE,
            () if built.entry.bound <= FEW => &Answered::ALL[..2],
            () => &Answered::ALL,
        };
        for &answer in answers {
            let mut assertions = unanswered(built, answer, &[spoken]);
            let counted = self.counted(built, plan, &mut assertions);
            let abstraction = abstraction_of(built, plan, counted);
            let limits = self.effort.limits.clone();
            if answer == Answered::Any && !plan.diagrams {
                self.effort.limits = limits.portion(FOR_ANY);
            }
            let reply = self.ask(built, plan, QuestionKind::Answered, &assertions);
            self.effort.limits = limits;
            match reply {
                SolverAnswer::Unsat => {
                    return Some(self.unless_silent(built, plan, silent, abstraction));
                }
                // A state that this template does not explain may be a refutation.
                SolverAnswer::Sat(model) if answer == Answered::Alike => {
                    if let refuted @ Step::Refuted(..) =
                        self.candidate(built, plan, &model, abstraction, Found::ForSomeChoice)
                    {
                        return Some(refuted);
                    }
                }
                SolverAnswer::Sat(_) | SolverAnswer::Unknown(_) => {}
            }
        }
        None
    }
}

/// Whether the text is silent somewhere, and the negation.
pub(super) fn silence(built: &mut Built<'_>) -> (Term, Term) {
    let conditions: Vec<_> = built.asks.silence.iter().map(|it| it.condition).collect();
    let silent = built.pool.any(conditions);
    (silent, built.pool.not(silent))
}
