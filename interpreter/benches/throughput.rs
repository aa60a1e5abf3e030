//! How many lane-instructions a second the interpreter executes: an instruction counts once for
//! each lane that executes it; labels and merge declarations do not count. Times are of whole
//! calls, decoding included.
#![allow(missing_docs, clippy::unwrap_used)]

use divan::Bencher;
use divan::counter::ItemsCount;
use laneproof_interpreter::{Call, CallArgument, LaneValue, RunOptions, Sizes, Zeros, call};
use laneproof_module::{Item, Program, load_bytes};
use mimalloc::MiMalloc;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const LANES: u32 = 32;

fn main() {
    divan::main();
}

fn kernel(name: &str) -> Program {
    let path = format!("{}/benches/{name}.spvasm", env!("CARGO_MANIFEST_DIR"));
    load_bytes(&std::fs::read(path).unwrap(), name).unwrap()
}

/// Calls the kernel with an argument a lane for each of `arguments`.
fn measure(bencher: Bencher<'_, '_>, program: &Program, arguments: Vec<Vec<u64>>, count: u64) {
    let arguments = arguments
        .into_iter()
        .map(|lanes| CallArgument::PerLane(lanes.into_iter().map(LaneValue::scalar).collect()))
        .collect();
    let sizes = Sizes::full(LANES);
    let function = program.function("kernel").unwrap().id;
    let request = Call { program, function, sizes, active: sizes.lanes(), arguments };
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| call(&request, &RunOptions::default(), &mut Zeros).unwrap());
}

#[divan::bench]
fn straight_line(bencher: Bencher<'_, '_>) {
    let program = kernel("straight");
    let instructions: usize = program.functions[0]
        .body
        .items
        .iter()
        .map(|item| match item {
            Item::Block(block) => block.instructions.len() + 1,
            Item::Loop(_) => 0,
        })
        .sum();
    let integers = (0..LANES).map(|lane| u64::from(lane * 77 + 1)).collect();
    let floats = (0..LANES).map(|lane| u64::from((lane as f32 - 9.5).to_bits())).collect();
    measure(bencher, &program, vec![integers, floats], instructions as u64 * u64::from(LANES));
}

#[divan::bench]
fn divergent(bencher: Bencher<'_, '_>) {
    let program = kernel("divergent");
    let starts: Vec<u64> = (0..LANES).map(|lane| u64::from(lane) * 11 + 3).collect();
    let count = starts.iter().map(|start| executed(*start)).sum();
    measure(bencher, &program, vec![starts], count);
}

/// How many instructions of the divergent kernel a lane executes.
fn executed(mut number: u64) -> u64 {
    // Entry; two phis, a comparison and a branch in each visit of the header; the return.
    let mut count = 1 + 4 + 1;
    while number != 1 {
        let even = number.is_multiple_of(2);
        number = if even { number / 2 } else { 3 * number + 1 };
        // The test, one of the two sides, the join, and what counts the steps.
        count += 3 + if even { 2 } else { 3 } + 2 + 2 + 4;
    }
    count
}
