//! The validator's tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answers;
mod bfloat16;
mod cases;
mod data;
mod engine;
mod fixtures;
mod front_ends;
mod layouts;
mod messages;
mod shown;
mod signatures;
mod support;
mod variants;
