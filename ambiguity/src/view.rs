//! What each lane reads and gets, to be shown.

use serde::Serialize;

/// One lane under one way of reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LaneView {
    /// The lane.
    pub lane: u32,
    /// The values that the result is made of, as the text names them.
    pub reads: Vec<LaneOperand>,
    /// What it gets.
    pub outcome: String,
}

/// An operand of a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LaneOperand {
    /// The lane, by the number that is named; there may be none of that number.
    pub lane: u32,
    /// The operand, where the text names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operand: Option<String>,
}
