//! What slots of two loops have to do with each other where they do not hold the same.
//!
//! An optimizer exchanges `i * 5` for a number that five is added to, counts down instead of up, or by
//! four instead of by one. Two slots that go on by the same amounts in every iteration are *in step*:
//! so far as the one has come, times what the other goes on by, is as far as the other has come,
//! times what the one does. And a number that is compared, to tell whether there is another
//! iteration, is mostly *bounded* by what it is compared with. Both are guessed, and shown like
//! anything else: they hold at first, and an iteration that begins with all that is presumed keeps
//! them.

use std::collections::HashMap;

use laneproof_ask::Stage;
use laneproof_encode::InputLeaf;
use laneproof_semantics::Scalar;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Binary, Compare, Node, Term};

use super::ground::Ground;
use super::places::{Given, Place};
use super::statement::Moment;

/// How a slot goes on in an iteration that a lane comes back from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// By so much, modulo its width.
    Adds(u128),
    /// By the leaf of a parameter, by their numbers.
    AddsInput(usize, usize),
    /// Twice as far each time.
    Doubles,
    /// Half as far.
    Halves,
}

impl Step {
    /// By one, up or down.
    fn counts(self, width: u32) -> bool {
        matches!(self, Self::Adds(step) if step == 1 || step == u128::MAX >> (128 - width))
    }
}

/// Two slots that are in step, each with how it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InStep {
    slots: [(Place, Step); 2],
}

/// One number is not beyond another, which it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    of_target: bool,
    /// A lane that stands for any.
    stand_in: Term,
    /// By what that lane holds at the header.
    holds: Term,
}

/// What is said of a lane that entered the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    InStep(InStep),
    Bound(Bound),
    /// Who does not enter the loop that is behind holds what it began with.
    AsBegun(Place),
}

/// A statement, and of which lanes it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub says: Statement,
    /// Only of lanes that are at the headers, not of such that have left.
    pub of_live: bool,
}

impl From<Statement> for Relation {
    fn from(says: Statement) -> Self {
        Self { says, of_live: false }
    }
}

impl Relation {
    /// What is still said where it fails of all lanes.
    fn weaker(self) -> Option<Self> {
        let also_of_live = !matches!(self.says, Statement::AsBegun(_));
        (also_of_live && !self.of_live).then_some(Self { of_live: true, ..self })
    }
}

impl Ground<'_, '_> {
    /// The slots of both loops that may be in step, each with the first that goes on by one, or by
    /// anything.
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

