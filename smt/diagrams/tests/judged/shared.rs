//! Conditions and values that are used many times: an answer, or its limit, comes after work for each
//! term, not for each way down to it, of which there are more than anything can go through.

use std::time::{Duration, Instant};

use laneproof_diagrams::{StepLimit, has_no_state};
use laneproof_semantics::term::{
    Binary, Compare, FloatFormat, FloatNote, Pool, Sort, Symbol, Term,
};

/// Levels, each of which uses the one below twice.
const LEVELS: usize = 60;
/// No step of this many takes long.
const STEPS: u64 = 5_000;

/// What the levels say of payloads and sets of lanes.
#[derive(Clone, Copy, Debug)]
enum About {
    Lanes,
    Equal,
    Less,
    Nan,
    Zero,
    Mixed,
}

impl About {
    const ALL: [Self; 6] =
        [Self::Lanes, Self::Equal, Self::Less, Self::Nan, Self::Zero, Self::Mixed];

    fn at(self, pool: &mut Pool, [member, payload]: [Symbol; 2], level: usize) -> Term {
        let lane = pool.bits(level as u128, 32);
        let (inside, held) = (pool.apply(member, lane), pool.apply(payload, lane));
        let three = pool.bits(3, 32);
        match self {
            Self::Lanes => inside,
            Self::Equal => pool.equal(held, three),
            Self::Less => pool.compare(Compare::LessSigned, three, held),
            Self::Nan => {
                let (low, limit) = (pool.extract(held, 30, 0), pool.bits(0x7f80_0000, 31));
                let test = pool.less(limit, low);
                pool.note_float(test, FloatNote::Nan(held, FloatFormat::Single));
                test
            }
            Self::Zero => {
                let (low, zero) = (pool.extract(held, 30, 0), pool.bits(0, 31));
                let test = pool.equal(low, zero);
                pool.note_float(test, FloatNote::Zero(held));
                test
            }
            Self::Mixed => Self::ALL[level % 5].at(pool, [member, payload], level),
        }
    }
}

/// From the level below and two conditions.
type OfConditions = fn(&mut Pool, Term, [Term; 2]) -> Term;
/// From the level below, two conditions and a payload.
type OfValues = fn(&mut Pool, Term, [Term; 2], Term) -> Term;

/// How a level of conditions uses the one below twice.
const CONDITIONS: [OfConditions; 5] = [
    |pool, below, [x, y]| {
        let (not, either) = (pool.not(below), pool.or(below, x));
        let other = pool.or(not, y);
        pool.and(either, other)
    },
    |pool, below, [x, y]| {
        let (x, y) = (pool.or(below, x), pool.or(below, y));
        pool.and(x, y)
    },
    |pool, below, [x, y]| {
        let (x, y) = (pool.and(below, x), pool.and(below, y));
        pool.or(x, y)
    },
    |pool, below, [x, y]| {
        let (x, y) = (pool.and(below, x), pool.or(below, y));
        pool.equal(x, y)
    },
    |pool, below, [x, y]| {
        let not = pool.not(below);
        let z = pool.or(not, y);
        pool.ite(x, below, z)
    },
];

/// The same of values.
const VALUES: [OfValues; 6] = [
    |pool, below, [x, y], held| {
        let (x, y) = (pool.ite(x, below, held), pool.ite(y, held, below));
        pool.binary(Binary::Add, x, y)
    },
    |pool, below, [x, _], held| {
        let (y, z) = (pool.binary(Binary::And, below, held), pool.binary(Binary::Or, below, held));
        pool.ite(x, y, z)
    },
    |pool, below, _, held| {
        let (y, z) = (pool.binary(Binary::Xor, below, held), pool.binary(Binary::Add, below, held));
        pool.binary(Binary::Mul, y, z)
    },
    |pool, below, [x, y], held| {
        let (x, y) = (pool.ite(x, below, held), pool.ite(y, held, below));
        let less = pool.less(x, y);
        pool.ite(less, x, y)
    },
    |pool, below, _, held| {
        let other = pool.binary(Binary::Xor, below, held);
        let (high, low) = (pool.extract(below, 15, 0), pool.extract(other, 23, 8));
        pool.concat(high, low)
    },
    |pool, below, _, held| {
        let places = pool.bits(5, 32);
        let other = pool.binary(Binary::ShiftRight, below, places);
        let other = pool.binary(Binary::Or, other, held);
        pool.binary(Binary::And, below, other)
    },
];

