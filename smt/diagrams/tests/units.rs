//! Tests that stand beside what they test and need no more of the library than those files: they are compiled
//! here, and the library not a second time.
#![allow(dead_code, missing_docs)]

#[path = "../src/flips.rs"]
mod flips;
#[path = "../src/numbers.rs"]
mod numbers;
