//! Which subgroup of its workgroup a question is about.

use laneproof_semantics::term::Term;

/// Which subgroup of its workgroup a question is about: the first, or any of them.
#[derive(Clone, Copy, Debug)]
pub struct SubgroupPlace {
    /// `SubgroupId`, 32 bits.
    pub subgroup: Term,
    /// `NumSubgroups`, 32 bits.
    pub subgroups: Term,
    /// Something depends on one of them.
    pub consulted: bool,
}
