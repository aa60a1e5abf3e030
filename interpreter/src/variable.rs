//! Module-scope variables and their objects.

use std::collections::BTreeMap;

use laneproof_module::spirv::StorageClass;
use laneproof_module::{Global, Id, ModuleType};

use crate::built_in::{self, Workgroup};
use crate::frame::{Register, Slot};
use crate::lane::LaneValue;
use crate::machine::{MAX_VALUE, Machine};
use crate::memory::{Address, Object};
use crate::shape::{self, Unit};
use crate::value::Value;

/// Gives every subgroup its module-scope variables. A variable without an object is left out: a use
/// of it is not supported.
///
/// `bound` has the objects that the caller binds, by variable; `workgroups` has the position of
/// each subgroup, or is empty for a function called on its own.
pub(crate) fn install<'p>(
    machine: &mut Machine<'p, '_>,
    bound: &BTreeMap<Id, usize>,
    workgroups: &[Workgroup],
) {
    let mut shared = bound.clone();
    for group in 0..machine.groups.len() {
        for global in machine.program.globals.values() {
            let object = match shared.get(&global.id) {
                Some(object) => Some(*object),
                None => add_object(machine, group, global, workgroups, &mut shared),
            };
            if let Some(object) = object {
                let existing = machine.groups[group].sizes.existing as usize;
                let slot = Slot::Pointer(vec![Some(Address { object, offset: 0 }); existing]);
                let register = Register { ty: &global.ty, slot };
                machine.groups[group].globals.insert(global.id, register);
            }
        }
    }
}

fn add_object(
    machine: &mut Machine<'_, '_>,
    group: usize,
    global: &Global,
    workgroups: &[Workgroup],
    shared: &mut BTreeMap<Id, usize>,
) -> Option<usize> {
    let ModuleType::Pointer { pointee, .. } = &global.ty else { return None };
    let sizes = machine.groups[group].sizes;
    if let Some(built_in) = global.built_in {
        let kernel = machine.program.is_kernel();
        let workgroup = workgroups.get(group);
        let place = workgroup.map_or(machine.options.caller.place, Workgroup::place);
        let value = built_in::value(built_in, pointee, sizes, kernel, workgroup, place)?;
        return Some(machine.memory.add(Object::Private(value)));
    }
    let initializer = match global.initializer {
        Some(id) => Some(LaneValue(machine.program.constants.get(&id)?.leaves.clone())),
        None => None,
    };
    match global.storage {
        StorageClass::Private => {
            let leaves = shape::leaf_count(pointee)?;
            let cells = up_to_limit(leaves as u64 * u64::from(sizes.existing))?;
            machine.hold(cells).ok()?;
            let mut value = Value::undefined(leaves, sizes.existing);
            if let Some(initializer) = initializer {
                (0..sizes.existing).for_each(|lane| value.set_lane(lane, &initializer));
            }
            Some(machine.memory.add(Object::Private(value)))
        }
        StorageClass::Workgroup | StorageClass::UniformConstant => {
            // Constants of kernels are initialised; an image or sampler has no object here.
            if global.storage == StorageClass::UniformConstant && initializer.is_none() {
                return None;
            }
            let object = match (&**pointee, initializer) {
                (ModuleType::Laid(_), None) => {
                    Object::Bytes(vec![None; up_to_limit(shape::size(pointee, Unit::Byte)?)?])
                }
                (_, None) => {
                    let leaves = shape::leaf_count(pointee)? as u64;
                    Object::Shared(vec![None; up_to_limit(leaves)?])
                }
                (_, Some(initializer)) => Object::Shared(initializer.0),
            };
            let cells = match &object {
                Object::Bytes(bytes) => bytes.len(),
                Object::Shared(leaves) => leaves.len(),
                Object::Private(value) => value.cells(),
                Object::Pointers(pointers) => pointers.len(),
                Object::Image(image) => image.bytes.len(),
            };
            machine.hold(cells).ok()?;
            let object = machine.memory.add_of_workgroup(object);
            shared.insert(global.id, object);
            Some(object)
        }
        _ => None,
    }
}

/// A size that an object may have; larger ones are not modelled.
fn up_to_limit(size: u64) -> Option<usize> {
    (size <= MAX_VALUE as u64).then_some(size as usize)
}
