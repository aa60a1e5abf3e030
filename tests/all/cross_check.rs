//! Evaluator, solver and interpreter agree on every instruction of the specification.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::time::Duration;

use arbitrary::Unstructured;
use laneproof_cross_check::{
    Agreement, Around, Passage, Passed, Perturbed, compare, evaluated, executed, given,
    legal_memory, neighbours, observe, observe_memory, ordered, perturbed, perturbed_memory,
    serialization,
};
use laneproof_forms::{
    CheckedSubject, Numbers, Prepared, Target, drawn, has_memory, orders_memory, state, targets,
};
use laneproof_module::load_text_unvalidated;
use laneproof_queries::model_check::{
    Clauses, Meaning, ModelCheckError, agrees_on, agrees_with, agrees_with_memory,
};
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::{Bits, Execution, LaneResult, Memory, Serialization, Subgroup};
use laneproof_semantics::{Scalar, Specification, Type};
use laneproof_verify::{Side, States, Verdict, verify};
use proptest::collection;
use proptest::prelude::*;

/// What holds of all cases where `LANEPROOF_WHOLE` is set, and otherwise of a sample.
fn by_extent<T>(whole: T, sample: T) -> T {
    if std::env::var_os("LANEPROOF_WHOLE").is_some() { whole } else { sample }
}

fn settled(specification: &Specification) -> Settled {
    // The interpreter's view of what an implementation defines.
    let settled = Settled::by(&specification.profiles["vulkan"]);
    settled.with("implementation-defined", "undefined-value")
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
    assert_eq!(excluded, []);
    let arithmetic = targets.iter().filter(|it| it.operation.is_some()).count();
    assert_eq!(arithmetic, 16 * 7 + 16 * 3 + 3, "pairs of instruction and group operation");
    assert_eq!(targets.len(), 435);
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
        let mut all = cases(target, number, by_extent(24, 8), 6, 16);
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
        // A barrier has no result: only the lanes that must execute it can be compared.
        let gives = |case: &Case| case.prepared.form.result.is_some() || has_memory(&case.prepared);
        let compared = if all.iter().any(gives) {
            tally.values / by_extent(50, 12)
        } else {
            tally.behavior / by_extent(5, 1)
        };
        if compared == 0 {
            few.push(format!("{target}: {tally:?}"));
        }
        total += tally;
    }
    println!("{total:?}; modules that no validator accepts: {invalid:?}");
    assert!(failures.is_empty(), "{} targets fail:\n{}", failures.len(), failures.join("\n\n"));
    assert!(few.is_empty(), "too little was compared: {few:#?}");
    let part = by_extent(1, 4);
    assert!(total.undefined > 5_000 / part && total.behavior > 1_000 / part, "{total:?}");
    assert!(total.judged > 5_000 / part, "{total:?}");
    // Cluster sizes that are no power of two.
    assert!(invalid.values().sum::<u32>() < 20 / part as u32, "{invalid:?}");
}

/// Clauses and interpreter say the same of what no order, or only another order, gives.
#[test]
fn what_is_changed_in_memory_is_legal_to_both_or_to_neither() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let (mut legal, mut wrong, mut undecided) = (0, 0, 0);
    let mut failures = Vec::new();
    for (number, target) in targets(specification).0.iter().enumerate() {
        let mut numbers = Numbers::new(number as u64);
        for Case { prepared, subgroups } in
            cases(target, 900 + number as u64, by_extent(6, 2), 6, 5)
        {
            for subgroup in subgroups.iter().filter(|_| has_memory(&prepared)) {
                let left = observe_memory(&prepared, subgroup).unwrap();
                let changes = perturbed_memory(&prepared, subgroup, &left, 4, &mut numbers);
                for given in changes {
                    match legal_memory(specification, &settled, &prepared, subgroup, &given) {
                        Ok(None) => undecided += 1,
                        Ok(Some(found)) if found == given.legal => {
                            *(if found { &mut legal } else { &mut wrong }) += 1;
                        }
                        other => failures.push(format!(
                            "{target}: {other:?}, {given:x?}\n{}{subgroup:x?}",
                            prepared.text
                        )),
                    }
                }
            }
        }
    }
    println!("{legal} changes are legal, {wrong} are not, {undecided} are undecided");
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n\n"));
    assert_eq!((legal, wrong, undecided), by_extent((15, 2736, 77), (2, 923, 20)));
}

