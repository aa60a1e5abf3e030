//! WGSL in: a program or naga's words, never a crash.
#![no_main]

use laneproof_frontends::{Language, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = compile(Language::Wgsl, text, "input");
});
