//! States that machines can be in: full subgroups of a size that there is, with values that tell
//! which lane they come from.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_queries::states::{FoundState, InstructionStates};
use laneproof_semantics::denote::{Argument, DenoteError, Settled, State};
use laneproof_semantics::evaluate::Subgroup;
use laneproof_semantics::term::{Sort, Term};
use laneproof_solve::SolverLimit;

use crate::case::constants;
use crate::effect::{carried_out, has_memory, met};
use crate::question::{Case, LANES, Occurrence, Staging, by_number};
use crate::staged::Staged;
use crate::telling::telling_value;

/// How much the solver may do for one state of many lanes: there are others to try.
const LIMIT: SolverLimit = SolverLimit::Work(2_000_000);
/// The same where lanes read and write memory: it takes what it finds sooner.
const LIMIT_WITH_MEMORY: SolverLimit = SolverLimit::Work(400_000);
/// How much it may do to make the state plainer; a unit of search takes less time than one of
/// stating the question.
const LIMIT_OF_PREFERENCES: SolverLimit = SolverLimit::Work(1_000_000);

/// How plain a state is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plainness {
    /// All lanes are active, in little memory, with equal operands except moved payloads.
    Plain,
    /// All lanes are active: blocks are moved together.
    Together,
    /// The same, where it was hard to find states in which writes lie apart.
    Apart,
    /// Any.
    Any,
}

