//! Bits and bit fields (SPIR-V, Bit Instructions).

use laneproof_module::spirv::Op;

use super::promise;
use crate::outcome::Stop;
use crate::step::{Leaf, Step};
use crate::width::{signed, truncate};

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::Not => step.map([0], |[a]| Leaf::Bits(!a))?,
        Op::BitwiseOr => step.map([0, 1], |[a, b]| Leaf::Bits(a | b))?,
        Op::BitwiseXor => step.map([0, 1], |[a, b]| Leaf::Bits(a ^ b))?,
        Op::BitwiseAnd => step.map([0, 1], |[a, b]| Leaf::Bits(a & b))?,
        Op::ShiftLeftLogical => {
            let width = step.element_of(0)?.width();
            let bits = |[base, amount]: [u64; 2]| match amount < u64::from(width) {
                true => Leaf::Bits(base << amount),
                false => Leaf::Undefined,
            };
            promise::map(step, [0, 1], bits, |[base, amount]| base.checked_mul(1 << amount))?;
        }
        Op::ShiftRightLogical => shift(step, |_, base, amount| base >> amount)?,
        Op::ShiftRightArithmetic => {
            shift(step, |width, base, amount| (signed(width, base) >> amount) as u64)?;
        }
        Op::BitFieldInsert => insert(step)?,
        Op::BitFieldSExtract => extract(step, signed_field)?,
        Op::BitFieldUExtract => extract(step, |_, field| field)?,
        Op::BitReverse => {
            let width = step.result_element()?.width();
            step.map([0], |[a]| Leaf::Bits(a.reverse_bits() >> (64 - width)))?;
        }
        Op::BitCount => step.map([0], |[a]| Leaf::Bits(u64::from(a.count_ones())))?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A shift; the result is undefined when the amount is the width or more.
fn shift(step: &mut Step<'_, '_, '_>, compute: fn(u32, u64, u64) -> u64) -> Result<(), Stop> {
    let width = step.element_of(0)?.width();
    step.map([0, 1], |[base, amount]| {
        if amount < u64::from(width) {
            Leaf::Bits(compute(width, base, amount))
        } else {
            Leaf::Undefined
        }
    })
}

/// Where a bit field lies, when it lies within `width` bits: its offset and count.
fn field(width: u32, offset: u64, count: u64) -> Option<(u32, u32)> {
    let end = offset.checked_add(count)?;
    (end <= u64::from(width)).then_some((offset as u32, count as u32))
}

fn insert(step: &mut Step<'_, '_, '_>) -> Result<(), Stop> {
    let width = step.result_element()?.width();
    step.map([0, 1, 2, 3], |[base, insert, offset, count]| match field(width, offset, count) {
        Some((_, 0)) => Leaf::Bits(base),
        Some((offset, count)) => {
            let mask = truncate(count, u64::MAX) << offset;
            Leaf::Bits(base & !mask | (insert << offset) & mask)
        }
        None => Leaf::Undefined,
    })
}

/// Extends a field of `count` bits by its highest; nothing to extend gives 0.
fn signed_field(count: u32, field: u64) -> u64 {
    if count == 0 { 0 } else { signed(count, field) as u64 }
}

fn extract(step: &mut Step<'_, '_, '_>, extend: fn(u32, u64) -> u64) -> Result<(), Stop> {
    let width = step.result_element()?.width();
    step.map([0, 1, 2], |[base, offset, count]| match field(width, offset, count) {
        Some((_, 0)) => Leaf::Bits(0),
        Some((offset, count)) => Leaf::Bits(extend(count, truncate(count, base >> offset))),
        None => Leaf::Undefined,
    })
}
