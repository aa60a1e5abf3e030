//! The generator's instances are many, they differ by more than operators and numbers, and the
//! interpreter sees right ones to be right and wrong ones to be wrong.

use std::collections::BTreeSet;
use std::time::Duration;

use laneproof_lowerings::{Form, LoweringInstance, Measurement, Selected, instances, measure};

const SIZES: &[u32] = &[4, 8, 16];

fn all() -> Vec<LoweringInstance> {
    let mut all = instances(1, Selected::All, SIZES);
    // That needs a tool.
    all.retain(|it| it.style.form != Form::Optimized);
    all
}

#[test]
fn right_instances_have_distinct_skeletons() {
    let all = all();
    let right: Vec<_> = all.iter().filter(|it| it.variant == 0).collect();
    let distinct: BTreeSet<_> = right.iter().map(|it| &it.skeleton).collect();
    assert_eq!(distinct.len(), right.len());
    assert!(distinct.len() >= 2000, "{} skeletons", distinct.len());
    assert!(all.len() - right.len() >= 2000, "{} wrong ones", all.len() - right.len());
}

#[test]
fn wrong_instances_are_not_right_ones() {
    for three in all().chunks(3) {
        assert_ne!(three[0].texts, three[1].texts, "{}", three[1].name());
        assert_ne!(three[0].texts, three[2].texts, "{}", three[2].name());
    }
}

#[test]
fn names_are_unique() {
    let all = all();
    let names: BTreeSet<_> = all.iter().map(LoweringInstance::name).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn a_fifth_is_set_aside_and_another_fifth_by_another_seed() {
    let aside = |seed| -> BTreeSet<_> {
        let aside = instances(seed, Selected::Aside, SIZES);
        aside.iter().map(LoweringInstance::name).collect()
    };
    let (first, second) = (aside(1), aside(2));
    let part = first.len() as f64 / instances(1, Selected::All, SIZES).len() as f64;
    assert!((0.15..0.25).contains(&part), "{part}");
    assert!(first.intersection(&second).count() < first.len() / 2);
}

/// Some of them, of every form: all take minutes (`cargo lowerings --all --only-run`).
#[test]
fn instances_are_what_they_claim() {
    let measurement = Measurement { timeout: Duration::ZERO, spirv_opt: None, only_run: true };
    for instance in all().iter().step_by(151) {
        let measured = measure(instance, &measurement);
        assert!(measured.is_ok(), "{}: {}", instance.name(), measured.unwrap_err());
    }
}
