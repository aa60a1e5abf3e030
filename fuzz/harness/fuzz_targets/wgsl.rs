//! WGSL in: a program or naga's words, never a crash. A panic in naga is caught, as in every
//! command, and is an error like its others; any other panic ends the target.
#![no_main]

use laneproof_frontends::{Language, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    // libFuzzer's hook would end the process at a panic that is caught.
    init: drop(std::panic::take_hook()),
    |text: &str| {
        let _ = compile(Language::Wgsl, text, "input");
    }
);
