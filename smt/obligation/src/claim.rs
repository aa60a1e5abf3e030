//! Memory in an obligation: the initial content, races, and equality of the final content.

mod lanewise;
mod others;
mod trace;

use laneproof_encode::{
    Content, EncodedSide, Encoder, GivenMemory, InputLeaf, LENGTH_LIMIT, MOST_ROWS, MOST_WORDS,
    Memories, MemoryExtent, View, World, some_lane,
};
use laneproof_lower::{Flat, Pointee, RegionKind, scalar_bytes};
use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use crate::disagreement::disagrees;
use crate::problem::Problem;
use crate::shape::MemoryShape;

/// The most scalars of a memory in a replay.
const REPLAYED: u128 = 1 << 12;
/// The most words in a row, and rows, of an image in a replay.
const REPLAYED_SIDES: [u128; 2] = [1 << 8, 1 << 4];
/// Up to this number of lanes, the source is assumed free of races in every pair of lanes.
const ALL_PAIRS: u32 = 8;

/// Everything free about memories. `tag` gives the input leaf of one whose payload is only moved.
pub fn memories(
    pool: &mut Pool,
    shapes: &[MemoryShape],
    tag: impl Fn(u32) -> Option<u32>,
) -> Memories {
    let memory = |(number, shape): (usize, &MemoryShape)| {
        let content = match tag(number as u32) {
            Some(source) => Content::Moved(source),
            None => Content::Free(
                pool.symbol(format!("content.{}", shape.kind), Sort::from(shape.scalar)),
            ),
        };
        let mut size = |what: &str| pool.fresh(format!("{what}.{}", shape.kind), Sort::Bits(32));
        let extent = match shape.kind {
            RegionKind::Image(_) => {
                MemoryExtent::Plane { width: size("width"), height: size("height") }
            }
            _ => MemoryExtent::Line(size("length")),
        };
        (shape.kind, GivenMemory { content, extent, scalar: shape.scalar })
    };
    shapes.iter().enumerate().map(memory).collect()
}

/// The facts about lengths, and about the addresses of pointer parameters.
pub fn state(
    pool: &mut Pool,
    problem: &Problem<'_>,
    memories: &Memories,
    inputs: &[Vec<InputLeaf>],
    state: &mut Vec<Term>,
) {
    for shape in problem.shapes {
        let length = match memories[&shape.kind].extent {
            MemoryExtent::Line(length) => length,
            MemoryExtent::Plane { width, height } => {
                for (side, most) in [(width, MOST_WORDS), (height, MOST_ROWS)] {
                    let [none, most] = [0, most].map(|it| pool.bits(it, 32));
                    state.push(pool.less(none, side));
                    state.push(pool.less_equal(side, most));
                }
                continue;
            }
        };
        let limit = pool.bits(LENGTH_LIMIT, 32);
        state.push(pool.less(length, limit));
        let least = pool.bits(u128::from(shape.least.div_ceil(scalar_bytes(shape.scalar))), 32);
        state.push(pool.less_equal(least, length));
    }
    for (input, leaves) in problem.source.interface.inputs.iter().zip(inputs) {
        let (Some(Pointee { region, size, alignment }), [InputLeaf::Uniform(symbol)]) =
            (input.points, &leaves[..])
        else {
            continue;
        };
        // A memory that nothing accesses is left out.
        let Some(GivenMemory { extent: MemoryExtent::Line(length), scalar, .. }) =
            memories.get(&region)
        else {
            continue;
        };
        let (length, unit) = (*length, scalar_bytes(*scalar));
        let base = pool.variable(*symbol);
        let size = pool.bits(u128::from(size.div_ceil(unit)), 32);
        let room = pool.binary(Binary::Sub, length, size);
        state.push(pool.less_equal(size, length));
        state.push(pool.less_equal(base, room));
        if alignment > unit {
            let low = pool.bits(u128::from(alignment / unit - 1), 32);
            let low = pool.binary(Binary::And, base, low);
            let none = pool.bits(0, 32);
            state.push(pool.equal(low, none));
        }
    }
}

/// Every memory is small enough for a replay.
pub fn small(pool: &mut Pool, memories: &Memories) -> Term {
    let limit = pool.bits(REPLAYED, 32);
    let sides = REPLAYED_SIDES.map(|side| pool.bits(side, 32));
    let mut fits = Vec::new();
    for memory in memories.values() {
        match memory.extent {
            MemoryExtent::Line(length) => fits.push(pool.less_equal(length, limit)),
            MemoryExtent::Plane { width, height } => {
                fits.push(pool.less_equal(width, sides[0]));
                fits.push(pool.less_equal(height, sides[1]));
            }
        }
    }
    pool.all(fits)
}

