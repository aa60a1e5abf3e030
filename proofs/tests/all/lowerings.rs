//! Every lowering and every bug of the list has its files, and it shows which are undecided.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use laneproof_proofs::{Catalogue, Entry};
use laneproof_semantics::{Specification, machine, machines};
use laneproof_verify::Verdict;

/// Ids all of whose files expect `unknown`: what the tool cannot say anything about yet.
const UNDECIDED: &[&str] = &[];

fn list() -> BTreeSet<&'static str> {
    let lines = include_str!("../../lowerings/list.txt").lines();
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    let ids: BTreeSet<&str> = lines.iter().map(|line| line.split_once(' ').unwrap().0).collect();
    assert_eq!(ids.len(), lines.len(), "an id stands there twice");
    ids
}

/// The files of lowerings, without the theorems.
fn lowerings() -> Vec<Entry> {
    let entries = Catalogue::built_in().unwrap().entries;
    entries.into_iter().filter(|entry| entry.name.starts_with("lowerings/")).collect()
}

/// The expected verdicts of each id's files; a mutant's is its original's affair.
fn verdicts(entries: &[Entry]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut verdicts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in entries {
        let original = entry.original().and_then(|name| entries.iter().find(|it| it.name == name));
        for id in &original.unwrap_or(entry).header.covers {
            verdicts.entry(id).or_default().insert(word(entry.header.expect));
        }
    }
    verdicts
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Refuted => "refuted",
        Verdict::Unknown => "unknown",
        Verdict::Vacuous => "vacuous",
    }
}

#[test]
fn every_id_of_the_list_has_files_and_every_file_an_id() {
    let (list, entries) = (list(), lowerings());
    let verdicts = verdicts(&entries);
    let covered: BTreeSet<&str> = verdicts.keys().copied().collect();
    assert_eq!(covered, list);
    let uncovered =
        entries.iter().filter(|it| it.header.covers.is_empty() && it.original().is_none());
    let uncovered: Vec<&str> = uncovered.map(|entry| entry.name.as_str()).collect();
    assert!(uncovered.is_empty(), "of no id: {uncovered:?}");
    assert_eq!((list.len(), entries.len()), (131, 621));
}

#[test]
fn what_is_undecided_is_listed() {
    let entries = lowerings();
    let verdicts = verdicts(&entries);
    let undecided = verdicts.iter().filter(|(_, found)| found.iter().all(|it| *it == "unknown"));
    let undecided: Vec<&str> = undecided.map(|(id, _)| *id).collect();
    assert_eq!(undecided, UNDECIDED);
}

/// A proof tells something only where the same tool refuses something close to it.
#[test]
fn what_is_proved_is_also_refuted_when_it_is_broken() {
    let entries = lowerings();
    let verdicts = verdicts(&entries);
    let unbroken =
        verdicts.iter().filter(|(_, it)| it.contains("proved") && !it.contains("refuted"));
    let unbroken: Vec<&str> = unbroken.map(|(id, _)| *id).collect();
    assert_eq!(unbroken, Vec::<&str>::new());
}

#[test]
fn a_bug_is_refuted_and_its_mended_form_proved() {
    let entries = lowerings();
    let verdicts = verdicts(&entries);
    for id in list().into_iter().filter(|id| id.starts_with("B-")) {
        let found = &verdicts[id];
        assert!(found.contains("refuted") && found.contains("proved"), "{id}: {found:?}");
        assert!(!found.contains("unknown"), "{id}: {found:?}");
    }
}

#[test]
fn near_misses_are_proved() {
    let entries = lowerings();
    let near = entries.iter().filter(|it| it.name.starts_with("lowerings/near-misses/"));
    let near: Vec<&Entry> = near.filter(|it| it.original().is_none()).collect();
    assert!(near.iter().all(|entry| entry.header.expect == Verdict::Proved));
    assert_eq!(near.len(), 11);
}

#[test]
fn every_primitive_of_a_machine_is_lowered_to() {
    let entries = lowerings();
    let mut all = Specification::built_in().clone();
    for name in machines() {
        all = all.extended_with(name, machine(name).unwrap()).unwrap();
    }
    let primitives = all.instructions.values().filter(|it| it.primitive);
    let unused = primitives.filter(|it| {
        let import = format!("LinkageAttributes \"{}\" Import", it.name);
        !entries.iter().any(|entry| entry.text.contains(&import))
    });
    let unused: Vec<&str> = unused.map(|it| &*it.name).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
