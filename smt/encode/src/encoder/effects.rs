//! What a function does in a lane besides computing its result: undefined behavior, assumptions,
//! and states for which the text is silent.

use std::ops::Range;
use std::sync::Arc;

use laneproof_lower::{ActivityId, Event, StepId};
use laneproof_semantics::denote::{Cause, DenoteError, GroupScope, Leaf};
use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use crate::encoder::{Choice, EncodedSide, Encoder, World};
use crate::lane::{LARGEST, below};

/// A consequence somewhere in a function.
#[derive(Clone, Debug)]
pub struct GuardedConsequence {
    /// When it happens; Boolean.
    pub condition: Term,
    /// The clause, in words.
    pub clause: Arc<str>,
}

/// What a function does in one lane besides computing its result.
#[derive(Default)]
pub struct Effects {
    /// Where it misbehaves.
    pub undefined_behavior: Vec<GuardedConsequence>,
    /// Where an assumption is false; Boolean each.
    pub broken_assumptions: Vec<Term>,
    /// Where the text is silent.
    pub silence: Vec<GuardedConsequence>,
    /// What excludes the state, by the number of the event; whether it is a false assumption.
    pub excluded: Vec<(usize, Term, bool)>,
    /// Where a loop would go on after the last iteration that is unrolled, by the number of the
    /// event.
    pub overruns: Vec<(usize, Term)>,
    /// An assumption comes after something that may be undefined behavior.
    pub assumed_late: bool,
}

impl Effects {
    fn misbehave(&mut self, condition: Term, clause: &str) {
        self.undefined_behavior.push(GuardedConsequence { condition, clause: clause.into() });
    }

    /// What one event adds in a lane.
    fn add(
        &mut self,
        mut encoder: Encoder<'_, '_, '_>,
        (number, event): (usize, &Event),
        lane: Term,
    ) -> Result<(), DenoteError> {
        let flat = encoder.side.flat;
        match event {
            Event::Step(step) => {
                let activity = encoder.activity(flat.step(*step).activity, lane)?;
                if encoder.pool.bool_of(activity) == Some(false) {
                    return Ok(());
                }
                let outcome = encoder.outcome(*step, lane)?;
                self.undefined_behavior.extend(under(
                    encoder.pool,
                    activity,
                    &outcome.undefined_behavior,
                ));
                self.silence.extend(under(encoder.pool, activity, &outcome.silence));
            }
            Event::Branch(activity, condition) => {
                let activity = encoder.activity(*activity, lane)?;
                let undefined = encoder.scalar(*condition, lane)?.undefined;
                let condition = encoder.pool.and(activity, undefined);
                self.misbehave(condition, "a branch on an undefined value");
            }
            Event::Bounds(activity, index, length) => {
                let activity = encoder.activity(*activity, lane)?;
                let leaf = encoder.scalar(*index, lane)?;
                let outside = outside(encoder.pool, leaf, *length)?;
                let condition = encoder.pool.and(activity, outside);
                self.misbehave(condition, "an index past the end");
            }
            Event::Access(number) => {
                let contacts = encoder.contacts(*number, lane)?;
                let out_of_bounds =
                    contacts.out_of_bounds.iter().map(|&condition| GuardedConsequence {
                        condition,
                        clause: "an access outside of its memory".into(),
                    });
                self.undefined_behavior.extend(out_of_bounds);
            }
            Event::Unreachable(activity) => {
                let condition = encoder.activity(*activity, lane)?;
                self.misbehave(condition, "OpUnreachable");
            }
            Event::Gathered(activity, scope) => {
                let activity = encoder.activity(*activity, lane)?;
                let missing = encoder.someone_missing(*scope, lane);
                let condition = encoder.pool.and(activity, missing);
                self.misbehave(condition, "a barrier that not every lane reaches");
            }
            Event::Together { entered, reached_by, scope } => {
                encoder.come_together([*entered, *reached_by], *scope, lane)?;
            }
            Event::Assume(activity, condition) => {
                let activity = encoder.activity(*activity, lane)?;
                let leaf = encoder.scalar(*condition, lane)?;
                self.assumed_late |= self
                    .undefined_behavior
                    .iter()
                    .any(|it| encoder.pool.bool_of(it.condition) != Some(false));
                let holds = encoder.assumed(number, leaf, lane);
                let broken = encoder.pool.not(holds);
                self.broken_assumptions.push(encoder.pool.and(activity, broken));
            }
            Event::Overrun(activity) => {
                let activity = encoder.activity(*activity, lane)?;
                if encoder.pool.bool_of(activity) != Some(false) {
                    self.overruns.push((number, activity));
                }
            }
        }
        Ok(())
    }
}

/// The conditions under which a function behaves in a lane.
pub fn good(pool: &mut Pool, effects: &Effects) -> Vec<Term> {
    effects
        .undefined_behavior
        .iter()
        .map(|it| it.condition)
        .chain(effects.broken_assumptions.iter().copied())
        .chain(effects.overruns.iter().map(|(_, condition)| *condition))
        .map(|condition| pool.not(condition))
        .collect()
}

