//! Values that free constants enter a question by, and nothing else does: such a value is as free as they
//! are, and one constant takes its place. What the first lane has of a parameter that is used for nothing
//! else is one number, whichever lane is the first.
//!
//! A state of the question gives one of the new question, in which the constant is what the value was; so
//! where the new one has none, neither has the other. Nothing is lost: a choice among constants that occur
//! nowhere else can be any number, and so can a function that is applied at one place only.

use std::collections::{BTreeSet, BinaryHeap, HashMap};

use laneproof_semantics::term::{Node, Pool, Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fault::BrokenLaw;

/// The question about these values as constants, if there are any.
pub(crate) fn generalized(
    pool: &Pool,
    assertions: &[Term],
    fault: Option<BrokenLaw>,
) -> Option<(Pool, Vec<Term>)> {
    let terms = pool.reachable(assertions);
    let mut values = applied_once(pool, &terms);
    values.extend(choices(pool, &terms));
    if values.is_empty() {
        return None;
    }
    let mut pool = pool.clone();
    let mut constants = HashMap::new();
    for value in values {
        let constant = match (fault, pool.sort(value)) {
            (Some(BrokenLaw::ValueIsZero), Sort::Bits(width)) => pool.bits(0, width),
            (_, sort) => pool.fresh("value", sort),
        };
        constants.insert(value, constant);
    }
    let mut assertions = assertions.to_vec();
    pool.substitute_in(&mut assertions, &constants);
    Some((pool, assertions))
}

/// What functions are at the one computed place where they are applied.
fn applied_once(pool: &Pool, terms: &[Term]) -> Vec<Term> {
    let mut applied: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
    for &term in terms {
        if let Node::Apply(symbol, _) = *pool.node(term) {
            applied.entry(symbol).or_default().push(term);
        }
    }
    let computed = |term: &Term| match *pool.node(*term) {
        Node::Apply(_, place) => pool.bits_of(place).is_none(),
        _ => false,
    };
    let mut once: Vec<Term> = applied
        .into_values()
        .filter_map(|places| <[Term; 1]>::try_from(places).ok())
        .map(|[place]| place)
        .filter(computed)
        .collect();
    once.sort_unstable();
    once
}

/// Choices among what a function is at several lanes, where it is used for nothing else.
fn choices(pool: &Pool, terms: &[Term]) -> Vec<Term> {
    let mut users: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    for &term in terms {
        for operand in Pool::operands(pool.node(term)) {
            users.entry(operand).or_default().push(term);
        }
    }
    let (mut found, mut inside) = (Vec::new(), FxHashSet::default());
    for &term in terms.iter().rev() {
        if inside.contains(&term) {
            continue;
        }
        if let Some(parts) = choice(pool, term, &users) {
            inside.extend(parts);
            found.push(term);
        }
    }
    found
}

/// The choices that a choice is made of, if it chooses among constants of one function that are used nowhere
/// else.
fn choice(pool: &Pool, whole: Term, users: &FxHashMap<Term, Vec<Term>>) -> Option<FxHashSet<Term>> {
    if !matches!(pool.node(whole), Node::Ite(..)) {
        return None;
    }
    let (mut parts, mut chosen) = (FxHashSet::default(), BTreeSet::new());
    let mut function = None;
    // What uses a term comes after it.
    let mut pending = BinaryHeap::from([whole]);
    while let Some(term) = pending.pop() {
        let own = |parts: &FxHashSet<Term>| users[&term].iter().all(|user| parts.contains(user));
        if term != whole && !own(&parts) {
            return None;
        }
        match *pool.node(term) {
            Node::Ite(condition, then, otherwise) => {
                parts.insert(term);
                pending.extend([then, otherwise]);
                // A condition is no part of the value.
                if chosen.contains(&condition) {
                    return None;
                }
            }
            Node::Apply(symbol, place) if pool.bits_of(place).is_some() => {
                if *function.get_or_insert(symbol) != symbol {
                    return None;
                }
                chosen.insert(term);
            }
            _ => return None,
        }
    }
    let by_itself = |part: &Term| match *pool.node(*part) {
        Node::Ite(condition, ..) => chosen.contains(&condition),
        _ => false,
    };
    (chosen.len() > 1 && !parts.iter().any(by_itself)).then_some(parts)
}
