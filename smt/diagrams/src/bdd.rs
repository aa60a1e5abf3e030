//! Decision diagrams: truth values as functions of ordered variables, each function stored once.
//!
//! A [`Bdd`] is a number, so equality of functions is equality of numbers, and normal forms are
//! keyed by it. Work is counted in steps of the one recursive operation, if-then-else, so what is
//! given up does not depend on how busy the machine is.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::fault::BrokenLaw;
use crate::{Exhausted, StepLimit};

/// A function of the variables of its [`Diagrams`]: the number of a node, complemented where the
/// lowest bit is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub(crate) const TRUE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);

    pub(crate) fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn complement_if(self, condition: bool) -> Self {
        Self(self.0 ^ u32::from(condition))
    }
}

impl std::ops::Not for Bdd {
    type Output = Self;

    fn not(self) -> Self {
        self.complement_if(true)
    }
}

/// A variable's place in the order; the least is decided first.
pub(crate) type Level = u32;

/// Variables with the one value that each has, in order.
type Fixed = Rc<[(Level, bool)]>;

/// A decision. `high` is never complemented, so that each function has one node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    level: Level,
    low: Bdd,
    high: Bdd,
}

/// The results of this many operations are remembered at first, and at most; a displaced one is
/// computed again.
const REMEMBERED: [usize; 2] = [1 << 10, 1 << 20];

/// The deadline is checked once in this many steps.
const BETWEEN_LOOKS: u64 = 1 << 14;

