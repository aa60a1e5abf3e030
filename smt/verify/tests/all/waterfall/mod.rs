//! Waterfall loops and the masked scan, proved by induction for every subgroup size at once.
//!
//! Written by hand against Z3, with no help from the encoder: this is what the encoder's own
//! inductive rule has to reproduce. `docs/waterfall.md` explains the formulas.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod induction;
mod lanes;
mod partition;
mod runs;
mod scan;
mod search;
mod shuffle;
mod theorems;
