//! Invariants that a user states: used if they hold, reported if they do not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use crate::support::pair::Pair;
use laneproof_semantics::Specification;
use laneproof_verify::{
    Abstraction, InvariantStatus, Options, States, Verdict, VerificationReport, verify,
};

const PAIR: &str = include_str!("../../../../proofs/theorems/loop/jumping-stated.spvasm");
/// Links stay in range, lanes leave without one, and what a lane holds is the sum from there on.
const STATED: [&str; 3] = [
    "past <= id and (past = 0 or active(past - 1))",
    "live or past = 0",
    "part = fold add from 0 over j in active where j <= id and j >= past of (x at j)",
];

/// By induction alone, at a few sizes.
fn report(invariants: &[&str]) -> VerificationReport {
    let pair = Pair::parse("jumping-stated", PAIR);
    let (source, target) = pair.sides();
    let options = Options {
        states: States { sizes: vec![2, 4, 8], ..States::default() },
        timeout: Duration::from_secs(120),
        invariants: invariants.iter().map(|&text| text.to_owned()).collect(),
        ..pair.options(&[Abstraction::Induction])
    };
    verify(Specification::built_in(), source, target, &options).unwrap()
}

#[test]
fn what_holds_is_part_of_the_proof_and_nothing_is_proved_without() {
    let stated = report(&STATED);
    assert_eq!(stated.verdict, Verdict::Proved, "{:?}", stated.reason);
    let standings: Vec<_> = stated.invariants.iter().map(|it| &it.status).collect();
    assert_eq!(standings, [&InvariantStatus::Holds; 3]);
    let without = report(&[]);
    assert_eq!(without.verdict, Verdict::Unknown);
}

#[test]
fn what_does_not_hold_is_said_to_be_wrong_and_proves_nothing() {
    let wrong = [
        // A link names the lane after the one linked to, and that one took no part.
        "part = fold add from 0 over j in active where j <= id and j > past of (x at j)",
        // True at first of any lane but not of one that jumped.
        "past = 0 or past = count j in active where j < id: true",
        "part = missing",
    ];
    let report = report(&[STATED[0], STATED[1], wrong[0], wrong[1], wrong[2]]);
    assert_eq!(report.verdict, Verdict::Unknown);
    let status = |at: usize| &report.invariants[at].status;
    assert_eq!([status(0), status(1)], [&InvariantStatus::Holds; 2]);
    let InvariantStatus::FailsAtFirst(state) = status(2) else { panic!("{:?}", status(2)) };
    assert!(state.starts_with("lane ") && state.contains("part = "), "{state}");
    assert!(!matches!(status(3), InvariantStatus::Holds), "{:?}", status(3));
    let InvariantStatus::Unread(why) = status(4) else { panic!("{:?}", status(4)) };
    assert!(why.contains("missing"), "{why}");
}

#[test]
fn what_a_round_loses_is_shown_with_the_round() {
    let report = report(&["live or past != 0", "past != 0 or live"]);
    for invariant in &report.invariants {
        let InvariantStatus::IsLost(state) = &invariant.status else { panic!("{invariant:?}") };
        assert!(state.contains("in an iteration") && state.contains(", then "), "{state}");
    }
}
