//! What is presumed of the source: at first, as little as may do.
//!
//! That a partition is valid, say, is a condition on every pair of lanes. Most proofs do without
//! it, and a solver is quicker where it is not told of it.

use std::collections::HashSet;

use laneproof_semantics::term::{Node, Pool, Term};

use crate::built::Built;

/// Conditions on the source are left out at first that take more terms than this.
const LITTLE: usize = 40;

impl Built<'_> {
    /// What the source's good behavior comes to without conditions that speak of many lanes, such
    /// as that a partition is valid; `None` where there are none of those. Most proofs do without
    /// them, and who presumes less proves more. `others` is what is asserted besides. Where each of
    /// some `lanes` is looked at by its number, a condition on one lane comes once for each.
    pub fn presumed_at_little_cost(&mut self, others: &[Term], lanes: u32) -> Option<Term> {
        let mut known: HashSet<Term> = self.pool.reachable(others).into_iter().collect();
        let mut left = LITTLE * lanes as usize;
        let less = weaker(&mut self.pool, self.asks.source_behaves, &mut known, &mut left);
        (less != self.asks.source_behaves).then_some(less)
    }
}

/// A condition that follows from `term` and takes no more terms than are `left`, beside those
/// that are `known`.
fn weaker(pool: &mut Pool, term: Term, known: &mut HashSet<Term>, left: &mut usize) -> Term {
    let new: Vec<Term> =
        pool.reachable(&[term]).into_iter().filter(|it| !known.contains(it)).collect();
    if new.len() <= *left {
        *left -= new.len();
        known.extend(new);
        return term;
    }
    let (all, mut parts) = match pool.node(term) {
        Node::And(parts) => (true, parts.to_vec()),
        Node::Or(parts) => (false, parts.to_vec()),
        Node::Not(inner) => {
            let (all, parts) = match pool.node(*inner) {
                Node::And(parts) => (false, parts.to_vec()),
                Node::Or(parts) => (true, parts.to_vec()),
                _ => return pool.bool(true),
            };
            (all, parts.into_iter().map(|part| pool.not(part)).collect())
        }
        _ => return pool.bool(true),
    };
    for part in &mut parts {
        *part = weaker(pool, *part, known, left);
    }
    if all { pool.all(parts) } else { pool.any(parts) }
}
