//! Statements without control flow: arithmetic, memory, outputs.

use arbitrary::Result;
use laneproof_semantics::{Scalar, Type};
use rspirv::spirv::{Capability, Op};

use crate::grow::{Grower, shaped};
use crate::request::ModuleProfile;
use crate::tree::{
    ATOMIC_WORDS, TreeConstant, TreeInstruction, TreeOperand, TreePlace, TreeStatement, words_of,
};
use laneproof_semantics::ModuleKind;

impl Grower<'_, '_, '_> {
    /// One statement, with what it needs before it.
    pub(crate) fn statement(&mut self) -> Result<Vec<TreeStatement>> {
        let nests =
            matches!(self.request.profile, ModuleProfile::Divergent | ModuleProfile::Memory)
                && self.here.depth < 4
                && self.budget > 1;
        let memory = self.request.profile == ModuleProfile::Memory;
        Ok(match self.u.int_in_range(0..=19)? {
            0..=3 if nests => self.control()?,
            0..=3 if self.request.profile == ModuleProfile::Kernel => self.group_statement()?,
            4..=10 => self.group_statement()?,
            11 | 12 if self.here.entry => vec![self.output()?],
            13 if self.here.callable > 0 => vec![self.call()?],
            14 | 15 if self.here.entry && !self.tree.variables.is_empty() => {
                vec![self.variable()?]
            }
            16 | 17 if memory && self.here.entry => self.memory()?,
            _ => vec![self.ordinary()?],
        })
    }

    /// Every variable gets a value at the beginning.
    pub(crate) fn initial_stores(&mut self) -> Result<Vec<TreeStatement>> {
        let variables: Vec<Type> = self.tree.variables.clone();
        let stores = variables.iter().enumerate().map(|(index, ty)| {
            Ok(TreeStatement::Store { to: TreePlace::Variable(index), value: self.operand(ty)? })
        });
        stores.collect()
    }

    /// Leaves a value where it can be seen.
    pub(crate) fn output(&mut self) -> Result<TreeStatement> {
        let ty = self.any_type()?;
        let value = self.operand(&ty)?;
        Ok(self.leave(value, ty))
    }

    pub(crate) fn leave(&mut self, value: TreeOperand, ty: Type) -> TreeStatement {
        let word = self.tree.output_words;
        self.tree.output_words += words_of(&ty);
        TreeStatement::Output { word, value, ty }
    }

    fn variable(&mut self) -> Result<TreeStatement> {
        let index = self.u.choose_index(self.tree.variables.len())?;
        let ty = self.tree.variables[index].clone();
        Ok(if self.u.arbitrary()? {
            TreeStatement::Store { to: TreePlace::Variable(index), value: self.operand(&ty)? }
        } else {
            let result = self.define(&ty, false, false);
            TreeStatement::Load { result, from: TreePlace::Variable(index) }
        })
    }

    /// An exchange through workgroup memory, or an atomic.
    fn memory(&mut self) -> Result<Vec<TreeStatement>> {
        if self.here.converged && self.u.arbitrary()? {
            let value = self.operand(&Type::U32)?;
            let to = TreePlace::Shared(TreeOperand::Value(self.tree.invocation));
            let from = TreePlace::Shared(self.defined(&Type::U32)?);
            // Lanes past the end leave their word undefined.
            let result = self.define(&Type::U32, false, false);
            return Ok(vec![
                TreeStatement::Barrier,
                TreeStatement::Store { to, value },
                TreeStatement::Barrier,
                TreeStatement::Load { result, from },
            ]);
        }
        let ops = [
            Op::AtomicIAdd,
            Op::AtomicISub,
            Op::AtomicUMin,
            Op::AtomicUMax,
            Op::AtomicSMin,
            Op::AtomicSMax,
            Op::AtomicAnd,
            Op::AtomicOr,
            Op::AtomicXor,
        ];
        // One operation for each word: then the order does not matter to what is left.
        let word = self.u.int_in_range(0..=ATOMIC_WORDS - 1)?;
        let op = ops[word as usize % ops.len()];
        let value = self.defined(&Type::U32)?;
        let result = self.fresh(&Type::U32);
        Ok(vec![TreeStatement::Atomic { result, op, word, value }])
    }

    fn call(&mut self) -> Result<TreeStatement> {
        let function = self.u.int_in_range(0..=self.here.callable - 1)?;
        let (types, returns) = {
            let called = &self.tree.functions[function];
            let types: Vec<Type> = called.parameters.iter().map(|it| it.ty.clone()).collect();
            (types, called.result.clone())
        };
        // A function branches on what it is given.
        let arguments = types.iter().map(|ty| self.defined(ty)).collect::<Result<_>>()?;
        let result = self.define(&returns, false, false);
        Ok(TreeStatement::Call { result, function, arguments })
    }

    /// Something that each lane does for itself.
    fn ordinary(&mut self) -> Result<TreeStatement> {
        let ty = self.any_type()?;
        let element = ty.element().unwrap_or(Scalar::Bool);
        let operands = [self.operand(&ty)?, self.operand(&ty)?];
        if self.u.ratio(1, 4)? {
            return self.comparison(&ty, element, operands);
        }
        if self.u.ratio(1, 4)? {
            return self.conversion(&ty, element, operands);
        }
        if self.u.ratio(1, 4)? {
            let mask = shaped(Scalar::Bool, ty.leaf_count() as u32);
            let condition = self.operand(&mask)?;
            let [first, second] = operands;
            return Ok(self.compute(Op::Select, &ty, vec![condition, first, second]));
        }
        let ops: &[Op] = match element {
            Scalar::Bool => &[Op::LogicalAnd, Op::LogicalOr, Op::LogicalNotEqual, Op::LogicalEqual],
            Scalar::Float(_) => &[Op::FAdd, Op::FSub, Op::FMul],
            Scalar::Int { .. } => &[
                Op::IAdd,
                Op::ISub,
                Op::IMul,
                Op::BitwiseAnd,
                Op::BitwiseOr,
                Op::BitwiseXor,
                Op::ShiftLeftLogical,
                Op::ShiftRightLogical,
                Op::ShiftRightArithmetic,
                Op::UDiv,
                Op::UMod,
            ],
        };
        let op = *self.u.choose(ops)?;
        let [first, mut second] = operands;
        match op {
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
                let by = self.u.int_in_range(0..=u64::from(element.width()) - 1)?;
                second = TreeOperand::Constant(TreeConstant::splat(ty.clone(), by));
            }
            Op::UDiv | Op::UMod => {
                if matches!(element, Scalar::Int { signed: true, .. }) {
                    return Ok(self.compute(Op::ISub, &ty, vec![first, second]));
                }
                let by = *self.u.choose(&[1, 2, 3, 7, 10, 16])?;
                second = TreeOperand::Constant(TreeConstant::splat(ty.clone(), by));
            }
            _ => {}
        }
        Ok(self.compute(op, &ty, vec![first, second]))
    }

    fn comparison(
        &mut self,
        ty: &Type,
        element: Scalar,
        operands: [TreeOperand; 2],
    ) -> Result<TreeStatement> {
        let ops: &[Op] = match element {
            Scalar::Bool => &[Op::LogicalEqual, Op::LogicalNotEqual],
            Scalar::Float(_) => {
                &[Op::FOrdLessThan, Op::FOrdEqual, Op::FUnordNotEqual, Op::FOrdGreaterThanEqual]
            }
            Scalar::Int { .. } => &[
                Op::IEqual,
                Op::INotEqual,
                Op::ULessThan,
                Op::SLessThan,
                Op::UGreaterThanEqual,
                Op::SGreaterThan,
            ],
        };
        let op = *self.u.choose(ops)?;
        let result = shaped(Scalar::Bool, ty.leaf_count() as u32);
        Ok(self.compute(op, &result, operands.to_vec()))
    }

    /// Another width, another kind of the same width, or a component.
    fn conversion(
        &mut self,
        ty: &Type,
        element: Scalar,
        operands: [TreeOperand; 2],
    ) -> Result<TreeStatement> {
        let [value, other] = operands;
        let count = ty.leaf_count() as u32;
        if count > 1 {
            let component = self.u.int_in_range(0..=count - 1)?;
            let part = Type::Scalar(element);
            let literal = TreeOperand::Literal(component);
            return Ok(self.compute(Op::CompositeExtract, &part, vec![value, literal]));
        }
        let alike = |it: &Type| match (element, it.element()) {
            (Scalar::Int { .. }, Some(Scalar::Int { .. })) => it.element() != Some(element),
            (Scalar::Float(format), Some(Scalar::Int { width, .. })) => format.width() == width,
            _ => false,
        };
        let targets: Vec<Type> = self.types.iter().filter(|ty| alike(ty)).cloned().collect();
        if targets.is_empty() || self.u.ratio(1, 3)? {
            let pair = shaped(element, 2);
            return Ok(self.compute(Op::CompositeConstruct, &pair, vec![value, other]));
        }
        let to = self.u.choose(&targets)?.clone();
        let width = to.element().map_or(0, Scalar::width);
        let op = if width == element.width() {
            Op::Bitcast
        } else if self.request.module_kind == ModuleKind::Shader
            && to.element().is_some_and(is_signed)
        {
            Op::SConvert
        } else {
            *self.u.choose(&[Op::UConvert, Op::SConvert])?
        };
        // The result of an unsigned conversion has an unsigned type.
        Ok(self.compute(op, &to, vec![value]))
    }

    /// An instruction of each lane's own.
    pub(crate) fn compute(
        &mut self,
        op: Op,
        ty: &Type,
        operands: Vec<TreeOperand>,
    ) -> TreeStatement {
        let known: Vec<_> = operands.iter().map(|operand| self.known(operand)).collect();
        let uniform = known.iter().all(|(uniform, _)| *uniform);
        let defined = known.iter().all(|(_, defined)| *defined);
        let result = self.define(ty, uniform, defined);
        let capabilities: Vec<Capability> = Vec::new();
        TreeStatement::Instruction(TreeInstruction {
            result,
            op,
            operands,
            capabilities,
            extension: None,
        })
    }
}

const fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Int { signed: true, .. })
}
