//! One instruction in one state, asked about one set of results after the other.

use super::given::Changes;
use super::known::Known;
use super::{Draw, GivenResults, LaneResult, Subgroup};
use crate::Specification;
use crate::denote::{DenoteError, Denoter, Group, Instance, Parts, Settled};
use crate::language::ast::SpecInstruction;

/// An instruction that a subgroup executes. What its lanes were given may change: then only that is
/// worked out again which depends on what changed.
pub struct Evaluation<'a, 'd> {
    group: Known<'a, 'd>,
    denoter: Denoter<'a>,
    /// What the clauses say of each existing lane, as far as that was read and still holds.
    parts: Vec<Parts>,
    /// Their results, once the parts are computed.
    results: Vec<Option<LaneResult>>,
    /// Active lanes whose result is not there.
    open: u128,
}

impl<'a, 'd> Evaluation<'a, 'd> {
    /// An evaluation of an instruction that is not serialized, without given results.
    ///
    /// # Errors
    ///
    /// Where the instruction is about lanes of another group, or consults a reading that is not
    /// settled.
    pub fn new(
        specification: &'a Specification,
        settled: &'a Settled,
        instruction: &'a SpecInstruction,
        instance: &'a Instance,
        subgroup: &'a Subgroup,
        draw: Draw<'d>,
    ) -> Result<Self, DenoteError> {
        let group = Known::new(instance, subgroup, draw);
        let scope = group.scope();
        let denoter =
            Denoter::new(specification, settled, instruction, instance, scope)?.of_known();
        let existing = subgroup.existing as usize;
        let parts = (0..existing).map(|_| denoter.no_parts()).collect();
        let results = vec![None; existing];
        Ok(Self { group, denoter, parts, results, open: subgroup.active })
    }

    /// The result of each active lane, `None` for the others. What the clauses leave open is as
    /// `given`; without that a NaN is the canonical one.
    ///
    /// # Errors
    ///
    /// Where the specification does not give the instruction an executable meaning, or where it
    /// does not fit the instance; [`DenoteError::Undecided`] where it is too much to find out
    /// whether a given result is legal.
    pub fn lanes(&mut self, given: GivenResults<'_>) -> Result<&[Option<LaneResult>], DenoteError> {
        let changes = self.group.given.replace(given);
        self.forget(&changes);
        let Self { group, denoter, parts, results, open } = self;
        for (number, (parts, result)) in (0..128).zip(parts.iter_mut().zip(results)) {
            if *open >> number & 1 == 0 {
                continue;
            }
            let lane = group.lane(number);
            denoter.read(group, lane, parts)?;
            let outcomes = parts.iter().flatten().map(|part| &part.outcome);
            *result = Some(group.result_of(outcomes)?);
            *open &= !(1 << number);
        }
        Ok(&self.results)
    }

    /// What depends on nothing that changed stays as it is.
    fn forget(&mut self, changes: &Changes) {
        self.denoter.forget_given();
        for (number, parts) in (0..128).zip(&mut self.parts) {
            for part in parts {
                if part.as_ref().is_some_and(|part| changes.touch(part.given)) {
                    *part = None;
                    self.open |= 1 << number & self.group.subgroup.active;
                }
            }
        }
    }

    pub(super) fn into_lanes(self) -> Vec<Option<LaneResult>> {
        self.results
    }
}
