//! Queries about one instruction in one form: whether a state shows something.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_queries::model_check::{Clauses, Meaning, ModelCheckError};
use laneproof_queries::states::{self, InstructionStates};
use laneproof_semantics::as_written::{AsWritten, ChoicePoint};
use laneproof_semantics::denote::{DenoteError, Instance, Settled};
use laneproof_semantics::evaluate::{Bits, Subgroup};
use laneproof_semantics::language::ast::{Operand, SpecInstruction};
use laneproof_semantics::term::Term;
use laneproof_solve::SolverLimit;

use crate::case::{by_relation, constants};
use crate::staged::Staged;

/// How many lanes exist in the states that are searched, fewest first.
pub const LANES: [u32; 3] = [1, 2, 4];
/// The largest subgroups that there are.
const MOST_LANES: u32 = 128;

/// How much the solver may do for one state.
const LIMIT: SolverLimit = SolverLimit::Work(30_000_000);
/// The same about states of any number of lanes.
const LIMIT_OF_ALL: SolverLimit = SolverLimit::Work(700_000);

/// One instruction in one form, as some documents have it.
pub struct Case<'a> {
    /// The texts that it is from.
    pub texts: &'a AsWritten,
    /// The instruction with these documents' clauses.
    pub instruction: &'a SpecInstruction,
    /// The documents.
    pub documents: &'a [Arc<str>],
    /// The form.
    pub instance: &'a Instance,
    /// Every choice point read in its first way, or as it is settled; consequences that are open
    /// are silent.
    pub base: &'a Settled,
    /// The choice points that are open.
    pub open: &'a [&'a ChoicePoint],
    /// The staging, if it is requested; then nothing else is searched for.
    pub staging: Option<Staging<'a>>,
}

/// States that machines can be in, for some findings.
#[derive(Clone, Copy)]
pub struct Staging<'a> {
    /// The size of a subgroup.
    pub lanes: u32,
    /// The findings, by their ids.
    pub ids: &'a BTreeSet<String>,
}

/// A state in which something shows, and the lane.
pub struct Occurrence {
    /// The state.
    pub subgroup: Subgroup,
    /// The lane.
    pub lane: u32,
    /// The results of the existing lanes, where clauses leave them open.
    pub results: Option<Vec<Option<Vec<Bits>>>>,
    /// A state that a real device can be in, and the lane, if requested and found.
    pub staged: Option<Staged>,
}

impl<'a> Case<'a> {
    /// What such a finding would be is looked for.
    pub fn wants(&self, id: &str) -> bool {
        self.staging.is_none_or(|staging| staging.ids.contains(id))
    }

    /// The ways to read the text: the first one, and each with one choice point read otherwise.
    pub fn each_way(&self) -> impl Iterator<Item = Settled> + '_ {
        let alone = self.open.iter().flat_map(|point| {
            let usual = self.base.alternative(&point.name);
            let others = point.alternatives.iter().filter(move |way| Some(*way) != usual);
            others.map(|way| self.base.clone().with(&point.name, way))
        });
        [self.base.clone()].into_iter().chain(alone)
    }

    /// Its clauses with their choice points read so.
    pub fn meaning<'m>(&'m self, settled: &'m Settled) -> Meaning<'m> {
        Meaning {
            specification: &self.texts.specification,
            settled,
            clauses: Clauses::Instruction(self.instruction),
        }
    }

    /// The smallest state in which an active lane satisfies the query: fewest lanes, then the
    /// lowest lane; without staging.
    ///
    /// # Errors
    ///
    /// Where the clauses have no terms, or the solver does not decide.
    pub fn unstaged(
        &self,
        lanes: &[u32],
        mut asked: impl FnMut(&mut InstructionStates<'_>, Term) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<Option<Occurrence>, ModelCheckError> {
        let most = lanes.iter().copied().max().unwrap_or(0);
        if self.never_up_to(most, LIMIT, &mut asked)? {
            return Ok(None);
        }
        self.lane_by_lane(lanes, by_number(asked))
    }

    /// The same, for one numbered lane after the other.
    ///
    /// # Errors
    ///
    /// As [`Case::unstaged`].
    pub fn lane_by_lane(
        &self,
        lanes: &[u32],
        mut asked: impl FnMut(&mut InstructionStates<'_>, u32) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<Option<Occurrence>, ModelCheckError> {
        let constants = constants(self.instruction);
        let places = lanes.iter().flat_map(|&existing| (0..existing).map(move |at| (existing, at)));
        let places: Vec<(u32, u32)> = places.collect();
        // An operand without a value tells no reader anything: what shows with values is shown so.
        for defined in [true, false] {
            for &(existing, lane) in &places {
                let mut states = InstructionStates::new(self.instance, existing);
                let mut terms = asked(&mut states, lane)?;
                terms.push(states.active(lane));
                if defined {
                    terms.push(states.defined());
                }
                let never = terms.iter().any(|&term| states.pool().bool_of(term) == Some(false));
                if never {
                    continue;
                }
                if let Some(found) = states.smallest(&constants, &terms, LIMIT)? {
                    let states::FoundState { subgroup, results } = found;
                    return Ok(Some(Occurrence { subgroup, lane, results, staged: None }));
                }
            }
        }
        Ok(None)
    }

    /// No state satisfies the query in an active lane, with up to 128 existing lanes. `false` if
    /// the solver does not decide that quickly.
    ///
    /// # Errors
    ///
    /// Where the clauses have no terms.
    pub fn never(
        &self,
        mut asked: impl FnMut(&mut InstructionStates<'_>, Term) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<bool, ModelCheckError> {
        self.never_up_to(MOST_LANES, LIMIT_OF_ALL, &mut asked)
    }

    /// The same for up to this number of lanes, as one query about any lane.
    fn never_up_to(
        &self,
        most: u32,
        limit: SolverLimit,
        asked: &mut impl FnMut(&mut InstructionStates<'_>, Term) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<bool, ModelCheckError> {
        if by_relation(self.instruction) {
            return Ok(false);
        }
        let mut states = InstructionStates::of_up_to(self.instance, most);
        let (lane, active) = states.any_active_lane();
        let mut asked = asked(&mut states, lane)?;
        asked.push(active);
        match states.is_met(&constants(self.instruction), &asked, limit) {
            Ok(met) => Ok(!met),
            Err(ModelCheckError::Undecided(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// A query about a lane, for a numbered lane.
pub fn by_number(
    mut asked: impl FnMut(&mut InstructionStates<'_>, Term) -> Result<Vec<Term>, DenoteError>,
) -> impl FnMut(&mut InstructionStates<'_>, u32) -> Result<Vec<Term>, DenoteError> {
    move |states, lane| {
        let lane = states.lane(lane);
        asked(states, lane)
    }
}

/// What questions call an operand that has a name.
const OPERAND: &str = "the operand";

/// What is said of a point, with the name of the operand that its term is, or is made of, as its
/// component is. An operand is named; words of the language are not.
pub fn named<'o>(
    text: &str,
    point: &ChoicePoint,
    mut operands: impl Iterator<Item = &'o Operand>,
) -> String {
    let is_word = |name: &str| {
        let mut words = point.term.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.any(|word| word == name)
    };
    match operands.find(|operand| is_word(&operand.name)) {
        Some(operand) => text.replace(OPERAND, &operand.name),
        None => text.to_owned(),
    }
}
