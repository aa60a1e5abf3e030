//! The strategy `induction`, for all sizes at once.

use std::collections::BTreeSet;
use std::time::Instant;

use laneproof_encode::{RECONVERGENCE, SizeSet};
use laneproof_induction::{Induced, Invariant, InvariantStatus, induct};
use laneproof_lower::{Flat, as_functions, exchange};
use laneproof_obligation::Problem;

use super::{Attempt, Session, disturbed};
use crate::abstraction::Abstraction;
use crate::fact::ProofFact;
use crate::reconvergence::Apart;
use crate::strategy::Strategy;
use crate::tried::StrategyOutcome;
use crate::unrolled::Unrolled;

impl Session<'_> {
    /// Tries all sizes at once by induction over the iterations of a loop, within fractions of the
    /// limit: the first one normally, the second one if an invariant is likely.
    pub(crate) fn induct(
        &mut self,
        unrolled: &Unrolled,
        sizes: &[u32],
        parts: [u32; 2],
    ) -> Attempt {
        let [limits, whole] = parts.map(|parts| self.effort.limits.portion(parts));
        let limits = [&limits, &whole];
        let looping = |flat: &Flat| flat.cut.is_some();
        let given = unrolled.target.as_ref();
        let both = looping(&unrolled.source) && given.is_some_and(looping);
        // Two loops are compared with what they store.
        let stored = given.filter(|_| !both).and_then(|it| as_functions(&unrolled.source, it));
        let (source, target) = match &stored {
            Some([source, target]) => (source, Some(target)),
            None => (&unrolled.source, given),
        };
        let problem = Problem { source, target, shapes: &unrolled.shapes, ..self.problem };
        let sizes = SizeSet::All(sizes.to_vec());
        let barred = self.is_barred_to_induction().then(disturbed);
        let barred = self.doubt.proofs.clone().or(barred);
        let invariants = &mut self.invariants;
        let begun = Instant::now();
        let induced =
            induct(&problem, &sizes, limits, self.questions, &mut self.effort.solver, invariants);
        let outcome = match (&induced, &barred) {
            (Induced::Proved { .. }, None) => StrategyOutcome::Proved,
            (Induced::Proved { .. }, Some(why)) | (Induced::Unknown(why), _) => {
                StrategyOutcome::GaveUp(why.clone())
            }
        };
        self.effort.facts = match &induced {
            Induced::Proved { readings, .. } => self.facts_of_induction(readings),
            Induced::Unknown(_) => Vec::new(),
        };
        self.note(Strategy::Induction, &sizes, begun, outcome);
        match induced {
            Induced::Proved { .. } if let Some(reason) = barred => Attempt::Unknown(reason),
            Induced::Proved { readings, asks_for_place } => {
                self.rests_on.asks_for_place |= asks_for_place;
                if readings.contains(RECONVERGENCE) {
                    self.rests_on.apart = Apart { source: true, target: true };
                }
                self.rests_on.readings.extend(readings);
                // Of two loops the accesses are compared, of one they are not.
                let touches = |target: &Flat| !target.memory.accesses.is_empty();
                self.rests_on.undisturbed |= !both && given.is_some_and(touches);
                Attempt::Proved(Abstraction::Induction)
            }
            Induced::Unknown(why) => Attempt::Unknown(why),
        }
    }

    /// The facts that an induction used: invariants and readings.
    fn facts_of_induction(&self, readings: &BTreeSet<String>) -> Vec<ProofFact> {
        let holds = |it: &&Invariant| matches!(it.status, InvariantStatus::Holds);
        let stated = self.invariants.iter().filter(holds);
        let stated = stated.map(|it| ProofFact::Stated(it.text.clone()));
        let readings = readings.iter().cloned().map(ProofFact::Reading);
        let pure = self.is_pure().then_some(ProofFact::PureFunctions);
        pure.into_iter().chain([ProofFact::Invariant]).chain(stated).chain(readings).collect()
    }

    /// Induction compares memory lane by lane, so it does not cover communication between
    /// subgroups.
    fn is_barred_to_induction(&self) -> bool {
        let Problem { source, target, .. } = self.problem;
        let atomics = source.memory.atomics || target.is_some_and(|it| it.memory.atomics);
        self.problem.group.others && (atomics || exchange(source, target))
    }
}
