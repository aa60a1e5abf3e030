//! The proof rule: what an invariant, a set of predicates over two lanes, has to meet.

use z3::ast::{BV, Bool};

use super::lanes::{Verdict, follows, has, lane, no_lane};
use super::partition::{Moment, Waterfall};

/// What holds of any two lanes whenever the loop's header is reached.
pub type Predicate = fn(&Waterfall, Moment, &BV, &BV) -> Bool;

/// Only active lanes are live.
pub const INSIDE: Predicate =
    |loop_, when, i, _| loop_.live(when, i).implies(has(&loop_.group.active, i));

/// Lanes that have left have the right result.
pub const ANSWERED: Predicate =
    |loop_, when, i, j| loop_.left(when, i).implies(loop_.right(&loop_.answer(when, i), i, j));

/// Active lanes of the same value are live together.
pub const TOGETHER: Predicate = |loop_, when, i, j| {
    let active = |lane: &BV| has(&loop_.group.active, lane);
    let both = active(i) & active(j) & loop_.same(i, j);
    both.implies(loop_.live(when, i).iff(loop_.live(when, j)))
};

/// The invariant of the waterfall.
pub const INVARIANT: [Predicate; 3] = [INSIDE, ANSWERED, TOGETHER];

/// `goal` holds when the loop begins.
pub fn initiation(waterfall: &Waterfall, goal: &[Predicate]) -> Verdict {
    let (i, j) = (lane("i"), lane("j"));
    let start = waterfall.live.eq(&waterfall.group.active);
    let goal = all_of(waterfall, Moment::Before, goal, &i, &j);
    follows(&[waterfall.group.facts(), start], &goal)
}

/// An iteration that begins with `known` ends with `goal`. What is known of any two lanes is
/// instantiated at the two lanes of the goal and the iteration's first lane, in every order.
pub fn consecution(waterfall: &Waterfall, known: &[Predicate], goal: &[Predicate]) -> Verdict {
    let (i, j) = (lane("i"), lane("j"));
    let lanes = [&i, &j, &waterfall.first];
    let mut facts = waterfall.iteration(&lanes);
    for a in lanes {
        facts.extend(lanes.map(|b| all_of(waterfall, Moment::Before, known, a, b)));
    }
    follows(&facts, &all_of(waterfall, Moment::After, goal, &i, &j))
}

/// When no lane is live any more, every active lane has the right result.
pub fn exit(waterfall: &Waterfall, known: &[Predicate]) -> Verdict {
    let (i, j) = (lane("i"), lane("j"));
    let facts = [
        waterfall.group.facts(),
        waterfall.live.eq(no_lane()),
        all_of(waterfall, Moment::Before, known, &i, &j),
        has(&waterfall.group.active, &i),
    ];
    follows(&facts, &waterfall.right(&waterfall.answer(Moment::Before, &i), &i, &j))
}

/// Each iteration some lane leaves and none comes back: at most as many iterations as lanes.
pub fn termination(waterfall: &Waterfall, known: &[Predicate]) -> Verdict {
    let i = lane("i");
    let first = &waterfall.first;
    let mut facts = waterfall.iteration(&[&i, first]);
    facts.push(all_of(waterfall, Moment::Before, known, first, first));
    let live = |when| waterfall.live(when, &i);
    let nobody_returns = live(Moment::After).implies(live(Moment::Before));
    follows(&facts, &(nobody_returns & waterfall.leaves(first)))
}

fn all_of(waterfall: &Waterfall, when: Moment, predicates: &[Predicate], i: &BV, j: &BV) -> Bool {
    let terms: Vec<Bool> = predicates.iter().map(|holds| holds(waterfall, when, i, j)).collect();
    Bool::and(&terms)
}
