//! How a function becomes a [`Plan`]: one walk that numbers everything, one that decodes.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use laneproof_module::{
    Block, Function, Id, Instruction, Item, ModuleType, Program, Region, Terminator,
};
use laneproof_semantics::Scalar;

use super::tangles::{Arrangements, arrange, looks_around};
use super::{Plan, PlannedBlock, PlannedInstruction, PlannedItem, PlannedPhi, Target};
use crate::hot::{Hot, Operands};
use crate::ids::IdMap;
use crate::operand::{Known, Source};
use crate::reading::Reconvergence;
use crate::shape;
use crate::value::Value;

/// Constants with more scalars are not spread over lanes in advance.
const MAX_LEAVES: usize = 16;

/// Which instructions have no short form, whatever they are.
pub(crate) type InFull<'f> = &'f dyn Fn(&Instruction) -> bool;

/// What is known while a function is decoded.
pub(crate) struct Decoder<'p, 'f> {
    program: &'p Program,
    lanes: u32,
    in_full: InFull<'f>,
    numbers: IdMap<Source>,
    /// By register: scalar or component type and number of components, where it has them.
    shapes: Vec<Option<(Scalar, usize)>>,
    constants: Vec<Rc<Value>>,
    labels: IdMap<Label>,
    edges: usize,
    arrangements: Arrangements,
}

/// What is known of a block before it is decoded.
#[derive(Default)]
struct Label {
    number: usize,
    /// The number of the first edge that its phis tell apart.
    first_edge: usize,
    /// Where those edges come from.
    predecessors: Vec<Id>,
}

impl<'p, 'f> Decoder<'p, 'f> {
    /// A decoder that knows nothing yet.
    pub fn new(program: &'p Program, lanes: u32, in_full: InFull<'f>) -> Self {
        Self {
            program,
            lanes,
            in_full,
            numbers: IdMap::default(),
            shapes: Vec::new(),
            constants: Vec::new(),
            labels: IdMap::default(),
            edges: 0,
            arrangements: Arrangements::default(),
        }
    }

