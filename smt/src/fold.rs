//! Reductions as terms of their own, with the laws that tie them together.
//!
//! Adding up 128 lanes under 128 conditions is hard for a solver and beside the point where
//! both sides add up the same. Here a reduction is a constant that nothing is known of but
//! this: two reductions by one operator over the same lanes with the same parts are equal.
//! What follows from the law holds of the operator; what does not follow may hold all the same.

use std::collections::{BTreeSet, HashMap};

use laneproof_semantics::denote::{Fold, Part};
use laneproof_semantics::term::{Pool, Term};

/// The reductions of an obligation.
#[derive(Default)]
pub(crate) struct Folds {
    terms: HashMap<Fold, Term>,
    order: Vec<Fold>,
}

impl Folds {
    /// The constant that stands for a reduction.
    pub(crate) fn term(&mut self, pool: &mut Pool, fold: &Fold) -> Term {
        let mut fold = fold.clone();
        fold.parts.retain(|part| pool.bool_of(part.member) != Some(false));
        match fold.parts.as_slice() {
            [] => return fold.identity,
            [only] if pool.bool_of(only.member) == Some(true) => return only.value,
            _ => {}
        }
        if let Some(&term) = self.terms.get(&fold) {
            return term;
        }
        let sort = pool.sort(fold.identity);
        let term = pool.fresh(format!("fold.{}", self.order.len()), sort);
        self.terms.insert(fold.clone(), term);
        self.order.push(fold);
        term
    }

    /// True when there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// What is known of the constants. `lanes` are lanes by which one reduction may have more
    /// than another (32 bits).
    pub(crate) fn laws(&self, pool: &mut Pool, lanes: &[Term]) -> Vec<Term> {
        let mut laws = Vec::new();
        for a in &self.order {
            laws.push(self.of_nothing(pool, a));
            for b in &self.order {
                if a == b || a.operator != b.operator {
                    continue;
                }
                if self.terms[a] < self.terms[b] {
                    let same = same_parts(pool, a, b, None);
                    let equal = pool.equal(self.terms[a], self.terms[b]);
                    laws.push(pool.implies(same, equal));
                }
                for &lane in lanes {
                    laws.push(self.one_more(pool, a, b, lane));
                }
            }
        }
        laws
    }

    /// A reduction over no lane is the identity.
    fn of_nothing(&self, pool: &mut Pool, fold: &Fold) -> Term {
        let members: Vec<Term> = fold.parts.iter().map(|part| part.member).collect();
        let some = pool.any(members);
        let identity = pool.equal(self.terms[fold], fold.identity);
        pool.or(some, identity)
    }

    /// `more` has the parts of `fewer` and that of one more lane: it is their combination.
    fn one_more(&self, pool: &mut Pool, fewer: &Fold, more: &Fold, lane: Term) -> Term {
        let same_otherwise = same_parts(pool, fewer, more, Some(lane));
        let sort = pool.sort(more.identity);
        let mut joined = Vec::new();
        for part in &more.parts {
            let number = pool.bits(u128::from(part.lane), 32);
            let here = pool.equal(lane, number);
            let replacements = HashMap::from([
                (pool.placeholder(0, sort), self.terms[fewer]),
                (pool.placeholder(1, sort), part.value),
            ]);
            let combined = pool.substitute(fewer.operator, &replacements);
            let equal = pool.equal(self.terms[more], combined);
            let here = pool.and(here, part.member);
            joined.push(pool.implies(here, equal));
        }
        let joined = pool.all(joined);
        let law = pool.implies(same_otherwise, joined);
        // The lane takes no part in the smaller one.
        let mut absent = Vec::new();
        for part in &fewer.parts {
            let number = pool.bits(u128::from(part.lane), 32);
            let here = pool.equal(lane, number);
            let outside = pool.not(part.member);
            absent.push(pool.implies(here, outside));
        }
        let absent = pool.all(absent);
        pool.implies(absent, law)
    }
}

/// Lane by lane, both take part or neither, and with the same part; `except` for one lane.
/// A lane that a reduction does not list takes no part in it.
fn same_parts(pool: &mut Pool, a: &Fold, b: &Fold, except: Option<Term>) -> Term {
    let mut conditions = Vec::with_capacity(a.parts.len());
    let mut condition = |pool: &mut Pool, lane: u32, holds: Term| {
        let holds = match except {
            Some(except) => {
                let number = pool.bits(u128::from(lane), 32);
                let here = pool.equal(except, number);
                pool.or(here, holds)
            }
            None => holds,
        };
        conditions.push(holds);
    };
    let by_lane = |fold: &Fold| -> HashMap<u32, Part> {
        fold.parts.iter().map(|part| (part.lane, *part)).collect()
    };
    let (in_a, in_b) = (by_lane(a), by_lane(b));
    let lanes: BTreeSet<u32> = in_a.keys().chain(in_b.keys()).copied().collect();
    for lane in lanes {
        let holds = match (in_a.get(&lane), in_b.get(&lane)) {
            (Some(a), Some(b)) => {
                let same_membership = pool.equal(a.member, b.member);
                let same_value = pool.equal(a.value, b.value);
                let agrees = pool.implies(a.member, same_value);
                pool.and(same_membership, agrees)
            }
            (Some(only), None) | (None, Some(only)) => pool.not(only.member),
            (None, None) => continue,
        };
        condition(pool, lane, holds);
    }
    pool.all(conditions)
}
