//! When a proof about one subgroup holds although other subgroups of its workgroup access the same
//! memory.
//!
//! It holds if the other subgroups cannot distinguish the two functions, and these do not depend on the
//! others:
//!
//! - everything that the target accesses, its subgroup also accesses in the source, with at least the
//!   same strength. Then whatever races with the target races with the source, so the memory is
//!   disjoint from what other subgroups access;
//! - or both only read the memory, or only change it by updates whose results no lane uses, by atomics
//!   whose scope includes the other subgroups. The target's commute whatever their operands are, or it
//!   makes a single one. Then the source explains what all subgroups leave, by one after the other.
//!
//! Through workgroup barriers subgroups communicate; then only traces ([`crate::trace`]) prove
//! anything.

use laneproof_encode::{EncodedSide, View};
use laneproof_lower::{RegionKind, Touch, exchange};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Term;

use crate::claim::{ObligationBuilder, Parts};

/// How a function uses a memory.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    plain_write: bool,
    plain: bool,
    serialized: bool,
}

impl<'a> ObligationBuilder<'_, 'a> {
    /// Adds the conditions that extend an obligation to all subgroups, if there are any.
    pub fn cover_others(
        &mut self,
        rival: Term,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
        parts: &mut Parts,
    ) -> Result<(), DenoteError> {
        if exchange(source.flat, Some(target.flat)) {
            return Ok(());
        }
        if self.is_apart_from_others(source, target)? {
            parts.covers_others = true;
            return Ok(());
        }
        let serialized = source.flat.memory.atomics || target.flat.memory.atomics;
        let by_branches = |side: &EncodedSide<'_>| side.flat.is_ordered_by_branches();
        if by_branches(source) || by_branches(target) {
            return Ok(());
        }
        if serialized || !matches!(self.view, View::EveryLane | View::AnyLaneOfAll) {
            return Ok(());
        }
        let numbers: Vec<Term> =
            (0..self.world.entry.bound).map(|lane| self.pool.bits(u128::from(lane), 32)).collect();
        let of_source: Vec<usize> = (0..source.flat.memory.accesses.len()).collect();
        let of_target: Vec<usize> = (0..target.flat.memory.accesses.len()).collect();
        let accesses_more = self.accesses_more_of(
            [rival].as_slice(),
            &numbers,
            (&of_source, source),
            (&of_target, target),
        )?;
        parts.for_others.extend(accesses_more);
        parts.covers_others = true;
        Ok(())
    }

    /// Both only read each memory, or only update it by commuting updates whose results no lane uses.
    fn is_apart_from_others(
        &mut self,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
    ) -> Result<bool, DenoteError> {
        if target.flat.memory.narrow_atomics {
            return Ok(false);
        }
        let mut kinds: Vec<RegionKind> = Vec::new();
        for side in [&*source, &*target] {
            kinds.extend(
                side.flat.memory.regions.iter().filter(|it| it.scalar.is_some()).map(|it| it.kind),
            );
        }
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let uses = [self.use_of(kind, source)?, self.use_of(kind, target)?];
            let any = |of: fn(&Use) -> bool| uses.iter().any(of);
            let read_only = !any(|it| it.plain_write) && !any(|it| it.serialized);
            if !read_only && any(|it| it.plain) {
                return Ok(false);
            }
        }
        let mut names = Vec::new();
        for side in [source, target] {
            for access in &side.flat.memory.accesses {
                let Touch::Step(step) = access.what else { continue };
                if self.encoder(side).is_serialized(step)? {
                    if !self.encoder(side).any_order(step)? {
                        return Ok(false);
                    }
                    names.push(side.flat.step(step).instruction.name.clone());
                }
            }
        }
        names.dedup();
        Ok(names.len() <= 1 && self.leaves_the_same_in_turns(target)?)
    }

    /// What subgroups leave does not depend on whether each makes its updates in a row.
    fn leaves_the_same_in_turns(
        &mut self,
        side: &mut EncodedSide<'a>,
    ) -> Result<bool, DenoteError> {
        let mut updates = Vec::new();
        for access in &side.flat.memory.accesses {
            let Touch::Step(step) = access.what else { continue };
            let region = side.flat.step(step).pointers.iter().flatten().next().map(|it| it.region);
            if self.encoder(side).is_serialized(step)? {
                updates.push((step, region));
            }
        }
        if let [(step, _)] = updates[..]
            && self.encoder(side).one_at_most(step)?
        {
            return Ok(true);
        }
        for (number, &(step, region)) in updates.iter().enumerate() {
            for &(other, of) in &updates[..=number] {
                if of == region && !self.encoder(side).commute_between_subgroups(other, step)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn use_of(&mut self, kind: RegionKind, side: &mut EncodedSide<'a>) -> Result<Use, DenoteError> {
        let mut found = Use::default();
        for access in &side.flat.memory.accesses {
            match &access.what {
                Touch::Load(scalars) | Touch::Store(scalars, _) => {
                    let here = side.flat.memory.regions[scalars.address.region].kind == kind;
                    found.plain |= here;
                    found.plain_write |= here && matches!(access.what, Touch::Store(..));
                }
                Touch::Step(step) => {
                    let mut pointers = side.flat.step(*step).pointers.iter().flatten();
                    if !pointers.any(|it| side.flat.memory.regions[it.region].kind == kind) {
                        continue;
                    }
                    match self.encoder(side).is_serialized(*step)? {
                        true => found.serialized = true,
                        // A step of the clauses may write.
                        false => (found.plain, found.plain_write) = (true, true),
                    }
                }
            }
        }
        Ok(found)
    }
}
