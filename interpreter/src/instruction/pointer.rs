//! Variables and pointers (SPIR-V, Memory Instructions). What is loaded or stored is copied,
//! marked or not; an index is computed with.

use laneproof_module::spirv::Op;
use laneproof_module::{MemoryOperands, ModuleType, Operand};
use laneproof_semantics::Scalar;

use crate::frame::Slot;
use crate::lane::{lanes, lanes_where};
use crate::memory::{Address, Object};
use crate::outcome::Stop;
use crate::shape::{self, Unit};
use crate::step::Step;
use crate::value::Value;
use crate::width::signed;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::Variable => variable(step)?,
        Op::AccessChain | Op::InBoundsAccessChain => access_chain(step, 1)?,
        Op::PtrAccessChain | Op::InBoundsPtrAccessChain => access_chain(step, 2)?,
        // Where an image is bound, its variable is the image.
        Op::Load if *step.result_type()? == ModuleType::Image => {
            let images = step.pointers(0)?;
            step.finish_slot(Slot::Pointer(images))?;
        }
        Op::PtrCastToGeneric | Op::GenericCastToPtr => {
            let pointers = step.pointers(0)?;
            step.finish_slot(Slot::Pointer(pointers))?;
        }
        Op::Load if matches!(step.result_type()?, ModuleType::Pointer { .. }) => {
            load_pointer(step)?
        }
        Op::Store if matches!(step.type_of(1)?, ModuleType::Pointer { .. }) => store_pointer(step)?,
        Op::Load => {
            let ty = step.result_type()?.clone();
            require_layout(step)?;
            require_alignment(step, 0, declared_alignments(step, 1).first())?;
            let value = load(step, 0, &ty)?;
            step.finish(value)?;
        }
        Op::Store => {
            let value = step.copy(1)?;
            require_layout(step)?;
            require_alignment(step, 0, declared_alignments(step, 2).first())?;
            store(step, 0, &value)?;
        }
        Op::CopyMemory => {
            let ty = pointee(step, 1)?;
            let declared = declared_alignments(step, 2);
            require_alignment(step, 0, declared.first())?;
            require_alignment(step, 1, declared.last())?;
            let value = load(step, 1, &ty)?;
            store(step, 0, &value)?;
        }
        Op::ArrayLength => array_length(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn variable(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let existing = step.sizes().existing;
    let ModuleType::Pointer { pointee, .. } = step.result_type()? else {
        return Err(step.not_modelled("its type is not a pointer"));
    };
    if matches!(**pointee, ModuleType::Pointer { .. }) && step.operands() == 1 {
        step.machine.hold(existing as usize)?;
        let object = step.machine.memory.add(Object::Pointers(vec![None; existing as usize]));
        let address = Some(Address { object, offset: 0 });
        return step.finish_slot(Slot::Pointer(vec![address; existing as usize]));
    }
    let leaves = shape::leaf_count(pointee)
        .ok_or_else(|| step.not_modelled("a variable that does not hold plain data"))?;
    let mut value = step.room(leaves)?;
    step.machine.hold(value.cells())?;
    if let Some(Operand::IdRef(_)) = step.instruction.operands.get(1) {
        let initializer = step.copy(1)?;
        value.copy_lanes(&initializer, step.active);
    }
    let object = step.machine.memory.add(Object::Private(value));
    step.finish_slot(Slot::Pointer(vec![Some(Address { object, offset: 0 }); existing as usize]))
}

/// The variable of pointers that an operand points to.
fn held(step: &Step<'_, '_, '_>) -> Result<usize, Stop> {
    let pointers = step.pointers(0)?;
    let mut objects = lanes(step.active).map(|lane| pointers[lane as usize].map(|at| at.object));
    let first = objects.next().flatten();
    match first.filter(|_| objects.all(|object| object == first)) {
        Some(object) => Ok(object),
        None => Err(step.not_modelled("a pointer in memory of another kind")),
    }
}

fn load_pointer(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    match step.machine.memory.object(held(step)?) {
        Some(Object::Pointers(pointers)) => {
            let pointers = pointers.clone();
            step.finish_slot(Slot::Pointer(pointers))
        }
        _ => Err(step.not_modelled("a pointer in memory of another kind")),
    }
}

fn store_pointer(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let (object, stored, active) = (held(step)?, step.pointers(1)?, step.active);
    match step.machine.memory.object_mut(object) {
        Some(Object::Pointers(pointers)) => {
            lanes(active).for_each(|lane| pointers[lane as usize] = stored[lane as usize]);
            Ok(())
        }
        _ => Err(step.not_modelled("a pointer in memory of another kind")),
    }
}

fn pointee(step: &Step<'_, '_, '_>, operand: usize) -> Result<ModuleType, Stop> {
    match step.type_of(operand)? {
        ModuleType::Pointer { pointee, .. } => Ok((*pointee).clone()),
        _ => Err(step.not_modelled("data as a pointer")),
    }
}

/// A matrix in memory is laid out as the structure around it says, which its pointer does not show.
fn require_layout(step: &Step<'_, '_, '_>) -> Result<(), Stop> {
    match pointee(step, 0)? {
        ModuleType::Opaque(Op::TypeMatrix) => {
            Err(step.not_modelled("a matrix in memory that has a layout"))
        }
        _ => Ok(()),
    }
}

/// `OpBitcast` to a pointer: the same place, read as another type. Only bytes can be.
pub(super) fn cast(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    if !matches!(step.type_of(0)?, ModuleType::Pointer { .. }) {
        return Err(step.not_modelled("data as a pointer"));
    }
    let pointers = step.pointers(0)?;
    if unit(step, &pointers)? != Unit::Byte {
        return Err(step.not_modelled("a variable as one of another type"));
    }
    step.finish_slot(Slot::Pointer(pointers))
}

/// The unit of the object that the active lanes point into.
fn unit(step: &Step<'_, '_, '_>, pointers: &[Option<Address>]) -> Result<Unit, Stop> {
    let mut units = lanes(step.active)
        .filter_map(|lane| pointers[lane as usize])
        .map(|address| step.machine.memory.unit(address.object));
    let first = units.next().unwrap_or(Unit::Leaf);
    if units.any(|unit| unit != first) {
        return Err(step.not_modelled("lanes that point into memory of different kinds"));
    }
    Ok(first)
}

/// An access chain whose member indices start at operand `from`; with `from` 2, operand 1
/// steps over whole elements first.
fn access_chain(step: &mut Step<'_, '_, '_>, from: usize) -> Result<(), Stop> {
    let mut pointers = step.pointers(0)?;
    let unit = unit(step, &pointers)?;
    let mut ty = pointee(step, 0)?;
    if from == 2 {
        let stride = match unit {
            Unit::Byte => step.machine.program.element_stride(step.instruction.result, &ty),
            Unit::Leaf => shape::size(&ty, unit),
        };
        let stride =
            stride.ok_or_else(|| step.not_modelled("steps over elements of unknown size"))?;
        let width = step.element_of(1)?.width();
        // No memory has as many elements as wide integers have values: an undefined one leads
        // nowhere.
        let lost = if width < 32 { 0 } else { step.copy(1)?.undefined_in(0) & step.active };
        let index = step.consume(1)?;
        for lane in lanes(step.active) {
            let pointer = &mut pointers[lane as usize];
            *pointer = pointer.filter(|_| lost >> lane & 1 == 0).map(|at| {
                let delta = signed(width, index.bits(0, lane)).wrapping_mul(stride as i64);
                Address { offset: at.offset.wrapping_add_signed(delta), ..at }
            });
        }
    }
    for operand in from..step.operands() {
        ty = match shape::indexed(&ty, unit) {
            Some((element, stride, count)) => {
                index(step, operand, &mut pointers, stride, count)?;
                element
            }
            None => {
                let (member, offset) = shape::member(&ty, step.constant(operand)?, unit)
                    .ok_or_else(|| step.not_modelled("an index that its type does not have"))?;
                for pointer in pointers.iter_mut().flatten() {
                    pointer.offset = pointer.offset.wrapping_add(offset);
                }
                member
            }
        };
    }
    step.finish_slot(Slot::Pointer(pointers))
}

/// Selects an element by an index that may differ from lane to lane. Indices are signed.
fn index(
    step: &mut Step<'_, '_, '_>,
    operand: usize,
    pointers: &mut [Option<Address>],
    stride: u64,
    count: Option<u64>,
) -> Result<(), Stop> {
    let width = step.element_of(operand)?.width();
    let narrow = count.is_some_and(|count| width < 64 && count >> width != 0);
    if !narrow {
        // Among all values that an undefined one may have, some are out of bounds.
        let undefined = step.copy(operand)?.undefined_in(0) & step.active;
        step.behavior_unless(undefined, "the index is an undefined value")?;
    }
    let indices = step.consume(operand)?;
    let mut outside = 0;
    for lane in lanes(step.active) {
        let index = indices.bits(0, lane);
        // Of a runtime array only the buffer knows the length: the access itself checks it.
        let inside = match count {
            Some(count) => index < count,
            None => signed(width, index) >= 0,
        };
        if !inside {
            outside |= 1 << lane;
        } else if let Some(pointer) = &mut pointers[lane as usize] {
            let delta = stride.saturating_mul(index);
            pointer.offset = pointer.offset.saturating_add(delta);
        }
    }
    step.behavior_unless(outside, "the index is out of bounds")
}

/// `OpArrayLength`: as many whole elements as the buffer has room for behind the start of the
/// runtime array.
fn array_length(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let pointers = step.pointers(0)?;
    let unknown = || step.not_modelled("a structure without a runtime array there");
    let member = shape::member(&pointee(step, 0)?, step.literal(1)?, Unit::Byte);
    let (array, offset) = member.ok_or_else(unknown)?;
    let (_, stride, _) = shape::indexed(&array, Unit::Byte).ok_or_else(unknown)?;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let at = pointers[lane as usize].ok_or_else(unknown)?;
        let Some(Object::Bytes(bytes)) = step.machine.memory.object(at.object) else {
            return Err(unknown());
        };
        let room = (bytes.len() as u64).saturating_sub(at.offset.saturating_add(offset));
        result.set(0, lane, Some(room / stride.max(1)));
    }
    step.finish(result)
}

