//! Results that clauses leave open, put in each other's place.

use std::collections::HashMap;

use laneproof_semantics::term::{Pool, Sort, Term};

use super::InstructionStates;

impl InstructionStates<'_> {
    /// The open leaves of results, in the outcomes so far.
    pub fn open_leaves(&self) -> Vec<usize> {
        let mut leaves: Vec<usize> = self.group.open_results().map(|(leaf, _)| leaf).collect();
        leaves.sort_unstable();
        leaves
    }

    /// The result of a lane in a leaf that is left open.
    pub fn open_result(&mut self, leaf: usize, lane: u32) -> Option<Term> {
        let (_, symbol) = self.group.open_results().find(|(known, _)| *known == leaf)?;
        let lane = self.lane(lane);
        Some(self.group.pool.apply(symbol, lane))
    }

    /// `term` about other results: that of each leaf and lane is what `other` gives for it.
    pub fn about_other_results(
        &mut self,
        term: Term,
        other: &mut impl FnMut(&mut Pool, usize, u32, Sort) -> Term,
    ) -> Term {
        let mut replacements = HashMap::new();
        for leaf in self.open_leaves() {
            for lane in 0..self.existing() {
                let Some(own) = self.open_result(leaf, lane) else { continue };
                let pool = self.pool();
                let sort = pool.sort(own);
                let other = other(pool, leaf, lane, sort);
                replacements.insert(own, other);
            }
        }
        self.pool().substitute(term, &replacements)
    }
}
