//! Instructions that lanes execute one after another, in an order that the side chooses.
//!
//! An order is a rank for each lane, all different. Each rank has terms: which lane has it, the
//! address, the value that the lane reads after all ranks before, and the value that it writes. The
//! terms grow with the square of the number of lanes, so only a few lanes are supported. If no lane
//! uses the value that it reads and the updates commute, every order gives the same result, and
//! there is no choice. A source may be given the order of lane numbers, which is one of its choices: that
//! proves, and refutes nothing.

mod additions;
mod unrelated;

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use laneproof_lower::{StepId, Touch};
use laneproof_semantics::denote::{
    AtomicUpdate, DenoteError, LaneOutcome, Leaf, Part, choose_leaf,
};
use laneproof_semantics::term::{Pool, Sort, Symbol, Term};
use laneproof_solve::{SolverAnswer, solve};

use crate::encoder::{Choice, Encoder};
use crate::lane::some_lane;

/// Most lanes whose order is left open.
const MOST_SERIALIZED: u32 = 8;
/// Bits of a rank.
const RANK: u32 = 8;
/// Time limit of a query whether two updates commute.
const LIMIT: Duration = Duration::from_secs(1);

/// What happens at one rank.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// The lane of this rank executes the instruction.
    when: Term,
    region: usize,
    at: Term,
    before: Leaf,
    after: Leaf,
}

/// An instruction that lanes execute one after another, in an order that is chosen.
#[derive(Clone, Debug)]
pub struct Order {
    /// Which lanes execute it, by lane index.
    pub active: Vec<Term>,
}

/// Some of these terms depend on the value that the lane's update reads.
pub fn depends_on_found(pool: &Pool, update: &AtomicUpdate, terms: &[Term]) -> bool {
    let found = [update.before.bits, update.before.undefined];
    pool.reachable(terms).iter().any(|term| found.contains(term))
}

/// An update, applied to the value that the lane reads.
fn applied(
    pool: &mut Pool,
    update: &AtomicUpdate,
    found: Leaf,
    leaf: Leaf,
) -> Result<Leaf, DenoteError> {
    if pool.sort(found.bits) == Sort::Tag {
        return Err(DenoteError::NotMovement(pool.tag_sources(found.bits)));
    }
    let found = HashMap::from([
        (update.before.bits, found.bits),
        (update.before.undefined, found.undefined),
    ]);
    Ok(Leaf {
        bits: pool.substitute(leaf.bits, &found),
        undefined: pool.substitute(leaf.undefined, &found),
    })
}

