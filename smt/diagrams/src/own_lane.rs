//! Ranks: what one lane holds, compared with what each other lane does.
//!
//! How many lanes hold less than a lane itself depends on a bit and a comparison of each other lane. With
//! the comparison beside that bit the diagram of a count stays small; beside the bits of the lane itself it
//! has to remember the bits of all lanes before. No order of variables does for all lanes at once, so each
//! lane is a question of its own.

use laneproof_semantics::term::{Node, Pool, Sort, Term};
use rustc_hash::FxHashMap;

/// Fewer comparisons need no order of their own.
const FEW: usize = 2;

/// An alternative, and the lane that its comparisons are with, if they are.
pub(crate) type Alternative = (Option<u32>, Term);

/// A conjunct of which each alternative is about comparisons with a lane of its own, or about few comparisons,
/// and these alternatives.
pub(crate) fn alternatives(pool: &Pool, conjuncts: &[Term]) -> Option<(Term, Vec<Alternative>)> {
    conjuncts.iter().find_map(|&conjunct| {
        let Node::Or(list) = pool.node(conjunct) else { return None };
        let values = Values::of(pool, list);
        let comparisons = values.comparisons();
        if comparisons.len() <= FEW {
            return None;
        }
        let own = list.iter().map(|&it| Some((values.own_lane(it, &comparisons)?, it)));
        let alternatives = own.collect::<Option<Vec<_>>>()?;
        let some = alternatives.iter().any(|(own, _)| own.is_some());
        some.then_some((conjunct, alternatives))
    })
}

/// Which lanes' values a term is put together or chosen from, as bits.
pub(crate) struct Values<'p> {
    pool: &'p Pool,
    terms: Vec<Term>,
    lanes: FxHashMap<Term, u128>,
}

impl<'p> Values<'p> {
    /// Of all terms that these are made of. What is chosen by is no value.
    pub(crate) fn of(pool: &'p Pool, roots: &[Term]) -> Self {
        let mut values = Self { pool, terms: pool.reachable(roots), lanes: FxHashMap::default() };
        for &term in &values.terms {
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

    /// The comparisons of what lanes hold, each with the lanes of its sides.
    fn comparisons(&self) -> FxHashMap<Term, [u128; 2]> {
        let compared = self.terms.iter().filter_map(|&term| {
            let (Node::Compare(_, a, b) | Node::Equal(a, b)) = *self.pool.node(term) else {
                return None;
            };
            let sides = [self.lanes(a), self.lanes(b)];
            (!sides.contains(&0)).then_some((term, sides))
        });
        compared.collect()
    }

    /// The one lane that all comparisons in a term are with: each has what that lane holds on one side. Few
    /// comparisons may be with any lanes.
    fn own_lane(
        &self,
        alternative: Term,
        comparisons: &FxHashMap<Term, [u128; 2]>,
    ) -> Option<Option<u32>> {
        let within = self.pool.reachable(&[alternative]);
        let sides = within.iter().filter_map(|term| Some((*term, comparisons.get(term)?)));
        let (mut own, mut count) = (u128::MAX, 0);
        for (_, sides) in sides.filter(|(term, _)| !self.is_claim(alternative, *term)) {
            let [a, b] = sides.map(|lanes| if lanes.is_power_of_two() { lanes } else { 0 });
            own &= a | b;
            count += 1;
        }
        match own.is_power_of_two() {
            _ if count <= FEW => Some(None),
            true => Some(Some(own.trailing_zeros())),
            false => None,
        }
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
