//! What one state costs: of all targets one after the other, and of the heaviest ones.
//!
//! The time is the least of several runs, so that load matters little. An argument sets the most
//! lanes, by default 4.
#![allow(missing_docs, clippy::unwrap_used)]

use std::time::Instant;

use arbitrary::Unstructured;
use laneproof_cross_check::{compare, observe, observe_memory};
use laneproof_forms::{Numbers, Prepared, has_memory, state, targets};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use mimalloc::MiMalloc;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The number of targets that are printed.
const SHOWN: usize = 25;
/// States of each target.
const STATES: usize = 8;
/// The time is the least of this number of runs.
const TIMES: usize = 15;

/// Microseconds that `work` takes: the quickest of several goes, which nothing interrupted.
fn cost(mut work: impl FnMut()) -> f64 {
    let go = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let quickest = (0..TIMES).map(go).min().unwrap_or_default();
    quickest.as_secs_f64() * 1e6
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|it| it != "--bench");
    let most = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(4);
    let specification = Specification::built_in();
    let settled = Settled::by(&specification.profiles["vulkan"]);
    let mut numbers = Numbers::new(3);
    let targets = targets(specification).0;
    let mut states = Vec::new();
    for _ in 0..STATES {
        for target in &targets {
            let bytes = numbers.bytes(2048);
            let mut u = Unstructured::new(&bytes);
            let prepared = Prepared::arbitrary(target, &mut u).unwrap();
            let subgroup = state(&prepared, most, &mut u).unwrap();
            states.push((target, prepared, subgroup));
        }
    }
    let both = |(.., prepared, subgroup): &(_, Prepared, _)| {
        compare(specification, &settled, prepared, subgroup).unwrap();
    };
    let interpreter = |(.., prepared, subgroup): &(_, Prepared, _)| match has_memory(prepared) {
        true => _ = observe_memory(prepared, subgroup).unwrap(),
        false => _ = observe(prepared, subgroup).unwrap(),
    };
    // As cost, but nothing of the last state is left in the caches when the next one comes.
    let gone_through: f64 =
        states.chunks(targets.len()).map(|all| cost(|| all.iter().for_each(both))).sum();
    let mean = gone_through / states.len() as f64;
    println!(
        "up to {most} lanes, {} states of {} targets, evaluator and interpreter: {:.1} us in the \
         mean, {:.0} states a second",
        states.len(),
        targets.len(),
        mean,
        1e6 / mean
    );
    let mut costs: Vec<([f64; 2], String)> = Vec::new();
    for target in &targets {
        let own = states.iter().filter(|(of, ..)| of.to_string() == target.to_string());
        let mut total = [0.0; 2];
        for state in own {
            total[0] += cost(|| both(state)) / STATES as f64;
            total[1] += cost(|| interpreter(state)) / STATES as f64;
        }
        costs.push((total, target.to_string()));
    }
    costs.sort_by(|(a, _), (b, _)| b[0].total_cmp(&a[0]));
    println!("{:>12} {:>12}", "both, us", "interpreter");
    for ([both, interpreter], name) in costs.iter().take(SHOWN) {
        println!("{both:12.1} {interpreter:12.1}  {name}");
    }
    let median = &costs[costs.len() / 2];
    println!("{:12.1} {:12.1}  {}, the median", median.0[0], median.0[1], median.1);
    let sums = [0, 1].map(|kind| costs.iter().map(|(cost, _)| cost[kind]).sum::<f64>());
    let [both, interpreter] = sums.map(|sum| sum / costs.len() as f64);
    println!("{both:12.1} {interpreter:12.1}  the mean of these");
}
