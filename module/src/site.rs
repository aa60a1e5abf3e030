//! The place of an event in a run: which instance of an instruction, in which subgroup of which
//! workgroup of a grid.

use std::collections::BTreeSet;

/// A dynamic instance of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The word of each `OpFunctionCall` entered and, for each loop entered, the number of
    /// the iteration (from 0). In a workgroup of several subgroups, the subgroup first.
    pub path: Vec<u32>,
    /// The word of the instruction.
    pub word: u32,
}

/// Which subgroup of its workgroup one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkgroupPlace {
    /// `SubgroupId`.
    pub subgroup: u32,
    /// `NumSubgroups`.
    pub subgroups: u32,
}

impl WorkgroupPlace {
    /// The only subgroup of its workgroup.
    pub const ALONE: Self = Self { subgroup: 0, subgroups: 1 };
}

/// A grid of workgroups that no edge cuts, and one of them. Numbers are by axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Invocations of a workgroup.
    pub size: [u32; 3],
    /// The workgroup's number.
    pub id: [u32; 3],
    /// How many workgroups there are.
    pub count: [u32; 3],
    /// What a kernel's global ids start at.
    pub offset: [u32; 3],
    /// How many axes the grid has, 1 to 3.
    pub dimensions: u32,
}

impl Grid {
    /// A grid of one workgroup.
    pub const fn of_one(size: [u32; 3]) -> Self {
        Self { size, id: [0; 3], count: [1; 3], offset: [0; 3], dimensions: 3 }
    }

    /// A lane's place in the grid, without the offset, and the grid's size, along an axis.
    pub fn along(&self, axis: usize, local: u64) -> (u64, u64) {
        let size = u64::from(self.size[axis]);
        (u64::from(self.id[axis]) * size + local, u64::from(self.count[axis]) * size)
    }
}

/// The positions of the lanes of a subgroup that calls a function on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneIndices {
    /// The workgroup and its grid.
    pub grid: Grid,
    /// `LocalInvocationIndex` of each lane that exists, no two alike.
    pub indices: Vec<u32>,
}

impl LaneIndices {
    /// Whether this number of lanes can have these positions.
    pub fn is_possible(&self, lanes: u32) -> bool {
        let invocations: u128 = self.grid.size.into_iter().map(u128::from).product();
        let apart: BTreeSet<u32> = self.indices.iter().copied().collect();
        apart.len() == lanes as usize
            && self.indices.len() == lanes as usize
            && apart.iter().all(|&index| u128::from(index) < invocations)
    }
}
