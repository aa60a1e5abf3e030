//! Sampling: the query is evaluated in some states before the solver gets it.
//!
//! A wrong target is wrong in most states, and evaluating a query takes microseconds where a solver
//! takes milliseconds, or seconds with floating point. The samples begin with readable states and
//! end with border cases. A state that is found is a model like any other; finding none proves
//! nothing.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use laneproof_encode::{Choice, EncodingPlan, MemoryExtent, SizeSet, lanes_below};
use laneproof_obligation::Built;
use laneproof_semantics::term::{
    FloatFormat, GroundValue, Interpretation, Node, Pool, Sort, Symbol, Term,
};
use laneproof_solve::Model;

/// How many states are tried.
const SAMPLES: u64 = KINDS * BORDERS * 4;
/// This number is tried whatever it costs: one of these states has all lanes active, as most
/// assumptions about the active set demand.
const FEWEST: u64 = 3;
/// Kinds of payloads, in turn.
const KINDS: u64 = 5;
/// Border cases of a width.
const BORDERS: u64 = 14;
/// Terms evaluated in all samples of one question together; the solver takes longer over floating
/// point.
const EFFORT: usize = 60_000;
const EFFORT_ON_NUMBERS: usize = 400_000;
/// Orders of more parts take too long to enumerate.
const PARTS: usize = 5;
/// Scalars in a memory, in turn; a few, where none are named.
const LENGTHS: [Option<u128>; 4] = [None, Some(16), Some(128), Some(1 << 10)];
/// Sizes in the order in which they are tried. Two lanes come first: the most readable
/// counterexample.
const SIZES: [u32; 8] = [2, 4, 8, 16, 32, 1, 64, 128];

/// A state in which all `assertions` hold, if a sample is one. After `deadline` none is tried.
pub fn sampled(
    built: &Built<'_>,
    plan: &EncodingPlan,
    assertions: &[Term],
    deadline: Instant,
) -> Option<Model> {
    let pool = &built.pool;
    let order = pool.reachable(assertions);
    if order.iter().any(|&term| is_beyond_trying(pool, term)) {
        return None;
    }
    let results = results(built, &order);
    let roots: Vec<Term> = assertions.iter().chain(results.values().flatten()).copied().collect();
    let numbers = order.iter().any(|&term| matches!(pool.node(term), Node::Float(..)));
    let effort = if numbers { EFFORT_ON_NUMBERS } else { EFFORT };
    let samples = SAMPLES.min((effort / order.len().max(1)) as u64).max(FEWEST);
    let in_time = |_: &u64| Instant::now() < deadline;
    (0..samples).take_while(in_time).find_map(|number| {
        let mut sample = Sample::new(built, plan, number);
        let mut values = pool.evaluate_in(&order, &roots, &sample);
        if !results.is_empty() {
            sample.choose(&results, &values[assertions.len()..]);
            values = pool.evaluate_in(&order, &roots, &sample);
        }
        let holds = values[..assertions.len()].iter().all(|it| it.is_true());
        holds.then(|| sample.asked.into_inner())
    })
}

/// Each result that the target leaves open, and the values that it may be equal to. Random values
/// are rarely legal.
fn results(built: &Built<'_>, order: &[Term]) -> BTreeMap<Term, Vec<Term>> {
    let pool = &built.pool;
    let choices = built.target.iter().flat_map(|target| &target.choices);
    let open: Vec<Symbol> =
        choices.filter(|it| it.choice == Choice::Result).map(|it| it.symbol).collect();
    let open_result = |term: Term| {
        let term = pool.number(term);
        let is_open = matches!(pool.node(term), Node::Apply(symbol, _) if open.contains(symbol));
        is_open.then_some(term)
    };
    let mut results: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    for &term in order {
        let Node::Equal(a, b) = *pool.node(term) else { continue };
        for (result, other) in [(a, b), (b, a)] {
            if let Some(result) = open_result(result)
                && open_result(other).is_none()
            {
                results.entry(result).or_default().push(other);
            }
        }
    }
    results
}

/// An open payload that is a tag has no values to try.
fn is_beyond_trying(pool: &Pool, term: Term) -> bool {
    match pool.node(term) {
        Node::Variable(symbol) | Node::Apply(symbol, _) => pool.symbol_sort(*symbol) == Sort::Tag,
        Node::AnyOrder(_, _, list) => list.len() / 2 > PARTS,
        _ => false,
    }
}

/// One state.
struct Sample<'p> {
    pool: &'p Pool,
    number: u64,
    /// Functions that give each lane its own number: invocations in the order of lanes.
    in_order: [Symbol; 2],
    /// Sizes, the active set, and the symbolic lane.
    lanes: HashMap<Symbol, GroundValue>,
    /// Results that are left open.
    results: HashMap<(Symbol, u32), GroundValue>,
    /// The values that were asked for, as they were given.
    asked: RefCell<Model>,
}

