//! Queries in which floating-point operations are uninterpreted functions.

use std::collections::HashSet;
use std::time::Instant;

use laneproof_semantics::term::{Node, Pool, Term};

use crate::answer::SolverAnswer;
use crate::check::check;
use crate::limit::SolverLimit;
use crate::page::QueryFile;
use crate::stated::Stated;

/// `1 / FOR_FUNCTIONS` of a query's limit is for its form with uninterpreted functions.
const FOR_FUNCTIONS: u32 = 3;
const BY_FUNCTIONS: &str =
    "; Floating-point operations are functions here, with these axioms only.\n";

/// Some floating-point operation is used twice. Otherwise equalities between functions cannot help.
pub fn repeats_an_operation(pool: &Pool, assertions: &[Term]) -> bool {
    let mut used = HashSet::new();
    pool.reachable(assertions).iter().any(|&term| match pool.node(term) {
        Node::Float(op, format, _) => !used.insert((op, format)),
        _ => false,
    })
}

/// The assertions are unsatisfiable whatever functions the floating-point operations are. Only then
/// something is written to `page`.
pub fn has_none_by_functions(
    pool: &Pool,
    assertions: &[Term],
    limit: SolverLimit,
    page: Option<&QueryFile>,
) -> bool {
    let limit = limit.part(FOR_FUNCTIONS);
    let started = Instant::now();
    let Ok(stated) = Stated::with_functions(pool, assertions, limit.until(started)) else {
        return false;
    };
    if !matches!(check(&stated, limit, started), SolverAnswer::Unsat) {
        return false;
    }
    let written =
        page.map(|page| stated.answered_on(&page.with(BY_FUNCTIONS), || SolverAnswer::Unsat));
    written.is_none_or(|answer| matches!(answer, SolverAnswer::Unsat))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use laneproof_semantics::term::{FloatFormat, FloatOp, Sort, Toward};

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    /// Zeros, ones, infinities, NaNs, the least and the greatest, and numbers that get rounded.
    fn numbers(format: FloatFormat) -> Vec<u128> {
        let plain = [
            0,
            format.one(),
            format.infinity(),
            format.canonical_nan(),
            format.infinity() | 1,
            1,
            format.infinity() - 1,
            format.one() + 3,
        ];
        plain.into_iter().flat_map(|bits| [bits, bits | format.sign()]).collect()
    }

    /// For each list of operands: the operands have these values, and the result is the
    /// operation's.
    fn known(pool: &mut Pool, op: FloatOp, format: FloatFormat, lists: &[Vec<u128>]) -> Vec<Term> {
        let mut axioms = Vec::new();
        for list in lists {
            let given: Vec<Term> = list.iter().map(|&it| pool.bits(it, format.width())).collect();
            let free = Sort::Bits(format.width());
            let operands: Vec<Term> = list.iter().map(|_| pool.fresh("operand", free)).collect();
            for (&operand, &given) in operands.iter().zip(&given) {
                axioms.push(pool.equal(operand, given));
            }
            let (asked, result) =
                (pool.float(op, format, &operands), pool.float(op, format, &given));
            axioms.push(pool.equal(asked, result));
        }
        axioms
    }

    #[test]
    fn what_is_known_of_functions_holds_of_the_operations() {
        use FloatOp::*;
        let mut asked = 0;
        for format in FloatFormat::ALL {
            let numbers = numbers(format);
            let one: Vec<Vec<u128>> = numbers.iter().map(|&a| vec![a]).collect();
            let two: Vec<Vec<u128>> =
                numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| vec![a, b])).collect();
            let to =
                if format == FloatFormat::Single { FloatFormat::Half } else { FloatFormat::Single };
            for op in [Add, Mul, Div, Scale, Integral(Toward::Even), Convert(to), FromSigned] {
                let lists = if matches!(op, Add | Mul | Div | Scale) { &two } else { &one };
                let mut pool = Pool::new();
                let axioms = known(&mut pool, op, format, lists);
                asked += axioms.len();
                assert!(
                    !has_none_by_functions(&pool, &axioms, LONG.into(), None),
                    "{op:?} of {} bits is not what is said of it",
                    format.width()
                );
            }
        }
        assert_eq!(asked, 12672);
    }

    #[test]
    fn integers_of_two_widths_are_converted_by_two_functions() {
        let mut pool = Pool::new();
        for op in [FloatOp::FromSigned, FloatOp::FromUnsigned] {
            let results = [16, 32, 64].map(|width| {
                let integer = pool.fresh("integer", Sort::Bits(width));
                [op, op].map(|op| pool.float(op, FloatFormat::Single, &[integer]))
            });
            let differ = results.iter().flatten().map(|&result| {
                let other = results[0][0];
                pool.equal(result, other)
            });
            let all: Vec<Term> = differ.collect();
            assert!(!has_none_by_functions(&pool, &all, LONG.into(), None));
        }
    }

    /// Terms over three numbers that differ, or do not.
    fn differ(terms: impl FnOnce(&mut Pool, [Term; 3]) -> [Term; 2]) -> (Pool, Vec<Term>) {
        let mut pool = Pool::new();
        let abc = ["a", "b", "c"].map(|name| pool.fresh(name, Sort::Bits(32)));
        let [one, other] = terms(&mut pool, abc);
        let same = pool.equal(one, other);
        let unlike = pool.not(same);
        (pool, vec![unlike])
    }

    fn sum(pool: &mut Pool, a: Term, b: Term) -> Term {
        pool.float(FloatOp::Add, FloatFormat::Single, &[a, b])
    }

    #[test]
    fn sums_of_the_same_numbers_are_the_same_and_others_are_not() {
        // Two adders, one of which has a choice for an operand.
        let (pool, unlike) = differ(|pool, [a, b, c]| {
            let same = pool.equal(a, c);
            let chosen = pool.ite(same, c, a);
            [sum(pool, a, b), sum(pool, b, chosen)]
        });
        assert!(has_none_by_functions(&pool, &unlike, LONG.into(), None));
        let (pool, unlike) = differ(|pool, [a, b, c]| {
            let (left, right) = (sum(pool, a, b), sum(pool, b, c));
            [sum(pool, left, c), sum(pool, a, right)]
        });
        assert!(!has_none_by_functions(&pool, &unlike, LONG.into(), None));
        let (pool, unlike) = differ(|pool, [a, b, _]| {
            let product = pool.float(FloatOp::Mul, FloatFormat::Single, &[a, b]);
            [sum(pool, a, b), product]
        });
        assert!(!has_none_by_functions(&pool, &unlike, LONG.into(), None));
    }
}
