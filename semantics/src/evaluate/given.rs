//! The results that lanes were given, where clauses leave them open.

use super::GivenResults;
use crate::denote::Slots;

/// What each lane was given, by leaf; 0 where it was given nothing in particular.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// False where results stay open.
    known: bool,
    /// How many leaves each lane has.
    leaves: usize,
    /// Lane by lane.
    bits: Vec<u64>,
}

impl Results {
    /// Whether any were given.
    pub(super) fn are_known(&self) -> bool {
        self.known
    }

    /// What a lane was given, `None` where no lane was given anything.
    pub(super) fn at(&self, leaf: usize, lane: u128) -> Option<u64> {
        self.known.then(|| self.bits_of(usize::try_from(lane).unwrap_or(usize::MAX), leaf))
    }

    fn bits_of(&self, lane: usize, leaf: usize) -> u64 {
        let place = lane.checked_mul(self.leaves).filter(|_| leaf < self.leaves);
        let bits = place.and_then(|first| self.bits.get(first.checked_add(leaf)?));
        bits.copied().unwrap_or(0)
    }

    /// Puts other results in their place; what changes by that.
    pub(super) fn replace(&mut self, given: GivenResults<'_>) -> Changes {
        let leaves = given.iter().flat_map(|it| it.iter()).flatten().map(Vec::len).max();
        let mut new =
            Self { known: given.is_some(), leaves: leaves.unwrap_or(0), bits: Vec::new() };
        for lane in given.unwrap_or_default() {
            let own = lane.iter().flatten().map(|bits| bits.unwrap_or(0));
            new.bits.extend(own.chain(std::iter::repeat(0)).take(new.leaves));
        }
        let old = std::mem::replace(self, new);
        if old.known != self.known {
            return Changes::Everything;
        }
        let lanes = |it: &Self| it.bits.len().checked_div(it.leaves).unwrap_or(0);
        let most = lanes(&old).max(lanes(self));
        let changed = |leaf: usize| {
            let places =
                (0..most).filter(|&lane| old.bits_of(lane, leaf) != self.bits_of(lane, leaf));
            places.map(|lane| Slots::one(Some(lane as u128), leaf)).reduce(Slots::and)
        };
        Changes::These((0..old.leaves.max(self.leaves)).filter_map(changed).collect())
    }
}

/// What is given anew: all of it, or some leaves.
#[derive(Debug)]
pub(super) enum Changes {
    Everything,
    /// For each leaf that is another one somewhere, where.
    These(Vec<Slots>),
}

impl Changes {
    /// Whether what depends on these results may be another one.
    pub(super) fn touch(&self, depends_on: Slots) -> bool {
        match self {
            Self::Everything => depends_on != Slots::NONE,
            Self::These(changed) => changed.iter().any(|it| it.meets(depends_on)),
        }
    }
}
