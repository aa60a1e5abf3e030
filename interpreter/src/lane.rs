//! Lanes, the sets they form, and what one of them holds.

/// How large a subgroup is: `existing <= subgroup <= max <= 128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// How many lanes exist, numbered from 0.
    pub existing: u32,
    /// `SubgroupSize`, S.
    pub subgroup: u32,
    /// `SubgroupMaxSize`, M.
    pub max: u32,
}

impl Sizes {
    /// A full subgroup of `size` lanes with M = S.
    pub const fn full(size: u32) -> Self {
        Self { existing: size, subgroup: size, max: size }
    }

    /// True when the sizes are in order and no lane falls outside a 128-bit set.
    pub const fn in_order(self) -> bool {
        1 <= self.existing
            && self.existing <= self.subgroup
            && self.subgroup <= self.max
            && self.max <= 128
    }

    /// The set of lanes that exist.
    pub const fn lanes(self) -> u128 {
        below(self.existing)
    }
}

/// A lane's value: its scalars in order, zero-extended; `None` is an undefined value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LaneValue(pub Vec<Option<u64>>);

impl LaneValue {
    /// A defined scalar.
    pub fn scalar(bits: u64) -> Self {
        Self(vec![Some(bits)])
    }
}

/// The set of lanes with an id less than `count`.
pub(crate) const fn below(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}

/// The lanes of a set, lowest first.
pub(crate) fn lanes(mut set: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let lane = set.trailing_zeros();
            set &= set - 1;
            lane
        })
    })
}

/// The lanes of a set for which something holds.
pub(crate) fn lanes_where(set: u128, holds: impl Fn(u32) -> bool) -> u128 {
    lanes(set).filter(|lane| holds(*lane)).fold(0, |held, lane| held | 1 << lane)
}

/// True when `lane` is in `set`; never for a lane that a set cannot hold.
pub(crate) fn contains(set: u128, lane: u64) -> bool {
    lane < 128 && set >> lane & 1 == 1
}
