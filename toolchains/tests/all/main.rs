//! The tests of toolchains in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answers;
mod persistent;
mod planted;
mod prover;