/// What a dereference meets in the lanes where it goes wrong.
const OUTSIDE: &str = "memory outside the object is accessed";

/// The alignment in bytes of each set of memory operands from an operand on, 1 where it has none.
fn declared_alignments(step: &Step<'_, '_, '_>, first: usize) -> Vec<u64> {
    let operands = step.instruction.operands.get(first..).unwrap_or_default();
    let sets = MemoryOperands::of(operands).unwrap_or_default();
    sets.into_iter().map(|it| it.alignment).collect()
}

/// Undefined behavior where a lane follows a pointer that is no multiple of what was declared. The
/// memory of buffers begins at a multiple of anything.
fn require_alignment(
    step: &Step<'_, '_, '_>,
    operand: usize,
    bytes: Option<&u64>,
) -> Result<(), Stop> {
    let Some(bytes) = bytes.copied().filter(|bytes| *bytes > 1) else { return Ok(()) };
    let pointers = step.pointers(operand)?;
    let askew = lanes_where(step.active, |lane| {
        pointers[lane as usize].is_some_and(|address| {
            let in_bytes = step.machine.memory.unit(address.object) == Unit::Byte;
            in_bytes && !address.offset.is_multiple_of(bytes)
        })
    });
    step.behavior_unless(askew, format!("a pointer is not aligned to {bytes} bytes"))
}

