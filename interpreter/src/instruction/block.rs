//! Block reads and writes of SPV_INTEL_subgroups: component k of a lane is the element at the
//! lane's id plus k times SubgroupMaxSize.

use std::collections::BTreeMap;

use laneproof_module::ModuleType;
use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use crate::lane::lanes_where;
use crate::memory::Address;
use crate::outcome::Stop;
use crate::shape::{self, Unit};
use crate::step::Step;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::SubgroupBlockReadINTEL => read(step)?,
        Op::SubgroupBlockWriteINTEL => write(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn read(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let block = Block::of(step, 4)?;
    let mut result = step.blank_result()?;
    let mut outside = 0;
    for (lane, base) in &block.pointers {
        for component in 0..result.leaves() {
            let at = block.element(step, *base, *lane, component);
            match step.machine.memory.read(at, block.scalar, *lane) {
                Ok(bits) => result.set(component, *lane, bits),
                Err(_) => outside |= 1 << lane,
            }
        }
    }
    step.behavior_unless(outside, "memory outside the object is accessed")?;
    step.finish(result)
}

fn write(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let block = Block::of(step, 16)?;
    let data = step.copy(1)?;
    let mut outside = 0;
    let mut quarrel = 0;
    let mut written = BTreeMap::new();
    for (lane, base) in &block.pointers {
        for component in 0..data.leaves() {
            let at = block.element(step, *base, *lane, component);
            let bits = data.get(component, *lane);
            let earlier = written.insert((at.object, at.offset), bits);
            if earlier.is_some_and(|earlier| earlier != bits) {
                quarrel |= 1 << lane;
            }
            step.machine.memory.note_modified(at, block.scalar, true);
            if step.machine.memory.write(at, block.scalar, *lane, bits).is_err() {
                outside |= 1 << lane;
            }
        }
    }
    step.behavior_unless(outside, "memory outside the object is accessed")?;
    step.behavior_unless(quarrel, "lanes store different values in one place")
}

/// A block operation, its pointer read.
struct Block {
    scalar: Scalar,
    stride: u64,
    pointers: Vec<(u32, Address)>,
}

impl Block {
    /// The demands of cl_intel_spirv_subgroups, Notes and Restrictions, and of the Level Zero
    /// programming guide on alignment, in bytes.
    fn of(step: &Step<'_, '_, '_>, alignment: u64) -> Result<Self, Stop> {
        let ModuleType::Pointer { pointee, .. } = step.type_of(0)? else {
            return Err(step.not_modelled("data as a pointer"));
        };
        let ModuleType::Data(laneproof_semantics::Type::Scalar(scalar)) = *pointee else {
            return Err(step.not_modelled("a pointer to something other than a scalar"));
        };
        let missing = step.sizes().lanes() & !step.active;
        step.behavior_unless(missing, "not every lane of the subgroup executes it")?;
        let pointers = step.pointers(0)?;
        let at = |lane: u32| pointers.get(lane as usize).copied().flatten();
        let undefined = lanes_where(step.active, |lane| at(lane).is_none());
        step.behavior_unless(undefined, "an undefined pointer is followed")?;
        let askew = lanes_where(step.active, |lane| {
            at(lane).is_some_and(|address| address.offset % alignment != 0)
        });
        step.behavior_unless(askew, format!("Ptr is not aligned to {alignment} bytes"))?;
        let pointers: Vec<(u32, Address)> =
            crate::lane::lanes(step.active).filter_map(|lane| Some((lane, at(lane)?))).collect();
        let bytes = pointers
            .iter()
            .all(|(_, address)| step.machine.memory.unit(address.object) == Unit::Byte);
        if !bytes {
            return Err(step.not_modelled("memory other than a buffer"));
        }
        Ok(Self { scalar, stride: shape::scalar_size(scalar), pointers })
    }

    /// Where component `component` of `lane` lies.
    fn element(
        &self,
        step: &Step<'_, '_, '_>,
        base: Address,
        lane: u32,
        component: usize,
    ) -> Address {
        let index = u64::from(lane) + component as u64 * u64::from(step.sizes().max);
        Address { offset: base.offset.saturating_add(index * self.stride), ..base }
    }
}
