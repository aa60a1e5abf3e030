//! The tests of toolchains in one binary, which is linked once.
#![allow(missing_docs)]

mod planted;
mod prover;
