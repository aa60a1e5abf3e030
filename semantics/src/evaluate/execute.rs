//! An instruction with what it does to memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::known::Known;
use super::memory::Written;
use super::{Bits, Chosen, Draw, LaneResult, Memory, Subgroup};
use crate::Specification;
use crate::denote::{
    AtomicUpdate, DenoteError, Denoter, Group, Instance, LaneOutcome, Leaf, MemoryPlace, Settled,
};
use crate::language::ast::{Consequence, SpecInstruction, Storage};
use crate::term::Term;

/// What an instruction gave. Where a lane's behavior is undefined or silent, the rest says
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// The result of each active lane, `None` for the others.
    pub lanes: Vec<Option<LaneResult>>,
    /// Memory afterwards, by operand.
    pub memory: BTreeMap<usize, Memory>,
    /// For each existing lane, where it stored: operand, and element of a buffer or byte of an
    /// image's words. Without the accesses of atomics, which are serialized.
    pub stored: Vec<BTreeSet<(usize, usize)>>,
    /// For each existing lane, where it may have read, likewise.
    pub read: Vec<BTreeSet<(usize, usize)>>,
    /// The memory in which what the active lanes did before comes before what they do afterwards.
    pub orders: BTreeSet<Storage>,
}

/// How lanes are serialized.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serialization<'t> {
    /// Each active lane once.
    pub order: &'t [u32],
    /// What each existing lane chooses in its update; as [`Chosen::default`] where it is not there.
    pub chosen: &'t [Chosen],
}

/// Executes an instruction, in the order that `serialization` gives.
///
/// # Errors
///
/// Where the specification does not give the instruction an executable meaning, or where it
/// does not fit the instance.
pub fn execute(
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
    instance: &Instance,
    subgroup: &Subgroup,
    serialization: Serialization<'_>,
    draw: Draw<'_>,
) -> Result<Execution, DenoteError> {
    let mut group = Known::new(instance, subgroup, draw);
    group.chosen = Some(serialization.chosen);
    let outcomes = outcomes(&mut group, specification, settled, instruction)?;
    let mut memory = subgroup.memory.clone();
    let mut lanes = Vec::with_capacity(outcomes.len());
    for outcome in &outcomes {
        let result = match outcome {
            Denoted::Inactive => None,
            Denoted::Outside => Some(outside()),
            Denoted::Lane(outcome) if outcome.update.is_some() => None,
            Denoted::Lane(outcome) => Some(group.result(outcome)?),
        };
        lanes.push(result);
    }
    for &lane in serialization.order {
        let Some(Denoted::Lane(outcome)) = outcomes.get(lane as usize) else { continue };
        let Some(update) = outcome.update else { continue };
        lanes[lane as usize] = Some(taken(&mut group, outcome, update, lane, &mut memory)?);
    }
    let stored = write(&group, specification, settled, &outcomes, &mut lanes, &mut memory)?;
    let orders = orders(&group, &outcomes)?;
    Ok(Execution { lanes, memory, stored, read: group.read, orders })
}

/// What the clauses say of a lane.
pub(super) enum Denoted {
    /// It does not execute the instruction.
    Inactive,
    /// It reads past the end of something.
    Outside,
    Lane(Box<LaneOutcome>),
}

/// What the clauses say of each existing lane.
pub(super) fn outcomes(
    group: &mut Known<'_, '_>,
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
) -> Result<Vec<Denoted>, DenoteError> {
    let scope = group.scope();
    let mut denoter =
        Denoter::new(specification, settled, instruction, group.instance, scope)?.of_known();
    (0..group.subgroup.existing)
        .map(|lane| {
            if group.subgroup.active >> lane & 1 == 0 {
                return Ok(Denoted::Inactive);
            }
            let lane = group.lane(lane);
            group.outside = false;
            let outcome = denoter.lane(group, lane)?;
            // What a text that is as it is written says of that is among its silences.
            let outside = group.outside && !specification.is_as_written();
            Ok(if outside { Denoted::Outside } else { Denoted::Lane(Box::new(outcome)) })
        })
        .collect()
}

/// No document defines an access outside of what an operand leads to.
fn outside() -> LaneResult {
    LaneResult::UndefinedBehavior(Arc::from("access outside of memory"))
}

