//! The tests of the search for ambiguities in one binary, which is linked once.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod accounts;
mod controls;
mod draft;
mod editorial;
mod faults;
mod harmless;
mod ledger;
mod listed;
mod litmus;
mod naming;
mod omissions;
mod origin;
mod phrasing;
mod plain;
mod presumed;
mod prose;
mod reworded;
mod rules;
mod search;
mod sentences;
mod twins;
