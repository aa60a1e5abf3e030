//! A set of leaves of parameters.

/// Leaves of parameters, by their numbers; only the first ones are represented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaves(u64);

impl Leaves {
    /// Whether a leaf is among them.
    pub fn has(self, leaf: u32) -> bool {
        1_u64.checked_shl(leaf).is_some_and(|bit| self.0 & bit != 0)
    }

    /// Adds this leaf, if it is represented.
    pub fn insert(&mut self, leaf: u32) {
        self.0 |= 1_u64.checked_shl(leaf).unwrap_or(0);
    }

    /// None of them.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}
