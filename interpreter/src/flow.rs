//! Structured control flow: every block is executed once by all lanes that reach it.
//!
//! The subgroups of a workgroup go in step, instruction by instruction. That is one of the
//! orders that a workgroup may run in, and it brings all of them to a barrier together.

mod function_call;
mod tangles;

use std::rc::Rc;

use laneproof_module::spirv::Op;
use laneproof_module::{Block, Function, Id, Instruction, Terminator};

use crate::endless::Watch;
use crate::fence::Fence;
use crate::frame::{Frame, Register, Slot};
use crate::instruction;
use crate::lane::{lanes, lanes_where};
use crate::machine::{MAX_DEPTH, Machine, not_modelled, not_modelled_at, not_modelled_part};
use crate::memory::Orders;
use crate::outcome::Stop;
use crate::phi;
use crate::plan::{PlannedBlock, PlannedInstruction, PlannedItem, Target};
use crate::reading::Reconvergence;
use crate::step::{Step, read_slot};
use crate::value::Value;
use crate::ways::{Class, Ways};
use crate::workgroup_step;
use function_call::call;

/// The arguments of a function: by subgroup, a slot for each parameter.
pub(crate) type Arguments = Vec<Vec<Slot>>;

/// Executes a function from its first block, with the lanes of `entering` (by subgroup), until no
/// lane is left in it. `classes`: which of them are together, unless all are.
pub(crate) fn run<'p>(
    machine: &mut Machine<'p, '_>,
    function: &'p Function,
    arguments: Arguments,
    entering: &[u128],
    classes: Option<Vec<Class>>,
) -> Result<Frame<'p>, Stop> {
    if machine.calls.depth == MAX_DEPTH {
        return Err(not_modelled_part("OpFunctionCall", "calls nest too deep"));
    }
    if function.body.items.is_empty() {
        let why = function.unmodelled.clone().unwrap_or_else(|| "it has no body".into());
        return Err(not_modelled_at("OpFunction", function.place, why));
    }
    let plan = machine.plan(function);
    let mut frame = Frame::new(&plan, machine.groups.len());
    for ((group, slots), set) in frame.groups.iter_mut().zip(arguments).zip(entering) {
        // Parameters have the first registers.
        for ((place, parameter), slot) in
            group.registers.iter_mut().zip(&function.parameters).zip(slots)
        {
            *place = Some(Register { ty: &parameter.ty, slot });
        }
        if let Some(first) = plan.region.first() {
            group.waiting[first.number()] = *set;
        }
    }
    if machine.options.readings.tangles.reconvergence == Reconvergence::UniformControlFlow {
        let entered = machine.groups.iter().map(|group| group.entered).collect();
        let classes = classes.unwrap_or_else(|| Ways::together(entering));
        let first = plan.region.first().map_or(0, PlannedItem::number);
        frame.ways = Some(Box::new(Ways::enter(entered, plan.blocks, first, classes)));
    }
    let (variables, held) = (machine.memory.len(), machine.budget.held);
    machine.calls.depth += 1;
    let active = vec![0; frame.groups.len()];
    let mut activation = Activation { machine, frame, active };
    activation.region(&plan.region)?;
    let Activation { machine, frame, .. } = activation;
    machine.calls.depth -= 1;
    if machine.calls.depth > 0 {
        machine.memory.truncate(variables);
        machine.budget.held = held;
    }
    let stray = frame.groups.iter().any(|group| group.waiting.iter().any(|set| *set != 0));
    if stray {
        return Err(not_modelled_part("OpBranch", "a branch that leaves its construct"));
    }
    Ok(frame)
}

/// A function in execution.
struct Activation<'m, 'p, 'c> {
    machine: &'m mut Machine<'p, 'c>,
    frame: Frame<'p>,
    /// Room for the lanes that execute a block, by subgroup, while none is executed.
    active: Vec<u128>,
}

