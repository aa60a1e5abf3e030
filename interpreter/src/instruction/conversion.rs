//! Conversions between integer types and reinterpretation of bits (SPIR-V, Conversion
//! Instructions).

use laneproof_module::ModuleType;
use laneproof_module::spirv::Op;

use super::{pointer, promise};
use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::{Leaf, Step};
use crate::width::{signed, truncate};

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::UConvert => {
            let most = if promise::saturates(step) { step.result_element()?.width() } else { 64 };
            step.map([0], |[a]| Leaf::Bits(a.min(truncate(most, u64::MAX))))?;
        }
        Op::SConvert => {
            let width = step.element_of(0)?.width();
            let to = if promise::saturates(step) { step.result_element()?.width() } else { 64 };
            let (least, most) = (i64::MIN >> (64 - to), i64::MAX >> (64 - to));
            step.map([0], |[a]| Leaf::Bits(signed(width, a).clamp(least, most) as u64))?;
        }
        Op::SatConvertSToU => {
            let (from, to) = (step.element_of(0)?.width(), step.result_element()?.width());
            let largest = truncate(to, u64::MAX);
            step.map([0], |[a]| Leaf::Bits(signed(from, a).max(0).unsigned_abs().min(largest)))?;
        }
        Op::SatConvertUToS => {
            let largest = truncate(step.result_element()?.width() - 1, u64::MAX);
            step.map([0], |[a]| Leaf::Bits(a.min(largest)))?;
        }
        Op::Bitcast if matches!(step.result_type()?, ModuleType::Pointer { .. }) => {
            pointer::cast(step)?
        }
        Op::Bitcast => bitcast(step)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// `OpBitcast`: the bits of all components in a row, the first component lowest, cut anew.
fn bitcast(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let (from, to) = (step.element_of(0)?.width(), step.result_element()?.width());
    let operand = step.consume(0)?;
    let mut result = step.blank_result()?;
    if operand.leaves() as u64 * u64::from(from) != result.leaves() as u64 * u64::from(to) {
        return Err(step.not_modelled("types of different size"));
    }
    for lane in lanes(step.active) {
        for leaf in 0..result.leaves() {
            let mut bits = 0;
            for bit in 0..to as usize {
                let at = leaf * to as usize + bit;
                let (source, position) = (at / from as usize, at % from as usize);
                bits |= (operand.bits(source, lane) >> position & 1) << bit;
            }
            result.set(leaf, lane, Some(bits));
        }
    }
    step.finish(result)
}
