//! Constants, folded to their leaves.

use laneproof_semantics::Type as Data;
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op};

use super::fold::{fold, width_mask};
use super::{Builder, Failure};
use crate::decode::Decoded;
use crate::limits::MAX_CONSTANT_LEAVES;
use crate::program::{Constant, Derivation, Id};

impl Builder {
    /// Adds the constant that an instruction defines; one that has no leaves (a sampler, a null
    /// pointer) or does not fold is noted as not modelled.
    pub(super) fn add_constant(&mut self, instruction: &Decoded) -> Result<(), Failure> {
        let (Some(id), Some(ty)) = (instruction.result, instruction.ty) else { return Ok(()) };
        let whole = self.ty(ty, instruction.place)?;
        let data = self.data.entry(ty).or_insert_with(|| {
            let data = whole.data()?;
            let count = data.leaf_count();
            Some((data, count))
        });
        let Some((ty, count)) = data.clone() else {
            self.unmodelled(instruction, "a constant whose type is not plain data");
            return Ok(());
        };
        if !self.claim(count) {
            let reason = format!("constants of more than {MAX_CONSTANT_LEAVES} scalars");
            return Err(Failure::TooLarge(instruction.place, reason));
        }
        let spec_id = self.annotations.literal(id, Decoration::SpecId);
        let given = spec_id.and_then(|spec_id| self.specialization.get(&spec_id));
        let leaves = match (given, ty.element()) {
            (Some(given), Some(scalar)) if count == 1 => {
                Some(vec![Some(given & width_mask(scalar.width()))])
            }
            _ => self.leaves(instruction, &ty, count),
        };
        match leaves {
            Some(leaves) if leaves.len() == count => {
                let derived = self.derivation(instruction);
                self.program.constants.insert(id, Constant { ty, leaves, spec_id, derived });
            }
            _ => self.unmodelled(instruction, "a constant that is not folded"),
        }
        Ok(())
    }

    /// How a constant comes from others, if one of them may be specialized.
    fn derivation(&self, instruction: &Decoded) -> Option<Derivation> {
        let derivation = match (instruction.opcode, instruction.operands.first()) {
            (Op::ConstantComposite | Op::SpecConstantComposite, _) => {
                Derivation::Composite(instruction.ids(0).collect())
            }
            (Op::SpecConstantOp, Some(Operand::LiteralSpecConstantOpInteger(opcode))) => {
                Derivation::Operation(*opcode, instruction.operands[1..].to_vec())
            }
            _ => return None,
        };
        let open = |id: &Id| self.program.constants.get(id).is_some_and(|it| !it.is_fixed());
        instruction.ids(0).any(|id| open(&id)).then_some(derivation)
    }

    /// Takes leaves from the module's budget.
    fn claim(&mut self, leaves: usize) -> bool {
        self.constant_leaves += leaves as u64;
        self.constant_leaves <= MAX_CONSTANT_LEAVES
    }

    fn leaves(&self, instruction: &Decoded, ty: &Data, count: usize) -> Option<Vec<Option<u64>>> {
        match instruction.opcode {
            Op::ConstantTrue | Op::SpecConstantTrue => Some(vec![Some(1)]),
            Op::ConstantFalse | Op::SpecConstantFalse => Some(vec![Some(0)]),
            Op::ConstantNull => Some(vec![Some(0); count]),
            Op::Undef => Some(vec![None; count]),
            Op::Constant | Op::SpecConstant => {
                let bits = match instruction.operands.first()? {
                    Operand::LiteralBit32(bits) => u64::from(*bits),
                    Operand::LiteralBit64(bits) => *bits,
                    _ => return None,
                };
                Some(vec![Some(bits & width_mask(ty.element()?.width()))])
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let mut leaves = Vec::new();
                for part in instruction.ids(0) {
                    leaves.extend_from_slice(&self.program.constants.get(&part)?.leaves);
                    if leaves.len() > count {
                        return None;
                    }
                }
                Some(leaves)
            }
            Op::SpecConstantOp => {
                let Some(Operand::LiteralSpecConstantOpInteger(opcode)) =
                    instruction.operands.first()
                else {
                    return None;
                };
                fold(*opcode, &instruction.operands[1..], ty, &self.program.constants)
            }
            _ => None,
        }
    }
}
