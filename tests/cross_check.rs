//! Evaluator and interpreter agree on every instruction of the specification.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use laneproof_fuzz::{Agreement, Numbers, Prepared, compare, state, targets};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

fn settled(specification: &Specification) -> Settled {
    Settled::by(&specification.profiles["vulkan"])
}

#[test]
fn evaluator_and_interpreter_agree() {
    let specification = Specification::built_in();
    let settled = settled(specification);
    let (targets, _) = targets(specification);
    let mut invalid: BTreeMap<String, u32> = BTreeMap::new();
    let mut failures = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let mut numbers = Numbers::new(number as u64);
        let mut tally = Agreement::default();
        'forms: for _ in 0..24 {
            let bytes = numbers.bytes(400);
            let mut u = Unstructured::new(&bytes);
            let prepared = match Prepared::arbitrary(target, &mut u) {
                Ok(prepared) => prepared,
                Err(error) => {
                    failures.push(format!("{target}: {error}"));
                    break;
                }
            };
            if let Some(why) = &prepared.invalid {
                *invalid.entry(format!("{target}: {why}")).or_default() += 1;
            }
            for _ in 0..6 {
                let most = if numbers.once_in(12) { 128 } else { 16 };
                let subgroup = state(&prepared, most, &mut u).unwrap();
                match compare(specification, &settled, &prepared, &subgroup) {
                    Ok(agreement) => tally += agreement,
                    Err(disagreement) => {
                        failures.push(format!("{target}\n{disagreement}"));
                        break 'forms;
                    }
                }
            }
        }
        println!("{target}: {tally:?}");
    }
    for (why, count) in &invalid {
        println!("not valid {count} times: {why}");
    }
    assert!(failures.is_empty(), "{} targets fail:\n{}", failures.len(), failures.join("\n\n"));
}
