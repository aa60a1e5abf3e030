//! What one instruction adds to the graph.

use std::collections::BTreeSet;

use laneproof_module::spirv::Op;
use laneproof_module::{Id, Instruction, ModuleType, Named, Operand, Place};
use laneproof_semantics::denote::Instance;

use super::pointer::data;
use super::target::Target;
use super::{Builder, Frame};
use crate::flat::instance::specified;
use crate::flat::{ActivityId, Event, FlatValue, Unmodelled, ValueId, unmodelled};

/// How deep calls may go before they count as recursion.
const CALL_DEPTH: usize = 64;
/// How many values a function may have once calls are inlined.
const VALUE_LIMIT: usize = 200_000;

impl Builder<'_> {
    /// Adds an instruction; returns the lanes that go on after it.
    pub(super) fn instruction(
        &mut self,
        instruction: &Instruction,
        activity: ActivityId,
    ) -> Result<Option<ActivityId>, Unmodelled> {
        let place = instruction.place;
        if self.flat.values.len() > VALUE_LIMIT {
            return Err(unmodelled("a function of this size", place));
        }
        if let Some(decoration) = self.unheeded(instruction) {
            let what = format!("{} decorated {decoration}", instruction.opcode.name());
            return Err(unmodelled(what, place));
        }
        let ids: Vec<Id> =
            instruction.operands.iter().filter_map(|operand| operand.id_ref_any()).collect();
        if self.on_pointers(instruction, &ids, activity)? {
            return Ok(Some(activity));
        }
        match (instruction.opcode, ids.as_slice()) {
            (Op::ControlBarrier, ids) => self.barrier(ids, activity, place)?,
            (Op::MemoryBarrier, ids) => self.fence(ids, activity, place)?,
            (Op::Undef, _) => {
                let ty = self.result_type(instruction)?;
                let value = self.undefined(&ty);
                self.bind(instruction, value);
            }
            (Op::AssumeTrueKHR, [condition]) => {
                let condition = self.value(*condition, place)?;
                self.flat.events.push(Event::Assume(activity, condition));
            }
            (Op::ExpectKHR, [value, ..]) => {
                let value = self.value(*value, place)?;
                self.bind(instruction, value);
            }
            (Op::FunctionCall, [callee, arguments @ ..]) => {
                return self.call(instruction, *callee, arguments, activity);
            }
            (Op::DemoteToHelperInvocation, _) => self.demote(activity, place)?,
            (Op::IsHelperInvocationEXT, _) => {
                let value = self.is_helper(activity);
                self.bind(instruction, value);
            }
            (Op::Nop, _) => {}
            (Op::ExtInst, _) => self.extended(instruction, activity)?,
            _ => {
                let specification = specified(self.module.specification, instruction.opcode)
                    .ok_or_else(|| unmodelled(instruction.opcode.name().to_owned(), place))?;
                self.step(instruction, &specification, &instruction.operands, 0, activity)?;
            }
        }
        Ok(Some(activity))
    }

    /// Adds an instruction that makes or follows pointers; false where it is none.
    fn on_pointers(
        &mut self,
        instruction: &Instruction,
        ids: &[Id],
        activity: ActivityId,
    ) -> Result<bool, Unmodelled> {
        let gives_pointer = matches!(instruction.ty, Some(ModuleType::Pointer { .. }));
        match (instruction.opcode, ids) {
            (Op::Variable, initializer) => self.own_variable(instruction, initializer, activity)?,
            (Op::AccessChain | Op::InBoundsAccessChain, [base, indexes @ ..]) => {
                self.chain(instruction, *base, indexes, activity)?;
            }
            (Op::PtrAccessChain | Op::InBoundsPtrAccessChain, [base, element, indexes @ ..]) => {
                self.stepping_chain(instruction, (*base, *element), indexes, activity)?;
            }
            (Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::CopyObject, [pointer])
                if gives_pointer =>
            {
                let target = self.target(*pointer, instruction.place)?;
                self.bind_pointer(instruction, target);
            }
            (Op::Bitcast, [pointer]) if gives_pointer => {
                self.retyped(instruction, *pointer)?;
            }
            (Op::ArrayLength, _) => {
                let value = self.array_length(instruction)?;
                self.bind(instruction, value);
            }
            (Op::Load, [pointer, ..]) if gives_pointer => {
                self.held_pointer(instruction, *pointer)?;
            }
            (Op::Load, [pointer, ..]) => {
                let value = self.loaded(*pointer, instruction, activity)?;
                self.bind(instruction, value);
            }
            (Op::Store, [pointer, object, ..]) => {
                self.store_object(instruction, (*pointer, *object), activity)?;
            }
            (Op::CopyMemory, [target, source, ..]) => {
                self.copy(instruction, (*target, *source), activity)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// An instruction of an extended set.
    fn extended(
        &mut self,
        instruction: &Instruction,
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let name = self.module.program.extended(instruction).unwrap_or_default();
        let specification = self.module.specification.instructions.get(name.as_str()).cloned();
        let place = instruction.place;
        let specification = specification.ok_or(unmodelled(name, place))?;
        // The set and the number come before the operands.
        self.step(instruction, &specification, &instruction.operands, 2, activity)
    }

    /// A decoration that the instruction's clauses do not mention.
    fn unheeded(&self, instruction: &Instruction) -> Option<&'static str> {
        let mut all = instruction.decorations.iter().map(|it| it.name());
        let specification = || specified(self.module.specification, instruction.opcode);
        all.find(|decoration| {
            let Some(specification) = specification() else { return true };
            match *decoration {
                "FPRoundingMode" => {
                    !specification.asks_rounding_mode(&self.module.specification.functions)
                }
                other => !specification.decorations().contains(other),
            }
        })
    }

    fn loaded(
        &mut self,
        pointer: Id,
        instruction: &Instruction,
        activity: ActivityId,
    ) -> Result<ValueId, Unmodelled> {
        let place = instruction.place;
        if let Some(value) = self.built_in(pointer, place)? {
            return Ok(value);
        }
        match self.target(pointer, place)? {
            Target::Own(pointer) => Ok(self.load(&pointer, activity)),
            Target::Shared(shared) => {
                let operands = instruction.operands.get(1..).unwrap_or_default();
                self.load_shared(&shared, operands, activity, place)
            }
            Target::Holder(_) => Err(Unmodelled::pointer_in_memory(place)),
        }
    }

    /// Where a pointer points; a built-in becomes a variable, so that parts of it can be loaded.
    pub(super) fn whole(
        &mut self,
        pointer: Id,
        activity: ActivityId,
        place: Place,
    ) -> Result<Target, Unmodelled> {
        let Some(value) = self.built_in(pointer, place)? else {
            return self.target(pointer, place);
        };
        let ty = self.flat.ty(value).clone();
        Ok(Target::Own(self.variable(ty, value, activity)))
    }

    /// The value of a built-in variable.
    fn built_in(&mut self, variable: Id, place: Place) -> Result<Option<ValueId>, Unmodelled> {
        let Some(global) = self.module.program.globals.get(&variable) else { return Ok(None) };
        let (Some(built_in), ModuleType::Pointer { pointee, .. }) = (global.built_in, &global.ty)
        else {
            return Ok(None);
        };
        let name = built_in.name();
        let Some(specified) = self.module.specification.built_ins.get(name).cloned() else {
            return Err(unmodelled(format!("the built-in {name}"), place));
        };
        let ty = data(pointee, place)?;
        let instance = Instance {
            arguments: Vec::new(),
            result: Some(ty.clone()),
            capabilities: self.module.capabilities.clone(),
            modes: self.module.modes.clone(),
            version: self.module.program.preamble.version,
            decorations: BTreeSet::new(),
        };
        Ok(Some(self.flat.add(FlatValue::BuiltIn(specified, instance), ty)))
    }

    /// Stores a value; in shared memory, only of lanes whose stores take effect.
    pub(super) fn stored(
        &mut self,
        target: &Target,
        object: ValueId,
        memory_operands: &[Operand],
        activity: ActivityId,
        place: Place,
    ) -> Result<(), Unmodelled> {
        match target {
            Target::Own(pointer) => self.store(pointer, object, activity),
            Target::Shared(shared) => {
                let acting = self.acting(activity);
                self.store_shared(shared, object, memory_operands, acting, place)?;
            }
            Target::Holder(_) => return Err(Unmodelled::pointer_in_memory(place)),
        }
        Ok(())
    }

    /// Inlines a call; returns the lanes that return from it.
    fn call(
        &mut self,
        instruction: &Instruction,
        callee: Id,
        arguments: &[Id],
        activity: ActivityId,
    ) -> Result<Option<ActivityId>, Unmodelled> {
        let place = instruction.place;
        let Some(function) = self.module.program.function_by_id(callee) else {
            return Err(unmodelled(self.module.program.name_of(callee), place));
        };
        if let Some(name) = &function.import {
            let primitive = self.module.specification.instructions.get(name.as_str());
            let Some(primitive) = primitive.filter(|it| it.primitive).cloned() else {
                return Err(Unmodelled::import(name, place));
            };
            let operands: Vec<Operand> = arguments.iter().map(|&id| Operand::IdRef(id)).collect();
            self.step(instruction, &primitive, &operands, 0, activity)?;
            return Ok(Some(activity));
        }
        if self.frames.len() > CALL_DEPTH {
            return Err(unmodelled("recursion", place));
        }
        let mut frame = Frame::default();
        for (parameter, &argument) in function.parameters.iter().zip(arguments) {
            match &parameter.ty {
                ModuleType::Pointer { .. } => {
                    let target = self.target(argument, place)?;
                    self.note_decorations(parameter, &target);
                    frame.pointers.insert(parameter.id, target);
                }
                ModuleType::Image => {
                    frame.images.insert(parameter.id, self.image(argument, place)?);
                }
                _ => {
                    let value = self.value(argument, place)?;
                    frame.values.insert(parameter.id, value);
                }
            }
        }
        self.frames.push(frame);
        self.path.push(place.word);
        let tangle = self.at.tangle;
        let (result, back) = self.body(function, activity)?;
        self.at.tangle = tangle;
        self.path.pop();
        self.frames.pop();
        if let Some(result) = result {
            self.bind(instruction, result);
        }
        Ok(back)
    }
}
