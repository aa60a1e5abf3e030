//! Specialization constants: arbitrary values, the same in all lanes and on both sides.

use laneproof_module::{
    Constant, Derivation, Id, Instruction, ModuleType, Named, Operand, Place, Program, spirv::Op,
};
use laneproof_semantics::Type as Data;
use laneproof_semantics::language::ast::{self, BinaryOp, Expr, ExprKind, Statement};

use super::Builder;
use crate::flat::instance::specified;
use crate::flat::{FlatInput, FlatValue, Unmodelled, ValueId, unmodelled};

/// The specialization constants of both sides: `SpecId`, type and name.
pub type Specializations = Vec<(u32, Data, String)>;

/// The specialization constants of some modules; why they do not fit together.
pub fn specializations<'p>(
    programs: impl Iterator<Item = &'p Program>,
) -> Result<Specializations, String> {
    let mut all = Specializations::new();
    for program in programs {
        for (spec_id, scalar, id) in program.specialization_constants() {
            let ty = Data::Scalar(scalar);
            match all.iter().find(|(known, ..)| *known == spec_id) {
                Some((_, known, _)) if *known != ty => {
                    return Err(format!("a SpecId of two types ({spec_id})"));
                }
                Some(_) => {}
                None => all.push((spec_id, ty, program.name_of(id))),
            }
        }
    }
    all.sort_by_key(|(spec_id, ..)| *spec_id);
    Ok(all)
}

impl Builder<'_> {
    /// The values come after the parameters.
    pub(super) fn open_specializations(
        &mut self,
        parameters: usize,
        all: &Specializations,
    ) -> Result<(), Unmodelled> {
        if let Some(place) = self.module.program.sized_by_specialization {
            return Err(unmodelled("a length that is a specialization constant", place));
        }
        for (position, (spec_id, ty, _)) in all.iter().enumerate() {
            let value = self.flat.add(FlatValue::Parameter(parameters + position), ty.clone());
            self.specializations.insert(*spec_id, value);
        }
        Ok(())
    }

    /// What they are called.
    pub(super) fn specialization_inputs(&mut self, all: &Specializations) {
        self.flat.interface.inputs.extend(all.iter().map(|(spec_id, ty, name)| FlatInput {
            name: name.clone(),
            ty: ty.clone(),
            uniform: true,
            points: None,
            image: false,
            spec_id: Some(*spec_id),
        }));
    }

    /// The bits of a scalar integer or Boolean constant that no specialization changes.
    pub(super) fn fixed(&self, id: Id) -> Option<u64> {
        let fixed = self.module.program.constants.get(&id).is_some_and(Constant::is_fixed);
        if fixed { self.module.program.integer(id) } else { None }
    }

    /// A constant that depends on specialization.
    pub(super) fn specialized(
        &mut self,
        id: Id,
        constant: &Constant,
        place: Place,
    ) -> Result<ValueId, Unmodelled> {
        let known = constant.spec_id.and_then(|spec_id| self.specializations.get(&spec_id));
        if let Some(&known) = known {
            return Ok(known);
        }
        match &constant.derived {
            Some(Derivation::Composite(parts)) => {
                let ty = constant.ty.clone();
                let mut whole =
                    self.flat.add(FlatValue::Constant(constant.leaves.clone()), ty.clone());
                let mut start = 0;
                for &part in parts {
                    let value = self.value(part, place)?;
                    let leaves = self.flat.ty(value).leaf_count();
                    whole = self.flat.add(FlatValue::Update(whole, start, value), ty.clone());
                    start += leaves;
                }
                Ok(whole)
            }
            Some(Derivation::Operation(opcode, operands)) => {
                self.operation(id, *opcode, operands, &constant.ty, place)
            }
            None => {
                Err(unmodelled(format!("the constant {}", self.module.program.name_of(id)), place))
            }
        }
    }

    /// A division by a number that it is defined for, whatever is divided.
    fn divides_by_another_number(&self, opcode: Op, operands: &[Operand]) -> bool {
        let &[_, Operand::IdRef(divisor)] = operands else { return false };
        let known = self.module.program.constants.get(&divisor);
        let Some((width, number)) =
            known.and_then(|it| it.ty.element()).map(|it| it.width()).zip(self.fixed(divisor))
        else {
            return false;
        };
        let minus_one = u64::MAX >> (64 - width.clamp(1, 64));
        match opcode {
            Op::UDiv | Op::UMod => number != 0,
            Op::SDiv | Op::SRem | Op::SMod => number != 0 && number & minus_one != minus_one,
            _ => false,
        }
    }

    /// `OpSpecConstantOp`, as the instruction that it names.
    fn operation(
        &mut self,
        id: Id,
        opcode: Op,
        operands: &[Operand],
        ty: &Data,
        place: Place,
    ) -> Result<ValueId, Unmodelled> {
        let no_value =
            || unmodelled(format!("{} of specialization constants", opcode.name()), place);
        let specification = specified(self.module.specification, opcode).ok_or_else(no_value)?;
        // When a constant that has no value counts, no sentence says.
        if may_misbehave(&specification) && !self.divides_by_another_number(opcode, operands) {
            return Err(no_value());
        }
        let instruction = Instruction {
            opcode,
            result: Some(id),
            ty: Some(ModuleType::Data(ty.clone())),
            operands: operands.to_vec(),
            decorations: Vec::new(),
            place,
        };
        self.step(&instruction, &specification, &instruction.operands, 0, self.at.here)?;
        let value = self.frame_mut().values.get(&id).copied();
        value.ok_or_else(no_value)
    }
}

/// The condition holds of decorated instructions only.
fn asks_for_decoration(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Call(name, _) => &**name == "decorated",
        ExprKind::Binary(BinaryOp::And, a, b) => asks_for_decoration(a) || asks_for_decoration(b),
        _ => false,
    }
}

/// Some clause speaks of undefined behavior, or of a requirement.
fn may_misbehave(instruction: &ast::SpecInstruction) -> bool {
    fn misbehaves(statement: &Statement) -> bool {
        match statement {
            // Such an instruction has no decorations.
            Statement::UndefinedBehavior(condition) => !asks_for_decoration(condition),
            Statement::Must(_) | Statement::Label(..) => true,
            Statement::Reading(_, ways) => {
                ways.iter().flat_map(|(_, statements)| statements).any(misbehaves)
            }
            _ => false,
        }
    }
    let statements = instruction.clauses.iter().flat_map(|clause| &clause.statements);
    statements.map(|(statement, _)| statement).any(misbehaves)
}
