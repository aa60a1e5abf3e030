//! What holds of the partition's waterfall, and what of each planted fault.

use z3::ast::BV;

use super::induction::{ANSWERED, INSIDE, INVARIANT, consecution, exit, initiation, termination};
use super::lanes::{Verdict, follows, has, is_first, lane, mask, subset};
use super::partition::{Agreement, Design, Handed, Moment, RIGHT, Waterfall};

fn all(design: Design) -> [Verdict; 4] {
    let waterfall = Waterfall::new(design);
    [
        initiation(&waterfall, &INVARIANT),
        consecution(&waterfall, &INVARIANT, &INVARIANT),
        exit(&waterfall, &INVARIANT),
        termination(&waterfall, &INVARIANT),
    ]
}

const ALL_PROVED: [Verdict; 4] = [Verdict::Proved; 4];

#[test]
fn every_lane_leaves_with_all_active_lanes_of_its_value() {
    assert_eq!(all(RIGHT), ALL_PROVED);
}

#[test]
fn a_ballot_of_all_active_lanes_gives_the_same() {
    // A lane leaves together with all lanes of its value, so no lane that agrees is left.
    let design = Design { ballot_is_live: false, ..RIGHT };
    assert_eq!(all(design), ALL_PROVED);
}

#[test]
fn the_live_set_falls_as_a_number_too() {
    // The variant in the form that a search would guess: masks compared as unsigned numbers.
    let (live, ballot, first) = (mask("L"), mask("B"), lane("f"));
    let next = &live & !&ballot;
    let known = [is_first(&live, &first), has(&ballot, &first)];
    assert_eq!(follows(&known, &next.bvult(&live)), Verdict::Proved);
    assert_eq!(follows(&known, &(subset(&next, &live) & next.ne(&live))), Verdict::Proved);
    assert_eq!(follows(&known[..1], &next.bvult(&live)), Verdict::Broken);
}

#[test]
fn the_answers_are_a_valid_partition() {
    // Over three arbitrary lanes: each is in its own subset, and two subsets are one or disjoint.
    let waterfall = Waterfall::new(RIGHT);
    let (i, j, k) = (lane("i"), lane("j"), lane("k"));
    let active = |lane: &BV| has(&waterfall.group.active, lane);
    let answer = |lane: &BV| waterfall.answer(Moment::Before, lane);
    let mut known = vec![waterfall.group.facts(), active(&i), active(&j)];
    for a in [&i, &j] {
        known.extend([&i, &j, &k].map(|b| waterfall.right(&answer(a), a, b)));
    }
    let (k_with_i, k_with_j) = (has(&answer(&i), &k), has(&answer(&j), &k));
    let one = has(&answer(&i), &j).implies(k_with_i.iff(&k_with_j));
    let disjoint = (!has(&answer(&i), &j)).implies(!(k_with_i & k_with_j));
    let goal = has(&answer(&i), &i) & one & disjoint;
    assert_eq!(follows(&known, &goal), Verdict::Proved);
}

#[test]
fn without_lanes_live_together_the_invariant_is_not_inductive() {
    let waterfall = Waterfall::new(RIGHT);
    let less = [INSIDE, ANSWERED];
    assert_eq!(consecution(&waterfall, &less, &less), Verdict::Broken);
}

#[test]
fn a_value_read_before_the_loop_lets_it_run_forever() {
    let waterfall = Waterfall::new(Design { handed: Handed::Stale, ..RIGHT });
    // Nothing wrong is ever written: only the variant tells.
    assert_eq!(consecution(&waterfall, &INVARIANT, &INVARIANT), Verdict::Proved);
    assert_eq!(termination(&waterfall, &INVARIANT), Verdict::Broken);
}

#[test]
fn leaders_of_the_lanes_own_choice_tear_a_class_apart() {
    // One lane leaves with its class while another of the same value follows another leader.
    let waterfall = Waterfall::new(Design { handed: Handed::Scattered, ..RIGHT });
    assert_eq!(consecution(&waterfall, &INVARIANT, &INVARIANT), Verdict::Broken);
}

#[test]
fn when_only_the_first_lane_leaves_the_next_ones_answer_is_short() {
    let waterfall = Waterfall::new(Design { all_leave: false, ..RIGHT });
    assert_eq!(consecution(&waterfall, &INVARIANT, &INVARIANT), Verdict::Broken);
    assert_eq!(termination(&waterfall, &INVARIANT), Verdict::Proved);
}

#[test]
fn a_nan_agrees_with_nobody_and_never_leaves() {
    let waterfall = Waterfall::new(Design { agreement: Agreement::Float, ..RIGHT });
    assert_eq!(consecution(&waterfall, &INVARIANT, &INVARIANT), Verdict::Proved);
    assert_eq!(termination(&waterfall, &INVARIANT), Verdict::Broken);
}

#[test]
fn a_first_lane_that_always_leaves_mends_the_nan() {
    let design = Design { agreement: Agreement::FloatOrMyself, ..RIGHT };
    assert_eq!(all(design), ALL_PROVED);
}
