//! How long an obligation of the catalogue takes: each is run once, one after the other, loading
//! included. Prints median, 90th percentile and maximum, by the abstraction that decided and together.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::time::Duration;

use laneproof_frontends::Compilers;
use laneproof_proofs::{Catalogue, Setup, run_all};
use laneproof_semantics::Specification;
use mimalloc::MiMalloc;

/// That of the command line.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    let setup = Setup {
        specification: Specification::built_in(),
        timeout: Duration::from_secs(10),
        profile: None,
        jobs: 1,
        compilers: &Compilers::default(),
        cache: None,
        second: None,
    };
    let entries = Catalogue::built_in().unwrap().entries;
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut slowest = (0.0, String::new());
    let mut unexpected = 0;
    for outcome in run_all(&entries, &setup, |_| ()).unwrap() {
        let outcome = outcome.unwrap();
        let abstraction =
            outcome.abstraction.map_or("none".to_owned(), |abstraction| abstraction.to_string());
        times.entry(abstraction).or_default().push(outcome.milliseconds);
        times.entry("together".to_owned()).or_default().push(outcome.milliseconds);
        unexpected += u32::from(outcome.unexpected.is_some());
        if outcome.milliseconds > slowest.0 {
            slowest = (outcome.milliseconds, outcome.name);
        }
    }
    println!("milliseconds     count     median       90 %    maximum");
    for (abstraction, mut times) in times {
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        let count = times.len();
        println!("{abstraction:12} {count:9} {:10.1} {:10.1} {:10.1}", at(50), at(90), at(100));
    }
    println!("slowest: {}; not as expected: {unexpected}", slowest.1);
}
