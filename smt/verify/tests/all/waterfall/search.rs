//! The invariant, found: from a list of candidates, those that do not hold at the start or do not
//! survive an iteration are dropped until all that remain do (Houdini). No candidate mentions what
//! the loop is for, except through the post-condition itself.

use super::induction::{ANSWERED, INSIDE, Predicate, TOGETHER, consecution, exit, initiation};
use super::lanes::{Verdict, has};
use super::partition::{RIGHT, Waterfall};

/// Guards (live, left, active) crossed with what may hold of one lane or of two.
const CANDIDATES: [(&str, Predicate); 12] = [
    ("live lanes are active", INSIDE),
    ("active lanes are live", |l, when, i, _| has(&l.group.active, i).implies(l.live(when, i))),
    ("no lane is live", |l, when, i, _| !l.live(when, i)),
    ("lanes that left have the post-condition", ANSWERED),
    ("active lanes have the post-condition", |l, when, i, j| {
        has(&l.group.active, i).implies(l.right(&l.answer(when, i), i, j))
    }),
    ("active lanes that agree are live together", TOGETHER),
    ("live lanes agree", |l, when, i, j| (l.live(when, i) & l.live(when, j)).implies(l.same(i, j))),
    ("lanes that left agree", |l, when, i, j| {
        (l.left(when, i) & l.left(when, j)).implies(l.same(i, j))
    }),
    ("lanes leave in order", |l, when, i, j| {
        (i.bvult(j) & has(&l.group.active, j) & l.live(when, i)).implies(l.live(when, j))
    }),
    ("lanes that left and agree have one answer", |l, when, i, j| {
        let one = l.answer(when, i).eq(l.answer(when, j));
        (l.left(when, i) & l.left(when, j) & l.same(i, j)).implies(one)
    }),
    ("answers name no live lane", |l, when, i, j| {
        l.left(when, i).implies(!(has(&l.answer(when, i), j) & l.live(when, j)))
    }),
    ("answers name the lane itself", |l, when, i, _| {
        l.left(when, i).implies(has(&l.answer(when, i), i))
    }),
];

#[test]
fn the_invariant_is_found_among_guessed_predicates() {
    let waterfall = Waterfall::new(RIGHT);
    let mut kept = CANDIDATES.to_vec();
    kept.retain(|(_, candidate)| initiation(&waterfall, &[*candidate]) == Verdict::Proved);
    let at_start = kept.len();
    loop {
        let known: Vec<Predicate> = kept.iter().map(|(_, candidate)| *candidate).collect();
        let before = kept.len();
        kept.retain(|(_, goal)| consecution(&waterfall, &known, &[*goal]) == Verdict::Proved);
        if kept.len() == before {
            break;
        }
    }
    let names: Vec<&str> = kept.iter().map(|(name, _)| *name).collect();
    let found = [
        "live lanes are active",
        "lanes that left have the post-condition",
        "active lanes that agree are live together",
        "lanes that left and agree have one answer",
        "answers name no live lane",
        "answers name the lane itself",
    ];
    assert_eq!((at_start, names.as_slice()), (9, &found[..]));

    let found: Vec<Predicate> = kept.iter().map(|(_, candidate)| *candidate).collect();
    assert_eq!(exit(&waterfall, &found), Verdict::Proved);
}
