//! What runs read and leave as JSON documents, and the oracle: does the semantics allow what was
//! observed?
//!
//! [`read_memory`] and [`read_arguments`] read inputs, [`write_memory`], [`write_called`] and
//! [`write_stop`] write what a run left. [`Observation`] reads what was observed elsewhere, and
//! [`judge`] decides whether some choice of the semantics gives it.

mod document;
mod judge;

pub use document::{
    DocumentError, Observation, ObservedList, mark_open, read_arguments, read_memory, read_scalar,
    read_value, scalar_named, write_called, write_finished, write_memory, write_scalar, write_stop,
    write_value,
};
pub use judge::{
    Blind, Cell, ObservedRun, Offence, OracleVerdict, Possible, SearchClock, SearchLimits, judge,
};
