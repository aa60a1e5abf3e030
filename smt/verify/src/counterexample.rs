//! A state that refutes, lane by lane.

use std::iter::once;
use std::sync::Arc;

use laneproof_lower::RegionKind;
use laneproof_module::{Grid, Program, Site};
use laneproof_semantics::Scalar;
use serde::Serialize;

use crate::words::words;

/// A scalar of a lane: its bits, or `None` for an undefined value.
pub type LaneScalar = Option<u64>;

/// A value of a lane, by its type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypedValue {
    /// Name of the parameter or instruction.
    pub name: String,
    /// Its type.
    pub ty: laneproof_semantics::Type,
    /// Its scalars; `None`: the lane has no such value.
    pub leaves: Option<Vec<LaneScalar>>,
    /// Part of it is one of several allowed values: it depends on an undefined value or on a choice
    /// of the implementation.
    pub open: bool,
    /// How often the lane computed it, in a loop or in several calls. This is the last value.
    pub times: u32,
    /// The source line that computes it, if the module has debug lines.
    pub origin: Option<Origin>,
}

/// A line of the source that a module was compiled from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Origin {
    /// The file as its compiler named it; empty if it did not.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The text of the line, if the source is available.
    pub text: Option<String>,
    /// The instruction, of several that come from this line.
    pub instruction: String,
    /// The function that it is in, if that has no lines because the compiler added it: the line is that
    /// of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

impl Origin {
    /// The origin of an instruction: its line, or the nearest one in its function. What is in a
    /// function without lines comes from where that is called.
    pub fn of(program: &Program, site: &Site, instruction: &str) -> Option<Self> {
        // Of the path, numbers of iterations lie before all functions.
        let calls = site.path.iter().rev().copied();
        let mut without_lines = None;
        for word in once(site.word).chain(calls) {
            let starts =
                || program.functions.iter().map(|function| (function.place.word, function));
            let Some((start, function)) =
                starts().filter(|(start, _)| *start <= word).max_by_key(|(start, _)| *start)
            else {
                continue;
            };
            let end = starts().map(|(start, _)| start).filter(|start| *start > word).min();
            let lines = &program.debug.lines;
            let before = lines.range(start..=word).next_back();
            let after = || lines.range(word..end.unwrap_or(u32::MAX)).next();
            if let Some((_, line)) = before.or_else(after) {
                return Some(Self {
                    file: line.file.to_string(),
                    line: line.line,
                    text: program.debug.text(line),
                    instruction: instruction.to_owned(),
                    function: without_lines,
                });
            }
            without_lines = without_lines.or_else(|| Some(program.name_of(function.id)));
        }
        None
    }
}

/// The final values of an output parameter.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// The source's value.
    pub source: TypedValue,
    /// The target's value.
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
    /// The source's result.
    pub source: TypedValue,
    /// The target's result.
    pub target: TypedValue,
    /// The final values of outputs, if they are compared.
    pub outputs: Vec<Output>,
    /// Intermediate values, the source's before the target's.
    pub steps: Vec<(ComparedFunction, TypedValue)>,
}

/// A memory before the call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InitialMemory {
    /// Which memory.
    pub kind: RegionKind,
    /// The type of its scalars.
    pub scalar: Scalar,
    /// Their bits, from the start; of an image, row by row.
    pub values: Vec<u64>,
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
    /// The initial value.
    pub before: LaneScalar,
    /// The source's final value; `None`: the source did not terminate.
    pub source: Option<LaneScalar>,
    /// The target's final value; `None`: the target did not terminate.
    pub target: Option<LaneScalar>,
    /// The target's final value is one of several, as [`TypedValue::open`].
    pub open: bool,
}

/// One of the two functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ComparedFunction {
    /// The source, to be refined.
    Source,
    /// The target, which must refine it.
    Target,
}

/// Undefined behavior that refutes.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct UndefinedBehavior {
    /// The function that has it.
    pub side: ComparedFunction,
    /// The instruction.
    pub instruction: String,
    /// The clause, or a description if no clause applies.
    pub clause: String,
    /// The lanes that execute it, as numbered in the counterexample.
    pub lanes: Vec<u32>,
    /// The source line, if the module has debug lines.
    pub origin: Option<Origin>,
}

/// A whole workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkgroupShape {
    /// `NumSubgroups`.
    pub subgroups: u32,
    /// Its invocations along each axis.
    pub size: [u32; 3],
}

/// Which subgroup of its workgroup one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlaceInWorkgroup {
    /// `SubgroupId`.
    pub subgroup: u32,
    /// `NumSubgroups`.
    pub subgroups: u32,
    /// The workgroup is that of any caller: none is declared for functions that are no entry points.
    pub of_caller: bool,
}

/// A state in which the target does what the source cannot.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// The subgroup size of the obligation that it refutes.
    pub(crate) size: u32,
    /// `SubgroupSize`.
    pub subgroup_size: u32,
    /// `SubgroupMaxSize`.
    pub max_size: u32,
    /// Which subgroup of its workgroup it is, if something depends on that.
    pub place: Option<PlaceInWorkgroup>,
    /// The workgroup and the grid around it, if something depends on them.
    pub grid: Option<Grid>,
    /// The workgroup, if it is about a whole one.
    pub workgroup: Option<WorkgroupShape>,
    /// The interpreter confirmed it.
    pub confirmed: bool,
    /// Every existing lane.
    pub lanes: Vec<LaneRow>,
    /// All memory that the functions are given.
    pub initial: Vec<InitialMemory>,
    /// Scalars in memory that were written, or that differ at the end.
    pub memory: Vec<MemoryRow>,
    /// The undefined behavior of the target, if that is the refutation.
    pub undefined_behavior: Option<UndefinedBehavior>,
    /// Why values are undefined: side, clause, and the sentence in our words.
    pub explanations: Vec<(ComparedFunction, Arc<str>, Arc<str>)>,
}

impl Counterexample {
    /// The number of existing lanes; in the whole workgroup, if it is about one.
    pub fn existing(&self) -> u32 {
        self.lanes.len() as u32
    }
}

words!(ComparedFunction, "source or target", "source" => Source, "target" => Target);