/// Builds an obligation.
pub struct ObligationBuilder<'c, 'a> {
    /// The terms.
    pub pool: &'c mut Pool,
    /// The state that both sides share.
    pub world: &'c mut World<'a>,
    /// The source chooses once for all lanes and scalars.
    pub joint: bool,
    /// The symbolic lane, if the view has one.
    pub lane: Option<Term>,
    /// The lanes that it is about.
    pub view: View,
    /// Memory is compared lane by lane (`lanewise`).
    pub lanewise: bool,
    /// Memory is compared access by access (`trace`).
    pub traced: bool,
    /// Other subgroups of the workgroup access the same memory.
    pub crowded: bool,
}

/// The parts of an obligation.
#[derive(Default)]
pub struct Parts {
    /// Conditions on the source; Boolean each.
    pub behaves: Vec<Term>,
    /// Where the target misbehaves; Boolean each.
    pub fails: Vec<Term>,
    /// Where nothing is proved because of other subgroups, although nothing is wrong by that; Boolean
    /// each.
    pub for_others: Vec<Term>,
    /// Where the two leave different content; Boolean each.
    pub differs: Vec<Term>,
    /// A proof holds whatever other subgroups of the workgroup do (`others`).
    pub covers_others: bool,
}

/// Adds races and the final content of memory.
pub fn claim<'a>(
    claim: &mut ObligationBuilder<'_, 'a>,
    source: &mut EncodedSide<'a>,
    mut target: Option<&mut EncodedSide<'a>>,
) -> Result<Parts, DenoteError> {
    let mut parts = Parts::default();
    let racing = |flat: &Flat| !flat.memory.accesses.is_empty();
    if !racing(source.flat) && !target.as_ref().is_some_and(|target| racing(target.flat)) {
        parts.covers_others = true;
        return Ok(parts);
    }
    if claim.world.entry.workgroup.is_some() {
        return claim.in_workgroup(source, target);
    }
    let apart = claim.lanewise || claim.traced;
    if let (true, Some(lane), Some(target)) = (apart, claim.lane, target.as_deref_mut()) {
        return match claim.traced {
            true => claim.traces_differ(lane, source, target),
            false => claim.lane_by_lane(lane, source, target),
        };
    }
    if let (true, View::EveryLane, Some(target)) =
        (claim.lanewise, claim.view, target.as_deref_mut())
    {
        return claim.each_lane_by_itself(source, target);
    }
    // Two symbolic lanes that must not race.
    let rivals = ["rival", "other.rival"].map(|name| some_lane(claim.pool, name));
    let Some(target) = target else {
        claim.encoder(source).keeps_in_step(rivals[0])?;
        parts.fails.push(claim.encoder(source).race(rivals[0], rivals[1])?);
        return Ok(parts);
    };
    claim.encoder(target).keeps_in_step(rivals[0])?;
    parts.fails.push(claim.encoder(target).race(rivals[0], rivals[1])?);
    claim.leaves_the_same(source, target, &mut parts)?;
    for (i, j) in claim.pairs(rivals) {
        let race = claim.encoder(source).race(i, j)?;
        parts.behaves.push(claim.pool.not(race));
    }
    if claim.crowded {
        claim.cover_others(rivals[0], source, target, &mut parts)?;
    }
    Ok(parts)
}

/// The region of this kind that a function uses.
pub fn region_of(flat: &Flat, kind: RegionKind) -> Option<usize> {
    flat.memory.regions.iter().position(|region| region.kind == kind && region.scalar.is_some())
}

