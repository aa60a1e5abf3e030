//! The order of the work, and what it does not do: the same time decides more.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use laneproof_module::load_bytes;
use laneproof_outcome::Bound;
use laneproof_semantics::Specification;
use laneproof_verify::{
    Abstraction, Options, Side, States, Strategy, StrategyOutcome, Unknown, Verdict,
    VerificationReport, verify,
};

/// More time than any of this takes: nothing ends by the clock.
const LONG: Duration = Duration::from_secs(3600);

fn report(name: &str, options: &Options) -> VerificationReport {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    let text = std::fs::read(folder.join(name)).unwrap();
    let program = load_bytes(&text, name).unwrap();
    let side = |name| Side { program: &program, function: program.function(name).unwrap() };
    verify(Specification::built_in(), side("src"), Some(side("tgt")), options).unwrap()
}

fn options(sizes: &[u32], abstractions: &[Abstraction]) -> Options {
    Options {
        states: States { sizes: sizes.to_vec(), ..States::default() },
        timeout: LONG,
        abstractions: abstractions.iter().copied().collect(),
        ..Options::default()
    }
}

/// In a state that is not shown in the end, an undefined word of the source would be walked through value
/// by value: that no value explains the target takes more runs than there may be, so none is made.
#[test]
fn what_no_number_of_runs_confirms_is_not_run() {
    let begun = Instant::now();
    let report = report("theorems/rotate/double-before.spvasm", &options(&[2], &[]));
    assert_eq!(report.verdict, Verdict::Refuted);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");
}

/// What a loop over lanes took at a half and at a quarter of a size says how far it is unrolled there.
#[test]
fn loops_over_lanes_are_unrolled_far_enough_at_once() {
    let mut options = options(&[1, 2, 4, 8, 16, 32], &[Abstraction::Diagrams]);
    options.states.all_active = true;
    let report = report("lowerings/scan/over-lanes-all-active.spvasm", &options);
    assert_eq!(report.verdict, Verdict::Proved);
    let exceeded = report.tried.iter().filter_map(|it| match &it.outcome {
        StrategyOutcome::GaveUp(Unknown::BoundReached(Bound::Iterations(bound)))
            if it.strategy == Strategy::Diagrams =>
        {
            Some((it.subgroup_size, *bound))
        }
        _ => None,
    });
    assert_eq!(exceeded.collect::<Vec<_>>(), [(Some(8), 5)]);
}

/// One symbolic lane of one size decides what it does not decide of all sizes at once: no other strategy
/// is tried on all of them again before.
#[test]
fn one_lane_of_each_size_goes_before_all_sizes_in_full() {
    let mut options = options(&[1, 4, 16, 64], &[Abstraction::Movement, Abstraction::Laws]);
    options.states.all_active = true;
    let report = report("theorems/shuffle/clamped-by-count-all-active.spvasm", &options);
    assert_eq!(report.verdict, Verdict::Proved);
    let proved = report
        .tried
        .iter()
        .filter(|it| it.strategy == Strategy::AnyLane && it.outcome == StrategyOutcome::Proved);
    let sizes: BTreeSet<_> = proved.map(|it| it.subgroup_size).collect();
    assert_eq!(sizes, [1, 4, 16, 64].map(Some).into());
    assert!(!report.tried.iter().any(|it| it.strategy == Strategy::AnyLaneOfAll));
}
