//! A state that refutes, lane by lane.

use std::sync::Arc;

use laneproof_module::{Grid, Program, WorkgroupPlace};
use serde::Serialize;

use crate::words::words;

/// A scalar of a lane: its bits, or `None` for an undefined value.
pub type LaneScalar = Option<u64>;

/// A value of a lane, by its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedValue {
    /// Name of the parameter or instruction.
    pub name: String,
    /// Its type.
    pub ty: laneproof_semantics::Type,
    /// Its scalars; `None`: the lane has no such value.
    pub leaves: Option<Vec<LaneScalar>>,
    /// Something of it is one of several values that are allowed: it is computed from an undefined
    /// value, or the semantics leaves it to the implementation.
    pub open: bool,
    /// How often the lane computed it: in a loop, or by several calls. This is the last one.
    pub times: u32,
    /// Where it is computed, where the module tells the line of its source.
    pub origin: Option<Origin>,
}

/// A line of the source that a module was compiled from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The file as its compiler named it; empty where it did not.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What stands there, where the source is at hand.
    pub text: Option<String>,
    /// The instruction that it became, of several.
    pub instruction: String,
}

impl Origin {
    /// Of the instruction at this word of a module's binary.
    pub fn of(program: &Program, word: u32, instruction: &str) -> Option<Self> {
        let line = program.debug.lines.get(&word)?;
        Some(Self {
            file: line.file.to_string(),
            line: line.line,
            text: program.debug.text(line),
            instruction: instruction.to_owned(),
        })
    }
}

/// What the two functions leave in a parameter that is an output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// What the source leaves there.
    pub source: TypedValue,
    /// What the target leaves there.
    pub target: TypedValue,
    /// They disagree.
    pub offending: bool,
}

/// One lane of a counterexample.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LaneRow {
    /// Its id; of a whole workgroup, its `LocalInvocationIndex`.
    pub lane: u32,
    /// Its `SubgroupId`, of a whole workgroup.
    pub subgroup: Option<u32>,
    /// It entered the functions.
    pub active: bool,
    /// Source and target disagree here.
    pub offending: bool,
    /// Its parameters.
    pub inputs: Vec<TypedValue>,
    /// What the source returned.
    pub source: TypedValue,
    /// What the target returned.
    pub target: TypedValue,
    /// What is left in its outputs, where they are compared.
    pub outputs: Vec<Output>,
    /// Values on the way, the source's before the target's.
    pub steps: Vec<(ComparedFunction, TypedValue)>,
}

/// One scalar in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryRow {
    /// Which memory: `memory` behind pointer parameters, `set.binding`, `push constants`.
    pub memory: String,
    /// Number of the scalar, from the start of the memory.
    pub index: u64,
    /// Its type.
    pub ty: laneproof_semantics::Type,
    /// Source and target disagree here.
    pub offending: bool,
    /// What stands there at first.
    pub before: LaneScalar,
    /// What the source leaves there; `None`: it did not come to an end.
    pub source: Option<LaneScalar>,
    /// What the target leaves there; `None`: it did not come to an end.
    pub target: Option<LaneScalar>,
    /// What the target leaves there is one of several values, as [`TypedValue::open`].
    pub open: bool,
}

/// One of the two functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ComparedFunction {
    /// What must be refined.
    Source,
    /// What must refine it.
    Target,
}

/// Undefined behavior that refutes.
#[derive(Clone, Debug, Serialize)]
pub struct UndefinedBehavior {
    /// Whose.
    pub side: ComparedFunction,
    /// The instruction.
    pub instruction: String,
    /// The clause that says so, or what happened where no clause is about it.
    pub clause: String,
    /// The lanes in which it shows, as they are numbered in the counterexample.
    pub lanes: Vec<u32>,
    /// Where, where the module tells the line of its source.
    pub origin: Option<Origin>,
}

/// A whole workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkgroupShape {
    /// `NumSubgroups`.
    pub subgroups: u32,
    /// Its invocations along each axis.
    pub size: [u32; 3],
}

/// A state in which the target does what the source cannot.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// `SubgroupSize`.
    pub subgroup_size: u32,
    /// `SubgroupMaxSize`.
    pub max_size: u32,
    /// How many lanes exist, in the whole workgroup where it is about one.
    pub existing: u32,
    /// Which subgroup of its workgroup it is, where something asks for that.
    pub place: Option<WorkgroupPlace>,
    /// The workgroup and the grid around it, where something asks for them.
    pub grid: Option<Grid>,
    /// The workgroup, where all of its subgroups are looked at.
    pub workgroup: Option<WorkgroupShape>,
    /// The interpreter showed it again.
    pub confirmed: bool,
    /// Every existing lane.
    pub lanes: Vec<LaneRow>,
    /// Scalars in memory that were written, or that the two leave different.
    pub memory: Vec<MemoryRow>,
    /// The undefined behavior of the target, where that is the refutation.
    pub undefined_behavior: Option<UndefinedBehavior>,
    /// Why values are undefined: side, clause, and the sentence in our words.
    pub explanations: Vec<(ComparedFunction, Arc<str>, Arc<str>)>,
}

words!(ComparedFunction, "source or target", "source" => Source, "target" => Target);
