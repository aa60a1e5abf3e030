//! Lanes that all add to one scalar: their sum, as in a reduction.

use laneproof_lower::StepId;
use laneproof_semantics::denote::{DenoteError, Fold, Leaf, Part, choose_leaf};
use laneproof_semantics::term::{Sort, Term};

use super::applied;
use crate::encoder::Encoder;

/// What lanes add to one scalar.
pub(super) struct Additions {
    pub(super) region: usize,
    pub(super) at: Term,
    pub(super) parts: Vec<Part>,
}

impl Encoder<'_, '_, '_> {
    /// The same, where all lanes add to one address: a sum over the lanes, as in a reduction.
    pub(super) fn after_additions(
        &mut self,
        number: usize,
        step: StepId,
        region: usize,
        at: Term,
        found: Leaf,
    ) -> Result<Option<Leaf>, DenoteError> {
        let additions = self.additions(number, step)?;
        let Some(additions) = additions.filter(|it| it.region == region) else { return Ok(None) };
        let sum = self.plus(found, additions.parts)?;
        let same = self.pool.equal(additions.at, at);
        choose_leaf(self.pool, same, sum, found).map(Some)
    }

    /// What the lanes add at an access, if all of them add to one address.
    pub(super) fn additions(
        &mut self,
        number: usize,
        step: StepId,
    ) -> Result<Option<Additions>, DenoteError> {
        let updates = self.updates(number, step)?;
        let Some(&(_, region, at, update)) = updates.first() else { return Ok(None) };
        if updates.iter().any(|(_, _, place, _)| *place != at) {
            return Ok(None);
        }
        let Sort::Bits(width) = self.pool.sort(update.before.bits) else { return Ok(None) };
        let zero = self.pool.bits(0, width);
        let nothing = Leaf { bits: zero, undefined: self.pool.bool(false) };
        let mut parts = Vec::with_capacity(updates.len());
        for (lane, (when, _, _, update)) in (0..).zip(&updates) {
            let pool = &mut *self.pool;
            let added = applied(pool, update, nothing, update.after)?.bits;
            let given = Leaf { bits: update.before.bits, ..nothing };
            let sum = pool.add(given.bits, added);
            if applied(pool, update, given, update.after)?.bits != sum {
                return Ok(None);
            }
            parts.push(Part { lane, member: *when, value: added });
        }
        Ok(Some(Additions { region, at, parts }))
    }

    /// What was found, and the sum of what lanes add to it.
    pub(super) fn plus(&mut self, found: Leaf, parts: Vec<Part>) -> Result<Leaf, DenoteError> {
        let sort = self.pool.sort(found.bits);
        let Sort::Bits(width) = sort else {
            return Err(DenoteError::NotMovement(self.pool.tag_sources(found.bits)));
        };
        let zero = self.pool.bits(0, width);
        let [a, b] = [0, 1].map(|index| self.pool.placeholder(index, sort));
        let fold = Fold { operator: self.pool.add(a, b), identity: zero, parts };
        let total = match self.world.folds.term(self.pool, &fold) {
            Some(total) => total,
            None => {
                let mut total = zero;
                for part in &fold.parts {
                    let part = self.pool.ite(part.member, part.value, zero);
                    total = self.pool.add(total, part);
                }
                total
            }
        };
        Ok(Leaf { bits: self.pool.add(found.bits, total), ..found })
    }
}
