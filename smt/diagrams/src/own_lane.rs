//! Ranks: what one lane holds, compared with what each other lane does.
//!
//! How many lanes hold less than a lane itself depends on a bit and a comparison of each other lane. With
//! the comparison beside that bit the diagram of a count stays small; beside the bits of the lane itself it
//! has to remember the bits of all lanes before. No order of variables does for all lanes at once, so each
//! lane is a question of its own.

use std::collections::HashMap;

use laneproof_semantics::term::{Node, Pool, Sort, Term};

/// Fewer comparisons need no order of their own.
const FEW: usize = 2;

/// A conjunct of which each alternative is about comparisons with a lane of its own, and these
/// alternatives, each with its lane.
pub(crate) fn alternatives(pool: &Pool, conjuncts: &[Term]) -> Option<(Term, Vec<(u32, Term)>)> {
    conjuncts.iter().find_map(|&conjunct| {
        let Node::Or(list) = pool.node(conjunct) else { return None };
        let values = Values::of(pool, list);
        let own = list.iter().map(|&it| Some((values.own_lane(it)?, it)));
        own.collect::<Option<Vec<_>>>().map(|alternatives| (conjunct, alternatives))
    })
}

/// Which lanes' values a term is put together or chosen from, as bits.
pub(crate) struct Values<'p> {
    pool: &'p Pool,
    lanes: HashMap<Term, u128>,
}

impl<'p> Values<'p> {
    /// Of all terms that these are made of. What is chosen by is no value.
    pub(crate) fn of(pool: &'p Pool, roots: &[Term]) -> Self {
        let mut values = Self { pool, lanes: HashMap::new() };
        for term in pool.reachable(roots) {
            if pool.sort(term) != Sort::Bool {
                let lanes = values.lanes_of(term);
                values.lanes.insert(term, lanes);
            }
        }
        values
    }

    /// The lanes of a value.
    pub(crate) fn lanes(&self, value: Term) -> u128 {
        self.lanes.get(&value).copied().unwrap_or(0)
    }

    /// The one lane that all comparisons in a term are with: each has what that lane holds on one side.
    fn own_lane(&self, alternative: Term) -> Option<u32> {
        let pool = self.pool;
        let (mut own, mut comparisons) = (u128::MAX, 0);
        for term in pool.reachable(&[alternative]) {
            let (Node::Compare(_, a, b) | Node::Equal(a, b)) = *pool.node(term) else { continue };
            if pool.sort(a) == Sort::Bool || self.is_claim(alternative, term) {
                continue;
            }
            let [a, b] = [self.lanes[&a], self.lanes[&b]];
            if a == 0 || b == 0 {
                continue;
            }
            let single = |lanes: u128| if lanes.is_power_of_two() { lanes } else { 0 };
            own &= single(a) | single(b);
            comparisons += 1;
        }
        (comparisons > FEW && own.is_power_of_two()).then(|| own.trailing_zeros())
    }

    /// The comparison is what the alternative says of results.
    fn is_claim(&self, alternative: Term, comparison: Term) -> bool {
        let is_it = |part: Term| match *self.pool.node(part) {
            Node::Not(inner) => inner == comparison,
            _ => part == comparison,
        };
        match self.pool.node(alternative) {
            Node::And(parts) => parts.iter().any(|&part| is_it(part)),
            _ => is_it(alternative),
        }
    }

    /// The lanes of a term whose operands' are known.
    fn lanes_of(&self, term: Term) -> u128 {
        match *self.pool.node(term) {
            Node::Apply(_, lane) => match self.pool.bits_of(lane) {
                Some(lane) => 1_u128.checked_shl(lane as u32).unwrap_or(u128::MAX),
                None => u128::MAX,
            },
            ref node => {
                let operands = Pool::operands(node);
                operands.iter().filter_map(|it| self.lanes.get(it)).fold(0, |all, it| all | it)
            }
        }
    }
}
