//! The abstractions by which obligations are decided.

use serde::{Deserialize, Serialize};

use crate::words::words;

/// Which abstraction decided an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Abstraction {
    /// A loop by induction over its iterations, everything else exact or by its laws.
    Induction,
    /// Payloads that are only moved, as tags.
    Movement,
    /// Reductions by their laws.
    Laws,
    /// What depends on sets of lanes as decision diagrams, payloads as guarded normal forms.
    Diagrams,
    /// Everything exact.
    Bits,
}

words!(Abstraction, "induction, movement, laws, diagrams or bits", "induction" => Induction, "movement" => Movement, "laws" => Laws, "diagrams" => Diagrams, "bits" => Bits);
