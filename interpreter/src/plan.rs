//! A function decoded once for a run: `<id>`s become slots, branch targets become block indices,
//! and frequent instructions are separated from the rest.

mod decode;
pub(crate) mod steering;
mod tangles;

use std::ops::Range;
use std::rc::Rc;

use laneproof_module::{Block, Function, Id, Instruction, Phi, Program};

pub(crate) use decode::{Decoder, InFull};
pub(crate) use tangles::{Arrangement, Construct};

use crate::hot::Hot;
use crate::ids::IdMap;
use crate::operand::Source;
use crate::reading::Reconvergence;
use crate::value::Value;

/// A function, decoded.
#[derive(Debug)]
pub(crate) struct Plan<'p> {
    /// Registers: parameters first, then every result.
    pub registers: usize,
    /// Blocks, by number.
    pub blocks: usize,
    /// Edges that lead to a phi, by number.
    pub edges: usize,
    /// Nodes at which lanes are arranged in tangles, by number; 0 where no switch does that.
    pub nodes: usize,
    /// The body.
    pub region: Vec<PlannedItem<'p>>,
    numbers: IdMap<Source>,
    constants: Vec<Rc<Value>>,
}

/// A part of a region.
#[derive(Debug)]
pub(crate) enum PlannedItem<'p> {
    /// A block.
    Block(PlannedBlock<'p>),
    /// A loop: the number of its header, and its blocks.
    Loop(usize, Vec<PlannedItem<'p>>),
}

impl PlannedItem<'_> {
    /// The number of the block through which it is entered.
    pub fn number(&self) -> usize {
        match self {
            Self::Block(block) => block.number,
            Self::Loop(header, _) => *header,
        }
    }
}

/// A block.
#[derive(Debug)]
pub(crate) struct PlannedBlock<'p> {
    /// The block itself.
    pub block: &'p Block,
    /// Its number.
    pub number: usize,
    /// Which lanes are together.
    pub arrangement: Arrangement,
    /// Its phis.
    pub phis: Vec<PlannedPhi<'p>>,
    /// The edges that lead into it, if it has phis.
    pub edges: Range<usize>,
    /// A phi takes what a phi of this block has: all are read before one is written.
    pub phis_cross: bool,
    /// Its instructions.
    pub instructions: Vec<PlannedInstruction<'p>>,
    /// Where its terminator leads: the target, both targets, or the default and all cases.
    pub targets: Vec<Target>,
}

/// A phi: its register, and what each edge brings, by the edge's number.
#[derive(Debug)]
pub(crate) struct PlannedPhi<'p> {
    /// The phi itself.
    pub phi: &'p Phi,
    /// Its register.
    pub to: usize,
    /// The `<id>` that each edge brings, in the order of the phi's operands.
    pub incoming: Vec<(Id, usize)>,
}

/// An instruction, and its short form if it has one.
#[derive(Debug)]
pub(crate) struct PlannedInstruction<'p> {
    /// The instruction itself.
    pub instruction: &'p Instruction,
    /// How it is executed where no operand is undefined.
    pub hot: Option<Hot<'p>>,
    /// It may depend on which lanes execute it together.
    pub looks_around: bool,
}

/// A branch's target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The block's number.
    pub block: usize,
    /// The edge's number, if the block has phis.
    pub edge: Option<usize>,
    /// The node of the switch, if the block is one of its cases; some node where lanes are arranged
    /// in every block.
    pub gathers: Option<usize>,
}

impl<'p> Plan<'p> {
    /// Decodes a function for subgroups of up to `lanes` lanes, with short forms but of those
    /// instructions that are to be executed in full.
    pub fn of(
        program: &'p Program,
        function: &'p Function,
        lanes: u32,
        in_full: InFull<'_>,
        reconvergence: Reconvergence,
    ) -> Self {
        Decoder::new(program, lanes, in_full).function(function, reconvergence)
    }

    /// Where an `<id>` of the function has its value; not known for variables of the module.
    pub fn source(&self, id: Id) -> Option<Source> {
        self.numbers.get(&id).copied()
    }

    /// The register of a result or parameter.
    pub fn register(&self, id: Id) -> Option<usize> {
        match self.source(id)? {
            Source::Register(number) => Some(number),
            Source::Constant(_) => None,
        }
    }

    /// A constant, with a copy for every lane.
    pub fn constant(&self, number: usize) -> Option<&Rc<Value>> {
        self.constants.get(number)
    }
}