/// Binds the placeholders of a lane's update to the value that it reads.
pub(super) fn found(
    group: &mut Known<'_, '_>,
    update: &AtomicUpdate,
    value: Bits,
) -> HashMap<Term, Term> {
    let width = group.pool.width(update.before.bits);
    let bits = group.pool.bits(u128::from(value.unwrap_or(0)), width);
    let undefined = group.pool.bool(value.is_none());
    HashMap::from([(update.before.bits, bits), (update.before.undefined, undefined)])
}

/// What is in order for every active lane.
fn orders(group: &Known<'_, '_>, outcomes: &[Denoted]) -> Result<BTreeSet<Storage>, DenoteError> {
    let mut common: Option<BTreeSet<Storage>> = None;
    for outcome in outcomes {
        let Denoted::Lane(outcome) = outcome else { continue };
        let mut own = BTreeSet::new();
        for &(storage, condition) in &outcome.orders {
            if group.holds(condition)? {
                own.insert(storage);
            }
        }
        common = Some(common.map_or_else(|| own.clone(), |all| &all & &own));
    }
    Ok(common.unwrap_or_default())
}

/// The update of one lane.
fn taken(
    group: &mut Known<'_, '_>,
    outcome: &LaneOutcome,
    update: AtomicUpdate,
    lane: u32,
    memory: &mut BTreeMap<usize, Memory>,
) -> Result<LaneResult, DenoteError> {
    if !group.holds(update.when)? {
        return group.result(outcome);
    }
    let Some(buffer) = memory.get_mut(&update.target) else { return Ok(outside()) };
    let Some(index) = buffer.index(&group.pool, update.spot, lane) else { return Ok(outside()) };
    let found = found(group, &update, buffer.at(index));
    let result = group.result_with(outcome, &found)?;
    let after = group.leaf_with(update.after, &found)?;
    let parts = buffer.parts(index, 0, 4, after).into_iter();
    let written = parts.map(|(part, value)| ((update.target, part), (value, lane))).collect();
    buffer.write(update.target, &written);
    Ok(result)
}

/// What all lanes write at once; where each does.
fn write(
    group: &Known<'_, '_>,
    specification: &Specification,
    settled: &Settled,
    outcomes: &[Denoted],
    lanes: &mut [Option<LaneResult>],
    memory: &mut BTreeMap<usize, Memory>,
) -> Result<Vec<BTreeSet<(usize, usize)>>, DenoteError> {
    let mut written = Written::new();
    let mut stored = vec![BTreeSet::new(); outcomes.len()];
    for (lane, outcome) in (0..).zip(outcomes) {
        let Denoted::Lane(outcome) = outcome else { continue };
        for store in &outcome.stores {
            if !group.holds(store.when)? {
                continue;
            }
            let place = memory.get(&store.target).and_then(|memory| {
                let index = memory.index(&group.pool, store.spot, lane)?;
                Some((memory, index))
            });
            let Some((target, index)) = place else {
                if !specification.is_as_written() {
                    lanes[lane as usize] = Some(outside());
                }
                continue;
            };
            let value = group.leaf(store.value)?;
            let (first, size) = part(group, store.spot, store.value);
            for (part, value) in target.parts(index, first, size, value) {
                stored[lane as usize].insert((store.target, part));
                let before = written.insert((store.target, part), (value, lane));
                let Some((earlier, other)) = before.filter(|(_, other)| *other != lane) else {
                    continue;
                };
                if earlier != value {
                    let consequence = specification.consequence(settled, "stores-meet")?;
                    let result = match consequence {
                        Consequence::UndefinedValue => {
                            written.insert((store.target, part), (None, lane));
                            continue;
                        }
                        Consequence::Silence | Consequence::ImplementationValue => {
                            LaneResult::Silence("stores-meet".into())
                        }
                        Consequence::UndefinedBehavior => {
                            LaneResult::UndefinedBehavior("stores-meet".into())
                        }
                    };
                    lanes[lane as usize] = Some(result.clone());
                    lanes[other as usize] = Some(result);
                }
            }
        }
    }
    for (&target, memory) in memory {
        memory.write(target, &written);
    }
    Ok(stored)
}

/// First byte inside a word, and number of bytes.
fn part(group: &Known<'_, '_>, spot: MemoryPlace, value: Leaf) -> (usize, usize) {
    match spot {
        MemoryPlace::Part { byte, .. } => {
            let byte = group.pool.bits_of(byte).unwrap_or(0) as usize;
            (byte % 4, group.pool.width(value.bits) as usize / 8)
        }
        _ => (0, 4),
    }
}
