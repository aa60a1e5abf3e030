//! Relations between slots of two loops that are not equal.
//!
//! An optimizer replaces `i * 5` by a variable that grows by five (strength reduction), counts down
//! instead of up, or by four instead of by one. Two induction variables with constant increments are
//! *in step*: the distance of the one times the increment of the other equals the distance of the
//! other times the increment of the one. And an induction variable in an exit test is mostly *bounded*
//! by the other operand of the comparison. Both relations are guessed and then proved by induction
//! like everything else.

use std::collections::HashMap;

use laneproof_ask::Stage;
use laneproof_encode::InputLeaf;
use laneproof_semantics::Scalar;
use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Binary, Compare, Node, Term};

use super::both_sides::BothSides;
use super::places::{Hypotheses, Place};
use super::statement::Moment;

/// How a slot changes in an iteration from which a lane comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It grows by this constant, modulo its width.
    Adds(u128),
    /// It grows by a leaf of a parameter, by their numbers.
    AddsInput(usize, usize),
    /// It doubles.
    Doubles,
    /// It halves.
    Halves,
}

impl Step {
    /// It counts by one, up or down.
    fn counts(self, width: u32) -> bool {
        matches!(self, Self::Adds(step) if step == 1 || step == u128::MAX >> (128 - width))
    }
}

/// Two slots that are in step, each with its increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InStep {
    slots: [(Place, Step); 2],
}

/// A number does not exceed the one with which it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    of_target: bool,
    /// A placeholder for any lane.
    stand_in: Term,
    /// The relation, by that lane's state at the header.
    holds: Term,
}

/// A statement about a lane that entered the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    InStep(InStep),
    Bound(Bound),
    /// A lane that does not enter the loop that is behind keeps its initial value.
    AsBegun(Place),
    /// A slot is equal in two lanes.
    Same(Place),
    /// Two lanes are at the header of the leading loop, or neither is: of those that entered the
    /// function, or only of those that entered the loop.
    Everybody {
        of_function: bool,
    },
}

/// A statement, and the lanes to which it applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub says: Statement,
    /// Only lanes at the headers, not those that have left.
    pub of_live: bool,
}

impl From<Statement> for Relation {
    fn from(says: Statement) -> Self {
        Self { says, of_live: false }
    }
}

impl Relation {
    /// The weaker relation to try if it fails for some lane.
    fn weaker(self) -> Option<Self> {
        let also_of_live =
            !matches!(self.says, Statement::AsBegun(_) | Statement::Everybody { .. });
        (also_of_live && !self.of_live).then_some(Self { of_live: true, ..self })
    }
}

impl Statement {
    /// It is about two lanes.
    fn is_of_two(self) -> bool {
        matches!(self, Self::Same(_) | Self::Everybody { .. })
    }
}

impl BothSides<'_, '_> {
    /// Statements about any two lanes: loops that all lanes run through together.
    pub(super) fn in_common(&mut self) -> Result<Vec<Relation>, DenoteError> {
        let everybody = [true, false].map(|of_function| Statement::Everybody { of_function });
        let mut common: Vec<Relation> = everybody.into_iter().map(Relation::from).collect();
        for place in self.places()? {
            if self.on(place.of_target, |sides| sides.begins(place.slot)) {
                common.push(Relation { says: Statement::Same(place), of_live: true });
            }
        }
        Ok(common)
    }

    /// The slots of both loops that may be in step, each paired with the first one that counts by one,
    /// or with the first of all.
    pub(super) fn in_step(&mut self) -> Result<Vec<Relation>, DenoteError> {
        let mut by_width: HashMap<u32, Vec<(Place, Step)>> = HashMap::new();
        for place in self.places()? {
            if let Some((width, step)) = self.step(place)? {
                by_width.entry(width).or_default().push((place, step));
            }
        }
        let mut pairs = Vec::new();
        for (width, slots) in by_width {
            let adds = |step: Step| matches!(step, Step::Adds(_) | Step::AddsInput(..));
            let counter = slots.iter().find(|it| it.1.counts(width));
            let Some(&leader) = counter.or(slots.iter().find(|it| adds(it.1))) else { continue };
            let follows = |step| adds(step) || leader.1.counts(width);
            let others = slots.into_iter().filter(|it| it.0 != leader.0 && follows(it.1));
            let in_step = |other| Statement::InStep(InStep { slots: [leader, other] });
            pairs.extend(others.map(in_step).map(Relation::from));
        }
        Ok(pairs)
    }

