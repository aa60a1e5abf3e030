//! Calls of another module's functions, all of them on the same arguments.

use std::sync::Arc;

use arbitrary::Result;
use laneproof_semantics::Type;

use crate::foreign::{Foreign, ForeignParameter};
use crate::grow::Grower;
use crate::tree::{End, If, TreeBlock, TreeConstant, TreeOperand, TreeStatement};

impl Grower<'_, '_, '_> {
    /// One of the modules that a request has and allows.
    pub(crate) fn foreign(&mut self) -> Result<Option<Arc<Foreign>>> {
        let request = self.request;
        let fitting: Vec<_> = request.foreign.iter().filter(|it| request.admits(it)).collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        Ok(Some(Arc::clone(self.u.choose(&fitting)?)))
    }

    /// The types of what a module's functions take, as inputs.
    pub(crate) fn foreign_inputs(&mut self, foreign: &Foreign) {
        let parameters = foreign.functions.iter().flat_map(|it| &it.parameters);
        let types: Vec<Type> = parameters.map(|it| it.ty.clone()).collect();
        for ty in types {
            if !self.tree.inputs.iter().skip(2).any(|input| input.ty == ty) {
                let definition = self.define(&ty, false, true);
                self.tree.inputs.push(definition);
            }
        }
    }

    /// Calls, in converged and in divergent code.
    pub(crate) fn lowered(&mut self, foreign: &Foreign) -> Result<Vec<TreeStatement>> {
        let mut statements = Vec::new();
        for _ in 0..self.u.int_in_range(2..=5)? {
            if foreign.converged || !self.u.ratio(1, 3)? {
                statements.extend(self.calls(foreign)?);
                continue;
            }
            let condition = self.condition(&mut statements)?;
            let mut here = self.here.clone();
            here.converged = false;
            here.depth += 1;
            let inner = self.nested(here, |it| it.calls(foreign))?;
            let nothing = || End::Yield(Vec::new());
            statements.push(TreeStatement::If(If {
                condition,
                then: TreeBlock { statements: inner, end: nothing() },
                otherwise: TreeBlock { statements: Vec::new(), end: nothing() },
                results: Vec::new(),
            }));
        }
        Ok(statements)
    }

    fn calls(&mut self, foreign: &Foreign) -> Result<Vec<TreeStatement>> {
        let mut statements = Vec::new();
        let mut chosen: Vec<(Vec<ForeignParameter>, Vec<TreeOperand>)> = Vec::new();
        for (index, function) in foreign.functions.iter().enumerate() {
            let known = chosen.iter().find(|(parameters, _)| *parameters == function.parameters);
            let arguments = match known {
                Some((_, arguments)) => arguments.clone(),
                None => {
                    let arguments = function.parameters.iter().map(|it| self.argument(it));
                    let arguments = arguments.collect::<Result<Vec<_>>>()?;
                    chosen.push((function.parameters.clone(), arguments.clone()));
                    arguments
                }
            };
            let result = self.define(&function.result, false, false);
            let (value, ty) = (TreeOperand::Value(result.value), function.result.clone());
            statements.push(TreeStatement::Foreign { result, function: index, arguments });
            statements.push(self.leave(value, ty));
        }
        Ok(statements)
    }

    fn argument(&mut self, parameter: &ForeignParameter) -> Result<TreeOperand> {
        if !parameter.uniform {
            return self.defined(&parameter.ty);
        }
        // Distances and lanes mostly have to be small.
        if parameter.ty == Type::U32 && self.u.ratio(2, 3)? {
            let number = self.u.int_in_range(0..=self.tree.target.subgroup_size)?;
            return Ok(TreeOperand::Constant(TreeConstant::word(number)));
        }
        Ok(TreeOperand::Constant(self.constant(&parameter.ty)?))
    }
}