impl Encoder<'_, '_, '_> {
    /// The update that a lane makes at a step, if it makes one.
    fn update(&mut self, step: StepId, lane: Term) -> Result<Option<AtomicUpdate>, DenoteError> {
        let outcome = self.outcome(step, lane)?;
        let Some(update) = outcome.update else { return Ok(None) };
        let causes = [&outcome.undefined_behavior, &outcome.silence].into_iter().flatten();
        let mut conditions: Vec<Term> = causes.map(|cause| cause.condition).collect();
        conditions.push(update.when);
        if depends_on_found(self.pool, &update, &conditions) {
            let what = "a consequence that depends on what a lane finds in its update";
            return Err(DenoteError::NotModelled(what.into()));
        }
        Ok(Some(update))
    }

    /// The result of a step in a lane; that of an update depends on the value that it read.
    pub fn result(&mut self, step: StepId, lane: Term) -> Result<Vec<Leaf>, DenoteError> {
        let outcome: Rc<LaneOutcome> = self.outcome(step, lane)?;
        let Some(update) = outcome.update else { return Ok(outcome.leaves.clone()) };
        let Some(found) = self.found_by_update(step, lane)? else {
            return Ok(outcome.leaves.clone());
        };
        let pool = &mut *self.pool;
        outcome.leaves.iter().map(|leaf| applied(pool, &update, found, *leaf)).collect()
    }

    /// The value that a lane's update reads; `None` if no lane makes one.
    fn found_by_update(&mut self, step: StepId, lane: Term) -> Result<Option<Leaf>, DenoteError> {
        let number = self.access_of(step)?;
        if let Some(found) = self.foreseen(number, step, lane)? {
            return Ok(Some(found));
        }
        if self.one_at_most(step)? {
            let contacts = self.contacts(number, lane)?;
            let Some(own) = contacts.all.first() else { return Ok(None) };
            return self.until(number, own.region, own.at).map(Some);
        }
        if self.keeps_lane_order()
            && let Some(own) = self.pool.bits_of(lane)
            && let Some(additions) = self.additions(number, step)?
        {
            let found = self.until(number, additions.region, additions.at)?;
            let before = |part: &Part| u128::from(part.lane) < own;
            let parts = additions.parts.into_iter().filter(before).collect();
            return self.plus(found, parts).map(Some);
        }
        let times = self.times(number, step)?;
        let mut found = None;
        for (rank, time) in times.iter().enumerate() {
            let here = self.has_rank(step, lane, rank as u32);
            found = Some(match found {
                None => time.before,
                Some(found) => choose_leaf(self.pool, here, time.before, found)?,
            });
        }
        Ok(found)
    }

    /// The value that a lane's update reads, where it is arbitrary and equal for both sides.
    fn foreseen(
        &mut self,
        number: usize,
        step: StepId,
        lane: Term,
    ) -> Result<Option<Leaf>, DenoteError> {
        if self.world.oracle.is_none() {
            return Ok(None);
        }
        let pointers = self.side.flat.step(step).pointers.iter().flatten();
        let regions: Vec<usize> = pointers.map(|address| address.region).collect();
        let [region] = regions[..] else {
            return Err(DenoteError::NotModelled("updates at several memories".into()));
        };
        let sort = Sort::from(self.scalar_of(region)?);
        let pool = &mut *self.pool;
        let oracle = self.world.oracle.as_mut();
        Ok(oracle.map(|oracle| oracle.found(pool, (number, 0), sort, lane)))
    }

    /// Whether a lane makes an update at an access, and the value that it writes.
    pub fn left_by_update(
        &mut self,
        number: usize,
        step: StepId,
        lane: Term,
    ) -> Result<Option<(Term, Leaf)>, DenoteError> {
        let (Some(update), Some(found)) =
            (self.update(step, lane)?, self.foreseen(number, step, lane)?)
        else {
            return Ok(None);
        };
        let activity = self.activity(self.side.flat.step(step).activity, lane)?;
        let when = self.pool.and(activity, update.when);
        Ok(Some((when, applied(self.pool, &update, found, update.after)?)))
    }

    /// The access that a step is.
    pub fn access_of(&self, step: StepId) -> Result<usize, DenoteError> {
        let accesses = &self.side.flat.memory.accesses;
        let own = |touch: &Touch| matches!(touch, Touch::Step(it) if *it == step);
        accesses.iter().position(|access| own(&access.what)).ok_or_else(|| {
            let name = &self.side.flat.step(step).instruction.name;
            DenoteError::Specification(format!("{name} looks at memory, and accesses none"))
        })
    }

    fn ranks(&mut self, step: StepId) -> Symbol {
        self.open(step, Choice::Order, 0, Sort::Bits(RANK))
    }

    /// The order of lanes is that of their numbers, where it is not left open.
    fn keeps_lane_order(&self) -> bool {
        self.side.serialization.in_lane_order
    }

    fn has_rank(&mut self, step: StepId, lane: Term, rank: u32) -> Term {
        if self.keeps_lane_order() {
            let rank = self.pool.bits(u128::from(rank), 32);
            return self.pool.equal(lane, rank);
        }
        let ranks = self.ranks(step);
        let own = self.pool.apply(ranks, lane);
        let rank = self.pool.bits(u128::from(rank), RANK);
        self.pool.equal(own, rank)
    }

    /// The ranks of all lanes are different, and none is missing.
    pub fn ranked(&mut self, step: StepId) -> Term {
        let ranks = self.ranks(step);
        let numbers: Vec<Term> = (0..self.world.entry.bound)
            .map(|lane| {
                let lane = self.pool.bits(u128::from(lane), 32);
                self.pool.apply(ranks, lane)
            })
            .collect();
        let end = self.pool.bits(u128::from(self.world.entry.bound), RANK);
        let mut all = Vec::new();
        for (position, &rank) in numbers.iter().enumerate() {
            all.push(self.pool.less(rank, end));
            for &other in &numbers[..position] {
                let same = self.pool.equal(rank, other);
                all.push(self.pool.not(same));
            }
        }
        self.pool.all(all)
    }

    /// What happens at each rank of access `number`.
    fn times(&mut self, number: usize, step: StepId) -> Result<Rc<Vec<Time>>, DenoteError> {
        if let Some(known) = self.side.serialization.times.get(&number) {
            return Ok(known.clone());
        }
        if self.world.entry.bound > MOST_SERIALIZED && !self.keeps_lane_order() {
            let what =
                format!("the order in which more than {MOST_SERIALIZED} lanes are serialized");
            return Err(DenoteError::NotModelled(what));
        }
        let lanes = self.updates(number, step)?;
        if !self.keeps_lane_order() {
            let active = lanes.iter().map(|(when, ..)| *when).collect();
            self.side.serialization.orders.insert(step, Order { active });
        }
        let mut times: Vec<Time> = Vec::with_capacity(lanes.len());
        for rank in 0..lanes.len() as u32 {
            let here: Vec<Term> = (0..lanes.len() as u32)
                .map(|lane| {
                    let lane = self.pool.bits(u128::from(lane), 32);
                    self.has_rank(step, lane, rank)
                })
                .collect();
            let Some((mut when, region, mut at, _)) = lanes.first().copied() else { break };
            for ((own_when, _, own_at, _), &here) in lanes.iter().zip(&here).skip(1) {
                when = self.pool.ite(here, *own_when, when);
                at = self.pool.ite(here, *own_at, at);
            }
            let mut before = self.until(number, region, at)?;
            for time in &times {
                let same = self.pool.equal(time.at, at);
                let wrote = self.pool.and(time.when, same);
                before = choose_leaf(self.pool, wrote, time.after, before)?;
            }
            let mut after = before;
            for ((.., update), &here) in lanes.iter().zip(&here) {
                let own = applied(self.pool, update, before, update.after)?;
                after = choose_leaf(self.pool, here, own, after)?;
            }
            times.push(Time { when, region, at, before, after });
        }
        let times = Rc::new(times);
        self.side.serialization.times.insert(number, times.clone());
        Ok(times)
    }

    /// Each lane's update at access `number`: whether it makes one, where, and what it does.
    fn updates(
        &mut self,
        number: usize,
        step: StepId,
    ) -> Result<Vec<(Term, usize, Term, AtomicUpdate)>, DenoteError> {
        let mut updates = Vec::new();
        for lane in 0..self.world.entry.bound {
            let lane = self.pool.bits(u128::from(lane), 32);
            let contacts = self.contacts(number, lane)?;
            let Some(update) = self.update(step, lane)? else { continue };
            let (when, region, at) = match contacts.all.first() {
                Some(contact) => (contact.when, contact.region, contact.at),
                None => (self.pool.bool(false), 0, self.pool.bits(0, 32)),
            };
            updates.push((when, region, at, update));
        }
        // Lanes that cannot execute it have no address.
        let known = updates.iter().find(|(when, ..)| self.pool.bool_of(*when) != Some(false));
        let place = known.map(|(_, region, at, _)| (*region, *at));
        if let Some((region, at)) = place {
            for update in &mut updates {
                if self.pool.bool_of(update.0) == Some(false) {
                    (update.1, update.2) = (region, at);
                }
            }
        }
        Ok(updates)
    }

    /// The content of scalar `at` of a region after the updates of access `number`.
    pub fn after_updates(
        &mut self,
        number: usize,
        step: StepId,
        region: usize,
        at: Term,
        mut found: Leaf,
    ) -> Result<Leaf, DenoteError> {
        self.in_time()?;
        if self.one_at_most(step)? {
            let mut left = found;
            for (when, of, there, update) in self.updates(number, step)? {
                self.in_time()?;
                if of == region {
                    let same = self.pool.equal(there, at);
                    let here = self.pool.and(when, same);
                    let own = applied(self.pool, &update, found, update.after)?;
                    left = choose_leaf(self.pool, here, own, left)?;
                }
            }
            return Ok(left);
        }
        // In a given order only what lanes find differs, not what they leave.
        if self.keeps_lane_order()
            && let Some(sum) = self.after_additions(number, step, region, at, found)?
        {
            return Ok(sum);
        }
        if self.any_order(step)? {
            if let Some(sum) = self.after_additions(number, step, region, at, found)? {
                return Ok(sum);
            }
            for (when, of, there, update) in self.updates(number, step)? {
                self.in_time()?;
                if of != region {
                    continue;
                }
                let same = self.pool.equal(there, at);
                let here = self.pool.and(when, same);
                let own = applied(self.pool, &update, found, update.after)?;
                found = choose_leaf(self.pool, here, own, found)?;
            }
            return Ok(found);
        }
        for time in self.times(number, step)?.iter().filter(|time| time.region == region) {
            let same = self.pool.equal(time.at, at);
            let here = self.pool.and(time.when, same);
            found = choose_leaf(self.pool, here, time.after, found)?;
        }
        Ok(found)
    }

    /// At most one lane executes a step, so there is no order.
    pub fn one_at_most(&mut self, step: StepId) -> Result<bool, DenoteError> {
        if let Some(&known) = self.side.serialization.alone.get(&step) {
            return Ok(known);
        }
        let [i, j] = ["lane.i", "lane.j"].map(|name| some_lane(self.pool, name));
        let activity = self.side.flat.step(step).activity;
        let both = [self.activity(activity, i)?, self.activity(activity, j)?];
        let same = self.pool.equal(i, j);
        let other = self.pool.not(same);
        let alone = matches!(
            solve(self.pool, &[both[0], both[1], other], LIMIT, None),
            SolverAnswer::Unsat
        );
        self.side.serialization.alone.insert(step, alone);
        Ok(alone)
    }

    /// Every order of the lanes at this step has the same effect.
    pub fn any_order(&mut self, step: StepId) -> Result<bool, DenoteError> {
        if let Some(&known) = self.side.serialization.any_order.get(&step) {
            return Ok(known);
        }
        let unused = self.side.flat.unused.contains(&step);
        let any = unused && self.commute(step, step)?;
        self.side.serialization.any_order.insert(step, any);
        Ok(any)
    }

    /// The updates of any two lanes at two steps give the same, whichever comes first.
    fn commute(&mut self, first: StepId, second: StepId) -> Result<bool, DenoteError> {
        let [i, j] = ["lane.i", "lane.j"].map(|name| some_lane(self.pool, name));
        let (Some(mine), Some(theirs)) = (self.update(first, i)?, self.update(second, j)?) else {
            return Ok(false);
        };
        Ok(self.same_either_way(first, [mine, theirs]))
    }

    /// Two updates of the memory of a step give the same, whichever comes first.
    fn same_either_way(&mut self, step: StepId, [mine, theirs]: [AtomicUpdate; 2]) -> bool {
        let region = self.side.flat.step(step).pointers.iter().flatten().next();
        let scalar = region.and_then(|it| self.side.flat.memory.regions[it.region].scalar);
        let Some(scalar) = scalar else { return false };
        let pool = &mut *self.pool;
        let bits = pool.fresh("found", Sort::from(scalar));
        let found = Leaf { bits, undefined: pool.bool(false) };
        if pool.sort(mine.before.bits) != pool.sort(bits)
            || pool.sort(theirs.before.bits) != pool.sort(bits)
        {
            return false;
        }
        let once = [(mine, theirs), (theirs, mine)].map(|(one, other)| {
            let between = applied(pool, &one, found, one.after)?;
            applied(pool, &other, between, other.after)
        });
        let [Ok(one), Ok(other)] = once else { return false };
        let always = |pool: &Pool, term| pool.bool_of(term) == Some(false);
        if !always(pool, one.undefined) || !always(pool, other.undefined) {
            return false;
        }
        if pool.sort(one.bits) != pool.sort(other.bits) {
            return false;
        }
        let same = pool.equal(one.bits, other.bits);
        let differ = pool.not(same);
        match pool.bool_of(differ) {
            Some(differ) => !differ,
            None => matches!(solve(pool, &[differ], LIMIT, None), SolverAnswer::Unsat),
        }
    }

    /// Whether another lane modified the memory depends on the order of the lanes.
    fn not_modified_in_between(
        &mut self,
        updates: &[(usize, StepId, usize, bool)],
    ) -> Result<(), DenoteError> {
        let flat = self.side.flat;
        let asks = |step: &StepId| self.side.memory.asks_modified.contains(step);
        for (number, _, region, _) in updates.iter().filter(|(_, step, ..)| asks(step)) {
            let in_between = updates.iter().any(|(other, step, of, writes)| {
                let together = flat.epoch(*other, *region) == flat.epoch(*number, *region);
                *writes && !asks(step) && of == region && together
            });
            if in_between {
                let what = "that others modify what is asked of in between";
                return Err(DenoteError::NotModelled(what.into()));
            }
        }
        Ok(())
    }

    /// Lanes need not run in lockstep: between two barriers, one lane may finish two instructions
    /// before another begins the first. This is observable only if updates do not commute.
    pub fn keeps_in_step(&mut self, lane: Term) -> Result<(), DenoteError> {
        if self.world.entry.bound == 1 {
            return Ok(());
        }
        let flat = self.side.flat;
        let mut updates: Vec<(usize, StepId, usize, bool)> = Vec::new();
        for (number, access) in flat.memory.accesses.iter().enumerate() {
            let Touch::Step(step) = access.what else { continue };
            let Some(update) = self.update(step, lane)? else { continue };
            let target = flat.step(step).pointers.get(update.target).and_then(Option::as_ref);
            let Some(address) = target else { continue };
            updates.push((number, step, address.region, update.after != update.before));
        }
        self.not_modified_in_between(&updates)?;
        for (position, &(number, step, region, writes)) in updates.iter().enumerate() {
            for &(other, before, of, wrote) in &updates[..position] {
                let apart = region != of || flat.epoch(number, region) != flat.epoch(other, region);
                if apart || (!writes && !wrote) {
                    continue;
                }
                let alike = self.any_order(step)? && self.any_order(before)?;
                if !alike || !self.commute(before, step)? {
                    let what = "that lanes are serialized at several instructions in between";
                    return Err(DenoteError::NotModelled(what.into()));
                }
            }
        }
        Ok(())
    }
}