impl<'a> ObligationBuilder<'_, 'a> {
    /// An encoder of one side.
    pub fn encoder<'e>(&'e mut self, side: &'e mut EncodedSide<'a>) -> Encoder<'e, 'a, 'a> {
        Encoder { pool: self.pool, world: self.world, side }
    }

    /// The same lane by lane, in a whole workgroup.
    fn in_workgroup(
        &mut self,
        source: &mut EncodedSide<'a>,
        target: Option<&mut EncodedSide<'a>>,
    ) -> Result<Parts, DenoteError> {
        let mut parts = Parts::default();
        let lanes: Vec<Term> =
            (0..self.world.entry.bound).map(|lane| self.pool.bits(u128::from(lane), 32)).collect();
        let source_races = self.races(source, &lanes)?;
        let Some(target) = target else {
            parts.fails = source_races;
            return Ok(parts);
        };
        parts.fails = self.races(target, &lanes)?;
        self.leaves_the_same(source, target, &mut parts)?;
        parts.behaves = source_races.into_iter().map(|race| self.pool.not(race)).collect();
        Ok(parts)
    }

    /// Every pair of lanes that may race.
    fn races(
        &mut self,
        side: &mut EncodedSide<'a>,
        lanes: &[Term],
    ) -> Result<Vec<Term>, DenoteError> {
        if self.encoder(side).is_serialized_somewhere()? {
            let what = "that lanes of several subgroups are serialized";
            return Err(DenoteError::NotModelled(what.into()));
        }
        let mut races = Vec::new();
        for (position, &i) in lanes.iter().enumerate() {
            for &j in &lanes[position + 1..] {
                let race = self.encoder(side).race(i, j)?;
                if self.pool.bool_of(race) != Some(false) {
                    races.push(race);
                }
            }
        }
        Ok(races)
    }

    /// The pairs of lanes in which the source is assumed not to race. Assuming it for fewer pairs
    /// loses no counterexample.
    fn pairs(&mut self, rivals: [Term; 2]) -> Vec<(Term, Term)> {
        let mut pairs = vec![(rivals[0], rivals[1])];
        if let Some(lane) = self.lane {
            pairs.extend(rivals.map(|rival| (lane, rival)));
        }
        if self.world.entry.bound <= ALL_PAIRS {
            let lanes = 0..self.world.entry.bound;
            let numbers: Vec<Term> =
                lanes.map(|lane| self.pool.bits(u128::from(lane), 32)).collect();
            for (position, &i) in numbers.iter().enumerate() {
                pairs.extend(numbers[position + 1..].iter().map(|&j| (i, j)));
                pairs.extend(self.lane.map(|lane| (i, lane)));
            }
        }
        pairs
    }

    /// The final content of memory differs: in one symbolic scalar or, if the source makes one
    /// choice for all scalars, in any scalar that a lane wrote. Two lanes that write one scalar
    /// race: such a source is excluded, and such a target fails elsewhere.
    fn leaves_the_same(
        &mut self,
        source: &mut EncodedSide<'a>,
        target: &mut EncodedSide<'a>,
        parts: &mut Parts,
    ) -> Result<(), DenoteError> {
        let kinds: Vec<RegionKind> = self.world.entry.memories.keys().copied().collect();
        for kind in kinds {
            let regions = [region_of(source.flat, kind), region_of(target.flat, kind)];
            if self.joint || self.world.entry.workgroup.is_some() {
                let mut places = self.written(source, regions[0])?;
                places.extend(self.written(target, regions[1])?);
                for (when, at) in places {
                    let expected = self.left(source, regions[0], kind, at)?;
                    let found = self.left(target, regions[1], kind, at)?;
                    let differ = disagrees(self.pool, expected, found)?;
                    parts.differs.push(self.pool.and(when, differ));
                }
                continue;
            }
            let at = self.pool.fresh(format!("address.{kind}"), Sort::Bits(32));
            let mut when = vec![self.world.entry.memories[&kind].holds(self.pool, at)];
            let owners = ["owner.source", "owner.target"].map(|name| some_lane(self.pool, name));
            let mut lanes = owners.to_vec();
            if self.view != View::AnyLane {
                let numbers = 0..self.world.entry.bound;
                lanes.extend(numbers.map(|lane| self.pool.bits(u128::from(lane), 32)));
            }
            let mut left = Vec::new();
            for (side, (region, owner)) in
                [&mut *source, &mut *target].into_iter().zip(regions.into_iter().zip(owners))
            {
                let owned = match region {
                    Some(region) => self.has_one_writer(side, region, owner)?.then_some(region),
                    None => None,
                };
                left.push(match owned {
                    Some(region) => {
                        for &lane in &lanes {
                            when.push(self.encoder(side).owned(lane, owner, region, at)?);
                        }
                        self.encoder(side).left_by(owner, region, at)?
                    }
                    None => self.left(side, region, kind, at)?,
                });
            }
            let differ = disagrees(self.pool, left[0], left[1])?;
            when.push(differ);
            parts.differs.push(self.pool.all(when));
        }
        Ok(())
    }

    /// Without races, at most one lane writes a scalar: no barrier separates two writers, and lanes
    /// are not serialized. `lane` is symbolic.
    pub fn has_one_writer(
        &mut self,
        side: &mut EncodedSide<'a>,
        region: usize,
        lane: Term,
    ) -> Result<bool, DenoteError> {
        Ok(side.flat.epoch(usize::MAX, region) == 0
            && !self.encoder(side).has_updates(region, lane)?)
    }

    /// The final content of a scalar; the initial one, if the side has no such region.
    pub fn left(
        &mut self,
        side: &mut EncodedSide<'a>,
        region: Option<usize>,
        kind: RegionKind,
        at: Term,
    ) -> Result<Leaf, DenoteError> {
        match region {
            Some(region) => self.encoder(side).left(region, at),
            None => Ok(self.world.entry.memories[&kind].initially(self.pool, at)),
        }
    }

    /// The scalars of a region that some lane writes, and when.
    fn written(
        &mut self,
        side: &mut EncodedSide<'a>,
        region: Option<usize>,
    ) -> Result<Vec<(Term, Term)>, DenoteError> {
        let Some(region) = region else { return Ok(Vec::new()) };
        let mut written = Vec::new();
        for number in 0..side.flat.memory.accesses.len() {
            for lane in 0..self.world.entry.bound {
                let lane = self.pool.bits(u128::from(lane), 32);
                let contacts = self.encoder(side).contacts(number, lane)?;
                let here = contacts
                    .all
                    .iter()
                    .filter(|contact| contact.region == region && contact.effect.writes());
                written.extend(here.map(|contact| (contact.when, contact.at)));
            }
        }
        written.sort_unstable();
        written.dedup();
        Ok(written)
    }
}