impl<'p> Sample<'p> {
    fn new(built: &'p Built<'_>, plan: &EncodingPlan, number: u64) -> Self {
        let mut sample = Self {
            pool: &built.pool,
            number,
            in_order: built.entry.surroundings.in_order(),
            lanes: HashMap::new(),
            results: HashMap::new(),
            asked: RefCell::default(),
        };
        let size = match &plan.sizes {
            SizeSet::One(size) => *size,
            SizeSet::All(sizes) => {
                let tried: Vec<u32> = SIZES.into_iter().filter(|it| sizes.contains(it)).collect();
                // Every other sample is of the first.
                let place = if number.is_multiple_of(2) { 0 } else { number as usize / 2 };
                tried.get(place % tried.len().max(1)).copied().unwrap_or(1)
            }
        };
        sample.set(built.entry.size, u128::from(size));
        sample.set(built.entry.existing, u128::from(size));
        for memory in built.entry.memories.values() {
            let length = LENGTHS[number as usize % LENGTHS.len()];
            if let (MemoryExtent::Line(end), Some(length)) = (memory.extent, length) {
                sample.set(end, length);
            }
        }
        // As many as a declared workgroup leaves.
        let existing = built.pool.evaluate(&[built.entry.existing], &sample)[0].as_bits();
        let size = size.min(existing.try_into().unwrap_or(size)).max(1);
        let size = if built.entry.workgroup.is_some() { built.entry.bound } else { size };
        let active = sampled_active(number, size);
        sample.set(built.entry.active, active);
        if let Some(lane) = built.lane {
            let skipped = sample.random("lane", 0) as u32 % active.count_ones();
            let left = (0..skipped).fold(active, |left, _| left & (left - 1));
            sample.set(lane, u128::from(left.trailing_zeros()));
        }
        sample
    }

    /// Gives each open result one of its possible values: `values`, one for each entry of
    /// `results`.
    fn choose(&mut self, results: &BTreeMap<Term, Vec<Term>>, mut values: &[GroundValue]) {
        for (result, others) in results {
            let (own, rest) = values.split_at(others.len());
            values = rest;
            let Node::Apply(symbol, lane) = *self.pool.node(*result) else { continue };
            let lane = self.pool.evaluate(&[lane], self)[0].as_bits() as u32;
            // The same order in all lanes.
            let order = self.random("order", 0) % own.len() as u128;
            self.results.insert((symbol, lane), own[order as usize]);
        }
    }

    /// Sets a constant, if the term is a free one.
    fn set(&mut self, term: Term, value: u128) {
        match *self.pool.node(term) {
            Node::Variable(symbol) => {
                self.lanes.insert(symbol, GroundValue::Bits(value));
            }
            Node::ZeroExtend(inner, _) => self.set(inner, value),
            _ => {}
        }
    }

    fn random(&self, about: impl Hash, lane: u32) -> u128 {
        sampled_random(self.number, about, lane)
    }

    fn value(&self, symbol: Symbol, lane: Option<u32>) -> GroundValue {
        match self.pool.symbol_sort(symbol) {
            Sort::Bits(width) => GroundValue::Bits(sampled_bits(self.number, symbol, lane, width)),
            Sort::Bool | Sort::Tag => {
                GroundValue::Bool(self.random(symbol, lane.unwrap_or(0)) & 1 == 1)
            }
        }
    }
}

/// Any bits; the same for the same sample, subject and lane.
pub fn sampled_random(number: u64, about: impl Hash, lane: u32) -> u128 {
    let half = |half: u8| {
        let mut hasher = DefaultHasher::new();
        (number, &about, lane, half).hash(&mut hasher);
        hasher.finish()
    };
    u128::from(half(0)) << 64 | u128::from(half(1))
}

/// The active lanes of the sample of this number, of `size` lanes: at least one, in every third
/// sample all.
pub fn sampled_active(number: u64, size: u32) -> u128 {
    let all = lanes_below(size);
    let some = all & sampled_random(number, "active", 0);
    match number % 3 {
        0 => all,
        _ if some == 0 => 1 << (sampled_random(number, "alone", 0) % u128::from(size)),
        _ => some,
    }
}

/// A value of `width` bits in the sample of this `number`, by the sample's kind: small and distinct,
/// small and often equal, a border case, anything, or one border case in all lanes (with either sign
/// in turn). In the last kind, values that are no function of lanes, such as the length of a memory,
/// are small.
pub fn sampled_bits(number: u64, about: impl Hash, lane: Option<u32>, width: u32) -> u128 {
    let random = sampled_random(number, about, lane.unwrap_or(0));
    let value = match (number % KINDS, lane) {
        (0, lane) => u128::from(lane.unwrap_or(0)) + 1 + random % 2,
        (1, _) => random % 4,
        (2, _) => border(width, random),
        (3, _) => random,
        (_, Some(_)) => {
            let sign = u128::from(number / KINDS / BORDERS % 2) & random;
            border(width, u128::from(number / KINDS)) ^ sign << (width.max(1) - 1)
        }
        (_, None) => random % 8,
    };
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    value & mask
}

/// Ends of the ranges of integers and of floating point.
fn border(width: u32, random: u128) -> u128 {
    let top = 1 << (width.max(1) - 1);
    let of_format = |format: FloatFormat| (format.one(), format.infinity());
    let (one, infinity) = FloatFormat::ieee(width).map_or((1, top >> 1), of_format);
    let below = infinity.wrapping_sub(1);
    let values: [u128; BORDERS as usize] = [
        // Of integers.
        top,
        1,
        !0,
        0,
        top - 1,
        // Of numbers: infinities, a NaN, the greatest.
        infinity,
        infinity | top,
        infinity + 1,
        below,
        below | top,
        // Around one.
        one,
        one | top,
        one + 1,
        one >> 1,
    ];
    values[(random % u128::from(BORDERS)) as usize]
}

impl Interpretation for Sample<'_> {
    fn variable(&self, symbol: Symbol) -> GroundValue {
        let value = self.lanes.get(&symbol).copied().unwrap_or_else(|| self.value(symbol, None));
        self.asked.borrow_mut().variables.insert(symbol, value);
        value
    }

    fn apply(&self, symbol: Symbol, lane: u32) -> GroundValue {
        let in_order = self.in_order.contains(&symbol).then_some(GroundValue::Bits(lane.into()));
        let chosen = self.results.get(&(symbol, lane)).copied().or(in_order);
        let value = chosen.unwrap_or_else(|| self.value(symbol, Some(lane)));
        self.asked.borrow_mut().applications.insert((symbol, lane), value);
        value
    }
}
