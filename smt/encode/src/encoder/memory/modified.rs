//! Whether memory was modified by an instruction other than those of one kind (`modified(Pointer)`
//! in clauses).

use laneproof_lower::{StepId, Touch};
use laneproof_semantics::denote::{DenoteError, MemoryPlace};
use laneproof_semantics::term::Term;

use super::Contact;
use crate::encoder::Encoder;
use crate::encoder::serialization::depends_on_found;

impl Encoder<'_, '_, '_> {
    /// Whether an instruction that does not ask this question itself stored something, before
    /// `step`, at the address of its pointer operand `target` in `lane`.
    pub fn modified(
        &mut self,
        step: StepId,
        target: usize,
        lane: Term,
    ) -> Result<Term, DenoteError> {
        self.side.memory.asks_modified.insert(step);
        let number = self.access_of(step)?;
        if let Some(oracle) = &mut self.world.oracle {
            // Both sides make the same accesses, so this is the same on both.
            return Ok(oracle.modified(self.pool, number, lane));
        }
        let nothing = self.pool.bits(0, 32);
        let (region, place) = self.spot(step, target, MemoryPlace::Element(nothing), lane)?;
        let flat = self.side.flat;
        let own_epoch = flat.epoch(number, region);
        let mut modified = Vec::new();
        for before in 0..number {
            let together = flat.epoch(before, region) == own_epoch;
            let serialized = match flat.memory.accesses[before].what {
                Touch::Step(step) => self.is_serialized(step)?,
                _ => false,
            };
            // A store by another lane that is not atomic and without a barrier in between is a
            // race.
            let lanes: Vec<Term> = match together && !serialized {
                true => vec![lane],
                false => {
                    let all = 0..self.world.entry.bound;
                    all.map(|lane| self.pool.bits(u128::from(lane), 32)).collect()
                }
            };
            for other in lanes {
                for (contact, stores) in self.stores_of_others(before, region, other)? {
                    let here = self.pool.equal(contact.at, place.low);
                    let here = self.pool.and(contact.when, here);
                    modified.push(self.pool.and(here, stores));
                }
            }
        }
        Ok(self.pool.any(modified))
    }

    /// The addresses at which `lane` stores something in a region at an access, and when.
    fn stores_of_others(
        &mut self,
        number: usize,
        region: usize,
        lane: Term,
    ) -> Result<Vec<(Contact, Term)>, DenoteError> {
        let contacts = self.contacts(number, lane)?;
        let mut stores = self.pool.bool(true);
        if let Touch::Step(step) = self.side.flat.memory.accesses[number].what {
            let outcome = self.outcome(step, lane)?;
            if self.side.memory.asks_modified.contains(&step) {
                return Ok(Vec::new());
            }
            if let Some(update) = outcome.update {
                if depends_on_found(self.pool, &update, &[update.stores]) {
                    let what = "what is asked of stores that depend on what is found";
                    return Err(DenoteError::NotModelled(what.into()));
                }
                stores = update.stores;
            }
        }
        let all = contacts.all.iter();
        let there = all.filter(|contact| contact.region == region && contact.effect.writes());
        Ok(there.map(|contact| (*contact, stores)).collect())
    }
}
