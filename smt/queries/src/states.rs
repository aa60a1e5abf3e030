//! The smallest state in which something holds of one instruction.
//!
//! A caller says in terms what is looked for, over outcomes of lanes; the answer is a state that
//! the evaluator can be put into.

mod determined;
mod difference;
mod found;
mod known;
mod memory;
mod open;

use std::convert::Infallible;
use std::time::Instant;

use laneproof_semantics::denote::{DenoteError, Group, Instance, LaneOutcome, State};
use laneproof_semantics::evaluate::{Bits, Subgroup};
use laneproof_semantics::term::{GroundValue, Pool, Sort, Term};
use laneproof_solve::{Model, SoftProblem, SolverAnswer, SolverLimit, afresh, solve};

use crate::model_check::{Meaning, ModelCheckError, SymbolicGroup};

/// A state, and what is found in it.
#[derive(Clone, Debug)]
pub struct FoundState {
    /// The state.
    pub subgroup: Subgroup,
    /// Where clauses leave results open: those of each existing lane.
    pub results: Option<Vec<Option<Vec<Bits>>>>,
}

/// What holds, and a model of it.
struct Satisfied {
    facts: Vec<Term>,
    model: Model,
}

/// A wish is worth this part of what the question is worth.
const WISHES: u32 = 20;

/// Values that a reader takes in at a glance.
const PLAIN: [u128; 4] = [0, 1, 2, 3];

/// Wishes that are granted, one after the other.
struct PreferenceSearch<'g, 'a> {
    states: &'g InstructionStates<'a>,
    further: SoftProblem<'g>,
    preferences: &'g [Term],
    /// For all of them together.
    limit: SolverLimit,
    started: Instant,
}

impl PreferenceSearch<'_, '_> {
    /// The same as one by one: what cannot be had together is tried in halves.
    fn all(&mut self, preferences: &[usize], model: &mut Model, granted: &mut Vec<usize>) {
        let holds =
            |it: &usize| self.states.value(model, self.preferences[*it]) == GroundValue::Bool(true);
        let held = preferences.iter().take_while(|preference| holds(preference)).count();
        let (held, preferences) = preferences.split_at(held);
        self.keep(held, granted);
        if preferences.is_empty() || self.further.is_past(self.limit, self.started) {
            return;
        }
        match self.further.with(preferences, self.limit.part(WISHES)) {
            Some(found) => {
                self.keep(preferences, granted);
                *model = found;
            }
            None if preferences.len() == 1 => {}
            None => {
                let (first, rest) = preferences.split_at(preferences.len() / 2);
                self.all(first, model, granted);
                self.all(rest, model, granted);
            }
        }
    }

    fn keep(&self, preferences: &[usize], granted: &mut Vec<usize>) {
        self.further.keep(preferences);
        granted.extend(preferences);
    }
}

/// All states of one instruction in one form, in which `existing` lanes exist.
pub struct InstructionStates<'a> {
    group: SymbolicGroup<'a>,
    instance: &'a Instance,
    existing: u32,
}

impl<'a> InstructionStates<'a> {
    /// Arbitrary states with this number of existing lanes.
    pub fn new(instance: &'a Instance, existing: u32) -> Self {
        let mut group = SymbolicGroup::new(instance, existing);
        group.all_memory();
        Self { group, instance, existing }
    }

    /// The same where any number of lanes exists, up to `most`, 128 at most.
    pub fn of_up_to(instance: &'a Instance, most: u32) -> Self {
        let mut states = Self::new(instance, most);
        states.group.sizes.or_fewer = true;
        states
    }

    /// A lane that may be any that executes the instruction, and that it does.
    pub fn any_active_lane(&mut self) -> (Term, Term) {
        let pool = &mut self.group.pool;
        let lane = pool.fresh("lane", Sort::Bits(32));
        let most = pool.bits(u128::from(self.existing), 32);
        let below = pool.less(lane, most);
        let active = pool.bit(self.group.sizes.active, lane);
        (lane, pool.and(below, active))
    }

    /// The lane of this number.
    pub fn lane(&mut self, number: u32) -> Term {
        self.group.pool.bits(u128::from(number), 32)
    }

