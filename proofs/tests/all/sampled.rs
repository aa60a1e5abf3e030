//! Every claim of the catalogue, put to the interpreter alone in states picked at random.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_module::load_bytes;
use laneproof_proofs::{Catalogue, Entry, Sampled, sample};
use laneproof_semantics::Specification;
use laneproof_verify::Claim;
use laneproof_verify::{Verdict, settle};
use rayon::prelude::*;

const STATES: u32 = 200;

fn sampled(entry: &Entry) -> Sampled {
    let name = entry.path.display().to_string();
    let specification = entry.specification(Specification::built_in()).unwrap();
    let program = load_bytes(entry.text.as_bytes(), &name).unwrap();
    let claim = Claim::of(&program, &name).unwrap();
    let header = &entry.header;
    let profile = header.profile.as_deref();
    let kernel = program.is_kernel();
    let (_, settled) = settle(&specification, kernel, profile, &header.readings).unwrap();
    sample(&claim, header, &specification, &settled, STATES)
}

fn of(verdict: Verdict) -> Vec<(Entry, Sampled)> {
    let mut entries = Catalogue::built_in().unwrap().entries;
    entries.retain(|entry| entry.header.expect == verdict);
    entries.into_par_iter().map(|entry| (entry.clone(), sampled(&entry))).collect()
}

#[test]
fn what_is_proved_holds_in_every_state_tried() {
    let all = of(Verdict::Proved);
    for (entry, sampled) in &all {
        assert_eq!(sampled.differs, None, "{}", entry.name);
    }
    let run = all.iter().filter(|(_, sampled)| sampled.compared > 0).count();
    let states: u32 = all.iter().map(|(_, sampled)| sampled.compared).sum();
    println!("{run} of {} proved claims in {states} states", all.len());
    assert_eq!(run, 616);
    assert!(states > 100_000, "{states}");
}

/// The sampler can say no: it finds most of what is refuted, too.
#[test]
fn what_is_refuted_fails_in_some_state_tried() {
    let all = of(Verdict::Refuted);
    let found = all.iter().filter(|(_, sampled)| sampled.differs.is_some()).count();
    println!("{found} of {} refuted claims", all.len());
    assert_eq!(found, 757);
}
