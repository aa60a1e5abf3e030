//! Control flow without branches against execution: a state in which the flattened forms of a
//! module and of a neighbor differ is one in which their runs differ, and what never differs in
//! the flattened forms does not in a run.
#![no_main]

use laneproof_fuzz_targets::pair;
use laneproof_toolchains::{Depth, Proof, examine_proof};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((generated, neighbor)) = pair(bytes) else { return };
    match examine_proof(&generated, neighbor.as_deref(), Depth::Flattened) {
        Err(reason) => panic!("{reason}"),
        Ok(Proof::Spurious(reason)) => panic!("spurious: {reason}"),
        Ok(_) => {}
    }
});
