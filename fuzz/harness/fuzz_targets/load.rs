//! The loader on any bytes: an error or a program, never a panic.
//!
//! From the root of the repository, with a stable toolchain (the validator's C++ makes the first
//! build take minutes):
//!
//! ```text
//! cargo run --release -p laneproof-module --example assemble -- \
//!     fuzz/harness/corpus/load module/tests/accept/*.spvasm
//! cp module/tests/accept/* module/tests/reject/* fuzz/harness/corpus/load
//! cargo fuzz run --fuzz-dir fuzz/harness --sanitizer none load -- -max_len=4096 -runs=1000000
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = laneproof_module::load_bytes(bytes, "input");
});
