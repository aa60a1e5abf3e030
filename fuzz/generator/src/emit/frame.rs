//! Blocks of the function that is being written.

use rspirv::dr::{self, Operand as Word};
use rspirv::spirv::Op;

use super::{Emitter, instruction};

impl Emitter<'_> {
    /// A new block, which is the current one from now on.
    pub(super) fn start_block(&mut self) -> u32 {
        let label = self.declarations.id();
        self.start_labelled(label);
        label
    }

    /// Likewise, with a label that was used already.
    pub(super) fn start_labelled(&mut self, label: u32) {
        self.current = dr::Block {
            label: Some(instruction(Op::Label, None, Some(label), vec![])),
            instructions: Vec::new(),
        };
    }

    /// The label of the current block.
    pub(super) fn label(&self) -> u32 {
        self.current.label.as_ref().and_then(|label| label.result_id).unwrap_or_default()
    }

    /// An instruction with a result.
    pub(super) fn emit(&mut self, op: Op, ty: u32, operands: Vec<Word>) -> u32 {
        let id = self.declarations.id();
        self.push(op, Some(ty), Some(id), operands);
        id
    }

    /// An instruction.
    pub(super) fn push(&mut self, op: Op, ty: Option<u32>, id: Option<u32>, operands: Vec<Word>) {
        self.current.instructions.push(instruction(op, ty, id, operands));
    }

    /// Ends the current block.
    pub(super) fn terminate(&mut self, op: Op, operands: Vec<Word>) {
        self.push(op, None, None, operands);
        let block = std::mem::take(&mut self.current);
        self.blocks.push(block);
    }

    /// Ends the current block by going to another one.
    pub(super) fn branch(&mut self, to: u32) {
        self.terminate(Op::Branch, vec![Word::IdRef(to)]);
    }

    /// A phi at the beginning of the current block, whose id is given.
    pub(super) fn phi(&mut self, id: u32, ty: u32, edges: &[(u32, u32)]) {
        let operands =
            edges.iter().flat_map(|(value, from)| [Word::IdRef(*value), Word::IdRef(*from)]);
        self.push(Op::Phi, Some(ty), Some(id), operands.collect());
    }
}