#[test]
fn evaluator_and_solver_agree() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let (mut checked, mut changed, mut with_memory, mut undecided) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for (number, target) in targets(specification).0.iter().enumerate() {
        for Case { prepared, subgroups } in
            cases(target, 77 + number as u64, by_extent(2, 1), by_extent(2, 1), 4)
        {
            let clauses = match &target.subject {
                CheckedSubject::Instruction(instruction) => Clauses::Instruction(instruction),
                CheckedSubject::BuiltIn(built_in) => Clauses::BuiltIn(built_in),
            };
            let meaning = Meaning { specification, settled: &settled, clauses };
            for subgroup in &subgroups {
                if has_memory(&prepared) {
                    match solver_finds_memory(&prepared, subgroup, |_| {}) {
                        Ok(true) => with_memory += 1,
                        other => failures.push(format!("{target}: {other:?}\n{subgroup:?}")),
                    }
                    continue;
                }
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
    println!(
        "{checked} states agree, {with_memory} with memory, {changed} changes; {undecided} are \
         undecided"
    );
    let part = by_extent(1, 4);
    assert!(checked > 700 / part, "only {checked} states were checked");
    assert!(changed > 100 / part, "only {changed} changed results were checked");
    assert!(with_memory >= 25 * 4 / part, "only {with_memory} states with memory");
}

/// Whether the solver accepts the evaluator's results after a change.
fn solver_finds_memory(
    prepared: &Prepared,
    subgroup: &Subgroup,
    change: impl Fn(&mut Execution),
) -> Result<bool, ModelCheckError> {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let CheckedSubject::Instruction(instruction) = &prepared.form.target.subject else {
        unreachable!()
    };
    let mut execution = executed(specification, &settled, instruction, prepared, subgroup).unwrap();
    change(&mut execution);
    let clauses = Clauses::Instruction(instruction);
    let meaning = Meaning { specification, settled: &settled, clauses };
    let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
        drawn(prepared.position(operand), leaf, lane, width)
    };
    let (order, chosen) = serialization(subgroup);
    let serialization = Serialization { order: &order, chosen: &chosen };
    let (instance, limit) = (&prepared.instance, Duration::from_secs(20));
    agrees_with_memory(meaning, instance, subgroup, serialization, &execution, &mut draw, limit)
}

#[test]
fn a_wrong_memory_is_told_from_a_right_one() {
    let specification = Specification::built_in();
    let (mut rejected, mut with_results) = (0, 0);
    for (number, target) in targets(specification).0.iter().enumerate() {
        for Case { prepared, subgroups } in cases(target, 300 + number as u64, 1, 2, 4) {
            for subgroup in subgroups.iter().filter(|_| has_memory(&prepared)) {
                let other = |bits: &mut Bits| *bits = bits.map_or(Some(0), |bits| Some(bits ^ 1));
                let scalars = |execution: &mut Execution| match execution.memory.values_mut().next()
                {
                    Some(Memory::Buffer { elements, .. }) => other(&mut elements[0]),
                    Some(Memory::Image { words, .. }) => other(&mut words[0]),
                    None => {}
                };
                let CheckedSubject::Instruction(it) = &prepared.form.target.subject else {
                    continue;
                };
                let right =
                    executed(specification, &settled(specification), it, &prepared, subgroup);
                let is_value = |lane: &LaneResult| matches!(lane, LaneResult::Value(_));
                if !right.unwrap().lanes.iter().flatten().all(is_value) {
                    continue;
                }
                assert_eq!(
                    solver_finds_memory(&prepared, subgroup, scalars),
                    Ok(false),
                    "{target}"
                );
                rejected += 1;
                let result = |execution: &mut Execution| {
                    let lane = execution.lanes.iter_mut().flatten().next();
                    if let Some(LaneResult::Value(leaves)) = lane {
                        leaves.iter_mut().for_each(other);
                    }
                };
                if prepared.form.result.is_some() {
                    let found = solver_finds_memory(&prepared, subgroup, result);
                    assert_eq!(found, Ok(false), "{target}");
                    with_results += 1;
                }
            }
        }
    }
    assert_eq!((rejected, with_results), (47, 40));
}

#[test]
fn a_wrong_expectation_is_told_from_a_right_one() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let (targets, _) = targets(specification);
    let mut rejected = 0;
    for (number, target) in targets.iter().enumerate().step_by(5) {
        let CheckedSubject::Instruction(instruction) = &target.subject else { continue };
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
            let Some(leaf) = leaves.first_mut() else { continue };
            let number = prepared.form.result.as_ref().and_then(Type::element);
            *leaf = match *leaf {
                // Another NaN may be just as right.
                Some(bits) if number.is_some_and(Scalar::is_float) => {
                    Some(1 + u64::from(bits == 1))
                }
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
            rejected += 1;
        }
    }
    assert_eq!(rejected, 66);
}

