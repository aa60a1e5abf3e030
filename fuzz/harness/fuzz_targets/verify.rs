//! The prover on a module and a neighbor of it: what is proved shows no difference when both run,
//! and what is refuted was replayed.
#![no_main]

use laneproof_fuzz_targets::pair;
use laneproof_toolchains::{Depth, examine_proof};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((generated, neighbor)) = pair(bytes) else { return };
    if let Err(reason) = examine_proof(&generated, neighbor.as_deref(), Depth::Strategies) {
        panic!("{reason}");
    }
});