/// The hash of these numbers; the lower bits are well mixed.
fn mixed(key: &[u32]) -> usize {
    let mix = |mixed: u64, part: &u32| {
        (mixed.rotate_left(23) ^ u64::from(*part)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    (key.iter().fold(0, mix) >> 32) as usize
}

/// All functions of one question.
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    /// The hash table of nodes, with linear probing; 0 is a free slot.
    unique: Vec<u32>,
    results: Vec<([Bdd; 3], Bdd)>,
    steps: u64,
    limit: StepLimit,
    /// Variables that have one value.
    fixed: FxHashMap<Level, bool>,
    /// The care set, if it is not all states.
    pub(crate) care: Option<Bdd>,
    /// What variables are there.
    pub(crate) images: FxHashMap<Level, Bdd>,
    fault: Option<BrokenLaw>,
}

impl Diagrams {
    pub(crate) fn new(
        limit: StepLimit,
        fixed: FxHashMap<Level, bool>,
        fault: Option<BrokenLaw>,
    ) -> Self {
        let terminal = Node { level: Level::MAX, low: Bdd::TRUE, high: Bdd::TRUE };
        Self {
            nodes: vec![terminal],
            unique: vec![0; REMEMBERED[0]],
            results: Self::no_results(REMEMBERED[0]),
            steps: 0,
            limit,
            fixed,
            care: None,
            images: FxHashMap::default(),
            fault,
        }
    }

    /// Whether a mistake is made on purpose.
    pub(crate) fn has(&self, fault: BrokenLaw) -> bool {
        self.fault == Some(fault)
    }

    /// Counts work that is done elsewhere with these functions.
    pub(crate) fn step(&mut self) -> Result<(), Exhausted> {
        self.steps += 1;
        let late = || self.steps.is_multiple_of(BETWEEN_LOOKS) && self.limit.is_late();
        if self.steps > self.limit.steps || late() { Err(Exhausted) } else { Ok(()) }
    }

    /// The variable at this place in the order.
    pub(crate) fn variable(&mut self, level: Level) -> Bdd {
        match self.fixed.get(&level) {
            Some(&value) => Bdd::constant(value),
            None => self.in_care(level),
        }
    }

    fn no_results(length: usize) -> Vec<([Bdd; 3], Bdd)> {
        vec![([Bdd::TRUE; 3], Bdd::TRUE); length]
    }

    fn slot(&self, key: [Bdd; 3]) -> usize {
        mixed(&key.map(|part| part.0)) & (self.results.len() - 1)
    }

    pub(crate) fn decision(&mut self, level: Level, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let complemented = high.is_complemented();
        let node = Node {
            level,
            low: low.complement_if(complemented),
            high: high.complement_if(complemented),
        };
        let slot = self.place_of(&node);
        if self.unique[slot] == 0 {
            self.unique[slot] = self.nodes.len() as u32;
            self.nodes.push(node);
            if self.nodes.len() * 2 > self.unique.len() {
                return Bdd(self.rehashed() << 1).complement_if(complemented);
            }
        }
        Bdd(self.unique[slot] << 1).complement_if(complemented)
    }

    /// The slot of a node in the hash table, or the free slot for it.
    fn place_of(&self, node: &Node) -> usize {
        let mask = self.unique.len() - 1;
        let mut slot = mixed(&[node.level, node.low.0, node.high.0]) & mask;
        while self.unique[slot] != 0 && self.nodes[self.unique[slot] as usize] != *node {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Grows the hash table; returns the last node.
    fn rehashed(&mut self) -> u32 {
        self.unique = vec![0; self.unique.len() * 4];
        // The first one is no decision.
        for number in 1..self.nodes.len() {
            let slot = self.place_of(&self.nodes[number]);
            self.unique[slot] = number as u32;
        }
        self.nodes.len() as u32 - 1
    }

    pub(crate) fn level(&self, function: Bdd) -> Level {
        self.nodes[function.node()].level
    }

    /// What is left of a function when the variable at `level` is false, and when it is true.
    pub(crate) fn cofactors(&self, function: Bdd, level: Level) -> (Bdd, Bdd) {
        let node = self.nodes[function.node()];
        if node.level != level {
            return (function, function);
        }
        let complemented = function.is_complemented();
        (node.low.complement_if(complemented), node.high.complement_if(complemented))
    }

    /// What is decided first, and what is left then; of the node that may be complemented.
    pub(crate) fn node_of(&self, function: Bdd) -> (Level, Bdd, Bdd) {
        let node = self.nodes[function.node()];
        (node.level, node.low, node.high)
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub(crate) fn ite(
        &mut self,
        condition: Bdd,
        then: Bdd,
        otherwise: Bdd,
    ) -> Result<Bdd, Exhausted> {
        let (mut f, mut g, mut h) = (condition, then, otherwise);
        if f.is_complemented() {
            (f, g, h) = (!f, h, g);
        }
        g = if g == f {
            Bdd::TRUE
        } else if g == !f {
            Bdd::FALSE
        } else {
            g
        };
        h = if h == f {
            Bdd::FALSE
        } else if h == !f {
            Bdd::TRUE
        } else {
            h
        };
        if f == Bdd::TRUE || g == h {
            return Ok(g);
        }
        if (g, h) == (Bdd::TRUE, Bdd::FALSE) {
            return Ok(f);
        }
        if (g, h) == (Bdd::FALSE, Bdd::TRUE) {
            return Ok(!f);
        }
        // What has two operands is looked up as a conjunction or a sum of bits.
        match (g, h) {
            (Bdd::TRUE, _) => return Ok(!self.conjunction(!f, !h)?),
            (Bdd::FALSE, _) => return self.conjunction(!f, h),
            (_, Bdd::FALSE) => return self.conjunction(f, g),
            (_, Bdd::TRUE) => return Ok(!self.conjunction(f, !g)?),
            _ if g == !h => return self.sum_of_bits(f, h),
            _ => {}
        }
        let complemented = g.is_complemented();
        (g, h) = (g.complement_if(complemented), h.complement_if(complemented));
        let key = [f, g, h];
        if let Some(result) = self.result_at(key) {
            return Ok(result.complement_if(complemented));
        }
        self.step()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let (h0, h1) = self.cofactors(h, level);
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        Ok(self.decided(key, level, low, high).complement_if(complemented))
    }

    /// Where both hold.
    fn conjunction(&mut self, a: Bdd, b: Bdd) -> Result<Bdd, Exhausted> {
        if a == b || b == Bdd::TRUE {
            return Ok(a);
        }
        if a == Bdd::TRUE {
            return Ok(b);
        }
        if a == !b || a == Bdd::FALSE || b == Bdd::FALSE {
            return Ok(Bdd::FALSE);
        }
        let (a, b) = (a.min(b), a.max(b));
        // Of a choice no side is a constant.
        let key = [a, b, Bdd::FALSE];
        if let Some(result) = self.result_at(key) {
            return Ok(result);
        }
        self.step()?;
        let level = self.level(a).min(self.level(b));
        let (a0, a1) = self.cofactors(a, level);
        let (b0, b1) = self.cofactors(b, level);
        let high = self.conjunction(a1, b1)?;
        let low = self.conjunction(a0, b0)?;
        Ok(self.decided(key, level, low, high))
    }

    /// Where one holds and the other does not.
    fn sum_of_bits(&mut self, a: Bdd, b: Bdd) -> Result<Bdd, Exhausted> {
        let complemented = a.is_complemented() != b.is_complemented();
        let plain = [a, b].map(|it| it.complement_if(it.is_complemented()));
        let (a, b) = (plain[0].min(plain[1]), plain[0].max(plain[1]));
        if a == b {
            return Ok(Bdd::FALSE.complement_if(complemented));
        }
        if a == Bdd::TRUE {
            return Ok((!b).complement_if(complemented));
        }
        let key = [a, b, Bdd::TRUE];
        if let Some(result) = self.result_at(key) {
            return Ok(result.complement_if(complemented));
        }
        self.step()?;
        let level = self.level(a).min(self.level(b));
        let (a0, a1) = self.cofactors(a, level);
        let (b0, b1) = self.cofactors(b, level);
        let high = self.sum_of_bits(a1, b1)?;
        let low = self.sum_of_bits(a0, b0)?;
        Ok(self.decided(key, level, low, high).complement_if(complemented))
    }

    /// The remembered result of an operation.
    fn result_at(&self, key: [Bdd; 3]) -> Option<Bdd> {
        let (known, result) = self.results[self.slot(key)];
        (known == key).then_some(result)
    }

    /// The decision that an operation results in, which is remembered.
    fn decided(&mut self, key: [Bdd; 3], level: Level, low: Bdd, high: Bdd) -> Bdd {
        let result = self.decision(level, low, high);
        if self.results.len() < self.nodes.len().min(REMEMBERED[1]) {
            let more = Self::no_results(self.results.len() * 4);
            for (key, result) in std::mem::replace(&mut self.results, more) {
                let slot = self.slot(key);
                self.results[slot] = (key, result);
            }
        }
        let slot = self.slot(key);
        self.results[slot] = (key, result);
        result
    }

    /// Its value where every variable is false.
    pub(crate) fn where_nothing_holds(&self, mut function: Bdd) -> Bdd {
        while function.node() != 0 {
            function = self.node_of(function).1;
        }
        function
    }

    pub(crate) fn and(&mut self, a: Bdd, b: Bdd) -> Result<Bdd, Exhausted> {
        self.ite(a, b, Bdd::FALSE)
    }

    pub(crate) fn or(&mut self, a: Bdd, b: Bdd) -> Result<Bdd, Exhausted> {
        self.ite(a, Bdd::TRUE, b)
    }

    /// Both, unless that takes more than so many steps.
    pub(crate) fn and_in(&mut self, steps: u64, a: Bdd, b: Bdd) -> Result<Option<Bdd>, Exhausted> {
        let whole = self.limit.steps;
        self.limit.steps = whole.min(self.steps + steps);
        let both = self.and(a, b);
        self.limit.steps = whole;
        match both {
            Err(Exhausted) if self.steps <= whole && !self.limit.is_late() => Ok(None),
            both => both.map(Some),
        }
    }

    /// What is recorded at a key holds where `here` does, too.
    pub(crate) fn or_at<K: Eq + Hash>(
        &mut self,
        recorded: &mut FxHashMap<K, Bdd>,
        key: K,
        here: Bdd,
    ) -> Result<(), Exhausted> {
        let entry = recorded.entry(key).or_insert(Bdd::FALSE);
        *entry = self.or(*entry, here)?;
        Ok(())
    }

    pub(crate) fn xor(&mut self, a: Bdd, b: Bdd) -> Result<Bdd, Exhausted> {
        self.ite(a, !b, b)
    }

    /// No state has both.
    pub(crate) fn disjoint(&mut self, a: Bdd, b: Bdd) -> Result<bool, Exhausted> {
        Ok(self.and(a, b)? == Bdd::FALSE)
    }

    /// Where some condition holds, if no two of them ever do.
    pub(crate) fn one_at_a_time(
        &mut self,
        conditions: impl IntoIterator<Item = Bdd>,
    ) -> Result<Option<Bdd>, Exhausted> {
        let mut any = Bdd::FALSE;
        for here in conditions {
            if !self.disjoint(any, here)? {
                return Ok(None);
            }
            any = self.or(any, here)?;
        }
        Ok(Some(any))
    }

    /// The variables that have one value only wherever `function` holds, with that value, in order.
    /// Where it never holds, none is named.
    pub(crate) fn fixed_by(&mut self, function: Bdd) -> Result<Vec<(Level, bool)>, Exhausted> {
        let fixed = self.fixed_in(function, &mut FxHashMap::default())?;
        let mut fixed = fixed.map_or_else(Vec::new, |it| it.to_vec());
        if self.has(BrokenLaw::FixedSomewhere) {
            let mut others = self.support(function);
            others.retain(|&level| !fixed.contains(&(level, false)));
            fixed.extend(others.into_iter().map(|level| (level, true)));
        }
        Ok(fixed)
    }

    /// What is fixed in a function, by those seen before; `None` where it never holds. A variable
    /// is fixed where one of its branches never holds, and otherwise where both branches fix it.
    fn fixed_in(
        &mut self,
        function: Bdd,
        seen: &mut FxHashMap<Bdd, Fixed>,
    ) -> Result<Option<Fixed>, Exhausted> {
        if function == Bdd::TRUE || function == Bdd::FALSE {
            return Ok((function == Bdd::TRUE).then(Fixed::default));
        }
        if let Some(known) = seen.get(&function) {
            return Ok(Some(known.clone()));
        }
        self.step()?;
        let level = self.level(function);
        let (low, high) = self.cofactors(function, level);
        let fixed: Fixed = match (self.fixed_in(low, seen)?, self.fixed_in(high, seen)?) {
            (Some(low), Some(high)) => {
                low.iter().filter(|it| high.binary_search(it).is_ok()).copied().collect()
            }
            (Some(rest), None) => {
                std::iter::once((level, false)).chain(rest.iter().copied()).collect()
            }
            (None, Some(rest)) => {
                std::iter::once((level, true)).chain(rest.iter().copied()).collect()
            }
            (None, None) => unreachable!("a decision between equal branches is none"),
        };
        seen.insert(function, fixed.clone());
        Ok(Some(fixed))
    }

    /// The variables that a function depends on, in order.
    pub(crate) fn support(&self, function: Bdd) -> Vec<Level> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut levels = std::collections::BTreeSet::new();
        let mut pending = vec![function.node()];
        while let Some(number) = pending.pop() {
            if number != 0 && seen.insert(number) {
                let node = self.nodes[number];
                levels.insert(node.level);
                pending.extend([node.low.node(), node.high.node()]);
            }
        }
        levels.into_iter().collect()
    }
}
