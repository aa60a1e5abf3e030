//! An arbitrary group, in which terms are built, and the facts that fix its state.

mod group;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use laneproof_semantics::denote::{Argument, Instance, LaneOutcome, Texels};
use laneproof_semantics::evaluate::{Bits, Draw, LaneResult, Subgroup, Workgroup};
use laneproof_semantics::term::{Binary, Pool, Sort, Symbol, Term};
use laneproof_semantics::{Scalar, Type};
use laneproof_solve::{SolverAnswer, SolverLimit, holds, solve};

use super::ModelCheckError;
use super::content::{Content, PointedBuffer};
use super::difference::*;

/// The sides of an image: two of them make one number of 32 bits.
const MOST_WORDS: u128 = 0xffff;

/// Which lanes there can be.
pub struct GroupSizes {
    pub(super) bound: u32,
    /// Up to the bound lanes exist, not exactly as many.
    pub or_fewer: bool,
    /// `SubgroupSize`, 32 bits.
    pub size: Term,
    /// `SubgroupMaxSize`, 32 bits.
    pub max_size: Term,
    pub(super) existing: Term,
    /// The active lanes, 128 bits.
    pub active: Term,
    /// The workgroup whose lanes these are, with numbers that are known from the start.
    pub(super) workgroup: Option<Workgroup>,
}

/// What pointers and images lead to.
pub struct SymbolicMemory {
    /// The symbols of pointees, by name.
    pub(super) pointees: BTreeMap<String, Symbol>,
    /// What stands in memory, by operand, where that is known scalar by scalar.
    pub(super) content: BTreeMap<usize, Content>,
    /// Conditions under which what was read is not there.
    pub(super) outside: Vec<Term>,
    /// Of each pointer operand, where what it leads to begins, in bytes, and its elements.
    pub buffers: BTreeMap<usize, PointedBuffer>,
    /// Width and height, in words and rows, of each image operand.
    pub extents: BTreeMap<usize, (Term, Term)>,
    /// Elements of each image operand whose elements are asked about.
    pub texels: BTreeMap<usize, Texels>,
    /// Places that were read, with the symbols of what stands there and of its mark.
    pub touched: Vec<([Symbol; 2], Term)>,
}

/// An arbitrary group with a bound on its lanes.
pub struct SymbolicGroup<'a> {
    /// The terms.
    pub pool: Pool,
    pub(super) instance: &'a Instance,
    /// Which lanes there can be.
    pub sizes: GroupSizes,
    /// Bits and marks of each leaf of each operand.
    pub operands: BTreeMap<(usize, usize), [Symbol; 2]>,
    pub(super) draws: BTreeMap<(usize, usize), Symbol>,
    /// What is left open of each leaf of the result: the result itself, or which NaN it is.
    pub(super) open: BTreeMap<(bool, usize), Symbol>,
    /// What pointers and images lead to.
    pub memory: SymbolicMemory,
}

impl<'a> SymbolicGroup<'a> {
    /// Any state of at most `bound` lanes in which the instance is executed.
    pub fn new(instance: &'a Instance, bound: u32) -> Self {
        let mut pool = Pool::new();
        let word = Sort::Bits(32);
        let [size, max_size, existing] =
            ["SubgroupSize", "SubgroupMaxSize", "existing"].map(|name| pool.fresh(name, word));
        let active = pool.fresh("active", Sort::Bits(128));
        Self {
            pool,
            instance,
            sizes: GroupSizes {
                bound,
                or_fewer: false,
                size,
                max_size,
                existing,
                active,
                workgroup: None,
            },
            operands: BTreeMap::new(),
            draws: BTreeMap::new(),
            memory: SymbolicMemory {
                pointees: BTreeMap::new(),
                content: BTreeMap::new(),
                outside: Vec::new(),
                buffers: BTreeMap::new(),
                extents: BTreeMap::new(),
                texels: BTreeMap::new(),
                touched: Vec::new(),
            },
            open: BTreeMap::new(),
        }
    }

