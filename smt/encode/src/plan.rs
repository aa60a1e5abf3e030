//! How an obligation is encoded: sizes, which lanes are looked at, by which abstraction.

/// The sizes that an obligation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeSet {
    /// All of these at once.
    All(Vec<u32>),
    /// Just this one.
    One(u32),
}

impl SizeSet {
    /// No lane at or past this exists at any of them.
    pub fn largest(&self) -> u32 {
        match self {
            Self::All(sizes) => sizes.iter().copied().max().unwrap_or(1),
            Self::One(size) => *size,
        }
    }

    /// The smallest of them.
    pub fn smallest(&self) -> u32 {
        match self {
            Self::All(sizes) => sizes.iter().copied().min().unwrap_or(1),
            Self::One(size) => *size,
        }
    }
}

/// Which lanes an obligation looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// One lane that stands for all, and the source's preconditions in that lane only.
    AnyLane,
    /// One lane that stands for all, and the source's preconditions in every lane.
    AnyLaneOfAll,
    /// Every lane by its number.
    EveryLane,
    /// One lane that stands for all, and the source's preconditions in every lane; what is asked
    /// of all lanes is known by instances (`quantifier`).
    Quantified,
}

/// How an obligation is encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingPlan {
    /// The sizes that it is about.
    pub sizes: SizeSet,
    /// The lanes that it looks at.
    pub view: View,
    /// Payloads that are only moved are tags.
    pub tags: bool,
    /// Reductions are terms of their own.
    pub laws: bool,
    /// The choices of the source are searched, for all lanes together.
    pub joint: bool,
    /// Memory is compared lane by lane, and the source chooses as the target does: that proves,
    /// and refutes nothing.
    pub lanewise: bool,
    /// Decision diagrams are asked, and no solver: that proves, and refutes nothing.
    pub diagrams: bool,
    /// Memory is compared access by access, whatever it does in between: that proves, and refutes
    /// nothing.
    pub traced: bool,
    /// One part of the time limit in so many: another encoding may be quicker.
    pub share: u32,
}

impl EncodingPlan {
    /// Every lane by its number, as bits, nothing by laws.
    pub fn per_lane(sizes: SizeSet, joint: bool) -> Self {
        Self {
            sizes,
            view: View::EveryLane,
            tags: false,
            laws: false,
            joint,
            lanewise: false,
            diagrams: false,
            traced: false,
            share: 1,
        }
    }

    /// Access by access, in any lane.
    pub fn traced(sizes: SizeSet, share: u32) -> Self {
        let view = View::AnyLane;
        Self { view, traced: true, laws: true, share, ..Self::per_lane(sizes, false) }
    }
}
