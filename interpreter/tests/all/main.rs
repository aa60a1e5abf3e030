//! The interpreter's tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod buffers;
mod choices;
mod copies;
mod either_way;
mod entry;
mod extreme_constants;
mod float_readings;
mod floats;
mod images;
mod malformed;
mod partition_readings;
mod pass;
mod reconvergence;
mod second_executor;
mod short_forms;
mod support;
mod sweep_reductions;
mod sweep_shuffles;
