//! Payloads that are only moved and compared need no more values than there are payloads.
//!
//! The same question is asked about payloads of a few bits. They are found by what is done with them:
//! payloads that are chosen among each other or compared with each other are of one *kind*, and a kind is
//! renumbered if nothing else happens to it than choices, equality, one order (of signed or of unsigned
//! integers), and comparison with known values. Floating-point numbers may lose, change and show their sign,
//! too, and be ordered as numbers.
//!
//! # Why the answer is the same
//!
//! Some state satisfies the question where some state does so in which the payloads of a kind have the values
//! that their new numbers stand for. One direction is plain: such a state is a state. For the other, let a
//! state satisfy the question, and let a kind have n free payloads and some known values. There are at most
//! n values that are not known, so between two known values, below the least and above the greatest there
//! are as many numbers as the state has values there (or all of them). Let f map each known value to itself
//! and the others to what these numbers stand for, in order. It keeps order and equality, so every condition
//! and every choice stays as it is, where each free payload x is replaced by f(x). A function of lanes is a
//! payload at each lane where it is applied; where two of these lanes are one, its values are one, and so are
//! their numbers. Of floating-point numbers the magnitudes are numbered, with zero, which has one
//! number with either sign, infinity and the canonical NaN among the known values; signs stay.

mod codes;
mod decided;
mod kinds;
mod shape;
mod uses;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use laneproof_semantics::term::{Binary, Compare, GroundValue, Node, Pool, Sort, Symbol, Term};

use self::kinds::{Kinds, Sign};
use self::shape::{Form, Shape};
use self::uses::Role;
use crate::answer::Model;

/// A question about payloads of a few bits.
pub struct FewValues {
    /// Its terms.
    pub pool: Pool,
    /// What is asked for.
    pub assertions: Vec<Term>,
    shapes: BTreeMap<usize, Shape>,
    /// For each new symbol the one that it stands for, and its kind.
    stands_for: HashMap<Symbol, (Symbol, usize)>,
}

impl FewValues {
    /// The question that has a state where this one has, if some payloads need few values only.
    pub fn of(pool: &Pool, assertions: &[Term]) -> Option<Self> {
        // Most questions have no such payloads.
        Renumbered::of(pool, assertions, 0)?;
        let (pool, assertions) = decided::decided(pool, assertions);
        Self::without(0, &pool, &assertions)
    }

    /// The same with numbers for so many payloads less than there are, which is a fault that tests plant.
    fn without(missing: u128, pool: &Pool, assertions: &[Term]) -> Option<Self> {
        let Renumbered { terms, keys, shapes, members } =
            Renumbered::of(pool, assertions, missing)?;
        let mut rewriting = Rewriting {
            shapes: &shapes,
            members: &members,
            pool: pool.clone(),
            done: HashMap::new(),
            symbols: HashMap::new(),
            limits: BTreeSet::new(),
        };
        for term in terms {
            let new = rewriting.rewritten(term, keys.contains(&term))?;
            rewriting.done.insert(term, new);
        }
        let mut assertions: Vec<Term> = assertions.iter().map(|it| rewriting.done[it]).collect();
        let Rewriting { pool, symbols, limits, .. } = rewriting;
        assertions.extend(limits);
        let stands_for = symbols.into_iter().map(|((old, kind), new)| (new, (old, kind))).collect();
        Some(Self { pool, assertions, shapes, stands_for })
    }

    /// A state of this question as one of the question that it stands for.
    pub fn widened(&self, model: Model) -> Model {
        let wide = |symbol: Symbol, value: GroundValue| {
            let Some((old, kind)) = self.stands_for.get(&symbol) else { return (symbol, value) };
            let value = self.shapes.get(kind).map_or(0, |shape| shape.value(value.as_bits()));
            (*old, GroundValue::Bits(value))
        };
        let mut widened = Model::default();
        for (symbol, value) in model.variables {
            let (symbol, value) = wide(symbol, value);
            widened.variables.insert(symbol, value);
        }
        for ((symbol, lane), value) in model.applications {
            let (symbol, value) = wide(symbol, value);
            widened.choose(symbol, lane, value);
        }
        widened
    }
}

/// Which payloads of a question are renumbered, and how.
struct Renumbered {
    /// The terms that are looked at, operands before what uses them.
    terms: Vec<Term>,
    /// Of these keys only the number is looked at.
    keys: HashSet<Term>,
    shapes: BTreeMap<usize, Shape>,
    members: HashMap<Term, (usize, Role)>,
}

impl Renumbered {
    /// The payloads that need few values only, if there are any. Numbers for so many payloads are `missing`.
    fn of(pool: &Pool, assertions: &[Term], missing: u128) -> Option<Self> {
        let mut keys: HashSet<Term> = pool.reachable(assertions).into_iter().collect();
        keys.retain(|&term| kinds::key(pool, term).is_some());
        loop {
            let terms = ordered(pool, assertions, &keys);
            let (shapes, members) = Kinds::of(pool, &terms, &keys).shapes(missing);
            if shapes.is_empty() {
                return None;
            }
            // Of a number that keeps its bits, how its key is made of them is looked at.
            let before = keys.len();
            keys.retain(|it| members.get(it).is_some_and(|(kind, _)| shapes.contains_key(kind)));
            if keys.len() == before {
                return Some(Self { terms, keys, shapes, members });
            }
        }
    }
}

