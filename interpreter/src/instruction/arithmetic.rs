//! Integer arithmetic (SPIR-V, Arithmetic Instructions).

use laneproof_module::spirv::Op;

use super::promise;
use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::{Leaf, Step};
use crate::width::{signed, truncate};

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    match opcode {
        Op::SNegate => {
            promise::map(step, [0], |[a]| Leaf::Bits(a.wrapping_neg()), |[a]| a.checked_neg())?
        }
        Op::IAdd => promise::map(
            step,
            [0, 1],
            |[a, b]| Leaf::Bits(a.wrapping_add(b)),
            |[a, b]| a.checked_add(b),
        )?,
        Op::ISub => promise::map(
            step,
            [0, 1],
            |[a, b]| Leaf::Bits(a.wrapping_sub(b)),
            |[a, b]| a.checked_sub(b),
        )?,
        Op::IMul => promise::map(
            step,
            [0, 1],
            |[a, b]| Leaf::Bits(a.wrapping_mul(b)),
            |[a, b]| a.checked_mul(b),
        )?,
        Op::UDiv => step.map([0, 1], |[a, b]| unsigned_division(a.checked_div(b)))?,
        Op::UMod => step.map([0, 1], |[a, b]| unsigned_division(a.checked_rem(b)))?,
        Op::SDiv => signed_division(step, i64::wrapping_div)?,
        Op::SRem => signed_division(step, i64::wrapping_rem)?,
        Op::SMod => signed_division(step, modulo)?,
        Op::IAddCarry => pair(step, |width, a, b| {
            let sum = u128::from(a) + u128::from(b);
            (sum as u64, (sum >> width) as u64)
        })?,
        Op::ISubBorrow => pair(step, |_, a, b| (a.wrapping_sub(b), u64::from(a < b)))?,
        Op::UMulExtended => pair(step, |width, a, b| {
            let product = u128::from(a) * u128::from(b);
            (product as u64, (product >> width) as u64)
        })?,
        Op::SMulExtended => pair(step, |width, a, b| {
            let product = i128::from(signed(width, a)) * i128::from(signed(width, b));
            (product as u64, (product >> width) as u64)
        })?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn unsigned_division(quotient: Option<u64>) -> Leaf {
    quotient.map_or(Leaf::Behavior("division by zero"), Leaf::Bits)
}

/// The remainder with the sign of the divisor.
fn modulo(a: i64, b: i64) -> i64 {
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) { remainder.wrapping_add(b) } else { remainder }
}

fn signed_division(step: &mut Step<'_, '_, '_>, divide: fn(i64, i64) -> i64) -> Result<(), Stop> {
    let width = step.result_element()?.width();
    let smallest = signed(width, 1 << (width - 1));
    step.map([0, 1], |[a, b]| match (signed(width, a), signed(width, b)) {
        (_, 0) => Leaf::Behavior("division by zero"),
        (a, -1) if a == smallest => Leaf::Behavior("the quotient does not fit"),
        (a, b) => Leaf::Bits(divide(a, b) as u64),
    })
}

/// Instructions that return two words: all lower ones, then all higher ones.
fn pair(
    step: &mut Step<'_, '_, '_>,
    compute: impl Fn(u32, u64, u64) -> (u64, u64),
) -> Result<(), Stop> {
    let width = step.element_of(0)?.width();
    let left = step.consume(0)?;
    let right = step.consume(1)?;
    let mut result = step.blank_result()?;
    for leaf in 0..left.leaves() {
        for lane in lanes(step.active) {
            let (low, high) = compute(width, left.bits(leaf, lane), right.bits(leaf, lane));
            result.set(leaf, lane, Some(truncate(width, low)));
            result.set(left.leaves() + leaf, lane, Some(truncate(width, high)));
        }
    }
    step.finish(result)
}
