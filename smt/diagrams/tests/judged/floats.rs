//! Floating-point numbers of each kind: relations that say what a result is, orders, signs.

mod maps;
mod sums;
mod within;

use std::time::{Duration, Instant};

use laneproof_diagrams::{BrokenLaw, StepLimit, has_no_state_by};
use laneproof_semantics::term::{
    Binary, Compare, FloatFormat, FloatNote, GroundValue, Interpretation, Pool, Sort, Symbol, Term,
};

/// Numbers of this format, of which few are looked at.
const FORMAT: FloatFormat = FloatFormat::Half;
const WIDTH: u32 = FORMAT.width();
/// Zero, a subnormal number, infinity, a NaN; then the same with a sign.
const NUMBERS: [u128; 8] = [0, 1, 0x7c00, 0x7e00, 0x8000, 0x8001, 0xfc00, 0xfe01];
/// Bits of the place of a number among them.
const PLACE: u32 = 3;
const LANES: u32 = 2;
/// A bit and a number for each lane, a result and one number more.
const STATES: u32 = 1 << (LANES * (1 + PLACE) + 2 * PLACE);

struct State {
    member: Symbol,
    result: Symbol,
    bits: u32,
    numbers: [u128; 8],
    results: [u128; 8],
}

impl State {
    fn number(&self, place: u32, of: &[u128; 8]) -> GroundValue {
        let number = self.bits >> (LANES + PLACE * place) & ((1 << PLACE) - 1);
        GroundValue::Bits(of[number as usize])
    }
}

impl Interpretation for State {
    fn variable(&self, symbol: Symbol) -> GroundValue {
        self.number(LANES + u32::from(symbol != self.result), &self.results)
    }

    fn apply(&self, symbol: Symbol, lane: u32) -> GroundValue {
        match symbol == self.member {
            true => GroundValue::Bool(self.bits >> lane & 1 == 1),
            false => self.number(lane, &self.numbers),
        }
    }
}

/// Assertions about a result.
pub struct FloatCase {
    pool: Pool,
    member: Symbol,
    result: Symbol,
    assertions: Vec<Term>,
    /// Those that lanes hold.
    numbers: [u128; 8],
    /// Those that the result and the number beside it are.
    results: [u128; 8],
}

impl FloatCase {
    pub fn of(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        let assertions = builder.known();
        Self::about(builder, assertions)
    }

    /// The same of numbers that take part only where tests of them hold.
    pub fn behind_tests(bytes: &[u8]) -> Self {
        let mut builder = Builder::new(bytes);
        builder.tests = Some(builder.last(8));
        Self::about(builder, Vec::new())
    }

    fn about(mut builder: Builder<'_>, mut assertions: Vec<Term>) -> Self {
        let greatest = builder.next(2) == 0;
        let (relation, expected) = match builder.next(3) {
            0 => builder.chosen(greatest),
            _ => builder.one_of(greatest),
        };
        assertions.push(relation);
        let [result_term, _] = builder.terms;
        let lanes = [builder.takes_part(0), builder.takes_part(1)];
        let mut compared = result_term;
        if builder.next(6) == 0 {
            // The bits beyond all numbers, where there is no number.
            let beyond = (FORMAT.sign() - 1) | if greatest { FORMAT.sign() } else { 0 };
            let beyond = builder.pool.bits(beyond, WIDTH);
            let any = builder.pool.any(lanes);
            compared = builder.pool.ite(any, compared, beyond);
        }
        let mut differ = builder.pool.equal(compared, expected);
        if builder.next(4) != 0 {
            differ = builder.pool.not(differ);
        }
        let guard = match builder.next(4) {
            0 => builder.pool.bool(true),
            1 => {
                let any = builder.pool.any(lanes);
                builder.pool.not(any)
            }
            2 => builder.pool.all(lanes),
            _ => lanes[0],
        };
        differ = builder.pool.and(guard, differ);
        assertions.push(differ);
        builder.case(assertions, NUMBERS, NUMBERS)
    }

    /// The greater of a number and zero, twice: where both are zeros, each may be the other one.
    pub fn beside_zero() -> Self {
        Self::twice_beside_zero(|builder, value| {
            let here = builder.takes_part(0);
            let is_zero = builder.is_zero(value);
            let both = builder.pool.and(here, is_zero);
            builder.pool.not(both)
        })
    }

