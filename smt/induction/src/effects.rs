//! Good behavior of every lane, part by part: a hypothesis for the source, a goal for the target.

use laneproof_encode::{effects, good};
use laneproof_lower::Flat;
use laneproof_semantics::denote::{DenoteError, LaneQuantifier};
use laneproof_semantics::term::Term;

use super::both_sides::BothSides;
use super::statement::Moment;

/// A part of a function with a loop; one without belongs to what is after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Before,
    Iteration,
    After,
}

impl BothSides<'_, '_> {
    /// What must not happen in a lane: silence of either side, undefined behavior and false
    /// assumptions of the target.
    pub(super) fn bad(&mut self, part: Part) -> Result<Term, DenoteError> {
        let mut bad = Vec::new();
        let lane = self.lane;
        for of_target in [false, true] {
            let side = if of_target { &mut self.target } else { &mut self.source };
            let Some(events) = events(side.flat, part) else { continue };
            let effects = effects(&mut self.pool, &mut self.world, side, lane, events)?;
            bad.extend(effects.silence.iter().map(|it| it.condition));
            if of_target {
                for condition in good(&mut self.pool, &effects) {
                    bad.push(self.pool.not(condition));
                }
            }
        }
        let entered = self.enters(lane);
        let bad = self.pool.any(bad);
        Ok(self.pool.and(entered, bad))
    }

    /// The source behaves in all lanes, up to this part.
    pub(super) fn source_behaves(&mut self, part: Part) -> Result<Vec<Term>, DenoteError> {
        if let Some(known) = self.known.assumed.get(&(part as u8)) {
            return Ok(known.clone());
        }
        let parts: &[Part] = match (part, self.loops.of_target) {
            // A source without a loop is assumed to behave as a whole.
            (_, true) => &[Part::After],
            (Part::Before, false) => &[Part::Before],
            (Part::Iteration, false) => &[Part::Before, Part::Iteration],
            (Part::After, false) => &[Part::Before, Part::After],
        };
        let Some(any) = self.world.quantifiers.enter(&mut self.pool) else { return Ok(Vec::new()) };
        let mut conditions = Vec::new();
        for &part in parts {
            let Some(events) = events(self.source.flat, part) else { continue };
            let (world, side) = (&mut self.world, &mut self.source);
            let effects = effects(&mut self.pool, world, side, any, events)?;
            conditions.extend(good(&mut self.pool, &effects));
        }
        let mut behaves = Vec::new();
        for condition in conditions {
            behaves.push(self.everywhere(any, condition)?);
        }
        self.world.quantifiers.leave();
        self.known.assumed.insert(part as u8, behaves.clone());
        Ok(behaves)
    }

    /// A condition on the lane `any` holds in all lanes.
    pub(super) fn everywhere(&mut self, any: Term, condition: Term) -> Result<Term, DenoteError> {
        let nowhere = self.pool.bits(0, 32);
        self.everywhere_from(any, nowhere, condition)
    }

    pub(super) fn everywhere_from(
        &mut self,
        any: Term,
        here: Term,
        condition: Term,
    ) -> Result<Term, DenoteError> {
        let quantifier = LaneQuantifier::Every(condition);
        let known = self.world.quantifiers.term(&mut self.pool, any, here, &quantifier)?;
        self.world.quantifiers.give(&self.pool, known);
        Ok(known)
    }

    /// A universal quantifier over lanes.
    pub(super) fn of_any_lane(
        &mut self,
        holds: impl FnOnce(&mut Self, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let known = self.in_every_lane(holds)?;
        self.world.quantifiers.give(&self.pool, known);
        Ok(known)
    }

    /// The same, as a hypothesis of one query: it is instantiated at the lanes that it names, too.
    pub(super) fn in_every_lane(
        &mut self,
        holds: impl FnOnce(&mut Self, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let any = self.enter_quantifier()?;
        let condition = holds(self, any)?;
        let nowhere = self.pool.bits(0, 32);
        let quantifier = LaneQuantifier::Every(condition);
        let of_all = self.world.quantifiers.term(&mut self.pool, any, nowhere, &quantifier)?;
        self.world.quantifiers.leave();
        Ok(of_all)
    }

    /// A placeholder for any lane.
    pub(super) fn enter_quantifier(&mut self) -> Result<Term, DenoteError> {
        let none = || DenoteError::Specification("no quantifiers".into());
        self.world.quantifiers.enter(&mut self.pool).ok_or_else(none)
    }

    /// The same, instantiated only at the lanes in focus.
    pub(super) fn of_focus(
        &mut self,
        holds: impl FnOnce(&mut Self, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let known = self.of_any_lane(holds)?;
        self.world.quantifiers.give_to_focus(&self.pool, known);
        Ok(known)
    }

    /// The same, instantiated only at the lanes that queries name.
    pub(super) fn of_named(
        &mut self,
        holds: impl FnOnce(&mut Self, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        let known = self.of_any_lane(holds)?;
        self.world.quantifiers.give_to_named(&self.pool, known);
        Ok(known)
    }

    /// A universal quantifier over two lanes.
    pub(super) fn of_any_two(
        &mut self,
        holds: impl FnOnce(&mut Self, Term, Term) -> Result<Term, DenoteError>,
    ) -> Result<Term, DenoteError> {
        self.of_any_lane(|sides, i| {
            let j = sides.enter_quantifier()?;
            let condition = holds(sides, i, j)?;
            let of_one = sides.everywhere_from(j, i, condition)?;
            sides.world.quantifiers.leave();
            Ok(of_one)
        })
    }

    /// The loop is over.
    pub(super) fn no_lane_is_live(&mut self) -> Result<Term, DenoteError> {
        self.of_any_lane(|sides, any| {
            let live = sides.live(Moment::Before, any)?;
            Ok(sides.pool.not(live))
        })
    }
}

/// The events of a part of a function. One without a loop is a part of what is after it.
pub(super) fn events(flat: &Flat, part: Part) -> Option<std::ops::Range<usize>> {
    let all = flat.events.len();
    match (&flat.cut, part) {
        (None, Part::After) => Some(0..all),
        (None, _) => None,
        (Some(cut), Part::Before) => Some(0..cut.iteration.start),
        (Some(cut), Part::Iteration) => Some(cut.iteration.clone()),
        (Some(cut), Part::After) => Some(cut.iteration.end..all),
    }
}
