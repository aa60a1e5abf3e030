//! Block reads and writes of images (SPV_INTEL_subgroups). Lanes have consecutive parts of a row;
//! each further component is one row below. Coordinates are in bytes and rows. By
//! cl_intel_spirv_subgroups and the Level Zero guide, a read outside of the image repeats the edge,
//! in words of four bytes, and a write there is dropped.

use std::collections::BTreeMap;

use laneproof_module::ModuleType;
use laneproof_module::spirv::Op;
use laneproof_semantics::Scalar;

use crate::lane::{lanes, lanes_where};
use crate::memory::Image;
use crate::memory::Object;
use crate::outcome::Stop;
use crate::shape;
use crate::step::Step;
use crate::width::signed;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::SubgroupImageBlockReadINTEL => read(step)?,
        Op::SubgroupImageBlockWriteINTEL => write(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn read(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let size = size_of(step, step.result_element()?)?;
    let block = Block::of(step, size)?;
    let mut result = step.blank_result()?;
    for part in &block.parts {
        let image = image(step, part.object)?;
        for component in 0..result.leaves() {
            let y = part.y + component as i64;
            let mut places = (0..size).rev().map(|byte| image.nearest(part.x + byte, y));
            for place in places.clone() {
                step.machine.memory.touch_image(part.object, place, part.lane, false);
            }
            let bits = places.try_fold(0, |bits, place| {
                let byte = image.bytes.get(place).copied().flatten()?;
                Some(bits << 8 | u64::from(byte))
            });
            result.set(component, part.lane, bits);
        }
    }
    step.finish(result)
}

fn write(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let size = size_of(step, step.element_of(2)?)?;
    let block = Block::of(step, size)?;
    let askew = lanes_where(step.active, |lane| {
        block.parts.iter().any(|part| part.lane == lane && part.first % 4 != 0)
    });
    step.behavior_unless(askew, "the block begins inside a word of the image")?;
    let data = step.copy(2)?;
    let mut written = BTreeMap::new();
    let mut quarrel = 0;
    for part in &block.parts {
        let image = image(step, part.object)?;
        for component in 0..data.leaves() {
            let bits = data.get(component, part.lane);
            for byte in 0..size {
                let place = image.index(part.x + byte, part.y + component as i64);
                let Some(place) = place else { continue };
                step.machine.memory.touch_image(part.object, place, part.lane, true);
                let value = bits.map(|bits| (bits >> (8 * byte)) as u8);
                if written
                    .insert((part.object, place), value)
                    .is_some_and(|earlier| earlier != value)
                {
                    quarrel |= 1 << part.lane;
                }
            }
        }
    }
    step.behavior_unless(quarrel, "lanes store different values in one place")?;
    for ((object, place), value) in written {
        if let Some(Object::Image(image)) = step.machine.memory.object_mut(object) {
            image.bytes[place] = value;
        }
    }
    Ok(())
}

/// Bytes of a component.
fn size_of(step: &Step<'_, '_, '_>, scalar: Scalar) -> Result<i64, Stop> {
    match (scalar, shape::scalar_size(scalar)) {
        (Scalar::Int { .. } | Scalar::Float(_), size @ (1 | 2 | 4 | 8)) => Ok(size as i64),
        _ => Err(step.not_modelled(format!("an image block of {scalar}"))),
    }
}

fn image<'s>(step: &'s Step<'_, '_, '_>, object: usize) -> Result<&'s Image, Stop> {
    step.machine
        .memory
        .image(object)
        .ok_or_else(|| step.not_modelled("an operand that is no image"))
}

/// Where the lanes' parts of a block begin.
struct Block {
    parts: Vec<ObservedList>,
}

struct ObservedList {
    lane: u32,
    object: usize,
    /// The byte that Coordinate names.
    first: i64,
    /// The first byte of this lane's part.
    x: i64,
    y: i64,
}

impl Block {
    fn of(step: &mut Step<'_, '_, '_>, size: i64) -> Result<Self, Stop> {
        if step.type_of(0)? != ModuleType::Image {
            return Err(step.not_modelled("an image of this kind"));
        }
        let two = laneproof_semantics::Type::Vector { element: Scalar::uint(32), count: 2 };
        match step.type_of(1)? {
            ModuleType::Data(laneproof_semantics::Type::Vector { element, count: 2 })
                if element.is_int() && element.width() == 32 => {}
            _ => return Err(step.not_modelled(format!("coordinates other than {two}"))),
        }
        let missing = step.sizes().lanes() & !step.active;
        step.behavior_unless(missing, "not every lane of the subgroup executes it")?;
        let images = step.pointers(0)?;
        let coordinates = step.consume(1)?;
        let mut parts = Vec::new();
        for lane in lanes(step.active) {
            let Some(image) = images[lane as usize] else {
                step.behavior_unless(1 << lane, "an undefined image is accessed")?;
                continue;
            };
            let [x, y] = [0, 1].map(|axis| signed(32, coordinates.bits(axis, lane)));
            parts.push(ObservedList {
                lane,
                object: image.object,
                first: x,
                x: x + i64::from(lane) * size,
                y,
            });
        }
        Ok(Self { parts })
    }
}
