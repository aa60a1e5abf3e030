//! Built-in inputs: what a lane can ask about itself and its group.

use laneproof_module::Type;
use laneproof_module::spirv::BuiltIn;

use crate::lane::{Sizes, below};
use crate::shape;
use crate::value::Value;

/// Where a subgroup stands in its workgroup.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workgroup {
    /// Invocations in each dimension.
    pub size: [u32; 3],
    /// This subgroup's number.
    pub subgroup: u32,
    /// How many subgroups there are.
    pub subgroups: u32,
    /// Index of the invocation that is lane 0.
    pub first: u32,
}

impl Workgroup {
    /// `LocalInvocationId` of a lane: the index, x running fastest.
    fn local_id(&self, lane: u32) -> [u32; 3] {
        let index = self.first + lane;
        let [x, y, _] = self.size.map(|size| size.max(1));
        [index % x, index / x % y, index / x / y]
    }
}

/// A built-in in all lanes; `None` where it is not modelled. `workgroup` is absent when a
/// function is called on its own: then there is one subgroup, numbered 0, in a workgroup of
/// which nothing is known.
pub(crate) fn value(
    built_in: BuiltIn,
    ty: &Type,
    sizes: Sizes,
    kernel: bool,
    workgroup: Option<&Workgroup>,
) -> Option<Value> {
    let leaves = shape::leaf_count(ty)?;
    shape::element(ty)?;
    let mut value = Value::undefined(leaves, sizes.existing);
    for lane in 0..sizes.existing {
        let components = components(built_in, lane, sizes, kernel, workgroup)?;
        // A kernel may declare a mask with fewer components than four.
        if leaves > components.len() {
            return None;
        }
        for (leaf, bits) in components.into_iter().enumerate().take(leaves) {
            value.set(leaf, lane, Some(bits));
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
) -> Option<Vec<u64>> {
    let one = |value: u32| Some(vec![u64::from(value)]);
    let three = |values: [u32; 3]| Some(values.map(u64::from).to_vec());
    // OpenCL bounds the masks by the largest subgroup size (get_sub_group_ge_mask), Vulkan by
    // SubgroupSize (SubgroupGeMask).
    let all = below(if kernel { sizes.max } else { sizes.subgroup });
    let up_to_here = below(lane + 1);
    let mask = |mask: u128| Some((0..4).map(|word| (mask >> (32 * word)) as u32 as u64).collect());
    match built_in {
        BuiltIn::SubgroupSize => one(sizes.subgroup),
        BuiltIn::SubgroupMaxSize => one(sizes.max),
        BuiltIn::SubgroupLocalInvocationId => one(lane),
        BuiltIn::SubgroupId => one(workgroup.map_or(0, |workgroup| workgroup.subgroup)),
        BuiltIn::SubgroupEqMask => mask(1 << lane),
        BuiltIn::SubgroupGeMask => mask(all & !below(lane)),
        BuiltIn::SubgroupGtMask => mask(all & !up_to_here),
        BuiltIn::SubgroupLeMask => mask(up_to_here),
        BuiltIn::SubgroupLtMask => mask(below(lane)),
        BuiltIn::NumSubgroups | BuiltIn::NumEnqueuedSubgroups => one(workgroup?.subgroups),
        // There is one workgroup, so its numbers are the grid's.
        BuiltIn::LocalInvocationId | BuiltIn::GlobalInvocationId => {
            three(workgroup?.local_id(lane))
        }
        BuiltIn::LocalInvocationIndex | BuiltIn::GlobalLinearId => one(workgroup?.first + lane),
        BuiltIn::WorkgroupId | BuiltIn::GlobalOffset => workgroup.and(three([0; 3])),
        BuiltIn::NumWorkgroups => workgroup.and(three([1; 3])),
        BuiltIn::WorkgroupSize | BuiltIn::GlobalSize | BuiltIn::EnqueuedWorkgroupSize => {
            three(workgroup?.size)
        }
        _ => None,
    }
}
