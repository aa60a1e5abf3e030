//! A specified instruction as a step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_module::spirv::Decoration;
use laneproof_module::{
    Instruction, ModuleType, Named, Operand, Place, fold_scalars, rounding_decoration,
};
use laneproof_semantics::denote::{Argument, Instance};
use laneproof_semantics::language::ast;
use laneproof_semantics::{Scalar, Type as Data};

use super::Builder;
use super::pointer::data;
use crate::flat::instance::{GivenOperand, pair};
use crate::flat::{
    ActivityId, Address, Event, FlatValue, Step, StepId, TableStep, Touch, Unmodelled, ValueId,
    unmodelled,
};

/// The arguments of an instruction, operand by operand.
#[derive(Default)]
struct Arguments {
    arguments: Vec<Argument>,
    /// The values of each.
    values: Vec<Vec<ValueId>>,
    /// The position of each among the module's operands.
    positions: Vec<usize>,
    /// The address of each that is a pointer or an image.
    pointers: Vec<Option<Address>>,
}

impl Builder<'_> {
    /// An instruction with a specification, whose operands are those of the module's from `first`
    /// on.
    pub(super) fn step(
        &mut self,
        instruction: &Instruction,
        specification: &Arc<ast::SpecInstruction>,
        operands: &[Operand],
        first: usize,
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let name = &specification.name;
        let operands = &operands[first..];
        let mut types = BTreeMap::new();
        for operand in operands {
            if let Some(id) = operand.id_ref_any()
                && !matches!(operand, Operand::IdScope(_) | Operand::IdMemorySemantics(_))
                && !self.is_pointer(id)
                && !self.frame().images.contains_key(&id)
            {
                let value = self.value(id, place)?;
                types.insert(id, self.flat.ty(value).clone());
            }
        }
        let given =
            pair(specification, operands, self.module.program, |id| types.get(&id).cloned())
                .map_err(|what| unmodelled(format!("{what} of {name}"), place))?;
        let Arguments { arguments, values, positions, pointers } =
            self.arguments(given, specification, first, place)?;
        let result = self.result_of_step(instruction, specification)?;
        let known = self.folded(instruction, &values, result.as_ref());
        let step = StepId(self.flat.steps.len() as u32);
        let touches = pointers.iter().any(Option::is_some);
        let site = self.site(place);
        self.flat.steps.push(Step {
            instruction: specification.clone(),
            instance: Instance {
                arguments,
                result: result.clone(),
                capabilities: self.module.capabilities.clone(),
                modes: self.module.modes.clone(),
                version: self.module.program.preamble.version,
                decorations: self.decorations(instruction),
            },
            operands: values,
            positions,
            pointers,
            activity,
            helpers: self.ended.helper.is_some(),
            after_kill: !self.ended.killed.is_empty(),
            together: self.at.together,
            tangle: self.at.tangle,
            site,
            place,
        });
        self.flat.events.push(Event::Step(step));
        if touches && self.ended.helper.is_some() {
            let what = format!("{name} where lanes may be helpers");
            return Err(unmodelled(what, place));
        }
        if touches {
            self.memory_operands(operands, place)?;
            let atomic = operands.iter().any(|it| matches!(it, Operand::IdMemorySemantics(_)));
            let order = self.order_of_step(atomic);
            self.touch(Touch::Step(step), activity, order);
        }
        if let (Some(id), Some(ty)) = (instruction.result, result) {
            let value = self.flat.add(FlatValue::Result(step), ty);
            self.walked.known.extend(known.map(|bits| (value, bits)));
            self.bind(instruction, value);
            if self.flat.shown.iter().all(|shown| shown.id != id) {
                self.flat.shown.push(TableStep {
                    id,
                    name: self.module.program.name_of(id),
                    value,
                });
            }
        }
        Ok(())
    }

    /// The decorations of the result, the rounding mode with its operand beside it.
    fn decorations(&self, instruction: &Instruction) -> BTreeSet<String> {
        let rounding = instruction
            .result
            .filter(|_| instruction.decorations.contains(&Decoration::FPRoundingMode))
            .and_then(|id| self.module.program.decorations.rounding.get(&id));
        let names = instruction.decorations.iter().map(|it| it.name().to_owned());
        names.chain(rounding.map(|it| rounding_decoration(*it))).collect()
    }

    /// The result of an operation on known numbers.
    fn folded(
        &self,
        instruction: &Instruction,
        values: &[Vec<ValueId>],
        result: Option<&Data>,
    ) -> Option<u64> {
        let operand = |list: &Vec<ValueId>| match list[..] {
            [only] => self.known(only),
            _ => None,
        };
        let Some(&Data::Scalar(result)) = result.filter(|_| instruction.decorations.is_empty())
        else {
            return None;
        };
        let operands: Vec<u64> = values.iter().map(operand).collect::<Option<_>>()?;
        let width = self.flat.ty(*values.first()?.first()?).element()?.width();
        fold_scalars(instruction.opcode, &operands, width, result)
    }

    /// The arguments of an instruction, in the order of its clauses.
    fn arguments(
        &mut self,
        given: Vec<(GivenOperand, usize)>,
        specification: &ast::SpecInstruction,
        first: usize,
        place: Place,
    ) -> Result<Arguments, Unmodelled> {
        let mut all = Arguments::default();
        let mut images = Vec::new();
        for (given, position) in given {
            let mut pointer = None;
            let (argument, list) = match given {
                GivenOperand::Pointer(id) => {
                    let (address, ty) = self.step_pointer(id, place)?;
                    pointer = Some(address);
                    (Argument::Pointer(ty), Vec::new())
                }
                GivenOperand::Image(id) => {
                    images.push((all.arguments.len(), self.image(id, place)?));
                    (Argument::Image, Vec::new())
                }
                GivenOperand::Absent => (Argument::Absent, Vec::new()),
                GivenOperand::Argument(argument) => (argument, Vec::new()),
                GivenOperand::Value(id) => {
                    let value = self.value(id, place)?;
                    (Argument::Value(self.flat.ty(value).clone()), vec![value])
                }
                GivenOperand::Values(ids) => {
                    let mut list = Vec::new();
                    for id in ids {
                        list.push(self.value(id, place)?);
                    }
                    let types = list.iter().map(|&value| self.flat.ty(value).clone()).collect();
                    (Argument::Values(types), list)
                }
            };
            all.arguments.push(argument);
            all.values.push(list);
            all.positions.push(first + position);
            all.pointers.push(pointer);
        }
        for (operand, region) in images {
            let each = specification.operands.iter().zip(&all.values).filter(|(it, _)| it.each);
            let written: Vec<u32> = each
                .flat_map(|(_, values)| values)
                .filter_map(|&value| self.flat.ty(value).element())
                .map(Scalar::width)
                .collect();
            all.pointers[operand] = Some(self.step_image(region, written.into_iter()));
        }
        Ok(all)
    }

    /// The result's type; none if the result is not used.
    fn result_of_step(
        &mut self,
        instruction: &Instruction,
        specification: &ast::SpecInstruction,
    ) -> Result<Option<Data>, Unmodelled> {
        let place = instruction.place;
        let ty = match &instruction.ty {
            Some(ModuleType::Void) | None => return Ok(None),
            Some(ty) => data(ty, place)?,
        };
        if !specification.has_opaque_result() {
            return Ok(Some(ty));
        }
        if ty.leaf_count() > 0 {
            let what = format!("the result of {}", specification.name);
            return Err(unmodelled(what, place));
        }
        let value = self.undefined(&ty);
        self.bind(instruction, value);
        Ok(None)
    }
}
