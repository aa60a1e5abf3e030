//! A state of a size that machines have.

use laneproof_semantics::evaluate::Subgroup;

/// A state that a machine can be in, and the lane in which something shows.
#[derive(Clone, Debug)]
pub struct Staged {
    /// The state. Every operand is defined.
    pub subgroup: Subgroup,
    /// The lane.
    pub lane: u32,
    /// How ordinary the sizes are, the most ordinary first.
    pub rank: usize,
}
