//! Terms that are used many times: what is built from them takes work for each term, not for each
//! way down to it, of which there are more than anything can go through.

use laneproof_semantics::term::{Binary, Compare, Pool, Scan, Sort, Term};

/// Levels, each of which uses the one below twice.
const LEVELS: usize = 100;
const WIDTH: u32 = 32;
/// The most terms for each level and operation on it.
const TERMS: usize = 400;

/// How a level uses the one below twice.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// By two operations.
    Both(Binary, Binary),
    /// By a choice of two results.
    Chosen(Binary),
    /// By the halves of two results.
    Halves(Binary),
}

impl Step {
    fn all() -> Vec<Self> {
        let both = Binary::ALL.into_iter().flat_map(|a| Binary::ALL.map(|b| Self::Both(a, b)));
        let one = Binary::ALL.into_iter().flat_map(|it| [Self::Chosen(it), Self::Halves(it)]);
        both.chain(one).collect()
    }

    fn on(self, pool: &mut Pool, below: Term) -> Term {
        let [x, y] = ["x", "y"].map(|name| pool.fresh(name, Sort::Bits(WIDTH)));
        match self {
            Self::Both(outer, inner) => {
                let x = pool.binary(inner, below, x);
                let not = pool.bit_not(below);
                let y = pool.binary(inner, not, y);
                pool.binary(outer, x, y)
            }
            Self::Chosen(inner) => {
                let condition = pool.fresh("condition", Sort::Bool);
                let (x, y) = (pool.binary(inner, below, x), pool.binary(inner, y, below));
                pool.ite(condition, x, y)
            }
            Self::Halves(inner) => {
                let (x, y) = (pool.binary(inner, below, x), pool.binary(inner, y, below));
                let (high, low) = (pool.extract(x, 15, 0), pool.extract(y, 23, 8));
                pool.concat(high, low)
            }
        }
    }
}

/// What is asked of the highest level.
fn ask(pool: &mut Pool, term: Term) {
    let wide = Sort::Bits(WIDTH);
    let place = pool.fresh("place", wide);
    let (three, other) = (pool.bits(3, WIDTH), pool.fresh("other", wide));
    for index in [place, three] {
        pool.bit(term, index);
    }
    for (high, low) in [(7, 0), (20, 9), (31, 31)] {
        pool.extract(term, high, low);
    }
    for beside in [three, other] {
        pool.equal(term, beside);
        for relation in
            [Compare::Less, Compare::LessEqual, Compare::LessSigned, Compare::LessEqualSigned]
        {
            pool.compare(relation, term, beside);
            pool.compare(relation, beside, term);
        }
        for operation in Binary::ALL {
            pool.binary(operation, term, beside);
        }
    }
    for scan in [Scan::Count, Scan::Lowest, Scan::Highest] {
        pool.scan(scan, term);
    }
    let (extended, negative) = (pool.zero_extend(term, 64), pool.sign_extend(term, 64));
    for long in [extended, negative] {
        pool.extract(long, 39, 24);
        pool.bit(long, place);
    }
    let condition = pool.equal(place, other);
    pool.under(condition, true, term);
    assert!(!pool.reachable(&[term]).is_empty());
}

#[test]
fn work_is_for_each_term_and_not_for_each_way_to_it() {
    for step in Step::all() {
        let mut pool = Pool::new();
        let mut term = pool.fresh("base", Sort::Bits(WIDTH));
        for _ in 0..LEVELS {
            term = step.on(&mut pool, term);
        }
        ask(&mut pool, term);
        assert!(pool.len() < LEVELS * TERMS, "{step:?}: {}", pool.len());
    }
}
