//! The registers on which a function's branches depend, and its accesses to memory.
//!
//! Where these are as they were, lanes go on as they went on, whatever the others hold.

use laneproof_module::spirv::Op;
use laneproof_module::{Id, InstructionClass, Operand, Terminator};

use super::{Plan, PlannedBlock, PlannedInstruction, PlannedItem};
use crate::ids::IdMap;

/// For each register of a function, whether it steers it.
pub(crate) fn steering(plan: &Plan<'_>) -> Vec<bool> {
    let mut graph = Graph::default();
    graph.region(&plan.region);
    let mut steers = vec![false; plan.registers];
    while let Some(id) = graph.pending.pop() {
        let Some(number) = plan.register(id) else { continue };
        if !std::mem::replace(&mut steers[number], true) {
            graph.pending.extend(graph.made_of.get(&id).into_iter().flatten());
        }
    }
    steers
}

#[derive(Default)]
struct Graph {
    made_of: IdMap<Vec<Id>>,
    /// What is known to steer.
    pending: Vec<Id>,
}

impl Graph {
    fn region(&mut self, region: &[PlannedItem<'_>]) {
        for item in region {
            match item {
                PlannedItem::Block(block) => self.block(block),
                PlannedItem::Loop(_, body) => self.region(body),
            }
        }
    }

    fn block(&mut self, planned: &PlannedBlock<'_>) {
        for phi in &planned.phis {
            let incoming = phi.incoming.iter().map(|(id, _)| *id).collect();
            self.made_of.insert(phi.phi.result, incoming);
        }
        for PlannedInstruction { instruction, .. } in &planned.instructions {
            let ids = instruction.operands.iter().filter_map(|operand| match operand {
                Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id) => {
                    Some(*id)
                }
                _ => None,
            });
            // A call may branch and store; whatever has no result stores, and so may an atomic.
            let class = InstructionClass::of(instruction.opcode);
            let atomic = class == InstructionClass::Atomic;
            let acts = atomic || instruction.opcode == Op::FunctionCall;
            match instruction.result.filter(|_| !acts) {
                Some(result) => _ = self.made_of.insert(result, ids.collect()),
                None => self.pending.extend(ids),
            }
        }
        match &planned.block.terminator {
            Terminator::Conditional { condition, .. } => self.pending.push(*condition),
            Terminator::Switch { selector, .. } => self.pending.push(*selector),
            _ => {}
        }
    }
}
