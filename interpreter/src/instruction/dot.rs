//! Dot products of integers (SPIR-V, Arithmetic Instructions).

use laneproof_module::ModuleType;
use laneproof_module::spirv::Op;
use laneproof_semantics::Type as Data;

use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::Step;
use crate::value::Value;
use crate::width::{signed, truncate};

/// Bytes in a word that stands for a vector.
const PACKED: u32 = 4;
/// No vector has more components than two to this power.
const MOST_COMPONENTS: u32 = 4;

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let (signs, saturates) = match opcode {
        Op::SDot => ([true, true], false),
        Op::UDot => ([false, false], false),
        Op::SUDot => ([true, false], false),
        Op::SDotAccSat => ([true, true], true),
        Op::UDotAccSat => ([false, false], true),
        Op::SUDotAccSat => ([true, false], true),
        _ => return Ok(false),
    };
    let factors = Factors::of(step)?;
    let width = step.result_element()?.width();
    let (left, right) = (step.consume(0)?, step.consume(1)?);
    let accumulator = if saturates { Some(step.consume(2)?) } else { None };
    // Which sums overflow, depends on an order that no sentence gives.
    if saturates && 2 * factors.width + MOST_COMPONENTS > width {
        return Err(step.not_modelled("products that may not fit the result"));
    }
    let mut result = step.blank_result()?;
    for lane in lanes(step.active) {
        let numbers =
            [factors.numbers(&left, lane, signs[0]), factors.numbers(&right, lane, signs[1])];
        let products = numbers[0].iter().zip(&numbers[1]).map(|(a, b)| a.wrapping_mul(*b));
        let mut sum = products.fold(0_i128, i128::wrapping_add);
        if let Some(accumulator) = &accumulator {
            let bits = accumulator.bits(0, lane);
            let all = i128::from(u64::MAX >> (64 - width));
            sum = match signs[0] {
                true => (sum + i128::from(signed(width, bits))).clamp(-(all >> 1) - 1, all >> 1),
                false => (sum + i128::from(bits)).min(all),
            };
        }
        result.set(0, lane, Some(truncate(width, sum as u64)));
    }
    step.finish(result)?;
    Ok(true)
}

/// What the factors are: components of vectors, or bytes of words.
struct Factors {
    width: u32,
    packed: bool,
}

impl Factors {
    fn of(step: &Step<'_, '_, '_>) -> Result<Self, Stop> {
        Ok(match step.type_of(0)? {
            ModuleType::Data(Data::Scalar(_)) => Self { width: 8, packed: true },
            _ => Self { width: step.element_of(0)?.width(), packed: false },
        })
    }

    fn numbers(&self, vector: &Value, lane: u32, with_sign: bool) -> Vec<i128> {
        let number = |bits: u64| match with_sign {
            true => i128::from(signed(self.width, bits)),
            false => i128::from(bits),
        };
        match self.packed {
            true => (0..PACKED)
                .map(|byte| number(truncate(8, vector.bits(0, lane) >> (8 * byte))))
                .collect(),
            false => (0..vector.leaves()).map(|leaf| number(vector.bits(leaf, lane))).collect(),
        }
    }
}