    /// The state, as assertions about all symbols of the terms.
    pub fn facts(&mut self, subgroup: &Subgroup, draw: Draw<'_>) -> Vec<Term> {
        let pool = &mut self.pool;
        let mut facts = Vec::new();
        for (term, value) in [
            (self.sizes.size, subgroup.size),
            (self.sizes.max_size, subgroup.max_size),
            (self.sizes.existing, subgroup.existing),
        ] {
            let value = pool.bits(u128::from(value), 32);
            facts.push(pool.equal(term, value));
        }
        let active = pool.bits(subgroup.active, 128);
        facts.push(pool.equal(self.sizes.active, active));
        let constant = |pool: &mut Pool, symbol, value: u64| match pool.symbol_sort(symbol) {
            Sort::Bits(width) => pool.bits(u128::from(value), width),
            Sort::Bool | Sort::Tag => pool.bool(value & 1 == 1),
        };
        for lane in 0..subgroup.existing {
            let number = pool.bits(u128::from(lane), 32);
            for (&(operand, leaf), &[bits, mark]) in &self.operands {
                let given = subgroup.operands[operand][lane as usize][leaf];
                let here = pool.apply(mark, number);
                let marked = pool.bool(given.is_none());
                facts.push(pool.equal(here, marked));
                if let Some(given) = given {
                    let here = pool.apply(bits, number);
                    let given = constant(pool, bits, given);
                    facts.push(pool.equal(here, given));
                }
            }
            for (&(operand, leaf), &symbol) in &self.draws {
                let width = match pool.symbol_sort(symbol) {
                    Sort::Bits(width) => width,
                    Sort::Bool | Sort::Tag => 1,
                };
                let here = pool.apply(symbol, number);
                let drawn = constant(pool, symbol, draw(operand, leaf, lane, width));
                facts.push(pool.equal(here, drawn));
            }
        }
        facts
    }

    /// What is left open is as it is given.
    pub(super) fn chosen(&mut self, given: &[Option<Vec<Bits>>]) -> Vec<Term> {
        let pool = &mut self.pool;
        let mut chosen = Vec::new();
        for (lane, given) in given.iter().enumerate() {
            let Some(leaves) = given else { continue };
            let lane = pool.bits(lane as u128, 32);
            for (&(_, leaf), &symbol) in &self.open {
                let value = leaves.get(leaf).copied().flatten().unwrap_or(0);
                let value = match pool.symbol_sort(symbol) {
                    Sort::Bits(width) => pool.bits(u128::from(value), width),
                    Sort::Bool | Sort::Tag => pool.bool(value & 1 == 1),
                };
                let here = pool.apply(symbol, lane);
                chosen.push(pool.equal(here, value));
            }
        }
        chosen
    }

