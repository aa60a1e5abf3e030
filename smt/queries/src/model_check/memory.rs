//! What an instruction does to memory, as terms: scalar by scalar, lane by lane.
//!
//! The initial content is a free constant for each scalar, whose value is asserted afterwards, as for
//! operands. Stores and updates are then executed on these constants.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use laneproof_semantics::denote::{
    AtomicUpdate, DenoteError, Instance, LaneOutcome, Leaf, MemoryPlace, Store, choose_leaf,
};
use laneproof_semantics::evaluate::{
    Bits, Draw, Execution, LaneResult, Memory, Serialization, Subgroup,
};
use laneproof_semantics::language::ast::Consequence;
use laneproof_semantics::term::{Pool, Sort, Term};

use super::content::Content;
use super::{Meaning, ModelCheckError, SymbolicGroup};

/// A store of some lane to one element, or to one byte of a word.
#[derive(Clone, Copy)]
struct Written {
    lane: u32,
    here: Term,
    leaf: Leaf,
}

/// Elements, or bytes of words, with all that is written there, in the order of the lanes.
type Places = BTreeMap<(usize, usize), Vec<Written>>;

/// As [`super::agrees_with`], of an instruction with memory: results and memory are as the
/// evaluator left them under these updates.
///
/// # Errors
///
/// As [`super::agrees_with`].
pub fn agrees_with_memory(
    meaning: Meaning<'_>,
    instance: &Instance,
    subgroup: &Subgroup,
    serialization: Serialization<'_>,
    expected: &Execution,
    draw: Draw<'_>,
    limit: Duration,
) -> Result<bool, ModelCheckError> {
    let mut group = SymbolicGroup::new(instance, subgroup.existing);
    let mut facts = group.place(&subgroup.memory);
    let mut outcomes: Vec<Option<LaneOutcome>> = Vec::new();
    let mut wrong = Vec::new();
    for lane in 0..subgroup.existing {
        let active = subgroup.active >> lane & 1 == 1;
        let lane = group.pool.bits(u128::from(lane), 32);
        outcomes.push(active.then(|| meaning.outcome(instance, &mut group, lane)).transpose()?);
    }
    wrong.append(&mut group.memory.outside);
    let mut memory = group.memory.content.clone();
    for &lane in serialization.order {
        let Some(outcome) = outcomes.get_mut(lane as usize).and_then(Option::as_mut) else {
            continue;
        };
        if let Some(update) = outcome.update {
            wrong.push(group.execute_update(outcome, update, lane, &mut memory)?);
        }
    }
    let mut places = Places::new();
    for (lane, outcome) in (0..).zip(&outcomes) {
        for store in outcome.iter().flat_map(|outcome| &outcome.stores) {
            wrong.push(group.store(store, lane, &mut places)?);
        }
    }
    let meet = group.meet(&places);
    match meaning.specification.consequence(meaning.settled, "stores-meet")? {
        Consequence::UndefinedBehavior => wrong.push(meet),
        _ if group.pool.bool_of(meet) == Some(false) => {}
        _ => return Err(DenoteError::NotModelled("what stores that meet leave".into()).into()),
    }
    for outcome in outcomes.iter().flatten() {
        wrong.push(group.behavior(outcome));
    }
    let wrong = group.pool.any(wrong);
    let is = |found: &dyn Fn(&LaneResult) -> bool| expected.lanes.iter().flatten().any(found);
    let difference = if is(&|lane| matches!(lane, LaneResult::UndefinedBehavior(_))) {
        group.pool.not(wrong)
    } else if is(&|lane| matches!(lane, LaneResult::Silence(_))) {
        let silent: Vec<Term> = outcomes.iter().flatten().map(|it| group.silence(it)).collect();
        let silent = group.pool.any(silent);
        group.pool.not(silent)
    } else {
        group.write(&places, &mut memory)?;
        let mut differences = vec![wrong];
        for (outcome, expected) in outcomes.iter().zip(&expected.lanes) {
            if let (Some(outcome), Some(expected)) = (outcome, expected) {
                differences.push(group.differs(outcome, expected));
            }
        }
        for (target, left) in &expected.memory {
            differences.push(group.left_otherwise(memory.get(target), left));
        }
        group.pool.any(differences)
    };
    facts.extend(group.facts(subgroup, draw));
    facts.extend(group.memory_facts(subgroup, serialization));
    group.never_in(&facts, difference, limit)
}

