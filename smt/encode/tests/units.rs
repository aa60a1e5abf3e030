//! Tests that stand beside what they test and need no more of the library than those files: they are compiled
//! here, and the library not a second time.
#![allow(dead_code, missing_docs)]

#[path = "../src/distribution.rs"]
mod distribution;
#[path = "../src/fold.rs"]
mod fold;
#[path = "../src/lane.rs"]
mod lane;
#[path = "../src/membership.rs"]
mod membership;
#[path = "../src/products.rs"]
mod products;
#[path = "../src/workgroup.rs"]
mod workgroup;
