//! The front ends' tests in one binary, which is linked once.
#![allow(missing_docs)]

mod sources;
mod spelling;
