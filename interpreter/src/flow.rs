//! Structured control flow: every block is executed once by all lanes that reach it.
//!
//! The subgroups of a workgroup go in step, instruction by instruction. That is one of the
//! orders that a workgroup may run in, and it brings all of them to a barrier together.

use std::rc::Rc;

use laneproof_module::spirv::Op;
use laneproof_module::{Block, Function, Id, Instruction, Item, Loop, Region, Terminator};

use crate::frame::{Frame, Register, Slot};
use crate::function_call::call;
use crate::instruction;
use crate::lane::{lanes, lanes_where};
use crate::machine::{MAX_DEPTH, Machine, not_modelled, not_modelled_at, not_modelled_part};
use crate::outcome::Stop;
use crate::step::{Step, read_slot};
use crate::value::Value;
use crate::workgroup_step;

/// What a function is called with: by subgroup, a slot for each parameter.
pub(crate) type Arguments = Vec<Vec<Slot>>;

/// Executes a function from its first block, with the lanes of `entering` (by subgroup),
/// until no lane is left in it.
pub(crate) fn run<'p>(
    machine: &mut Machine<'p, '_>,
    function: &'p Function,
    arguments: Arguments,
    entering: &[u128],
) -> Result<Frame<'p>, Stop> {
    if machine.depth == MAX_DEPTH {
        return Err(not_modelled_part("OpFunctionCall", "calls nest too deep"));
    }
    let first = match function.body.items.first() {
        Some(Item::Block(block)) => block.label,
        Some(Item::Loop(inner)) => inner.header,
        None => {
            let why = function.unmodelled.clone().unwrap_or_else(|| "it has no body".into());
            return Err(not_modelled_at("OpFunction", function.place, why));
        }
    };
    let sizes = machine.groups.iter().map(|group| group.sizes.existing);
    let mut frame = Frame::new(sizes);
    for ((group, slots), set) in frame.groups.iter_mut().zip(arguments).zip(entering) {
        for (parameter, slot) in function.parameters.iter().zip(slots) {
            group.registers.insert(parameter.id, Register { ty: &parameter.ty, slot });
        }
        group.waiting.insert(first, *set);
    }
    let (variables, held) = (machine.memory.len(), machine.held);
    machine.depth += 1;
    let mut activation = Activation { machine, frame };
    activation.region(&function.body)?;
    let Activation { machine, frame } = activation;
    machine.depth -= 1;
    if machine.depth > 0 {
        machine.memory.truncate(variables);
        machine.held = held;
    }
    let stray = frame.groups.iter().any(|group| group.waiting.values().any(|set| *set != 0));
    if stray {
        return Err(not_modelled_part("OpBranch", "a branch that leaves its construct"));
    }
    Ok(frame)
}

/// A function in execution.
struct Activation<'m, 'p, 'c> {
    machine: &'m mut Machine<'p, 'c>,
    frame: Frame<'p>,
}

