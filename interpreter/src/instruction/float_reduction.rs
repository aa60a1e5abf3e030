//! Group arithmetic of floating point (SPIR-V, Non-Uniform Instructions). The method of a sum
//! or product is the implementation's: any order and any bracketing of the contributions, with
//! the identity among them or not. Lanes with the same contributors get the same result.

use std::collections::BTreeMap;

use laneproof_module::spirv::Op;

use super::float::{Operation, combine};
use super::{ballot, group, reduction};
use crate::float_format::{Format, format};
use crate::lane::lanes;
use crate::outcome::Stop;
use crate::step::Step;

enum Reduction {
    /// A sum or product: rounding makes the order show.
    Rounded(Operation),
    /// A minimum or maximum; `true` is the maximum.
    Extreme(bool),
}

/// Executes an instruction of this family; false when it is not one.
pub(super) fn execute(step: &mut Step<'_, '_, '_>, opcode: Op) -> Result<bool, Stop> {
    let reduction = match opcode {
        Op::GroupNonUniformFAdd | Op::GroupFAdd => Reduction::Rounded(Operation::Add),
        Op::GroupNonUniformFMul | Op::GroupFMulKHR => Reduction::Rounded(Operation::Mul),
        Op::GroupNonUniformFMin | Op::GroupFMin => Reduction::Extreme(false),
        Op::GroupNonUniformFMax | Op::GroupFMax => Reduction::Extreme(true),
        _ => return Ok(false),
    };
    step.in_scope()?;
    if group::is_uniform(opcode) {
        step.everyone()?;
    }
    let operation = ballot::operation(step)?;
    let value = step.consume(2)?;
    let contributors = reduction::contributors(step, operation)?;
    let format = format(step.result_element()?)
        .ok_or_else(|| step.not_modelled("a result that is not of floating point"))?;
    let mut result = step.blank_result()?;
    for leaf in 0..result.leaves() {
        let mut known: BTreeMap<u128, Option<u64>> = BTreeMap::new();
        for lane in lanes(step.active) {
            let set = contributors[lane as usize];
            let total = match known.get(&set) {
                Some(total) => *total,
                None => {
                    let values: Vec<u64> = lanes(set).map(|from| value.bits(leaf, from)).collect();
                    let total = match reduction {
                        Reduction::Rounded(operation) => {
                            Some(rounded(step, format, operation, values))
                        }
                        Reduction::Extreme(greatest) => extreme(step, format, greatest, &values),
                    };
                    known.insert(set, total);
                    total
                }
            };
            result.set(leaf, lane, total);
        }
    }
    step.finish(result)?;
    Ok(true)
}

/// A sum or product over any tree: two of the remaining parts are chosen and combined, until
/// one is left.
fn rounded(
    step: &mut Step<'_, '_, '_>,
    format: Format,
    operation: Operation,
    mut parts: Vec<u64>,
) -> u64 {
    let site = step.site();
    let identity = match operation {
        Operation::Mul => format.one(),
        _ => 0,
    };
    // Adding 0 turns -0 into 0: that the identity may take part shows.
    if parts.is_empty() || step.machine.choices.pick(&site, 2) == 1 {
        parts.push(identity);
    }
    while parts.len() > 1 {
        let count = parts.len() as u64;
        let mut pair = step.machine.choices.pick(&site, count * (count - 1) / 2);
        let mut first = 0;
        while pair >= count - 1 - first && first + 2 < count {
            pair -= count - 1 - first;
            first += 1;
        }
        let second = (first + 1 + pair).min(count - 1);
        let right = parts.remove(second as usize);
        let left = &mut parts[first as usize];
        *left = combine(format, operation, *left, right);
    }
    let total = parts.first().copied().unwrap_or(identity);
    if format.is_nan(total) {
        let number = step.machine.choices.pick(&site, format.nans());
        return format.nan(number);
    }
    total
}

/// The least or greatest number. A NaN gives way to any number; NaNs alone give an undefined
/// value. Which of two zeros it is, is open.
fn extreme(
    step: &mut Step<'_, '_, '_>,
    format: Format,
    greatest: bool,
    values: &[u64],
) -> Option<u64> {
    let sign = 1 << (format.width() - 1);
    if values.is_empty() {
        return Some(if greatest { format.infinity() | sign } else { format.infinity() });
    }
    let numbers = values.iter().copied().filter(|bits| !format.is_nan(*bits));
    let by_order = |bits: &u64| format.order(*bits);
    let found = if greatest { numbers.max_by_key(by_order) } else { numbers.min_by_key(by_order) };
    if format.magnitude(found?) == 0 && values.contains(&0) && values.contains(&sign) {
        let site = step.site();
        return Some(if step.machine.choices.pick(&site, 2) == 1 { sign } else { 0 });
    }
    found
}
