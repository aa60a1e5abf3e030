//! What a module exercises.

use std::collections::BTreeSet;
use std::fmt;

use laneproof_module::Named;
use rspirv::dr::Operand as Word;

use crate::foreign::Foreign;
use crate::tree::{Tree, TreeBlock, TreeInstruction, TreeOperand, TreeStatement};
use crate::type_name::type_name;

/// Around a group instruction: what makes the active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActiveSetShape {
    /// Nothing.
    Straight,
    /// An arm of a selection.
    Selection,
    /// A case of a switch.
    Switch,
    /// A loop's body.
    Loop,
    /// A function that is called.
    Call,
}

impl fmt::Display for ActiveSetShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Straight => "Straight",
            Self::Selection => "Selection",
            Self::Switch => "Switch",
            Self::Loop => "Loop",
            Self::Call => "Call",
        })
    }
}

/// A group instruction as it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Covered {
    /// The opcode's name, with `Op`.
    pub instruction: String,
    /// The group operation, if it has one.
    pub operation: Option<String>,
    /// The type that it works on.
    pub ty: String,
    /// Its surroundings.
    pub shape: ActiveSetShape,
}

impl fmt::Display for Covered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.instruction)?;
        if let Some(operation) = &self.operation {
            write!(f, " {operation}")?;
        }
        write!(f, " {} {}", self.ty, self.shape)
    }
}

/// The group instructions of a module.
pub fn coverage(tree: &Tree) -> BTreeSet<Covered> {
    let mut found = BTreeSet::new();
    for function in &tree.functions {
        collect(&function.body, ActiveSetShape::Call, None, &mut found);
    }
    collect(&tree.body, ActiveSetShape::Straight, tree.foreign.as_deref(), &mut found);
    found
}

fn collect(
    block: &TreeBlock,
    shape: ActiveSetShape,
    foreign: Option<&Foreign>,
    found: &mut BTreeSet<Covered>,
) {
    for statement in &block.statements {
        match statement {
            TreeStatement::Instruction(it) => found.extend(covered(it, shape)),
            TreeStatement::Foreign { function, .. } => {
                let function = foreign.and_then(|foreign| foreign.functions.get(*function));
                let covers = function.map_or(&[][..], |function| &function.covers);
                // What makes the active set is in the function.
                let branches = function.is_some_and(|function| function.branches);
                let shape = if branches { ActiveSetShape::Call } else { shape };
                found.extend(covers.iter().cloned().map(|(instruction, operation, ty)| Covered {
                    instruction,
                    operation,
                    ty,
                    shape,
                }));
            }
            TreeStatement::If(it) => {
                collect(&it.then, ActiveSetShape::Selection, foreign, found);
                collect(&it.otherwise, ActiveSetShape::Selection, foreign, found);
            }
            TreeStatement::Switch(it) => it
                .cases
                .iter()
                .for_each(|case| collect(&case.body, ActiveSetShape::Switch, foreign, found)),
            TreeStatement::Loop(it) => collect(&it.body, ActiveSetShape::Loop, foreign, found),
            _ => {}
        }
    }
}

fn covered(it: &TreeInstruction, shape: ActiveSetShape) -> Option<Covered> {
    // Ordinary instructions need no capability of their own.
    it.capabilities.first()?;
    let operation = it.operands.iter().find_map(|operand| match operand {
        TreeOperand::Operation(operation) => Some(Word::GroupOperation(*operation).to_string()),
        _ => None,
    });
    let ty = type_name(&it.result.ty);
    Some(Covered { instruction: it.op.name().to_owned(), operation, ty, shape })
}
