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

/// Pairs of truth values that differ where this holds.
fn differing(pool: &Pool, term: Term) -> BTreeSet<(Term, Term)> {
    let parts = match pool.node(term) {
        Node::And(parts) => parts.to_vec(),
        _ => vec![term],
    };
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
