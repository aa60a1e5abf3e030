//! Composites: every scalar is copied, marked or not (SPIR-V, Composite Instructions).

use std::rc::Rc;

use laneproof_module::ModuleType;
use laneproof_module::spirv::Op;

use crate::lane::{lanes, lanes_where};
use crate::outcome::Stop;
use crate::shape::{self, Unit};
use crate::step::Step;
use crate::value::Value;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::Undef => {
            let result = step.blank_result()?;
            step.finish(result)?;
        }
        Op::CopyObject | Op::CopyLogical => {
            let slot = step.slot(step.id(0)?)?;
            step.finish_slot(slot)?;
        }
        Op::CompositeConstruct => construct(step)?,
        Op::CompositeExtract => extract(step)?,
        Op::CompositeInsert => insert(step)?,
        Op::VectorShuffle => shuffle(step)?,
        Op::VectorExtractDynamic => extract_dynamic(step)?,
        Op::VectorInsertDynamic => insert_dynamic(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Copies `count` leaves in the active lanes.
fn copy(
    step: &Step<'_, '_, '_>,
    (to, to_leaf): (&mut Value, usize),
    (from, from_leaf): (&Value, usize),
    count: usize,
) {
    for leaf in 0..count {
        for lane in lanes(step.active) {
            to.set(to_leaf + leaf, lane, from.get(from_leaf + leaf, lane));
        }
    }
}

fn construct(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let mut result = step.blank_result()?;
    let mut next = 0;
    for operand in 0..step.operands() {
        let part = step.copy(operand)?;
        if next + part.leaves() > result.leaves() {
            return Err(step.not_modelled("more constituents than the result has"));
        }
        copy(step, (&mut result, next), (&part, 0), part.leaves());
        next += part.leaves();
    }
    step.finish(result)
}

/// First leaf and number of leaves of the part of `ty` that literals from operand `from` on
/// select.
fn part(step: &Step<'_, '_, '_>, mut ty: ModuleType, from: usize) -> Result<(usize, usize), Stop> {
    let unknown = || step.not_modelled("an index that its type does not have");
    let mut first = 0;
    for operand in from..step.operands() {
        let index = step.literal(operand)?;
        let (member, offset) = shape::member(&ty, index, Unit::Leaf).ok_or_else(unknown)?;
        first += offset as usize;
        ty = member;
    }
    Ok((first, shape::leaf_count(&ty).ok_or_else(unknown)?))
}

fn extract(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let composite = step.copy(0)?;
    let (first, count) = part(step, step.type_of(0)?, 1)?;
    let mut result = step.blank_result()?;
    copy(step, (&mut result, 0), (&composite, first), count);
    step.finish(result)
}

fn insert(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let object = step.copy(0)?;
    let mut result = Rc::unwrap_or_clone(step.copy(1)?);
    let (first, count) = part(step, step.type_of(1)?, 2)?;
    copy(step, (&mut result, first), (&object, 0), count);
    step.finish(result)
}

/// `OpVectorShuffle`: the literal of all ones selects nothing, an undefined component.
fn shuffle(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let (left, right) = (step.copy(0)?, step.copy(1)?);
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        let component = step.literal(2 + leaf)?;
        if component == u64::from(u32::MAX) {
            continue;
        }
        let component = component as usize;
        let source: (&Value, usize) = match component.checked_sub(left.leaves()) {
            None => (&left, component),
            Some(component) if component < right.leaves() => (&right, component),
            Some(_) => return Err(step.not_modelled("a component that no operand has")),
        };
        copy(step, (&mut result, leaf), source, 1);
    }
    step.finish(result)
}

/// The component that operand `operand` selects in each active lane. An index that is out of
/// bounds is undefined behavior.
fn selected(step: &mut Step<'_, '_, '_>, operand: usize, count: usize) -> Result<Rc<Value>, Stop> {
    let index = step.consume(operand)?;
    let outside = lanes_where(step.active, |lane| index.bits(0, lane) >= count as u64);
    step.behavior_unless(outside, "the index is out of bounds")?;
    Ok(index)
}

fn extract_dynamic(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let vector = step.copy(0)?;
    let index = selected(step, 1, vector.leaves())?;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        result.set(0, lane, vector.get(index.bits(0, lane) as usize, lane));
    }
    step.finish(result)
}

fn insert_dynamic(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let mut vector = Rc::unwrap_or_clone(step.copy(0)?);
    let component = step.copy(1)?;
    let index = selected(step, 2, vector.leaves())?;
    for lane in lanes(step.active) {
        vector.set(index.bits(0, lane) as usize, lane, component.get(0, lane));
    }
    step.finish(vector)
}
