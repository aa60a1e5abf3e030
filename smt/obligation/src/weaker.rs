//! A condition that follows from another one and has few new terms.

use std::collections::{HashMap, HashSet};

use laneproof_semantics::term::{Node, Pool, Term};

/// A condition that follows from `term` and has at most `left` terms besides those that are
/// `known`. The same for a term that was `seen`, which may be a part of many.
pub(crate) fn weaker(
    pool: &mut Pool,
    term: Term,
    (known, left): (&mut HashSet<Term>, &mut usize),
    seen: &mut HashMap<Term, Term>,
) -> Term {
    if let Some(&found) = seen.get(&term) {
        return found;
    }
    if let Some(new) = few_new(pool, term, known, *left) {
        *left -= new.len();
        known.extend(new);
        return term;
    }
    let (all, mut parts) = match pool.node(term) {
        Node::And(parts) => (true, parts.to_vec()),
        Node::Or(parts) => (false, parts.to_vec()),
        Node::Not(inner) => {
            let (all, parts) = match pool.node(*inner) {
                Node::And(parts) => (false, parts.to_vec()),
                Node::Or(parts) => (true, parts.to_vec()),
                _ => (true, Vec::new()),
            };
            (all, parts.into_iter().map(|part| pool.not(part)).collect())
        }
        _ => (true, Vec::new()),
    };
    for part in &mut parts {
        *part = weaker(pool, *part, (&mut *known, &mut *left), seen);
    }
    let found = if all { pool.all(parts) } else { pool.any(parts) };
    seen.insert(term, found);
    found
}

/// The terms that `term` consists of and that are not `known`, if there are at most `left`. What
/// known terms consist of is known. A large term is not gone through: it is met once for each pair of
/// lanes.
fn few_new(pool: &Pool, term: Term, known: &HashSet<Term>, left: usize) -> Option<HashSet<Term>> {
    let (mut new, mut pending) = (HashSet::new(), vec![term]);
    while let Some(term) = pending.pop() {
        if known.contains(&term) || !new.insert(term) {
            continue;
        }
        if new.len() > left {
            return None;
        }
        pending.extend(Pool::operands(pool.node(term)));
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use laneproof_semantics::term::Sort;

    use super::*;

    /// Conditions that are parts of one another are gone through once.
    #[test]
    fn what_is_shared_is_weakened_once() {
        let mut pool = Pool::new();
        let mut term = pool.fresh("base", Sort::Bool);
        for _ in 0..100 {
            let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bool));
            let (not, other) = (pool.not(term), pool.or(term, a));
            let not = pool.or(not, b);
            term = pool.and(other, not);
        }
        let (mut known, mut left) = (HashSet::new(), 5);
        let less = weaker(&mut pool, term, (&mut known, &mut left), &mut HashMap::new());
        assert_ne!(less, term);
        assert_eq!(left, 0);
    }
}
