//! Group instructions beside a selection in the forms that optimizers move: computed before it and
//! used in one arm only, which invites sinking; computed before it and again in an arm, which invites
//! taking one for the other. Neither may be done, as other lanes are there.

use arbitrary::Result;
use laneproof_semantics::Type;

use crate::group::Row;
use crate::grow::Grower;
use crate::tree::{TreeBlock, TreeInstruction, TreeOperand, TreeStatement};

/// A group instruction before a selection.
pub(crate) struct Across {
    instruction: TreeInstruction,
    /// All lanes have to come to it.
    uniform: bool,
}

impl Grower<'_, '_, '_> {
    /// Up to three group instructions before the selection that follows.
    pub(crate) fn across(&mut self, before: &mut Vec<TreeStatement>) -> Result<Vec<Across>> {
        let loose = self.here.loose && !self.request.allowed.loose_switches;
        let rows = self.rows();
        if rows.is_empty() || loose || !self.here.entry {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for _ in 0..self.u.int_in_range(0..=3)? {
            let row = *self.u.choose(&rows)?;
            found.extend(self.across_of(row, before)?);
        }
        Ok(found)
    }

    /// One of a row, before the selection that follows.
    pub(crate) fn across_of(
        &mut self,
        row: &Row,
        before: &mut Vec<TreeStatement>,
    ) -> Result<Option<Across>> {
        before.extend(self.of_row(row)?);
        let Some(TreeStatement::Instruction(instruction)) = before.last() else { return Ok(None) };
        let (instruction, uniform) = (instruction.clone(), row.uniform);
        // Nothing else may use it.
        self.scope.retain(|known| known.value != instruction.result.value);
        Ok(Some(Across { instruction, uniform }))
    }

    /// Uses it in an arm of the selection, beside the same instruction there or alone.
    pub(crate) fn across_into(
        &mut self,
        across: &Across,
        arm: &mut TreeBlock,
        before: &mut Vec<TreeStatement>,
    ) -> Result<()> {
        let first = &across.instruction.result;
        let again = !across.uniform && self.u.arbitrary()?;
        if !again {
            let used = self.leave(TreeOperand::Value(first.value), first.ty.clone());
            arm.statements.insert(0, used);
            return Ok(());
        }
        before.push(self.leave(TreeOperand::Value(first.value), first.ty.clone()));
        let second =
            TreeInstruction { result: self.fresh(&first.ty), ..across.instruction.clone() };
        let ty: Type = second.result.ty.clone();
        let used = self.leave(TreeOperand::Value(second.result.value), ty);
        arm.statements.splice(0..0, [TreeStatement::Instruction(second), used]);
        Ok(())
    }
}
