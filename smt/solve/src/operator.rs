//! A reduction has one value only if its operator is associative and commutative and has an
//! identity. A user's specification may fold with any operator, so the solver checks this, once for
//! each operator in a run. Other operators are not supported; they are never computed in some
//! arbitrary order.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use laneproof_semantics::term::{Pool, Term};

use crate::answer::SolverAnswer;
use crate::solver::solve;

/// What is known of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algebra {
    /// Any order of combining gives the same, and the identity changes nothing.
    pub commutative_monoid: Law,
    /// A value combined with itself is that value.
    pub idempotent: Law,
    /// Two values combined are one of them.
    pub selective: Law,
}

/// Whether something holds of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// It holds of all values.
    Holds,
    /// Some values break it.
    Fails,
    /// The solver did not decide it in time.
    Undecided,
}

impl Law {
    /// The conjunction: a law that fails decides it, even if others are undecided.
    fn all(laws: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::Holds;
        for law in laws {
            match law {
                Self::Fails => return Self::Fails,
                Self::Undecided => all = Self::Undecided,
                Self::Holds => {}
            }
        }
        all
    }
}

/// Long enough for products of 64 bits, which the solver normalizes.
const LIMIT: Duration = Duration::from_secs(5);

static KNOWN: LazyLock<Mutex<HashMap<String, Algebra>>> = LazyLock::new(Mutex::default);

/// What `operator`, a term over [`Pool::placeholder`]s 0 and 1, satisfies with `identity`.
pub fn algebra(pool: &mut Pool, operator: Term, identity: Term) -> Algebra {
    let key = format!("{} {}", pool.render(operator), pool.render(identity));
    if let Some(known) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return *known;
    }
    let sort = pool.sort(identity);
    let [a, b, c] = [0, 1, 2].map(|index| pool.placeholder(index, sort));
    let ab = combined(pool, operator, a, b);
    let ba = combined(pool, operator, b, a);
    let bc = combined(pool, operator, b, c);
    let left = combined(pool, operator, ab, c);
    let right = combined(pool, operator, a, bc);
    let with_identity = combined(pool, operator, a, identity);
    let twice = combined(pool, operator, a, a);
    let monoid = [(ab, ba), (left, right), (with_identity, a)];
    let commutative_monoid =
        Law::all(monoid.into_iter().map(|(one, other)| always_equal(pool, one, other)));
    let idempotent = always_equal(pool, twice, a);
    let selective = match idempotent {
        Law::Holds => {
            let (first, second) = (pool.equal(ab, a), pool.equal(ab, b));
            let chosen = pool.or(first, second);
            always(pool, chosen)
        }
        other => other,
    };
    let algebra = Algebra { commutative_monoid, idempotent, selective };
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(key, algebra);
    algebra
}

/// An operator over [`Pool::placeholder`]s 0 and 1, applied to two terms.
pub fn combined(pool: &mut Pool, operator: Term, left: Term, right: Term) -> Term {
    let sort = pool.sort(left);
    let replacements =
        HashMap::from([(pool.placeholder(0, sort), left), (pool.placeholder(1, sort), right)]);
    pool.substitute(operator, &replacements)
}

fn always_equal(pool: &mut Pool, one: Term, other: Term) -> Law {
    let equal = pool.equal(one, other);
    always(pool, equal)
}

fn always(pool: &mut Pool, holds: Term) -> Law {
    let fails = pool.not(holds);
    match solve(pool, &[fails], LIMIT, None) {
        SolverAnswer::Unsat => Law::Holds,
        SolverAnswer::Sat(_) => Law::Fails,
        SolverAnswer::Unknown(_) => Law::Undecided,
    }
}
