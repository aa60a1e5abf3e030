//! Evaluator, solver and interpreter agree on every instruction of the specification.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::time::Duration;

use arbitrary::Unstructured;
use laneproof_fuzz::{
    Agreement, Numbers, Perturbed, Prepared, Subject, Target, compare, drawn, evaluated, given,
    has_memory, observe, perturbed, state, targets,
};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::{LaneResult, Subgroup};
use laneproof_smt::model_check::{Clauses, Meaning, ModelCheckError, agrees_on, agrees_with};
use proptest::collection;
use proptest::prelude::*;

fn settled(specification: &Specification) -> Settled {
    Settled::by(&specification.profiles["vulkan"])
}

/// Forms of a target, each with states: the same ones in every run.
fn cases(target: &Target, seed: u64, forms: usize, states: usize, most: u32) -> Vec<Case> {
    let mut numbers = Numbers::new(seed);
    (0..forms)
        .map(|_| {
            let bytes = numbers.bytes(1024);
            let mut u = Unstructured::new(&bytes);
            let prepared = Prepared::arbitrary(target, &mut u)
                .unwrap_or_else(|error| panic!("{target}: {error}"));
            let subgroups = (0..states).map(|_| state(&prepared, most, &mut u).unwrap()).collect();
            Case { prepared, subgroups }
        })
        .collect()
}

struct Case {
    prepared: Prepared,
    subgroups: Vec<Subgroup>,
}

#[test]
fn what_is_not_checked_is_known() {
    let (targets, excluded) = targets(Specification::built_in());
    let excluded: Vec<(&str, &str)> = excluded.iter().map(|it| (&*it.name, it.reason)).collect();
    assert_eq!(
        excluded,
        [
            ("OpAtomicFAddEXT", "which NaN it leaves in memory is open"),
            ("OpControlBarrier", "it shows in memory only"),
            ("OpGroupAsyncCopy", "its copies show in memory only"),
            ("OpGroupWaitEvents", "it shows in memory only"),
        ]
    );
    let arithmetic = targets.iter().filter(|it| it.operation.is_some()).count();
    assert_eq!(arithmetic, 16 * 7 + 16 * 3 + 3, "pairs of instruction and group operation");
    assert!(targets.len() > 230, "only {} targets", targets.len());
}

#[test]
fn evaluator_and_interpreter_agree() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let mut total = Agreement::default();
    let mut invalid: BTreeMap<String, u32> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut few = Vec::new();
    for (number, target) in targets(specification).0.iter().enumerate() {
        let mut tally = Agreement::default();
        // Large subgroups are dear: one form sees them.
        let number = number as u64;
        let mut all = cases(target, number, 24, 6, 16);
        all.extend(cases(target, !number, 1, 2, 128));
        'cases: for Case { prepared, subgroups } in &all {
            if prepared.invalid.is_some() {
                *invalid.entry(target.to_string()).or_default() += 1;
            }
            for subgroup in subgroups {
                match compare(specification, &settled, prepared, subgroup) {
                    Ok(agreement) => tally += agreement,
                    Err(disagreement) => {
                        failures.push(format!("{target}\n{disagreement}"));
                        break 'cases;
                    }
                }
            }
        }
        if tally.values < 50 {
            few.push(format!("{target}: {tally:?}"));
        }
        total += tally;
    }
    println!("{total:?}; modules that no validator accepts: {invalid:?}");
    assert!(failures.is_empty(), "{} targets fail:\n{}", failures.len(), failures.join("\n\n"));
    assert!(few.is_empty(), "too little was compared: {few:#?}");
    assert!(total.undefined > 5_000 && total.behavior > 1_000, "{total:?}");
    assert!(total.judged > 5_000, "{total:?}");
    // Cluster sizes that are no power of two.
    assert!(invalid.values().sum::<u32>() < 20, "{invalid:?}");
}