    /// Where terms live.
    pub fn pool(&mut self) -> &mut Pool {
        &mut self.group.pool
    }

    /// How many lanes exist, or may exist.
    pub fn existing(&self) -> u32 {
        self.existing
    }

    /// What a meaning says of a lane.
    ///
    /// # Errors
    ///
    /// Where it has no terms.
    pub fn outcome(
        &mut self,
        meaning: &Meaning<'_>,
        lane: u32,
    ) -> Result<LaneOutcome, DenoteError> {
        let lane = self.lane(lane);
        self.outcome_at(meaning, lane)
    }

    /// The same of a lane that need not be known.
    ///
    /// # Errors
    ///
    /// Where it has no terms.
    pub fn outcome_at(
        &mut self,
        meaning: &Meaning<'_>,
        lane: Term,
    ) -> Result<LaneOutcome, DenoteError> {
        meaning.outcome(self.instance, &mut self.group, lane)
    }

    /// The lane executes the instruction.
    pub fn active(&mut self, lane: u32) -> Term {
        let lane = self.group.pool.bits(u128::from(lane), 32);
        self.group.pool.bit(self.group.sizes.active, lane)
    }

    /// Every lane that exists executes the instruction.
    pub fn all_active(&mut self) -> Term {
        let lanes: Vec<Term> = (0..self.existing).map(|lane| self.active(lane)).collect();
        self.group.pool.all(lanes)
    }

    /// No operand is an undefined value in any lane.
    pub fn defined(&mut self) -> Term {
        let marks: Vec<_> = self.group.operands.values().map(|[_, mark]| *mark).collect();
        let touched = self.group.memory.touched.clone();
        let pool = &mut self.group.pool;
        let mut defined = Vec::new();
        for ([_, mark], place) in touched {
            let marked = pool.apply(mark, place);
            defined.push(pool.not(marked));
        }
        for mark in marks {
            for lane in 0..self.existing {
                let lane = pool.bits(u128::from(lane), 32);
                let marked = pool.apply(mark, lane);
                defined.push(pool.not(marked));
            }
        }
        pool.all(defined)
    }

    /// The bits of a leaf of an operand in a lane; `None` if no term uses it.
    pub fn held(&mut self, operand: usize, leaf: usize, lane: u32) -> Option<Term> {
        let [bits, _] = *self.group.operands.get(&(operand, leaf))?;
        let pool = &mut self.group.pool;
        let lane = pool.bits(u128::from(lane), 32);
        Some(pool.apply(bits, lane))
    }

    /// Some term uses a leaf of an operand.
    pub fn speaks_of(&self, operand: usize, leaf: usize) -> bool {
        self.group.operands.contains_key(&(operand, leaf))
    }

    /// A size, 32 bits.
    pub fn size(&mut self, state: State) -> Term {
        self.group.state(state)
    }

    /// The outcome has undefined behavior.
    pub fn misbehaves(&mut self, outcome: &LaneOutcome) -> Term {
        self.group.behavior(outcome)
    }

    /// The outcome is neither silent nor undefined behavior.
    pub fn is_said(&mut self, outcome: &LaneOutcome) -> Term {
        let (behavior, silence) = (self.group.behavior(outcome), self.group.silence(outcome));
        let unsaid = self.group.pool.or(behavior, silence);
        self.group.pool.not(unsaid)
    }

    /// The outcome is a result, or undefined behavior.
    pub fn speaks(&mut self, outcome: &LaneOutcome) -> Term {
        let (behavior, silence) = (self.group.behavior(outcome), self.group.silence(outcome));
        let spoken = self.group.pool.not(silence);
        self.group.pool.or(behavior, spoken)
    }

    /// Some state satisfies the query.
    ///
    /// # Errors
    ///
    /// Where the solver does not decide within `limit`.
    pub fn is_met(
        &mut self,
        constants: &[usize],
        asked: &[Term],
        limit: SolverLimit,
    ) -> Result<bool, ModelCheckError> {
        Ok(self.satisfying(constants, asked, limit)?.is_some())
    }

