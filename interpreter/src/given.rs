//! Where memory of a module comes from that is given from outside.

use laneproof_module::Global;
use laneproof_module::spirv::StorageClass;

/// Where memory of a module comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GivenPlace {
    /// A descriptor, by set and binding.
    Binding(u32, u32),
    /// The push constants.
    PushConstants,
}

impl GivenPlace {
    /// The place of a variable, if what is behind it is given from outside.
    pub fn of(global: &Global) -> Option<Self> {
        match (global.binding, global.storage) {
            (
                Some((set, binding)),
                StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::UniformConstant,
            ) => Some(Self::Binding(set, binding)),
            (None, StorageClass::PushConstant) => Some(Self::PushConstants),
            _ => None,
        }
    }
}
