//! The catalogue's tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod assembly;
mod catalogue;
mod headers;
mod lowerings;
mod mutants;
mod mutation;
mod sampled;
