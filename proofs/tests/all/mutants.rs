//! A mutant breaks a proved theorem in one place: it shows that the proof is not of everything.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use laneproof_proofs::{Catalogue, Entry};
use laneproof_verify::Verdict;

/// The module without the comment above it, line by line.
fn module(entry: &Entry) -> Vec<&str> {
    entry.text.lines().skip_while(|line| line.starts_with(';')).collect()
}

/// How many lines of each remain between the common beginning and the common end.
fn difference(original: &[&str], mutant: &[&str]) -> (usize, usize) {
    let before = original.iter().zip(mutant).take_while(|(a, b)| a == b).count();
    let (original, mutant) = (&original[before..], &mutant[before..]);
    let after = original.iter().rev().zip(mutant.iter().rev()).take_while(|(a, b)| a == b).count();
    (original.len() - after, mutant.len() - after)
}

fn mutants(catalogue: &Catalogue) -> Vec<(&Entry, &Entry)> {
    let of = |mutant: &Entry| {
        let name = mutant.original()?;
        Some(catalogue.entry(&name).unwrap_or_else(|| panic!("{}: no `{name}`", mutant.name)))
    };
    catalogue.entries.iter().filter_map(|entry| of(entry).map(|found| (found, entry))).collect()
}

#[test]
fn a_mutant_differs_from_its_original_in_one_line() {
    let catalogue = Catalogue::built_in().unwrap();
    let mutants = mutants(&catalogue);
    for (original, mutant) in &mutants {
        let (removed, added) = difference(&module(original), &module(mutant));
        assert!(removed <= 1 && added <= 1, "{}: {removed} for {added}", mutant.name);
        assert!(removed + added > 0, "{} changes nothing", mutant.name);
    }
    assert_eq!(mutants.len(), 652);
}

#[test]
fn a_mutant_is_refuted_and_its_original_proved() {
    let catalogue = Catalogue::built_in().unwrap();
    for (original, mutant) in mutants(&catalogue) {
        assert_eq!(original.header.expect, Verdict::Proved, "{}", original.name);
        assert_eq!(mutant.header.expect, Verdict::Refuted, "{}", mutant.name);
        let expected = format!("{}.mutant-", original.name);
        assert!(mutant.name.starts_with(&expected), "{}", mutant.name);
    }
}

/// A lowering's precondition may replace mutants: `lowerings.rs` requires either.
#[test]
fn every_proved_theorem_has_a_mutant() {
    let mut catalogue = Catalogue::built_in().unwrap();
    catalogue.entries.retain(|entry| !entry.name.starts_with("lowerings/"));
    let broken: BTreeSet<&str> =
        mutants(&catalogue).iter().map(|(original, _)| original.name.as_str()).collect();
    let proved = catalogue.entries.iter().filter(|entry| entry.header.expect == Verdict::Proved);
    let unbroken: Vec<&str> =
        proved.map(|entry| entry.name.as_str()).filter(|name| !broken.contains(name)).collect();
    assert_eq!(unbroken, Vec::<&str>::new());
    assert_eq!(broken.len(), 386);
}
