//! The specification's tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod built_in;
mod citations;
mod environments;
mod facts;
mod hostile;
mod intrinsics;
mod machines;
mod memory;
mod mistakes;
mod pool;
mod print;
mod rules;
mod shared;
mod silences;
