//! Results that a relation describes: which of their leaves it determines.

use laneproof_semantics::evaluate::{Bits, Subgroup};
use laneproof_semantics::term::{GroundValue, Sort, Term};
use laneproof_solve::SolverLimit;

use super::InstructionStates;
use crate::model_check::{Meaning, ModelCheckError};

/// A leaf of a lane's result: leaf, lane.
type Place = (usize, u32);

impl InstructionStates<'_> {
    /// The results of all existing lanes in a state, as the clauses relate them: of each lane its
    /// leaves, `None` where more than one value is legal; of lanes that are not active nothing.
    /// `None` where no results are legal. Nothing is drawn.
    ///
    /// # Errors
    ///
    /// Where the clauses have no terms, or the solver does not decide within `limit` a question.
    pub fn determined(
        &mut self,
        meaning: &Meaning<'_>,
        subgroup: &Subgroup,
        limit: SolverLimit,
    ) -> Result<Option<Vec<Option<Vec<Bits>>>>, ModelCheckError> {
        let active = |lane: &u32| subgroup.active >> lane & 1 == 1;
        let active: Vec<u32> = (0..self.existing).filter(active).collect();
        let mut facts = Vec::new();
        for &lane in &active {
            facts.extend(self.outcome(meaning, lane)?.such_that);
        }
        facts.extend(self.group.facts(subgroup, &mut |_, _, _, _| 0));
        let Some(model) = self.model(&facts, limit)? else { return Ok(None) };
        let leaves = self.instance.result.as_ref().map_or(0, |ty| ty.leaf_count());
        let mut results: Vec<Option<Vec<Bits>>> = vec![None; self.existing as usize];
        for &lane in &active {
            results[lane as usize] = Some(vec![None; leaves]);
        }
        let mut open: Vec<_> = self.group.open_results().collect();
        // Leaves that are equal in all lanes are checked together.
        open.sort_by_key(|(leaf, _)| *leaf);
        let mut others = Vec::new();
        for (leaf, symbol) in open {
            for &lane in &active {
                let value = model.chosen(symbol, lane).unwrap_or(GroundValue::Bits(0));
                let at = self.lane(lane);
                let pool = &mut self.group.pool;
                let here = pool.apply(symbol, at);
                let known = match pool.sort(here) {
                    Sort::Bits(width) => pool.bits(value.as_bits(), width),
                    Sort::Bool | Sort::Tag => pool.bool(value.as_bits() & 1 == 1),
                };
                let same = pool.equal(here, known);
                others.push(((leaf, lane), pool.not(same)));
                if let Some(Some(leaves)) = results.get_mut(lane as usize) {
                    leaves[leaf] = Some(value.as_bits() as u64);
                }
            }
        }
        for (leaf, lane) in self.varying(&facts, &others, limit)? {
            if let Some(Some(leaves)) = results.get_mut(lane as usize) {
                leaves[leaf] = None;
            }
        }
        Ok(Some(results))
    }

    /// The leaves and lanes that may have another value under `facts`.
    fn varying(
        &mut self,
        facts: &[Term],
        others: &[(Place, Term)],
        limit: SolverLimit,
    ) -> Result<Vec<Place>, ModelCheckError> {
        let terms: Vec<Term> = others.iter().map(|(_, other)| *other).collect();
        let [some, all] = [self.pool().any(terms.clone()), self.pool().all(terms)];
        if others.is_empty() || self.model(&[facts, &[some]].concat(), limit)?.is_none() {
            return Ok(Vec::new());
        }
        if others.len() == 1 || self.model(&[facts, &[all]].concat(), limit)?.is_some() {
            return Ok(others.iter().map(|(place, _)| *place).collect());
        }
        let (first, rest) = others.split_at(others.len() / 2);
        let first = self.varying(facts, first, limit)?;
        Ok([first, self.varying(facts, rest, limit)?].concat())
    }
}
