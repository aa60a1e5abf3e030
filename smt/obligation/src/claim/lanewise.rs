//! Memory compared lane by lane: a query about one lane, while races and final content are queries
//! about several.
//!
//! Suppose that in every lane the target accesses only what the source accesses in that lane, by
//! accesses of at least the same strength, between the same barriers. Then a race in the target is
//! a race in the source. If moreover each lane by itself leaves the same content in every scalar,
//! all lanes together do: without races, at most one lane writes a scalar. So this check proves; if
//! it fails, nothing follows.

use laneproof_encode::{Contact, Effect, EncodedSide, Storing};
use laneproof_lower::{Flat, RegionKind, exchange};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Sort, Term};

use crate::claim::{ObligationBuilder, Parts, region_of};
use crate::disagreement::disagrees;

impl<'a> ObligationBuilder<'_, 'a> {
    /// In `lane` the target accesses more than the source, or leaves other content.
    pub fn lane_by_lane(
        &mut self,
        lane: Term,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
    ) -> Result<Parts, DenoteError> {
        if [&*source, &*target].iter().any(|side| side.flat.is_ordered_by_branches()) {
            let what = "a barrier in a branch that orders what is before it and after it".into();
            return Err(DenoteError::NotModelled(what));
        }
        self.encoder(target).keeps_in_step(lane)?;
        let [of_source, of_target]: [Vec<usize>; 2] =
            [&*source, &*target].map(|side| (0..side.flat.memory.accesses.len()).collect());
        let fails = self.accesses_more(lane, (&of_source, source), (&of_target, target))?;
        let differs = self.lane_leaves_apart(lane, source, target)?;
        let [source, target] = [source.flat, target.flat];
        let covers_others = !exchange(source, Some(target)) && !target.memory.atomics;
        Ok(Parts { fails, differs, covers_others, ..Parts::default() })
    }

    /// In some numbered lane the target accesses more than the source, or leaves other content.
    ///
    /// # Errors
    ///
    /// If lanes are serialized: then the final content does not follow from single lanes.
    pub fn each_lane_by_itself(
        &mut self,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
    ) -> Result<Parts, DenoteError> {
        let lanes: Vec<Term> =
            (0..self.world.entry.bound).map(|lane| self.pool.bits(u128::from(lane), 32)).collect();
        for side in [&mut *source, &mut *target] {
            if self.encoder(side).is_serialized_somewhere()? {
                return Err(DenoteError::NotModelled("atomics lane by lane".into()));
            }
        }
        let mut whole = Parts { covers_others: true, ..Parts::default() };
        for lane in lanes {
            let parts = self.lane_by_lane(lane, source, target)?;
            whole.fails.extend(parts.fails);
            whole.differs.extend(parts.differs);
            whole.covers_others &= parts.covers_others;
        }
        Ok(whole)
    }

    /// In `lane` these accesses of the target touch something that those of the source do not.
    pub fn accesses_more(
        &mut self,
        lane: Term,
        (of_source, source): (&[usize], &mut EncodedSide<'a>),
        (of_target, target): (&[usize], &mut EncodedSide<'a>),
    ) -> Result<Vec<Term>, DenoteError> {
        self.accesses_more_of(&[lane], &[lane], (of_source, source), (of_target, target))
    }

    /// In some of `lanes` these accesses of the target touch something that those of the source
    /// touch in none of `covering`.
    pub fn accesses_more_of(
        &mut self,
        lanes: &[Term],
        covering: &[Term],
        (of_source, source): (&[usize], &mut EncodedSide<'a>),
        (of_target, target): (&[usize], &mut EncodedSide<'a>),
    ) -> Result<Vec<Term>, DenoteError> {
        let mut accesses_more = Vec::new();
        for &number in of_target {
            for &lane in lanes {
                let contacts = self.encoder(target).contacts(number, lane)?;
                for contact in &contacts.all {
                    let touch = (number, contact);
                    let covered = self.covered(touch, covering, (of_source, source), target)?;
                    let covered = self.pool.not(covered);
                    accesses_more.push(self.pool.and(contact.when, covered));
                }
            }
        }
        Ok(accesses_more)
    }

    /// The source accesses the same scalar with at least the same strength, between the same
    /// barriers, in one of `lanes`.
    fn covered(
        &mut self,
        (number, contact): (usize, &Contact),
        lanes: &[Term],
        (of_source, source): (&[usize], &mut EncodedSide<'a>),
        target: &mut EncodedSide<'a>,
    ) -> Result<Term, DenoteError> {
        let nowhere = self.pool.bool(false);
        let Some(region) = same_region(target.flat, contact.region, source.flat) else {
            return Ok(nowhere);
        };
        let units = (
            self.encoder(source).scalar_of(region)?.width(),
            self.encoder(target).scalar_of(contact.region)?.width(),
        );
        if units.0 != units.1 {
            return Ok(nowhere);
        }
        let epoch = target.flat.epoch(number, contact.region);
        let mut covering = Vec::new();
        for &own in of_source {
            if source.flat.epoch(own, region) != epoch {
                continue;
            }
            for &lane in lanes {
                let contacts = self.encoder(source).contacts(own, lane)?;
                let all = contacts.all.iter();
                let covers = |it: &&Contact| it.region == region && covers(it, contact);
                covering.extend(all.filter(covers).copied());
            }
        }
        // Mostly the covering access is found syntactically.
        if covering.iter().any(|it| (it.at, it.when) == (contact.at, contact.when)) {
            return Ok(self.pool.bool(true));
        }
        let mut any = Vec::new();
        for it in covering {
            let same = self.pool.equal(it.at, contact.at);
            any.push(self.pool.and(it.when, same));
        }
        Ok(self.pool.any(any))
    }

    /// The final content differs in one symbolic scalar; by the lane alone, if at most one lane
    /// writes it.
    pub fn lane_leaves_apart(
        &mut self,
        lane: Term,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
    ) -> Result<Vec<Term>, DenoteError> {
        let mut differs = Vec::new();
        let kinds: Vec<RegionKind> = self.world.entry.memories.keys().copied().collect();
        for kind in kinds {
            let mut alone = true;
            for side in [&mut *source, &mut *target] {
                if let Some(region) = region_of(side.flat, kind) {
                    alone &= self.has_one_writer(side, region, lane)?;
                }
            }
            if alone
                && let Some(written) = self.written_by(lane, kind, [&mut *source, &mut *target])?
            {
                for (when, at) in written {
                    let differ =
                        self.lane_leaves_at(lane, kind, at, [&mut *source, &mut *target])?;
                    differs.push(self.pool.and(when, differ));
                }
                continue;
            }
            let at = self.pool.fresh(format!("address.{kind}"), Sort::Bits(32));
            if alone {
                differs.push(self.lane_leaves_at(lane, kind, at, [&mut *source, &mut *target])?);
                continue;
            }
            let mut left = Vec::new();
            for side in [&mut *source, &mut *target] {
                left.push(self.left(side, region_of(side.flat, kind), kind, at)?);
            }
            let holds = self.world.entry.memories[&kind].holds(self.pool, at);
            let differ = disagrees(self.pool, left[0], left[1])?;
            differs.push(self.pool.and(holds, differ));
        }
        Ok(differs)
    }

    /// The lane by itself leaves other content at this address.
    fn lane_leaves_at(
        &mut self,
        lane: Term,
        kind: RegionKind,
        at: Term,
        sides: [&mut EncodedSide<'a>; 2],
    ) -> Result<Term, DenoteError> {
        let mut left = Vec::new();
        for side in sides {
            left.push(match region_of(side.flat, kind) {
                Some(region) => self.encoder(side).left_by(lane, region, at)?,
                None => self.left(side, None, kind, at)?,
            });
        }
        let holds = self.world.entry.memories[&kind].holds(self.pool, at);
        let differ = disagrees(self.pool, left[0], left[1])?;
        Ok(self.pool.and(holds, differ))
    }

    /// The addresses at which a lane writes on either side, and when, if these are few. At every
    /// other address both sides leave the initial content.
    fn written_by(
        &mut self,
        lane: Term,
        kind: RegionKind,
        sides: [&mut EncodedSide<'a>; 2],
    ) -> Result<Option<Vec<(Term, Term)>>, DenoteError> {
        let mut written = Vec::new();
        for side in sides {
            let Some(region) = region_of(side.flat, kind) else { continue };
            for number in 0..side.flat.memory.accesses.len() {
                let contacts = self.encoder(side).contacts(number, lane)?;
                let here = contacts.all.iter();
                let here = here.filter(|it| it.region == region && it.effect.writes());
                written.extend(here.map(|it| (it.when, it.at)));
            }
        }
        written.sort_unstable();
        written.dedup();
        Ok((written.len() <= WRITTEN).then_some(written))
    }
}

/// If a lane writes to more addresses than this, one symbolic address stands for all of them.
const WRITTEN: usize = 4;

/// Every access that conflicts with `other` conflicts with `contact`.
fn covers(contact: &Contact, other: &Contact) -> bool {
    match other.effect {
        Effect::Read => !contact.effect.is_atomic(),
        Effect::Write(_) => matches!(contact.effect, Effect::Write(_)),
        Effect::Update(Storing::Never) => true,
        Effect::Update(_) => contact.effect.writes(),
    }
}

/// The corresponding region of another function: the same memory, if it is visible to the caller;
/// workgroup variables are paired in the order in which they are used.
pub fn same_region(flat: &Flat, region: usize, other: &Flat) -> Option<usize> {
    let kind = flat.memory.regions[region].kind;
    if kind.is_visible() {
        return region_of(other, kind);
    }
    let unseen = |flat: &Flat| -> Vec<usize> {
        let all = flat.memory.regions.iter().enumerate();
        all.filter(|(_, it)| !it.kind.is_visible() && it.scalar.is_some()).map(|it| it.0).collect()
    };
    let place = unseen(flat).iter().position(|it| *it == region)?;
    unseen(other).get(place).copied()
}
