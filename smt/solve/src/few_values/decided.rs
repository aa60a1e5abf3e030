//! What a condition decides is left out below it: a value that is not chosen needs no number.

use std::collections::HashMap;

use laneproof_semantics::term::{Node, Pool, Term};

/// The same question, where choices and conjunctions say below a condition what it says.
pub(super) fn decided(pool: &Pool, assertions: &[Term]) -> (Pool, Vec<Term>) {
    let mut pool = pool.clone();
    let mut done: HashMap<Term, Term> = HashMap::new();
    for term in pool.reachable(assertions) {
        let new = pool.with_operands(term, |it| done.get(&it).copied().unwrap_or(it));
        let new = match pool.node(new).clone() {
            Node::Ite(condition, then, otherwise) => {
                let then = pool.under(condition, true, then);
                let otherwise = pool.under(condition, false, otherwise);
                pool.ite(condition, then, otherwise)
            }
            Node::And(list) => {
                let list = beside_bits(&mut pool, &list, true);
                pool.all(list)
            }
            Node::Or(list) => {
                let list = beside_bits(&mut pool, &list, false);
                pool.any(list)
            }
            _ => new,
        };
        done.insert(term, new);
    }
    let assertions = assertions.iter().map(|it| done[it]).collect();
    (pool, assertions)
}

/// The parts of a conjunction, each where the single bits among them are set, or of a disjunction, where
/// they are not.
fn beside_bits(pool: &mut Pool, list: &[Term], value: bool) -> Vec<Term> {
    let bit = |pool: &Pool, term: Term| match *pool.node(term) {
        Node::Bit(..) => Some((term, value)),
        Node::Not(inner) if matches!(pool.node(inner), Node::Bit(..)) => Some((inner, !value)),
        _ => None,
    };
    let bits: Vec<(Term, bool)> = list.iter().filter_map(|&it| bit(pool, it)).collect();
    let mut parts = Vec::new();
    for &part in list {
        let mut new = part;
        if bit(pool, part).is_none() {
            for &(bit, value) in &bits {
                new = pool.under(bit, value, new);
            }
        }
        parts.push(new);
    }
    parts
}
