//! The validator's tests in one binary, which is linked once.
#![allow(missing_docs)]

mod cases;
mod data;
mod fixtures;
mod support;
