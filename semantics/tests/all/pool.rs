//! What a pool simplifies means what was asked: random terms beside the values that their operations
//! give, in every state.

use laneproof_semantics::term::{
    Binary, Compare, GroundValue, Interpretation, Pool, Sort, Symbol, Term,
};

/// Of each number.
const WIDTH: u32 = 2;
const MASK: u128 = (1 << WIDTH) - 1;
const NUMBERS: usize = 2;
const CONDITIONS: usize = 3;
/// All values of the numbers and conditions.
const STATES: u32 = 1 << (NUMBERS as u32 * WIDTH + CONDITIONS as u32);

struct State<'s> {
    symbols: &'s [Symbol],
    bits: u32,
}

impl Interpretation for State<'_> {
    fn variable(&self, symbol: Symbol) -> GroundValue {
        let place = self.symbols.iter().position(|&it| it == symbol).unwrap_or(0);
        free(place, self.bits)
    }

    fn apply(&self, _: Symbol, _: u32) -> GroundValue {
        GroundValue::Bits(0)
    }
}

/// What the variable at that place is in a state: numbers first.
fn free(place: usize, bits: u32) -> GroundValue {
    match place.checked_sub(NUMBERS) {
        None => GroundValue::Bits(u128::from(bits >> (place as u32 * WIDTH)) & MASK),
        Some(place) => GroundValue::Bool(bits >> (NUMBERS as u32 * WIDTH + place as u32) & 1 == 1),
    }
}

/// A term, and what it has to be in each state.
#[derive(Clone)]
struct Made {
    term: Term,
    values: Vec<u128>,
}

struct Maker {
    pool: Pool,
    symbols: Vec<Symbol>,
    numbers: Vec<Made>,
    conditions: Vec<Made>,
    random: u64,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut pool = Pool::new();
        let (mut symbols, mut numbers, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
        for place in 0..NUMBERS + CONDITIONS {
            let sort = if place < NUMBERS { Sort::Bits(WIDTH) } else { Sort::Bool };
            let symbol = pool.symbol(format!("v{place}"), sort);
            symbols.push(symbol);
            let values = (0..STATES).map(|bits| free(place, bits).as_bits()).collect();
            let made = Made { term: pool.variable(symbol), values };
            if place < NUMBERS { numbers.push(made) } else { conditions.push(made) }
        }
        for number in 0..=MASK {
            let values = vec![number; STATES as usize];
            numbers.push(Made { term: pool.bits(number, WIDTH), values });
        }
        Self { pool, symbols, numbers, conditions, random: seed }
    }

