//! Terms to Z3, and models back.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use laneproof_semantics::term::{FloatFormat, GroundValue, Node, Pool, Sort, Symbol, Term};
use z3::ast::{Ast, BV, Bool};

use crate::answer::Model;
use crate::bits::{canonical, constant, is_nan};
use crate::float::Floats;
use crate::functions::Functions;
use crate::valuation::Valuation;
use crate::vectors::{binary, less, scanned};

/// Bits of a tag: 16 for the input leaf, 32 for the lane.
const TAG_WIDTH: u32 = 48;

/// The number of terms that are translated between two looks at the clock: one may become hundreds of
/// Z3's.
const AT_A_TIME: usize = 32;
/// The most pairs of arguments for which congruence is asserted. More fill the memory and are never
/// decided in time.
const MOST_PAIRS: usize = 400_000;

/// Why a problem is not given to Z3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLong {
    /// The time limit was reached while it was translated.
    Late,
    /// Functions are applied at too many lanes.
    Pairs,
}

#[derive(Clone)]
enum Expression {
    Bool(Bool),
    Bits(BV),
}

/// The Z3 terms of the terms of a pool, as far as they are needed.
pub struct Translation<'p> {
    pool: &'p Pool,
    known: HashMap<Term, Expression>,
    /// Function, lane and value of each application.
    applied: Vec<(Symbol, Term, Term)>,
    /// Implementation-defined results, and the operands that they are functions of.
    implemented: Vec<Term>,
    floats: Floats,
    /// The floating-point operations, if they are functions.
    functions: Option<Functions>,
    /// The values that replace symbols.
    valuation: Option<&'p Valuation>,
}

impl<'p> Translation<'p> {
    pub fn new(pool: &'p Pool) -> Self {
        let (known, applied, implemented) = (HashMap::new(), Vec::new(), Vec::new());
        let (floats, functions) = (Floats::default(), None);
        Self { pool, known, applied, implemented, floats, functions, valuation: None }
    }

    /// A weaker translation: floating-point operations are functions.
    pub fn with_functions(pool: &'p Pool) -> Self {
        Self { functions: Some(Functions::default()), ..Self::new(pool) }
    }

    /// A translation in which symbols have a state's values.
    pub fn in_state(pool: &'p Pool, valuation: &'p Valuation) -> Self {
        Self { floats: Floats::of_known(), valuation: Some(valuation), ..Self::new(pool) }
    }

    /// The assertions that tie Z3's numbers to their bits; nothing more is translated.
    pub fn take_floats(&mut self) -> Floats {
        std::mem::take(&mut self.floats)
    }

    /// The facts about operations that are functions, likewise.
    pub fn take_functions(&mut self) -> Option<Functions> {
        self.functions.take()
    }

    /// Translates everything below `roots`.
    pub fn build(&mut self, roots: &[Term], until: Instant) -> Result<(), TooLong> {
        for (number, term) in self.pool.reachable(roots).into_iter().enumerate() {
            if number % AT_A_TIME == 0 && Instant::now() >= until {
                return Err(TooLong::Late);
            }
            let expression = self.expression(term);
            self.known.insert(term, expression);
        }
        Ok(())
    }

    pub fn bool(&self, term: Term) -> Bool {
        match self.known.get(&term) {
            Some(Expression::Bool(expression)) => expression.clone(),
            Some(Expression::Bits(bits)) => bits.eq(BV::from_u64(1, bits.get_size())),
            None => unreachable!("the term {} was not translated", term.number()),
        }
    }

