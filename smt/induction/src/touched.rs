//! Memory beside two loops in lockstep, lane by lane.

use laneproof_encode::{EncodedSide, View};
use laneproof_lower::{Event, Flat, Touch};
use laneproof_obligation::ObligationBuilder;
use laneproof_outcome::Unknown;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use super::both_sides::BothSides;
use super::effects::{Part, events};

impl<'f> BothSides<'f, '_> {
    /// A use of memory that is not supported, if there is one.
    pub(super) fn memory_beside(&self) -> Option<Unknown> {
        for flat in [self.source.flat, self.target.flat] {
            let stepping = |touch: &Touch| matches!(touch, Touch::Step(_));
            if flat.memory.accesses.iter().any(|access| stepping(&access.what)) {
                return Some(Unknown::unsupported(
                    "an instruction that takes memory, beside two loops",
                ));
            }
            if (0..flat.memory.regions.len()).any(|region| flat.epoch(usize::MAX, region) > 0) {
                return Some(Unknown::unsupported("a barrier and memory beside two loops"));
            }
            let stores = |number: &usize| !flat.memory.accesses[*number].only_reads();
            if accesses(flat, Part::Iteration).iter().any(stores) {
                return Some(Unknown::unsupported("a store in one of two loops"));
            }
        }
        None
    }

    /// In some lane a part of the target accesses memory that the source does not access in that part
    /// or before.
    pub(super) fn touches_more(&mut self, part: Part) -> Result<Term, DenoteError> {
        let of_target = accesses(self.target.flat, part);
        let mut of_source = accesses(self.source.flat, Part::Before);
        if part != Part::Before {
            of_source.extend(accesses(self.source.flat, part));
        }
        let lane = self.lane;
        let (mut claim, source, target) = self.claim();
        let breaks_monotonicity =
            claim.accesses_more(lane, (&of_source, source), (&of_target, target))?;
        let breaks_monotonicity = self.pool.any(breaks_monotonicity);
        let enters = self.enters(lane);
        Ok(self.pool.and(enters, breaks_monotonicity))
    }

    /// For each memory, whether a lane leaves different content in a symbolic scalar.
    pub(super) fn leave_apart(&mut self) -> Result<Vec<Term>, DenoteError> {
        let lane = self.lane;
        let (mut claim, source, target) = self.claim();
        claim.lane_leaves_apart(lane, source, target)
    }

    /// Memory, lane by lane; source and target.
    const fn claim(
        &mut self,
    ) -> (ObligationBuilder<'_, 'f>, &mut EncodedSide<'f>, &mut EncodedSide<'f>) {
        let Self { pool, world, source, target, .. } = self;
        let (joint, lane, view, lanewise) = (false, None, View::Quantified, true);
        let (traced, crowded) = (false, false);
        (
            ObligationBuilder { pool, world, joint, lane, view, lanewise, traced, crowded },
            source,
            target,
        )
    }
}

/// The accesses of a part of a function, by number.
fn accesses(flat: &Flat, part: Part) -> Vec<usize> {
    let number = |event: &Event| match event {
        Event::Access(number) => Some(*number),
        _ => None,
    };
    events_of(flat, part).iter().filter_map(number).collect()
}

pub(super) fn events_of(flat: &Flat, part: Part) -> &[Event] {
    events(flat, part).map(|range| &flat.events[range]).unwrap_or_default()
}
