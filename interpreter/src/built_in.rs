//! Built-in inputs: what a lane can ask about itself and its group.

use laneproof_module::spirv::BuiltIn;
use laneproof_module::{Grid, ModuleType, WorkgroupPlace};

use crate::lane::{Sizes, below};
use crate::shape;
use crate::value::Value;
use crate::width::truncate;

/// The position of a subgroup in its workgroup.
#[derive(Clone, Debug)]
pub(crate) struct Workgroup {
    /// The workgroup and its grid.
    pub grid: Grid,
    /// This subgroup's number.
    pub subgroup: u32,
    /// How many subgroups there are.
    pub subgroups: u32,
    /// Which of its invocations the lanes are.
    pub indices: Indices,
}

/// `LocalInvocationIndex` of a subgroup's lanes.
#[derive(Clone, Debug)]
pub(crate) enum Indices {
    /// One after the other, lane 0 having this one.
    From(u32),
    /// Lane by lane.
    Each(Vec<u32>),
}

impl Workgroup {
    /// `LocalInvocationIndex` of a lane.
    fn index(&self, lane: u32) -> Option<u32> {
        match &self.indices {
            Indices::From(first) => Some(first + lane),
            Indices::Each(indices) => indices.get(lane as usize).copied(),
        }
    }

    /// `LocalInvocationId` of a lane: the index, x running fastest.
    fn local_id(&self, lane: u32) -> Option<[u64; 3]> {
        let index = u64::from(self.index(lane)?);
        let [x, y, _] = self.grid.size.map(|size| u64::from(size.max(1)));
        Some([index % x, index / x % y, index / x / y])
    }

    /// A lane's place in the grid, and the grid's size, along each axis.
    fn in_grid(&self, lane: u32) -> Option<[(u64, u64); 3]> {
        let local = self.local_id(lane)?;
        Some([0, 1, 2].map(|axis| self.grid.along(axis, local[axis])))
    }

    /// Which of its subgroups this is.
    pub fn place(&self) -> WorkgroupPlace {
        WorkgroupPlace { subgroup: self.subgroup, subgroups: self.subgroups }
    }

    /// The grid's places counted row by row, x running fastest.
    fn linear_id(&self, lane: u32) -> Option<u64> {
        let [(x, columns), (y, rows), (z, _)] = self.in_grid(lane)?;
        let row = rows.wrapping_mul(z).wrapping_add(y);
        Some(columns.wrapping_mul(row).wrapping_add(x))
    }
}

/// A built-in in all lanes; `None` if it is not supported. `workgroup` is absent if a function is
/// called on its own without positions of its lanes: then only the subgroup's `place` is known.
pub(crate) fn value(
    built_in: BuiltIn,
    ty: &ModuleType,
    sizes: Sizes,
    kernel: bool,
    workgroup: Option<&Workgroup>,
    place: WorkgroupPlace,
) -> Option<Value> {
    let leaves = shape::leaf_count(ty)?;
    let scalar = shape::element(ty)?;
    let mut value = Value::undefined(leaves, sizes.existing);
    for lane in 0..sizes.existing {
        let components = components(built_in, lane, sizes, kernel, workgroup, place)?;
        // A kernel may declare a mask with fewer components than four.
        if leaves > components.len() {
            return None;
        }
        for (leaf, bits) in components.into_iter().enumerate().take(leaves) {
            value.set(leaf, lane, Some(truncate(scalar.width(), bits)));
        }
    }
    Some(value)
}

fn components(
    built_in: BuiltIn,
    lane: u32,
    sizes: Sizes,
    kernel: bool,
    workgroup: Option<&Workgroup>,
    place: WorkgroupPlace,
) -> Option<Vec<u64>> {
    let one = |value: u32| Some(vec![u64::from(value)]);
    let three = |values: [u32; 3]| Some(values.map(u64::from).to_vec());
    let grid = workgroup.map(|workgroup| &workgroup.grid);
    // OpenCL bounds the masks by the largest subgroup size (get_sub_group_ge_mask), Vulkan by
    // SubgroupSize (SubgroupGeMask).
    let all = below(if kernel { sizes.max } else { sizes.subgroup });
    let up_to_here = below(lane + 1);
    let mask = |mask: u128| Some((0..4).map(|word| (mask >> (32 * word)) as u32 as u64).collect());
    match built_in {
        // In kernels it counts the lanes (get_sub_group_size).
        BuiltIn::SubgroupSize => one(if kernel { sizes.existing } else { sizes.subgroup }),
        BuiltIn::SubgroupMaxSize => one(sizes.max),
        BuiltIn::SubgroupLocalInvocationId => one(lane),
        BuiltIn::SubgroupId => one(place.subgroup),
        BuiltIn::SubgroupEqMask => mask(1 << lane),
        BuiltIn::SubgroupGeMask => mask(all & !below(lane)),
        BuiltIn::SubgroupGtMask => mask(all & !up_to_here),
        BuiltIn::SubgroupLeMask => mask(up_to_here),
        BuiltIn::SubgroupLtMask => mask(below(lane)),
        BuiltIn::NumSubgroups => one(place.subgroups),
        BuiltIn::NumEnqueuedSubgroups => {
            let invocations = grid?.size.into_iter().fold(1, u32::wrapping_mul);
            one(invocations.div_ceil(sizes.max))
        }
        BuiltIn::LocalInvocationId => Some(workgroup?.local_id(lane)?.to_vec()),
        BuiltIn::LocalInvocationIndex => one(workgroup?.index(lane)?),
        BuiltIn::GlobalLinearId => Some(vec![workgroup?.linear_id(lane)?]),
        BuiltIn::GlobalInvocationId => {
            // Kernels count from the grid's offset (get_global_id).
            let start = if kernel { grid?.offset } else { [0; 3] };
            let places = workgroup?.in_grid(lane)?.into_iter().zip(start);
            Some(places.map(|((place, _), start)| place.wrapping_add(u64::from(start))).collect())
        }
        BuiltIn::GlobalSize => Some(workgroup?.in_grid(lane)?.map(|(_, size)| size).to_vec()),
        BuiltIn::GlobalOffset => three(grid?.offset),
        BuiltIn::WorkgroupId => three(grid?.id),
        BuiltIn::NumWorkgroups => three(grid?.count),
        BuiltIn::WorkgroupSize | BuiltIn::EnqueuedWorkgroupSize => three(grid?.size),
        BuiltIn::WorkDim => one(grid?.dimensions),
        _ => None,
    }
}