/// Undefined behavior, false assumptions and silence of a function in a lane, in some of its
/// events.
pub fn effects<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    side: &mut EncodedSide<'f>,
    lane: Term,
    events: Range<usize>,
) -> Result<Effects, DenoteError> {
    let flat = side.flat;
    let mut effects = Effects::default();
    for (number, event) in flat.events.iter().enumerate().take(events.end).skip(events.start) {
        let (behaviors, assumptions) =
            (effects.undefined_behavior.len(), effects.broken_assumptions.len());
        effects.add(Encoder { pool, world, side }, (number, event), lane)?;
        let behaviors = effects.undefined_behavior[behaviors..].iter().map(|it| it.condition);
        effects.excluded.extend(behaviors.map(|condition| (number, condition, false)));
        let assumptions = effects.broken_assumptions[assumptions..].iter();
        effects.excluded.extend(assumptions.map(|&condition| (number, condition, true)));
    }
    Ok(effects)
}

/// Consequences for a lane that executes this.
fn under(pool: &mut Pool, activity: Term, causes: &[Cause]) -> Vec<GuardedConsequence> {
    let one = |cause: &Cause| GuardedConsequence {
        condition: pool.and(activity, cause.condition),
        clause: cause.clause.clone(),
    };
    causes.iter().map(one).collect()
}

/// An index that is undefined, or not below the length.
fn outside(pool: &mut Pool, index: Leaf, length: u32) -> Result<Term, DenoteError> {
    let width = pool.width(index.bits);
    if width < 32 && length >> width != 0 {
        // If every value is in bounds, an undefined index is no undefined behavior.
        if pool.bool_of(index.undefined) != Some(false) {
            return Err(DenoteError::NotModelled("an undefined index".into()));
        }
        return Ok(index.undefined);
    }
    let length = pool.bits(u128::from(length), width);
    let inside = pool.less(index.bits, length);
    let outside = pool.not(inside);
    Ok(pool.or(index.undefined, outside))
}

impl Encoder<'_, '_, '_> {
    /// Some existing lane of the workgroup, or of this lane's subgroup, did not enter.
    fn someone_missing(&mut self, scope: GroupScope, lane: Term) -> Term {
        let (pool, world) = (&mut *self.pool, &*self.world);
        let all_lanes = below(pool, world.entry.existing);
        let (mut expected, mut entered) = (all_lanes, world.entry.active);
        if let (GroupScope::Subgroup, Some(workgroup)) = (scope, world.entry.workgroup) {
            let ones = pool.bits(u128::MAX >> (LARGEST - workgroup.size), LARGEST);
            let sizes = pool.bits(u128::from(!(workgroup.size - 1)), 32);
            let first = pool.binary(Binary::And, lane, sizes);
            let first = pool.zero_extend(first, LARGEST);
            let own = pool.binary(Binary::ShiftLeft, ones, first);
            expected = pool.binary(Binary::And, expected, own);
            entered = pool.binary(Binary::And, entered, own);
        }
        let all = pool.equal(entered, expected);
        let missing = pool.not(all);
        match scope {
            GroupScope::Subgroup => missing,
            GroupScope::Workgroup => pool.or(missing, world.others_missing),
        }
    }

    /// All lanes that entered reach a barrier, or none does: whether a lane comes is one term, the same
    /// for this lane and for another one.
    fn come_together(
        &mut self,
        [entered, reached_by]: [ActivityId; 2],
        scope: GroupScope,
        lane: Term,
    ) -> Result<(), DenoteError> {
        let not_modelled =
            || DenoteError::NotModelled("a barrier that some lanes may not reach".into());
        if self.world.entry.bound > 1 {
            let numbered = self.pool.bits_of(lane);
            let other = self.pool.bits(u128::from(numbered == Some(0)), 32);
            let comes = self.way(reached_by, Some(entered), lane)?;
            let other_comes = self.way(reached_by, Some(entered), other)?;
            if comes != other_comes {
                return Err(not_modelled());
            }
        }
        // Lanes of other subgroups that are not encoded may do otherwise.
        let alone = match (scope, self.world.entry.workgroup) {
            (GroupScope::Workgroup, None) => {
                let one = self.pool.bits(1, 32);
                let others = self.pool.less(one, self.world.entry.place.subgroups);
                self.pool.bool_of(others) == Some(false)
            }
            _ => true,
        };
        if alone { Ok(()) } else { Err(not_modelled()) }
    }

    /// An assumption's condition; an undefined one is a choice.
    fn assumed(&mut self, event: usize, leaf: Leaf, lane: Term) -> Term {
        if self.pool.bool_of(leaf.undefined) == Some(false) {
            return leaf.bits;
        }
        let symbol = self.open(StepId(u32::MAX - event as u32), Choice::Draw(0), 0, Sort::Bool);
        let drawn = self.pool.apply(symbol, lane);
        self.pool.ite(leaf.undefined, drawn, leaf.bits)
    }
}
