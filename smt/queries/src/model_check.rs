//! The terms of one instruction, checked by the solver.
//!
//! The evaluator folds the terms of clauses away while it builds them, because it knows every
//! operand. Here the operands are symbols, and the state is asserted afterwards. So the terms,
//! their simplification and their translation are compared with the evaluator.

mod content;
mod difference;
mod memory;
mod place;
mod symbolic_group;

use std::time::Duration;

use laneproof_semantics::Specification;
use laneproof_semantics::denote::{
    DenoteError, Group, Instance, LaneOutcome, Settled, denote, denote_built_in,
};
use laneproof_semantics::evaluate::{Bits, Draw, LaneResult, Subgroup, Workgroup};
use laneproof_semantics::language::ast::{BuiltIn, SpecInstruction};
use laneproof_semantics::term::Term;
use laneproof_solve::SolverLimit;

pub use self::content::PointedBuffer;
pub use self::difference::*;
pub use self::memory::agrees_with_memory;
pub use self::symbolic_group::SymbolicGroup;

/// What has clauses.
#[derive(Clone, Copy, Debug)]
pub enum Clauses<'a> {
    /// An instruction's.
    Instruction(&'a SpecInstruction),
    /// A built-in variable's.
    BuiltIn(&'a BuiltIn),
}

/// A meaning: clauses and how their readings are settled.
#[derive(Clone, Copy, Debug)]
pub struct Meaning<'a> {
    /// Where functions and readings are looked up.
    pub specification: &'a Specification,
    /// How readings are settled.
    pub settled: &'a Settled,
    /// The clauses.
    pub clauses: Clauses<'a>,
}

/// Why the solver was of no help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelCheckError {
    /// The clauses have no terms.
    #[error(transparent)]
    Denote(#[from] DenoteError),
    /// It did not come to an end.
    #[error("undecided: {0}")]
    Undecided(laneproof_outcome::Unknown),
}

/// Whether the terms of the clauses, in this state, give each active lane the evaluator's result.
/// `draw` is the evaluator's source of draws.
///
/// # Errors
///
/// Where the clauses have no terms, and where the solver does not decide within `limit`.
pub fn agrees_with(
    meaning: Meaning<'_>,
    instance: &Instance,
    subgroup: &Subgroup,
    expected: &[Option<LaneResult>],
    draw: Draw<'_>,
    limit: Duration,
) -> Result<bool, ModelCheckError> {
    let values = expected.iter().map(|result| match result {
        Some(LaneResult::Value(leaves)) => Some(leaves.clone()),
        _ => None,
    });
    let given: Vec<Option<Vec<Bits>>> = values.collect();
    // A lane with an illegal result is not compared.
    let legal = |result: &LaneResult| !matches!(result, LaneResult::Illegal);
    let expected: Vec<Option<LaneResult>> =
        expected.iter().map(|result| result.clone().filter(legal)).collect();
    agrees_on(meaning, instance, subgroup, &given, &expected, draw, limit)
}

/// The same where what is left open is as it is `given`, legal or not.
///
/// # Errors
///
/// As [`agrees_with`].
pub fn agrees_on(
    meaning: Meaning<'_>,
    instance: &Instance,
    subgroup: &Subgroup,
    given: &[Option<Vec<Bits>>],
    expected: &[Option<LaneResult>],
    draw: Draw<'_>,
    limit: Duration,
) -> Result<bool, ModelCheckError> {
    let mut group = SymbolicGroup::new(instance, subgroup.existing);
    group.sizes.workgroup = subgroup.workgroup;
    let mut differences = Vec::new();
    for (lane, expected) in (0..subgroup.existing).zip(expected) {
        let Some(expected) = expected else { continue };
        let lane = group.pool.bits(u128::from(lane), 32);
        let outcome = meaning.outcome(instance, &mut group, lane)?;
        differences.push(group.differs(&outcome, expected));
    }
    let mut facts = group.facts(subgroup, draw);
    facts.extend(group.chosen(given));
    let difference = group.pool.any(differences);
    group.never_in(&facts, difference, limit)
}

/// Whether two meanings are the same in every state with `existing` lanes and M at most 128, with
/// constants, whatever they are, as these operands; in this workgroup, where the lanes are one's.
///
/// # Errors
///
/// As [`agrees_with`].
pub fn equivalent(
    meanings: [Meaning<'_>; 2],
    instance: &Instance,
    existing: u32,
    workgroup: Option<Workgroup>,
    constants: &[usize],
    limit: impl Into<SolverLimit>,
) -> Result<bool, ModelCheckError> {
    let mut group = SymbolicGroup::new(instance, existing);
    group.sizes.workgroup = workgroup;
    let mut differences = Vec::new();
    for lane in 0..existing {
        let lane = group.pool.bits(u128::from(lane), 32);
        let active = group.active(lane)?;
        let first = meanings[0].outcome(instance, &mut group, lane)?;
        let second = meanings[1].outcome(instance, &mut group, lane)?;
        let differ = group.differ(&first, &second);
        differences.push(group.pool.and(active, differ));
    }
    let mut assertions = group.any_state(constants);
    assertions.push(group.pool.any(differences));
    group.unsatisfiable(&assertions, limit)
}

impl Meaning<'_> {
    /// What the clauses say of a lane.
    pub fn outcome<G: Group>(
        &self,
        instance: &Instance,
        group: &mut G,
        lane: Term,
    ) -> Result<LaneOutcome, DenoteError> {
        let (specification, settled) = (self.specification, self.settled);
        match self.clauses {
            Clauses::Instruction(it) => denote(specification, settled, it, instance, group, lane),
            Clauses::BuiltIn(it) => {
                denote_built_in(specification, settled, it, instance, group, lane)
            }
        }
    }
}
