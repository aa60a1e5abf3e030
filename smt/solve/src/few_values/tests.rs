//! The question about few bits has a state exactly where the one that it stands for has, and that state is
//! one of the other.

use std::cell::Cell;
use std::time::Duration;

use laneproof_semantics::term::{Binary, Compare, FloatFormat, FloatNote, Pool, Sort, Term};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};

use super::*;
use crate::answer::SolverAnswer;
use crate::solver::in_full;

const WIDTH: u32 = 16;
const LONG: Duration = Duration::from_secs(600);

/// What is done with payloads besides choices and equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Equal,
    Unsigned,
    Signed,
    BothOrders,
    Negated,
    Complemented,
    Number,
}

const STYLES: [Style; 7] = [
    Style::Equal,
    Style::Unsigned,
    Style::Signed,
    Style::BothOrders,
    Style::Negated,
    Style::Complemented,
    Style::Number,
];

/// A question that a list of numbers spells out.
struct Question<'n> {
    pool: Pool,
    style: Style,
    numbers: std::slice::Iter<'n, u8>,
    payloads: Vec<Term>,
    conditions: Vec<Term>,
}

impl Question<'_> {
    fn next(&mut self, below: usize) -> usize {
        usize::from(self.numbers.next().copied().unwrap_or(0)) % below
    }

    fn payload(&mut self) -> Term {
        let place = self.next(self.payloads.len());
        self.payloads[place]
    }

    /// Extremes, zero with either sign, numbers beside them, and infinity.
    fn known(&mut self) -> Term {
        let infinity = FloatFormat::Half.infinity();
        let all = [0, 1, 5, 6, 0x7fff, 0x8000, 0x8001, 0xffff, infinity, infinity | 0x8000];
        let value = all[self.next(all.len())];
        self.pool.bits(value, WIDTH)
    }

    fn condition(&mut self) -> Term {
        let place = self.next(self.conditions.len());
        self.conditions[place]
    }

    /// The integer by which half-precision numbers are ordered.
    fn key(&mut self, number: Term) -> Term {
        let magnitude = self.pool.extract(number, WIDTH - 2, 0);
        let positive = self.pool.zero_extend(magnitude, WIDTH);
        let zero = self.pool.bits(0, WIDTH);
        let negative = self.pool.binary(Binary::Sub, zero, positive);
        let index = self.pool.bits(u128::from(WIDTH - 1), 32);
        let sign = self.pool.bit(number, index);
        let key = self.pool.ite(sign, negative, positive);
        self.pool.note_float(key, FloatNote::Key(number));
        key
    }

    fn compared(&mut self, a: Term, b: Term) -> Term {
        let signed = [Compare::LessSigned, Compare::LessEqualSigned];
        let unsigned = [Compare::Less, Compare::LessEqual];
        let which = self.next(2);
        let relation = match self.style {
            Style::Equal => return self.pool.equal(a, b),
            Style::Unsigned | Style::Complemented => unsigned[which],
            Style::Signed | Style::Negated => signed[which],
            Style::BothOrders => [signed, unsigned][self.next(2)][which],
            Style::Number => {
                let (a, b) = (self.key(a), self.key(b));
                return self.pool.compare(signed[which], a, b);
            }
        };
        self.pool.compare(relation, a, b)
    }

    fn changed(&mut self, a: Term) -> Term {
        match self.style {
            Style::Negated => {
                let zero = self.pool.bits(0, WIDTH);
                self.pool.binary(Binary::Sub, zero, a)
            }
            Style::Complemented => self.pool.bit_not(a),
            Style::Number => {
                let (op, mask) =
                    [(Binary::Xor, 0x8000), (Binary::And, 0x7fff), (Binary::Or, 0x8000)]
                        [self.next(3)];
                let mask = self.pool.bits(mask, WIDTH);
                self.pool.binary(op, a, mask)
            }
            Style::Equal | Style::Unsigned | Style::Signed | Style::BothOrders => a,
        }
    }

    fn grow(&mut self) {
        match self.next(8) {
            0 => {
                let (condition, a, b) = (self.condition(), self.payload(), self.payload());
                let chosen = self.pool.ite(condition, a, b);
                self.payloads.push(chosen);
            }
            1 => {
                let a = self.payload();
                let changed = self.changed(a);
                self.payloads.push(changed);
            }
            2 => {
                let (a, known) = (self.payload(), self.known());
                let condition = self.compared(a, known);
                self.conditions.push(condition);
            }
            3 => {
                let (a, known) = (self.payload(), self.known());
                let equal = self.pool.equal(a, known);
                self.conditions.push(equal);
            }
            4 => {
                let (a, b) = (self.payload(), self.payload());
                let equal = self.pool.equal(a, b);
                self.conditions.push(equal);
            }
            5 => {
                let (a, b) = (self.condition(), self.condition());
                let b = self.pool.not(b);
                let both = self.pool.and(a, b);
                self.conditions.push(both);
            }
            6 if self.style == Style::Number && self.next(2) == 0 => {
                let a = self.payload();
                let canonical = self.pool.canonical(a, FloatFormat::Half);
                self.payloads.push(canonical);
            }
            6 if matches!(self.style, Style::Signed | Style::Negated | Style::Number) => {
                let a = self.payload();
                let index = self.pool.bits(u128::from(WIDTH - 1), 32);
                let sign = self.pool.bit(a, index);
                self.conditions.push(sign);
            }
            _ => {
                let (a, b) = (self.payload(), self.payload());
                let condition = self.compared(a, b);
                self.conditions.push(condition);
            }
        }
    }
}

