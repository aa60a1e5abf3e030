//! What several crates do together: tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bounds;
mod compilers;
mod compound;
mod conforming;
mod coverage;
mod cross_check;
mod debug_text;
mod formats;
mod fuzz_targets;
mod glslang;
mod guide;
mod pages;
mod planted;
mod structure;
