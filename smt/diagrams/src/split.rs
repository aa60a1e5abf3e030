//! Where two sides give truth values that are the same for all lanes, that they differ is two
//! cases: one is true and the other is not. In each case more is known of both.

use std::collections::BTreeSet;

use laneproof_semantics::term::{Node, Pool, Sort, Term};

/// Two truth values that differ in every state that satisfies the conjuncts, if one conjunct says
/// so in each of its alternatives.
pub(crate) fn votes_that_differ(pool: &Pool, conjuncts: &[Term]) -> Option<(Term, Term)> {
    conjuncts.iter().find_map(|&conjunct| match pool.node(conjunct) {
        Node::Or(alternatives) => {
            let mut pairs: BTreeSet<(Term, Term)> = differing(pool, *alternatives.first()?);
            for &alternative in &alternatives[1..] {
                let others = differing(pool, alternative);
                pairs.retain(|pair| others.contains(pair));
            }
            pairs.into_iter().next()
        }
        _ => differing(pool, conjunct).into_iter().next(),
    })
}

/// What holds in each alternative of some conjunct, and so in every state.
pub(crate) fn common_parts(pool: &Pool, conjuncts: &[Term]) -> Vec<Term> {
    let mut common = BTreeSet::new();
    for &conjunct in conjuncts {
        let Node::Or(alternatives) = pool.node(conjunct) else { continue };
        let alternatives: Vec<_> = alternatives.iter().map(|&it| parts(pool, it)).collect();
        // A part is not written where another one says more: `a & (!a | b)` is `a & b`.
        let holds = |all: &BTreeSet<Term>, part: Term| match pool.node(part) {
            _ if all.contains(&part) => true,
            Node::Or(list) => list.iter().any(|it| all.contains(it)),
            _ => false,
        };
        let [Some(first), Some(second)] = [0, 1].map(|place| alternatives.get(place)) else {
            continue;
        };
        // What is missing in one of two for that reason is in the other one.
        let mut in_all: BTreeSet<Term> = first.union(second).copied().collect();
        in_all.retain(|&part| alternatives.iter().all(|it| holds(it, part)));
        common.extend(in_all);
    }
    common.into_iter().filter(|it| !conjuncts.contains(it)).collect()
}

/// What has to hold for a term to hold.
fn parts(pool: &Pool, term: Term) -> BTreeSet<Term> {
    match pool.node(term) {
        Node::And(parts) => parts.iter().copied().collect(),
        _ => BTreeSet::from([term]),
    }
}

/// A truth value by which one side chooses in each alternative of a conjunct that says that values
/// differ: each case is a question of its own.
pub(crate) fn chosen_by(pool: &Pool, conjuncts: &[Term]) -> Option<Term> {
    conjuncts.iter().find_map(|&conjunct| {
        let Node::Or(alternatives) = pool.node(conjunct) else { return None };
        let mut conditions = conditions(pool, *alternatives.first()?);
        for &alternative in &alternatives[1..] {
            let others = self::conditions(pool, alternative);
            conditions.retain(|it| others.contains(it));
        }
        conditions.into_iter().next()
    })
}

/// The conditions by which values choose that differ where this holds.
fn conditions(pool: &Pool, term: Term) -> BTreeSet<Term> {
    let parts = parts(pool, term);
    let mut conditions = BTreeSet::new();
    for part in parts {
        let Node::Not(equal) = *pool.node(part) else { continue };
        let Node::Equal(a, b) = *pool.node(equal) else { continue };
        for side in [a, b] {
            if let Node::Ite(condition, ..) = *pool.node(side) {
                conditions.insert(match *pool.node(condition) {
                    Node::Not(inner) => inner,
                    _ => condition,
                });
            }
        }
    }
    conditions
}

/// Pairs of truth values that differ where this holds.
fn differing(pool: &Pool, term: Term) -> BTreeSet<(Term, Term)> {
    let parts = parts(pool, term);
    let mut pairs = BTreeSet::new();
    for part in parts {
        let (equal, negated) = match *pool.node(part) {
            Node::Not(inner) => (inner, true),
            _ => (part, false),
        };
        let Node::Equal(a, b) = *pool.node(equal) else { continue };
        if pool.sort(a) != Sort::Bool {
            continue;
        }
        // Differing from the opposite is being the same.
        match (negated, pool.node(a), pool.node(b)) {
            (true, ..) => pairs.insert((a, b)),
            (false, Node::Not(a), _) => pairs.insert((*a, b)),
            (false, _, Node::Not(b)) => pairs.insert((a, *b)),
            (false, ..) => false,
        };
    }
    pairs
}