impl<'p, 'c> Activation<'_, 'p, 'c> {
    fn region(&mut self, region: &[PlannedItem<'p>]) -> Result<(), Stop> {
        for item in region {
            match item {
                PlannedItem::Block(block) => {
                    let mut active = std::mem::take(&mut self.active);
                    for (group, set) in self.frame.groups.iter_mut().zip(&mut active) {
                        *set = std::mem::take(&mut group.waiting[block.number]);
                    }
                    if active.iter().any(|set| *set != 0) {
                        self.block(block, &mut active)?;
                    }
                    self.active = active;
                }
                PlannedItem::Loop(header, body) => self.iterate(*header, body)?,
            }
        }
        Ok(())
    }

    /// Iterations until no lane comes back to the header. Lanes that break wait at the merge
    /// block meanwhile.
    fn iterate(&mut self, header: usize, body: &[PlannedItem<'p>]) -> Result<(), Stop> {
        self.machine.calls.path.push(0);
        let mut watch = Watch::default();
        while self.frame.groups.iter().any(|group| group.waiting[header] != 0) {
            self.machine.tick()?;
            if watch.came_back(&self.frame, self.machine) {
                let group = self.frame.groups.iter().find(|group| group.waiting[header] != 0);
                let going = group.map_or(0, |group| group.waiting[header]);
                return Err(Stop::Endless { lanes: lanes(going).collect() });
            }
            self.region(body)?;
            if let Some(iteration) = self.machine.calls.path.last_mut() {
                *iteration = iteration.saturating_add(1);
            }
        }
        self.machine.calls.path.pop();
        Ok(())
    }

    fn block(&mut self, planned: &PlannedBlock<'p>, active: &mut [u128]) -> Result<(), Stop> {
        phi::execute(self.machine, &mut self.frame, planned, active)?;
        let apart = planned.arrangement.node != 0 && self.may_be_apart();
        if apart {
            self.arrange(planned, active)?;
        }
        for step in &planned.instructions {
            if apart && step.looks_around {
                self.tangle_by_tangle(planned, step, active)?;
            } else {
                self.instruction(step, active)?;
            }
            if active.iter().all(|set| *set == 0) {
                return Ok(());
            }
        }
        for (group, set) in active.iter().enumerate() {
            if *set != 0 {
                self.terminate(planned, group, *set)?;
            }
        }
        if apart {
            self.depart(planned);
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        PlannedInstruction { instruction, hot, .. }: &PlannedInstruction<'p>,
        active: &mut [u128],
    ) -> Result<(), Stop> {
        self.machine.tick()?;
        match (hot, instruction.opcode) {
            (Some(hot), _) => {
                for group in 0..active.len() {
                    let set = active[group];
                    // Short forms know of no helpers.
                    let helped = self.machine.groups[group].helpers != 0;
                    let frame = &mut self.frame.groups[group];
                    if set != 0 && (helped || !hot.execute(self.machine, frame, group, set)?) {
                        instruction::execute(&mut self.step(group, active, instruction))?;
                    }
                }
            }
            (_, Op::FunctionCall) => call(self.machine, &mut self.frame, instruction, active)?,
            (_, Op::ControlBarrier) => self.barrier(instruction, active)?,
            (_, Op::MemoryBarrier) => self.memory_barrier(instruction, active)?,
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

    fn terminate(
        &mut self,
        planned: &PlannedBlock<'p>,
        group: usize,
        active: u128,
    ) -> Result<(), Stop> {
        let PlannedBlock { block, targets, .. } = planned;
        match (&block.terminator, &**targets) {
            (Terminator::Branch(_), [target]) => {
                self.go(planned, group, *target, active, None);
            }
            (Terminator::Conditional { condition, .. }, [then, otherwise]) => {
                let condition = self.decides(block, group, active, *condition)?;
                let taken = lanes_where(active, |lane| condition.bits(0, lane) & 1 == 1);
                self.go(planned, group, *then, taken, None);
                self.go(planned, group, *otherwise, active & !taken, None);
            }
            (Terminator::Switch { selector, cases, .. }, [default, targets @ ..]) => {
                let selector = self.decides(block, group, active, *selector)?;
                for lane in lanes(active) {
                    let value = selector.bits(0, lane);
                    let case = cases.iter().position(|(literal, _)| *literal == value);
                    let target = case.and_then(|case| targets.get(case)).unwrap_or(default);
                    self.go(planned, group, *target, 1 << lane, Some(value));
                }
            }
            (Terminator::Return, _) => {
                let frame = &mut self.frame.groups[group];
                let existing = self.machine.groups[group].sizes.existing;
                frame
                    .result
                    .get_or_insert_with(|| Slot::Data(Rc::new(Value::undefined(0, existing))));
                frame.returned |= active;
                self.go_back(group, active);
            }
            (Terminator::ReturnValue(id), _) => {
                let frame = &mut self.frame.groups[group];
                let slot = read_slot(self.machine, frame, group, *id).ok_or_else(|| {
                    not_modelled_at("OpReturnValue", block.end, "an <id> without a value")
                })?;
                match &mut frame.result {
                    Some(result) => result.copy_lanes(&slot, active),
                    None => frame.result = Some(slot),
                }
                frame.returned |= active;
                self.go_back(group, active);
            }
            (Terminator::Kill, _) => {
                let site = self.machine.site(group, block.end.word);
                let demotes = self.machine.kill_demotes(&site);
                let helpers = &mut self.machine.groups[group].helpers;
                *helpers = if demotes { *helpers | active } else { *helpers & !active };
            }
            (Terminator::Terminate, _) => self.machine.groups[group].helpers &= !active,
            (Terminator::Unreachable, _) => {
                return Err(self.behavior(block, group, active, "OpUnreachable", "it is reached"));
            }
            (
                Terminator::Branch(_) | Terminator::Conditional { .. } | Terminator::Switch { .. },
                _,
            ) => {
                return Err(not_modelled_at("OpBranch", block.end, "other targets than it names"));
            }
        }
        Ok(())
    }

    /// Sends lanes to a block; for a case of a switch, with the selector's value.
    fn go(
        &mut self,
        planned: &PlannedBlock<'p>,
        group: usize,
        target: Target,
        set: u128,
        selector: Option<u64>,
    ) {
        if let Some(home) = target.gathers {
            self.leave(planned, group, (target.block, home), set, selector);
        }
        let frame = &mut self.frame.groups[group];
        frame.waiting[target.block] |= set;
        if let Some(edge) = target.edge {
            frame.arrived[edge] |= set;
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
        if lanes_where(active, |lane| {
            self.machine.choices.stands_for(value.bits(0, lane)).is_some()
        }) != 0
        {
            return Err(not_modelled_at("OpSwitch", block.end, "what decides it is left open"));
        }
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

    /// `OpControlBarrier`: at workgroup scope every lane must be there, in kernels at subgroup scope,
    /// too. In shaders that puts nothing in order unless every lane that entered is there.
    fn barrier(&mut self, instruction: &'p Instruction, active: &[u128]) -> Result<(), Stop> {
        const WORKGROUP: u64 = 2;
        const SUBGROUP: u64 = 3;
        const INVOCATION: u64 = 4;
        let Some(group) = active.iter().position(|set| *set != 0) else { return Ok(()) };
        let scope = self.step(group, active, instruction).constant(0)?;
        let memory = self.step(group, active, instruction).constant(1)?;
        let orders = self.ordered(group, instruction, active)?;
        let orders = if memory == INVOCATION { Orders::default() } else { orders };
        match scope {
            SUBGROUP => {
                // OpenCL SPIR-V environment, Validation Rules; elsewhere a reading.
                let some_may = !self.machine.program.is_kernel()
                    || self.machine.options.readings.barriers_of_some;
                for group in (0..active.len()).filter(|group| active[*group] != 0) {
                    let missing = self.machine.groups[group].sizes.lanes() & !active[group];
                    let missing = if some_may { 0 } else { missing };
                    self.step(group, active, instruction).behavior_unless(
                        missing,
                        "not every invocation of the subgroup reaches it",
                    )?;
                }
                let mut whole_group = true;
                for (group, set) in active.iter().enumerate() {
                    let whole = *set == self.machine.groups[group].entered;
                    whole_group &= whole;
                    if whole {
                        self.machine.memory.barrier(Some(group), orders);
                    }
                }
                // There is no other lane whose updates may come in between.
                if whole_group && active.len() == 1 && orders.workgroup && orders.buffers {
                    self.machine.serialization.barrier();
                }
                return Ok(());
            }
            WORKGROUP => {}
            _ => return Err(not_modelled(instruction, "a scope other than Workgroup, Subgroup")),
        }
        for group in 0..active.len() {
            let missing = self.machine.groups[group].sizes.lanes() & !active[group];
            self.step(group, active, instruction)
                .behavior_unless(missing, "not every invocation of the workgroup reaches it")?;
        }
        if memory == SUBGROUP {
            let groups = 0..active.len();
            groups.for_each(|group| self.machine.memory.barrier(Some(group), orders));
            return Ok(());
        }
        self.machine.memory.barrier(None, orders);
        self.machine.memory.wait(all_groups(active));
        if orders.workgroup && orders.buffers {
            self.machine.serialization.barrier();
        }
        Ok(())
    }

    /// `OpMemoryBarrier`. Lanes run one after the other, and what barriers order is in order already; only
    /// which lanes race depends on it. OpenCL's fences order by atomics alone.
    fn memory_barrier(
        &mut self,
        instruction: &'p Instruction,
        active: &[u128],
    ) -> Result<(), Stop> {
        const RELEASING: u64 = 0x4 | 0x8 | 0x10;
        const ACQUIRING: u64 = 0x2 | 0x8 | 0x10;
        if self.machine.program.is_kernel() {
            return Ok(());
        }
        for group in (0..active.len()).filter(|group| active[*group] != 0) {
            let step = self.step(group, active, instruction);
            // Device, workgroup, queue family.
            let wide = matches!(step.constant(0)?, 1 | 2 | 5);
            let semantics = step.constant(1)?;
            if wide && active[group] == self.machine.groups[group].sizes.lanes() {
                let [releases, acquires] = [RELEASING, ACQUIRING].map(|ways| semantics & ways != 0);
                let fence = Fence { releases, acquires };
                let all = all_groups(active);
                let orders = Orders::named(semantics, self.machine.program);
                self.machine.memory.fence(fence, group, all, orders);
            }
        }
        Ok(())
    }

    /// The memory that a barrier's semantics name; all memory by default.
    fn ordered(
        &mut self,
        group: usize,
        instruction: &'p Instruction,
        active: &[u128],
    ) -> Result<Orders, Stop> {
        const BOTH: u64 = 0x8 | 0x10;
        if !self.machine.options.fences && !self.machine.options.races {
            return Ok(Orders { workgroup: true, buffers: true, images: true });
        }
        let semantics = self.step(group, active, instruction).constant(2)?;
        Ok(match semantics & BOTH {
            0 => Orders::default(),
            _ => Orders::named(semantics, self.machine.program),
        })
    }
}

/// All subgroups, as a set of their numbers.
fn all_groups(active: &[u128]) -> u128 {
    u128::MAX >> (128 - active.len().clamp(1, 128))
}