/// Three lanes' payloads, one at a lane that is not known and one of no lane; a conjunction of conditions.
fn question(style: Style, numbers: &[u8]) -> (Pool, Vec<Term>) {
    let mut pool = Pool::new();
    let function = pool.symbol("f", Sort::Bits(WIDTH));
    let mut payloads = Vec::new();
    for lane in 0..3 {
        let lane = pool.bits(lane, 32);
        payloads.push(pool.apply(function, lane));
    }
    let lane = pool.fresh("lane", Sort::Bits(32));
    payloads.push(pool.apply(function, lane));
    payloads.push(pool.fresh("u", Sort::Bits(WIDTH)));
    let conditions = vec![pool.fresh("c", Sort::Bool)];
    let mut question = Question { pool, style, numbers: numbers.iter(), payloads, conditions };
    for _ in 0..14 {
        question.grow();
    }
    let mut asserted = Vec::new();
    for _ in 0..5 {
        let condition = question.condition();
        asserted.push(match question.next(2) {
            0 => condition,
            _ => question.pool.not(condition),
        });
    }
    (question.pool, asserted)
}

/// What the two questions say: whether each has a state. None where all bits are needed.
fn both(pool: &Pool, asserted: &[Term], few: &FewValues) -> [bool; 2] {
    let has_state =
        |pool: &Pool, asserted: &[Term]| match in_full(pool, asserted, LONG.into(), None) {
            SolverAnswer::Sat(model) => Some(model),
            SolverAnswer::Unsat => None,
            SolverAnswer::Unknown(why) => panic!("{why}"),
        };
    let found = has_state(&few.pool, &few.assertions);
    let all_hold = found.as_ref().is_none_or(|model| {
        let widened = few.widened(model.clone());
        pool.evaluate(asserted, &widened).into_iter().all(|it| it.is_true())
    });
    assert!(all_hold, "the state that was found is none of the question");
    [found.is_some(), has_state(pool, asserted).is_some()]
}

/// How many questions had few values, how many of these had a state, and how many disagreed, of this style.
fn counted(style: Style, missing: u128) -> [usize; 3] {
    let counts = Cell::new([0; 3]);
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let numbers = proptest::collection::vec(any::<u8>(), 96);
    let ran = TestRunner::new_with_rng(config, rng).run(&numbers, |numbers| {
        let (pool, asserted) = question(style, &numbers);
        let few = match missing {
            0 => FewValues::of(&pool, &asserted),
            _ => FewValues::without(missing, &pool, &asserted),
        };
        if let Some(few) = few {
            let [found, there] = both(&pool, &asserted, &few);
            let more = [1, usize::from(there), usize::from(found != there)];
            let before = counts.get();
            counts.set([0, 1, 2].map(|place| before[place] + more[place]));
        }
        Ok(())
    });
    assert!(ran.is_ok(), "{ran:?}");
    counts.get()
}

const CASES: u32 = 200;

#[test]
fn few_values_are_enough_in_each_style() {
    let counts = STYLES.map(|style| counted(style, 0));
    assert!(counts.iter().all(|[.., disagreed]| *disagreed == 0), "{counts:?}");
    let expected = [[200, 74], [200, 81], [200, 75], [199, 63], [200, 76], [200, 85], [194, 67]];
    assert_eq!(counts.map(|[renumbered, with_state, _]| [renumbered, with_state]), expected);
}

#[test]
fn too_few_values_are_noticed_in_each_style() {
    let counts = STYLES.map(|style| counted(style, 2));
    assert!(counts.iter().all(|[.., disagreed]| *disagreed > 0), "{counts:?}");
}
