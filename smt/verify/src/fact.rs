//! The facts that a proof used.

use std::fmt;

/// A fact that a proof uses: an abstraction, a hypothesis about the source, a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofFact {
    /// Payloads are only moved, so they are tags.
    Moved,
    /// Reductions and counts by axioms.
    Laws,
    /// Sets of lanes as decision diagrams.
    Diagrams,
    /// Quantifiers over lanes, instantiated at a few of them.
    Instances,
    /// What a lane loads and stores at its own place is a parameter and a result.
    PureFunctions,
    /// Both sides make the same accesses to memory.
    SameAccesses,
    /// The source behaves in these lanes.
    SourceBehaves(Lanes),
    /// A parameter is equal in all lanes, by the source's assumptions.
    Same(String),
    /// All lanes are active, by the source's assumptions.
    Full,
    /// Loops end within this number of iterations.
    Unrolled(u32),
    /// The prover's own invariant of the loop.
    Invariant,
    /// An invariant that the user states.
    Stated(String),
    /// A reading that a clause consulted.
    Reading(String),
}

/// In which lanes the source is known to behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lanes {
    /// In the symbolic lane, under a weakened hypothesis.
    OneInPart,
    /// In the symbolic lane.
    One,
    /// In all of them.
    All,
}

impl fmt::Display for ProofFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved => f.write_str("payloads that are only moved"),
            Self::Laws => f.write_str("axioms of reductions and counts"),
            Self::Diagrams => f.write_str("decision diagrams over sets of lanes"),
            Self::Instances => f.write_str("what holds of all lanes, at a few of them"),
            Self::PureFunctions => f.write_str(
                "what a lane loads and stores at its own place as parameters and results",
            ),
            Self::SameAccesses => f.write_str("equal accesses to memory on both sides"),
            Self::SourceBehaves(Lanes::OneInPart) => {
                f.write_str("a part of the source's preconditions, in one lane")
            }
            Self::SourceBehaves(Lanes::One) => {
                f.write_str("the source's preconditions in one lane")
            }
            Self::SourceBehaves(Lanes::All) => {
                f.write_str("the source's preconditions in every lane")
            }
            Self::Same(name) => {
                write!(f, "`{name}` is the same in all lanes, as the source assumes")
            }
            Self::Full => f.write_str("all lanes are active, as the source assumes"),
            Self::Unrolled(iterations) => {
                write!(f, "loops that end within {iterations} iterations")
            }
            Self::Invariant => f.write_str("an invariant found for the loop"),
            Self::Stated(invariant) => write!(f, "the stated invariant `{invariant}`"),
            Self::Reading(reading) => write!(f, "the reading `{reading}`"),
        }
    }
}
