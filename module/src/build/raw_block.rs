//! Blocks as the module has them, before they are nested.

use crate::program::{Block, Id};

/// What a merge instruction declares.
#[derive(Clone, Copy, Debug)]
pub(super) enum Merge {
    /// `OpSelectionMerge`.
    Selection(Id),
    /// `OpLoopMerge`.
    Loop { merge: Id, continue_target: Id },
}

/// A block with its merge instruction.
pub(super) struct RawBlock {
    pub(super) block: Block,
    pub(super) merge: Option<Merge>,
}
