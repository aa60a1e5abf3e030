//! The generator's instances are many, and they differ by more than operators and numbers.

use std::collections::BTreeSet;

use laneproof_lowerings::{Form, Selected, instances};

#[test]
fn right_instances_have_distinct_skeletons() {
    let all = instances(1, Selected::All, &[4, 32, 128]);
    let right: Vec<_> =
        all.iter().filter(|it| it.variant == 0 && it.style.form != Form::Optimized).collect();
    let distinct: BTreeSet<_> = right.iter().map(|it| &it.skeleton).collect();
    assert_eq!(distinct.len(), right.len());
    assert!(distinct.len() >= 2000, "{} skeletons", distinct.len());
}

#[test]
fn names_are_unique() {
    let all = instances(1, Selected::All, &[4, 32, 128]);
    let names: BTreeSet<_> = all.iter().map(|it| it.name()).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn wrong_instances_differ_from_right_ones() {
    let all = instances(1, Selected::All, &[4, 32, 128]);
    for three in all.chunks(3) {
        assert_ne!(three[0].texts, three[1].texts, "{}", three[1].name());
        assert_ne!(three[0].texts, three[2].texts, "{}", three[2].name());
    }
}
