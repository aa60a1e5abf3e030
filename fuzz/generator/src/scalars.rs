//! A module with scalars in the place of vectors.

use std::collections::BTreeSet;

use laneproof_semantics::Type;

use crate::Generated;
use crate::tree::copy::operands;
use crate::tree::{Tree, TreeConstant, TreeDefinition, TreeOperand, TreeStatement, words_of};
use crate::type_name::type_name;

/// The module with components in the place of vectors, of one vector type each. Not each is valid: a
/// ballot is a vector, whatever is around it.
pub fn with_scalars(generated: &Generated) -> Vec<Generated> {
    let (mut tree, mut found) = (generated.tree.clone(), BTreeSet::new());
    types(&mut tree, &mut |ty| {
        if matches!(ty, Type::Vector { .. }) {
            found.insert(type_name(ty));
        }
    });
    found.iter().filter_map(|name| instead(generated, name)).collect()
}

/// The module with components in the place of vectors of the type that is called so.
fn instead(generated: &Generated, name: &str) -> Option<Generated> {
    let (mut tree, mut inputs) = (generated.tree.clone(), generated.inputs.clone());
    let (mut kept, mut first) = (Vec::new(), 0);
    for input in &tree.inputs {
        let words = words_of(&input.ty) as usize;
        let part = if type_name(&input.ty) == name { words / input.ty.leaf_count() } else { words };
        kept.extend(first..first + part);
        first += words;
    }
    let each = tree.input_words() as usize;
    crate::tidy::rearranged(&mut inputs.buffers[0], each, &kept);
    types(&mut tree, &mut |ty| {
        if type_name(ty) == name
            && let Some(element) = ty.element()
        {
            *ty = Type::Scalar(element);
        }
    });
    // What a constant has no place for any more goes.
    let shorten = &mut |operand: &mut TreeOperand| {
        if let TreeOperand::Constant(TreeConstant { ty, bits }) = operand {
            bits.truncate(ty.leaf_count());
        }
    };
    tree.functions.iter_mut().for_each(|it| operands(&mut it.body, shorten));
    operands(&mut tree.body, shorten);
    Some(Generated::new(tree, inputs))
}

/// Calls `see` with every type of the module, which it may change.
fn types(tree: &mut Tree, see: &mut dyn FnMut(&mut Type)) {
    tree.inputs.iter_mut().for_each(|it| see(&mut it.ty));
    tree.variables.iter_mut().for_each(&mut *see);
    for function in &mut tree.functions {
        function.parameters.iter_mut().for_each(|it| see(&mut it.ty));
        see(&mut function.result);
    }
    let constant = &mut |operand: &mut TreeOperand| {
        if let TreeOperand::Constant(constant) = operand {
            see(&mut constant.ty);
        }
    };
    tree.functions.iter_mut().for_each(|it| operands(&mut it.body, constant));
    operands(&mut tree.body, constant);
    tree.each_mut(&mut |statement| {
        let mut all = |definitions: &mut Vec<TreeDefinition>| {
            definitions.iter_mut().for_each(|it| see(&mut it.ty));
        };
        match statement {
            TreeStatement::If(it) => all(&mut it.results),
            TreeStatement::Switch(it) => all(&mut it.results),
            TreeStatement::Loop(it) => {
                all(&mut it.results);
                it.carried.iter_mut().for_each(|it| see(&mut it.definition.ty));
            }
            TreeStatement::Instruction(it) => see(&mut it.result.ty),
            TreeStatement::Load { result, .. }
            | TreeStatement::Atomic { result, .. }
            | TreeStatement::Call { result, .. }
            | TreeStatement::Foreign { result, .. } => see(&mut result.ty),
            TreeStatement::Output { ty, .. } => see(ty),
            TreeStatement::Store { .. } | TreeStatement::Barrier => {}
        }
    });
}
