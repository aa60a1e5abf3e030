//! From structured control flow to the flat graph.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use laneproof_interpreter::Site;
use laneproof_module::spirv::{AddressingModel, Op, StorageClass};
use laneproof_module::{
    Block, Function, Id, Instruction, Item, Operand, Phi, Place, Program, Region, Terminator, Type,
};
use laneproof_semantics::denote::{Argument, Instance};
use laneproof_semantics::{Scalar, Specification, Type as Data};

use super::instance::{Given, capability_names, pair, specified};
use super::memory::{Shared, Target, Touch, is_buffer};
use super::pointer::{Holder, Pointer, Variable, data};
use super::unroll::{Escaping, escaping};
use super::{
    Activity, ActivityId, Address, Event, Flat, Input, Shown, Step, StepId, Test, Unmodelled,
    Value, ValueId,
};

/// How deep calls may go before they count as recursion.
const CALL_DEPTH: usize = 64;
/// How many values a function may have once calls are written out.
const VALUE_LIMIT: usize = 200_000;
/// How many blocks it may have once loops are.
const BLOCK_LIMIT: usize = 50_000;

/// What becomes of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loops {
    /// So many rounds, one after the other.
    Rounds(u32),
    /// One round, from any state to the next.
    Cut,
}

/// What one function call sees.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) values: HashMap<Id, ValueId>,
    pub(super) pointers: HashMap<Id, Target>,
    /// Images, by region.
    images: HashMap<Id, usize>,
    /// For each block label, who comes from where.
    pub(super) incoming: HashMap<Id, Vec<(Id, ActivityId)>>,
    /// By block label, who executed it, in this round of the loops around.
    pub(super) executed: HashMap<Id, ActivityId>,
    pub(super) returns: Vec<(ActivityId, Option<ValueId>)>,
    /// Blocks whose phis have their values already.
    pub(super) bound: BTreeSet<Id>,
}

#[derive(Clone)]
pub(super) struct Builder<'p> {
    pub(super) program: &'p Program,
    specification: &'p Specification,
    capabilities: Arc<BTreeSet<String>>,
    pub(super) flat: Flat,
    pub(super) variables: Vec<Variable>,
    pub(super) globals: HashMap<Id, Pointer>,
    /// Variables that hold a pointer.
    holders: Vec<Holder>,
    frames: Vec<Frame>,
    /// Calls and rounds entered.
    pub(super) path: Vec<u32>,
    pub(super) entry: ActivityId,
    /// An atomic that orders other accesses.
    pub(super) ordering: Option<Place>,
    /// How many operands with memory semantics were met.
    pub(super) atomics: usize,
    /// Blocks met so far.
    blocks: usize,
    /// How often the body of a loop is written out.
    pub(super) rounds: u32,
    /// Loops are cut open instead.
    cut: bool,
    /// What is computed in loops and used after them.
    pub(super) escaping: Escaping,
}

/// Flattens `function`, its parameters left open.
pub(crate) fn flatten(
    program: &Program,
    specification: &Specification,
    function: &Function,
    loops: Loops,
) -> Result<Flat, Unmodelled> {
    let mut flat = Flat::default();
    let entry = flat.activity(Activity::Entry);
    let mut builder = Builder {
        program,
        specification,
        capabilities: capability_names(program),
        flat,
        variables: Vec::new(),
        globals: HashMap::new(),
        holders: Vec::new(),
        frames: vec![Frame::default()],
        path: Vec::new(),
        entry,
        ordering: None,
        atomics: 0,
        blocks: 0,
        rounds: match loops {
            Loops::Rounds(rounds) => rounds,
            Loops::Cut => 1,
        },
        cut: loops == Loops::Cut,
        escaping: Escaping::new(),
    };
    builder.private_variables()?;
    let outputs = builder.inputs(function)?;
    let result = builder.body(function, entry)?;
    for (name, pointer) in outputs {
        let value = builder.load(&pointer);
        builder.flat.outputs.push((name, value));
    }
    builder.flat.result = result;
    builder.check_ordering()?;
    builder.flat.mark_unused();
    Ok(builder.flat)
}