    /// The smallest state in which all of `asked` hold: sizes first, then values that are
    /// defined, small values, and few lanes that are not active. Constants among the operands
    /// are the same in all lanes. `None` where there is no such state.
    ///
    /// # Errors
    ///
    /// Where the solver does not decide within `limit`.
    pub fn smallest(
        &mut self,
        constants: &[usize],
        asked: &[Term],
        limit: SolverLimit,
    ) -> Result<Option<FoundState>, ModelCheckError> {
        let preferences = self.preferences();
        let Some(mut found) = self.satisfying(constants, asked, limit)? else { return Ok(None) };
        self.grant(&mut found, &preferences, limit);
        Ok(Some(self.read(&found.model, false)))
    }

    /// A state in which all of `asked` hold, and as much of what is wished for as can be, the
    /// first first: `decisive`, then of the two lists the one for where it holds, or the one for
    /// where it cannot. Of a number it is wished that it is small. Constants among the operands
    /// are the same in all lanes. `None` where there is no such state. The limits are that of the
    /// question and that of all wishes together.
    ///
    /// # Errors
    ///
    /// Where the solver does not decide within the first limit.
    pub fn preferring(
        &mut self,
        constants: &[usize],
        asked: &[Term],
        decisive: Term,
        [granted, refused]: [&[Term]; 2],
        [limit, of_preferences]: [SolverLimit; 2],
    ) -> Result<Option<FoundState>, ModelCheckError> {
        let Some(mut found) = self.satisfying(constants, asked, limit)? else { return Ok(None) };
        let before = found.facts.len();
        self.grant(&mut found, &[decisive], of_preferences);
        let further = if found.facts.len() > before { granted } else { refused };
        self.grant(&mut found, further, of_preferences);
        self.tidy(&mut found);
        Ok(Some(self.read(&found.model, true)))
    }

    /// Gives each operand the simplest possible value, lane by lane: a small one, or that of a
    /// lower lane. No solver is used.
    fn tidy(&self, found: &mut Satisfied) {
        let order = self.group.pool.reachable(&found.facts);
        for &[symbol, _] in self.group.operands.values() {
            let mut below = PLAIN.map(GroundValue::Bits).to_vec();
            for lane in 0..self.existing {
                let Some(held) = found.model.chosen(symbol, lane) else { continue };
                if !matches!(held, GroundValue::Bits(_)) {
                    continue;
                }
                for value in below.iter().copied().take_while(|value| *value != held) {
                    found.model.choose(symbol, lane, value);
                    let holds = self.group.pool.evaluate_in(&order, &found.facts, &found.model);
                    if holds.iter().all(|it| *it == GroundValue::Bool(true)) {
                        break;
                    }
                    found.model.choose(symbol, lane, held);
                }
                let held = found.model.chosen(symbol, lane);
                below.extend(held.filter(|held| !below.contains(held)));
            }
        }
    }

    fn satisfying(
        &mut self,
        constants: &[usize],
        asked: &[Term],
        limit: SolverLimit,
    ) -> Result<Option<Satisfied>, ModelCheckError> {
        let mut facts = self.group.any_state(constants);
        facts.extend(asked);
        Ok(self.model(&facts, limit)?.map(|model| Satisfied { facts, model }))
    }

    /// Adds the wishes that can be had, the first first. Of a number it is wished that each of its
    /// bits is 0, from the highest down.
    fn grant(&mut self, found: &mut Satisfied, preferences: &[Term], limit: SolverLimit) {
        let mut each = Vec::new();
        for &preference in preferences {
            match self.group.pool.sort(preference) {
                Sort::Bool => each.push(preference),
                Sort::Bits(width) => {
                    let pool = &mut self.group.pool;
                    let zero = pool.bits(0, 1);
                    each.extend((0..width).rev().map(|bit| {
                        let here = pool.extract(preference, bit, bit);
                        pool.equal(here, zero)
                    }));
                }
                Sort::Tag => {}
            }
        }
        let question = known::question(&self.group.pool, &found.facts, &each, limit);
        // What is granted does not depend on what the solver was asked before.
        let granted = known::answer(question, || {
            Ok::<_, Infallible>(afresh(|| self.granted(found, &each, limit)))
        });
        let Ok(Some((model, granted))) = granted else { return };
        let granted = granted.into_iter().map(|wish| each[wish]);
        *found = Satisfied { facts: found.facts.iter().copied().chain(granted).collect(), model };
    }

