//! Which of the lanes that reach a block execute it together: in switches, and everywhere where
//! lanes need not reconverge at merge blocks.

use laneproof_module::spirv::Op;
use laneproof_module::{Instruction, Operand, Site};

use super::Activation;
use crate::lane::lanes;
use crate::machine::{not_modelled, not_modelled_at};
use crate::outcome::Stop;
use crate::plan::{Construct, PlannedBlock, PlannedInstruction};
use crate::reading::SwitchTangles;
use crate::tangle::Leaving;
use crate::ways::{Way, Ways};
use crate::workgroup_step;

const LEFT_OPEN: &str = "which lanes execute it together is left open (reading `reconvergence`)";

impl<'p> Activation<'_, 'p, '_> {
    /// Lanes of one block need not be together, where that is planned.
    pub(super) fn may_be_apart(&self) -> bool {
        self.frame.ways.is_some() || self.switches_split()
    }

    /// Lanes of a switch need not be together.
    fn switches_split(&self) -> bool {
        self.machine.options.readings.tangles.switches == SwitchTangles::ImplementationChooses
    }

    /// Lanes come to a block: where it is a case, chooses which of them are together.
    pub(super) fn arrange(
        &mut self,
        planned: &PlannedBlock<'p>,
        active: &[u128],
    ) -> Result<(), Stop> {
        let PlannedBlock { block, number, arrangement, .. } = planned;
        if let Some(ways) = &mut self.frame.ways {
            ways.arrive(*number, block.label, active);
            return Ok(());
        }
        if arrangement.gathers.is_none() {
            return Ok(());
        }
        if self.machine.options.follow && self.frame.tangles.joinable(*number) > 1 {
            let why = "which lanes execute a case together is left open";
            return Err(not_modelled_at("OpSwitch", block.end, why));
        }
        let site = Site { path: self.machine.calls.path.clone(), word: block.end.word };
        let choices = &mut *self.machine.choices;
        self.frame.tangles.arrange(*number, arrangement.node, &site, choices);
        Ok(())
    }

    /// Lanes leave for a block where they are arranged.
    pub(super) fn leave(
        &mut self,
        planned: &PlannedBlock<'p>,
        group: usize,
        (block, home): (usize, usize),
        set: u128,
        selector: Option<u64>,
    ) {
        let splits = self.switches_split();
        if let Some(ways) = &mut self.frame.ways {
            let selector = selector.filter(|_| splits);
            ways.leave(Way { target: Some(block), selector }, group, set);
            return;
        }
        // Lanes that iterate in a loop stay together.
        if block > planned.number && splits {
            let (label, node) = (planned.block.label, planned.arrangement.node);
            let leaving = Leaving { block, label, selector, node, home };
            lanes(set).for_each(|lane| self.frame.tangles.leave(&leaving, group, lane));
        }
    }

    /// Lanes go back to the caller.
    pub(super) fn go_back(&mut self, group: usize, set: u128) {
        if let Some(ways) = &mut self.frame.ways {
            ways.leave(Way { target: None, selector: None }, group, set);
        }
    }

    /// All lanes of a block have left it.
    pub(super) fn depart(&mut self, planned: &PlannedBlock<'p>) {
        let Some(ways) = &mut self.frame.ways else { return };
        // Lanes enter a loop in its first iteration.
        let enters = self.machine.calls.path.last() == Some(&0);
        match planned.arrangement.construct {
            Some(Construct::Selection(merge)) => ways.promise(merge),
            Some(Construct::Loop(merge)) if enters => ways.promise(merge),
            Some(Construct::Loop(_)) | None => {}
        }
        ways.depart();
    }

    /// Executes an instruction once for each tangle.
    pub(super) fn tangle_by_tangle(
        &mut self,
        planned: &PlannedBlock<'p>,
        step: &PlannedInstruction<'p>,
        active: &mut [u128],
    ) -> Result<(), Stop> {
        if self.frame.ways.is_some() {
            return self.class_by_class(step, active);
        }
        let lanes: u32 = active.iter().map(|set| set.count_ones()).sum();
        if planned.arrangement.unclear && lanes > 1 {
            let why = "lanes of several cases meet before the switch ends";
            return Err(not_modelled_at("OpSwitch", planned.block.end, why));
        }
        let mut left = vec![0; active.len()];
        for mut tangle in self.frame.tangles.apart(planned.arrangement.node, active) {
            self.instruction(step, &mut tangle)?;
            left.iter_mut().zip(tangle).for_each(|(left, set)| *left |= set);
        }
        active.copy_from_slice(&left);
        Ok(())
    }

