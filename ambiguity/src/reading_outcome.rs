//! What a text gives in one way of reading.

use serde::Serialize;

use crate::view::LaneView;

/// What one way of reading gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadingOutcome {
    /// The way.
    pub name: String,
    /// What the witness's lane gets.
    pub outcome: String,
    /// Every active lane.
    pub lanes: Vec<LaneView>,
}
