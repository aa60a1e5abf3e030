//! Where lanes are together whatever is said of merge blocks.
//!
//! Lanes that came the same way are together. Lanes that came by different ways are so for sure
//! only where the core text says it: all that entered are in one place, at the merge block of a
//! construct whose header they executed together. Elsewhere it is a reading whether lanes
//! that meet at a block execute it together.

use std::collections::HashMap;

use laneproof_module::Id;

use super::build::Builder;

/// What is known of a call's lanes.
#[derive(Clone, Default)]
pub(super) struct Tangles {
    /// By block, of each way to it, whether who comes by it was together.
    pub(super) ways: HashMap<Id, Vec<bool>>,
    /// By merge block, whether everyone executed the construct's header together.
    pub(super) merges: HashMap<Id, bool>,
    /// The same of each way back to the caller.
    returns: Vec<bool>,
}

impl Builder<'_> {
    /// Whoever reaches a block executes it together, for sure.
    pub(super) fn arrive_together(&mut self, label: Id) -> bool {
        if self.maximal {
            return true;
        }
        let frame = self.frame();
        let Some(incoming) = frame.incoming.get(&label) else { return false };
        let ways = frame.tangles.ways.get(&label).map_or(&[][..], Vec::as_slice);
        if let ([_], [together]) = (incoming.as_slice(), ways) {
            return *together;
        }
        let merges = frame.tangles.merges.get(&label) == Some(&true);
        let all = incoming.iter().map(|(_, activity)| *activity).collect();
        merges && self.flat.union(all) == Some(self.entry)
    }

    /// A loop begins: its merge block brings together everyone who enters it so.
    pub(super) fn open_construct(&mut self, header: Id, merge: Id) {
        let together = self.arrive_together(header);
        let incoming = self.frame().incoming.get(&header).into_iter().flatten();
        let all = incoming.map(|(_, activity)| *activity).collect();
        let everyone = together && self.flat.union(all) == Some(self.entry);
        self.frame_mut().tangles.merges.insert(merge, everyone);
    }

    /// Who came to a block is there.
    pub(super) fn forget_ways(&mut self, label: Id) {
        self.frame_mut().tangles.ways.remove(&label);
    }

    /// Lanes return from here.
    pub(super) fn return_here(&mut self) {
        let together = self.together;
        self.frame_mut().tangles.returns.push(together);
    }

    /// Whoever comes back from a call is together, for sure.
    pub(super) fn come_back_together(&self) -> bool {
        self.maximal || self.frame().tangles.returns == [true]
    }
}
