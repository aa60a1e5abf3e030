//! Mistakes planted in the clauses are seen: the cross-check would have seen them in the
//! specification.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use arbitrary::Unstructured;
use laneproof_fuzz::{
    Mutant, Numbers, Observed, Prepared, Subject, Target, evaluated, mutants, observe, outcome,
    state, targets,
};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::Subgroup;
use laneproof_smt::model_check::{Clauses, Meaning, equivalent};

/// As the default profile, except that a lane's value that no sentence speaks of is silence:
/// otherwise the reading would stand in for clauses that are gone.
fn settled() -> Settled {
    Settled::by(&Specification::built_in().profiles["vulkan"])
        .with("read-of-inactive-lane", "silence")
        .with("read-of-nonexistent-lane", "silence")
}

/// An instruction in a module, a state, and what the interpreter makes of it.
struct Case {
    prepared: Arc<Prepared>,
    subgroup: Subgroup,
    observed: Observed,
}

fn cases(target: &Target, seed: u64) -> Vec<Case> {
    let mut numbers = Numbers::new(seed);
    let mut cases = Vec::new();
    for _ in 0..40 {
        let bytes = numbers.bytes(1024);
        let mut u = Unstructured::new(&bytes);
        let prepared = Arc::new(Prepared::arbitrary(target, &mut u).unwrap());
        for _ in 0..5 {
            let subgroup = state(&prepared, 8, &mut u).unwrap();
            let observed = observe(&prepared, &subgroup).unwrap();
            cases.push(Case { prepared: prepared.clone(), subgroup, observed });
        }
    }
    cases
}

fn agrees(specification: &Specification, settled: &Settled, case: &Case) -> bool {
    let Case { prepared, subgroup, observed } = case;
    let Ok(lanes) = evaluated(specification, settled, prepared, subgroup) else { return false };
    match (outcome(&lanes), observed) {
        (Ok(Observed::UndefinedBehavior(_)), Observed::UndefinedBehavior(_)) => true,
        (Ok(found), observed) => found == *observed,
        (Err(_), _) => false,
    }
}

#[test]
fn every_mistake_in_a_clause_is_seen() {
    let original = Specification::built_in();
    let settled = settled();
    let (targets, _) = targets(original);
    let all: Vec<Vec<Case>> =
        targets.iter().enumerate().map(|(seed, target)| cases(target, seed as u64)).collect();
    let mut caught: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    let (mut well_formed, mut killed) = (0, 0);
    let mut survivors = Vec::new();
    for mutant in mutants(original, &settled) {
        let checked = |target: &&Target| mutant.concerns.contains(target.name());
        if targets.iter().filter(checked).next().is_none() {
            continue;
        }
        let Some(specification) = mutant.specification(original) else { continue };
        well_formed += 1;
        let seen: BTreeSet<&Arc<str>> = targets
            .iter()
            .zip(&all)
            .filter(|(target, _)| checked(target))
            .filter(|(_, cases)| !cases.iter().all(|case| agrees(&specification, &settled, case)))
            .map(|(target, _)| target.name())
            .collect();
        if seen.is_empty() {
            survivors.push((mutant, specification));
            continue;
        }
        killed += 1;
        for name in seen {
            *caught.entry(name.clone()).or_default() += 1;
        }
    }
    println!("{killed} of {well_formed} mutants are caught");
    for (mutant, _) in &survivors {
        println!("survives: {mutant}");
    }
}