    /// The wishes that can be had, and a model. All together are worth what the question is worth.
    fn granted(
        &self,
        found: &Satisfied,
        each: &[Term],
        limit: SolverLimit,
    ) -> Option<(Model, Vec<usize>)> {
        let started = Instant::now();
        // None is granted where it takes too long to state them.
        let further = SoftProblem::new(&self.group.pool, &found.facts, each, limit.until(started));
        let numbers: Vec<usize> = (0..each.len()).collect();
        let further = further.ok()?;
        let mut granting =
            PreferenceSearch { states: self, further, preferences: each, limit, started };
        let (mut model, mut granted) = (found.model.clone(), Vec::new());
        granting.all(&numbers, &mut model, &mut granted);
        Some((model, granted))
    }

    fn model(&self, facts: &[Term], limit: SolverLimit) -> Result<Option<Model>, ModelCheckError> {
        let pool = &self.group.pool;
        // What is false by its form is no question.
        if facts.iter().any(|&fact| pool.bool_of(fact) == Some(false)) {
            return Ok(None);
        }
        let question = known::question(pool, facts, &[], limit);
        let answer = known::answer(question, || match solve(pool, facts, limit, None) {
            SolverAnswer::Unsat => Ok(None),
            SolverAnswer::Sat(model) => Ok(Some((model, Vec::new()))),
            SolverAnswer::Unknown(reason) => Err(ModelCheckError::Undecided(reason)),
        });
        Ok(answer?.map(|(model, _)| model))
    }

    fn value(&self, model: &Model, term: Term) -> GroundValue {
        self.group
            .pool
            .evaluate(&[term], model)
            .first()
            .copied()
            .unwrap_or(GroundValue::Bool(false))
    }

    /// What a small state has, the most important first.
    fn preferences(&mut self) -> Vec<Term> {
        let mut preferences = Vec::new();
        let word = |pool: &mut Pool, term| pool.extract(term, 7, 0);
        for size in [self.group.sizes.size, self.group.sizes.max_size] {
            preferences.push(word(&mut self.group.pool, size));
        }
        for lane in 0..self.existing {
            preferences.push(self.active(lane));
        }
        let mut operands: Vec<_> =
            self.group.operands.iter().map(|(&key, &symbols)| (key, symbols)).collect();
        operands.sort_by_key(|(key, _)| *key);
        let pool = &mut self.group.pool;
        let mut values = Vec::new();
        for (_, [bits, mark]) in operands {
            for lane in 0..self.existing {
                let lane = pool.bits(u128::from(lane), 32);
                let marked = pool.apply(mark, lane);
                preferences.push(pool.not(marked));
                let value = pool.apply(bits, lane);
                values.push(match pool.sort(value) {
                    Sort::Bool => pool.not(value),
                    _ => value,
                });
            }
        }
        preferences.extend(self.small_memory());
        preferences.extend(values);
        preferences.extend(self.small_content());
        preferences.extend(self.small_results());
        preferences
    }

    /// Of results that are left open: nothing past the first leaf, and that small.
    fn small_results(&mut self) -> Vec<Term> {
        let mut preferences = Vec::new();
        let mut open: Vec<_> = self.group.open_results().collect();
        open.sort_by_key(|(leaf, _)| std::cmp::Reverse(*leaf));
        let pool = &mut self.group.pool;
        for (leaf, symbol) in open {
            for lane in 0..self.existing {
                let lane = pool.bits(u128::from(lane), 32);
                let value = pool.apply(symbol, lane);
                preferences.push(match (leaf, pool.sort(value)) {
                    (1.., Sort::Bits(width)) => {
                        let zero = pool.bits(0, width);
                        pool.equal(value, zero)
                    }
                    _ => value,
                });
            }
        }
        preferences
    }
}
