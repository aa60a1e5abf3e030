//! Copies of blocks whose values have numbers of their own.

use std::collections::BTreeMap;

use crate::tree::{End, TreeBlock, TreeOperand, TreePlace, TreeStatement, TreeValue};

/// A copy of a block in which everything that it defines is numbered from `first` on, and the
/// first number that is free then.
pub(crate) fn renumbered(block: &TreeBlock, first: u32) -> (TreeBlock, u32) {
    let mut copy = block.clone();
    let mut names = Names { given: BTreeMap::new(), next: first };
    names.define(&mut copy);
    names.rename(&mut copy);
    (copy, names.next)
}

struct Names {
    given: BTreeMap<TreeValue, TreeValue>,
    next: u32,
}

impl Names {
    fn name(&mut self, value: &mut TreeValue) {
        let new = TreeValue(self.next);
        self.next += 1;
        self.given.insert(*value, new);
        *value = new;
    }

    fn define(&mut self, block: &mut TreeBlock) {
        for statement in &mut block.statements {
            for value in definitions(statement) {
                self.name(value);
            }
            arms(statement).into_iter().for_each(|arm| self.define(arm));
        }
    }

    fn rename(&self, block: &mut TreeBlock) {
        let to = |operand: &mut TreeOperand| {
            if let TreeOperand::Value(value) = operand
                && let Some(new) = self.given.get(value)
            {
                *value = *new;
            }
        };
        operands(block, &mut |operand| to(operand));
    }
}

/// What a statement itself defines.
pub(crate) fn definitions(statement: &mut TreeStatement) -> Vec<&mut TreeValue> {
    match statement {
        TreeStatement::Instruction(it) => vec![&mut it.result.value],
        TreeStatement::Load { result, .. }
        | TreeStatement::Atomic { result, .. }
        | TreeStatement::Call { result, .. }
        | TreeStatement::Foreign { result, .. } => vec![&mut result.value],
        TreeStatement::If(it) => it.results.iter_mut().map(|result| &mut result.value).collect(),
        TreeStatement::Switch(it) => {
            it.results.iter_mut().map(|result| &mut result.value).collect()
        }
        TreeStatement::Loop(it) => {
            let carried = it.carried.iter_mut().map(|carried| &mut carried.definition.value);
            let results = it.results.iter_mut().map(|result| &mut result.value);
            std::iter::once(&mut it.counter).chain(carried).chain(results).collect()
        }
        _ => Vec::new(),
    }
}

/// The blocks in a statement.
pub(crate) fn arms(statement: &mut TreeStatement) -> Vec<&mut TreeBlock> {
    match statement {
        TreeStatement::If(it) => vec![&mut it.then, &mut it.otherwise],
        TreeStatement::Switch(it) => it.cases.iter_mut().map(|case| &mut case.body).collect(),
        TreeStatement::Loop(it) => vec![&mut it.body],
        _ => Vec::new(),
    }
}

/// Every operand in a block and the blocks in it.
pub(crate) fn operands(block: &mut TreeBlock, see: &mut dyn FnMut(&mut TreeOperand)) {
    for statement in &mut block.statements {
        match statement {
            TreeStatement::Instruction(it) => it.operands.iter_mut().for_each(&mut *see),
            TreeStatement::Load { from: TreePlace::Shared(index), .. } => see(index),
            TreeStatement::Load { .. } | TreeStatement::Barrier => {}
            TreeStatement::Store { to, value } => {
                if let TreePlace::Shared(index) = to {
                    see(index);
                }
                see(value);
            }
            TreeStatement::Output { value, .. } | TreeStatement::Atomic { value, .. } => see(value),
            TreeStatement::Call { arguments, .. } | TreeStatement::Foreign { arguments, .. } => {
                arguments.iter_mut().for_each(&mut *see);
            }
            TreeStatement::If(it) => see(&mut it.condition),
            TreeStatement::Switch(it) => {
                see(&mut it.selector);
                it.unmatched.iter_mut().for_each(&mut *see);
            }
            TreeStatement::Loop(it) => {
                see(&mut it.limit);
                it.carried.iter_mut().for_each(|carried| see(&mut carried.initial));
            }
        }
        arms(statement).into_iter().for_each(|arm| operands(arm, see));
    }
    match &mut block.end {
        End::Yield(values) | End::Break(values) | End::Continue(values) => {
            values.iter_mut().for_each(&mut *see);
        }
        End::Return(Some(value)) => see(value),
        End::Return(None) | End::FallThrough | End::Unreachable => {}
    }
}