impl<'p, 'c> Activation<'_, 'p, 'c> {
    fn region(&mut self, region: &'p Region) -> Result<(), Stop> {
        for item in &region.items {
            match item {
                Item::Block(block) => {
                    let mut active = self.take(block.label);
                    if active.iter().any(|set| *set != 0) {
                        self.block(block, &mut active)?;
                    }
                }
                Item::Loop(inner) => self.iterate(inner)?,
            }
        }
        Ok(())
    }

    /// The lanes that wait at a label, by subgroup; they wait no more.
    fn take(&mut self, label: Id) -> Vec<u128> {
        let groups = self.frame.groups.iter_mut();
        groups.map(|group| group.waiting.remove(&label).unwrap_or_default()).collect()
    }

    /// Iterations until no lane comes back to the header. Lanes that break wait at the merge
    /// block meanwhile.
    fn iterate(&mut self, inner: &'p Loop) -> Result<(), Stop> {
        self.machine.path.push(0);
        loop {
            let header = self.frame.groups.iter().map(|group| group.waiting.get(&inner.header));
            if header.flatten().all(|set| *set == 0) {
                break;
            }
            self.machine.tick()?;
            self.region(&inner.body)?;
            if let Some(iteration) = self.machine.path.last_mut() {
                *iteration = iteration.saturating_add(1);
            }
        }
        self.machine.path.pop();
        Ok(())
    }

    fn block(&mut self, block: &'p Block, active: &mut [u128]) -> Result<(), Stop> {
        self.phis(block, active)?;
        for instruction in &block.instructions {
            self.machine.tick()?;
            match instruction.opcode {
                Op::FunctionCall => call(self.machine, &mut self.frame, instruction, active)?,
                Op::ControlBarrier => self.barrier(instruction, active)?,
                _ if workgroup_step::is_one(self.machine, instruction) => {
                    workgroup_step::execute(self.machine, &mut self.frame, instruction, active)?;
                }
                _ => {
                    for group in 0..active.len() {
                        if active[group] != 0 {
                            instruction::execute(&mut self.step(group, active, instruction))?;
                        }
                    }
                }
            }
            if active.iter().all(|set| *set == 0) {
                return Ok(());
            }
        }
        for (group, set) in active.iter().enumerate() {
            if *set != 0 {
                self.terminate(block, group, *set)?;
            }
        }
        Ok(())
    }

    fn step<'s>(
        &'s mut self,
        group: usize,
        active: &[u128],
        instruction: &'p Instruction,
    ) -> Step<'s, 'p, 'c> {
        Step {
            machine: self.machine,
            frame: &mut self.frame.groups[group],
            group,
            active: active[group],
            instruction,
        }
    }

    /// All phis of a block at once: each lane takes what its own predecessor brings.
    fn phis(&mut self, block: &'p Block, active: &[u128]) -> Result<(), Stop> {
        for (group, set) in active.iter().enumerate() {
            let mut merged = Vec::with_capacity(block.phis.len());
            for phi in &block.phis {
                let mut result: Option<Slot> = None;
                let mut served = 0;
                for (value, predecessor) in &phi.incoming {
                    let from =
                        lanes_where(*set, |lane| self.came_from(group, lane) == *predecessor);
                    if from == 0 {
                        continue;
                    }
                    served |= from;
                    let frame = &self.frame.groups[group];
                    let slot = read_slot(self.machine, frame, group, *value).ok_or_else(|| {
                        not_modelled_at("OpPhi", phi.place, "an <id> without a value")
                    })?;
                    match &mut result {
                        Some(result) => result.copy_lanes(&slot, from),
                        None => result = Some(slot),
                    }
                }
                if served != *set {
                    return Err(not_modelled_at(
                        "OpPhi",
                        phi.place,
                        "a predecessor that it does not list",
                    ));
                }
                merged.extend(result.map(|slot| (phi, slot)));
            }
            for (phi, slot) in merged {
                if let (Slot::Data(value), 0) = (&slot, group) {
                    let existing = self.machine.groups[group].sizes.existing;
                    self.machine.record(phi.result, value, *set, existing);
                }
                self.machine.write(slot.cells())?;
                match self.frame.groups[group].registers.get_mut(&phi.result) {
                    Some(register) => register.slot.copy_lanes(&slot, *set),
                    None => {
                        self.machine.hold(slot.cells())?;
                        let register = Register { ty: &phi.ty, slot };
                        self.frame.groups[group].registers.insert(phi.result, register);
                    }
                }
            }
        }
        Ok(())
    }

    fn came_from(&self, group: usize, lane: u32) -> Id {
        self.frame.groups[group].came_from[lane as usize]
    }

    fn terminate(&mut self, block: &Block, group: usize, active: u128) -> Result<(), Stop> {
        match &block.terminator {
            Terminator::Branch(target) => self.go(block.label, group, *target, active),
            Terminator::Conditional { condition, then, otherwise } => {
                let condition = self.decides(block, group, active, *condition)?;
                let taken = lanes_where(active, |lane| condition.bits(0, lane) & 1 == 1);
                self.go(block.label, group, *then, taken);
                self.go(block.label, group, *otherwise, active & !taken);
            }
            Terminator::Switch { selector, default, cases } => {
                let selector = self.decides(block, group, active, *selector)?;
                for lane in lanes(active) {
                    let value = selector.bits(0, lane);
                    let case = cases.iter().find(|(literal, _)| *literal == value);
                    let target = case.map_or(*default, |(_, target)| *target);
                    self.go(block.label, group, target, 1 << lane);
                }
            }
            Terminator::Return => {
                let frame = &mut self.frame.groups[group];
                let existing = self.machine.groups[group].sizes.existing;
                frame
                    .result
                    .get_or_insert_with(|| Slot::Data(Rc::new(Value::undefined(0, existing))));
                frame.returned |= active;
            }
            Terminator::ReturnValue(id) => {
                let frame = &mut self.frame.groups[group];
                let slot = read_slot(self.machine, frame, group, *id).ok_or_else(|| {
                    not_modelled_at("OpReturnValue", block.end, "an <id> without a value")
                })?;
                match &mut frame.result {
                    Some(result) => result.copy_lanes(&slot, active),
                    None => frame.result = Some(slot),
                }
                frame.returned |= active;
            }
            Terminator::Kill => {}
            Terminator::Unreachable => {
                return Err(self.behavior(block, group, active, "OpUnreachable", "it is reached"));
            }
        }
        Ok(())
    }

    /// Sends lanes to a block.
    fn go(&mut self, from: Id, group: usize, target: Id, set: u128) {
        let frame = &mut self.frame.groups[group];
        *frame.waiting.entry(target).or_default() |= set;
        for lane in lanes(set) {
            frame.came_from[lane as usize] = from;
        }
    }

    /// The value that a branch decides by. An undefined one is undefined behavior.
    fn decides(
        &self,
        block: &Block,
        group: usize,
        active: u128,
        id: Id,
    ) -> Result<Rc<Value>, Stop> {
        let slot = read_slot(self.machine, &self.frame.groups[group], group, id);
        let Some(Slot::Data(value)) = slot else {
            return Err(not_modelled_at(
                "OpBranchConditional",
                block.end,
                "an <id> without a value",
            ));
        };
        let marked = lanes_where(active, |lane| value.get(0, lane).is_none());
        if marked != 0 {
            let name = match block.terminator {
                Terminator::Switch { .. } => "OpSwitch",
                _ => "OpBranchConditional",
            };
            return Err(self.behavior(block, group, marked, name, "branch on an undefined value"));
        }
        Ok(value)
    }

    /// Undefined behavior in a terminator.
    fn behavior(
        &self,
        block: &Block,
        group: usize,
        set: u128,
        instruction: &str,
        reason: &str,
    ) -> Stop {
        Stop::UndefinedBehavior {
            site: self.machine.site(group, block.end.word),
            instruction: instruction.into(),
            lanes: lanes(set).collect(),
            reason: reason.into(),
        }
    }

    /// `OpControlBarrier`: at workgroup scope every lane that entered must be there.
    fn barrier(&mut self, instruction: &'p Instruction, active: &[u128]) -> Result<(), Stop> {
        const WORKGROUP: u64 = 2;
        const SUBGROUP: u64 = 3;
        let Some(group) = active.iter().position(|set| *set != 0) else { return Ok(()) };
        let scope = self.step(group, active, instruction).constant(0)?;
        match scope {
            SUBGROUP => return Ok(()),
            WORKGROUP => {}
            _ => return Err(not_modelled(instruction, "a scope other than Workgroup, Subgroup")),
        }
        for group in 0..active.len() {
            let missing = self.machine.groups[group].entered & !active[group];
            self.step(group, active, instruction)
                .behavior_unless(missing, "not every invocation of the workgroup reaches it")?;
        }
        Ok(())
    }
}
