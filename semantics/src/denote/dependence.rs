//! What a value depends on: the lane, the component, results that clauses leave open.

/// Places of results: these leaves in these lanes. They may be more than were meant, never fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slots {
    /// One bit for each lane; the last one also represents all higher lanes.
    pub lanes: u128,
    /// A bit a leaf, likewise.
    pub leaves: u64,
}

impl Slots {
    pub(crate) const NONE: Self = Self { lanes: 0, leaves: 0 };

    /// A leaf in a lane; in any where it is not known which.
    pub(crate) fn one(lane: Option<u128>, leaf: usize) -> Self {
        let lanes = lane.map_or(u128::MAX, |lane| 1 << lane.min(127));
        Self { lanes, leaves: 1 << leaf.min(63) }
    }

    /// Whether they have a place in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.lanes & other.lanes != 0 && self.leaves & other.leaves != 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { lanes: self.lanes | other.lanes, leaves: self.leaves | other.leaves }
    }
}

/// What a value was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct DependsOn {
    /// What the lane holds, or where it is.
    pub lane: bool,
    /// The same of a lane outside of an `at`: of an argument that was handed in.
    pub caller: bool,
    pub component: bool,
    /// Results that clauses leave open.
    pub given: Slots,
    /// The outermost name that was looked up, by its depth.
    pub local: usize,
}

impl DependsOn {
    pub(super) const NOTHING: Self = Self {
        lane: false,
        caller: false,
        component: false,
        given: Slots::NONE,
        local: usize::MAX,
    };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            lane: self.lane || other.lane,
            caller: self.caller || other.caller,
            component: self.component || other.component,
            given: self.given.and(other.given),
            local: self.local.min(other.local),
        }
    }
}

impl Default for DependsOn {
    fn default() -> Self {
        Self::NOTHING
    }
}
