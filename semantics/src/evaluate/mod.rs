//! The evaluator: one instruction, run by one subgroup, as its clauses say.

mod evaluation;
mod execute;
mod given;
mod known;
mod memory;
mod order;
mod workgroup;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Specification;
use crate::denote::{DenoteError, Denoter, Group, Instance, Settled};
use crate::language::ast::{BuiltIn, SpecInstruction};
pub use evaluation::Evaluation;
pub use execute::{Execution, Serialization, execute};
use known::Known;
pub use memory::Memory;
pub use order::{Explained, explained};
pub use workgroup::Workgroup;

/// A scalar's bits, zero-extended; `None` is an undefined value.
pub type Bits = Option<u64>;

/// A subgroup about to execute an instruction; or a workgroup, whose lanes are its invocations
/// by `LocalInvocationIndex`.
#[derive(Clone, Debug)]
pub struct Subgroup {
    /// How many lanes exist.
    pub existing: u32,
    /// `SubgroupSize`.
    pub size: u32,
    /// `SubgroupMaxSize`.
    pub max_size: u32,
    /// The lanes that execute it.
    pub active: u128,
    /// The workgroup whose lanes these are, one subgroup of `size` after the other.
    pub workgroup: Option<Workgroup>,
    /// Operands, in the specification's order: for each existing lane its leaves. Empty for
    /// operands that are no values.
    pub operands: Vec<Vec<Vec<Bits>>>,
    /// What pointer and image operands lead to, by operand. No two of them overlap.
    pub memory: BTreeMap<usize, Memory>,
}

/// What computing with an undefined value draws: by operand, leaf, lane and width in bits.
pub type Draw<'d> = &'d mut dyn FnMut(usize, usize, u32, u32) -> u64;

/// What the clauses leave to a lane in its update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Bits that name the NaN that it leaves in memory.
    pub nan: u64,
    /// It takes the first one of two values.
    pub first: bool,
}

/// What each active lane was given, by lane and leaf: choices are made so as to give it, where
/// they can.
pub type GivenResults<'g> = Option<&'g [Option<Vec<Bits>>]>;

/// The result of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaneResult {
    /// A value, leaf by leaf; no leaves where the instruction has no result.
    Value(Vec<Bits>),
    /// Undefined behavior, by the clause that says so.
    UndefinedBehavior(Arc<str>),
    /// The text gives no consequence here.
    Silence(Arc<str>),
    /// The given result is not legal under the clauses.
    Illegal,
}

/// Executes an instruction that is not serialized; the result of each active lane, `None` for the
/// others. [`execute`] tells what becomes of memory too, an [`Evaluation`] judges several results
/// of one state.
///
/// # Errors
///
/// As [`Evaluation::new`] and [`Evaluation::lanes`].
pub fn evaluate(
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
    instance: &Instance,
    subgroup: &Subgroup,
    draw: Draw<'_>,
    given: GivenResults<'_>,
) -> Result<Vec<Option<LaneResult>>, DenoteError> {
    let mut evaluation =
        Evaluation::new(specification, settled, instruction, instance, subgroup, draw)?;
    evaluation.lanes(given)?;
    Ok(evaluation.into_lanes())
}

/// The same without sharing between lanes. Tests compare [`evaluate`] with this.
///
/// # Errors
///
/// As [`evaluate`].
pub fn evaluate_apart(
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
    instance: &Instance,
    subgroup: &Subgroup,
    draw: Draw<'_>,
    given: GivenResults<'_>,
) -> Result<Vec<Option<LaneResult>>, DenoteError> {
    let mut group = Known::new(instance, subgroup, draw);
    group.given.replace(given);
    let mut denoter = Denoter::new(specification, settled, instruction, instance, group.scope())?;
    (0..subgroup.existing)
        .map(|lane| {
            if subgroup.active >> lane & 1 == 0 {
                return Ok(None);
            }
            let lane = group.lane(lane);
            let outcome = denoter.lane(&mut group, lane)?;
            group.result(&outcome).map(Some)
        })
        .collect()
}

/// Reads a built-in variable; its value in each active lane.
///
/// # Errors
///
/// As [`evaluate`].
pub fn evaluate_built_in(
    specification: &Specification,
    settled: &Settled,
    built_in: &BuiltIn,
    instance: &Instance,
    subgroup: &Subgroup,
) -> Result<Vec<Option<LaneResult>>, DenoteError> {
    let (reader, draw) = (built_in.as_instruction(), &mut |_, _, _, _| 0);
    evaluate(specification, settled, &reader, instance, subgroup, draw, None)
}
