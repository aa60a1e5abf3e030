//! A workgroup as a group of lanes with positions.

use super::Subgroup;
use crate::denote::{DenoteError, LanePosition};

/// The position and size of a workgroup, along three axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workgroup {
    /// Its invocations.
    pub size: [u32; 3],
    /// Its own number.
    pub id: [u32; 3],
    /// The invocations of a workgroup of the grid that no edge cuts.
    pub enqueued: [u32; 3],
    /// The workgroups of the grid.
    pub count: [u32; 3],
    /// What global ids start at.
    pub offset: [u32; 3],
    /// How many of the axes the grid has, 1 to 3.
    pub dimensions: u32,
}

impl Subgroup {
    /// The position of the lane with this index.
    ///
    /// # Errors
    ///
    /// If the position depends on the workgroup, and there is none.
    pub fn lane_position(
        &self,
        lane_position: LanePosition,
        place: u32,
    ) -> Result<u32, DenoteError> {
        let Some(workgroup) = &self.workgroup else {
            return match lane_position {
                LanePosition::Id => Ok(place),
                LanePosition::SubgroupId => Ok(0),
                LanePosition::NumSubgroups => Ok(1),
                _ => Err(DenoteError::NotModelled("the workgroup around a subgroup".into())),
            };
        };
        Ok(match lane_position {
            LanePosition::Id => place % self.size.max(1),
            LanePosition::SubgroupId => place / self.size.max(1),
            LanePosition::NumSubgroups => self.existing.div_ceil(self.size.max(1)),
            LanePosition::Index => place,
            LanePosition::WorkDim => workgroup.dimensions,
            LanePosition::WorkgroupSize(axis) => workgroup.size[axis],
            LanePosition::EnqueuedWorkgroupSize(axis) => workgroup.enqueued[axis],
            LanePosition::WorkgroupId(axis) => workgroup.id[axis],
            LanePosition::NumWorkgroups(axis) => workgroup.count[axis],
            LanePosition::GlobalOffset(axis) => workgroup.offset[axis],
        })
    }
}
