//! GLSL in: a program or glslang's words, never a crash.
#![no_main]

use laneproof_frontends::{Language, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = compile(Language::Glsl, text, "input");
});
