//! Where two outcomes differ.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_semantics::denote::{Cause, LaneOutcome, Leaf, MemoryPlace};
use laneproof_semantics::term::{Pool, Term};

/// Results, relations or memory of two outcomes differ, regardless of undefined behavior and
/// silence.
pub fn what_is_left_differs(pool: &mut Pool, a: &LaneOutcome, b: &LaneOutcome) -> Term {
    let results = results_differ(pool, a, b);
    let memory = memory_differs(pool, a, b);
    pool.or(results, memory)
}

/// Results or relations of two outcomes differ.
pub fn results_differ(pool: &mut Pool, a: &LaneOutcome, b: &LaneOutcome) -> Term {
    let (legal_a, legal_b) = (pool.all(a.such_that.clone()), pool.all(b.such_that.clone()));
    let mut differences = vec![unlike(pool, legal_a, legal_b)];
    for (a, b) in a.leaves.iter().zip(&b.leaves) {
        differences.push(unlike(pool, a.undefined, b.undefined));
        let bits = unlike(pool, a.bits, b.bits);
        let defined = pool.not(a.undefined);
        differences.push(pool.and(defined, bits));
    }
    pool.any(differences)
}

/// Two terms of one sort differ.
pub fn unlike(pool: &mut Pool, a: Term, b: Term) -> Term {
    let same = pool.equal(a, b);
    pool.not(same)
}

/// Two outcomes write different values to memory, or their updates differ.
pub fn memory_differs(pool: &mut Pool, a: &LaneOutcome, b: &LaneOutcome) -> Term {
    if a.stores.len() != b.stores.len() {
        return pool.bool(true);
    }
    let mut differences = Vec::new();
    for (a, b) in a.stores.iter().zip(&b.stores) {
        let same = pool.equal(a.when, b.when);
        let place = same_place(pool, (a.target, a.spot), (b.target, b.spot));
        let value = same_leaf(pool, a.value, b.value);
        let written = pool.and(place, value);
        let alike = pool.implies(a.when, written);
        let alike = pool.and(same, alike);
        differences.push(pool.not(alike));
    }
    differences.push(updates_differ(pool, a, b));
    differences.push(orders_differ(pool, a, b));
    pool.any(differences)
}

/// Two outcomes put other memory in order.
pub fn orders_differ(pool: &mut Pool, a: &LaneOutcome, b: &LaneOutcome) -> Term {
    let all = a.orders.iter().chain(&b.orders).map(|(storage, _)| *storage);
    let mut differences = Vec::new();
    for storage in all.collect::<BTreeSet<_>>() {
        let mut ordered = |outcome: &LaneOutcome| {
            let own = outcome.orders.iter().filter(|(other, _)| *other == storage);
            pool.any(own.map(|(_, condition)| *condition).collect::<Vec<_>>())
        };
        let [first, second] = [ordered(a), ordered(b)];
        differences.push(unlike(pool, first, second));
    }
    pool.any(differences)
}

/// The updates of two lanes are not alike.
pub fn updates_differ(pool: &mut Pool, a: &LaneOutcome, b: &LaneOutcome) -> Term {
    if a.update.is_some() != b.update.is_some() {
        return pool.bool(true);
    }
    let (Some(a), Some(b)) = (a.update, b.update) else { return pool.bool(false) };
    let place = same_place(pool, (a.target, a.spot), (b.target, b.spot));
    let value = same_leaf(pool, a.after, b.after);
    let alike = pool.and(place, value);
    pool.not(alike)
}

/// Two spots are the same scalar of the same buffer.
pub fn same_place(pool: &mut Pool, a: (usize, MemoryPlace), b: (usize, MemoryPlace)) -> Term {
    let pair = match (a.1, b.1) {
        (MemoryPlace::Element(a), MemoryPlace::Element(b)) => [(a, b); 2],
        (MemoryPlace::Word { column: a, row: c }, MemoryPlace::Word { column: b, row: d })
        | (MemoryPlace::Part { byte: a, row: c }, MemoryPlace::Part { byte: b, row: d }) => {
            [(a, b), (c, d)]
        }
        _ => return pool.bool(false),
    };
    let target = pool.bool(a.0 == b.0);
    let [first, second] = pair.map(|(a, b)| pool.equal(a, b));
    pool.all([target, first, second])
}

/// The same mark and, where it is a value, the same bits.
pub fn same_leaf(pool: &mut Pool, a: Leaf, b: Leaf) -> Term {
    if pool.sort(a.bits) != pool.sort(b.bits) {
        return pool.bool(false);
    }
    let marks = pool.equal(a.undefined, b.undefined);
    let bits = pool.equal(a.bits, b.bits);
    let bits = pool.or(a.undefined, bits);
    pool.and(marks, bits)
}

/// Some cause of silence holds on one side only. A cause is the reading that is silent, or the place
/// where no sentence speaks.
pub fn causes_differ(pool: &mut Pool, a: &[Cause], b: &[Cause]) -> Term {
    let name = |cause: &Cause| Arc::clone(cause.reading.as_ref().unwrap_or(&cause.clause));
    let names: BTreeSet<Arc<str>> = a.iter().chain(b).map(name).collect();
    let mut differences = Vec::new();
    for cause in names {
        let [first, second] = [a, b].map(|causes| {
            let own = causes.iter().filter(|it| name(it) == cause);
            pool.any(own.map(|it| it.condition).collect::<Vec<_>>())
        });
        differences.push(unlike(pool, first, second));
    }
    pool.any(differences)
}
