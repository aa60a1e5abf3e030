//! Whether some order of the lanes explains results.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::execute::{Denoted, Serialization, execute, found, outcomes};
use super::known::{FIRST, Known, NAN};
use super::{Bits, Draw, LaneResult, Memory, Subgroup};
use crate::Specification;
use crate::denote::{AtomicUpdate, DenoteError, Instance, LaneOutcome, Leaf, Settled};
use crate::language::ast::SpecInstruction;
use crate::term::{Sort, Term};

/// How many steps the search for an order may take.
const STEPS: usize = 100_000;

/// Whether an observation is one of those that the clauses allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explained {
    /// Some order of the lanes gives it.
    Yes,
    /// No order does.
    No,
    /// The search was given up, or a draw of an undefined value may matter.
    Undecided,
}

/// Whether some order of the active lanes gives these results (`None` for a lane whose result was
/// not observed) and this memory. An undefined value allows every value; undefined behavior and
/// silence allow everything.
///
/// # Errors
///
/// As [`execute`].
#[allow(clippy::too_many_arguments)]
pub fn explained(
    specification: &Specification,
    settled: &Settled,
    instruction: &SpecInstruction,
    instance: &Instance,
    subgroup: &Subgroup,
    observed: &[Option<Vec<Bits>>],
    after: &BTreeMap<usize, Memory>,
    draw: Draw<'_>,
) -> Result<Explained, DenoteError> {
    let mut group = Known::new(instance, subgroup, draw);
    group.chosen = None;
    let outcomes = outcomes(&mut group, specification, settled, instruction)?;
    let mut visits: BTreeMap<(usize, usize), Vec<Visit>> = BTreeMap::new();
    for (lane, outcome) in (0..).zip(outcomes) {
        let outcome = match outcome {
            Denoted::Inactive => continue,
            Denoted::Outside => return Ok(Explained::Yes),
            Denoted::Lane(outcome) => outcome,
        };
        let Some(update) = outcome.update else {
            let (serialization, draw) = (Serialization::default(), group.into_draw());
            let run = execute(
                specification,
                settled,
                instruction,
                instance,
                subgroup,
                serialization,
                draw,
            )?;
            let agree = run.lanes.iter().zip(observed).all(|(ours, seen)| allows(ours, seen));
            let same = run.memory.iter().all(|(target, ours)| {
                after.get(target).is_some_and(|seen| memory_allows(ours, seen))
            });
            return Ok(if agree && same { Explained::Yes } else { Explained::No });
        };
        let seen = observed.get(lane as usize).cloned().flatten();
        if !group.holds(update.when)? {
            let result = Some(group.result(&outcome)?);
            if !allows(&result, &seen) {
                return Ok(Explained::No);
            }
            continue;
        }
        let index = subgroup
            .memory
            .get(&update.target)
            .and_then(|memory| memory.index(&group.pool, update.spot, lane));
        let Some(index) = index else { return Ok(Explained::Yes) };
        visits.entry((update.target, index)).or_default().push(Visit { outcome, update, seen });
    }
    let mut expected = subgroup.memory.clone();
    let mut whole = Explained::Yes;
    for ((target, index), visits) in visits {
        let (Some(before), Some(last)) = (expected.get_mut(&target), after.get(&target)) else {
            return Ok(Explained::No);
        };
        let (first, last) = (before.at(index), last.at(index));
        if let Memory::Buffer { elements, .. } = before {
            elements[index] = last;
        }
        let seen = visits.iter().flat_map(|visit| visit.seen.iter().flatten());
        let names = seen.chain([&last]).map(|bits| bits.unwrap_or(0)).chain([0]).collect();
        let mut search = Search { group: &mut group, visits, last, names, failed: HashSet::new() };
        match search.from(first)? {
            Some(true) => {}
            Some(false) if !group.drawn => return Ok(Explained::No),
            _ => whole = Explained::Undecided,
        }
    }
    let same = expected
        .iter()
        .all(|(target, ours)| after.get(target).is_some_and(|seen| memory_allows(ours, seen)));
    Ok(if same { whole } else { Explained::No })
}

fn allows(ours: &Option<LaneResult>, seen: &Option<Vec<Bits>>) -> bool {
    match (ours, seen) {
        (Some(LaneResult::Value(ours)), Some(seen)) => values_allow(ours, seen),
        _ => true,
    }
}

/// An undefined value may be any.
fn values_allow(ours: &[Bits], seen: &[Bits]) -> bool {
    ours.len() == seen.len()
        && ours.iter().zip(seen).all(|(ours, seen)| ours.is_none() || ours == seen)
}

fn memory_allows(ours: &Memory, seen: &Memory) -> bool {
    match (ours, seen) {
        (Memory::Buffer { elements: ours, .. }, Memory::Buffer { elements: seen, .. })
        | (Memory::Image { words: ours, .. }, Memory::Image { words: seen, .. }) => {
            values_allow(ours, seen)
        }
        _ => false,
    }
}

/// A lane's update at one place.
struct Visit {
    outcome: Box<LaneOutcome>,
    update: AtomicUpdate,
    /// Its result, if it was observed.
    seen: Option<Vec<Bits>>,
}

impl Visit {
    /// Visits that are alike in this may change places in every order.
    fn alike(&self, other: &Self) -> bool {
        (self.update.after, &self.outcome.leaves, &self.seen)
            == (other.update.after, &other.outcome.leaves, &other.seen)
    }

    /// The lane returned the value that it read, and that was observed.
    fn found_is_seen(&self) -> bool {
        let seen = self.seen.iter().flatten();
        self.outcome.leaves == [self.update.before] && seen.flatten().count() == 1
    }
}

