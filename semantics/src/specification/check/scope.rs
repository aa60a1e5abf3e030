//! The scope of names in a clause.

use std::sync::Arc;

use super::ty::{Instance, Ty};
use crate::language::ast::{Name, Operand, SpecFunction, SpecInstruction};

/// Names of the state of one lane, all `u32`.
pub(super) const STATE: [&str; 11] = [
    "id",
    "group_place",
    "GroupSize",
    "SubgroupSize",
    "SubgroupMaxSize",
    "ExistingLanes",
    "SubgroupId",
    "NumSubgroups",
    "LocalInvocationId",
    "LocalInvocationIndex",
    "WorkDim",
];

/// What is visible at a place of a specification.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Bound lanes and parameters, the innermost last.
    pub(super) locals: Vec<(Name, Ty)>,
    /// Which of the locals are parameters: values that were computed in this lane.
    pub(super) parameters: Vec<Name>,
    /// Definitions of earlier clauses, and of the table row before them.
    pub(super) definitions: Vec<Arc<SpecFunction>>,
    pub(super) operands: Vec<(Operand, Ty)>,
    /// The type of the result; `None` without a result.
    pub(super) result: Option<Ty>,
    /// Inside `results such that`, where `result` is a name.
    pub(super) relational: bool,
    pub(super) componentwise: bool,
    /// The types of the variables, for messages.
    pub(super) instance: Option<String>,
}

impl Scope {
    /// What the clauses of an instruction see.
    ///
    /// Where types could be chosen otherwise, `described` makes messages say which they are.
    pub(super) fn of_instruction(
        instruction: &SpecInstruction,
        instance: &Instance,
        described: bool,
    ) -> Self {
        let operands = instruction.operands.iter();
        let result = instruction.result.as_ref();
        Self {
            definitions: instruction.row.clone(),
            operands: operands
                .map(|operand| {
                    let ty = instance.ty(&operand.name, &operand.ty, operand.each);
                    (operand.clone(), ty)
                })
                .collect(),
            result: result
                .map(|ty| instance.ty(&"the result".into(), ty, instruction.componentwise)),
            componentwise: instruction.componentwise,
            instance: described.then(|| instance.describe()),
            ..Self::default()
        }
    }

    /// With one more bound name.
    pub(super) fn with(&self, name: &Name, ty: Ty) -> Self {
        let mut inner = self.clone();
        inner.parameters.retain(|parameter| parameter != name);
        inner.locals.push((name.clone(), ty));
        inner
    }

    pub(super) fn local(&self, name: &str) -> Option<&Ty> {
        self.locals.iter().rev().find(|(local, _)| &**local == name).map(|(_, ty)| ty)
    }

    /// The latest definition of a name, with how many come before it.
    pub(super) fn definition(&self, name: &str) -> Option<(usize, &Arc<SpecFunction>)> {
        self.definitions.iter().enumerate().rev().find(|(_, known)| &*known.name == name)
    }

    pub(super) fn operand(&self, name: &str) -> Option<&(Operand, Ty)> {
        self.operands.iter().find(|(operand, _)| &*operand.name == name)
    }

    /// What the body of a function of the file sees: no operands, it means the same everywhere.
    pub(super) fn of_function(parameters: Vec<(Name, Ty)>) -> Self {
        let names = parameters.iter().map(|(name, _)| name.clone()).collect();
        Self { locals: parameters, parameters: names, ..Self::default() }
    }

    /// What the body of definition `index` sees: definitions before it, and its parameters.
    pub(super) fn of_definition(&self, index: usize, parameters: Vec<(Name, Ty)>) -> Self {
        let mut inner = self.clone();
        inner.definitions.truncate(index);
        inner.parameters = parameters.iter().map(|(name, _)| name.clone()).collect();
        inner.locals = parameters;
        inner
    }

    /// Names that a misspelt one may have meant.
    pub(super) fn names(&self) -> Vec<&str> {
        let locals = self.locals.iter().map(|(name, _)| &**name);
        let definitions = self.definitions.iter().map(|definition| &*definition.name);
        let operands = self.operands.iter().map(|(operand, _)| &*operand.name);
        locals.chain(definitions).chain(operands).chain(STATE).collect()
    }
}