    fn next(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 33) as usize % below
    }

    fn number(&mut self) -> Made {
        let place = self.next(self.numbers.len());
        self.numbers[place].clone()
    }

    fn condition(&mut self) -> Made {
        let place = self.next(self.conditions.len());
        self.conditions[place].clone()
    }

    fn zip(a: &Made, b: &Made, value: impl Fn(u128, u128) -> u128) -> Vec<u128> {
        a.values.iter().zip(&b.values).map(|(&a, &b)| value(a, b)).collect()
    }

    /// One more number of one operation.
    fn compute(&mut self) {
        let (a, b) = (self.number(), self.number());
        let pool = &mut self.pool;
        let (term, values) = match self.random % 7 {
            0 => (pool.binary(Binary::Add, a.term, b.term), Self::zip(&a, &b, |a, b| a + b)),
            1 => {
                let minus = |a: u128, b: u128| a.wrapping_sub(b);
                (pool.binary(Binary::Sub, a.term, b.term), Self::zip(&a, &b, minus))
            }
            2 => (pool.binary(Binary::And, a.term, b.term), Self::zip(&a, &b, |a, b| a & b)),
            3 => (pool.binary(Binary::Xor, a.term, b.term), Self::zip(&a, &b, |a, b| a ^ b)),
            4 => return self.outdo([a, b]),
            _ => return self.choose([a, b]),
        };
        let values = values.into_iter().map(|it| it & MASK).collect();
        self.numbers.push(Made { term, values });
    }

    /// The lesser or the greater of two numbers.
    fn outdo(&mut self, [a, b]: [Made; 2]) {
        let (greater, signed, or_equal) = (self.next(2) == 0, self.next(2) == 0, self.next(2) == 0);
        let key = |it: u128| if signed { it ^ 1 << (WIDTH - 1) } else { it };
        let relation = match (signed, or_equal) {
            (false, false) => Compare::Less,
            (false, true) => Compare::LessEqual,
            (true, false) => Compare::LessSigned,
            (true, true) => Compare::LessEqualSigned,
        };
        let first = self.pool.compare(relation, a.term, b.term);
        let (then, otherwise) = if greater { (&b, &a) } else { (&a, &b) };
        let term = self.pool.ite(first, then.term, otherwise.term);
        let chosen = |x, y| if (key(x) < key(y)) == greater { y } else { x };
        self.numbers.push(Made { term, values: Self::zip(&a, &b, chosen) });
    }

    /// One of two numbers, each as it is where it is chosen.
    fn choose(&mut self, [a, b]: [Made; 2]) {
        let c = self.condition();
        let pool = &mut self.pool;
        let (mut then, mut otherwise) = (a.term, b.term);
        if self.random.is_multiple_of(3) {
            then = pool.under(c.term, true, then);
            otherwise = pool.under(c.term, false, otherwise);
        }
        let term = pool.ite(c.term, then, otherwise);
        let both = Self::zip(&a, &b, |a, b| a | b << WIDTH);
        let chosen = |(&both, &c): (&u128, &u128)| if c == 1 { both & MASK } else { both >> WIDTH };
        let values = both.iter().zip(&c.values).map(chosen).collect();
        self.numbers.push(Made { term, values });
    }

    /// One more condition.
    fn ask(&mut self) {
        let (a, b, c, d) = (self.number(), self.number(), self.condition(), self.condition());
        let signed = |a: u128| a ^ 1 << (WIDTH - 1);
        let pool = &mut self.pool;
        let (term, values) = match self.random % 7 {
            0 => (pool.equal(a.term, b.term), Self::zip(&a, &b, |a, b| u128::from(a == b))),
            1 => {
                let less = |a, b| u128::from(a < b);
                (pool.compare(Compare::Less, a.term, b.term), Self::zip(&a, &b, less))
            }
            2 => {
                let order = |a, b| u128::from(signed(a) <= signed(b));
                let relation = Compare::LessEqualSigned;
                (pool.compare(relation, a.term, b.term), Self::zip(&a, &b, order))
            }
            3 => (pool.not(c.term), Self::zip(&c, &c, |c, _| 1 - c)),
            4 => (pool.and(c.term, d.term), Self::zip(&c, &d, |c, d| c & d)),
            5 => (pool.or(c.term, d.term), Self::zip(&c, &d, |c, d| c | d)),
            _ => (pool.equal(c.term, d.term), Self::zip(&c, &d, |c, d| u128::from(c == d))),
        };
        self.conditions.push(Made { term, values });
    }

    /// All terms are in each state what they have to be.
    fn check(&self, seed: u64) {
        let made: Vec<&Made> = self.numbers.iter().chain(&self.conditions).collect();
        let terms: Vec<Term> = made.iter().map(|it| it.term).collect();
        let order = self.pool.reachable(&terms);
        for bits in 0..STATES {
            let state = State { symbols: &self.symbols, bits };
            let values = self.pool.evaluate_in(&order, &terms, &state);
            for (made, value) in made.iter().zip(values) {
                let expected = made.values[bits as usize];
                let text = || self.pool.render(made.term);
                assert_eq!(value.as_bits(), expected, "seed {seed}, state {bits}: {}", text());
            }
        }
    }
}

#[test]
fn simplified_terms_are_what_was_asked() {
    for seed in 1..=1_500u64 {
        let mut maker = Maker::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for _ in 0..24 {
            maker.ask();
            maker.compute();
        }
        maker.check(seed);
    }
}
