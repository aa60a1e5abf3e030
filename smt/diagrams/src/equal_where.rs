//! Choices by an equality: where a value that is chosen among lanes is what one lane holds, that takes its place.
//! A waterfall computes with the first lane's value where it is the own lane's, and so with the own lane's.
//!
//! Where the equality holds both are the same, so each choice keeps its value, and the question its states.

use std::collections::HashMap;

use laneproof_semantics::term::{Node, Pool, Sort, Term};
use rustc_hash::FxHashMap;

use crate::fault::BrokenLaw;

/// In larger values nothing is replaced.
const LARGE: usize = 1 << 12;
/// So often a value is replaced in another.
const OFTEN: u32 = 1 << 11;

/// The question with what is equal replaced in what such equalities choose, if there is any.
pub(crate) fn replaced(
    pool: &Pool,
    conjuncts: &[Term],
    fault: Option<BrokenLaw>,
) -> Option<(Pool, Vec<Term>)> {
    let terms = pool.reachable(conjuncts);
    let chooses = |&term: &Term| match *pool.node(term) {
        Node::Ite(condition, ..) => {
            [true, false].into_iter().any(|value| !equalities(pool, condition, value).is_empty())
        }
        _ => false,
    };
    if !terms.iter().any(chooses) {
        return None;
    }
    let mut made = pool.clone();
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut left = OFTEN;
    for term in terms {
        let mut again = made.with_operands(term, |it| done.get(&it).copied().unwrap_or(it));
        if let Node::Ite(condition, then, otherwise) = *made.node(again) {
            let [then, otherwise] = [(then, true), (otherwise, false)].map(|(side, value)| {
                let value = value || fault == Some(BrokenLaw::EqualElsewhere);
                with_equal(&mut made, condition, value, side, &mut left)
            });
            again = made.ite(condition, then, otherwise);
        }
        done.insert(term, again);
    }
    let conjuncts: Vec<Term> = conjuncts.iter().map(|it| done[it]).collect();
    (left < OFTEN).then_some((made, conjuncts))
}

/// A value where a condition has a truth value.
fn with_equal(pool: &mut Pool, condition: Term, value: bool, side: Term, left: &mut u32) -> Term {
    let mut side = side;
    for (chosen, own) in equalities(pool, condition, value) {
        if *left == 0 {
            break;
        }
        let terms = pool.reachable(&[side]);
        if terms.len() <= LARGE && terms.contains(&chosen) {
            *left -= 1;
            side = pool.substitute(side, &HashMap::from([(chosen, own)]));
        }
    }
    side
}

/// What is chosen among several values and is equal to one that is not, where a condition has a truth value.
fn equalities(pool: &Pool, condition: Term, value: bool) -> Vec<(Term, Term)> {
    let equal = |(part, holds): (Term, bool)| match *pool.node(part) {
        Node::Equal(a, b) if holds => Some([a, b]),
        _ => None,
    };
    let is_choice = |term: Term| matches!(pool.node(term), Node::Ite(..));
    let of_numbers = |&[a, _]: &[Term; 2]| pool.sort(a) != Sort::Bool;
    let literals = pool.literals(condition, value).into_iter();
    let sides = literals.filter_map(equal).filter(of_numbers);
    sides
        .filter_map(|[a, b]| match (is_choice(a), is_choice(b)) {
            (true, false) => Some((a, b)),
            (false, true) => Some((b, a)),
            _ => None,
        })
        // A number stays what is compared with it: its bits say more.
        .filter(|&(_, own)| pool.bits_of(own).is_none())
        .collect()
}
