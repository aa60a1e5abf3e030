//! The content of memory when a lane comes to an access: the initial content, overwritten by each
//! earlier access.

use laneproof_lower::{MemoryRegion, StepId, Touch};
use laneproof_semantics::Scalar;
use laneproof_semantics::denote::{DenoteError, Leaf, choose_leaf};
use laneproof_semantics::term::Term;

use super::Effect;
use crate::encoder::Encoder;

impl Encoder<'_, '_, '_> {
    /// What `lane` reads in scalar `at` of a region at access `number`.
    pub(super) fn found(
        &mut self,
        region: usize,
        at: Term,
        number: usize,
        lane: Term,
    ) -> Result<Leaf, DenoteError> {
        let mut found = self.initially(region, at)?;
        let flat = self.side.flat;
        for before in 0..number.min(flat.memory.accesses.len()) {
            if flat.epoch(before, region) == flat.epoch(number, region) {
                found = self.after(before, lane, region, at, found)?;
            } else {
                found = self.after_all(before, region, at, found)?;
            }
        }
        Ok(found)
    }

    /// The final content of scalar `at` of a region.
    pub fn left(&mut self, region: usize, at: Term) -> Result<Leaf, DenoteError> {
        self.until(self.side.flat.memory.accesses.len(), region, at)
    }

    /// The content of scalar `at` of a region when all lanes come to access `number`.
    pub fn until(&mut self, number: usize, region: usize, at: Term) -> Result<Leaf, DenoteError> {
        let mut left = self.initially(region, at)?;
        for before in 0..number {
            left = self.after_all(before, region, at, left)?;
        }
        Ok(left)
    }

    fn after_all(
        &mut self,
        number: usize,
        region: usize,
        at: Term,
        found: Leaf,
    ) -> Result<Leaf, DenoteError> {
        let lanes: Vec<Term> =
            (0..self.world.entry.bound).map(|lane| self.pool.bits(u128::from(lane), 32)).collect();
        self.after_lanes(number, lanes, region, at, found)
    }

    /// Whether lanes are serialized at a step. All lanes agree on that.
    pub fn is_serialized(&mut self, step: StepId) -> Result<bool, DenoteError> {
        let first = self.pool.bits(0, 32);
        Ok(self.outcome(step, first)?.update.is_some())
    }

    /// `found`, or what `lane` wrote at access `number`.
    pub fn after(
        &mut self,
        number: usize,
        lane: Term,
        region: usize,
        at: Term,
        found: Leaf,
    ) -> Result<Leaf, DenoteError> {
        self.after_lanes(number, [lane], region, at, found)
    }

    /// `found`, or what these lanes wrote at access `number`.
    fn after_lanes(
        &mut self,
        number: usize,
        lanes: impl IntoIterator<Item = Term>,
        region: usize,
        at: Term,
        mut found: Leaf,
    ) -> Result<Leaf, DenoteError> {
        match self.side.flat.memory.accesses[number].what {
            Touch::Load(_) => return Ok(found),
            // Serialized lanes do not race, so all of them may access the scalar.
            Touch::Step(step) if self.is_serialized(step)? => {
                return self.after_updates(number, step, region, at, found);
            }
            _ => {}
        }
        for lane in lanes {
            // What lanes access is encoded once, and this is done again for each scalar.
            self.in_time()?;
            let contacts = self.contacts(number, lane)?;
            for contact in contacts.all.iter().filter(|contact| contact.region == region) {
                let Effect::Write(written) = contact.effect else { continue };
                let here = self.pool.equal(contact.at, at);
                let here = self.pool.and(contact.when, here);
                found = choose_leaf(self.pool, here, written, found)?;
            }
        }
        Ok(found)
    }

    /// The content before the function was entered.
    pub fn initially(&mut self, region: usize, at: Term) -> Result<Leaf, DenoteError> {
        let scalar = self.scalar_of(region)?;
        let MemoryRegion { kind, zeroed, .. } = self.side.flat.memory.regions[region];
        let Some(memory) = self.world.entry.memories.get(&kind) else {
            let undefined = self.pool.bool(!zeroed);
            let bits = match scalar {
                Scalar::Bool => self.pool.bool(false),
                other => self.pool.bits(0, other.width()),
            };
            return Ok(Leaf { bits, undefined });
        };
        Ok(memory.clone().initially(self.pool, at))
    }
}
