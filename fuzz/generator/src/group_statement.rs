//! Statements that are group instructions.

use arbitrary::Result;
use laneproof_semantics::{Scalar, Type};
use rspirv::spirv::{Capability, GroupOperation, Op, Scope};

use crate::group::{Gives, OPERATIONS, Over, ROWS, Reach, Row, Takes};
use crate::grow::{Grower, shaped};
use crate::tree::{
    End, If, TreeBlock, TreeConstant, TreeDefinition, TreeInstruction, TreeOperand, TreeStatement,
};

impl Grower<'_, '_, '_> {
    /// One group instruction on several types, in converged and in divergent code.
    pub(crate) fn single(&mut self, row: &Row) -> Result<Vec<TreeStatement>> {
        let mut statements = Vec::new();
        for _ in 0..self.u.int_in_range(4..=12)? {
            if self.u.ratio(1, 3)? && !row.uniform {
                let condition = self.condition(&mut statements)?;
                let across = match self.u.ratio(1, 3)? {
                    true => self.across_of(row, &mut statements)?,
                    false => None,
                };
                let mut here = self.here.clone();
                here.converged = false;
                here.depth += 1;
                let then = self.nested(here, |it| {
                    let mut inner = it.of_row(row)?;
                    inner.extend(it.leave_last(&inner));
                    Ok(inner)
                })?;
                let mut then = TreeBlock { statements: then, end: End::Yield(Vec::new()) };
                if let Some(across) = across {
                    self.across_into(&across, &mut then, &mut statements)?;
                }
                let otherwise = TreeBlock { statements: Vec::new(), end: End::Yield(Vec::new()) };
                let results = Vec::new();
                statements.push(TreeStatement::If(If { condition, then, otherwise, results }));
            } else {
                let found = self.of_row(row)?;
                statements.extend(found);
                statements.extend(self.leave_last(&statements.clone()));
            }
        }
        Ok(statements)
    }

    /// Leaves what the last statement computed.
    fn leave_last(&mut self, statements: &[TreeStatement]) -> Option<TreeStatement> {
        match statements.last() {
            Some(TreeStatement::Instruction(TreeInstruction {
                result: TreeDefinition { value, ty },
                ..
            })) => Some(self.leave(TreeOperand::Value(*value), ty.clone())),
            _ => None,
        }
    }

    /// A group instruction with its operands; its result is mostly used.
    pub(crate) fn group_statement(&mut self) -> Result<Vec<TreeStatement>> {
        let rows = self.rows();
        if rows.is_empty() || self.here.loose && !self.request.allowed.loose_switches {
            return Ok(Vec::new());
        }
        let row = *self.u.choose(&rows)?;
        let mut statements = self.of_row(row)?;
        if self.here.entry && self.u.ratio(2, 3)? {
            statements.extend(self.leave_last(&statements.clone()));
        }
        Ok(statements)
    }

    /// The rows that can be used here.
    pub(crate) fn rows(&self) -> Vec<&'static Row> {
        let usable = |row: &&Row| {
            row.flavor.is_none_or(|flavor| flavor == self.request.flavor)
                && self.request.allows(row.capability)
                && !self.request.allowed.without.contains(row.op_name())
                && (!row.uniform || self.here.converged)
        };
        ROWS.iter().filter(usable).collect()
    }

    pub(crate) fn of_row(&mut self, row: &Row) -> Result<Vec<TreeStatement>> {
        let mut before = Vec::new();
        let ty = self.type_over(row.over)?;
        let mut capabilities = vec![row.capability];
        let (mut operands, mut last) = (Vec::new(), None);
        let full = self.here.converged
            && self.tree.target.workgroup.is_multiple_of(self.tree.target.subgroup_size);
        let mut defined = match row.reach {
            Reach::Active => true,
            Reach::Full => full,
            Reach::Beyond => false,
        };
        if row.scoped {
            operands.push(TreeOperand::Constant(TreeConstant::word(Scope::Subgroup as u32)));
        }
        for takes in row.takes {
            let operand = match takes {
                Takes::Value => self.operand(&ty)?,
                Takes::Predicate => self.operand(&Type::BOOL)?,
                Takes::Operation => {
                    let (operation, more) = self.operation(row, &ty, &mut before)?;
                    capabilities.extend(more.capability);
                    last = more.operand;
                    defined &= more.defined;
                    TreeOperand::Operation(operation)
                }
                Takes::Lane => self.lane_number(&mut before)?,
                Takes::UniformLane | Takes::UniformDistance => self.uniform_number()?,
                Takes::Distance => self.lane_number(&mut before)?,
                Takes::Ballot => self.ballot(&mut before)?,
                Takes::OptionalCluster if self.u.arbitrary()? => self.cluster_size()?,
                Takes::OptionalCluster => continue,
                Takes::Below(bound) => {
                    TreeOperand::Constant(TreeConstant::word(self.u.int_in_range(0..=bound - 1)?))
                }
            };
            defined &= self.known(&operand).1;
            operands.push(operand);
        }
        operands.extend(last);
        let result = match row.gives {
            Gives::Same => ty,
            Gives::Boolean => Type::BOOL,
            Gives::Word => Type::U32,
            Gives::Ballot => Type::BALLOT,
        };
        let reduces = operands.contains(&TreeOperand::Operation(GroupOperation::Reduce));
        let uniform = row.is_arithmetic() && reduces
            || matches!(
                row.op,
                Op::GroupNonUniformAll
                    | Op::GroupNonUniformAny
                    | Op::GroupNonUniformAllEqual
                    | Op::GroupNonUniformBroadcast
                    | Op::GroupNonUniformBroadcastFirst
                    | Op::GroupNonUniformBallot
                    | Op::SubgroupBallotKHR
            );
        let result = self.define(&result, uniform, defined);
        let extension = row.extension;
        before.push(TreeStatement::Instruction(TreeInstruction {
            result,
            op: row.op,
            operands,
            capabilities,
            extension,
        }));
        Ok(before)
    }

    /// A type that a row works on.
    pub(crate) fn type_over(&mut self, over: Over) -> Result<Type> {
        let (extended, scalars) =
            (self.request.allowed.extended_types, self.request.allowed.scalar_types);
        let plain = |scalar: Scalar| scalar == Scalar::Bool || scalar.width() == 32;
        let fits = |ty: &Type| {
            let scalar = ty.element().unwrap_or(Scalar::Bool);
            let kind = match over {
                Over::Any => true,
                Over::Numbers => scalar != Scalar::Bool,
                Over::Scalars => scalar != Scalar::Bool && ty.leaf_count() == 1,
                Over::Integers => scalar.is_int(),
                Over::Unsigned => matches!(scalar, Scalar::Int { signed: false, .. }),
                Over::Floats => scalar.is_float(),
                Over::Booleans => scalar == Scalar::Bool,
            };
            kind && (extended || plain(scalar)) && (!scalars || ty.leaf_count() == 1)
        };
        // Booleans of kernels' own instructions have no representation to exchange.
        let of_known = self.types.iter().map(|ty| match (ty.element(), scalars) {
            (Some(element), true) => Type::Scalar(element),
            _ => ty.clone(),
        });
        let types: Vec<Type> = of_known.filter(fits).collect();
        let known: Vec<Type> =
            self.scope.iter().map(|known| known.ty.clone()).filter(|ty| fits(ty)).collect();
        if !known.is_empty() && self.u.ratio(2, 3)? {
            return Ok(self.u.choose(&known)?.clone());
        }
        let ty = self.u.choose(&types)?.clone();
        let vectors = over != Over::Scalars && !scalars && self.u.ratio(1, 6)?;
        Ok(match ty {
            Type::Scalar(element) if vectors => shaped(element, self.u.int_in_range(2..=4)?),
            other => other,
        })
    }

    /// A group operation with its own operand.
    fn operation(
        &mut self,
        row: &Row,
        ty: &Type,
        before: &mut Vec<TreeStatement>,
    ) -> Result<(GroupOperation, OperationNeeds)> {
        let counts = row.op == Op::GroupNonUniformBallotBitCount;
        let plain = counts || row.uniform;
        let usable: Vec<_> = OPERATIONS
            .into_iter()
            .filter(|(_, needs)| {
                needs.is_none_or(|capability| !plain && self.request.allows(capability))
            })
            .collect();
        let (operation, capability) = *self.u.choose(&usable)?;
        let (mut operand, mut defined) = (None, true);
        match operation {
            GroupOperation::ClusteredReduce => operand = Some(self.cluster_size()?),
            GroupOperation::PartitionedReduceEXT
            | GroupOperation::PartitionedInclusiveScanEXT
            | GroupOperation::PartitionedExclusiveScanEXT => {
                let (ballot, known) = self.partition(ty, before)?;
                operand = Some(ballot);
                defined = known;
            }
            _ => {}
        }
        Ok((operation, OperationNeeds { capability, operand, defined }))
    }

    /// A partition of the lanes that are here, made here.
    fn partition(
        &mut self,
        ty: &Type,
        before: &mut Vec<TreeStatement>,
    ) -> Result<(TreeOperand, bool)> {
        let by = if self.u.arbitrary()? { ty.clone() } else { Type::U32 };
        let value = self.defined(&by)?;
        let result = self.define(&Type::BALLOT, false, true);
        let ballot = TreeOperand::Value(result.value);
        before.push(TreeStatement::Instruction(TreeInstruction {
            result,
            op: Op::GroupNonUniformPartitionEXT,
            operands: vec![value],
            capabilities: vec![Capability::GroupNonUniformPartitionedEXT],
            extension: Some("SPV_NV_shader_subgroup_partitioned"),
        }));
        Ok((ballot, true))
    }

    fn cluster_size(&mut self) -> Result<TreeOperand> {
        let log = self.u.int_in_range(0..=self.tree.target.subgroup_size.ilog2())?;
        Ok(TreeOperand::Constant(TreeConstant::word(1 << log)))
    }

    /// A number below the subgroup's size, any in each lane.
    fn lane_number(&mut self, before: &mut Vec<TreeStatement>) -> Result<TreeOperand> {
        let value = self.defined(&Type::U32)?;
        let mask = TreeOperand::Constant(TreeConstant::word(self.tree.target.subgroup_size - 1));
        let masked = self.compute(Op::BitwiseAnd, &Type::U32, vec![value, mask]);
        let TreeStatement::Instruction(instruction) = &masked else { return self.uniform_number() };
        let operand = TreeOperand::Value(instruction.result.value);
        before.push(masked);
        Ok(operand)
    }

    /// A number below the subgroup's size, the same in all lanes.
    fn uniform_number(&mut self) -> Result<TreeOperand> {
        let number = self.u.int_in_range(0..=self.tree.target.subgroup_size - 1)?;
        Ok(TreeOperand::Constant(TreeConstant::word(number)))
    }

    /// A ballot of the lanes that are here.
    fn ballot(&mut self, before: &mut Vec<TreeStatement>) -> Result<TreeOperand> {
        if self.u.ratio(2, 3)?
            && let Some(ballot) = self.visible(&Type::BALLOT, |it| it.uniform && it.defined)?
        {
            return Ok(ballot);
        }
        let predicate = self.defined(&Type::BOOL)?;
        let result = self.define(&Type::BALLOT, true, true);
        let ballot = TreeOperand::Value(result.value);
        before.push(TreeStatement::Instruction(TreeInstruction {
            result,
            op: Op::GroupNonUniformBallot,
            operands: vec![
                TreeOperand::Constant(TreeConstant::word(Scope::Subgroup as u32)),
                predicate,
            ],
            capabilities: vec![Capability::GroupNonUniformBallot],
            extension: None,
        }));
        Ok(ballot)
    }

    /// A defined Boolean that differs between lanes, computed here if there is none yet.
    pub(crate) fn condition(&mut self, before: &mut Vec<TreeStatement>) -> Result<TreeOperand> {
        if self.u.ratio(1, 2)?
            && let Some(value) = self.visible(&Type::BOOL, |known| known.defined)?
        {
            return Ok(value);
        }
        let value = self.defined(&Type::U32)?;
        let op = *self.u.choose(&[Op::ULessThan, Op::IEqual, Op::INotEqual, Op::UGreaterThan])?;
        let against = if self.u.ratio(1, 3)? {
            self.defined(&Type::U32)?
        } else {
            let most = self.tree.target.subgroup_size.max(2);
            TreeOperand::Constant(TreeConstant::word(self.u.int_in_range(0..=most)?))
        };
        let compared = self.compute(op, &Type::BOOL, vec![value, against]);
        let TreeStatement::Instruction(instruction) = &compared else {
            return Ok(TreeOperand::Constant(TreeConstant::splat(Type::BOOL, 1)));
        };
        let operand = TreeOperand::Value(instruction.result.value);
        before.push(compared);
        Ok(operand)
    }
}

/// What comes with a group operation.
struct OperationNeeds {
    capability: Option<Capability>,
    operand: Option<TreeOperand>,
    defined: bool,
}

impl Row {
    /// The opcode's name.
    pub(crate) fn op_name(&self) -> &'static str {
        rspirv::grammar::INSTRUCTION_TABLE
            .iter()
            .find(|entry| entry.opcode == self.op)
            .map_or("", |entry| entry.opname)
    }
}
