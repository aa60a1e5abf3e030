//! Questions about one state of which all is known: there is nothing to search for, so Z3 only
//! simplifies.
//!
//! The terms are the ones that a proof speaks of, and [`Translation`] writes each of them down as
//! it does there; but where a proof has a constant for a symbol, the symbol's value stands. So what
//! comes out is what the very same formula says in this state, computed by Z3. A number of its
//! theory is the number of its bits, and what a proof asserts of its constants has to hold of
//! these values: a formula that holds of nothing proves anything.

use std::time::Instant;

use laneproof_semantics::term::{Pool, Term};
use z3::ast::{Ast, Bool};

use crate::translation::Translation;
use crate::valuation::Valuation;

/// Whether `question` holds in the state that `told` gives; `None` where simplifying does not tell.
/// A formula that would hold of no values at all counts as holding: it is not what it should be.
pub fn holds(pool: &Pool, told: &[Term], question: Term, until: Instant) -> Option<bool> {
    let told = Valuation::by(pool, told)?;
    let mut translation = Translation::in_state(pool, &told);
    translation.build(&[question], until).ok()?;
    let answer = translation.bool(question).simplify().as_bool()?;
    let mut facts = translation.congruence(until).ok()?;
    let floats = translation.take_floats();
    let values: Vec<_> = floats.values().iter().map(|(constant, it)| (constant, it)).collect();
    let tied = Bool::and(floats.facts()).substitute(&values);
    facts.push(tied);
    match (answer, Bool::and(&facts).simplify().as_bool()) {
        (_, Some(false)) => Some(true),
        (false, _) => Some(false),
        (true, Some(true)) => Some(true),
        (true, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use laneproof_semantics::term::{
        Binary, Compare, FloatOp, Format, GroundValue, Scan, Sort, Symbol, Toward,
    };

    use super::*;
    use crate::answer::SolverAnswer;
    use crate::solver::solve;

    /// Two functions of lanes and a free constant, 16 bits each, and what is asked about them.
    struct Asked {
        pool: Pool,
        told: Vec<Term>,
        a: Term,
        b: Term,
        c: Term,
        lane: Term,
        functions: [Symbol; 2],
    }

    /// A state with three lanes.
    fn asked(numbers: [u128; 4], lane: u128) -> Asked {
        let mut pool = Pool::new();
        let functions = ["f", "g"].map(|name| pool.symbol(name, Sort::Bits(16)));
        let c = pool.fresh("c", Sort::Bits(16));
        let place = pool.fresh("lane", Sort::Bits(32));
        let mut told = Vec::new();
        for number in 0..3 {
            let here = pool.bits(number, 32);
            for (function, given) in functions.into_iter().zip(numbers) {
                let value = pool.apply(function, here);
                let given = pool.bits(given.rotate_left(number as u32), 16);
                told.push(pool.equal(value, given));
            }
        }
        let (third, there) = (pool.bits(numbers[2], 16), pool.bits(lane, 32));
        told.extend([pool.equal(c, third), pool.equal(place, there)]);
        let first = pool.bits(0, 32);
        let (a, b) = (pool.apply(functions[0], first), pool.apply(functions[1], first));
        Asked { pool, told, a, b, c, lane: place, functions }
    }

    /// A term of each kind that Z3 is asked about, 16 bits each.
    fn terms(asked: &mut Asked) -> Vec<Term> {
        use Binary::*;
        let Asked { pool, a, b, c, lane, functions, .. } = asked;
        let (a, b, c) = (*a, *b, *c);
        let mut terms = Vec::new();
        for op in [
            Add,
            Sub,
            Mul,
            DivUnsigned,
            RemUnsigned,
            DivSigned,
            RemSigned,
            And,
            Or,
            Xor,
            ShiftLeft,
            ShiftRight,
            ShiftRightSigned,
        ] {
            terms.push(pool.binary(op, a, b));
        }
        for relation in
            [Compare::Less, Compare::LessEqual, Compare::LessSigned, Compare::LessEqualSigned]
        {
            let holds = pool.compare(relation, a, b);
            terms.push(pool.ite(holds, a, c));
        }
        for scan in [Scan::Count, Scan::Lowest, Scan::Highest] {
            let found = pool.scan(scan, a);
            terms.push(pool.resize(found, 16));
        }
        let (low, high) = (pool.extract(a, 6, 3), pool.extract(b, 15, 4));
        terms.push(pool.concat(high, low));
        terms.push(pool.resize_signed(low, 16));
        // What another lane holds, and one of three that may not exist.
        for function in *functions {
            terms.push(pool.apply(function, *lane));
        }
        let bit = pool.bit(a, *lane);
        terms.push(pool.ite(bit, b, c));
        let half = Format::HALF;
        for op in [FloatOp::Add, FloatOp::Mul, FloatOp::Scale] {
            terms.push(pool.float(op, half, &[a, b]));
        }
        for toward in [Toward::Even, Toward::Negative, Toward::Positive, Toward::Zero] {
            terms.push(pool.float(FloatOp::Integral(toward), half, &[a]));
        }
        for op in [FloatOp::FromUnsigned, FloatOp::FromSigned] {
            terms.push(pool.float(op, half, &[a]));
        }
        terms.push(pool.float(FloatOp::Convert(Format::BFLOAT16), half, &[a]));
        let sum = pool.float(FloatOp::Add, half, &[a, c]);
        terms.push(pool.with_payload(half, sum, b));
        terms.push(pool.canonical(b, half));
        terms
    }

    /// What is free as a state says, 0 where it says nothing.
    struct Values(Valuation);

    impl laneproof_semantics::term::Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            self.0.variable(symbol).unwrap_or(GroundValue::Bits(0))
        }

        fn apply(&self, symbol: Symbol, lane: u32) -> GroundValue {
            self.0.apply(symbol, lane).unwrap_or(GroundValue::Bits(0))
        }
    }

    #[test]
    fn simplifying_says_what_the_solver_says() {
        let states = [
            ([0x3c00, 0x0003, 0x8000, 7], 2),
            ([0x7e01, 0xc123, 0x0001, 7], 1),
            ([0xfbff, 0x7bff, 0xfc00, 7], 0),
            ([0x0000, 0x0000, 0x7c00, 7], 9),
        ];
        let (mut right, mut wrong, mut left_open) = (0, 0, 0);
        for (numbers, lane) in states {
            let count = terms(&mut asked(numbers, lane)).len();
            for number in 0..count {
                let mut asked = asked(numbers, lane);
                let term = terms(&mut asked)[number];
                let Asked { mut pool, told, .. } = asked;
                let values = Values(Valuation::by(&pool, &told).unwrap());
                let value = pool.evaluate(&[term], &values)[0].as_bits();
                for change in [0, 1, 0x8000] {
                    let expected = pool.bits(value ^ change, 16);
                    let same = pool.equal(term, expected);
                    let question = pool.not(same);
                    let limit = Duration::from_secs(60);
                    let found = holds(&pool, &told, question, Instant::now() + limit);
                    let solved = solve(&pool, &[&*told, &[question]].concat(), limit, None);
                    let solved = match solved {
                        SolverAnswer::Sat(_) => true,
                        SolverAnswer::Unsat => false,
                        SolverAnswer::Unknown(reason) => unreachable!("{number}: {reason}"),
                    };
                    let node = pool.node(term);
                    match found {
                        Some(found) => assert_eq!(found, solved, "{node:?} of {numbers:x?}"),
                        None => left_open += 1,
                    }
                    *(if solved { &mut wrong } else { &mut right }) += 1;
                }
            }
        }
        assert!(right > 100 && wrong > 200, "{right} {wrong}");
        // A function at a lane of which nothing is told, three times each.
        assert_eq!(left_open, 6, "only what is not known is left to the solver");
    }

    #[test]
    fn what_gives_no_value_is_not_told() {
        let Asked { mut pool, a, b, .. } = asked([1, 2, 3, 4], 0);
        let less = pool.less(a, b);
        assert!(Valuation::by(&pool, &[less]).is_none());
        let [one, two] = [1, 2].map(|number| pool.bits(number, 16));
        let both = [pool.equal(a, one), pool.equal(a, two)];
        assert!(Valuation::by(&pool, &both).is_none(), "two values for one symbol");
    }
}