    /// The same where lanes need not reconverge at merge blocks.
    fn class_by_class(
        &mut self,
        step: &PlannedInstruction<'p>,
        active: &mut [u128],
    ) -> Result<(), Stop> {
        let instruction = step.instruction;
        match instruction.opcode {
            // Which lanes are together matters to what is called, and changes on the way.
            Op::FunctionCall if self.has_body(instruction) => {
                return self.instruction(step, active);
            }
            // It orders the memory of each lane, whichever are with it.
            Op::MemoryBarrier => return self.instruction(step, active),
            Op::ControlBarrier => {
                self.come_together(instruction, active)?;
                return self.instruction(step, active);
            }
            _ => {}
        }
        if self.is_whole(active) {
            return self.instruction(step, active);
        }
        let alone = active.iter().map(|set| set.count_ones()).sum::<u32>() == 1;
        if !alone && active.len() > 1 && workgroup_step::is_one(self.machine, instruction) {
            return Err(not_modelled(instruction, LEFT_OPEN));
        }
        self.choose(instruction, active)?;
        let tangles = self.frame.ways.as_ref().map_or_else(Vec::new, |ways| ways.now(active));
        for tangle in tangles {
            let mut alone = vec![0; active.len()];
            alone[tangle.group] = tangle.lanes;
            self.instruction(step, &mut alone)?;
        }
        Ok(())
    }

    /// All lanes that entered are here, together.
    fn is_whole(&self, active: &[u128]) -> bool {
        self.frame.ways.as_ref().is_some_and(|ways| ways.has_all(active))
    }

    /// A function of the module is called.
    fn has_body(&self, instruction: &Instruction) -> bool {
        let Some(Operand::IdRef(callee)) = instruction.operands.first() else { return false };
        let function = self.machine.program.function_by_id(*callee);
        function.is_some_and(|it| it.import.is_none() || !it.body.items.is_empty())
    }

    /// Chooses which classes of the lanes of a block are joined.
    fn choose(&mut self, instruction: &'p Instruction, active: &[u128]) -> Result<(), Stop> {
        let Some(ways) = self.frame.ways.as_ref().filter(|ways| ways.is_open()) else {
            return Ok(());
        };
        let classes = ways.now(active);
        let mut tangles: Vec<(usize, u128)> = Vec::new();
        for class in classes {
            let of_group = |it: &&mut (usize, u128)| it.0 == class.group;
            let mut near: Vec<&mut (usize, u128)> = tangles.iter_mut().filter(of_group).collect();
            if near.is_empty() {
                tangles.push((class.group, class.lanes));
                continue;
            }
            if self.machine.options.follow {
                return Err(not_modelled(instruction, LEFT_OPEN));
            }
            let site = self.machine.site(class.group, instruction.place.word);
            let choice = self.machine.choices.pick(&site, near.len() as u64 + 1);
            match usize::try_from(choice).ok().and_then(|choice| near.get_mut(choice)) {
                Some(tangle) => tangle.1 |= class.lanes,
                None => tangles.push((class.group, class.lanes)),
            }
        }
        if let Some(ways) = &mut self.frame.ways {
            ways.join(tangles);
        }
        Ok(())
    }

    /// A barrier that all lanes reach, which need not be together there, is not supported.
    fn come_together(&self, instruction: &Instruction, active: &[u128]) -> Result<(), Stop> {
        let groups = &self.machine.groups;
        let reached = |group: usize| active[group] == groups[group].entered && active[group] != 0;
        let several = |ways: &Ways, group: usize| ways.classes(group, active[group]).count() > 1;
        let Some(ways) = &self.frame.ways else { return Ok(()) };
        let open = match workgroup_step::is_one(self.machine, instruction) {
            true => (0..active.len()).all(reached) && !ways.has_all(active),
            false => (0..active.len()).any(|group| reached(group) && several(ways, group)),
        };
        if open { Err(not_modelled(instruction, LEFT_OPEN)) } else { Ok(()) }
    }
}