    fn vector(&self, term: Term) -> BV {
        match self.known.get(&term) {
            Some(Expression::Bits(expression)) => expression.clone(),
            Some(Expression::Bool(condition)) => {
                condition.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))
            }
            None => unreachable!("the term {} was not translated", term.number()),
        }
    }

    fn free(&self, name: String, sort: Sort) -> Expression {
        match sort {
            Sort::Bool => Expression::Bool(Bool::new_const(name)),
            Sort::Bits(width) => Expression::Bits(BV::new_const(name, width)),
            Sort::Tag => Expression::Bits(BV::new_const(name, TAG_WIDTH)),
        }
    }

    /// The lane that a term is in the valuation's state.
    fn place(&self, lane: Term) -> Option<u32> {
        let known = self.pool.bits_of(lane).map(|lane| lane as u64);
        let lane = known.or_else(|| self.vector(lane).simplify().as_u64())?;
        u32::try_from(lane).ok()
    }

    fn value(&self, term: Term, value: GroundValue) -> Expression {
        match self.pool.sort(term) {
            Sort::Bool => Expression::Bool(Bool::from_bool(value.is_true())),
            Sort::Bits(width) => Expression::Bits(constant(value.as_bits(), width)),
            Sort::Tag => Expression::Bits(constant(value.as_bits(), TAG_WIDTH)),
        }
    }

    fn variable(&mut self, term: Term, symbol: Symbol) -> Expression {
        if let Some(value) = self.valuation.and_then(|valuation| valuation.variable(symbol)) {
            return self.value(term, value);
        }
        // Names repeat; terms do not.
        let name = format!("{}!{}", self.pool.symbol_name(symbol), term.number());
        self.free(name, self.pool.sort(term))
    }

    fn apply(&mut self, term: Term, symbol: Symbol, lane: Term) -> Expression {
        if let Some(value) = self.valuation.and_then(|it| it.apply(symbol, self.place(lane)?)) {
            return self.value(term, value);
        }
        self.applied.push((symbol, lane, term));
        let name = format!("{}@{}", self.pool.symbol_name(symbol), term.number());
        self.free(name, self.pool.sort(term))
    }

    fn expression(&mut self, term: Term) -> Expression {
        let pool = self.pool;
        let width = pool.width(term);
        let bits = match pool.node(term) {
            Node::Bool(value) => return Expression::Bool(Bool::from_bool(*value)),
            Node::Bits(value, width) => constant(*value, *width),
            Node::Variable(symbol) => return self.variable(term, *symbol),
            Node::Apply(symbol, lane) => return self.apply(term, *symbol, *lane),
            Node::Tag(source, lane) => {
                BV::from_u64(u64::from(*source), TAG_WIDTH - 32).concat(self.vector(*lane))
            }
            Node::Not(a) => return Expression::Bool(self.bool(*a).not()),
            Node::And(list) => {
                let list: Vec<Bool> = list.iter().map(|&a| self.bool(a)).collect();
                return Expression::Bool(Bool::and(&list));
            }
            Node::Or(list) => {
                let list: Vec<Bool> = list.iter().map(|&a| self.bool(a)).collect();
                return Expression::Bool(Bool::or(&list));
            }
            Node::Ite(c, a, b) => {
                let c = self.bool(*c);
                match pool.sort(term) {
                    Sort::Bool => {
                        return Expression::Bool(c.ite(&self.bool(*a), &self.bool(*b)));
                    }
                    _ => c.ite(&self.vector(*a), &self.vector(*b)),
                }
            }
            Node::Equal(a, b) => {
                return Expression::Bool(match pool.sort(*a) {
                    Sort::Bool => self.bool(*a).iff(self.bool(*b)),
                    _ => self.vector(*a).eq(self.vector(*b)),
                });
            }
            Node::Compare(relation, a, b) => {
                let less = less(*relation, &self.vector(*a), &self.vector(*b));
                return Expression::Bool(less);
            }
            Node::Bit(a, index) => return Expression::Bool(self.bit(*a, *index)),
            Node::Binary(op, a, b) => binary(*op, &self.vector(*a), &self.vector(*b)),
            Node::Linear(parts, sum) => self.linear(parts, *sum, width),
            Node::BitNot(a) => self.vector(*a).bvnot(),
            Node::Extract(a, high, low) => self.vector(*a).extract(*high, *low),
            Node::ZeroExtend(a, wide) => self.vector(*a).zero_ext(wide - pool.width(*a)),
            Node::SignExtend(a, wide) => self.vector(*a).sign_ext(wide - pool.width(*a)),
            Node::FromBits(list) => self.side_by_side(list),
            Node::Concat(high, low) => self.vector(*high).concat(self.vector(*low)),
            Node::Scan(scan, a) => scanned(*scan, &self.vector(*a)),
            Node::Float(..) => self.float(term),
            Node::AnyOrder(..) => {
                // Only congruence is asserted of it: anything stronger would be too much for the
                // solver.
                return self.free(format!("any-order!{}", term.number()), Sort::Bool);
            }
            Node::Implementation(..) => {
                self.implemented.push(term);
                BV::new_const(format!("implementation!{}", term.number()), width)
            }
            Node::Canonical(format, number) => canonical(*format, &self.vector(*number)),
            Node::Payload(format, number, payload) => {
                self.with_payload(*format, &self.vector(*number), &self.vector(*payload))
            }
        };
        assert!(width == 0 || bits.get_size() == width);
        Expression::Bits(bits)
    }

    /// A floating-point operation: interpreted, or as a function that is only partly interpreted.
    fn float(&mut self, term: Term) -> BV {
        let mut functions = self.functions.take();
        let mut floats = std::mem::take(&mut self.floats);
        let vector = |operand| self.vector(operand);
        let bits = match &mut functions {
            Some(functions) => functions.operation(self.pool, term, vector),
            None => floats.operation(self.pool, term, vector),
        };
        (self.floats, self.functions) = (floats, functions);
        bits.unwrap_or_else(|| unreachable!("no operation of floating point: {}", term.number()))
    }

    /// Bits side by side, lowest first: constants and neighbours of one vector as one piece.
    fn side_by_side(&self, list: &[Term]) -> BV {
        let mut pieces: Vec<BV> = Vec::new();
        let mut rest = list;
        while let Some(&first) = rest.first() {
            let (piece, length) = match *self.pool.node(first) {
                Node::Bool(_) => {
                    let known: Vec<bool> =
                        rest.iter().map_while(|&bit| self.pool.bool_of(bit)).take(64).collect();
                    let value = known
                        .iter()
                        .enumerate()
                        .fold(0, |sum, (place, &bit)| sum | u64::from(bit) << place);
                    (BV::from_u64(value, known.len() as u32), known.len())
                }
                Node::Bit(vector, index) if let Some(low) = self.pool.bits_of(index) => {
                    let low = low as u32;
                    let length = rest
                        .iter()
                        .zip(low..)
                        .take_while(|(bit, place)| {
                            matches!(*self.pool.node(**bit), Node::Bit(same, index)
                                if same == vector
                                    && self.pool.bits_of(index) == Some(u128::from(*place)))
                        })
                        .count();
                    (self.vector(vector).extract(low + length as u32 - 1, low), length)
                }
                _ => {
                    let (one, zero) = (BV::from_u64(1, 1), BV::from_u64(0, 1));
                    (self.bool(first).ite(&one, &zero), 1)
                }
            };
            pieces.push(piece);
            rest = &rest[length..];
        }
        let mut pieces = pieces.into_iter();
        let first = pieces.next().unwrap_or_else(|| unreachable!("a vector has bits"));
        pieces.fold(first, |low, high| high.concat(low))
    }

    /// Positive parts first, then what is subtracted, the constant last.
    fn linear(&self, parts: &[(Term, u128)], sum: u128, width: u32) -> BV {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let negative = |factor: u128| factor >> (width - 1) & 1 == 1;
        let times = |part: Term, factor: u128| match factor {
            1 => self.vector(part),
            _ => constant(factor, width).bvmul(self.vector(part)),
        };
        let mut total: Option<BV> = None;
        for &(part, factor) in parts.iter().filter(|(_, factor)| !negative(*factor)) {
            let part = times(part, factor);
            total = Some(total.map_or_else(|| part.clone(), |total| total.bvadd(&part)));
        }
        for &(part, factor) in parts.iter().filter(|(_, factor)| negative(*factor)) {
            let part = times(part, factor.wrapping_neg() & mask);
            total = Some(match total {
                Some(total) => total.bvsub(&part),
                None => part.bvneg(),
            });
        }
        match (total, sum) {
            (Some(total), 0) => total,
            (Some(total), sum) if negative(sum) => {
                total.bvsub(constant(sum.wrapping_neg() & mask, width))
            }
            (Some(total), sum) => total.bvadd(constant(sum, width)),
            (None, sum) => constant(sum, width),
        }
    }

    fn bit(&self, vector: Term, index: Term) -> Bool {
        let width = self.pool.width(vector);
        let vector = self.vector(vector);
        if let Some(position) = self.pool.bits_of(index) {
            let position = position as u32;
            return vector.extract(position, position).eq(BV::from_u64(1, 1));
        }
        let index = self.vector(index);
        let shifted = if width >= 32 {
            vector.bvlshr(index.zero_ext(width - 32))
        } else {
            vector.zero_ext(32 - width).bvlshr(index)
        };
        shifted.extract(0, 0).eq(BV::from_u64(1, 1))
    }

    /// A number; if it is a NaN, the NaN with the bits of `payload`.
    fn with_payload(&self, format: FloatFormat, number: &BV, payload: &BV) -> BV {
        let infinity = constant(format.infinity(), format.width());
        let quiet = constant(format.canonical_nan(), format.width());
        let nan = payload.bvor(&infinity);
        let nan = is_nan(format, &nan).ite(&nan, &nan.bvor(&quiet));
        is_nan(format, number).ite(&nan, number)
    }

    /// An implementation gives the same for the same operands.
    fn same_implementation(&self, all: &mut Vec<Bool>, until: Instant) -> Result<(), TooLong> {
        for (position, &one) in self.implemented.iter().enumerate() {
            if Instant::now() >= until {
                return Err(TooLong::Late);
            }
            let Node::Implementation(operation, width, operands) = self.pool.node(one) else {
                continue;
            };
            for &other in &self.implemented[position + 1..] {
                if all.len() > MOST_PAIRS {
                    return Err(TooLong::Pairs);
                }
                let alike = match self.pool.node(other) {
                    Node::Implementation(also, size, list)
                        if (also, size) == (operation, width) && list.len() == operands.len() =>
                    {
                        operands.iter().zip(list)
                    }
                    _ => continue,
                };
                let alike: Vec<Bool> =
                    alike.map(|(&a, &b)| self.vector(a).eq(self.vector(b))).collect();
                all.push(Bool::and(&alike).implies(self.vector(one).eq(self.vector(other))));
            }
        }
        Ok(())
    }

    /// A function gives equal values at equal lanes.
    pub fn congruence(&self, until: Instant) -> Result<Vec<Bool>, TooLong> {
        let mut all = Vec::new();
        self.same_implementation(&mut all, until)?;
        let mut places: BTreeMap<Symbol, Vec<(Term, Term)>> = BTreeMap::new();
        for &(symbol, lane, value) in &self.applied {
            places.entry(symbol).or_default().push((lane, value));
        }
        for places in places.values() {
            for (position, &(lane, value)) in places.iter().enumerate() {
                if Instant::now() >= until {
                    return Err(TooLong::Late);
                }
                if all.len() > MOST_PAIRS {
                    return Err(TooLong::Pairs);
                }
                for &(there, value_there) in &places[position + 1..] {
                    if self.pool.bits_of(lane).is_some() && self.pool.bits_of(there).is_some() {
                        continue;
                    }
                    let same_lane = self.vector(lane).eq(self.vector(there));
                    let same_value = match self.pool.sort(value) {
                        Sort::Bool => self.bool(value).iff(self.bool(value_there)),
                        _ => self.vector(value).eq(self.vector(value_there)),
                    };
                    all.push(same_lane.implies(same_value));
                }
            }
        }
        Ok(all)
    }

    /// Values for everything free.
    pub fn read(&self, model: &z3::Model) -> Model {
        let mut read = Model::default();
        for (&term, expression) in &self.known {
            if let Node::Variable(symbol) = *self.pool.node(term) {
                read.variables.insert(symbol, value(model, expression));
            }
        }
        for (symbol, lane, term) in &self.applied {
            let (Some(lane), Some(expression)) = (self.known.get(lane), self.known.get(term))
            else {
                continue;
            };
            let lane = value(model, lane).as_bits() as u32;
            read.applications.insert((*symbol, lane), value(model, expression));
        }
        read
    }
}

fn value(model: &z3::Model, expression: &Expression) -> GroundValue {
    match expression {
        Expression::Bool(term) => {
            GroundValue::Bool(model.eval(term, true).and_then(|it| it.as_bool()).unwrap_or(false))
        }
        Expression::Bits(term) => {
            let mut bits = 0u128;
            let width = term.get_size();
            for low in (0..width).step_by(64) {
                let high = (low + 63).min(width - 1);
                let part = model.eval(&term.extract(high, low), true);
                let part = part.and_then(|part| part.as_u64()).unwrap_or(0);
                bits |= u128::from(part) << low;
            }
            GroundValue::Bits(bits)
        }
    }
}
