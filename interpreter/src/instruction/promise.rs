//! What decorations promise of a result: that as a number it does not wrap.

use laneproof_module::Named;
use laneproof_module::spirv::{Decoration, Op};

use rustc_apfloat::Round;

use crate::latitude::rounding;
use crate::outcome::Stop;
use crate::step::{Leaf, Step};
use crate::width::{signed, truncate};

/// Instructions that may be said not to wrap.
const PROMISING: [Op; 5] = [Op::SNegate, Op::IAdd, Op::ISub, Op::IMul, Op::ShiftLeftLogical];

/// Conversions that may be said to saturate.
const SATURATING: [Op; 4] = [Op::UConvert, Op::SConvert, Op::ConvertFToU, Op::ConvertFToS];

/// Conversions that may be said to round in some direction.
const ROUNDING: [Op; 5] =
    [Op::FConvert, Op::ConvertUToF, Op::ConvertSToF, Op::ConvertFToU, Op::ConvertFToS];

/// The direction in which a conversion rounds: the usual one, or the one that its decoration has.
pub(super) fn direction(step: &Step<'_, '_, '_>, usual: Round) -> Round {
    rounding(step.machine.program, step.instruction).unwrap_or(usual)
}

/// What does not fit the result is the nearest number that does.
pub(super) fn saturates(step: &Step<'_, '_, '_>) -> bool {
    step.instruction.decorations.contains(&Decoration::SaturatedConversion)
}

/// Stops if the instruction has a decoration that the interpreter does not support.
pub(super) fn known(step: &Step<'_, '_, '_>) -> Result<(), Stop> {
    let unknown = step.instruction.decorations.iter().find(|decoration| {
        let wraps = matches!(decoration, Decoration::NoSignedWrap | Decoration::NoUnsignedWrap);
        let saturates = **decoration == Decoration::SaturatedConversion;
        let rounds = **decoration == Decoration::FPRoundingMode;
        let opcode = &step.instruction.opcode;
        !(wraps && PROMISING.contains(opcode)
            || saturates && SATURATING.contains(opcode)
            || rounds && ROUNDING.contains(opcode))
    });
    match unknown {
        None => Ok(()),
        Some(decoration) => {
            Err(step.not_modelled(format!("it is decorated {}", decoration.name())))
        }
    }
}

/// An exact result, `None` beyond 128 bits.
pub(super) type Exact<const N: usize> = fn([i128; N]) -> Option<i128>;

/// The result's bits, component by component; undefined behavior where it wraps, as a number of
/// the kind that a decoration names.
pub(super) fn map<const N: usize>(
    step: &mut Step<'_, '_, '_>,
    operands: [usize; N],
    bits: impl Fn([u64; N]) -> Leaf,
    exact: Exact<N>,
) -> Result<(), Stop> {
    let promised = |decoration| step.instruction.decorations.contains(&decoration);
    let no_signed = promised(Decoration::NoSignedWrap);
    let no_unsigned = promised(Decoration::NoUnsignedWrap);
    let width = step.result_element()?.width();
    let shift = step.instruction.opcode == Op::ShiftLeftLogical;
    step.map(operands, |inputs| {
        let found = bits(inputs);
        let Leaf::Bits(result) = found else { return found };
        let mut numbers = inputs.map(i128::from);
        let result = truncate(width, result);
        if no_unsigned && exact(numbers) != Some(i128::from(result)) {
            return Leaf::Behavior("the result wraps, as a number without a sign");
        }
        if no_signed {
            for (position, (number, bits)) in numbers.iter_mut().zip(inputs).enumerate() {
                // An amount to shift by has no sign.
                if position == 0 || !shift {
                    *number = i128::from(signed(width, bits));
                }
            }
            if exact(numbers) != Some(i128::from(signed(width, result))) {
                return Leaf::Behavior("the result wraps, as a number with a sign");
            }
        }
        found
    })
}
