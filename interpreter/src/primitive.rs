//! Imported functions, and instructions that the interpreter does not know: the caller supplies
//! them.

use std::collections::BTreeMap;

use laneproof_module::{Id, Instruction, ModuleType, Site};

use crate::choices::Choices;
use crate::lane::{LaneValue, Sizes};

/// One execution of an imported function by a subgroup.
pub struct PrimitiveCall<'a> {
    /// The name that it is imported under.
    pub name: &'a str,
    /// Its arguments: for each parameter, a value in each existing lane. Undefined values
    /// arrive marked.
    pub arguments: &'a [Vec<LaneValue>],
    /// The declared return type.
    pub result: &'a ModuleType,
    /// The lanes that execute it.
    pub active: u128,
    /// The subgroup's sizes.
    pub sizes: Sizes,
    /// Where it is executed, for choices.
    pub site: &'a Site,
}

/// One execution of an instruction that the interpreter does not know, by a subgroup.
pub struct InstructionCall<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    /// Its operands that are values: type, and a value in each existing lane. Undefined values
    /// arrive marked.
    pub values: &'a BTreeMap<Id, (ModuleType, Vec<LaneValue>)>,
    /// The lanes that execute it.
    pub active: u128,
    /// The subgroup's sizes.
    pub sizes: Sizes,
    /// Where it is executed, for choices.
    pub site: &'a Site,
}

/// Why an imported function or an instruction gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrimitiveFailure {
    /// It is unknown.
    Unknown,
    /// What it gives takes too long to work out.
    TooLong,
    /// It is undefined behavior in these lanes, for this reason.
    UndefinedBehavior(Vec<u32>, String),
}

/// Knows imported functions, and further instructions.
pub trait Primitives {
    /// The result in each existing lane; results of inactive lanes are ignored.
    fn execute(
        &self,
        call: &PrimitiveCall<'_>,
        choices: &mut dyn Choices,
    ) -> Result<Vec<LaneValue>, PrimitiveFailure>;

    /// The same of an instruction; its result in each existing lane.
    fn instruction(
        &self,
        _call: &InstructionCall<'_>,
        _choices: &mut dyn Choices,
    ) -> Result<Vec<LaneValue>, PrimitiveFailure> {
        Err(PrimitiveFailure::Unknown)
    }

    /// The caller overrides this instruction: it is executed by [`Primitives::instruction`], or not
    /// at all.
    fn changes(&self, _instruction: &Instruction) -> bool {
        false
    }
}
