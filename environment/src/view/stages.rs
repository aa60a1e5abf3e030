//! The stages of what stands outside of functions.

use std::collections::{BTreeSet, HashSet};

use laneproof_module::spirv::Op;
use laneproof_module::{Decoded, Id, Operand};

use super::View;

impl View<'_> {
    /// The execution models of the entry points that come to a function; `None` if none does.
    pub fn models(&self, function: Id) -> Option<&BTreeSet<String>> {
        self.stages.models.get(&function)
    }

    /// The execution models of an execution mode, of a variable, or of the built-in variables that an
    /// instruction decorates.
    pub fn models_of(&self, index: Option<usize>) -> Option<BTreeSet<String>> {
        let index = index?;
        let at = self.instructions().get(index)?;
        let is_built_in = |it: &Operand| matches!(it, Operand::BuiltIn(_));
        match at.opcode {
            Op::ExecutionMode | Op::ExecutionModeId => {
                Some(self.models_of_entries(|entry| entry.id(1) == at.id(0)))
            }
            Op::Variable if self.functions.get(index).is_some_and(Option::is_none) => {
                Some(self.models_of_variable(at.result?))
            }
            Op::Decorate | Op::MemberDecorate if at.operands.iter().any(is_built_in) => {
                let variables = self.decorated_variables(at.id(0)?);
                Some(variables.into_iter().flat_map(|it| self.models_of_variable(it)).collect())
            }
            _ => None,
        }
    }

    /// A variable belongs to the stages whose interfaces name it, or whose functions use it.
    fn models_of_variable(&self, variable: Id) -> BTreeSet<String> {
        let mut models = self.models_of_entries(|entry| {
            entry.operands.iter().skip(2).any(|it| it.id_ref_any() == Some(variable))
        });
        let users = self.stages.users.get(&variable).into_iter().flatten();
        models.extend(
            users.filter_map(|function| self.stages.models.get(function)).flatten().cloned(),
        );
        models
    }

    fn models_of_entries(&self, is_meant: impl Fn(&Decoded) -> bool) -> BTreeSet<String> {
        let entries =
            self.stages.entries.iter().filter_map(|&index| self.instructions().get(index));
        let models = entries.filter(|entry| is_meant(entry)).filter_map(|it| it.operands.first());
        models.map(ToString::to_string).collect()
    }

    /// The variables that a decoration of this target speaks of: it, those of a structure, or those
    /// to which a group is given.
    fn decorated_variables(&self, target: Id) -> Vec<Id> {
        let given = self.decorations.groups.get(&target).into_iter().flatten();
        let given = given.filter_map(|&at| self.instructions().get(at));
        let ids = given.flat_map(|it| it.operands.iter().skip(1).filter_map(Operand::id_ref_any));
        let mut targets: BTreeSet<Id> = ids.collect();
        targets.insert(target);
        let is_meant = |variable: &Id| {
            let leads = || self.pointee(self.type_of(*variable)?);
            targets.contains(variable)
                || leads().is_some_and(|ty| targets.contains(&self.element_of(ty)))
        };
        self.stages.users.keys().copied().filter(is_meant).collect()
    }

    /// What arrays of this type hold in the end, or the type itself.
    fn element_of(&self, ty: Id) -> Id {
        let (mut element, mut seen) = (ty, HashSet::new());
        while let Some(definition) = self.definition(element).filter(|_| seen.insert(element)) {
            match (definition.opcode, definition.id(0)) {
                (Op::TypeArray | Op::TypeRuntimeArray, Some(inner)) => element = inner,
                _ => break,
            }
        }
        element
    }
}
