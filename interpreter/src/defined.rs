//! What a run has found out about its implementation.

use std::collections::HashMap;

use laneproof_semantics::Scalar;

/// Which number it is: by instruction, types of the first operand and of the result, and operands.
pub(crate) type DefinedKey = (String, Option<Scalar>, Scalar, Vec<u64>);

/// The implementation of a run, as far as it showed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Implementation {
    /// The numbers that it defines, by instruction and operands.
    pub defined: HashMap<DefinedKey, Known>,
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