/// The terms that `roots` consist of, operands before what uses them. Of keys only the number is looked at.
fn ordered(pool: &Pool, roots: &[Term], keys: &HashSet<Term>) -> Vec<Term> {
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    let mut pending: Vec<Term> = roots.to_vec();
    while let Some(term) = pending.pop() {
        if seen.insert(term) {
            match kinds::key(pool, term).filter(|_| keys.contains(&term)) {
                Some((number, _)) => pending.push(number),
                None => pending.extend(Pool::operands(pool.node(term))),
            }
        }
    }
    seen.into_iter().collect()
}

#[cfg(test)]
mod tests;

struct Rewriting<'a> {
    shapes: &'a BTreeMap<usize, Shape>,
    members: &'a HashMap<Term, (usize, Role)>,
    pool: Pool,
    done: HashMap<Term, Term>,
    /// New symbols by the old ones and the kinds.
    symbols: HashMap<(Symbol, usize), Symbol>,
    /// Numbers stand for values.
    limits: BTreeSet<Term>,
}

impl Rewriting<'_> {
    /// How a term is numbered, and what it is of a payload.
    fn shape(&self, term: Term) -> Option<(&Shape, usize, Role)> {
        let &(kind, role) = self.members.get(&term)?;
        Some((self.shapes.get(&kind)?, kind, role))
    }

    fn rewritten(&mut self, term: Term, is_key: bool) -> Option<Term> {
        let node = self.pool.node(term).clone();
        if let Some((number, role)) = kinds::key(&self.pool, term).filter(|_| is_key) {
            let number = *self.done.get(&number)?;
            return Some(self.key(number, role));
        }
        if self.shape(term).is_some() {
            return self.payload(term, &node);
        }
        match node {
            Node::Equal(a, b) if self.are_payloads(a, b) => {
                let [a, b] = self.pair(a, b)?;
                Some(self.pool.equal(a, b))
            }
            Node::Compare(relation, a, b) if self.are_payloads(a, b) => {
                let form = self.shape(a).or(self.shape(b))?.0.form;
                let [a, b] = self.pair(a, b)?;
                Some(match (form, relation) {
                    (Form::Ordered { .. }, Compare::LessSigned) => self.pool.less(a, b),
                    (Form::Ordered { .. }, Compare::LessEqualSigned) => self.pool.less_equal(a, b),
                    _ => self.pool.compare(relation, a, b),
                })
            }
            Node::Bit(a, _) if self.shape(a).is_some() => self.sign(a),
            ref node => {
                let operands = Pool::operands(node);
                // Nothing else is done with payloads that are renumbered.
                if operands.iter().any(|&it| self.shape(it).is_some()) {
                    return None;
                }
                let done = &self.done;
                Some(self.pool.with_operands(term, |it| done.get(&it).copied().unwrap_or(it)))
            }
        }
    }

    fn are_payloads(&self, a: Term, b: Term) -> bool {
        self.shape(a).is_some() || self.shape(b).is_some()
    }

    /// Two payloads, one of which may be known, with few bits.
    fn pair(&mut self, a: Term, b: Term) -> Option<[Term; 2]> {
        let (shape, _, role) = self.shape(a).or(self.shape(b))?;
        let code = |it| self.pool.bits_of(it).map(|value| shape.code(value, role));
        let codes = [code(a), code(b)];
        let mut pair = [a, b];
        for (term, code) in pair.iter_mut().zip(codes) {
            *term = match code {
                Some(code) => {
                    let (code, width) = code?;
                    self.pool.bits(code, width)
                }
                None => *self.done.get(term)?,
            };
        }
        Some(pair)
    }

    /// Whether an integer is less than 0, or a floating-point number has a sign.
    fn sign(&mut self, payload: Term) -> Option<Term> {
        let shape = self.shape(payload)?.0;
        let (form, zero) = (shape.form, shape.code(0, Role::Whole));
        let payload = *self.done.get(&payload)?;
        if !matches!(form, Form::Ordered { .. }) {
            return Some(self.top(payload));
        }
        let (zero, bits) = zero?;
        let zero = self.pool.bits(zero, bits);
        Some(self.pool.less(payload, zero))
    }

    /// The first bit.
    fn top(&mut self, payload: Term) -> Term {
        let index = self.pool.bits(u128::from(self.pool.width(payload)) - 1, 32);
        self.pool.bit(payload, index)
    }

    /// A payload, or a part of one, with few bits.
    fn payload(&mut self, term: Term, node: &Node) -> Option<Term> {
        let (shape, kind, role) = self.shape(term)?;
        let bits = shape.bits;
        if let Some((sign, of)) =
            kinds::other_sign(&self.pool, term).filter(|_| shape.form == Form::Number)
        {
            let number = *self.done.get(&of)?;
            return Some(self.with_sign(number, sign));
        }
        match *node {
            Node::Variable(symbol) => {
                let symbol = self.symbol(symbol, kind, bits);
                let free = self.pool.variable(symbol);
                self.limit(free, kind);
                Some(free)
            }
            Node::Apply(symbol, lane) => {
                let symbol = self.symbol(symbol, kind, bits);
                let lane = *self.done.get(&lane)?;
                let free = self.pool.apply(symbol, lane);
                self.limit(free, kind);
                Some(free)
            }
            Node::Ite(condition, a, b) => {
                let [a, b] = match (self.pool.bits_of(a), self.pool.bits_of(b)) {
                    (Some(a), Some(b)) => {
                        let codes = [shape.code(a, role)?, shape.code(b, role)?];
                        codes.map(|(code, width)| self.pool.bits(code, width))
                    }
                    _ => self.pair(a, b)?,
                };
                let condition = *self.done.get(&condition)?;
                Some(self.pool.ite(condition, a, b))
            }
            Node::Extract(of, ..) => {
                let number = *self.done.get(&of)?;
                Some(self.pool.extract(number, bits - 2, 0))
            }
            Node::Linear(..) => {
                let integer = *self.done.get(&kinds::opposite(&self.pool, term)?)?;
                let zero = self.pool.bits(0, bits);
                Some(self.pool.binary(Binary::Sub, zero, integer))
            }
            Node::BitNot(of) => {
                let integer = *self.done.get(&of)?;
                Some(self.pool.bit_not(integer))
            }
            Node::Canonical(format, of) => {
                let (infinity, width) = shape.code(format.infinity(), Role::Magnitude)?;
                let canonical = shape.code(format.canonical_nan(), Role::Whole)?.0;
                let number = *self.done.get(&of)?;
                let size = self.pool.extract(number, width - 1, 0);
                let infinity = self.pool.bits(infinity, width);
                let is_nan = self.pool.less(infinity, size);
                let canonical = self.pool.bits(canonical, bits);
                Some(self.pool.ite(is_nan, canonical, number))
            }
            _ => None,
        }
    }

    fn symbol(&mut self, old: Symbol, kind: usize, bits: u32) -> Symbol {
        if let Some(&known) = self.symbols.get(&(old, kind)) {
            return known;
        }
        let name = self.pool.symbol_name(old).to_owned();
        let new = self.pool.symbol(name, Sort::Bits(bits));
        self.symbols.insert((old, kind), new);
        new
    }

    /// What is left of a free payload without its sign is one of the numbers that stand for values.
    fn limit(&mut self, free: Term, kind: usize) {
        let Some(shape) = self.shapes.get(&kind) else { return };
        let (form, last, bits) = (shape.form, shape.last(), shape.bits);
        let sign = self.top(free);
        let (size, least) = match form {
            Form::Ordered { .. } => (free, None),
            Form::Number => (self.pool.extract(free, bits - 2, 0), None),
            Form::Negated => {
                let zero = self.pool.bits(0, bits);
                let opposite = self.pool.binary(Binary::Sub, zero, free);
                (self.pool.ite(sign, opposite, free), Some(self.pool.bits(1 << (bits - 1), bits)))
            }
            Form::Inverted => {
                let inverted = self.pool.bit_not(free);
                (self.pool.ite(sign, inverted, free), None)
            }
        };
        let last = self.pool.bits(last, self.pool.width(size));
        let within = self.pool.less_equal(size, last);
        let limit = match least {
            Some(least) => {
                let is_least = self.pool.equal(free, least);
                self.pool.or(within, is_least)
            }
            None => within,
        };
        self.limits.insert(limit);
    }

    /// The signed integer by which a number of few bits is ordered.
    fn key(&mut self, number: Term, role: Role) -> Term {
        let width = self.pool.width(number);
        let sign = self.top(number);
        let magnitude = self.pool.extract(number, width - 2, 0);
        let positive = self.pool.zero_extend(magnitude, width);
        let negative = if role == Role::Key {
            let zero = self.pool.bits(0, width);
            self.pool.binary(Binary::Sub, zero, positive)
        } else {
            self.pool.bit_not(positive)
        };
        self.pool.ite(sign, negative, positive)
    }

    fn with_sign(&mut self, number: Term, sign: Sign) -> Term {
        let width = self.pool.width(number);
        let top = 1 << (width - 1);
        let (op, mask) = match sign {
            Sign::Inverted => (Binary::Xor, top),
            Sign::Cleared => (Binary::And, top - 1),
            Sign::Set => (Binary::Or, top),
        };
        let mask = self.pool.bits(mask, width);
        self.pool.binary(op, number, mask)
    }
}
