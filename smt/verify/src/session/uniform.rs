//! Parameters that the source assumes to be the same in all lanes.

use laneproof_ask::QuestionKind;
use laneproof_encode::{EncodingPlan, SizeSet, View};
use laneproof_obligation::{Leaves, apart_in_two_lanes, assumes};
use laneproof_solve::SolverAnswer;

use super::Session;

/// Each leaf of a parameter may take `1 / SHARE` of the limit.
const SHARE: u32 = 16;
/// The most leaves that are checked.
const LEAVES: u32 = 8;

impl Session<'_> {
    /// Finds the leaves of parameters that are equal in all lanes whenever the source's assumptions
    /// hold, at any of these sizes. From now on only such states are considered; the others are
    /// excused.
    pub(crate) fn find_uniform_parameters(&mut self, sizes: &[u32]) {
        self.problem.same = Leaves::default();
        if !assumes(self.problem.source) {
            return;
        }
        let plan = EncodingPlan {
            view: View::Quantified,
            axioms: true,
            ..EncodingPlan::per_lane(SizeSet::All(sizes.to_vec()), false)
        };
        let inputs = &self.problem.source.interface.inputs;
        let leaves = inputs.iter().map(|input| input.ty.leaves().len() as u32).sum::<u32>();
        let mut same = Leaves::default();
        for leaf in 0..leaves.min(LEAVES) {
            self.effort.limits.divide(SHARE);
            let deadline = self.effort.limits.deadline();
            let Ok(Some(built)) = apart_in_two_lanes(&self.problem, &plan, leaf, deadline) else {
                continue;
            };
            let mut assertions = built.states.known.clone();
            assertions.extend([built.asks.source_behaves, built.asks.disagrees]);
            match self.ask(&built, &plan, QuestionKind::Apart, &assertions) {
                SolverAnswer::Unsat => {
                    self.note_readings(&built);
                    same.insert(leaf);
                }
                SolverAnswer::Sat(_) => {}
                // If one leaf takes too long, the next one does, too.
                _ => break,
            }
        }
        self.problem.same = same;
    }
}
