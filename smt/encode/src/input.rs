//! The values of parameters.

use laneproof_semantics::term::Symbol;

/// The value of a leaf of an input.
#[derive(Clone, Copy, Debug)]
pub enum InputLeaf {
    /// A function of the lane.
    PerLane(Symbol),
    /// The same in all lanes.
    Uniform(Symbol),
    /// A payload that is only moved, by the number of the input leaf.
    Moved(u32),
    /// A payload that is only moved, the same in all lanes.
    MovedUniform(u32),
}
