//! Lanes whose values are put together by an operator that one condition chooses for all of them.

use laneproof_diagrams::BrokenLaw;
use laneproof_semantics::term::{Binary, Pool, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

const OPERATORS: [Binary; 4] = [Binary::Add, Binary::And, Binary::Or, Binary::Xor];

/// Two operators and the condition that chooses the first one.
struct Operators {
    condition: Term,
    of: [Binary; 2],
}

impl Operators {
    fn apply(&self, pool: &mut Pool, a: Term, b: Term) -> Term {
        let [x, y] = self.of.map(|it| pool.binary(it, a, b));
        pool.ite(self.condition, x, y)
    }
}

/// A parameter that all lanes share is a number, or is not, or has a bit.
fn of_parameter(builder: &mut Builder<'_>) -> Term {
    let (number, kind) = (u128::from(builder.next(4)), builder.next(3));
    let (parameter, pool) = (builder.shared, &mut builder.pool);
    match kind {
        0 => {
            let place = pool.bits(number & 1, 32);
            pool.bit(parameter, place)
        }
        1 => {
            let number = pool.bits(number, WIDTH);
            pool.less(parameter, number)
        }
        _ => {
            let number = pool.bits(number, WIDTH);
            pool.equal(parameter, number)
        }
    }
}

/// A vote of all lanes.
fn of_lanes(builder: &mut Builder<'_>) -> Term {
    let mut any = builder.pool.bool(false);
    for lane in 0..LANES {
        let lane = builder.pool.bits(lane.into(), 32);
        let here = builder.pool.apply(builder.member, lane);
        any = builder.pool.or(any, here);
    }
    any
}

impl Case {
    /// The values of the lanes by the operator that is chosen at each step, and by both operators with one
    /// choice at the end, with a mistake now and then.
    pub(super) fn chosen_alike(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let condition =
                if builder.next(3) == 0 { of_lanes(builder) } else { of_parameter(builder) };
            let of = [0, 1].map(|_| OPERATORS[usize::from(builder.next(4))]);
            let operators = Operators { condition, of };
            let other = if builder.next(8) == 0 { of_parameter(builder) } else { condition };
            let mut together = builder.held(0);
            let mut apart = [together; 2];
            for lane in 1..LANES {
                let value = match builder.next(6) {
                    0 => builder.shared,
                    _ => builder.held(lane),
                };
                let backwards = builder.next(2) == 0;
                let pool = &mut builder.pool;
                let [a, b] = if backwards { [value, together] } else { [together, value] };
                together = operators.apply(pool, a, b);
                apart = [0, 1].map(|side| pool.binary(of[side], apart[side], value));
            }
            let pool = &mut builder.pool;
            let expected = pool.ite(other, apart[0], apart[1]);
            let equal = pool.equal(together, expected);
            let differ = pool.not(equal);
            [differ, differ, differ]
        })
    }

    /// Where a parameter is another number than the one that a condition names, a value made with that
    /// parameter is not the one made with the number.
    fn other_parameter() -> Self {
        Self::built(&[], |builder| {
            let (parameter, values) = (builder.shared, [0, 1, 2].map(|lane| builder.held(lane)));
            let pool = &mut builder.pool;
            let one = pool.bits(1, WIDTH);
            let condition = pool.equal(parameter, one);
            let operators = Operators { condition, of: [Binary::Add, Binary::Xor] };
            let value = operators.apply(pool, values[0], values[1]);
            let value = operators.apply(pool, value, values[2]);
            let [a, b] = [parameter, one].map(|it| pool.binary(Binary::Xor, value, it));
            let equal = pool.equal(a, b);
            let differ = pool.not(equal);
            [differ, differ, differ]
        })
    }

    /// Cases that show single faults.
    pub(super) const SHOWN_BY_CHOICES: [(BrokenLaw, fn() -> Self); 1] =
        [(BrokenLaw::CaseEverywhere, Self::other_parameter)];
}
