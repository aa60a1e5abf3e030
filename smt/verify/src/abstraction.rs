//! The abstractions by which obligations are decided.

use serde::{Deserialize, Serialize, Serializer};

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

/// Writes a rung as one of the three abstractions: an induction goes by laws.
///
/// # Errors
///
/// The serializer's.
pub fn abstraction<S: Serializer>(
    rung: &Option<Abstraction>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    rung.map(|rung| if rung == Abstraction::Induction { Abstraction::Laws } else { rung })
        .serialize(serializer)
}

words!(Abstraction, "induction, movement, laws, diagrams or bits", "induction" => Induction, "movement" => Movement, "laws" => Laws, "diagrams" => Diagrams, "bits" => Bits);