    /// The leaves of the result that are left open whole.
    pub fn open_results(&self) -> impl Iterator<Item = (usize, Symbol)> + '_ {
        self.open.iter().filter(|((whole, _), _)| *whole).map(|((_, leaf), it)| (*leaf, *it))
    }

    /// Sizes in order, lanes that exist, constants the same in all lanes.
    pub fn any_state(&mut self, constants: &[usize]) -> Vec<Term> {
        let pool = &mut self.pool;
        let mut facts = Vec::new();
        for (&(operand, _), &[bits, mark]) in &self.operands {
            if !constants.contains(&operand) {
                continue;
            }
            let first = pool.bits(0, 32);
            let first = pool.apply(bits, first);
            for lane in 0..self.sizes.bound {
                let lane = pool.bits(u128::from(lane), 32);
                let marked = pool.apply(mark, lane);
                facts.push(pool.not(marked));
                let here = pool.apply(bits, lane);
                facts.push(pool.equal(here, first));
            }
        }
        facts.extend(self.some_memory());
        let pool = &mut self.pool;
        for &(width, height) in self.memory.extents.values() {
            for side in [width, height] {
                let (none, most) = (pool.bits(0, 32), pool.bits(MOST_WORDS, 32));
                facts.push(pool.less(none, side));
                facts.push(pool.less_equal(side, most));
            }
        }
        let bound = pool.bits(u128::from(self.sizes.bound), 32);
        let most = pool.bits(128, 32);
        let beyond = pool.bits(!lanes_below(self.sizes.bound), 128);
        let none = pool.bits(0, 128);
        let outside = pool.binary(Binary::And, self.sizes.active, beyond);
        if self.sizes.workgroup.is_none() {
            facts.push(pool.less_equal(self.sizes.existing, self.sizes.size));
        }
        let one = pool.bits(1, 32);
        let number = match self.sizes.or_fewer {
            true => pool.less_equal(self.sizes.existing, bound),
            false => pool.equal(self.sizes.existing, bound),
        };
        if self.sizes.or_fewer {
            for lane in 0..self.sizes.bound {
                let lane = pool.bits(u128::from(lane), 32);
                let (active, exists) =
                    (pool.bit(self.sizes.active, lane), pool.less(lane, self.sizes.existing));
                facts.push(pool.implies(active, exists));
            }
        }
        facts.extend([
            number,
            pool.less_equal(one, self.sizes.size),
            pool.less_equal(self.sizes.size, self.sizes.max_size),
            pool.less_equal(self.sizes.max_size, most),
            pool.equal(outside, none),
        ]);
        facts
    }

    /// Whether `question` is unsatisfiable under `facts`. If these are a full state, Z3 only
    /// simplifies; only what is left is solved.
    pub(super) fn never_in(
        &self,
        facts: &[Term],
        question: Term,
        limit: Duration,
    ) -> Result<bool, ModelCheckError> {
        match holds(&self.pool, facts, question, Instant::now() + limit) {
            Some(holds) => Ok(!holds),
            None => self.unsatisfiable(&[facts, &[question]].concat(), limit),
        }
    }

    pub(super) fn unsatisfiable(
        &self,
        terms: &[Term],
        limit: impl Into<SolverLimit>,
    ) -> Result<bool, ModelCheckError> {
        match solve(&self.pool, terms, limit, None) {
            SolverAnswer::Unsat => Ok(true),
            SolverAnswer::Sat(_) => Ok(false),
            SolverAnswer::Unknown(reason) => Err(ModelCheckError::Undecided(reason)),
        }
    }

    /// Some clause says undefined behavior.
    pub fn behavior(&mut self, outcome: &LaneOutcome) -> Term {
        self.pool.any(outcome.undefined_behavior.iter().map(|cause| cause.condition))
    }

    /// Some clause gives no consequence.
    pub fn silence(&mut self, outcome: &LaneOutcome) -> Term {
        self.pool.any(outcome.silence.iter().map(|cause| cause.condition))
    }

    /// The outcome is not what was expected.
    pub(super) fn differs(&mut self, outcome: &LaneOutcome, expected: &LaneResult) -> Term {
        let behavior = self.behavior(outcome);
        let silence = self.silence(outcome);
        let pool = &mut self.pool;
        match expected {
            LaneResult::UndefinedBehavior(_) => pool.not(behavior),
            LaneResult::Illegal => {
                let legal = pool.all(outcome.such_that.clone());
                pool.any([behavior, silence, legal])
            }
            LaneResult::Silence(_) => {
                let silent = pool.not(silence);
                pool.or(behavior, silent)
            }
            LaneResult::Value(leaves) => {
                let legal = pool.all(outcome.such_that.clone());
                let mut differences = vec![behavior, silence, pool.not(legal)];
                differences.push(pool.bool(leaves.len() != outcome.leaves.len()));
                for (leaf, expected) in outcome.leaves.iter().zip(leaves) {
                    let Some(expected) = expected else {
                        differences.push(pool.not(leaf.undefined));
                        continue;
                    };
                    let expected = match pool.sort(leaf.bits) {
                        Sort::Bits(width) => pool.bits(u128::from(*expected), width),
                        Sort::Bool | Sort::Tag => pool.bool(expected & 1 == 1),
                    };
                    let same = pool.equal(leaf.bits, expected);
                    let other = pool.not(same);
                    differences.push(pool.or(leaf.undefined, other));
                }
                pool.any(differences)
            }
        }
    }

    /// Two outcomes are not the same.
    pub(super) fn differ(&mut self, a: &LaneOutcome, b: &LaneOutcome) -> Term {
        let (behavior_a, behavior_b) = (self.behavior(a), self.behavior(b));
        let (silence_a, silence_b) = (self.silence(a), self.silence(b));
        let pool = &mut self.pool;
        let values = what_is_left_differs(pool, a, b);
        let silence = unlike(pool, silence_a, silence_b);
        let otherwise = pool.or(silence, values);
        let behaves = pool.not(behavior_a);
        let otherwise = pool.and(behaves, otherwise);
        let behavior = unlike(pool, behavior_a, behavior_b);
        pool.or(behavior, otherwise)
    }

    pub(super) fn left_open(&mut self, whole: bool, leaf: usize, lane: Term, sort: Sort) -> Term {
        let pool = &mut self.pool;
        let symbol = *self.open.entry((whole, leaf)).or_insert_with(|| {
            let what = if whole { "result" } else { "payload" };
            pool.symbol(format!("{what}.{leaf}"), sort)
        });
        pool.apply(symbol, lane)
    }

    /// The function of this name, the same one each time.
    pub(super) fn named(&mut self, name: String, sort: Sort) -> Symbol {
        match self.memory.pointees.get(&name) {
            Some(symbol) => *symbol,
            None => {
                let symbol = self.pool.symbol(name.as_str(), sort);
                self.memory.pointees.insert(name, symbol);
                symbol
            }
        }
    }

    /// The symbol of this name for an operand's memory, if it is used.
    pub fn symbol_of(&self, what: &str, target: usize) -> Option<Symbol> {
        self.memory.pointees.get(&format!("{what}.{target}")).copied()
    }

    /// What a pointer operand points to.
    pub(super) fn pointee(&self, operand: usize) -> Option<Scalar> {
        match self.instance.arguments.get(operand) {
            Some(Argument::Pointer(ty)) => ty.element(),
            _ => None,
        }
    }

    pub(super) fn scalars(&self, operand: usize) -> Vec<Scalar> {
        match self.instance.arguments.get(operand) {
            Some(Argument::Value(ty)) => ty.leaves(),
            Some(Argument::Values(types)) => types.iter().flat_map(Type::leaves).collect(),
            _ => Vec::new(),
        }
    }
}
/// The set of the lanes below a bound.
const fn lanes_below(bound: u32) -> u128 {
    if bound >= 128 { u128::MAX } else { (1 << bound) - 1 }
}
