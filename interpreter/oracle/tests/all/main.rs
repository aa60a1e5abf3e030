//! The documents' and the oracle's tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod documents;
mod judge;
mod parts;
#[path = "../../../tests/all/support/mod.rs"]
mod support;
