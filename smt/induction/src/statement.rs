//! What an induction says, as data: of which lanes, at which moment, and what of them.
//!
//! What each statement comes to as a term is said where it is built: `candidates`, `agreement`,
//! `links`, `stated`.

use std::sync::Arc;

use laneproof_semantics::denote::Instance;
use laneproof_semantics::language::ast::SpecInstruction;
use laneproof_semantics::term::Term;

/// A state of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// The loop is entered.
    Start,
    /// An iteration begins, in any state that the invariant allows.
    Before,
    /// That iteration is over.
    After,
}

/// Lanes that entered the loop and of which something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Guard {
    /// All of them.
    Entered,
    /// They are at the header.
    Live,
    /// They have left.
    Left,
    /// A Boolean that they hold is this.
    Flag(usize, bool),
}

/// A statement about two lanes, or about the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// What the function returns from what the lane holds is right.
    Answered(Guard),
    /// What the lane holds in this slot is what is to be returned.
    Holds(Guard, usize),
    /// What the lane holds in this slot is defined.
    Defined(Guard, usize),
    /// What the lane holds in this slot is what it began with.
    Unchanged(usize),
    /// Two lanes at the header hold the same in this slot.
    Same(usize),
    /// Who has left holds this Boolean.
    Done(usize, bool),
    /// The guard holds of two lanes that agree, or of neither.
    Together(Guard),
    /// All lanes are at the header, or none.
    Everybody,
    /// The lowest lane of a mask, where it has any, entered.
    Led(usize),
    /// What a slot says of how far a lane has come makes sense.
    Linked(usize, Cutting),
    /// Who has left has come all the way, by this slot.
    Spent(usize, Cutting),
    /// What the lane holds in the first slot is what the source reduces, over the lanes that it has
    /// come by, by the second; with its own part where the source's has it not.
    Covers(usize, (usize, Cutting), bool),
    /// What a user states, by number; it speaks of a reduction.
    Stated(usize, bool),
}

/// Which lanes a candidate speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Lane,
    Pair,
    /// One that a question is about.
    Focus,
    /// One, and what it gathered so far.
    Cover,
    /// One, and the answer that it is to have.
    Answer,
}

impl Candidate {
    /// Waterfalls that compilers write need such a one.
    pub(super) fn is_common(&self) -> bool {
        !matches!(
            self,
            Self::Same(_)
                | Self::Led(_)
                | Self::Linked(..)
                | Self::Spent(..)
                | Self::Covers(..)
                | Self::Stated(..)
        )
    }

    pub(super) fn speaks_of(self) -> Extent {
        match self {
            Self::Answered(_) | Self::Holds(..) => Extent::Answer,
            Self::Led(_) => Extent::Focus,
            Self::Defined(..)
            | Self::Unchanged(_)
            | Self::Done(..)
            | Self::Spent(..)
            | Self::Linked(_, Cutting::Link | Cutting::Counter)
            | Self::Stated(_, false) => Extent::Lane,
            Self::Covers(..) | Self::Stated(_, true) => Extent::Cover,
            Self::Same(_) | Self::Together(_) | Self::Everybody | Self::Linked(..) => Extent::Pair,
        }
    }

    /// It is of no use unless one of these stands; without any it needs none. A counter may go past
    /// the last lane, if whoever leaves has come as far.
    pub(super) fn rests_on(self) -> Vec<Self> {
        match self {
            Self::Covers(_, (link, cutting @ Cutting::Counter), _) => {
                vec![Self::Linked(link, cutting), Self::Spent(link, cutting)]
            }
            Self::Covers(_, (link, cutting), _) => vec![Self::Linked(link, cutting)],
            _ => Vec::new(),
        }
    }
}

/// How a slot cuts the lanes in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cutting {
    /// Up to the lane that it names; −1 names none.
    Link,
    /// So many lanes away or further.
    Distance,
    /// From the lane of that number on.
    Counter,
    /// Whose bit is set in it.
    Mask,
}

/// A condition on two lanes that stand for any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agreement {
    pub lanes: [Term; 2],
    pub holds: Term,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Slot(usize),
    Parameter(usize),
    Live,
}

/// An invariant as it was read.
#[derive(Clone)]
pub(super) struct Stated {
    pub instruction: Arc<SpecInstruction>,
    pub instance: Instance,
    pub named: Vec<Named>,
    /// Its place among those that the user states.
    pub number: usize,
    /// It speaks of a reduction.
    pub reduces: bool,
}

impl Stated {
    pub(super) fn candidate(&self, index: usize) -> Candidate {
        Candidate::Stated(index, self.reduces)
    }
}