    /// The width of a slot and how it changes, if that is the same in every iteration.
    pub(super) fn step(&mut self, place: Place) -> Result<Option<(u32, Step)>, DenoteError> {
        self.on(place.of_target, |sides| {
            let Some(Scalar::Int { .. }) = sides.scalar(place.slot) else { return Ok(None) };
            if !sides.begins(place.slot) {
                return Ok(None);
            }
            let lane = sides.lane;
            let before = sides.held(Moment::Before, place.slot, lane)?;
            let after = sides.held(Moment::After, place.slot, lane)?;
            let ([before], [after]) = (before.as_slice(), after.as_slice()) else {
                return Ok(None);
            };
            let after = sides.assuming_back(after.bits, lane)?;
            let after = sides.assuming_defined(after, lane)?;
            let width = sides.pool.width(after);
            Ok(sides.step_between([before.bits, after], lane).map(|step| (width, step)))
        })
    }

    fn step_between(&mut self, [before, after]: [Term; 2], lane: Term) -> Option<Step> {
        let width = self.pool.width(before);
        let pool = &mut self.pool;
        let [one, two] = [1, 2].map(|it| pool.bits(it, width));
        let ways = [
            (Binary::ShiftLeft, one, Step::Doubles),
            (Binary::Mul, two, Step::Doubles),
            (Binary::ShiftRight, one, Step::Halves),
            (Binary::DivUnsigned, two, Step::Halves),
        ];
        for (op, by, step) in ways {
            if pool.binary(op, before, by) == after {
                return Some(step);
            }
        }
        let step = pool.binary(Binary::Sub, after, before);
        if let Some(step) = pool.bits_of(step) {
            return (step != 0).then_some(Step::Adds(step));
        }
        let Node::Apply(symbol, at) = *pool.node(step) else { return None };
        let is_it = |leaf: &InputLeaf| matches!(leaf, InputLeaf::PerLane(it) if *it == symbol);
        let found = self.world.entry.inputs.iter().enumerate();
        let mut found =
            found.filter_map(|(input, leaves)| Some((input, leaves.iter().position(is_it)?)));
        found.next().filter(|_| at == lane).map(|(input, leaf)| Step::AddsInput(input, leaf))
    }

    /// Numbers in exit tests do not exceed those with which they are compared.
    pub(super) fn bounds(&mut self) -> Result<Vec<Bound>, DenoteError> {
        let mut found = Vec::new();
        for of_target in [false, true] {
            let stand_in = self.enter_quantifier()?;
            let bounds = self.on(of_target, |sides| sides.bounds_of(of_target, stand_in));
            self.world.quantifiers.leave();
            found.extend(bounds?);
        }
        Ok(found)
    }

    fn bounds_of(&mut self, of_target: bool, stand_in: Term) -> Result<Vec<Bound>, DenoteError> {
        let back = self.live(Moment::After, stand_in)?;
        let mut found = Vec::new();
        for term in self.pool.reachable(&[back]) {
            let Node::Compare(relation, a, b) = *self.pool.node(term) else { continue };
            for holds in self.not_beyond(relation, [a, b]) {
                let known = self.pool.bool_of(holds).is_some();
                let found_already = found.iter().any(|it: &Bound| it.holds == holds);
                let changes = self.with_state_of(holds, Moment::After, &[stand_in])? != holds;
                if !known && !found_already && changes && self.is_of_moment(holds, &[stand_in]) {
                    found.push(Bound { of_target, stand_in, holds });
                }
            }
        }
        Ok(found)
    }

    /// The bound that follows from an exit test of two numbers, one of which counts by one.
    fn not_beyond(&mut self, relation: Compare, [a, b]: [Term; 2]) -> [Term; 2] {
        let pool = &mut self.pool;
        let (within, [a, b]) = match relation {
            Compare::Less => (Compare::LessEqual, [a, b]),
            Compare::LessSigned => (Compare::LessEqualSigned, [a, b]),
            // If this does not hold, the other number is less.
            Compare::LessEqual | Compare::LessEqualSigned => (relation, [b, a]),
        };
        let one = pool.bits(1, pool.width(a));
        let next = pool.binary(Binary::Add, a, one);
        [pool.compare(within, a, b), pool.compare(within, b, next)]
    }

