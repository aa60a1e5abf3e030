//! What the callers of a function may have left where it looks, which are not known unless it is an
//! entry point: who reads it is not undefined, and excuses nothing.

use crate::aliasing::{reads, writes};
use crate::flat::{Flat, RegionKind};

impl Flat {
    /// What callers left matters for sure, in words: nothing else can be there.
    pub fn depends_on_callers(&self) -> Option<String> {
        let interface = &self.interface;
        if interface.entry_point {
            return None;
        }
        let found = match self.workgroup_memory().find(|&it| reads(self, it) && !writes(self, it)) {
            Some(kind) => format!("the workgroup variable {kind}"),
            None if interface.reads_globals => "a variable of the module".into(),
            None => return None,
        };
        Some(format!("the source reads what its callers left in {found}, and they are not known"))
    }

    /// It may read in workgroup memory what callers left there.
    pub fn may_see_callers(&self) -> bool {
        !self.interface.entry_point && self.workgroup_memory().any(|it| reads(self, it))
    }

    fn workgroup_memory(&self) -> impl Iterator<Item = RegionKind> {
        let kinds = self.memory.regions.iter().map(|region| region.kind);
        kinds.filter(|kind| matches!(kind, RegionKind::Workgroup(_)))
    }
}
