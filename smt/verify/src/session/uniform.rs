//! What the source assumes of the states: parameters that are the same in all lanes, that all lanes are
//! active.

use laneproof_ask::QuestionKind;
use laneproof_encode::{EncodingPlan, SizeSet, View, below};
use laneproof_obligation::{Leaves, Problem, apart_in_two_lanes, assumes, build};
use laneproof_solve::SolverAnswer;

use super::Session;
use super::answered::silence;

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

    /// Whether the source misbehaves, under each of its choices, in every state in which some lane is not
    /// active, at any of these sizes: `assume(ballotBitCount(ballot(true)) == SubgroupSize)`. Then these
    /// states are excused, and from now on all lanes are active. What is not active in the rest of a
    /// workgroup is not asked, so no workgroup may be declared.
    pub(crate) fn find_full_subgroups(&mut self, sizes: &[u32]) {
        let group = self.problem.group;
        if group.all_active || group.declared.is_some() || !assumes(self.problem.source) {
            return;
        }
        let mut sizes: Vec<u32> = sizes.iter().copied().filter(|&size| size > 1).collect();
        // Where a lane may be missing at a small size, no large one is asked about.
        sizes.sort_unstable();
        let full = !sizes.is_empty() && sizes.into_iter().all(|size| self.is_full(size));
        self.problem.group.all_active = full;
    }

    /// No lane is missing in any state of this size in which the source behaves.
    fn is_full(&mut self, size: u32) -> bool {
        self.effort.limits.divide(SHARE);
        let deadline = self.effort.limits.deadline();
        let plan =
            EncodingPlan { diagrams: true, ..EncodingPlan::per_lane(SizeSet::One(size), false) };
        // Only what the source requires is asked.
        let alone = Problem { target: Some(self.problem.source), ..self.problem };
        let Ok(mut built) = build(&alone, &plan, deadline) else { return false };
        let pool = &mut built.pool;
        let all = below(pool, built.entry.existing);
        let all_lanes = pool.equal(built.entry.active, all);
        let mut assertions = built.states.known.clone();
        // The target's choices do not matter here.
        assertions.retain(|it| Some(*it) != built.states.given);
        let absent = pool.not(all_lanes);
        let (silent, _) = silence(&mut built);
        // Where the text is silent, nothing is excused.
        let not_excused = built.pool.or(built.asks.source_behaves, silent);
        assertions.extend([not_excused, absent]);
        let answer = self.ask(&built, &plan, QuestionKind::Absent, &assertions);
        let full = matches!(answer, SolverAnswer::Unsat);
        if full {
            self.note_readings(&built);
        }
        full
    }
}
