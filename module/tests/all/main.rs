//! The tests of modules in one binary, which is linked once.
#![allow(missing_docs)]

mod contents;
mod loading;
mod robustness;
mod structure;