    /// The relation for two lanes, as a term; mostly it is about the first one.
    fn relates(
        &mut self,
        relation: Relation,
        moment: Moment,
        [lane, other]: [Term; 2],
    ) -> Result<Term, DenoteError> {
        if relation.says.is_of_two() {
            return self.relates_two(relation, moment, [lane, other]);
        }
        let holds = match relation.says {
            Statement::InStep(InStep { slots }) => self.are_in_step(slots, moment, lane)?,
            Statement::AsBegun(place) => {
                let began = self.held_in(place, Moment::Start, lane)?;
                let held = self.held_in(place, moment, lane)?;
                let differ = self.differ(&began, &held);
                let enters = self.on(!self.of_leading(), |sides| sides.entered(lane))?;
                let same = self.pool.not(differ);
                self.pool.or(enters, same)
            }
            Statement::Bound(Bound { of_target, stand_in, holds }) => {
                let holds = self.pool.substitute(holds, &HashMap::from([(stand_in, lane)]));
                match moment {
                    Moment::Before => holds,
                    _ => self.on(of_target, |sides| sides.with_state_of(holds, moment, &[lane]))?,
                }
            }
            Statement::Same(_) | Statement::Everybody { .. } => self.pool.bool(true),
        };
        let places: &[Place] = match &relation.says {
            Statement::InStep(InStep { slots }) => &slots.map(|it| it.0),
            Statement::Bound(Bound { of_target, .. }) => {
                &[Place { of_target: *of_target, slot: 0 }]
            }
            Statement::AsBegun(place) | Statement::Same(place) => &[*place],
            Statement::Everybody { .. } => &[],
        };
        let concerned = match relation.of_live {
            true => self.live_by(places, moment, lane)?,
            false => self.entered_by(places, lane)?,
        };
        Ok(self.pool.implies(concerned, holds))
    }

    fn relates_two(
        &mut self,
        relation: Relation,
        moment: Moment,
        lanes: [Term; 2],
    ) -> Result<Term, DenoteError> {
        let (mut concerned, mut found) = (Vec::new(), Vec::new());
        for lane in lanes {
            concerned.push(match relation.says {
                Statement::Everybody { of_function: true } => self.enters(lane),
                Statement::Same(place) if relation.of_live => {
                    self.live_by(&[place], moment, lane)?
                }
                Statement::Same(place) => self.entered_by(&[place], lane)?,
                _ => self.entered_by(&[], lane)?,
            });
            found.push(match relation.says {
                Statement::Same(place) => self.held_in(place, moment, lane)?,
                _ => {
                    let bits = self.live_leading(moment, lane)?;
                    vec![Leaf { bits, undefined: self.pool.bool(false) }]
                }
            });
        }
        let differ = self.differ(&found[0], &found[1]);
        let same = self.pool.not(differ);
        let both = self.pool.all(concerned);
        Ok(self.pool.implies(both, same))
    }

    fn are_in_step(
        &mut self,
        slots: [(Place, Step); 2],
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let (mut come, mut ends) = (Vec::new(), [lane; 2]);
        let mut parts = Vec::new();
        for (place, _) in slots {
            let held = self.held_in(place, moment, lane)?;
            let began = self.held_in(place, Moment::Start, lane)?;
            let (Some(held), Some(began)) = (held.first(), began.first()) else {
                return Err(DenoteError::Specification("a slot without scalars".into()));
            };
            parts.extend([held.undefined, began.undefined].map(|it| self.pool.not(it)));
            come.push(self.pool.binary(Binary::Sub, held.bits, began.bits));
            ends = [held.bits, began.bits];
        }
        let steps = slots.map(|it| it.1);
        let width = self.pool.width(come[0]);
        let holds = match steps[1] {
            Step::Doubles | Step::Halves => {
                let [held, began] = ends;
                let zero = self.pool.bits(0, width);
                let back = self.pool.binary(Binary::Sub, zero, come[0]);
                let times = if steps[0] == Step::Adds(1) { come[0] } else { back };
                // Shifts by the width or more lose the value.
                let most = self.pool.bits(u128::from(width), width);
                parts.push(self.pool.less(times, most));
                let doubles = steps[1] == Step::Doubles;
                let op = if doubles { Binary::ShiftLeft } else { Binary::ShiftRight };
                let there = self.pool.binary(op, began, times);
                self.pool.equal(held, there)
            }
            _ => {
                let by = [self.amount(steps[1], width, lane)?, self.amount(steps[0], width, lane)?];
                let by_input = steps.iter().any(|it| matches!(it, Step::AddsInput(..)));
                if moment == Moment::After && by_input {
                    self.gone_on(slots, by, lane)?
                } else {
                    let ways = [0, 1].map(|it| self.pool.binary(Binary::Mul, come[it], by[it]));
                    self.pool.equal(ways[0], ways[1])
                }
            }
        };
        parts.push(holds);
        Ok(self.pool.all(parts))
    }

