//! Tests that stand beside what they test and need no more of the library than those files: they are compiled
//! here, and the library not a second time.
#![allow(dead_code, missing_docs)]

use laneproof_lower::ActivityId;

#[path = "../src/flat/dominators.rs"]
mod dominators;
