//! The names of strategies.

use serde::{Serialize, Serializer};

use super::Strategy;

impl std::fmt::Display for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Traces => "traces",
            Self::LaneByLane => "lane-by-lane",
            Self::Diagrams => "diagrams",
            Self::UnrolledLoops => "unrolled-loops",
            Self::AnyLane => "any-lane",
            Self::EveryLaneBriefly => "every-lane-briefly",
            Self::Quantifiers => "quantifiers",
            Self::AnyLaneLonger => "any-lane-longer",
            Self::AnyLaneOfAll => "any-lane-of-all",
            Self::AnyLaneOfAllExactly => "any-lane-of-all-exactly",
            Self::Cegis => "cegis",
            Self::EveryLane => "every-lane",
            Self::Induction => "induction",
            Self::Runs => "runs",
            Self::AfterLoops => "after-loops",
            Self::Vacuity => "vacuity",
        })
    }
}

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