impl Builder<'_> {
    pub(super) fn frame(&self) -> &Frame {
        // There is always the frame of the function that is flattened.
        &self.frames[self.frames.len() - 1]
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn site(&self, place: Place) -> Site {
        Site { path: self.path.clone(), word: place.word }
    }

    fn private_variables(&mut self) -> Result<(), Unmodelled> {
        for global in self.program.globals.values() {
            if global.storage != StorageClass::Private {
                continue;
            }
            let Type::Pointer { pointee, .. } = &global.ty else { continue };
            let Ok(ty) = data(pointee, Place::default()) else { continue };
            let initial = match global.initializer {
                Some(id) => self.value(id, Place::default())?,
                None => self.undefined(&ty),
            };
            let pointer = self.variable(ty, initial, self.entry);
            self.globals.insert(global.id, pointer);
        }
        Ok(())
    }

    fn inputs(&mut self, function: &Function) -> Result<Vec<(String, Pointer)>, Unmodelled> {
        let mut outputs = Vec::new();
        // What an entry point is called with is the same for all.
        let entry = self.program.entry_points.iter().any(|entry| entry.function == function.id);
        for (position, parameter) in function.parameters.iter().enumerate() {
            let place = function.place;
            if let Type::Pointer { storage, pointee } = &parameter.ty
                && is_buffer(*storage)
            {
                let target = self.pointer_parameter(position, &parameter.name, pointee);
                self.frame_mut().pointers.insert(parameter.id, target);
                continue;
            }
            if parameter.ty == Type::Image {
                let region = self.image_parameter(position, &parameter.name);
                self.frame_mut().images.insert(parameter.id, region);
                continue;
            }
            let (ty, behind_pointer) = match &parameter.ty {
                Type::Pointer { storage: StorageClass::Function, pointee } => {
                    (data(pointee, place)?, true)
                }
                other => (data(other, place)?, false),
            };
            let value = self.flat.add(Value::Parameter(position), ty.clone());
            self.flat.inputs.push(Input {
                name: parameter.name.clone(),
                ty: ty.clone(),
                uniform: parameter.uniform || entry,
                points: None,
                image: false,
            });
            if behind_pointer {
                let pointer = self.variable(ty, value, self.entry);
                self.frame_mut().pointers.insert(parameter.id, Target::Own(pointer.clone()));
                outputs.push((parameter.name.clone(), pointer));
            } else {
                self.frame_mut().values.insert(parameter.id, value);
            }
        }
        Ok(outputs)
    }

    /// Walks a function's blocks; its result.
    fn body(
        &mut self,
        function: &Function,
        activity: ActivityId,
    ) -> Result<Option<ValueId>, Unmodelled> {
        if let Some(why) = &function.unmodelled {
            return Err(Unmodelled { what: why.clone(), place: function.place });
        }
        match function.body.items.first() {
            Some(Item::Block(first)) => {
                self.frame_mut().incoming.insert(first.label, vec![(0, activity)]);
            }
            Some(Item::Loop(_)) | None => {
                let what = "a function whose first block is not a plain block".into();
                return Err(Unmodelled { what, place: function.place });
            }
        }
        if function.body.items.iter().any(|item| matches!(item, Item::Loop(_))) {
            self.escaping.extend(escaping(function));
        }
        self.region(&function.body)?;
        let returns = std::mem::take(&mut self.frame_mut().returns);
        let arms: Vec<(ActivityId, ValueId)> =
            returns.iter().filter_map(|&(activity, value)| Some((activity, value?))).collect();
        if function.result == Type::Void {
            return Ok(None);
        }
        let ty = data(&function.result, function.place)?;
        Ok(Some(match arms.as_slice() {
            [] => self.undefined(&ty),
            [(_, only)] => *only,
            _ => self.flat.add(Value::Merge(arms), ty),
        }))
    }

    pub(super) fn region(&mut self, region: &Region) -> Result<(), Unmodelled> {
        for (position, item) in region.items.iter().enumerate() {
            match item {
                Item::Block(block) => self.block(block)?,
                Item::Loop(inner) => {
                    if self.frame().incoming.contains_key(&inner.header) {
                        match self.cut {
                            true => self.cut(inner, &region.items[position + 1..])?,
                            false => self.unroll(inner)?,
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<(), Unmodelled> {
        let Some(incoming) = self.frame_mut().incoming.remove(&block.label) else {
            return Ok(());
        };
        let Some(activity) = self.flat.union(incoming.iter().map(|(_, it)| *it).collect()) else {
            return Ok(());
        };
        self.blocks += 1;
        if self.blocks > BLOCK_LIMIT {
            return Err(Unmodelled { what: "a function of this size".into(), place: block.end });
        }
        if !self.frame_mut().bound.remove(&block.label) {
            let mut merged = Vec::new();
            for phi in &block.phis {
                let arms = self.phi_arms(phi, &incoming)?;
                let ty = data(&phi.ty, phi.place)?;
                merged.push((phi.result, self.merged(arms, &ty)));
            }
            self.frame_mut().values.extend(merged);
        }
        self.frame_mut().executed.insert(block.label, activity);
        for instruction in &block.instructions {
            self.instruction(instruction, activity)?;
        }
        self.terminator(block, activity)
    }

    /// What lanes bring along that come by these ways.
    pub(super) fn phi_arms(
        &mut self,
        phi: &Phi,
        incoming: &[(Id, ActivityId)],
    ) -> Result<Vec<(ActivityId, ValueId)>, Unmodelled> {
        let mut arms = Vec::new();
        for &(value, from) in &phi.incoming {
            for &(_, edge) in incoming.iter().filter(|(label, _)| *label == from) {
                arms.push((edge, self.value(value, phi.place)?));
            }
        }
        Ok(arms)
    }

    pub(super) fn merged(&mut self, arms: Vec<(ActivityId, ValueId)>, ty: &Data) -> ValueId {
        match arms.as_slice() {
            [] => self.undefined(ty),
            _ => self.flat.add(Value::Merge(arms), ty.clone()),
        }
    }

    pub(super) fn leave(&mut self, from: Id, to: Id, activity: ActivityId) {
        self.frame_mut().incoming.entry(to).or_default().push((from, activity));
    }

    fn branch(&mut self, block: &Block, target: Id, activity: ActivityId, test: Test) {
        let edge = self.flat.activity(Activity::Edge(activity, test));
        self.leave(block.label, target, edge);
    }

    fn terminator(&mut self, block: &Block, activity: ActivityId) -> Result<(), Unmodelled> {
        let place = block.end;
        match &block.terminator {
            Terminator::Branch(target) => self.leave(block.label, *target, activity),
            Terminator::Conditional { then, otherwise, .. } if then == otherwise => {
                self.leave(block.label, *then, activity);
            }
            Terminator::Conditional { condition, then, otherwise } => {
                let condition = self.value(*condition, place)?;
                self.flat.events.push(Event::Branch(activity, condition));
                self.branch(block, *then, activity, Test::Holds(condition));
                self.branch(block, *otherwise, activity, Test::Fails(condition));
            }
            Terminator::Switch { selector, default, cases } => {
                let selector = self.value(*selector, place)?;
                self.flat.events.push(Event::Branch(activity, selector));
                let mut targets: Vec<Id> = Vec::new();
                for (_, target) in cases {
                    if target != default && !targets.contains(target) {
                        targets.push(*target);
                    }
                }
                let mut elsewhere = Vec::new();
                for target in targets {
                    let literals: Vec<u64> =
                        cases.iter().filter(|(_, to)| *to == target).map(|(it, _)| *it).collect();
                    elsewhere.extend(&literals);
                    self.branch(block, target, activity, Test::Equals(selector, literals));
                }
                self.branch(block, *default, activity, Test::Differs(selector, elsewhere));
            }
            Terminator::Return => self.frame_mut().returns.push((activity, None)),
            Terminator::ReturnValue(value) => {
                let value = self.value(*value, place)?;
                self.frame_mut().returns.push((activity, Some(value)));
            }
            Terminator::Kill => return Err(Unmodelled { what: "OpKill".into(), place }),
            Terminator::Unreachable => {
                self.flat.events.push(Event::Unreachable(activity));
            }
        }
        Ok(())
    }

    /// The value of an `<id>`: a result, a constant.
    pub(super) fn value(&mut self, id: Id, place: Place) -> Result<ValueId, Unmodelled> {
        if let Some(&value) = self.frame().values.get(&id) {
            return Ok(value);
        }
        if let Some(constant) = self.program.constants.get(&id) {
            let value = Value::Constant(constant.leaves.clone());
            let value = self.flat.add(value, constant.ty.clone());
            self.frame_mut().values.insert(id, value);
            return Ok(value);
        }
        Err(Unmodelled { what: format!("the value {}", self.program.name_of(id)), place })
    }

    fn instruction(
        &mut self,
        instruction: &Instruction,
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        if self.flat.values.len() > VALUE_LIMIT {
            return Err(Unmodelled { what: "a function of this size".into(), place });
        }
        if let Some(decoration) = instruction.decorations.first() {
            let what = format!("Op{:?} decorated {decoration:?}", instruction.opcode);
            return Err(Unmodelled { what, place });
        }
        let ids: Vec<Id> =
            instruction.operands.iter().filter_map(|operand| operand.id_ref_any()).collect();
        match (instruction.opcode, ids.as_slice()) {
            (Op::Variable, initializer) => {
                let Some(Type::Pointer { pointee, .. }) = &instruction.ty else {
                    return Err(Unmodelled { what: "OpVariable".into(), place });
                };
                if matches!(**pointee, Type::Pointer { .. }) && initializer.is_empty() {
                    let target = Target::Holder(self.holders.len());
                    self.holders.push(Holder { held: None, scope: activity });
                    self.bind_pointer(instruction, target);
                    return Ok(());
                }
                let ty = data(pointee, place)?;
                let initial = match initializer.first() {
                    Some(&id) => self.value(id, place)?,
                    None => self.undefined(&ty),
                };
                let pointer = self.variable(ty, initial, activity);
                self.bind_pointer(instruction, Target::Own(pointer));
            }
            (Op::AccessChain | Op::InBoundsAccessChain, [base, indexes @ ..]) => {
                let target = match self.target(*base, place)? {
                    Target::Own(pointer) => {
                        Target::Own(self.access(pointer, indexes, activity, place)?)
                    }
                    Target::Shared(shared) => {
                        Target::Shared(self.shared_access(shared, indexes, activity, place)?)
                    }
                    Target::Holder(_) => return Err(Unmodelled::pointer_in_memory(place)),
                };
                self.bind_pointer(instruction, target);
            }
            (Op::PtrAccessChain | Op::InBoundsPtrAccessChain, [base, element, indexes @ ..]) => {
                let Target::Shared(shared) = self.target(*base, place)? else {
                    return Err(Unmodelled { what: "a step past a variable".into(), place });
                };
                // Outside of its array such a pointer wraps, and may come back in.
                let may_wrap = self.program.addressing == AddressingModel::Physical32
                    && instruction.opcode == Op::PtrAccessChain;
                if may_wrap {
                    return Err(Unmodelled {
                        what: "a pointer of 32 bits that wraps".into(),
                        place,
                    });
                }
                let shared = self.step_over(shared, *element, place)?;
                let shared = self.shared_access(shared, indexes, activity, place)?;
                self.bind_pointer(instruction, Target::Shared(shared));
            }
            (Op::PtrCastToGeneric | Op::GenericCastToPtr, [pointer]) => {
                let target = self.target(*pointer, place)?;
                self.bind_pointer(instruction, target);
            }
            (Op::Bitcast, [pointer]) if matches!(instruction.ty, Some(Type::Pointer { .. })) => {
                let Target::Shared(shared) = self.target(*pointer, place)? else {
                    return Err(Unmodelled { what: "another type for a variable".into(), place });
                };
                let Some((_, pointee)) = instruction.ty.as_ref().and_then(Type::pointee) else {
                    return Ok(());
                };
                let shared = Shared { ty: pointee.clone(), ..shared };
                self.bind_pointer(instruction, Target::Shared(shared));
            }
            (Op::ControlBarrier, ids) => self.barrier(ids, activity, place)?,
            (Op::ArrayLength, _) => {
                let value = self.array_length(instruction)?;
                self.bind(instruction, value);
            }
            (Op::Load, [pointer, ..]) if matches!(instruction.ty, Some(Type::Pointer { .. })) => {
                let Target::Holder(number) = self.target(*pointer, place)? else {
                    return Err(Unmodelled::pointer_in_memory(place));
                };
                let held = self.holders[number].held.clone();
                let what = || "a pointer that nothing has set".into();
                let held = held.ok_or_else(|| Unmodelled { what: what(), place })?;
                self.bind_pointer(instruction, held);
            }
            (Op::Load, [pointer, ..]) => {
                let value = self.loaded(*pointer, instruction, activity)?;
                self.bind(instruction, value);
            }
            (Op::Store, [pointer, object, ..]) => {
                let target = self.target(*pointer, place)?;
                if let Target::Holder(number) = target {
                    let held = self.target(*object, place)?;
                    let holder = &mut self.holders[number];
                    if holder.scope != activity {
                        let what = "a pointer chosen at run time".into();
                        return Err(Unmodelled { what, place });
                    }
                    holder.held = Some(held);
                    return Ok(());
                }
                let object = self.value(*object, place)?;
                match target {
                    Target::Own(pointer) => self.store(&pointer, object, activity),
                    Target::Shared(shared) => {
                        self.store_shared(&shared, object, instruction, activity)?;
                    }
                    Target::Holder(_) => return Err(Unmodelled::pointer_in_memory(place)),
                }
            }
            (Op::CopyMemory, [target, source, ..]) => {
                let source = self.pointer(*source, place)?;
                let target = self.pointer(*target, place)?;
                let object = self.load(&source);
                self.store(&target, object, activity);
            }
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
                self.call(instruction, *callee, arguments, activity)?;
            }
            (Op::Nop, _) => {}
            (Op::ExtInst, _) => {
                let name = self.program.extended(instruction).unwrap_or_default();
                let specification = self.specification.instructions.get(name.as_str()).cloned();
                let specification = specification.ok_or(Unmodelled { what: name, place })?;
                // The set and the number stand before the operands.
                self.step(instruction, &specification, &instruction.operands, 2, activity)?;
            }
            _ => {
                let specification =
                    specified(self.specification, instruction.opcode).ok_or_else(|| {
                        Unmodelled { what: format!("Op{:?}", instruction.opcode), place }
                    })?;
                self.step(instruction, &specification, &instruction.operands, 0, activity)?;
            }
        }
        Ok(())
    }

    fn result_type(&self, instruction: &Instruction) -> Result<Data, Unmodelled> {
        match &instruction.ty {
            Some(ty) => data(ty, instruction.place),
            None => Err(Unmodelled {
                what: format!("Op{:?} without a result", instruction.opcode),
                place: instruction.place,
            }),
        }
    }

    fn bind(&mut self, instruction: &Instruction, value: ValueId) {
        if let Some(id) = instruction.result {
            self.frame_mut().values.insert(id, value);
        }
    }

    fn bind_pointer(&mut self, instruction: &Instruction, pointer: Target) {
        if let Some(id) = instruction.result {
            self.frame_mut().pointers.insert(id, pointer);
        }
    }

    fn loaded(
        &mut self,
        pointer: Id,
        instruction: &Instruction,
        activity: ActivityId,
    ) -> Result<ValueId, Unmodelled> {
        let place = instruction.place;
        let built_in = self.program.globals.get(&pointer).and_then(|global| global.built_in);
        let Some(built_in) = built_in else {
            return match self.target(pointer, place)? {
                Target::Own(pointer) => Ok(self.load(&pointer)),
                Target::Shared(shared) => self.load_shared(&shared, instruction, activity),
                Target::Holder(_) => Err(Unmodelled::pointer_in_memory(place)),
            };
        };
        let name = format!("{built_in:?}");
        let Some(specified) = self.specification.built_ins.get(name.as_str()).cloned() else {
            return Err(Unmodelled { what: format!("the built-in {name}"), place });
        };
        let ty = self.result_type(instruction)?;
        let instance = Instance {
            arguments: Vec::new(),
            result: Some(ty.clone()),
            capabilities: self.capabilities.clone(),
            version: self.program.version,
        };
        Ok(self.flat.add(Value::BuiltIn(specified, instance), ty))
    }

    fn call(
        &mut self,
        instruction: &Instruction,
        callee: Id,
        arguments: &[Id],
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let Some(function) = self.program.function_by_id(callee) else {
            return Err(Unmodelled { what: self.program.name_of(callee), place });
        };
        if let Some(name) = &function.import {
            let primitive = self.specification.instructions.get(name.as_str());
            let Some(primitive) = primitive.filter(|it| it.primitive).cloned() else {
                return Err(Unmodelled { what: format!("the imported function {name}"), place });
            };
            let operands: Vec<Operand> = arguments.iter().map(|&id| Operand::IdRef(id)).collect();
            return self.step(instruction, &primitive, &operands, 0, activity);
        }
        if self.frames.len() > CALL_DEPTH {
            return Err(Unmodelled { what: "recursion".into(), place });
        }
        let mut frame = Frame::default();
        for (parameter, &argument) in function.parameters.iter().zip(arguments) {
            match &parameter.ty {
                Type::Pointer { .. } => {
                    let target = self.target(argument, place)?;
                    frame.pointers.insert(parameter.id, target);
                }
                Type::Image => {
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
        let result = self.body(function, activity)?;
        self.path.pop();
        self.frames.pop();
        if let Some(result) = result {
            self.bind(instruction, result);
        }
        Ok(())
    }

    /// The region of an image.
    fn image(&self, id: Id, place: Place) -> Result<usize, Unmodelled> {
        let known = self.frame().images.get(&id).copied();
        let what = || format!("the image {}", self.program.name_of(id));
        known.ok_or_else(|| Unmodelled { what: what(), place })
    }

    /// An instruction with a specification, whose operands are those of the module's from `first`
    /// on.
    fn step(
        &mut self,
        instruction: &Instruction,
        specification: &Arc<laneproof_semantics::language::ast::Instruction>,
        operands: &[Operand],
        first: usize,
        activity: ActivityId,
    ) -> Result<(), Unmodelled> {
        let place = instruction.place;
        let name = &specification.name;
        let operands = &operands[first..];
        for operand in operands {
            if let Some(id) = operand.id_ref_any()
                && !matches!(operand, Operand::IdScope(_) | Operand::IdMemorySemantics(_))
                && !self.is_pointer(id)
                && !self.frame().images.contains_key(&id)
            {
                self.value(id, place)?;
            }
        }
        let given = pair(specification, operands, self.program, |id| {
            self.frame().values.get(&id).map(|&value| self.flat.ty(value).clone())
        })
        .map_err(|what| Unmodelled { what: format!("{what} of {name}"), place })?;
        let mut arguments = Vec::new();
        let mut values: Vec<Vec<ValueId>> = Vec::new();
        let mut positions = Vec::new();
        let mut images = Vec::new();
        let mut pointers: Vec<Option<Address>> = Vec::new();
        for (given, position) in given {
            let mut pointer = None;
            let (argument, list) = match given {
                Given::Pointer(id) => {
                    let (address, ty) = self.step_pointer(id, place)?;
                    pointer = Some(address);
                    (Argument::Pointer(ty), Vec::new())
                }
                Given::Image(id) => {
                    images.push((arguments.len(), self.image(id, place)?));
                    (Argument::Image, Vec::new())
                }
                Given::Absent => (Argument::Absent, Vec::new()),
                Given::Argument(argument) => (argument, Vec::new()),
                Given::Value(id) => {
                    let value = self.value(id, place)?;
                    (Argument::Value(self.flat.ty(value).clone()), vec![value])
                }
                Given::Values(ids) => {
                    let mut list = Vec::new();
                    for id in ids {
                        list.push(self.value(id, place)?);
                    }
                    let types = list.iter().map(|&value| self.flat.ty(value).clone()).collect();
                    (Argument::Values(types), list)
                }
            };
            arguments.push(argument);
            values.push(list);
            positions.push(first + position);
            pointers.push(pointer);
        }
        for (operand, region) in images {
            let each = specification.operands.iter().zip(&values).filter(|(it, _)| it.each);
            let written: Vec<u32> = each
                .flat_map(|(_, values)| values)
                .filter_map(|&value| self.flat.ty(value).element())
                .map(Scalar::width)
                .collect();
            pointers[operand] = Some(self.step_image(region, written.into_iter()));
        }
        let result = match &instruction.ty {
            Some(Type::Void) | None => None,
            Some(ty) => Some(data(ty, place)?),
        };
        let step = StepId(self.flat.steps.len() as u32);
        let touches = pointers.iter().any(Option::is_some);
        let site = self.site(place);
        self.flat.steps.push(Step {
            instruction: specification.clone(),
            instance: Instance {
                arguments,
                result: result.clone(),
                capabilities: self.capabilities.clone(),
                version: self.program.version,
            },
            operands: values,
            positions,
            pointers,
            activity,
            site,
        });
        self.flat.events.push(Event::Step(step));
        if touches {
            self.memory_operands(operands, place)?;
            self.touch(Touch::Step(step), activity);
        }
        if let (Some(id), Some(ty)) = (instruction.result, result) {
            let value = self.flat.add(Value::Result(step), ty);
            self.bind(instruction, value);
            if self.flat.shown.iter().all(|shown| shown.id != id) {
                self.flat.shown.push(Shown { id, name: self.program.name_of(id), value });
            }
        }
        Ok(())
    }
}