impl SymbolicGroup<'_> {
    /// Places memory; returns the facts about it.
    fn place(&mut self, memory: &BTreeMap<usize, Memory>) -> Vec<Term> {
        let mut facts = Vec::new();
        for (&target, memory) in memory {
            let (bits, width) = match memory {
                Memory::Buffer { elements, .. } => (elements, None),
                Memory::Image { width, words, .. } => (words, Some(*width)),
            };
            let sort = self.stored_sort(target);
            let pool = &mut self.pool;
            let mut scalars = Vec::with_capacity(bits.len());
            for &bits in bits {
                let leaf = Leaf {
                    bits: pool.fresh("stands", sort),
                    undefined: pool.fresh("stands.undefined", Sort::Bool),
                };
                facts.push(is_left(pool, leaf, bits));
                scalars.push(leaf);
            }
            self.memory.content.insert(target, Content { scalars, width });
        }
        facts
    }

    fn stored_sort(&self, target: usize) -> Sort {
        self.pointee(target).map_or(Sort::Bits(32), Sort::from)
    }

    /// Pointers, alignments and sizes, and what lanes choose in their updates.
    fn memory_facts(&mut self, subgroup: &Subgroup, serialization: Serialization<'_>) -> Vec<Term> {
        let mut facts = Vec::new();
        for (&target, memory) in &subgroup.memory {
            match memory {
                Memory::Buffer { address, elements, pointers } => {
                    for (lane, &first) in (0u32..).zip(pointers) {
                        let lane = self.pool.bits(u128::from(lane), 32);
                        let here = self.pointer(target, lane);
                        facts.push(is(&mut self.pool, here, first));
                    }
                    let buffer = self.buffer(target);
                    let count = u32::try_from(elements.len()).unwrap_or(u32::MAX);
                    // Alignments divide 2^32, so the upper bits of an address do not matter.
                    facts.push(is(&mut self.pool, buffer.base, *address as u32));
                    facts.push(is(&mut self.pool, buffer.length, count));
                }
                Memory::Image { width, height, texels, texel_bytes, .. } => {
                    let mut sides = Vec::new();
                    if let Some(&(columns, rows)) = self.memory.extents.get(&target) {
                        sides.extend([(columns, *width), (rows, *height)]);
                    }
                    if let Some(known) = self.memory.texels.get(&target) {
                        sides.extend([(known.row, *texels), (known.bytes, *texel_bytes)]);
                    }
                    let is_so = |(side, value)| is(&mut self.pool, side, value);
                    facts.extend(sides.into_iter().map(is_so));
                }
            }
        }
        let first = self.memory.pointees.get("first").copied();
        for lane in 0..self.sizes.bound {
            let chosen = serialization.chosen.get(lane as usize).copied().unwrap_or_default();
            let lane = self.pool.bits(u128::from(lane), 32);
            for &symbol in self.open.values() {
                if let Sort::Bits(width) = self.pool.symbol_sort(symbol) {
                    let here = self.pool.apply(symbol, lane);
                    let nan = self.pool.bits(u128::from(chosen.nan), width);
                    facts.push(self.pool.equal(here, nan));
                }
            }
            if let Some(first) = first {
                let here = self.pool.apply(first, lane);
                let taken = self.pool.bool(chosen.first);
                facts.push(self.pool.equal(here, taken));
            }
        }
        facts
    }

    /// For each element or word of what `target` leads to, whether it is the one of this spot.
    fn hits(
        &mut self,
        target: usize,
        spot: MemoryPlace,
        lane: Term,
    ) -> Result<Vec<Term>, DenoteError> {
        let Some(Content { scalars, width }) = self.memory.content.get(&target) else {
            return Err(DenoteError::NotModelled("memory that is nowhere".into()));
        };
        let (count, width) = (scalars.len() as u32, *width);
        let first = matches!(spot, MemoryPlace::Element(_)).then(|| self.pointer(target, lane));
        let pool = &mut self.pool;
        let pair = match (spot, width) {
            (MemoryPlace::Element(past), None) => {
                let at = first.map_or(past, |first| pool.add(first, past));
                return Ok((0..count).map(|number| is(pool, at, number)).collect());
            }
            (MemoryPlace::Word { column, row }, Some(width)) => (column, row, width),
            (MemoryPlace::Part { byte, row }, Some(width)) => {
                let word = pool.extract(byte, 31, 2);
                (pool.zero_extend(word, 32), row, width)
            }
            _ => return Err(DenoteError::NotModelled("such a place".into())),
        };
        let (column, row, width) = pair;
        let mut hit = |number: u32| {
            let here = [is(pool, column, number % width), is(pool, row, number / width)];
            pool.all(here.to_vec())
        };
        Ok((0..count).map(&mut hit).collect())
    }

    /// The initial content of a spot, and whether it is out of bounds.
    pub(super) fn content_at(
        &mut self,
        target: usize,
        spot: MemoryPlace,
        lane: Term,
    ) -> Result<(Leaf, Term), DenoteError> {
        let hits = self.hits(target, spot, lane)?;
        let scalars = self.memory.content[&target].scalars.clone();
        self.chosen_of(&hits, &scalars)
    }

    fn chosen_of(&mut self, hits: &[Term], scalars: &[Leaf]) -> Result<(Leaf, Term), DenoteError> {
        let Some(&first) = scalars.first() else {
            return Err(DenoteError::NotModelled("memory that is empty".into()));
        };
        let mut found = first;
        for (&hit, &scalar) in hits.iter().zip(scalars) {
            found = choose_leaf(&mut self.pool, hit, scalar, found)?;
        }
        let somewhere = self.pool.any(hits.to_vec());
        Ok((found, self.pool.not(somewhere)))
    }

    /// Executes a lane's update, with the value that it reads; returns whether it is out of bounds.
    fn execute_update(
        &mut self,
        outcome: &mut LaneOutcome,
        update: AtomicUpdate,
        lane: u32,
        memory: &mut BTreeMap<usize, Content>,
    ) -> Result<Term, ModelCheckError> {
        let lane = self.pool.bits(u128::from(lane), 32);
        let hits = self.hits(update.target, update.spot, lane)?;
        let Some(content) = memory.get_mut(&update.target) else { return Ok(self.pool.bool(true)) };
        let (found, nowhere) = self.chosen_of(&hits, &content.scalars)?;
        let pool = &mut self.pool;
        let given = HashMap::from([
            (update.before.bits, found.bits),
            (update.before.undefined, found.undefined),
        ]);
        let mut applied = |leaf: &Leaf| Leaf {
            bits: pool.substitute(leaf.bits, &given),
            undefined: pool.substitute(leaf.undefined, &given),
        };
        let after = applied(&update.after);
        outcome.leaves = outcome.leaves.iter().map(&mut applied).collect();
        let causes = outcome.undefined_behavior.iter_mut().chain(&mut outcome.silence);
        for cause in causes {
            cause.condition = pool.substitute(cause.condition, &given);
        }
        for (scalar, hit) in content.scalars.iter_mut().zip(hits) {
            let here = pool.and(update.when, hit);
            *scalar = choose_leaf(pool, here, after, *scalar)?;
        }
        Ok(pool.and(update.when, nowhere))
    }

    /// Records a lane's store; returns whether it is out of bounds.
    fn store(
        &mut self,
        store: &Store,
        lane: u32,
        places: &mut Places,
    ) -> Result<Term, ModelCheckError> {
        let number = self.pool.bits(u128::from(lane), 32);
        let hits = self.hits(store.target, store.spot, number)?;
        let image = self.memory.content.get(&store.target).is_some_and(|it| it.width.is_some());
        let pool = &mut self.pool;
        for (scalar, &hit) in hits.iter().enumerate() {
            let here = pool.and(store.when, hit);
            let mut note = |place, here, leaf| {
                let written = Written { lane, here, leaf };
                places.entry((store.target, place)).or_default().push(written);
            };
            if !image {
                note(scalar, here, store.value);
                continue;
            }
            let first = match store.spot {
                MemoryPlace::Part { byte, .. } => pool.extract(byte, 1, 0),
                _ => pool.bits(0, 2),
            };
            let bytes = pool.width(store.value.bits) / 8;
            for place in 0..4 {
                for part in 0..bytes.min(place + 1) {
                    let begins = pool.bits(u128::from(place - part), 2);
                    let begins = pool.equal(first, begins);
                    let here = pool.and(here, begins);
                    let bits = pool.extract(store.value.bits, 8 * part + 7, 8 * part);
                    note(4 * scalar + place as usize, here, Leaf { bits, ..store.value });
                }
            }
        }
        let somewhere = pool.any(hits);
        let nowhere = pool.not(somewhere);
        Ok(pool.and(store.when, nowhere))
    }

    /// Two lanes store different values at one address.
    fn meet(&mut self, places: &Places) -> Term {
        let pool = &mut self.pool;
        let mut meet = Vec::new();
        for written in places.values() {
            for (position, a) in written.iter().enumerate() {
                for b in written[..position].iter().filter(|b| b.lane != a.lane) {
                    let same = super::same_leaf(pool, a.leaf, b.leaf);
                    let differ = pool.not(same);
                    meet.push(pool.all([a.here, b.here, differ]));
                }
            }
        }
        pool.any(meet)
    }

    /// Memory with what all lanes store at once.
    fn write(
        &mut self,
        places: &Places,
        memory: &mut BTreeMap<usize, Content>,
    ) -> Result<(), DenoteError> {
        let pool = &mut self.pool;
        for (&target, content) in memory {
            let image = content.width.is_some();
            let at = |place: usize| places.get(&(target, place)).into_iter().flatten();
            for (number, scalar) in content.scalars.iter_mut().enumerate() {
                if !image {
                    for written in at(number) {
                        *scalar = choose_leaf(pool, written.here, written.leaf, *scalar)?;
                    }
                    continue;
                }
                let mut word: Option<Leaf> = None;
                for byte in 0..4u32 {
                    let bits = pool.extract(scalar.bits, 8 * byte + 7, 8 * byte);
                    let mut leaf = Leaf { bits, ..*scalar };
                    for written in at(4 * number + byte as usize) {
                        leaf = choose_leaf(pool, written.here, written.leaf, leaf)?;
                    }
                    word = Some(match word {
                        None => leaf,
                        Some(low) => Leaf {
                            bits: pool.concat(leaf.bits, low.bits),
                            undefined: pool.or(low.undefined, leaf.undefined),
                        },
                    });
                }
                *scalar = word.unwrap_or(*scalar);
            }
        }
        Ok(())
    }

    /// The final memory is not the expected one.
    fn left_otherwise(&mut self, found: Option<&Content>, left: &Memory) -> Term {
        let bits = match left {
            Memory::Buffer { elements, .. } => elements,
            Memory::Image { words, .. } => words,
        };
        let pool = &mut self.pool;
        let scalars = found.map_or(&[][..], |content| &content.scalars);
        let mut same = vec![pool.bool(scalars.len() == bits.len())];
        for (leaf, &bits) in scalars.iter().zip(bits) {
            same.push(is_left(pool, *leaf, bits));
        }
        let same = pool.all(same);
        pool.not(same)
    }
}

fn is(pool: &mut Pool, term: Term, number: u32) -> Term {
    let number = pool.bits(u128::from(number), 32);
    pool.equal(term, number)
}

/// A leaf is this value.
fn is_left(pool: &mut Pool, leaf: Leaf, bits: Bits) -> Term {
    let Some(bits) = bits else { return leaf.undefined };
    let value = match pool.sort(leaf.bits) {
        Sort::Bits(width) => pool.bits(u128::from(bits), width),
        Sort::Bool | Sort::Tag => pool.bool(bits & 1 == 1),
    };
    let (same, defined) = (pool.equal(leaf.bits, value), pool.not(leaf.undefined));
    pool.and(same, defined)
}
