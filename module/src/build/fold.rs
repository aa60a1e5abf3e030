//! `OpSpecConstantOp` at the specialization constants' defaults.

use std::collections::BTreeMap;

use laneproof_semantics::{Scalar, Type as Data};
use rspirv::dr::Operand;
use rspirv::spirv::Op;

use crate::program::{Constant, Id};

/// The leaves of an operation's result; `None` where it is not one on integers, Booleans or
/// composites, or where SPIR-V gives it no value (division by zero, a shift by the width).
pub(super) fn fold(
    opcode: Op,
    operands: &[Operand],
    ty: &Data,
    constants: &BTreeMap<Id, Constant>,
) -> Option<Vec<Option<u64>>> {
    let constant = |index: usize| constants.get(&operands.get(index)?.id_ref_any()?);
    let literals = |from: usize| -> Option<Vec<u32>> {
        let literal = |operand: &Operand| match operand {
            Operand::LiteralBit32(number) => Some(*number),
            _ => None,
        };
        operands.get(from..)?.iter().map(literal).collect()
    };
    match opcode {
        Op::CompositeExtract => {
            let source = constant(0)?;
            let (part, first) = member(&source.ty, &literals(1)?)?;
            source.leaves.get(first..first + part.leaf_count()).map(<[_]>::to_vec)
        }
        Op::CompositeInsert => {
            let (object, composite) = (constant(0)?, constant(1)?);
            let (part, first) = member(&composite.ty, &literals(2)?)?;
            let mut leaves = composite.leaves.clone();
            if object.leaves.len() != part.leaf_count() {
                return None;
            }
            leaves.get_mut(first..first + part.leaf_count())?.copy_from_slice(&object.leaves);
            Some(leaves)
        }
        Op::VectorShuffle => {
            let joined = [constant(0)?.leaves.as_slice(), constant(1)?.leaves.as_slice()].concat();
            let pick = |&index: &u32| match index {
                u32::MAX => Some(None),
                index => joined.get(index as usize).copied(),
            };
            literals(2)?.iter().map(pick).collect()
        }
        Op::Select => {
            let (condition, then, otherwise) = (constant(0)?, constant(1)?, constant(2)?);
            let choose = |index: usize| {
                let broadcast = if condition.leaves.len() == 1 { 0 } else { index };
                let taken = (*condition.leaves.get(broadcast)?)? != 0;
                let arm = if taken { &then.leaves } else { &otherwise.leaves };
                arm.get(index).copied()
            };
            (0..ty.leaf_count()).map(choose).collect()
        }
        _ => {
            let operands: Option<Vec<&Constant>> = (0..operands.len()).map(constant).collect();
            let (operands, result) = (operands?, ty.element()?);
            let width = integer_width(operands.first()?.ty.element()?)?;
            integer_width(result)?;
            let component = |index: usize| {
                let values: Option<Vec<u64>> =
                    operands.iter().map(|operand| *operand.leaves.get(index)?).collect();
                // A shift amount may be of another width; every other operand has this one.
                fold_scalars(opcode, &values?, width, result).map(Some)
            };
            (0..ty.leaf_count()).map(component).collect()
        }
    }
}

/// Folds an operation on integers or Booleans, the first of which has `width` bits; `None` for
/// other operations, and where SPIR-V defines no value.
pub fn fold_scalars(opcode: Op, operands: &[u64], width: u32, result: Scalar) -> Option<u64> {
    integer_width(result)?;
    let value = match *operands {
        [a] => unary(opcode, a, width)?,
        [a, b] => binary(opcode, a, b, width)?,
        [condition, then, otherwise] if opcode == Op::Select => match condition {
            0 => otherwise,
            _ => then,
        },
        _ => return None,
    };
    Some(value & width_mask(result.width()))
}

fn member(ty: &Data, indices: &[u32]) -> Option<(Data, usize)> {
    indices.iter().try_fold((ty.clone(), 0), |(ty, first), &index| {
        let (part, offset) = ty.member(index)?;
        Some((part, first + offset))
    })
}

fn integer_width(scalar: Scalar) -> Option<u32> {
    (!scalar.is_float()).then(|| scalar.width())
}

/// Two's complement of the given width.
fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

fn unary(opcode: Op, a: u64, width: u32) -> Option<u64> {
    match opcode {
        Op::SNegate => Some(a.wrapping_neg()),
        Op::Not => Some(!a),
        Op::LogicalNot => Some(u64::from(a == 0)),
        Op::UConvert => Some(a),
        Op::SConvert => Some(signed(a, width) as u64),
        _ => None,
    }
}

fn binary(opcode: Op, a: u64, b: u64, width: u32) -> Option<u64> {
    let (x, y) = (signed(a, width), signed(b, width));
    let shift = u32::try_from(b).ok().filter(|&amount| amount < width);
    let overflows = y == -1 && a == 1 << (width - 1);
    let divisible = y != 0 && !overflows;
    Some(match opcode {
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b)?,
        Op::UMod => a.checked_rem(b)?,
        Op::SDiv if divisible => x.wrapping_div(y) as u64,
        Op::SRem if divisible => x.wrapping_rem(y) as u64,
        // The sign of the divisor, where SRem has that of the dividend.
        Op::SMod if divisible => match x.wrapping_rem(y) {
            rest if rest != 0 && (rest < 0) != (y < 0) => rest.wrapping_add(y) as u64,
            rest => rest as u64,
        },
        Op::ShiftLeftLogical => a << shift?,
        Op::ShiftRightLogical => a >> shift?,
        Op::ShiftRightArithmetic => (x >> shift?) as u64,
        Op::BitwiseAnd | Op::LogicalAnd => a & b,
        Op::BitwiseOr | Op::LogicalOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::IEqual | Op::LogicalEqual => u64::from(a == b),
        Op::INotEqual | Op::LogicalNotEqual => u64::from(a != b),
        Op::ULessThan => u64::from(a < b),
        Op::ULessThanEqual => u64::from(a <= b),
        Op::UGreaterThan => u64::from(a > b),
        Op::UGreaterThanEqual => u64::from(a >= b),
        Op::SLessThan => u64::from(x < y),
        Op::SLessThanEqual => u64::from(x <= y),
        Op::SGreaterThan => u64::from(x > y),
        Op::SGreaterThanEqual => u64::from(x >= y),
        _ => return None,
    })
}

/// The bits that a value of this width has.
pub(super) const fn width_mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
