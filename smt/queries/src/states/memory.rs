//! Memory as a part of states: addresses, content, stores.

use std::collections::BTreeMap;

use laneproof_semantics::denote::{Argument, LaneOutcome, MemoryPlace, Store};
use laneproof_semantics::evaluate::{Bits, Memory};
use laneproof_semantics::term::{GroundValue, Pool, Sort, Symbol, Term};
use laneproof_solve::Model;

use super::InstructionStates;
use crate::model_check::{PointedBuffer, same_leaf, same_place};

/// The content of the first scalar, if each value identifies its address.
const TELLING: u32 = 1000;
/// The pointers of this many lanes are minimized.
const MINIMIZED: u32 = 4;
/// Bits of the numbers that wishes for small memory are about.
const SMALL: u32 = 11;

impl InstructionStates<'_> {
    /// What two lanes write differs in some place.
    pub(super) fn stores_differ(&mut self, a: &LaneOutcome, b: &LaneOutcome) -> Term {
        let [lost, gained] = [(a, b), (b, a)].map(|(one, other)| self.not_in(one, other));
        self.group.pool.or(lost, gained)
    }

    /// Something that `one` writes is not written by `other`.
    fn not_in(&mut self, one: &LaneOutcome, other: &LaneOutcome) -> Term {
        let pool = &mut self.group.pool;
        let mut lost = Vec::new();
        for store in &one.stores {
            let mut found = Vec::new();
            for there in &other.stores {
                let place =
                    same_place(pool, (store.target, store.spot), (there.target, there.spot));
                let value = same_leaf(pool, store.value, there.value);
                found.push(pool.all([there.when, place, value]));
            }
            let found = pool.any(found);
            let missing = pool.not(found);
            lost.push(pool.and(store.when, missing));
        }
        pool.any(lost)
    }

    /// Two lanes write different values to one place.
    pub fn stores_meet(&mut self, lanes: [(&LaneOutcome, u32); 2]) -> Term {
        self.stores_at_one_place(lanes, |pool, a, b| {
            let same = same_leaf(pool, a.value, b.value);
            pool.not(same)
        })
    }

    /// Two lanes write to one place, whatever it is.
    pub fn stores_overlap(&mut self, lanes: [(&LaneOutcome, u32); 2]) -> Term {
        self.stores_at_one_place(lanes, |pool, _, _| pool.bool(true))
    }

    /// Two lanes write to one place what is `such`.
    fn stores_at_one_place(
        &mut self,
        [one, other]: [(&LaneOutcome, u32); 2],
        such: impl Fn(&mut Pool, &Store, &Store) -> Term,
    ) -> Term {
        let mut meet = Vec::new();
        for a in &one.0.stores {
            for b in other.0.stores.iter().filter(|b| b.target == a.target) {
                let Some(place) = self.meeting_place((a, one.1), (b, other.1)) else { continue };
                let pool = &mut self.group.pool;
                let such = such(pool, a, b);
                meet.push(pool.all([a.when, b.when, place, such]));
            }
        }
        self.group.pool.any(meet)
    }

    /// When two stores go to one place, if they can.
    fn meeting_place(&mut self, a: (&Store, u32), b: (&Store, u32)) -> Option<Term> {
        let target = a.0.target;
        let (MemoryPlace::Element(past), MemoryPlace::Element(other)) = (a.0.spot, b.0.spot) else {
            let pool = &mut self.group.pool;
            return Some(same_place(pool, (target, a.0.spot), (target, b.0.spot)));
        };
        let mut place = |lane: u32, past: Term| {
            let lane = self.group.pool.bits(u128::from(lane), 32);
            let first = self.group.pointer(target, lane);
            self.group.pool.add(first, past)
        };
        let (here, there) = (place(a.1, past), place(b.1, other));
        Some(self.group.pool.equal(here, there))
    }

    /// Buffers begin where machines let them begin, and images have elements of four bytes.
    pub fn ordinary_memory(&mut self) -> Term {
        let mut ordinary = Vec::new();
        let bases: Vec<Term> =
            self.group.memory.buffers.values().map(|buffer| buffer.base).collect();
        let sizes: Vec<Term> =
            self.group.memory.texels.values().map(|texels| texels.bytes).collect();
        let pool = &mut self.group.pool;
        for (terms, value) in [(bases, 0), (sizes, 4)] {
            let value = pool.bits(value, 32);
            ordinary.extend(terms.into_iter().map(|term| pool.equal(term, value)));
        }
        pool.all(ordinary)
    }

    /// Buffers of up to 256 elements, images of up to 4 rows of 64 words.
    pub fn bounded_memory(&mut self) -> Term {
        let lengths = self.group.memory.buffers.values().map(|buffer| (buffer.length, 256));
        let sides = self
            .group
            .memory
            .extents
            .values()
            .flat_map(|&(width, height)| [(width, 64), (height, 4)]);
        let bounds: Vec<(Term, u128)> = lengths.chain(sides).collect();
        let pool = &mut self.group.pool;
        let bounded = bounds.into_iter().map(|(term, most)| {
            let most = pool.bits(most, 32);
            pool.less_equal(term, most)
        });
        let bounded: Vec<Term> = bounded.collect();
        pool.all(bounded)
    }

    /// Pointers to the first element, at address 0; elements of four bytes; few of all.
    pub fn small_memory(&mut self) -> Vec<Term> {
        let mut preferences = vec![self.ordinary_memory(), self.pointers_at_the_first()];
        let mut numbers = Vec::new();
        let buffers: Vec<(usize, PointedBuffer)> =
            self.group.memory.buffers.iter().map(|(&target, &buffer)| (target, buffer)).collect();
        for (target, PointedBuffer { base, length }) in buffers {
            numbers.extend([length, base]);
            // Of many lanes it takes long, and few look at them.
            for lane in 0..self.existing.min(MINIMIZED) {
                let lane = self.group.pool.bits(u128::from(lane), 32);
                numbers.push(self.group.pointer(target, lane));
            }
        }
        numbers.extend(self.group.memory.extents.values().map(|(_, height)| *height));
        numbers.extend(
            self.group.memory.texels.values().flat_map(|texels| [texels.row, texels.bytes]),
        );
        let pool = &mut self.group.pool;
        preferences.extend(numbers.into_iter().map(|number| pool.extract(number, SMALL - 1, 0)));
        preferences
    }

    /// Small values, none of them undefined, where something is read.
    pub(super) fn small_content(&mut self) -> Vec<Term> {
        let mut touched = self.group.memory.touched.clone();
        touched.sort();
        touched.dedup();
        let pool = &mut self.group.pool;
        let mut preferences = Vec::new();
        for &([_, mark], place) in &touched {
            let marked = pool.apply(mark, place);
            preferences.push(pool.not(marked));
        }
        preferences.extend(touched.iter().map(|&([content, _], place)| pool.apply(content, place)));
        preferences
    }

    fn pointers_at_the_first(&mut self) -> Term {
        let targets: Vec<usize> = self.group.memory.buffers.keys().copied().collect();
        let mut first = Vec::new();
        for target in targets {
            for lane in 0..self.existing {
                let lane = self.group.pool.bits(u128::from(lane), 32);
                let pointer = self.group.pointer(target, lane);
                let none = self.group.pool.bits(0, 32);
                first.push(self.group.pool.equal(pointer, none));
            }
        }
        self.group.pool.all(first)
    }

    /// Values that identify their address.
    pub fn telling_content(&mut self) -> Vec<Term> {
        let touched = self.group.memory.touched.clone();
        let pool = &mut self.group.pool;
        let mut preferences = Vec::new();
        for ([content, _], place) in touched {
            let value = pool.apply(content, place);
            if pool.sort(value) == Sort::Bits(32) {
                let first = pool.bits(u128::from(TELLING), 32);
                let telling = pool.add(first, place);
                preferences.push(pool.equal(value, telling));
            }
        }
        preferences
    }

    /// The memory of operands; unused scalars identify their address if `telling`, else they are 0.
    pub(super) fn memory(&mut self, model: &Model, telling: bool) -> BTreeMap<usize, Memory> {
        let mut memory = BTreeMap::new();
        for (target, argument) in self.instance.arguments.iter().enumerate() {
            let found = match argument {
                Argument::Pointer(_) => self.buffer(model, target, telling),
                Argument::Image => self.image(model, target, telling),
                _ => None,
            };
            memory.extend(found.map(|found| (target, found)));
        }
        memory
    }

    fn number(&self, model: &Model, term: Term) -> u32 {
        self.value(model, term).as_bits() as u32
    }

    fn buffer(&self, model: &Model, target: usize, telling: bool) -> Option<Memory> {
        let PointedBuffer { base, length } = *self.group.memory.buffers.get(&target)?;
        let pointer = self.group.symbol_of("pointer", target)?;
        let first = |lane| model.chosen(pointer, lane).map_or(0, GroundValue::as_bits) as u32;
        let content_symbols = (self.content_symbols(target), telling);
        Some(Memory::Buffer {
            address: u64::from(self.number(model, base)),
            elements: (0..self.number(model, length))
                .map(|at| word_at(model, content_symbols, at))
                .collect(),
            pointers: (0..self.existing).map(first).collect(),
        })
    }

    fn image(&self, model: &Model, target: usize, telling: bool) -> Option<Memory> {
        let &(width, height) = self.group.memory.extents.get(&target)?;
        let texels = self.group.memory.texels.get(&target)?;
        let (width, height) = (self.number(model, width), self.number(model, height));
        let content_symbols = (self.content_symbols(target), telling);
        let places = (0..height).flat_map(|row| (0..width).map(move |column| row << 16 | column));
        Some(Memory::Image {
            width,
            height,
            words: places.map(|at| word_at(model, content_symbols, at)).collect(),
            texels: self.number(model, texels.row),
            texel_bytes: self.number(model, texels.bytes),
        })
    }

    /// The symbols of the content of memory and of its undefined marks, if something is read.
    fn content_symbols(&self, target: usize) -> Option<[Symbol; 2]> {
        let content = self.group.symbol_of("memory", target)?;
        Some([content, self.group.symbol_of("mark.of.memory", target)?])
    }
}

/// The content of an address; if it is unused, 0 or a value that identifies it.
fn word_at(model: &Model, content_symbols: (Option<[Symbol; 2]>, bool), at: u32) -> Bits {
    let unasked = if content_symbols.1 { u64::from(TELLING + at) } else { 0 };
    let Some([content, mark]) = content_symbols.0 else { return Some(unasked) };
    let undefined = matches!(model.chosen(mark, at), Some(GroundValue::Bool(true)));
    let held = model.chosen(content, at);
    (!undefined).then(|| held.map_or(unasked, |held| held.as_bits() as u64))
}
