//! The ambiguity search's report, for a terminal, a browser, an issue tracker, and as modules to run.

pub mod html;
pub mod litmus;
pub mod markdown;
mod memory;
mod text;
mod triage;

pub use text::text;
pub use triage::{Note, Triage};
