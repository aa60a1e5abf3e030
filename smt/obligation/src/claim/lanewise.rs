//! Memory compared lane by lane: a question about one lane, where races and what is left in the
//! end are questions about several.
//!
//! If in every lane the target touches only what the source touches there, as strongly and
//! between the same barriers, then whoever races in the target races in the source. And if each
//! lane by itself leaves in every scalar what it leaves in the source, so do all together: where
//! no lanes race, at most one lane writes a scalar. So this proves; where it fails, nothing is
//! said.

use laneproof_encode::{Contact, Effect, EncodedSide};
use laneproof_lower::{Flat, RegionKind, exchange};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Sort, Term};

use crate::claim::{ObligationBuilder, Parts, region_of};
use crate::disagreement::disagrees;

impl<'a> ObligationBuilder<'_, 'a> {
    /// In `lane` the target touches something else than the source, or leaves something else.
    pub fn lane_by_lane(
        &mut self,
        lane: Term,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
    ) -> Result<Parts, DenoteError> {
        self.encoder(target).keeps_in_step(lane)?;
        let [of_source, of_target]: [Vec<usize>; 2] =
            [&*source, &*target].map(|side| (0..side.flat.memory.accesses.len()).collect());
        let fails = self.strays(lane, (&of_source, source), (&of_target, target))?;
        let differs = self.lane_leaves_apart(lane, source, target)?;
        let [source, target] = [source.flat, target.flat];
        let covers_others = !exchange(source, Some(target)) && !target.memory.atomics;
        Ok(Parts { fails, differs, covers_others, ..Parts::default() })
    }

    /// In some lane, each by its number, the target touches something else than the source, or
    /// leaves something else.
    ///
    /// # Errors
    ///
    /// Where lanes are serialized, one lane by itself tells nothing of what is left.
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

    /// In `lane` the target touches at these accesses what the source does not at those.
    pub fn strays(
        &mut self,
        lane: Term,
        (of_source, source): (&[usize], &mut EncodedSide<'a>),
        (of_target, target): (&[usize], &mut EncodedSide<'a>),
    ) -> Result<Vec<Term>, DenoteError> {
        self.strays_of(&[lane], &[lane], (of_source, source), (of_target, target))
    }

    /// In some of `lanes` the target touches at these accesses what none of `covering` touches in
    /// the source at those.
    pub fn strays_of(
        &mut self,
        lanes: &[Term],
        covering: &[Term],
        (of_source, source): (&[usize], &mut EncodedSide<'a>),
        (of_target, target): (&[usize], &mut EncodedSide<'a>),
    ) -> Result<Vec<Term>, DenoteError> {
        let mut strays = Vec::new();
        for &number in of_target {
            for &lane in lanes {
                let contacts = self.encoder(target).contacts(number, lane)?;
                for contact in &contacts.all {
                    let touch = (number, contact);
                    let covered = self.covered(touch, covering, (of_source, source), target)?;
                    let covered = self.pool.not(covered);
                    strays.push(self.pool.and(contact.when, covered));
                }
            }
        }
        Ok(strays)
    }

    /// The source touches the same scalar as strongly, between the same barriers, in one of
    /// `lanes`.
    fn covered(
        &mut self,
        (number, contact): (usize, &Contact),
        lanes: &[Term],
        (of_source, source): (&[usize], &mut EncodedSide<'a>),
        target: &mut EncodedSide<'a>,
    ) -> Result<Term, DenoteError> {
        let nowhere = self.pool.bool(false);
        let Some(region) = counterpart(target.flat, contact.region, source.flat) else {
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
        // Mostly it is plain which one it is.
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

    /// What is left differs in one scalar that stands for all; by the lane alone, where one lane
    /// at most writes it.
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

    /// The lane by itself leaves something else at this address.
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

    /// Where a lane writes on either side, and when, if these are few. At any other address both
    /// sides leave what was there at first.
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

/// Where a lane writes to more places, one address stands for all of them.
const WRITTEN: usize = 4;

/// Whatever conflicts with `other` conflicts with `contact`.
fn covers(contact: &Contact, other: &Contact) -> bool {
    match other.effect {
        Effect::Read => !contact.effect.is_atomic(),
        Effect::Write(_) => matches!(contact.effect, Effect::Write(_)),
        Effect::Update(true) => contact.effect.writes(),
        Effect::Update(false) => true,
    }
}

/// The region of another function that stands for a region of this one: the same memory, where
/// others see it; of workgroup memory one for each, in the order in which they are used.
pub fn counterpart(flat: &Flat, region: usize, other: &Flat) -> Option<usize> {
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