    /// How wide a slot is and how it goes on, where that is always the same.
    pub(super) fn step(&mut self, place: Place) -> Result<Option<(u32, Step)>, DenoteError> {
        self.on(place.of_target, |ground| {
            let Some(Scalar::Int { .. }) = ground.scalar(place.slot) else { return Ok(None) };
            if !ground.begins(place.slot) {
                return Ok(None);
            }
            let lane = ground.lane;
            let before = ground.held(Moment::Before, place.slot, lane)?;
            let after = ground.held(Moment::After, place.slot, lane)?;
            let ([before], [after]) = (before.as_slice(), after.as_slice()) else {
                return Ok(None);
            };
            let after = ground.assuming_back(after.bits, lane)?;
            let after = ground.assuming_defined(after, lane)?;
            let width = ground.pool.width(after);
            Ok(ground.step_between([before.bits, after], lane).map(|step| (width, step)))
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

    /// Numbers that are compared to tell whether lanes come back are not beyond what they are
    /// compared with.
    pub(super) fn bounds(&mut self) -> Result<Vec<Bound>, DenoteError> {
        let mut found = Vec::new();
        for of_target in [false, true] {
            let stand_in = self.enter_survey()?;
            let bounds = self.on(of_target, |ground| ground.bounds_of(of_target, stand_in));
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
                let said = found.iter().any(|it: &Bound| it.holds == holds);
                let changes = self.with_state_of(holds, Moment::After, &[stand_in])? != holds;
                if !known && !said && changes && self.is_of_moment(holds, &[stand_in]) {
                    found.push(Bound { of_target, stand_in, holds });
                }
            }
        }
        Ok(found)
    }

    /// Where two numbers go on to be compared so, or not so, and one of them moves by one: how far
    /// they come.
    fn not_beyond(&mut self, relation: Compare, [a, b]: [Term; 2]) -> [Term; 2] {
        let pool = &mut self.pool;
        let (within, [a, b]) = match relation {
            Compare::Less => (Compare::LessEqual, [a, b]),
            Compare::LessSigned => (Compare::LessEqualSigned, [a, b]),
            // Where this is not so, the other one is less.
            Compare::LessEqual | Compare::LessEqualSigned => (relation, [b, a]),
        };
        let one = pool.bits(1, pool.width(a));
        let next = pool.binary(Binary::Add, a, one);
        [pool.compare(within, a, b), pool.compare(within, b, next)]
    }

    /// That a relation holds of a lane.
    fn relates(
        &mut self,
        relation: Relation,
        moment: Moment,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        let holds = match relation.says {
            Statement::InStep(InStep { slots }) => self.are_in_step(slots, moment, lane)?,
            Statement::AsBegun(place) => {
                let began = self.held_in(place, Moment::Start, lane)?;
                let held = self.held_in(place, moment, lane)?;
                let differ = self.differ(&began, &held);
                let enters = self.on(!self.of_leading(), |ground| ground.entered(lane))?;
                let same = self.pool.not(differ);
                self.pool.or(enters, same)
            }
            Statement::Bound(Bound { of_target, stand_in, holds }) => {
                let holds = self.pool.substitute(holds, &HashMap::from([(stand_in, lane)]));
                match moment {
                    Moment::Before => holds,
                    _ => {
                        self.on(of_target, |ground| ground.with_state_of(holds, moment, &[lane]))?
                    }
                }
            }
        };
        let places: &[Place] = match &relation.says {
            Statement::InStep(InStep { slots }) => &slots.map(|it| it.0),
            Statement::Bound(Bound { of_target, .. }) => {
                &[Place { of_target: *of_target, slot: 0 }]
            }
            Statement::AsBegun(place) => &[*place],
        };
        let concerned = match relation.of_live {
            true => self.live_by(places, moment, lane)?,
            false => self.entered_by(places, lane)?,
        };
        Ok(self.pool.implies(concerned, holds))
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
                // Beyond its width a number of iterations tells nothing of where it is.
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

    /// Two slots are still in step after an iteration in which each has gone on as it does, where its
    /// lane comes back, and not otherwise: products multiplied out, which a solver does not do.
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
            // What the one goes on by is what the other is multiplied with.
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

    /// What a step adds.
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

    /// That relations hold of all lanes when an iteration begins.
    pub(super) fn related(&mut self, relations: &[Relation]) -> Result<Vec<Term>, DenoteError> {
        let mut known = Vec::new();
        for &relation in relations {
            known.push(
                self.of_any_lane(|ground, any| ground.relates(relation, Moment::Before, any))?,
            );
        }
        Ok(known)
    }

    /// The relations of these that hold when the loops are entered.
    pub(super) fn begin_related(
        &mut self,
        relations: Vec<Relation>,
        given: Given<'_>,
    ) -> Result<Vec<Relation>, DenoteError> {
        let lane = self.lane;
        let mut kept = Vec::new();
        for relation in relations {
            let holds = self.relates(relation, Moment::Start, lane)?;
            let fails = self.pool.not(holds);
            if self.never(Given { stage: Stage::Begins, ..given }, fails)? {
                kept.push(relation);
            }
        }
        Ok(kept)
    }

    /// The relations of these that an iteration keeps in which they hold when it begins.
    pub(super) fn stay_related(
        &mut self,
        mut relations: Vec<Relation>,
        given: Given<'_>,
    ) -> Result<Vec<Relation>, DenoteError> {
        let lane = self.lane;
        let (mut index, mut since) = (0, 0);
        while since < relations.len() {
            index %= relations.len();
            let known = [given.known, &self.related(&relations)?].concat();
            let holds = self.relates(relations[index], Moment::After, lane)?;
            let fails = self.pool.not(holds);
            if self.never(Given { known: &known, ..given }, fails)? {
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
