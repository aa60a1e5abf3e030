//! The prover's tests in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod acts;
mod atomics_judged;
mod catalogue_abstractions;
mod counted_judged;
mod declared_judged;
mod definitions;
mod descent;
mod globals_judged;
mod images_judged;
mod interleavings;
mod interleavings_judged;
mod limits;
mod lockstep_judged;
mod loops_not_modelled;
mod memory_judged;
mod not_looked_at;
mod open_built_ins;
mod own_places;
mod random_pairs;
mod readings_followed;
mod reconvergence;
mod refinement_judged;
mod required_subgroups;
mod second_executor;
mod stated_invariants;
mod strategies;
mod support;
mod unsettled;
mod vacuity;
mod waterfall;
mod waterfalls_judged;
mod workgroups_judged;
mod written;
