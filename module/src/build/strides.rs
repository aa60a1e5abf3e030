//! How far apart the elements are that `OpPtrAccessChain` steps over, where a type says so.

use std::collections::{BTreeMap, HashMap};

use rspirv::spirv::{Decoration, Op, StorageClass};

use super::Builder;
use crate::decode::Decoded;
use crate::program::{Id, ModuleType};

impl Builder {
    /// By result of a chain, the `ArrayStride` of its base's type, in the storage classes in which the
    /// text goes by it. In the others the implementation lays elements out.
    pub(super) fn strides(&self, instructions: &[Decoded]) -> BTreeMap<Id, u32> {
        let chain =
            |it: &&Decoded| matches!(it.opcode, Op::PtrAccessChain | Op::InBoundsPtrAccessChain);
        if !instructions.iter().any(|it| chain(&it)) {
            return BTreeMap::new();
        }
        let types: HashMap<Id, Id> =
            instructions.iter().filter_map(|it| Some((it.result?, it.ty?))).collect();
        let stride = |it: &Decoded| {
            let ty = *types.get(&it.id(0)?)?;
            let Some(ModuleType::Pointer { storage, .. }) = self.program.types.get(&ty) else {
                return None;
            };
            let laid_out = matches!(
                storage,
                StorageClass::StorageBuffer
                    | StorageClass::Uniform
                    | StorageClass::PushConstant
                    | StorageClass::PhysicalStorageBuffer
            );
            let stride = self.annotations.literal(ty, Decoration::ArrayStride);
            Some((it.result?, stride.filter(|_| laid_out)?))
        };
        instructions.iter().filter(chain).filter_map(stride).collect()
    }
}