    /// The same of a number that is not below zero.
    pub fn not_below_zero() -> Self {
        Self::twice_beside_zero(|builder, value| {
            let zero = builder.pool.bits(0, WIDTH);
            let below = builder.less(value, zero);
            builder.pool.not(below)
        })
    }

    fn twice_beside_zero(known: impl Fn(&mut Builder<'_>, Term) -> Term) -> Self {
        let mut builder = Builder::new(&[]);
        let [first, second] = builder.terms;
        let value = builder.held(0);
        let nan = builder.pool.is_nan(value, FORMAT);
        let number = builder.pool.not(nan);
        let known = known(&mut builder, value);
        let zero = builder.pool.bits(0, WIDTH);
        let (of_first, _) = builder.chosen_of(true, value, zero);
        builder.terms = [second, first];
        let (of_second, _) = builder.chosen_of(true, value, zero);
        let same = builder.pool.equal(first, second);
        let differ = builder.pool.not(same);
        let assertions = vec![number, known, of_first, of_second, differ];
        builder.case(assertions, NUMBERS, NUMBERS)
    }

    pub fn is_refused(&self, fault: Option<BrokenLaw>) -> bool {
        let limit =
            StepLimit { steps: 1 << 22, deadline: Instant::now() + Duration::from_secs(60) };
        has_no_state_by(&self.pool, &self.assertions, limit, fault).unwrap_or(false)
    }

    /// It shows that a law does not hold: by that law it is a contradiction, and it is none.
    pub fn shows(&self, fault: BrokenLaw) -> bool {
        !self.is_refused(None) && self.is_refused(Some(fault)) && self.has_state()
    }

    pub fn has_state(&self) -> bool {
        let order = self.pool.reachable(&self.assertions);
        (0..STATES).any(|bits| {
            let state = State {
                member: self.member,
                result: self.result,
                bits,
                numbers: self.numbers,
                results: self.results,
            };
            let values = self.pool.evaluate_in(&order, &self.assertions, &state);
            values.iter().all(|it| it.is_true())
        })
    }
}

struct Builder<'b> {
    pool: Pool,
    member: Symbol,
    payload: Symbol,
    result: Symbol,
    /// The result and one number more.
    terms: [Term; 2],
    /// By which tests lanes take part, if by any.
    tests: Option<u8>,
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Builder<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        let mut pool = Pool::new();
        let member = pool.symbol("member", Sort::Bool);
        let payload = pool.symbol("payload", Sort::Bits(WIDTH));
        let result = pool.symbol("result", Sort::Bits(WIDTH));
        let other = pool.symbol("other", Sort::Bits(WIDTH));
        let terms = [pool.variable(result), pool.variable(other)];
        Self { pool, member, payload, result, terms, tests: None, bytes: bytes.iter() }
    }

    /// A case of these assertions, with what lanes hold and what the result may be.
    fn case(self, assertions: Vec<Term>, numbers: [u128; 8], results: [u128; 8]) -> FloatCase {
        let Self { pool, member, result, .. } = self;
        FloatCase { pool, member, result, assertions, numbers, results }
    }

    /// Mostly some of the lanes take part.
    fn guard(&mut self, lanes: [Term; 2]) -> Term {
        match self.next(4) {
            0 => self.pool.all(lanes),
            1 => self.pool.bool(true),
            _ => self.pool.any(lanes),
        }
    }

    /// A case that mostly asserts the opposite of this, where mostly some of the lanes take part.
    fn mostly_not(
        mut self,
        mut assertions: Vec<Term>,
        mut asserted: Term,
        numbers: [u128; 8],
    ) -> FloatCase {
        if self.next(8) != 0 {
            asserted = self.pool.not(asserted);
        }
        let lanes = [self.takes_part(0), self.takes_part(1)];
        let guard = self.guard(lanes);
        assertions.extend([guard, asserted]);
        self.case(assertions, numbers, numbers)
    }

    fn next(&mut self, choices: u8) -> u8 {
        self.bytes.next().copied().unwrap_or(0) % choices
    }

    /// A choice by the last byte: what is chosen by the others stays.
    fn last(&mut self, choices: u8) -> u8 {
        self.bytes.next_back().copied().unwrap_or(0) % choices
    }

    fn takes_part(&mut self, lane: u32) -> Term {
        let place = self.pool.bits(u128::from(lane), 32);
        let member = self.pool.apply(self.member, place);
        let Some(tests) = self.tests else { return member };
        let value = self.held(lane);
        let nan = self.pool.is_nan(value, FORMAT);
        let number = self.pool.not(nan);
        let nothing = self.pool.bits(0, WIDTH);
        let (above, zero) = (self.less(nothing, value), self.is_zero(value));
        let nonzero = self.pool.not(zero);
        let tested = match tests {
            0 => vec![number],
            1 => vec![nonzero],
            2 => vec![above],
            3 | 4 => vec![number, above],
            _ => vec![number, nonzero],
        };
        self.pool.all(tested.into_iter().chain([member]))
    }

    fn held(&mut self, lane: u32) -> Term {
        let lane = self.pool.bits(u128::from(lane), 32);
        self.pool.apply(self.payload, lane)
    }

    fn negated(&mut self, a: Term) -> Term {
        let sign = self.pool.bits(FORMAT.sign(), WIDTH);
        let flipped = self.pool.binary(Binary::Xor, a, sign);
        let [_, other] = self.terms;
        match self.next(3) {
            0 => self.pool.with_payload(FORMAT, flipped, other),
            _ => flipped,
        }
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        self.less_in(FORMAT, a, b)
    }

    fn is_zero(&mut self, a: Term) -> Term {
        let magnitude = self.pool.extract(a, WIDTH - 2, 0);
        let zero = self.pool.bits(0, WIDTH - 1);
        let test = self.pool.equal(magnitude, zero);
        self.pool.note_float(test, FloatNote::Zero(a));
        test
    }

    /// What is known of the numbers, mostly of those that take part.
    fn known(&mut self) -> Vec<Term> {
        let [_, other] = self.terms;
        let mut all = Vec::new();
        let holds = self.next(4);
        for place in 0..=LANES {
            let (value, here) = match place == LANES {
                true => (other, self.pool.bool(true)),
                false => (self.held(place), self.takes_part(place)),
            };
            let (nan, zero) = (self.pool.is_nan(value, FORMAT), self.is_zero(value));
            let mut facts = vec![nan, zero];
            if holds == 0 && self.next(2) == 0 {
                facts.remove(usize::from(self.next(2)));
            }
            if holds == 1 {
                let nothing = self.pool.bits(0, WIDTH);
                let above = self.less(nothing, value);
                facts = vec![self.pool.not(above)];
            }
            let absent = self.pool.not(here);
            for fact in facts {
                let fails = self.pool.not(fact);
                let everywhere = self.next(3) == 0;
                all.push(if everywhere { fails } else { self.pool.or(absent, fails) });
            }
        }
        all
    }

    /// The result is one of what lanes hold that no other outdoes, with a mistake now and then; and
    /// the same step by step.
    fn one_of(&mut self, greatest: bool) -> (Term, Term) {
        let [result, other] = self.terms;
        let negated = self.next(2) == 0;
        let mistake = self.next(12);
        let integers = self.last(8);
        let nan = self.pool.is_nan(result, FORMAT);
        let (mut members, mut list) = (Vec::new(), vec![self.pool.not(nan)]);
        let weakest = FORMAT.infinity() | if greatest { FORMAT.sign() } else { 0 };
        let (infinite, masks) = (self.next(2) == 0, self.next(2) == 0);
        let mut expected = self.pool.bits(weakest, WIDTH);
        let mut any = self.pool.bool(false);
        for lane in 0..LANES {
            let (mut value, here) = (self.held(lane), self.takes_part(lane));
            if negated {
                value = self.negated(value);
            }
            let same = self.pool.equal(result, value);
            members.push(self.pool.and(here, same));
            let limited = if mistake == 0 { other } else { value };
            let outdoes = match greatest == (mistake != 1) {
                true => self.less(result, limited),
                false => self.less(limited, result),
            };
            let fits = self.pool.not(outdoes);
            let absent = self.pool.not(here);
            let by = if mistake == 2 { self.takes_part(0) } else { absent };
            if mistake != 3 || lane == 0 {
                list.push(self.pool.or(by, fits));
            }
            // By its negation it is the opposite one.
            let step = if negated { self.held(lane) } else { value };
            let masked = masks && infinite;
            let weak = if negated { weakest ^ FORMAT.sign() } else { weakest };
            let weak = masked.then(|| self.pool.bits(weak, WIDTH));
            let a = weak.map_or(step, |weak| self.pool.ite(here, step, weak));
            let b = expected;
            let (x, y) = if (greatest != negated) == (mistake != 4) { (b, a) } else { (a, b) };
            let first = match mistake {
                // As integers are ordered.
                _ if integers == 0 => self.pool.compare(Compare::Less, x, y),
                _ if integers == 1 => self.pool.compare(Compare::LessSigned, x, y),
                5 => {
                    let (x, y) = (self.key_in(FORMAT, x), self.key_in(FORMAT, y));
                    self.pool.compare(Compare::LessSigned, x, y)
                }
                _ => self.less(x, y),
            };
            let chooses = if masked { first } else { self.pool.and(here, first) };
            let next = self.pool.ite(chooses, a, b);
            expected = match infinite {
                true => next,
                false => {
                    let first_one = self.pool.not(any);
                    let first_one = self.pool.and(here, first_one);
                    let later = self.pool.and(any, chooses);
                    let chosen = self.pool.ite(later, a, b);
                    self.pool.ite(first_one, step, chosen)
                }
            };
            if negated && lane == 0 && infinite {
                // The opposite infinity would be the weakest.
                let sign = self.pool.bits(FORMAT.sign(), WIDTH);
                let weakest = self.pool.bits(weakest, WIDTH);
                let start = self.pool.binary(Binary::Xor, weakest, sign);
                expected = self.pool.ite(here, step, start);
            }
            any = self.pool.or(any, here);
        }
        list.push(self.pool.any(members));
        let relation = self.pool.all(list);
        let (none, identity) = (self.pool.not(any), self.pool.bits(weakest, WIDTH));
        let identity = self.pool.equal(result, identity);
        let relation = match self.next(3) {
            0 => relation,
            1 => self.pool.ite(none, identity, relation),
            _ => self.pool.or(none, relation),
        };
        let expected = if negated { self.negated(expected) } else { expected };
        (relation, expected)
    }

    /// The result is the lesser or the greater of two, with a mistake now and then; and the same by
    /// one choice.
    fn chosen(&mut self, greatest: bool) -> (Term, Term) {
        let [_, other] = self.terms;
        let (a, mut b) = (self.held(0), other);
        if self.next(2) == 0 {
            b = self.held(1);
        }
        let (relation, chosen) = self.chosen_of(greatest, a, b);
        let (x, y) = if greatest { (a, b) } else { (b, a) };
        let mistaken = self.next(8) == 0;
        let expected = match self.next(3) {
            0 => chosen,
            1 => {
                let last = self.less(y, x);
                self.pool.ite(last, a, b)
            }
            _ => {
                let (minus_a, minus_b) = (self.negated(a), self.negated(b));
                let (x, y) =
                    if greatest == mistaken { (minus_a, minus_b) } else { (minus_b, minus_a) };
                let first = self.less(x, y);
                let chosen = self.pool.ite(first, minus_b, minus_a);
                self.negated(chosen)
            }
        };
        (relation, expected)
    }

    /// The result is the lesser or the greater of these two, of equal ones and beside a NaN either;
    /// and the one that is chosen elsewhere.
    fn chosen_of(&mut self, greatest: bool, a: Term, b: Term) -> (Term, Term) {
        let [result, _] = self.terms;
        let same = |builder: &mut Self, it| builder.pool.same_number(result, it, FORMAT);
        let (nan_a, nan_b) = (self.pool.is_nan(a, FORMAT), self.pool.is_nan(b, FORMAT));
        let (zero_a, zero_b) = (self.is_zero(a), self.is_zero(b));
        let zeros = self.pool.and(zero_a, zero_b);
        let equal = self.pool.equal(a, b);
        let short = !self.bytes.as_slice().is_empty() && self.next(8) == 0;
        let open = if short { nan_a } else { self.pool.any([nan_a, nan_b, equal, zeros]) };
        let (one, two) = (same(self, a), same(self, b));
        let either = self.pool.or(one, two);
        let (x, y) = if greatest { (a, b) } else { (b, a) };
        let first = self.less(x, y);
        let chosen = self.pool.ite(first, b, a);
        let only = same(self, chosen);
        (self.pool.ite(open, either, only), chosen)
    }
}
