//! Updates by lanes of several subgroups.
//!
//! Two lanes of one subgroup may have equal operands, as the terms of what is uniform say. Lanes of
//! several subgroups have unrelated ones.

use std::collections::{HashMap, HashSet};

use laneproof_lower::StepId;
use laneproof_semantics::denote::{AtomicUpdate, DenoteError, Leaf};
use laneproof_semantics::term::{Pool, Term};

use crate::encoder::Encoder;
use crate::lane::some_lane;

impl Encoder<'_, '_, '_> {
    /// The updates at two steps give the same, whichever comes first, whatever their operands are.
    pub fn commute_between_subgroups(
        &mut self,
        first: StepId,
        second: StepId,
    ) -> Result<bool, DenoteError> {
        let lane = some_lane(self.pool, "lane.i");
        let (Some(mine), Some(theirs)) = (self.update(first, lane)?, self.update(second, lane)?)
        else {
            return Ok(false);
        };
        let updates = [mine, theirs].map(|update| with_own_operands(self.pool, update));
        Ok(self.same_either_way(first, updates))
    }
}

/// The update with a fresh symbol for each greatest part that does not depend on what is found.
fn with_own_operands(pool: &mut Pool, update: AtomicUpdate) -> AtomicUpdate {
    let roots = [update.after.bits, update.after.undefined];
    let mut dependent = HashSet::from([update.before.bits, update.before.undefined]);
    let mut others: Vec<Term> = Vec::new();
    for term in pool.reachable(&roots) {
        let operands = Pool::operands(pool.node(term));
        if operands.iter().any(|operand| dependent.contains(operand)) {
            dependent.insert(term);
            others.extend(operands.into_iter().filter(|operand| !dependent.contains(operand)));
        }
    }
    others.extend(roots.into_iter().filter(|root| !dependent.contains(root)));
    let mut operands: HashMap<Term, Term> = HashMap::new();
    for other in others.into_iter().filter(|it| pool.constant(*it).is_none()).collect::<Vec<_>>() {
        let sort = pool.sort(other);
        operands.entry(other).or_insert_with(|| pool.fresh("operand", sort));
    }
    let [bits, undefined] = roots.map(|root| pool.substitute(root, &operands));
    AtomicUpdate { after: Leaf { bits, undefined }, ..update }
}
