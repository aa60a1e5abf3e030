//! Copies of blocks whose values have numbers of their own.

use std::collections::BTreeMap;

use crate::tree::{Block, End, Operand, Place, Statement, Value};

/// A copy of a block in which everything that it defines is numbered from `first` on, and the
/// first number that is free then.
pub(crate) fn renumbered(block: &Block, first: u32) -> (Block, u32) {
    let mut copy = block.clone();
    let mut names = Names { given: BTreeMap::new(), next: first };
    names.define(&mut copy);
    names.rename(&mut copy);
    (copy, names.next)
}

struct Names {
    given: BTreeMap<Value, Value>,
    next: u32,
}

impl Names {
    fn name(&mut self, value: &mut Value) {
        let new = Value(self.next);
        self.next += 1;
        self.given.insert(*value, new);
        *value = new;
    }

    fn define(&mut self, block: &mut Block) {
        for statement in &mut block.statements {
            for value in definitions(statement) {
                self.name(value);
            }
            arms(statement).into_iter().for_each(|arm| self.define(arm));
        }
    }

    fn rename(&self, block: &mut Block) {
        let to = |operand: &mut Operand| {
            if let Operand::Value(value) = operand
                && let Some(new) = self.given.get(value)
            {
                *value = *new;
            }
        };
        operands(block, &mut |operand| to(operand));
    }
}

/// What a statement itself defines.
pub(crate) fn definitions(statement: &mut Statement) -> Vec<&mut Value> {
    match statement {
        Statement::Instruction(it) => vec![&mut it.result.value],
        Statement::Load { result, .. }
        | Statement::Atomic { result, .. }
        | Statement::Call { result, .. }
        | Statement::Foreign { result, .. } => vec![&mut result.value],
        Statement::If(it) => it.results.iter_mut().map(|result| &mut result.value).collect(),
        Statement::Switch(it) => it.results.iter_mut().map(|result| &mut result.value).collect(),
        Statement::Loop(it) => {
            let carried = it.carried.iter_mut().map(|carried| &mut carried.definition.value);
            let results = it.results.iter_mut().map(|result| &mut result.value);
            std::iter::once(&mut it.counter).chain(carried).chain(results).collect()
        }
        _ => Vec::new(),
    }
}

/// The blocks in a statement.
pub(crate) fn arms(statement: &mut Statement) -> Vec<&mut Block> {
    match statement {
        Statement::If(it) => vec![&mut it.then, &mut it.otherwise],
        Statement::Switch(it) => it.cases.iter_mut().map(|case| &mut case.body).collect(),
        Statement::Loop(it) => vec![&mut it.body],
        _ => Vec::new(),
    }
}

/// Every operand in a block and the blocks in it.
pub(crate) fn operands(block: &mut Block, see: &mut dyn FnMut(&mut Operand)) {
    for statement in &mut block.statements {
        match statement {
            Statement::Instruction(it) => it.operands.iter_mut().for_each(&mut *see),
            Statement::Load { from: Place::Shared(index), .. } => see(index),
            Statement::Load { .. } | Statement::Barrier => {}
            Statement::Store { to, value } => {
                if let Place::Shared(index) = to {
                    see(index);
                }
                see(value);
            }
            Statement::Output { value, .. } | Statement::Atomic { value, .. } => see(value),
            Statement::Call { arguments, .. } | Statement::Foreign { arguments, .. } => {
                arguments.iter_mut().for_each(&mut *see);
            }
            Statement::If(it) => see(&mut it.condition),
            Statement::Switch(it) => {
                see(&mut it.selector);
                it.unmatched.iter_mut().for_each(&mut *see);
            }
            Statement::Loop(it) => {
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
