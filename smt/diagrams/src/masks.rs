//! Free constants that are words of bits, and not numbers: sets of lanes, masks, and what a mask of one bit
//! or a shift by a number that is open picks a bit of.

use std::collections::BTreeSet;

use laneproof_semantics::term::{Binary, Node, Pool, Term};
use rustc_hash::FxHashSet;

use crate::evaluate;
use crate::order;

/// Free constants whose single bits are used or counted.
pub(crate) fn looked_into(
    pool: &Pool,
    assertions: &[Term],
    numbers: &FxHashSet<Term>,
) -> BTreeSet<Term> {
    let mut pending = Vec::new();
    let (mut open, mut reached) = (assertions.to_vec(), FxHashSet::default());
    while let Some(term) = open.pop() {
        if !reached.insert(term) {
            continue;
        }
        match *pool.node(term) {
            // A number's sign says less than its bits.
            Node::Bit(vector, place)
                if numbers.contains(&vector)
                    && pool.bits_of(place) == Some(u128::from(pool.width(vector)) - 1) => {}
            Node::Bit(vector, _) | Node::Scan(_, vector) => pending.push(vector),
            _ => {}
        }
        // The order of floating-point numbers is not that of single bits, nor is what it is turned into.
        let flipped = || evaluate::flipped_at(pool, term).map(|(number, _)| vec![number]);
        match evaluate::numbers_at(pool, term).or_else(flipped) {
            Some(numbers) => open.extend(numbers),
            None => open.extend(Pool::operands(pool.node(term))),
        }
    }
    let mut free = BTreeSet::new();
    words(pool, pending, &mut free);
    let masked = masked(pool, &reached, &free);
    words(pool, masked, &mut free);
    free
}

/// Adds the free constants whose bits terms are put together from.
fn words(pool: &Pool, mut pending: Vec<Term>, free: &mut BTreeSet<Term>) {
    let mut seen = BTreeSet::new();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.node(term) {
            Node::Variable(_) | Node::Apply(..) => {
                free.insert(term);
            }
            Node::Ite(_, a, b)
            | Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b)
            | Node::Concat(a, b) => pending.extend([*a, *b]),
            Node::BitNot(a)
            | Node::Extract(a, ..)
            | Node::ZeroExtend(a, _)
            | Node::SignExtend(a, _) => pending.push(*a),
            _ => {}
        }
    }
}

/// What stands beside a mask that depends on sets of lanes and on how far something is shifted, and what is
/// shifted so far.
fn masked(pool: &Pool, reached: &FxHashSet<Term>, words: &BTreeSet<Term>) -> Vec<Term> {
    let mut terms: Vec<Term> = reached.iter().copied().collect();
    terms.sort_unstable();
    let amounts = order::shifted_by(pool, &terms);
    // Terms of sets, amounts and numbers alone.
    let mut of_masks = FxHashSet::default();
    for &term in &terms {
        let is_mask = match pool.node(term) {
            Node::Variable(_) => words.contains(&term) || amounts.contains(&term),
            Node::Apply(..) => false,
            node => Pool::operands(node).iter().all(|operand| of_masks.contains(operand)),
        };
        if is_mask {
            of_masks.insert(term);
        }
    }
    let is_open = |term: Term| of_masks.contains(&term) && pool.bits_of(term).is_none();
    let is_free = |term: Term| matches!(pool.node(term), Node::Variable(_) | Node::Apply(..));
    let mut found: Vec<Term> = amounts.iter().copied().collect();
    for &term in &terms {
        match *pool.node(term) {
            Node::Binary(Binary::And, a, b) => {
                let sides = [(a, b), (b, a)];
                let beside = sides.into_iter().find(|&(it, mask)| is_free(it) && is_open(mask));
                found.extend(beside.map(|(it, _)| it));
            }
            Node::Binary(Binary::ShiftLeft | Binary::ShiftRight, value, amount)
                if is_free(value) && is_open(amount) =>
            {
                found.push(value);
            }
            _ => {}
        }
    }
    found
}