/// What a lane may choose in its update after what it found, as terms in the place of others.
fn choices(
    group: &mut Known<'_, '_>,
    visit: &Visit,
    found: &HashMap<Term, Term>,
    names: &BTreeSet<u64>,
) -> Vec<Vec<(Term, Term)>> {
    let leaves = visit.outcome.leaves.iter().chain([&visit.update.after]);
    let mut terms: Vec<Term> = leaves.flat_map(|leaf| [leaf.bits, leaf.undefined]).collect();
    group.pool.substitute_in(&mut terms, found);
    let free = group.pool.reachable(&terms);
    let first = group.pool.placeholder(FIRST, Sort::Bool);
    let mut choices = vec![Vec::new()];
    for width in [16, 32, 64] {
        let nan = group.pool.placeholder(NAN, Sort::Bits(width));
        if free.contains(&nan) {
            let name = |&name: &u64| (nan, group.pool.bits(u128::from(name), width));
            let named: Vec<(Term, Term)> = names.iter().map(name).collect();
            choices = product(&choices, &named);
        }
    }
    if free.contains(&first) {
        let taken = [false, true].map(|taken| (first, group.pool.bool(taken)));
        choices = product(&choices, &taken);
    }
    choices
}

/// Each list, extended by each of `options`.
fn product(lists: &[Vec<(Term, Term)>], options: &[(Term, Term)]) -> Vec<Vec<(Term, Term)>> {
    let extended = |list: &Vec<(Term, Term)>| -> Vec<Vec<(Term, Term)>> {
        let with = |&option| list.iter().copied().chain([option]).collect();
        options.iter().map(with).collect()
    };
    lists.iter().flat_map(extended).collect()
}

/// A search for an order of the lanes that visit one place.
struct Search<'s, 'a, 'd> {
    group: &'s mut Known<'a, 'd>,
    visits: Vec<Visit>,
    /// The final value.
    last: Bits,
    /// The payloads of observed NaNs, and 0.
    names: BTreeSet<u64>,
    /// Dead ends of the search: the lanes that have executed, and the value then.
    failed: HashSet<(u128, Bits)>,
}

impl Search<'_, '_, '_> {
    /// `None` where the search is given up.
    fn from(&mut self, first: Bits) -> Result<Option<bool>, DenoteError> {
        if let Some(values) = self.last_stores()? {
            return Ok(Some(values.iter().any(|value| value.is_none() || *value == self.last)));
        }
        let mut steps = 0;
        self.after(0, first, &mut steps)
    }

    /// What each lane stores, where none of them looks: the last one's value stays.
    fn last_stores(&mut self) -> Result<Option<Vec<Bits>>, DenoteError> {
        let mut values = Vec::with_capacity(self.visits.len());
        for visit in &self.visits {
            let Leaf { bits, undefined } = visit.update.after;
            let pool = &self.group.pool;
            let known = [bits, undefined].iter().all(|&term| pool.constant(term).is_some());
            if !visit.outcome.leaves.is_empty() || !known {
                return Ok(None);
            }
            values.push(self.group.leaf(visit.update.after)?);
        }
        Ok(Some(values))
    }

    /// Whether the lanes that are not in `done` can execute from `value` on.
    fn after(
        &mut self,
        done: u128,
        value: Bits,
        steps: &mut usize,
    ) -> Result<Option<bool>, DenoteError> {
        let left: Vec<usize> =
            (0..self.visits.len()).filter(|index| done >> index & 1 == 0).collect();
        if left.is_empty() {
            return Ok(Some(value.is_none() || value == self.last));
        }
        if self.failed.contains(&(done, value)) {
            return Ok(Some(false));
        }
        let mut next: Vec<(usize, Bits)> = Vec::new();
        for index in left {
            if next.iter().any(|&(other, _)| self.visits[index].alike(&self.visits[other])) {
                continue;
            }
            *steps += 1;
            let leaves = self.visit(index, value, steps)?;
            if *steps > STEPS {
                return Ok(None);
            }
            if leaves == [value] && self.visits[index].found_is_seen() {
                // The lane reads this value and does not change it, so it may as well execute now.
                return self.after(done | 1 << index, value, steps);
            }
            next.extend(leaves.into_iter().map(|left_there| (index, left_there)));
        }
        for (index, value) in next {
            match self.after(done | 1 << index, value, steps)? {
                Some(false) => {}
                decided => return Ok(decided),
            }
        }
        self.failed.insert((done, value));
        Ok(Some(false))
    }

    /// The values that a lane may write if it reads `value`; empty if its result would not be the
    /// observed one. Of the possible NaNs, only observed ones matter.
    fn visit(
        &mut self,
        index: usize,
        value: Bits,
        steps: &mut usize,
    ) -> Result<Vec<Bits>, DenoteError> {
        let visit = &self.visits[index];
        self.group.drawn |= value.is_none();
        let mut found = found(self.group, &visit.update, value);
        let mut left_there = Vec::new();
        for choice in choices(self.group, visit, &found, &self.names) {
            *steps += 1;
            found.extend(choice);
            let result = self.group.result_with(&visit.outcome, &found)?;
            if let (LaneResult::Value(ours), Some(seen)) = (&result, &visit.seen)
                && !values_allow(ours, seen)
            {
                continue;
            }
            let after = self.group.leaf_with(visit.update.after, &found)?;
            if !left_there.contains(&after) {
                left_there.push(after);
            }
        }
        Ok(left_there)
    }
}