/// Asks about a condition, its negation, and both beside another one.
fn ask(pool: &mut Pool, condition: Term, other: Term) {
    let limit = || StepLimit { steps: STEPS, deadline: Instant::now() + Duration::from_secs(3600) };
    let not = pool.not(condition);
    for asked in [condition, not] {
        // Which answer it is does not matter here.
        _ = has_no_state(pool, &[asked], limit());
        _ = has_no_state(pool, &[asked, other], limit());
        let both = pool.or(asked, other);
        _ = has_no_state(pool, &[both], limit());
    }
}

fn symbols(pool: &mut Pool) -> [Symbol; 2] {
    [pool.symbol("member", Sort::Bool), pool.symbol("payload", Sort::Bits(32))]
}

#[test]
fn conditions_that_are_shared_are_gone_through_once() {
    for about in About::ALL {
        for step in CONDITIONS {
            let mut pool = Pool::new();
            let symbols = symbols(&mut pool);
            let mut term = about.at(&mut pool, symbols, LEVELS);
            for level in 0..LEVELS {
                let x = about.at(&mut pool, symbols, level);
                let y = about.at(&mut pool, symbols, level + 64);
                term = step(&mut pool, term, [x, y]);
            }
            let other = about.at(&mut pool, symbols, 3);
            ask(&mut pool, term, other);
        }
    }
}

#[test]
fn values_that_are_shared_are_gone_through_once() {
    for about in About::ALL {
        for step in VALUES {
            let mut pool = Pool::new();
            let symbols = symbols(&mut pool);
            let lane = pool.bits(LEVELS as u128, 32);
            let mut term = pool.apply(symbols[1], lane);
            for level in 0..LEVELS {
                let x = about.at(&mut pool, symbols, level);
                let y = about.at(&mut pool, symbols, level + 64);
                let lane = pool.bits(level as u128, 32);
                let held = pool.apply(symbols[1], lane);
                term = step(&mut pool, term, [x, y], held);
            }
            let (zero, place) = (pool.bits(0, 32), pool.bits(7, 32));
            let other = about.at(&mut pool, symbols, 3);
            for condition in [pool.equal(term, zero), pool.less(place, term), pool.bit(term, place)]
            {
                ask(&mut pool, condition, other);
            }
        }
    }
}

/// Lanes beyond all those that a subgroup has are none of the order's: nothing of them is taken for
/// what concerns several lanes, or for a value that is compared.
#[test]
fn lanes_beyond_all_lanes_are_apart() {
    for beyond in [127, 128, 129, 255, 4095, 4096, 0x7fff_ffff, u32::MAX] {
        let mut pool = Pool::new();
        let member = pool.symbol("member", Sort::Bool);
        let payload = pool.symbol("payload", Sort::Bits(32));
        let lanes = [0, 1, u128::from(beyond)].map(|lane| pool.bits(lane, 32));
        let held = lanes.map(|lane| pool.apply(payload, lane));
        let inside = pool.apply(member, lanes[2]);
        let bit = pool.bit(held[2], lanes[0]);
        let less = pool.less(held[0], held[1]);
        let elsewhere = pool.symbol("elsewhere", Sort::Bits(32));
        let elsewhere = pool.variable(elsewhere);
        let at_computed = pool.apply(payload, elsewhere);
        let same = pool.equal(at_computed, held[2]);
        let limit =
            StepLimit { steps: 1 << 20, deadline: Instant::now() + Duration::from_secs(60) };
        for [a, b] in [[inside, less], [bit, less], [inside, bit], [same, less], [bit, same]] {
            let not_b = pool.not(b);
            assert_eq!(has_no_state(&pool, &[a, not_b], limit), Ok(false), "lane {beyond}");
            assert_eq!(has_no_state(&pool, &[b, not_b], limit), Ok(true), "lane {beyond}");
        }
    }
}
