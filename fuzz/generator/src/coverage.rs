//! What a module exercises.

use std::collections::BTreeSet;
use std::fmt;

use crate::foreign::Foreign;
use crate::tree::{Block, Instruction, Operand, Statement, Tree};
use crate::type_name::type_name;

/// Around a group instruction: what makes the active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
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

/// A group instruction as it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Covered {
    /// The opcode's name, with `Op`.
    pub instruction: String,
    /// The group operation, if it has one.
    pub operation: Option<String>,
    /// The type that it works on.
    pub ty: String,
    /// Where it stands.
    pub shape: Shape,
}

impl fmt::Display for Covered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.instruction)?;
        if let Some(operation) = &self.operation {
            write!(f, " {operation}")?;
        }
        write!(f, " {} {:?}", self.ty, self.shape)
    }
}

/// The group instructions of a module.
pub fn coverage(tree: &Tree) -> BTreeSet<Covered> {
    let mut found = BTreeSet::new();
    for function in &tree.functions {
        collect(&function.body, Shape::Call, None, &mut found);
    }
    collect(&tree.body, Shape::Straight, tree.foreign.as_deref(), &mut found);
    found
}

fn collect(block: &Block, shape: Shape, foreign: Option<&Foreign>, found: &mut BTreeSet<Covered>) {
    for statement in &block.statements {
        match statement {
            Statement::Instruction(it) => found.extend(covered(it, shape)),
            Statement::Foreign { function, .. } => {
                let function = foreign.and_then(|foreign| foreign.functions.get(*function));
                let covers = function.map_or(&[][..], |function| &function.covers);
                // What makes the active set is in the function.
                let branches = function.is_some_and(|function| function.branches);
                let shape = if branches { Shape::Call } else { shape };
                found.extend(covers.iter().cloned().map(|(instruction, operation, ty)| Covered {
                    instruction,
                    operation,
                    ty,
                    shape,
                }));
            }
            Statement::If(it) => {
                collect(&it.then, Shape::Selection, foreign, found);
                collect(&it.otherwise, Shape::Selection, foreign, found);
            }
            Statement::Switch(it) => {
                it.cases.iter().for_each(|case| collect(&case.body, Shape::Switch, foreign, found))
            }
            Statement::Loop(it) => collect(&it.body, Shape::Loop, foreign, found),
            _ => {}
        }
    }
}

fn covered(it: &Instruction, shape: Shape) -> Option<Covered> {
    // Ordinary instructions need no capability of their own.
    it.capabilities.first()?;
    let entry = rspirv::grammar::INSTRUCTION_TABLE.iter().find(|entry| entry.opcode == it.op)?;
    let operation = it.operands.iter().find_map(|operand| match operand {
        Operand::Operation(operation) => Some(format!("{operation:?}")),
        _ => None,
    });
    let ty = type_name(&it.result.ty);
    Some(Covered { instruction: format!("Op{}", entry.opname), operation, ty, shape })
}
