//! The statements of an induction, as data: which lanes, at which moment, and which property.
//!
//! Their terms are built in `candidates`, `agreement`, `links` and `stated`.

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

/// A subset of the lanes that entered the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Guard {
    /// All of them.
    Entered,
    /// They are at the header.
    Live,
    /// They have left.
    Left,
    /// Lanes in which a Boolean slot has this value.
    Flag(usize, bool),
}

/// A statement about two lanes, or about the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// The result that follows from the lane's state is right.
    Answered(Guard),
    /// The slot equals the expected result.
    Holds(Guard, usize),
    /// The slot is defined.
    Defined(Guard, usize),
    /// The slot has its initial value.
    Unchanged(usize),
    /// The slot is equal in two lanes at the header.
    Same(usize),
    /// In lanes that have left, a Boolean slot has this value.
    Done(usize, bool),
    /// The guard holds for both of two lanes that agree, or for neither.
    Together(Guard),
    /// All lanes are at the header, or none is.
    Everybody,
    /// The lowest lane of a mask, where it has any, entered.
    LeadOutcome(usize),
    /// A slot that cuts the lanes in two has a valid value.
    Linked(usize, Cutting),
    /// Lanes that have left have covered all lanes, by this slot.
    Spent(usize, Cutting),
    /// The first slot is the source's reduction over the lanes that the second slot covers; with
    /// the lane's own part, if the source's reduction excludes it.
    Covers(usize, (usize, Cutting), bool),
    /// An invariant of the user, by number; whether it contains a reduction.
    Stated(usize, bool),
}

/// Which lanes a candidate is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Lane,
    Pair,
    /// The lane in focus.
    Focus,
    /// The lane in focus, and its partial result.
    Cover,
    /// The lane in focus, and its expected result.
    Answer,
}

impl Candidate {
    /// The waterfall loops of compilers need this candidate.
    pub(super) fn is_common(&self) -> bool {
        !matches!(
            self,
            Self::Same(_)
                | Self::LeadOutcome(_)
                | Self::Linked(..)
                | Self::Spent(..)
                | Self::Covers(..)
                | Self::Stated(..)
        )
    }

    pub(super) fn speaks_of(self) -> Extent {
        match self {
            Self::Answered(_) | Self::Holds(..) => Extent::Answer,
            Self::LeadOutcome(_) => Extent::Focus,
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

    /// The candidate is useless unless one of these holds; an empty list means no condition. A
    /// counter may exceed the last lane, if lanes that have left covered all.
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
    /// The lanes up to the linked lane; −1 links to none.
    Link,
    /// The lanes at this distance or further.
    Distance,
    /// The lanes from this index on.
    Counter,
    /// The lanes whose bit is set.
    Mask,
}

/// A condition on two symbolic lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agreement {
    pub lanes: [Term; 2],
    pub holds: Term,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Slot(usize),
    Parameter(usize),
    Live,
}

/// A parsed invariant.
#[derive(Clone)]
pub(super) struct Stated {
    pub instruction: Arc<SpecInstruction>,
    pub instance: Instance,
    pub named: Vec<Named>,
    /// Its place among those that the user states.
    pub number: usize,
    /// It contains a reduction.
    pub reduces: bool,
}

impl Stated {
    pub(super) fn candidate(&self, index: usize) -> Candidate {
        Candidate::Stated(index, self.reduces)
    }
}
