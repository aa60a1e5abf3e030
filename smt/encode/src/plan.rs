//! How an obligation is encoded: sizes, view, abstractions.

/// The sizes that an obligation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeSet {
    /// All of these at once: one at least.
    All(Vec<u32>),
    /// Just this one.
    One(u32),
}

impl SizeSet {
    /// The largest of them.
    pub fn largest(&self) -> u32 {
        match self {
            Self::All(sizes) => of_some(sizes.iter().copied().max()),
            Self::One(size) => *size,
        }
    }

    /// The smallest of them.
    pub fn smallest(&self) -> u32 {
        match self {
            Self::All(sizes) => of_some(sizes.iter().copied().min()),
            Self::One(size) => *size,
        }
    }
}

fn of_some(size: Option<u32>) -> u32 {
    size.unwrap_or_else(|| unreachable!("a claim is about some size"))
}

/// The view: which lanes an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// One symbolic lane that stands for all, and the source's preconditions in that lane only.
    AnyLane,
    /// One symbolic lane that stands for all, and the source's preconditions in every lane.
    AnyLaneOfAll,
    /// Every lane by its number.
    EveryLane,
    /// One symbolic lane that stands for all, and the source's preconditions in every lane;
    /// quantifiers over lanes are instantiated (`quantifier`).
    Quantified,
}

/// How an obligation is encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingPlan {
    /// The sizes that it is about.
    pub sizes: SizeSet,
    /// The lanes that it is about.
    pub view: View,
    /// Payloads that are only moved are tags.
    pub tags: bool,
    /// Reductions and counts are constants with axioms.
    pub axioms: bool,
    /// The choices of the source are searched by CEGIS, for all lanes together.
    pub joint: bool,
    /// Memory is compared lane by lane, and the source chooses as the target does. This proves, and
    /// never refutes.
    pub lanewise: bool,
    /// Decision diagrams decide, not a solver. This proves, and never refutes.
    pub diagrams: bool,
    /// The accesses to memory are compared one by one, with arbitrary results. This proves, and
    /// never refutes.
    pub traced: bool,
    /// The encoding may take `1 / share` of the time limit; the rest is for other encodings.
    pub share: u32,
}

impl EncodingPlan {
    /// Every lane by its number, as bits, without axioms.
    pub fn per_lane(sizes: SizeSet, joint: bool) -> Self {
        Self {
            sizes,
            view: View::EveryLane,
            tags: false,
            axioms: false,
            joint,
            lanewise: false,
            diagrams: false,
            traced: false,
            share: 1,
        }
    }

    /// Traces, in the any-lane view.
    pub fn traced(sizes: SizeSet, share: u32) -> Self {
        let view = View::AnyLane;
        Self { view, traced: true, axioms: true, share, ..Self::per_lane(sizes, false) }
    }
}
