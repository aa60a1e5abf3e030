//! A weakened hypothesis about the source, tried first.
//!
//! For example, that a partition is valid is a condition on every pair of lanes. Most proofs do not
//! need it, and the solver is faster without it.

use std::collections::HashSet;

use laneproof_semantics::term::{Node, Pool, Term};

use crate::built::Built;

/// Conditions on the source with more terms than this are left out at first.
const LITTLE: usize = 40;

impl Built<'_> {
    /// The source's good behavior without conditions about many lanes, such as that a partition is
    /// valid; `None` if there are no such conditions. A proof from a weaker hypothesis is a proof.
    /// `others` are the other assertions.
    pub fn weakened_hypothesis(&mut self, others: &[Term]) -> Option<Term> {
        let mut known: HashSet<Term> = self.pool.reachable(others).into_iter().collect();
        let less =
            weaker(&mut self.pool, self.asks.source_behaves, &mut known, &mut LITTLE.clone());
        (less != self.asks.source_behaves).then_some(less)
    }
}

/// A condition that follows from `term` and has at most `left` terms besides those that are
/// `known`.
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
