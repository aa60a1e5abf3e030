//! Ground evaluation: formulas in one fully known state. Nothing is searched for; Z3 only
//! simplifies.
//!
//! The terms are those of a proof, and [`Translation`] translates them as it does for a proof, but
//! replaces each symbol by its value. So the result is the value of the very same formula in this
//! state, computed by Z3. A floating-point constant is the number with its bits, and the assertions
//! that a proof makes about its constants must hold of these values: an unsatisfiable assertion
//! would prove anything.

use std::time::Instant;

use laneproof_semantics::term::{Pool, Term};
use z3::ast::{Ast, Bool};

use crate::translation::Translation;
use crate::valuation::Valuation;

/// Whether `question` holds in the state that `facts` gives; `None` if simplification does not
/// decide it. If the assertions about constants fail, the result is true, which the caller reports
/// as a disagreement.
pub fn holds(pool: &Pool, facts: &[Term], question: Term, until: Instant) -> Option<bool> {
    let facts = Valuation::by(pool, facts)?;
    let mut translation = Translation::in_state(pool, &facts);
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
        Binary, Compare, FloatFormat, FloatOp, GroundValue, Scan, Sort, Symbol, Toward,
    };

    use super::*;
    use crate::answer::SolverAnswer;
    use crate::solver::solve;

    /// Two functions of lanes and a free constant, 16 bits each, and facts about them.
    struct Sample {
        pool: Pool,
        facts: Vec<Term>,
        a: Term,
        b: Term,
        c: Term,
        lane: Term,
        functions: [Symbol; 2],
    }

    /// A state with three lanes.
    fn sample(numbers: [u128; 4], lane: u128) -> Sample {
        let mut pool = Pool::new();
        let functions = ["f", "g"].map(|name| pool.symbol(name, Sort::Bits(16)));
        let c = pool.fresh("c", Sort::Bits(16));
        let place = pool.fresh("lane", Sort::Bits(32));
        let mut facts = Vec::new();
        for number in 0..3 {
            let here = pool.bits(number, 32);
            for (function, given) in functions.into_iter().zip(numbers) {
                let value = pool.apply(function, here);
                let given = pool.bits(given.rotate_left(number as u32), 16);
                facts.push(pool.equal(value, given));
            }
        }
        let (third, there) = (pool.bits(numbers[2], 16), pool.bits(lane, 32));
        facts.extend([pool.equal(c, third), pool.equal(place, there)]);
        let first = pool.bits(0, 32);
        let (a, b) = (pool.apply(functions[0], first), pool.apply(functions[1], first));
        Sample { pool, facts, a, b, c, lane: place, functions }
    }

    /// A term of each kind that is translated to Z3, 16 bits each.
    fn terms(sample: &mut Sample) -> Vec<Term> {
        use Binary::*;
        let Sample { pool, a, b, c, lane, functions, .. } = sample;
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
        // The value in another lane, and in one of three that may not exist.
        for function in *functions {
            terms.push(pool.apply(function, *lane));
        }
        let bit = pool.bit(a, *lane);
        terms.push(pool.ite(bit, b, c));
        let half = FloatFormat::Half;
        for op in [FloatOp::Add, FloatOp::Mul, FloatOp::Scale] {
            terms.push(pool.float(op, half, &[a, b]));
        }
        for toward in [Toward::Even, Toward::Negative, Toward::Positive, Toward::Zero] {
            terms.push(pool.float(FloatOp::Integral(toward), half, &[a]));
        }
        for op in [FloatOp::FromUnsigned, FloatOp::FromSigned] {
            terms.push(pool.float(op, half, &[a]));
        }
        terms.push(pool.float(FloatOp::Convert(FloatFormat::Bfloat16), half, &[a]));
        let sum = pool.float(FloatOp::Add, half, &[a, c]);
        terms.push(pool.with_payload(half, sum, b));
        terms.push(pool.canonical(b, half));
        terms
    }

    /// Free symbols have the state's values, or 0 if it has none.
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
            let count = terms(&mut sample(numbers, lane)).len();
            for number in 0..count {
                let mut sample = sample(numbers, lane);
                let term = terms(&mut sample)[number];
                let Sample { mut pool, facts, .. } = sample;
                let values = Values(Valuation::by(&pool, &facts).unwrap());
                let value = pool.evaluate(&[term], &values)[0].as_bits();
                for change in [0, 1, 0x8000] {
                    let expected = pool.bits(value ^ change, 16);
                    let same = pool.equal(term, expected);
                    let question = pool.not(same);
                    let limit = Duration::from_secs(60);
                    let found = holds(&pool, &facts, question, Instant::now() + limit);
                    let solved = solve(&pool, &[&*facts, &[question]].concat(), limit, None);
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
        assert_eq!((right, wrong), (146, 298));
        // A function at a lane without a given value, three times each.
        assert_eq!(left_open, 6, "only what is not known is left to the solver");
    }

    #[test]
    fn what_gives_no_value_is_no_valuation() {
        let Sample { mut pool, a, b, .. } = sample([1, 2, 3, 4], 0);
        let less = pool.less(a, b);
        assert!(Valuation::by(&pool, &[less]).is_none());
        let [one, two] = [1, 2].map(|number| pool.bits(number, 16));
        let both = [pool.equal(a, one), pool.equal(a, two)];
        assert!(Valuation::by(&pool, &both).is_none(), "two values for one symbol");
    }
}
