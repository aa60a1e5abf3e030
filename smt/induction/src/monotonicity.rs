//! Monotonic slots, for termination.

use laneproof_semantics::Type;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Compare, Pool, Term};

use super::both_sides::BothSides;
use super::statement::Moment;

/// The direction in which a slot changes from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Monotonicity {
    Falls,
    Rises,
    FallsSigned,
}

impl Monotonicity {
    pub(super) const ALL: [Self; 3] = [Self::Falls, Self::Rises, Self::FallsSigned];

    /// The slot does not change in the other direction.
    fn keeps(self, pool: &mut Pool, before: Term, after: Term) -> Term {
        match self {
            Self::Falls => pool.less_equal(after, before),
            Self::Rises => pool.less_equal(before, after),
            Self::FallsSigned => {
                let rises = pool.compare(Compare::LessSigned, before, after);
                pool.not(rises)
            }
        }
    }
}

impl BothSides<'_, '_> {
    /// The slots that hold integers.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.slots().into_iter().filter(|&slot| self.holds_integers(slot)).collect()
    }

    /// A slot holds integers and nothing else.
    pub(super) fn holds_integers(&self, slot: usize) -> bool {
        self.ty(slot).and_then(Type::element).is_some_and(|it| it.is_int())
    }

    /// In an iteration from which lane `i` comes back, some leaf of a slot changes in the other
    /// direction, or is undefined.
    pub(super) fn breaks_monotonicity(
        &mut self,
        slot: usize,
        monotonicity: Monotonicity,
        i: Term,
    ) -> Result<Term, DenoteError> {
        let mut leaves = Vec::new();
        let before = self.held(Moment::Before, slot, i)?;
        let after = self.held(Moment::After, slot, i)?;
        for (before, after) in before.iter().zip(&after) {
            let keeps = monotonicity.keeps(&mut self.pool, before.bits, after.bits);
            leaves.extend([before.undefined, after.undefined, self.pool.not(keeps)]);
        }
        let leaves = self.pool.any(leaves);
        let comes = self.live(Moment::After, i)?;
        Ok(self.pool.and(comes, leaves))
    }

    /// In all lanes that come back from the iteration, a slot is unchanged.
    pub(super) fn nothing_moves(&mut self, slot: usize) -> Result<Term, DenoteError> {
        self.in_every_lane(|sides, any| {
            let comes = sides.live(Moment::After, any)?;
            let before = sides.held(Moment::Before, slot, any)?;
            let after = sides.held(Moment::After, slot, any)?;
            let pairs: Vec<(Term, Term)> =
                before.iter().zip(&after).map(|(a, b)| (a.bits, b.bits)).collect();
            let same: Vec<Term> = pairs.into_iter().map(|(a, b)| sides.pool.equal(a, b)).collect();
            let same = sides.pool.all(same);
            Ok(sides.pool.implies(comes, same))
        })
    }

    /// Lane `i` comes back from an iteration that has set bit `place` of its mask, or the mask is
    /// undefined.
    pub(super) fn sets_bit(
        &mut self,
        slot: usize,
        [i, place]: [Term; 2],
    ) -> Result<Term, DenoteError> {
        let comes = self.live(Moment::After, i)?;
        let mut leaves = Vec::new();
        for moment in [Moment::Before, Moment::After] {
            leaves.extend(self.held(moment, slot, i)?.iter().map(|leaf| leaf.undefined));
        }
        let before = self.number(Moment::Before, slot, i)?;
        let after = self.number(Moment::After, slot, i)?;
        let (was, is) = (self.pool.bit(before, place), self.pool.bit(after, place));
        let was_not = self.pool.not(was);
        leaves.push(self.pool.and(was_not, is));
        let leaves = self.pool.any(leaves);
        Ok(self.pool.and(comes, leaves))
    }

    /// An iteration of lane `i` clears a bit of its mask.
    pub(super) fn clears_bit(
        &mut self,
        slot: usize,
        [i, place]: [Term; 2],
    ) -> Result<Term, DenoteError> {
        let before = self.number(Moment::Before, slot, i)?;
        let after = self.number(Moment::After, slot, i)?;
        let (was, is) = (self.pool.bit(before, place), self.pool.bit(after, place));
        let is_not = self.pool.not(is);
        Ok(self.pool.and(was, is_not))
    }
}
