//! The tests of modules in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod contents;
mod loading;
mod robustness;
mod structure;
