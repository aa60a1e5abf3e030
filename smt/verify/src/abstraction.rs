//! The abstractions by which obligations are decided.

use serde::{Deserialize, Serialize};

use crate::words::words;

/// Which abstraction decided an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Abstraction {
    /// A loop by induction over its iterations; everything else exact or by axioms.
    Induction,
    /// Payloads that are only moved, as tags.
    Movement,
    /// Reductions and counts by axioms.
    Laws,
    /// Sets of lanes as decision diagrams, payloads as guarded normal forms.
    Diagrams,
    /// Everything exact.
    Bits,
}

words!(Abstraction, "induction, movement, laws, diagrams or bits", "induction" => Induction, "movement" => Movement, "laws" => Laws, "diagrams" => Diagrams, "bits" => Bits);
