//! Races between lanes, and the owner of a scalar in memory.

use laneproof_lower::{OrderedBy, Touch};
use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::Term;

use crate::encoder::Encoder;
use crate::encoder::memory::Contact;

impl Encoder<'_, '_, '_> {
    /// Lanes `i` and `j` race somewhere.
    pub fn race(&mut self, i: Term, j: Term) -> Result<Term, DenoteError> {
        let same = self.pool.equal(i, j);
        let other = self.pool.not(same);
        if self.pool.bool_of(other) == Some(false) {
            return Ok(other);
        }
        let flat = self.side.flat;
        let workgroup = self.world.entry.workgroup;
        let together = workgroup.is_none_or(|workgroup| workgroup.together(self.pool, [i, j]));
        // Subgroups do not run in lockstep, and a subgroup's own barriers order nothing between
        // them.
        let mut races = Vec::new();
        for first in 0..flat.memory.accesses.len() {
            for second in 0..flat.memory.accesses.len() {
                let mine = self.contacts(first, i)?;
                let theirs = self.contacts(second, j)?;
                for a in &mine.all {
                    for b in theirs.all.iter().filter(|b| a.conflicts(b)) {
                        let ordered = match flat.ordered_by([first, second], a.region, !together) {
                            OrderedBy::All => continue,
                            OrderedBy::Nothing => self.pool.bool(false),
                            OrderedBy::One(branches) => {
                                let reached = branches.iter().map(|&it| self.activity(it, i));
                                let reached = reached.collect::<Result<Vec<_>, _>>()?;
                                self.pool.any(reached)
                            }
                        };
                        let unordered = self.pool.not(ordered);
                        let meet = self.pool.equal(a.at, b.at);
                        let races_there = self.pool.all([a.when, b.when, meet, unordered]);
                        if a.may_conflict(b) && self.pool.bool_of(races_there) != Some(false) {
                            let what = "a compare-exchange of what another lane may read meanwhile";
                            return Err(DenoteError::NotModelled(what.into()));
                        }
                        races.push(races_there);
                    }
                }
            }
        }
        let race = self.pool.any(races);
        Ok(self.pool.and(other, race))
    }

    /// Lanes are serialized at some step, anywhere.
    pub fn is_serialized_somewhere(&mut self) -> Result<bool, DenoteError> {
        for access in &self.side.flat.memory.accesses {
            if let Touch::Step(step) = access.what
                && self.is_serialized(step)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lanes are serialized at some access to this region, so several may write one scalar.
    pub fn has_updates(&mut self, region: usize, lane: Term) -> Result<bool, DenoteError> {
        let of_region = |contact: &Contact| contact.region == region && contact.effect.is_atomic();
        for number in 0..self.side.flat.memory.accesses.len() {
            if self.contacts(number, lane)?.all.iter().any(of_region) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The content of scalar `at` of a region after the writes of `lane` only.
    pub fn left_by(&mut self, lane: Term, region: usize, at: Term) -> Result<Leaf, DenoteError> {
        let mut left = self.initially(region, at)?;
        for number in 0..self.side.flat.memory.accesses.len() {
            left = self.after(number, lane, region, at, left)?;
        }
        Ok(left)
    }

    /// If `lane` writes scalar `at` of a region, it is `owner`.
    pub fn owned(
        &mut self,
        lane: Term,
        owner: Term,
        region: usize,
        at: Term,
    ) -> Result<Term, DenoteError> {
        let mut written = Vec::new();
        for number in 0..self.side.flat.memory.accesses.len() {
            let contacts = self.contacts(number, lane)?;
            for contact in contacts.all.iter().filter(|contact| contact.region == region) {
                if contact.effect.writes() {
                    let here = self.pool.equal(contact.at, at);
                    written.push(self.pool.and(contact.when, here));
                }
            }
        }
        let written = self.pool.any(written);
        let own = self.pool.equal(lane, owner);
        Ok(self.pool.implies(written, own))
    }
}

impl Contact {
    /// They conflict only if one of them stores, which depends on what it finds.
    fn may_conflict(&self, other: &Self) -> bool {
        self.effect.may_write() && !other.effect.writes()
            || other.effect.may_write() && !self.effect.writes()
    }

    /// Two lanes may not do both without a barrier in between.
    fn conflicts(&self, other: &Self) -> bool {
        self.region == other.region
            && (self.effect.writes() || other.effect.writes())
            && !(self.effect.is_atomic() && other.effect.is_atomic())
    }
}
