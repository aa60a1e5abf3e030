//! Where lanes of one block need not be together: in a switch, those of different selector values.
//!
//! A block's *node* says since which case label its lanes are as they are; node 0 is the function's
//! entry. Lanes are arranged anew where they come to a case label, and as they were before the switch
//! again where they leave it (SPV_KHR_maximal_reconvergence, Divergence and Reconvergence).

use std::collections::BTreeSet;

use laneproof_module::spirv::Op;
use laneproof_module::{
    Block, Function, Id, Instruction, InstructionClass, Item, Operand, Program, Region, Terminator,
};

use crate::ids::IdMap;

/// Where a block's lanes were arranged last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arrangement {
    /// The node.
    pub node: usize,
    /// The node of the switch, where this block is one of its cases: lanes are arranged here.
    pub gathers: Option<usize>,
    /// Lanes come together here of whose tangles no text speaks.
    pub unclear: bool,
    /// The construct whose header it is, where lanes are arranged in every block.
    pub construct: Option<Construct>,
}

/// A construct, by its merge block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Construct {
    /// A selection.
    Selection(Id),
    /// A loop.
    Loop(Id),
}

/// The arrangements of all blocks of a function, by label.
#[derive(Debug, Default)]
pub(crate) struct Arrangements {
    blocks: IdMap<Arrangement>,
    /// How many nodes there are.
    pub nodes: usize,
}

impl Arrangements {
    /// Lanes are arranged in every block, as they come: merge blocks promise less.
    pub fn everywhere(function: &Function) -> Self {
        let mut found = Self { blocks: IdMap::default(), nodes: 2 };
        found.constructs(&function.body);
        found
    }

    fn constructs(&mut self, region: &Region) {
        for item in &region.items {
            match item {
                Item::Block(block) => {
                    let known = self.blocks.entry(block.label).or_default();
                    (known.node, known.gathers) = (1, Some(1));
                    let selection = block.selection_merge.map(Construct::Selection);
                    known.construct = known.construct.or(selection);
                }
                Item::Loop(inner) => {
                    let construct = Some(Construct::Loop(inner.merge));
                    let header = Arrangement { construct, ..Arrangement::default() };
                    self.blocks.insert(inner.header, header);
                    self.constructs(&inner.body);
                }
            }
        }
    }

    /// That of a block.
    pub fn of(&self, label: Id) -> Arrangement {
        self.blocks.get(&label).copied().unwrap_or_default()
    }
}

/// Whether an instruction may depend on which lanes execute it together.
pub(crate) fn looks_around(program: &Program, instruction: &Instruction) -> bool {
    looks(program, instruction, &mut BTreeSet::new())
}

fn looks(program: &Program, instruction: &Instruction, called: &mut BTreeSet<Id>) -> bool {
    match (instruction.opcode, instruction.operands.first()) {
        (Op::FunctionCall, Some(Operand::IdRef(callee))) => {
            let Some(function) = program.function_by_id(*callee) else { return true };
            let fresh = called.insert(*callee);
            function.import.is_some() || fresh && region_looks(program, &function.body, called)
        }
        (opcode, _) => InstructionClass::of(opcode).may_depend_on_others(),
    }
}

fn region_looks(program: &Program, region: &Region, called: &mut BTreeSet<Id>) -> bool {
    region.items.iter().any(|item| match item {
        Item::Block(block) => block_looks(program, block, called),
        Item::Loop(inner) => region_looks(program, &inner.body, called),
    })
}

fn block_looks(program: &Program, block: &Block, called: &mut BTreeSet<Id>) -> bool {
    block.instructions.iter().any(|instruction| looks(program, instruction, called))
}

/// Arranges the blocks of a function. A switch in which nothing looks around is like any branch.
pub(crate) fn arrange(program: &Program, function: &Function) -> Arrangements {
    let mut blocks = IdMap::default();
    collect(&function.body, &mut blocks);
    let mut walk = Walk::new(program, blocks);
    if !walk.blocks.values().any(|block| walk.splits(block)) {
        return Arrangements::default();
    }
    walk.region(&function.body);
    Arrangements { blocks: walk.found, nodes: walk.unclear.len() }
}

