//! The parser of specification files on any text: a specification or an error with its place.
#![no_main]

use laneproof_semantics::Specification;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Specification::built_in().extended_with("input", text);
});