    /// Decodes a function.
    pub fn function(mut self, function: &'p Function, reconvergence: Reconvergence) -> Plan<'p> {
        for parameter in &function.parameters {
            self.register(parameter.id, &parameter.ty);
        }
        self.number_blocks(&function.body);
        self.arrangements = match reconvergence {
            Reconvergence::MergeBlocks => arrange(self.program, function),
            Reconvergence::UniformControlFlow => Arrangements::everywhere(function),
        };
        let region = self.region(&function.body);
        Plan {
            registers: self.shapes.len(),
            blocks: self.labels.len(),
            edges: self.edges,
            nodes: self.arrangements.nodes,
            region,
            numbers: self.numbers,
            constants: self.constants,
        }
    }

    /// Gives every result a register, every block a number, and every edge to a phi one.
    fn number_blocks(&mut self, region: &'p Region) {
        for item in &region.items {
            match item {
                Item::Block(block) => self.number_block(block),
                Item::Loop(inner) => self.number_blocks(&inner.body),
            }
        }
    }

    fn number_block(&mut self, block: &'p Block) {
        let mut predecessors: Vec<Id> = Vec::new();
        for phi in &block.phis {
            self.register(phi.result, &phi.ty);
            for (_, predecessor) in &phi.incoming {
                if !predecessors.contains(predecessor) {
                    predecessors.push(*predecessor);
                }
            }
        }
        let first_edge = self.edges;
        self.edges += predecessors.len();
        let number = self.label(block.label).number;
        self.labels.insert(block.label, Label { number, first_edge, predecessors });
        for instruction in &block.instructions {
            if let (Some(id), Some(ty)) = (instruction.result, &instruction.ty) {
                self.register(id, ty);
            }
        }
    }

    fn register(&mut self, id: Id, ty: &'p ModuleType) {
        if let Entry::Vacant(entry) = self.numbers.entry(id) {
            entry.insert(Source::Register(self.shapes.len()));
            self.shapes.push(shape::element(ty).zip(shape::leaf_count(ty)));
        }
    }

    /// A label, which a branch may name although no block has it.
    fn label(&mut self, id: Id) -> &Label {
        let number = self.labels.len();
        self.labels.entry(id).or_insert_with(|| Label { number, ..Label::default() })
    }

    fn region(&mut self, region: &'p Region) -> Vec<PlannedItem<'p>> {
        region
            .items
            .iter()
            .map(|item| match item {
                Item::Block(block) => PlannedItem::Block(self.block(block)),
                Item::Loop(inner) => {
                    let header = self.label(inner.header).number;
                    PlannedItem::Loop(header, self.region(&inner.body))
                }
            })
            .collect()
    }

    fn block(&mut self, block: &'p Block) -> PlannedBlock<'p> {
        let label = self.label(block.label);
        let (number, first) = (label.number, label.first_edge);
        let edges = first..first + label.predecessors.len();
        let phis: Vec<PlannedPhi<'p>> = block
            .phis
            .iter()
            .filter_map(|phi| {
                let edge = |predecessor: &Id| self.edge(*predecessor, block.label);
                let incoming = phi.incoming.iter().map(|(id, from)| Some((*id, edge(from)?)));
                Some(PlannedPhi {
                    phi,
                    to: self.result(phi.result)?,
                    incoming: incoming.collect::<Option<_>>()?,
                })
            })
            .collect();
        let results = |id: &Id| block.phis.iter().any(|phi| phi.result == *id);
        let phis_cross =
            block.phis.iter().any(|phi| phi.incoming.iter().any(|(id, _)| results(id)));
        for (id, _) in block.phis.iter().flat_map(|phi| &phi.incoming) {
            // Constants are spread over the lanes once.
            self.known(*id);
        }
        let instructions = block
            .instructions
            .iter()
            .map(|instruction| {
                let in_full = (self.in_full)(instruction);
                let hot = if in_full { None } else { Hot::of(instruction, self) };
                let looks_around =
                    self.arrangements.nodes > 0 && looks_around(self.program, instruction);
                PlannedInstruction { instruction, hot, looks_around }
            })
            .collect();
        let targets = targets(&block.terminator)
            .into_iter()
            .map(|target| {
                let edge = self.edge(block.label, target);
                let gathers = self.arrangements.of(target).gathers;
                Target { block: self.label(target).number, edge, gathers }
            })
            .collect();
        let arrangement = self.arrangements.of(block.label);
        PlannedBlock { block, number, arrangement, phis, edges, phis_cross, instructions, targets }
    }

    fn edge(&self, from: Id, to: Id) -> Option<usize> {
        let label = self.labels.get(&to)?;
        let position = label.predecessors.iter().position(|predecessor| *predecessor == from)?;
        Some(label.first_edge + position)
    }
}

/// The labels that a terminator names, a switch's default first.
fn targets(terminator: &Terminator) -> Vec<Id> {
    match terminator {
        Terminator::Branch(target) => vec![*target],
        Terminator::Conditional { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { default, cases, .. } => {
            std::iter::once(*default).chain(cases.iter().map(|(_, target)| *target)).collect()
        }
        _ => Vec::new(),
    }
}

impl Operands for Decoder<'_, '_> {
    fn known(&mut self, id: Id) -> Option<Known> {
        if let Some(Source::Register(number)) = self.numbers.get(&id) {
            let (element, leaves) = self.shapes[*number]?;
            return Some(Known { source: Source::Register(*number), element, leaves });
        }
        let constant = self.program.constants.get(&id)?;
        let (element, leaves) = (constant.ty.element()?, constant.leaves.len());
        if leaves > MAX_LEAVES {
            return None;
        }
        let source = *self.numbers.entry(id).or_insert_with(|| {
            let mut value = Value::same(&constant.leaves, self.lanes);
            value.spread();
            self.constants.push(Rc::new(value));
            Source::Constant(self.constants.len() - 1)
        });
        Some(Known { source, element, leaves })
    }

    fn constant(&self, id: Id) -> Option<u64> {
        self.program.constants.get(&id)?.leaves.first().copied().flatten()
    }

    fn result(&self, id: Id) -> Option<usize> {
        match self.numbers.get(&id)? {
            Source::Register(number) => Some(*number),
            Source::Constant(_) => None,
        }
    }
}
