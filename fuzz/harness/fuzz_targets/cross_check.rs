//! Evaluator and interpreter on any instruction in any state. From the root of the repository:
//!
//! ```text
//! cargo fuzz run --fuzz-dir fuzz/harness --sanitizer none cross_check -- -max_len=512
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(disagreement) = laneproof_cross_check::check(bytes, 32) {
        panic!("{disagreement}");
    }
});
