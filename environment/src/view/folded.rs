//! `OpSpecConstantOp` over constants that cannot be specialized: its value is known, too.

use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id, Operand};

use super::View;

/// How many of them may stand on each other; a module in which one is made of itself has no end.
const DEEPEST: u32 = 64;

impl View<'_> {
    /// The value of such an operation on integers or Booleans; none where a constant in it may be
    /// specialized, or where it is another operation.
    pub(super) fn folded(&self, definition: &Decoded, depth: u32) -> Option<u64> {
        let Some(Operand::LiteralSpecConstantOpInteger(opcode)) = definition.operands.first()
        else {
            return None;
        };
        let value = |at: usize| {
            let id = definition.operands.get(at)?.id_ref_any()?;
            let made_of = self.definition(id)?;
            match made_of.opcode {
                Op::SpecConstantOp if depth < DEEPEST => self.folded(made_of, depth + 1),
                Op::SpecConstantOp => None,
                _ => self.constant(id),
            }
        };
        let (width, from) = (self.scalar_width(definition.ty?)?, self.width_of(definition, 1)?);
        let (a, a_signed) = (value(1)?, extended(value(1)?, from));
        let binary = |of: &dyn Fn(u64, u64) -> u64| Some(of(a, value(2)?));
        let compared = |of: &dyn Fn(u64, u64) -> bool| Some(u64::from(of(a, value(2)?)));
        let shifted = |of: &dyn Fn(u64, u32) -> u64| {
            let by = u32::try_from(value(2)?).ok().filter(|by| *by < width)?;
            Some(of(a, by))
        };
        let divided = |of: &dyn Fn(u64, u64) -> u64| {
            let by = value(2).filter(|by| *by != 0)?;
            Some(of(a, by))
        };
        let folded = match opcode {
            Op::IAdd => binary(&u64::wrapping_add),
            Op::ISub => binary(&u64::wrapping_sub),
            Op::IMul => binary(&u64::wrapping_mul),
            Op::UDiv => divided(&|a, b| a / b),
            Op::UMod => divided(&|a, b| a % b),
            Op::BitwiseAnd | Op::LogicalAnd => binary(&|a, b| a & b),
            Op::BitwiseOr | Op::LogicalOr => binary(&|a, b| a | b),
            Op::BitwiseXor | Op::LogicalNotEqual => binary(&|a, b| a ^ b),
            Op::ShiftLeftLogical => shifted(&|a, by| a << by),
            Op::ShiftRightLogical => shifted(&|a, by| a >> by),
            Op::Not => Some(!a),
            Op::SNegate => Some(a.wrapping_neg()),
            Op::LogicalNot => Some(a ^ 1),
            Op::UConvert => Some(a),
            Op::SConvert => Some(a_signed),
            Op::IEqual | Op::LogicalEqual => compared(&|a, b| a == b),
            Op::INotEqual => compared(&|a, b| a != b),
            Op::ULessThan => compared(&|a, b| a < b),
            Op::ULessThanEqual => compared(&|a, b| a <= b),
            Op::UGreaterThan => compared(&|a, b| a > b),
            Op::UGreaterThanEqual => compared(&|a, b| a >= b),
            Op::Select => value(if a != 0 { 2 } else { 3 }),
            _ => None,
        };
        folded.map(|bits| bits & (u64::MAX >> (64 - width)))
    }

    fn width_of(&self, definition: &Decoded, at: usize) -> Option<u32> {
        let id: Id = definition.operands.get(at)?.id_ref_any()?;
        self.scalar_width(self.type_of(id)?)
    }

    /// Of an integer or Boolean type.
    fn scalar_width(&self, ty: Id) -> Option<u32> {
        let definition = self.definition(ty)?;
        match definition.opcode {
            Op::TypeBool => Some(1),
            Op::TypeInt => definition.literal(0).filter(|width| (1..=64).contains(width)),
            _ => None,
        }
    }
}

fn extended(value: u64, width: u32) -> u64 {
    let unused = 64 - width;
    ((value << unused).cast_signed() >> unused).cast_unsigned()
}
