//! Selections, switches and loops.

use arbitrary::Result;
use laneproof_semantics::Type;
use rspirv::spirv::Op;

use crate::grow::{Grower, Here};
use crate::tree::{
    Case, End, If, LoopKind, Switch, TreeBlock, TreeCarried, TreeConstant, TreeDefinition,
    TreeLoop, TreeOperand, TreeStatement, ends_dead,
};

impl Grower<'_, '_, '_> {
    /// A construct, with what it needs before it.
    pub(crate) fn control(&mut self) -> Result<Vec<TreeStatement>> {
        match self.u.int_in_range(0..=9)? {
            0..=4 => self.selection(),
            5..=6 => self.switch(),
            7 => self.waterfall(),
            _ => self.counted(),
        }
    }

    fn inside(&self) -> Here {
        Here { depth: self.here.depth + 1, ..self.here.clone() }
    }

    /// Types of what comes out of a construct.
    fn result_types(&mut self) -> Result<Vec<Type>> {
        let count = *self.u.choose(&[0, 1, 1, 2])?;
        (0..count).map(|_| self.any_type()).collect()
    }

    fn selection(&mut self) -> Result<Vec<TreeStatement>> {
        let mut before = Vec::new();
        let condition = self.condition(&mut before)?;
        let across = self.across(&mut before)?;
        let types = self.result_types()?;
        let mut then = self.arm(&types, None)?;
        let otherwise = if types.is_empty() && self.u.arbitrary()? {
            TreeBlock { statements: Vec::new(), end: End::Yield(Vec::new()) }
        } else {
            // Twins invite optimizers to make one of two.
            let twin = self.u.ratio(1, 5)? && then.yields();
            if twin { self.twin(&then) } else { self.arm(&types, None)? }
        };
        for across in across {
            self.across_into(&across, &mut then, &mut before)?;
        }
        self.after(&[&then, &otherwise]);
        let results = types.iter().map(|ty| self.define(ty, false, false)).collect();
        before.push(TreeStatement::If(If { condition, then, otherwise, results }));
        Ok(before)
    }

    /// Lanes may be gone after arms that leave.
    fn after(&mut self, arms: &[&TreeBlock]) {
        let leaves = |block: &&&TreeBlock| {
            let mut leaves = !block.yields() && block.end != End::FallThrough;
            block.each(&mut |statement| {
                let arms: Vec<&TreeBlock> = match statement {
                    TreeStatement::If(it) => vec![&it.then, &it.otherwise],
                    TreeStatement::Switch(it) => it.cases.iter().map(|case| &case.body).collect(),
                    _ => Vec::new(),
                };
                leaves |= arms.iter().any(|arm| !arm.yields() && arm.end != End::FallThrough);
            });
            leaves
        };
        if arms.iter().any(|arm| leaves(&arm)) {
            self.here.converged = false;
        }
    }

    /// The same statements with values of their own.
    fn twin(&mut self, block: &TreeBlock) -> TreeBlock {
        let first = self.tree.next;
        let (copy, next) = crate::tree::copy::renumbered(block, first);
        self.tree.next = next;
        copy
    }

    /// A block that yields values of these types, or leaves.
    fn arm(&mut self, types: &[Type], falls: Option<bool>) -> Result<TreeBlock> {
        let mut here = self.inside();
        here.converged = false;
        self.nested(here, |it| {
            let statements = it.statements()?;
            if ends_dead(&statements) {
                return Ok(TreeBlock { statements, end: End::Unreachable });
            }
            let end = match it.u.int_in_range(0..=11)? {
                0 if it.here.in_loop.is_some() => {
                    let types = it.here.in_loop.clone().unwrap_or_default();
                    let values = it.values(&types)?;
                    if it.u.arbitrary()? { End::Break(values) } else { End::Continue(values) }
                }
                1 if it.here.depth < 3 => match it.here.returns.clone() {
                    Some(ty) => End::Return(Some(it.operand(&ty)?)),
                    None => End::Return(None),
                },
                2..=4 if falls == Some(true) => End::FallThrough,
                _ => End::Yield(it.values(types)?),
            };
            Ok(TreeBlock { statements, end })
        })
    }

    fn values(&mut self, types: &[Type]) -> Result<Vec<TreeOperand>> {
        types.iter().map(|ty| self.operand(ty)).collect()
    }

    fn switch(&mut self) -> Result<Vec<TreeStatement>> {
        let mut before = Vec::new();
        let value = self.defined(&Type::U32)?;
        let most = *self.u.choose(&[3u32, 3, 7])?;
        let mask = TreeOperand::Constant(TreeConstant::word(most));
        let masked = self.compute(Op::BitwiseAnd, &Type::U32, vec![value, mask]);
        let selector = match &masked {
            TreeStatement::Instruction(it) => TreeOperand::Value(it.result.value),
            _ => TreeOperand::Constant(TreeConstant::word(0)),
        };
        before.push(masked);
        let types = self.result_types()?;
        let mut literals: Vec<u32> = (0..=most).collect();
        let count = self.u.int_in_range(2..=4usize)?;
        let default = self.u.int_in_range(0..=count)?;
        let mut cases = Vec::new();
        let mut fallen_into = false;
        for number in 0..count {
            let mut own = Vec::new();
            for _ in 0..self.u.int_in_range(1..=2)? {
                if !literals.is_empty() {
                    own.push(literals.remove(self.u.choose_index(literals.len())?));
                }
            }
            let is_default = default == number;
            let outer = self.here.loose;
            self.here.loose = outer || own.len() > 1 || is_default || fallen_into;
            let body = self.arm(&types, Some(number + 1 < count))?;
            self.here.loose = outer;
            fallen_into = body.end == End::FallThrough;
            cases.push(Case { literals: own, default: is_default, body });
        }
        let unmatched = if default == count { self.values(&types)? } else { Vec::new() };
        let bodies: Vec<&TreeBlock> = cases.iter().map(|case| &case.body).collect();
        self.after(&bodies);
        let results = types.iter().map(|ty| self.define(ty, false, false)).collect();
        before.push(TreeStatement::Switch(Switch { selector, cases, unmatched, results }));
        Ok(before)
    }

    /// A loop with a counter and a limit, the same in all lanes or not.
    fn counted(&mut self) -> Result<Vec<TreeStatement>> {
        let mut before = Vec::new();
        let kind = *self.u.choose(&[LoopKind::While, LoopKind::DoWhile])?;
        let constant = self.u.ratio(1, 2)?;
        let limit = if constant {
            TreeOperand::Constant(TreeConstant::word(self.u.int_in_range(1..=4)?))
        } else {
            let value = self.defined(&Type::U32)?;
            let mask = TreeOperand::Constant(TreeConstant::word(3));
            let masked = self.compute(Op::BitwiseAnd, &Type::U32, vec![value, mask]);
            let operand = match &masked {
                TreeStatement::Instruction(it) => TreeOperand::Value(it.result.value),
                _ => TreeOperand::Constant(TreeConstant::word(1)),
            };
            before.push(masked);
            operand
        };
        let types = self.result_types()?;
        let initial = self.values(&types)?;
        let mut here = self.inside();
        here.in_loop = Some(types.clone());
        here.converged = false;
        let (counter, carried, body) = self.nested(here, |it| {
            let counter = it.define(&Type::U32, constant, true).value;
            let carried = it.carried(&types, initial);
            let statements = it.statements()?;
            let dead = ends_dead(&statements);
            let end = if dead { End::Unreachable } else { End::Yield(it.values(&types)?) };
            Ok((counter, carried, TreeBlock { statements, end }))
        })?;
        self.after_loop(&body);
        let results = types.iter().map(|ty| self.define(ty, false, false)).collect();
        before.push(TreeStatement::Loop(TreeLoop { kind, limit, counter, carried, body, results }));
        Ok(before)
    }

    /// A return inside a loop: not all lanes come out of it.
    fn after_loop(&mut self, body: &TreeBlock) {
        let mut returns = false;
        let mut ends = |block: &TreeBlock| returns |= matches!(block.end, End::Return(_));
        ends(body);
        body.each(&mut |statement| match statement {
            TreeStatement::If(it) => {
                ends(&it.then);
                ends(&it.otherwise);
            }
            TreeStatement::Switch(it) => it.cases.iter().for_each(|case| ends(&case.body)),
            _ => {}
        });
        if returns {
            self.here.converged = false;
        }
    }

    fn carried(&mut self, types: &[Type], initial: Vec<TreeOperand>) -> Vec<TreeCarried> {
        let each = types.iter().zip(initial);
        each.map(|(ty, initial)| TreeCarried { definition: self.define(ty, false, false), initial })
            .collect()
    }

    /// Takes the first lane's value, serves the lanes that have it, and goes on with the rest.
    fn waterfall(&mut self) -> Result<Vec<TreeStatement>> {
        let value = self.defined(&Type::U32)?;
        let first = self.request.allows(rspirv::spirv::Capability::GroupNonUniformBallot)
            && !self.request.allowed.without.contains("GroupNonUniformBroadcastFirst");
        if self.here.loose || !first || self.here.depth > 2 {
            return self.selection();
        }
        let result = self.any_type()?;
        let initial = vec![self.operand(&result)?];
        let mut here = self.inside();
        here.in_loop = Some(vec![result.clone()]);
        here.converged = false;
        let types = [result];
        let (counter, carried, body) = self.nested(here, |it| {
            let counter = it.define(&Type::U32, false, true).value;
            let carried = it.carried(&types, initial);
            let chosen = it.broadcast_first(value.clone());
            let same =
                it.compute(Op::IEqual, &Type::BOOL, vec![value, TreeOperand::Value(chosen.0)]);
            let condition = match &same {
                TreeStatement::Instruction(same) => TreeOperand::Value(same.result.value),
                _ => TreeOperand::Constant(TreeConstant::splat(Type::BOOL, 1)),
            };
            let here = it.inside();
            let then = it.nested(here, |it| {
                // An early exit could keep a lane from ever being served, so there is none.
                it.here.in_loop = None;
                let statements = it.group_statement()?;
                Ok(TreeBlock { statements, end: End::Break(it.values(&types)?) })
            })?;
            let otherwise = TreeBlock { statements: Vec::new(), end: End::Yield(Vec::new()) };
            let serve = If { condition, then, otherwise, results: Vec::new() };
            let statements = vec![chosen.1, same, TreeStatement::If(serve)];
            let end = End::Yield(it.values(&types)?);
            Ok((counter, carried, TreeBlock { statements, end }))
        })?;
        let results = types.iter().map(|ty| self.define(ty, false, false)).collect();
        let limit = TreeOperand::Constant(TreeConstant::word(0));
        let kind = LoopKind::Endless;
        Ok(vec![TreeStatement::Loop(TreeLoop { kind, limit, counter, carried, body, results })])
    }

    fn broadcast_first(&mut self, value: TreeOperand) -> (crate::tree::TreeValue, TreeStatement) {
        let TreeDefinition { value: chosen, ty } = self.define(&Type::U32, true, true);
        let scope =
            TreeOperand::Constant(TreeConstant::word(rspirv::spirv::Scope::Subgroup as u32));
        let statement = TreeStatement::Instruction(crate::tree::TreeInstruction {
            result: TreeDefinition { value: chosen, ty },
            op: Op::GroupNonUniformBroadcastFirst,
            operands: vec![scope, value],
            capabilities: vec![rspirv::spirv::Capability::GroupNonUniformBallot],
            extension: None,
        });
        (chosen, statement)
    }
}