/// Lanes write, wait and read: what a barrier puts in order is the same to clauses, interpreter and
/// solver, and where it does not, lanes that meet race.
#[test]
fn what_a_barrier_orders_is_in_order_to_all() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let (targets, _) = targets(specification);
    let barriers = targets.iter().filter_map(|target| match &target.subject {
        CheckedSubject::Instruction(instruction) if orders_memory(instruction) => {
            Some((target, instruction))
        }
        _ => None,
    });
    let (mut read, mut races, mut ordered_to_solver, mut vacuous) = (0, 0, 0, 0);
    for (target, barrier) in barriers {
        let mut numbers = Numbers::new(5);
        for Case { prepared, .. } in cases(target, 31, 60, 1, 4) {
            for _ in 0..10 {
                let passage = Passage::arbitrary(&mut numbers);
                let output =
                    passage.clause_order(specification, &settled, barrier, &prepared).unwrap();
                let observed = passage.observed(&prepared).unwrap();
                assert_eq!(output, observed, "{passage:?}\n{}", prepared.text);
                match output {
                    Passed::Read(_) => read += 1,
                    Passed::UndefinedBehavior => races += 1,
                }
            }
            for around in Around::ALL {
                let it = (&**barrier, &prepared);
                let order = ordered(specification, &settled, it, around, 2).unwrap();
                let text = neighbours(&prepared, around);
                // Scopes that are not modelled are not known.
                let Some(found) = solver_finds_order(&text) else { continue };
                assert_eq!(found, order.orders.contains(&around.storage()), "{text}");
                match found {
                    true => ordered_to_solver += 1,
                    false => vacuous += 1,
                }
            }
        }
    }
    println!("{read} passages read, {races} race; {ordered_to_solver} in order, {vacuous} not");
    assert_eq!((read, races), (341, 259));
    assert_eq!((ordered_to_solver, vacuous), (47, 158));
}

/// Whether two functions that do the same have a state in which they behave.
fn solver_finds_order(text: &str) -> Option<bool> {
    let program = load_text_unvalidated(text, "neighbours").unwrap_or_else(|error| {
        panic!("{error}\n{text}");
    });
    let side = |name: &str| Side { program: &program, function: program.function(name).unwrap() };
    let options = laneproof_verify::Options {
        states: States { sizes: vec![2], all_active: true, ..States::default() },
        ..laneproof_verify::Options::default()
    };
    let specification = Specification::built_in();
    let report = verify(specification, side("src"), Some(side("tgt")), &options).unwrap();
    match report.verdict {
        Verdict::Proved => Some(true),
        Verdict::Vacuous => Some(false),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_bytes_choose_agrees(bytes in collection::vec(any::<u8>(), 64..512)) {
        if let Err(disagreement) = laneproof_cross_check::check(&bytes, 32) {
            return Err(TestCaseError::fail(disagreement.to_string()));
        }
    }
}
