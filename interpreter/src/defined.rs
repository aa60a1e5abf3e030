//! What a run has found out about its implementation.

use std::collections::HashMap;

/// The implementation of a run, as far as it showed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Implementation {
    /// The numbers that it defines, by instruction and operands.
    pub defined: HashMap<(String, Vec<u64>), Known>,
    /// Whether `OpKill` makes helper invocations, once that was chosen.
    pub kill_demotes: Option<bool>,
}

/// One number that the implementation defines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub bits: u64,
    /// It was given in advance, and not chosen in this run.
    pub given: bool,
    /// While a run is followed, `bits` are of a result that this number is a part of.
    pub in_a_sum: bool,
}
