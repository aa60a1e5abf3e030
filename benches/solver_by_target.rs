//! What Z3's model of one state costs, of all targets without memory, and of the heaviest ones.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use laneproof_cross_check::{evaluated, given, observe};
use laneproof_forms::{CheckedSubject, Numbers, Prepared, drawn, has_memory, state, targets};
use laneproof_queries::model_check::{Clauses, Meaning, ModelCheckError, agrees_with};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use mimalloc::MiMalloc;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The number of targets that are printed.
const SHOWN: usize = 25;
/// States of each target.
const STATES: u32 = 3;
/// The time is the least of this number of runs.
const TIMES: usize = 3;

fn main() {
    let specification = Specification::built_in();
    let settled = Settled::by(&specification.profiles["vulkan"]);
    let mut numbers = Numbers::new(3);
    let (mut undecided, mut costs) = (Vec::new(), Vec::new());
    for target in &targets(specification).0 {
        let mut total = Duration::ZERO;
        for _ in 0..STATES {
            let bytes = numbers.bytes(2048);
            let mut u = Unstructured::new(&bytes);
            let prepared = Prepared::arbitrary(target, &mut u).unwrap();
            if has_memory(&prepared) {
                continue;
            }
            let subgroup = state(&prepared, 4, &mut u).unwrap();
            let observed = observe(&prepared, &subgroup);
            let given = given(&observed);
            let lanes = evaluated(specification, &settled, &prepared, &subgroup, given).unwrap();
            let clauses = match &target.subject {
                CheckedSubject::Instruction(instruction) => Clauses::Instruction(instruction),
                CheckedSubject::BuiltIn(built_in) => Clauses::BuiltIn(built_in),
            };
            let meaning = Meaning { specification, settled: &settled, clauses };
            let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
                drawn(prepared.position(operand), leaf, lane, width)
            };
            let limit = Duration::from_secs(20);
            let mut ask = || {
                let start = Instant::now();
                let instance = &prepared.instance;
                let verdict = agrees_with(meaning, instance, &subgroup, &lanes, &mut draw, limit);
                match verdict {
                    Ok(true) => {}
                    Err(ModelCheckError::Undecided(_)) => undecided.push(target.to_string()),
                    other => panic!("{target}: {other:?}"),
                }
                start.elapsed()
            };
            total += (0..TIMES).map(|_| ask()).min().unwrap_or_default() / STATES;
        }
        if total > Duration::ZERO {
            costs.push((total.as_secs_f64() * 1e6, target.to_string()));
        }
    }
    let sum: f64 = costs.iter().map(|(cost, _)| cost).sum();
    let count = costs.len() as f64;
    println!(
        "up to 4 lanes, {count} targets, Z3: {:.1} us in the mean, {:.0} states a second",
        sum / count,
        count * 1e6 / sum
    );
    undecided.dedup();
    println!("undecided: {undecided:?}");
    costs.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    for (cost, name) in costs.iter().take(SHOWN) {
        println!("{cost:12.1}  {name}");
    }
    let (cost, name) = &costs[costs.len() / 2];
    println!("{cost:12.1}  {name}, the median");
}
