//! `OpSpecConstantOp` over constants that cannot be specialized: its value is known, too.

use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id, Operand, fold_scalars};
use laneproof_semantics::Scalar;

use super::View;

impl View<'_> {
    /// The value of such an operation on integers or Booleans whose operands are defined already; none
    /// where a constant in it may be specialized, or where it is another operation.
    pub(super) fn folded(&self, definition: &Decoded) -> Option<u64> {
        let Some(Operand::LiteralSpecConstantOpInteger(opcode)) = definition.operands.first()
        else {
            return None;
        };
        let operands = definition.operands.get(1..)?.iter();
        let values: Vec<(u64, Scalar)> =
            operands.map(|operand| self.known(operand.id_ref_any()?)).collect::<Option<_>>()?;
        let (_, first) = values.first()?;
        let values: Vec<u64> = values.iter().map(|(bits, _)| *bits).collect();
        fold_scalars(*opcode, &values, first.width(), self.scalar(definition.ty?)?)
    }

    /// The bits of a constant that cannot be specialized, and its type.
    fn known(&self, id: Id) -> Option<(u64, Scalar)> {
        let bits = self.constant(id)?;
        let scalar = self.scalar(self.type_of(id)?)?;
        // Words hold narrow numbers with a sign extended.
        Some((bits & (u64::MAX >> (64 - scalar.width())), scalar))
    }

    /// An integer or Boolean type.
    fn scalar(&self, ty: Id) -> Option<Scalar> {
        let definition = self.definition(ty)?;
        match definition.opcode {
            Op::TypeBool => Some(Scalar::Bool),
            Op::TypeInt => {
                definition.literal(0).filter(|width| (1..=64).contains(width)).map(Scalar::uint)
            }
            _ => None,
        }
    }
}