/// Which states are searched, if lanes read and write memory.
#[derive(Clone, Copy)]
pub enum Among<'s> {
    /// All.
    All,
    /// Those in which all lanes are active and no two write to one address under any of these
    /// readings: such lanes would race, and hide everything else.
    Apart(&'s [(String, Settled)]),
    /// Of these the plain ones.
    Plain(&'s [(String, Settled)]),
}

/// Existing lanes, S and M, the most ordinary first: a full subgroup, a workgroup of half a
/// subgroup, and the same where S tells how many lanes there are, as kernels have it.
fn sizes(lanes: u32) -> [[u32; 3]; 3] {
    let half = (lanes / 2).max(1);
    [[lanes, lanes, lanes], [half, lanes, lanes], [half, half, lanes]]
}

impl Case<'_> {
    /// The smallest state in which an active lane satisfies the query: fewest lanes, then the
    /// lowest lane.
    ///
    /// # Errors
    ///
    /// Where the clauses have no terms, or the solver does not decide.
    pub fn smallest(
        &self,
        asked: impl FnMut(&mut InstructionStates<'_>, Term) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<Option<Occurrence>, ModelCheckError> {
        self.smallest_of(&LANES, asked)
    }

    /// The same with this number of existing lanes.
    ///
    /// # Errors
    ///
    /// As [`Case::smallest`].
    pub fn smallest_of(
        &self,
        lanes: &[u32],
        mut asked: impl FnMut(&mut InstructionStates<'_>, Term) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<Option<Occurrence>, ModelCheckError> {
        let Some(mut shown) = self.unstaged(lanes, &mut asked)? else { return Ok(None) };
        shown.staged = self.staged(shown.lane, Among::All, &mut by_number(asked))?;
        Ok(Some(shown))
    }

    /// The same for a query about one numbered lane and others.
    ///
    /// # Errors
    ///
    /// As [`Case::smallest`].
    pub fn smallest_among(
        &self,
        mut asked: impl FnMut(&mut InstructionStates<'_>, u32) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<Option<Occurrence>, ModelCheckError> {
        let Some(mut shown) = self.lane_by_lane(&LANES, &mut asked)? else { return Ok(None) };
        shown.staged = self.staged(shown.lane, Among::All, &mut asked)?;
        Ok(Some(shown))
    }

    /// A state of the requested size in which an active lane satisfies the query: `near` or one of
    /// a few others. Undecided counts as not found.
    ///
    /// # Errors
    ///
    /// Where the clauses have no terms.
    pub fn staged(
        &self,
        near: u32,
        among: Among<'_>,
        asked: &mut impl FnMut(&mut InstructionStates<'_>, u32) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<Option<Staged>, ModelCheckError> {
        let Some(Staging { lanes, .. }) = self.staging else { return Ok(None) };
        for (rank, sizes) in sizes(lanes).into_iter().enumerate() {
            let [existing, ..] = sizes;
            let mut tried = Vec::new();
            for attempt in self.attempts(near, existing, among) {
                if attempt.0 >= existing || tried.contains(&attempt) {
                    continue;
                }
                tried.push(attempt);
                let (lane, plainness) = attempt;
                let Some(subgroup) = self.at(sizes, lane, plainness, asked)? else { continue };
                if !self.races(&subgroup, plainness, among)? {
                    return Ok(Some(Staged { subgroup, lane, rank }));
                }
            }
        }
        Ok(None)
    }

    /// Lanes in which something may show, and how plain the state is. Where lanes read and write
    /// memory a state is large: few are tried, the plainest first.
    fn attempts(&self, near: u32, existing: u32, among: Among<'_>) -> Vec<(u32, Plainness)> {
        use Plainness::{Any, Apart, Plain, Together};
        let mut attempts = vec![(near, Plain), (existing - 1, Plain)];
        match (has_memory(self.instance), among) {
            (true, Among::Plain(_)) => attempts,
            (true, Among::Apart(_)) => {
                attempts.extend([(near, Together), (near, Apart)]);
                attempts
            }
            (true, Among::All) => {
                attempts.extend([(near, Together), (near, Apart), (near, Any)]);
                attempts
            }
            (false, _) => {
                let lanes = [near, existing - 1, existing / 2, 0, 1];
                lanes.into_iter().map(|lane| (lane, Any)).collect()
            }
        }
    }

    fn at(
        &self,
        [existing, size, max_size]: [u32; 3],
        lane: u32,
        plainness: Plainness,
        asked: &mut impl FnMut(&mut InstructionStates<'_>, u32) -> Result<Vec<Term>, DenoteError>,
    ) -> Result<Option<Subgroup>, ModelCheckError> {
        let mut states = InstructionStates::new(self.instance, existing);
        let mut facts = asked(&mut states, lane)?;
        facts.push(match plainness {
            Plainness::Any => states.active(lane),
            Plainness::Plain | Plainness::Together | Plainness::Apart => states.all_active(),
        });
        let apart = self.writes_apart(&mut states)?;
        if plainness == Plainness::Apart {
            facts.push(apart);
        }
        if plainness == Plainness::Plain {
            facts.push(states.bounded_memory());
            facts.push(self.alike(&mut states, lane));
        }
        for (state, size) in [(State::SubgroupSize, size), (State::SubgroupMaxSize, max_size)] {
            let term = states.size(state);
            let size = states.pool().bits(u128::from(size), 32);
            facts.push(states.pool().equal(term, size));
        }
        facts.push(states.defined());
        facts.push(states.ordinary_memory());
        if facts.iter().any(|&term| states.pool().bool_of(term) == Some(false)) {
            return Ok(None);
        }
        let covered = self.others_covered(&mut states, lane)?;
        // Where the text says what the others get, many of them are better, else few.
        let mut many = vec![states.all_active()];
        let mut few = Vec::new();
        let mut together = existing;
        while together > 1 {
            for first in (0..existing).step_by(together as usize) {
                let lanes: Vec<u32> = (first..(first + together).min(existing)).collect();
                let active: Vec<Term> = lanes.iter().map(|it| states.active(*it)).collect();
                let others = lanes.iter().zip(&active).filter(|(it, _)| **it != lane);
                let others: Vec<Term> = others.map(|(_, active)| *active).collect();
                let some = states.pool().any(others);
                few.push(states.pool().not(some));
                many.push(states.pool().all(active));
            }
            together = together.div_ceil(2);
        }
        // Lanes that write to one place race, whatever they write: nothing else would show.
        let mut preferences = vec![apart];
        preferences.extend(states.small_memory());
        let telling = states.telling_content();
        preferences.push(states.pool().all(telling));
        preferences.extend(self.preferences(&mut states, lane));
        many.extend(&preferences);
        few.extend(preferences);
        let constants = constants(self.instruction);
        let limit = if has_memory(self.instance) { LIMIT_WITH_MEMORY } else { LIMIT };
        let limits = [limit, LIMIT_OF_PREFERENCES];
        match states.preferring(&constants, &facts, covered, [&many, &few], limits) {
            Ok(Some(FoundState { mut subgroup, .. })) => {
                self.fill(&states, &mut subgroup);
                Ok(Some(subgroup))
            }
            Ok(None) | Err(ModelCheckError::Undecided(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The text says what each of the other lanes that are active gets: what is broken there
    /// would only be in the way.
    fn others_covered(
        &self,
        states: &mut InstructionStates<'_>,
        lane: u32,
    ) -> Result<Term, ModelCheckError> {
        let mut covered = Vec::new();
        for other in (0..states.existing()).filter(|other| *other != lane) {
            let outcome = states.outcome(&self.meaning(self.base), other)?;
            let spoken = states.is_said(&outcome);
            let active = states.active(other);
            covered.push(states.pool().implies(active, spoken));
        }
        Ok(states.pool().all(covered))
    }

    /// Two lanes write to one place although they should not.
    fn races(
        &self,
        subgroup: &Subgroup,
        plainness: Plainness,
        among: Among<'_>,
    ) -> Result<bool, ModelCheckError> {
        let ways = match among {
            Among::All => &[][..],
            Among::Apart(ways) | Among::Plain(ways) => ways,
        };
        let usual = (plainness != Plainness::Any).then_some(self.base);
        for settled in ways.iter().map(|(_, way)| way).chain(usual) {
            let specification = &self.texts.specification;
            let (instruction, instance) = (self.instruction, self.instance);
            let done = carried_out(specification, settled, instruction, instance, subgroup, None)?;
            if !met(&done).is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// No two lanes write to one place.
    fn writes_apart(&self, states: &mut InstructionStates<'_>) -> Result<Term, ModelCheckError> {
        let meaning = self.meaning(self.base);
        let lanes = 0..states.existing();
        let outcomes = lanes
            .map(|lane| Ok((states.outcome(&meaning, lane)?, lane)))
            .collect::<Result<Vec<_>, ModelCheckError>>()?;
        let mut together = Vec::new();
        for (position, (own, lane)) in outcomes.iter().enumerate() {
            for (there, other) in &outcomes[position + 1..] {
                let overlap = states.stores_overlap([(own, *lane), (there, *other)]);
                let both = [*lane, *other].map(|it| states.active(it));
                let both = states.pool().all(both);
                together.push(states.pool().and(both, overlap));
            }
        }
        let together = states.pool().any(together);
        Ok(states.pool().not(together))
    }

    /// All lanes have the same operands, but for those that tell their lane.
    fn alike(&self, states: &mut InstructionStates<'_>, lane: u32) -> Term {
        let mut alike = Vec::new();
        for (operand, argument) in self.instance.arguments.iter().enumerate() {
            let Argument::Value(ty) = argument else { continue };
            for leaf in (0..ty.leaf_count()).filter(|_| !self.tells(operand)) {
                let Some(own) = states.held(operand, leaf, lane) else { continue };
                for other in 0..states.existing() {
                    let held = states.held(operand, leaf, other);
                    alike.extend(held.map(|held| states.pool().equal(held, own)));
                }
            }
        }
        states.pool().all(alike)
    }

    /// Operands that tell their lane where they are moved or computed with, the others the same
    /// in all lanes and small.
    fn preferences(&self, states: &mut InstructionStates<'_>, lane: u32) -> Vec<Term> {
        let mut preferences = Vec::new();
        let mut small = Vec::new();
        for (operand, argument) in self.instance.arguments.iter().enumerate() {
            let Argument::Value(ty) = argument else { continue };
            let mut preference = Vec::new();
            for leaf in 0..ty.leaf_count() {
                let Some(own) = states.held(operand, leaf, lane) else { continue };
                let telling = self.tells(operand);
                for other in 0..states.existing() {
                    let Some(held) = states.held(operand, leaf, other) else { continue };
                    let value = if telling {
                        let Some(bits) = telling_value(ty, operand, leaf, other) else { continue };
                        let Sort::Bits(width) = states.pool().sort(held) else { continue };
                        states.pool().bits(u128::from(bits), width)
                    } else {
                        own
                    };
                    preference.push(states.pool().equal(held, value));
                }
                if !telling && matches!(states.pool().sort(own), Sort::Bits(_)) {
                    small.push(own);
                }
            }
            preferences.push(states.pool().all(preference));
        }
        preferences.extend(small);
        preferences
    }

    /// Unused operands identify their lane, too.
    fn fill(&self, states: &InstructionStates<'_>, subgroup: &mut Subgroup) {
        for (operand, argument) in self.instance.arguments.iter().enumerate() {
            let Argument::Value(ty) = argument else { continue };
            for leaf in (0..ty.leaf_count()).filter(|_| self.tells(operand)) {
                if states.speaks_of(operand, leaf) {
                    continue;
                }
                for (lane, held) in (0..).zip(&mut subgroup.operands[operand]) {
                    if let Some(bits) = telling_value(ty, operand, leaf, lane) {
                        held[leaf] = Some(bits);
                    }
                }
            }
        }
    }
}
