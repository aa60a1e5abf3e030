//! A weakened hypothesis about the source, tried first.
//!
//! For example, that a partition is valid is a condition on every pair of lanes. Most proofs do not
//! need it, and the solver is faster without it.

use std::collections::{HashMap, HashSet};

use laneproof_semantics::term::Term;

use crate::built::Built;
use crate::weaker::weaker;

/// Conditions on the source with more terms than this are left out at first.
const LITTLE: usize = 40;

impl Built<'_> {
    /// The source's good behavior without conditions about many lanes, such as that a partition is
    /// valid; `None` if there are no such conditions. A proof from a weaker hypothesis is a proof.
    /// `others` are the other assertions. A condition on one lane is counted once for each of `lanes`
    /// that are looked at by number.
    pub fn weakened_hypothesis(&mut self, others: &[Term], lanes: u32) -> Option<Term> {
        let mut known: HashSet<Term> = self.pool.reachable(others).into_iter().collect();
        let mut left = LITTLE * lanes as usize;
        let mut seen = HashMap::new();
        let known = (&mut known, &mut left);
        let less = weaker(&mut self.pool, self.asks.source_behaves, known, &mut seen);
        (less != self.asks.source_behaves).then_some(less)
    }
}
