//! Tests that stand beside what they test and need no more of the library than those files: they are compiled
//! here, and the library not a second time.
#![allow(dead_code, missing_docs, unused_imports, clippy::wrong_self_convention)]

use ty::Scalar;

#[path = "../src/hash.rs"]
mod hash;
#[path = "../src/denote/ieee.rs"]
mod ieee;
#[path = "../src/language/name.rs"]
mod name;
#[path = "../src/term/mod.rs"]
mod term;
#[path = "../src/ty.rs"]
mod ty;
