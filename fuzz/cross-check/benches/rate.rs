//! How many states a second the cross-check compares: new modules, and new states of one module.
#![allow(missing_docs, clippy::unwrap_used)]

use arbitrary::Unstructured;
use divan::Bencher;
use divan::counter::ItemsCount;
use laneproof_cross_check::{check, compare};
use laneproof_forms::{Numbers, Prepared, state, targets};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use mimalloc::MiMalloc;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    divan::main();
}

#[divan::bench]
fn modules(bencher: Bencher<'_, '_>) {
    let mut numbers = Numbers::new(1);
    bencher
        .counter(ItemsCount::new(1usize))
        .with_inputs(|| numbers.bytes(1024))
        .bench_local_values(|bytes| check(&bytes, 16).unwrap());
}

#[divan::bench(args = ["OpGroupNonUniformShuffle", "OpGroupNonUniformIAdd Reduce"])]
fn states(bencher: Bencher<'_, '_>, name: &str) {
    let specification = Specification::built_in();
    let settled = Settled::by(&specification.profiles["vulkan"]);
    let (targets, _) = targets(specification);
    let target = targets.iter().find(|target| target.to_string() == name).unwrap();
    let mut numbers = Numbers::new(2);
    let bytes = numbers.bytes(1024);
    let prepared = Prepared::arbitrary(target, &mut Unstructured::new(&bytes)).unwrap();
    bencher
        .counter(ItemsCount::new(1usize))
        .with_inputs(|| {
            let bytes = numbers.bytes(256);
            state(&prepared, 16, &mut Unstructured::new(&bytes)).unwrap()
        })
        .bench_local_refs(|subgroup| {
            compare(specification, &settled, &prepared, subgroup).unwrap()
        });
}
