//! Booleans and selection (SPIR-V, Relational and Logical Instructions).

use std::rc::Rc;

use laneproof_module::spirv::Op;

use crate::frame::Slot;
use crate::lane::{lanes, lanes_where};
use crate::outcome::Stop;
use crate::step::{Leaf, Step};

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::LogicalEqual => step.map([0, 1], |[a, b]| Leaf::Bits(!(a ^ b)))?,
        Op::LogicalNotEqual => step.map([0, 1], |[a, b]| Leaf::Bits(a ^ b))?,
        Op::LogicalOr => step.map([0, 1], |[a, b]| Leaf::Bits(a | b))?,
        Op::LogicalAnd => step.map([0, 1], |[a, b]| Leaf::Bits(a & b))?,
        Op::LogicalNot => step.map([0], |[a]| Leaf::Bits(!a))?,
        Op::Any => fold(step, |a, b| a | b)?,
        Op::All => fold(step, |a, b| a & b)?,
        Op::Select => select(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// One Boolean from the components of one.
fn fold(step: &mut Step<'_, '_, '_>, join: fn(u64, u64) -> u64) -> Result<(), Stop> {
    let vector = step.consume(0)?;
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let joined = (0..vector.leaves()).map(|leaf| vector.bits(leaf, lane)).reduce(join);
        result.set(0, lane, joined);
    }
    step.finish(result)
}

/// `OpSelect`: computes with its condition, copies the arm that it chooses.
fn select(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let condition = step.consume(0)?;
    let (then, otherwise) = (step.slot(step.id(1)?)?, step.slot(step.id(2)?)?);
    let result = match (then, otherwise) {
        (Slot::Data(then), Slot::Data(otherwise)) => {
            let mut result = step.blank_result()?;
            for leaf in 0..result.leaves() {
                for lane in lanes(step.active) {
                    let decides = if condition.leaves() == 1 { 0 } else { leaf };
                    let chosen =
                        if condition.bits(decides, lane) & 1 == 1 { &then } else { &otherwise };
                    result.set(leaf, lane, chosen.get(leaf, lane));
                }
            }
            Slot::Data(Rc::new(result))
        }
        (mut then, otherwise) => {
            let unchosen = lanes_where(step.active, |lane| condition.bits(0, lane) & 1 == 0);
            then.copy_lanes(&otherwise, unchosen);
            then
        }
    };
    step.finish_slot(result)
}
