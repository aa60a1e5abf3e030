//! The front ends' tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod sources;
mod spelling;
