//! Values that the callers of a function may have left in memory. Unless the function is an entry
//! point, they are unknown; reading them is not undefined behavior, so it excuses nothing.

use crate::aliasing::{reads, writes};
use crate::flat::{Flat, RegionKind};

impl Flat {
    /// Names a value that callers left and that is read for certain.
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

    /// It may read what callers left in workgroup memory.
    pub fn may_see_callers(&self) -> bool {
        !self.interface.entry_point && self.workgroup_memory().any(|it| reads(self, it))
    }

    fn workgroup_memory(&self) -> impl Iterator<Item = RegionKind> {
        let kinds = self.memory.regions.iter().map(|region| region.kind);
        kinds.filter(|kind| matches!(kind, RegionKind::Workgroup(_)))
    }
}