/// An access: where each lane points, and where from there each scalar lies.
type Access = (Vec<Option<Address>>, Vec<(u64, Scalar)>);

/// The scalars of an access of type `ty` through the pointers of `operand`.
fn scalars(step: &Step<'_, '_, '_>, operand: usize, ty: &ModuleType) -> Result<Access, Stop> {
    let pointers = step.pointers(operand)?;
    let unit = unit(step, &pointers)?;
    let undefined = lanes_where(step.active, |lane| pointers[lane as usize].is_none());
    step.behavior_unless(undefined, "an undefined pointer is followed")?;
    let scalars = shape::placed_leaves(ty, unit)
        .ok_or_else(|| step.not_modelled("an access to something other than plain data"))?;
    Ok((pointers, scalars))
}

fn load(step: &Step<'_, '_, '_>, operand: usize, ty: &ModuleType) -> Result<Value, Stop> {
    let (pointers, scalars) = scalars(step, operand, ty)?;
    let mut value = step.room(scalars.len())?;
    let mut outside = 0;
    for lane in lanes(step.active) {
        let Some(base) = pointers[lane as usize] else { continue };
        for (leaf, (offset, scalar)) in scalars.iter().enumerate() {
            let at = Address { offset: base.offset.saturating_add(*offset), ..base };
            match step.machine.memory.read(at, *scalar, lane) {
                Ok(bits) => value.set(leaf, lane, bits),
                Err(_) => outside |= 1 << lane,
            }
        }
    }
    step.behavior_unless(outside, OUTSIDE)?;
    Ok(value)
}

fn store(step: &mut Step<'_, '_, '_>, operand: usize, value: &Value) -> Result<(), Stop> {
    let ty = pointee(step, operand)?;
    let (pointers, scalars) = scalars(step, operand, &ty)?;
    let mut outside = 0;
    for lane in lanes(step.active) {
        let Some(base) = pointers[lane as usize] else { continue };
        let own = matches!(step.machine.memory.object(base.object), Some(Object::Private(_)));
        if !own && step.group().helpers >> lane & 1 == 1 {
            continue;
        }
        for (leaf, (offset, scalar)) in scalars.iter().enumerate() {
            let at = Address { offset: base.offset.saturating_add(*offset), ..base };
            let written = step.machine.memory.write(at, *scalar, lane, value.get(leaf, lane));
            step.machine.memory.note_modified(at, *scalar, true);
            if written.is_err() {
                outside |= 1 << lane;
            }
        }
    }
    step.behavior_unless(outside, OUTSIDE)
}
