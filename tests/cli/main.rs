//! The command line as scripts and people meet it: exit status, JSON documents, text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod ambiguities;
mod cache;
mod check;
mod clock;
mod fuzz;
mod headers;
mod interrupts;
mod laneproof;
mod limits;
mod lines;
mod manual;
mod matrix;
mod mistakes;
mod prove;
mod readings;
mod run;
mod sarif;
mod second;
mod shared;
mod sources;
mod spec;
mod undecided;
mod validate;
mod verify;
mod widths;