#[test]
fn evaluator_and_solver_agree() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let (mut checked, mut changed, mut undecided) = (0, 0, 0);
    let mut failures = Vec::new();
    for (number, target) in targets(specification).0.iter().enumerate() {
        for Case { prepared, subgroups } in cases(target, 77 + number as u64, 2, 2, 4) {
            if has_memory(&prepared) {
                continue;
            }
            let clauses = match &target.subject {
                Subject::Instruction(instruction) => Clauses::Instruction(instruction),
                Subject::BuiltIn(built_in) => Clauses::BuiltIn(built_in),
            };
            let meaning = Meaning { specification, settled: &settled, clauses };
            for subgroup in &subgroups {
                let observed = observe(&prepared, subgroup);
                let given = given(&observed);
                let lanes = evaluated(specification, &settled, &prepared, subgroup, given).unwrap();
                let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
                    drawn(prepared.position(operand), leaf, lane, width)
                };
                let limit = Duration::from_secs(10);
                let instance = &prepared.instance;
                match agrees_with(meaning, instance, subgroup, &lanes, &mut draw, limit) {
                    Ok(true) => checked += 1,
                    // All trees of products, say.
                    Err(ModelCheckError::Undecided(_)) => undecided += 1,
                    other => failures.push(format!(
                        "{target}: {other:?}, evaluated {lanes:x?}\n{}{subgroup:?}",
                        prepared.text
                    )),
                }
                // Results that nothing gave: legal to both, or to neither.
                let mut numbers = Numbers::new(number as u64);
                let changes = observed
                    .iter()
                    .flat_map(|observed| perturbed(&prepared, subgroup, observed, 2, &mut numbers));
                for Perturbed { lanes: given, legal } in changes.collect::<Vec<_>>() {
                    let lanes =
                        evaluated(specification, &settled, &prepared, subgroup, Some(&given));
                    let lanes = lanes.unwrap();
                    match agrees_on(meaning, instance, subgroup, &given, &lanes, &mut draw, limit) {
                        Ok(true) => changed += 1,
                        Err(ModelCheckError::Undecided(_)) => undecided += 1,
                        other => failures.push(format!(
                            "{target}: {other:?}, legal: {legal}: {given:x?}\n{}{subgroup:?}",
                            prepared.text
                        )),
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n\n"));
    println!("{checked} states and {changed} changes agree, {undecided} are undecided");
    assert!(checked > 700, "only {checked} states were checked");
    assert!(changed > 100, "only {changed} changed results were checked");
}

#[test]
fn a_wrong_expectation_is_told_from_a_right_one() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let (targets, _) = targets(specification);
    let mut told = 0;
    for (number, target) in targets.iter().enumerate().step_by(5) {
        let Subject::Instruction(instruction) = &target.subject else { continue };
        let meaning = Meaning {
            specification,
            settled: &settled,
            clauses: Clauses::Instruction(instruction),
        };
        for Case { prepared, subgroups } in cases(target, 900 + number as u64, 1, 2, 4) {
            if has_memory(&prepared) {
                continue;
            }
            let subgroup = &subgroups[0];
            let observed = observe(&prepared, subgroup);
            let given = given(&observed);
            let mut lanes = evaluated(specification, &settled, &prepared, subgroup, given).unwrap();
            let Some(LaneResult::Value(leaves)) = lanes.iter_mut().flatten().next() else {
                continue;
            };
            leaves[0] = match leaves[0] {
                Some(bits) => Some(bits ^ 1),
                None => Some(0),
            };
            let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
                drawn(prepared.position(operand), leaf, lane, width)
            };
            let limit = Duration::from_secs(20);
            let verdict =
                agrees_with(meaning, &prepared.instance, subgroup, &lanes, &mut draw, limit);
            if let Err(ModelCheckError::Undecided(_)) = verdict {
                continue;
            }
            assert_eq!(verdict, Ok(false), "{target}");
            told += 1;
        }
    }
    assert!(told > 20, "only {told} expectations were wrong");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_the_bytes_choose_agrees(bytes in collection::vec(any::<u8>(), 64..512)) {
        if let Err(disagreement) = laneproof_fuzz::check(&bytes, 32) {
            return Err(TestCaseError::fail(disagreement.to_string()));
        }
    }
}
