//! How many states a second evaluator, interpreter and Z3's model of an instruction are held
//! against each other: one prepared module for each target, new states of up to four lanes.
#![allow(missing_docs, clippy::unwrap_used)]

use std::time::Duration;

use arbitrary::Unstructured;
use divan::Bencher;
use divan::counter::ItemsCount;
use laneproof_cross_check::{compare, evaluated, given, observe};
use laneproof_forms::{CheckedSubject, Numbers, Prepared, drawn, has_memory, state, targets};
use laneproof_queries::model_check::{Clauses, Meaning, ModelCheckError, agrees_with};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::Subgroup;
use mimalloc::MiMalloc;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    divan::main();
}

/// A state of every target.
fn states(seed: u64, most: u32) -> Vec<(Prepared, Subgroup)> {
    let mut numbers = Numbers::new(seed);
    targets(Specification::built_in())
        .0
        .iter()
        .map(|target| {
            let bytes = numbers.bytes(2048);
            let mut u = Unstructured::new(&bytes);
            let prepared = Prepared::arbitrary(target, &mut u).unwrap();
            let subgroup = state(&prepared, most, &mut u).unwrap();
            (prepared, subgroup)
        })
        .collect()
}

/// The same for those without memory effects; memory is compared in another way.
fn without_memory(seed: u64, most: u32) -> Vec<(Prepared, Subgroup)> {
    let mut states = states(seed, most);
    states.retain(|(prepared, _)| !has_memory(prepared));
    states
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn three_meanings(bencher: Bencher<'_, '_>) {
    let specification = Specification::built_in();
    let settled = Settled::by(&specification.profiles["vulkan"]);
    let states = without_memory(3, 4);
    bencher.counter(ItemsCount::new(states.len())).bench_local(|| {
        for (prepared, subgroup) in &states {
            compare(specification, &settled, prepared, subgroup).unwrap();
            let observed = observe(prepared, subgroup);
            let given = given(&observed);
            let lanes = evaluated(specification, &settled, prepared, subgroup, given).unwrap();
            let clauses = match &prepared.form.target.subject {
                CheckedSubject::Instruction(instruction) => Clauses::Instruction(instruction),
                CheckedSubject::BuiltIn(built_in) => Clauses::BuiltIn(built_in),
            };
            let meaning = Meaning { specification, settled: &settled, clauses };
            let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
                drawn(prepared.position(operand), leaf, lane, width)
            };
            let limit = Duration::from_secs(20);
            let instance = &prepared.instance;
            let verdict = agrees_with(meaning, instance, subgroup, &lanes, &mut draw, limit);
            // Z3 has no division of halves, and says so.
            assert!(matches!(verdict, Ok(true) | Err(ModelCheckError::Undecided(_))));
        }
    });
}

#[divan::bench(args = [4, 16, 128])]
fn evaluator_and_interpreter(bencher: Bencher<'_, '_>, most: u32) {
    let specification = Specification::built_in();
    let settled = Settled::by(&specification.profiles["vulkan"]);
    let states = states(3, most);
    bencher.counter(ItemsCount::new(states.len())).bench_local(|| {
        for (prepared, subgroup) in &states {
            compare(specification, &settled, prepared, subgroup).unwrap();
        }
    });
}

#[divan::bench(args = [4, 16])]
fn interpreter_alone(bencher: Bencher<'_, '_>, most: u32) {
    let states = without_memory(3, most);
    bencher.counter(ItemsCount::new(states.len())).bench_local(|| {
        for (prepared, subgroup) in &states {
            observe(prepared, subgroup).unwrap();
        }
    });
}