fn collect<'p>(region: &'p Region, blocks: &mut IdMap<&'p Block>) {
    for item in &region.items {
        match item {
            Item::Block(block) => _ = blocks.insert(block.label, block),
            Item::Loop(inner) => collect(&inner.body, blocks),
        }
    }
}

struct Walk<'p> {
    program: &'p Program,
    blocks: IdMap<&'p Block>,
    found: IdMap<Arrangement>,
    /// By node, whether the text is silent about its tangles.
    unclear: Vec<bool>,
    /// The nodes from which lanes come to a block.
    arrivals: IdMap<Vec<usize>>,
    /// Blocks in which lanes are as they were in a node: merge blocks, continue targets.
    homes: IdMap<usize>,
    /// Case labels, with the node of their switch.
    cases: IdMap<usize>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, blocks: IdMap<&'p Block>) -> Self {
        Self {
            program,
            blocks,
            found: IdMap::default(),
            unclear: vec![false],
            arrivals: IdMap::default(),
            homes: IdMap::default(),
            cases: IdMap::default(),
        }
    }

    /// A block ends in a switch, and something looks around before its lanes are together again.
    fn splits(&self, block: &Block) -> bool {
        if !matches!(block.terminator, Terminator::Switch { .. }) {
            return false;
        }
        let mut seen: BTreeSet<Id> = block.switch_join.into_iter().collect();
        let mut pending = targets(block);
        while let Some(label) = pending.pop() {
            let Some(block) = self.blocks.get(&label).filter(|_| seen.insert(label)) else {
                continue;
            };
            if block_looks(self.program, block, &mut BTreeSet::new()) {
                return true;
            }
            pending.extend(targets(block));
        }
        false
    }

    fn region(&mut self, region: &Region) {
        for item in &region.items {
            match item {
                Item::Block(block) => self.block(block),
                Item::Loop(inner) => {
                    let node = self.arrive(inner.header).node;
                    for label in [inner.merge, inner.continue_target] {
                        self.homes.insert(label, node);
                    }
                    self.region(&inner.body);
                }
            }
        }
    }

    fn block(&mut self, block: &Block) {
        let node = self.arrive(block.label).node;
        if let Some(merge) = block.selection_merge {
            self.homes.insert(merge, node);
        }
        if self.splits(block) {
            if let Some(join) = block.switch_join {
                self.homes.insert(join, node);
            }
            for target in targets(block) {
                let home = *self.cases.entry(target).or_insert(node);
                self.unclear[node] |= home != node;
            }
        }
        for target in targets(block) {
            self.arrivals.entry(target).or_default().push(node);
        }
    }

    fn arrive(&mut self, label: Id) -> Arrangement {
        if let Some(known) = self.found.get(&label) {
            return *known;
        }
        let from = self.arrivals.get(&label).map_or(&[][..], Vec::as_slice);
        let first = from.first().copied().unwrap_or(0);
        let mut arrangement = match (self.homes.get(&label), self.cases.get(&label)) {
            (Some(&node), _) => Arrangement { node, ..Arrangement::default() },
            (None, Some(&home)) => {
                let node = self.node(self.unclear[home]);
                Arrangement { node, gathers: Some(home), ..Arrangement::default() }
            }
            (None, None) if from.iter().all(|node| *node == first) => {
                Arrangement { node: first, ..Arrangement::default() }
            }
            (None, None) => Arrangement { node: self.node(true), ..Arrangement::default() },
        };
        arrangement.unclear = self.unclear[arrangement.node];
        self.found.insert(label, arrangement);
        arrangement
    }

    fn node(&mut self, unclear: bool) -> usize {
        self.unclear.push(unclear);
        self.unclear.len() - 1
    }
}

fn targets(block: &Block) -> Vec<Id> {
    match &block.terminator {
        Terminator::Branch(target) => vec![*target],
        Terminator::Conditional { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { default, cases, .. } => {
            std::iter::once(*default).chain(cases.iter().map(|(_, target)| *target)).collect()
        }
        _ => Vec::new(),
    }
}