    /// Two slots are still in step after an iteration, with products multiplied out, as the solver
    /// does not do that itself.
    fn gone_on(
        &mut self,
        slots: [(Place, Step); 2],
        by: [Term; 2],
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let back = self.live_leading(Moment::After, lane)?;
        let (mut parts, mut ways) = (Vec::new(), [by; 2]);
        for (index, (place, _)) in slots.into_iter().enumerate() {
            let mut at = Vec::new();
            for moment in [Moment::Start, Moment::Before, Moment::After] {
                let held = self.held_in(place, moment, lane)?;
                at.extend(held.first().map(|leaf| leaf.bits));
            }
            let [began, before, after] = at[..] else {
                return Err(DenoteError::Specification("a slot without scalars".into()));
            };
            // The increment of the one is the factor of the other.
            let next = self.pool.binary(Binary::Add, before, by[1 - index]);
            let next = self.pool.ite(back, next, before);
            parts.push(self.pool.equal(after, next));
            let come = self.pool.binary(Binary::Sub, before, began);
            let come = self.pool.binary(Binary::Mul, come, by[index]);
            let more = self.pool.binary(Binary::Mul, by[0], by[1]);
            ways[0][index] = self.pool.binary(Binary::Add, come, more);
            ways[1][index] = come;
        }
        let [on, stays] = ways.map(|[here, there]| self.pool.equal(here, there));
        parts.push(self.pool.ite(back, on, stays));
        Ok(self.pool.all(parts))
    }

    /// The increment of a step.
    fn amount(&mut self, step: Step, width: u32, lane: Term) -> Result<Term, DenoteError> {
        match step {
            Step::Adds(step) => Ok(self.pool.bits(step, width)),
            Step::AddsInput(input, leaf) => {
                match self.world.entry.inputs.get(input).and_then(|leaves| leaves.get(leaf)) {
                    Some(&InputLeaf::PerLane(symbol)) => Ok(self.pool.apply(symbol, lane)),
                    _ => Err(DenoteError::Specification("no such parameter".into())),
                }
            }
            Step::Doubles | Step::Halves => {
                Err(DenoteError::Specification("a step that adds nothing".into()))
            }
        }
    }

    /// The relations hold for all lanes when an iteration begins.
    pub(super) fn related(&mut self, relations: &[Relation]) -> Result<Vec<Term>, DenoteError> {
        let mut known = Vec::new();
        for &relation in relations {
            known.push(match relation.says.is_of_two() {
                true => {
                    self.of_any_two(|sides, i, j| sides.relates(relation, Moment::Before, [i, j]))?
                }
                false => self
                    .of_any_lane(|sides, any| sides.relates(relation, Moment::Before, [any; 2]))?,
            });
        }
        Ok(known)
    }

    /// The relations that hold when the loops are entered.
    pub(super) fn begin_related(
        &mut self,
        relations: Vec<Relation>,
        given: Hypotheses<'_>,
    ) -> Result<Vec<Relation>, DenoteError> {
        let lanes = [self.lane, self.other];
        let mut kept = Vec::new();
        for relation in relations {
            let holds = self.relates(relation, Moment::Start, lanes)?;
            let fails = self.pool.not(holds);
            if self.never(Hypotheses { stage: Stage::Begins, ..given }, fails)? {
                kept.push(relation);
            }
        }
        Ok(kept)
    }

    /// The relations that every iteration preserves.
    pub(super) fn stay_related(
        &mut self,
        mut relations: Vec<Relation>,
        given: Hypotheses<'_>,
    ) -> Result<Vec<Relation>, DenoteError> {
        let lanes = [self.lane, self.other];
        let (mut index, mut since) = (0, 0);
        while since < relations.len() {
            index %= relations.len();
            let known = [given.known, &self.related(&relations)?].concat();
            let holds = self.relates(relations[index], Moment::After, lanes)?;
            let fails = self.pool.not(holds);
            if self.never(Hypotheses { known: &known, ..given }, fails)? {
                (index, since) = (index + 1, since + 1);
            } else {
                match relations[index].weaker() {
                    Some(weaker) => relations[index] = weaker,
                    None => _ = relations.remove(index),
                }
                since = 0;
            }
        }
        Ok(relations)
    }
}
