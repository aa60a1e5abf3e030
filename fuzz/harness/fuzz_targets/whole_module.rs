//! Whole modules: each is valid, and the interpreter's short forms give what full execution gives.
#![no_main]

use arbitrary::Unstructured;
use laneproof_generator::{Flavor, Profile, Request, generate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut u = Unstructured::new(bytes);
    let Ok(choice) = u.arbitrary::<[u8; 3]>() else { return };
    let profile = Profile::ALL[usize::from(choice[0]) % Profile::ALL.len()];
    let flavor = if choice[1] % 2 == 0 { Flavor::Shader } else { Flavor::Kernel };
    let request = Request::new(profile, flavor, 1 << (2 + choice[2] % 6));
    let Ok(generated) = generate(&request, &mut u) else { return };
    if let Err(reason) = laneproof_toolchains::examine_own(&generated) {
        panic!("{reason}");
    }
});
