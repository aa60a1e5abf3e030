//! Whole modules: each is valid, and the interpreter's short forms give what full execution gives.
#![no_main]

use arbitrary::Unstructured;
use laneproof_fuzz_targets::request;
use laneproof_generator::generate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut u = Unstructured::new(bytes);
    let Some(request) = request(&mut u, false) else { return };
    let Ok(generated) = generate(&request, &mut u) else { return };
    if let Err(reason) = laneproof_toolchains::examine_own(&generated) {
        panic!("{reason}");
    }
});
