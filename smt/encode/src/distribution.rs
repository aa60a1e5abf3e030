//! What is the same in all lanes, taken out of a reduction.
//!
//! `Σ x·u` is `(Σ x)·u` where `u` is no lane's own: multiplication by `u` takes sums to sums and
//! the identity to itself. So do the other pairs of [`distributes`]; each law is checked bit by bit
//! by a test. Reductions with a factor and without it are one reduction then.

use laneproof_semantics::term::{Binary, Node, Pool, Term};

/// What was taken out: `kind` of a reduction and `factor`, the reduction on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    pub kind: Binary,
    pub factor: Term,
}

impl Outside {
    /// The reduction of what was left, with what was taken out.
    pub(crate) fn of(self, pool: &mut Pool, reduction: Term) -> Term {
        pool.binary(self.kind, reduction, self.factor)
    }
}

/// The operators of reductions that a factor can be taken out of.
const REDUCED: [Binary; 4] = [Binary::Add, Binary::Xor, Binary::Or, Binary::And];

/// `h(a op b) = h(a) op h(b)` where `h(x)` is `kind` of `x` and a factor, and `h` takes `op`'s
/// identity to itself.
pub(crate) fn distributes(kind: Binary, over: Binary) -> bool {
    match over {
        Binary::Add => matches!(kind, Binary::Mul | Binary::ShiftLeft),
        Binary::Xor | Binary::Or => {
            matches!(kind, Binary::And | Binary::ShiftLeft | Binary::ShiftRight)
        }
        Binary::And => kind == Binary::Or,
        _ => false,
    }
}

/// The operator that placeholders 0 and 1 are combined by, where a factor can be taken out of it.
pub(crate) fn reduced_by(pool: &mut Pool, operator: Term) -> Option<Binary> {
    let sort = pool.sort(operator);
    let [a, b] = [0, 1].map(|index| pool.placeholder(index, sort));
    REDUCED.into_iter().find(|&kind| pool.binary(kind, a, b) == operator)
}

/// A part of a reduction by `over` as what a lane has of its own and a factor that is `shared`,
/// in each way in which it is one.
pub(crate) fn factors(
    pool: &Pool,
    over: Binary,
    part: Term,
    mut shared: impl FnMut(Term) -> bool,
) -> Vec<(Outside, Term)> {
    let Node::Binary(kind, a, b) = *pool.node(part) else { return Vec::new() };
    if !distributes(kind, over) {
        return Vec::new();
    }
    let mut found = Vec::new();
    if shared(b) {
        found.push((Outside { kind, factor: b }, a));
    }
    let commutes = matches!(kind, Binary::Mul | Binary::And | Binary::Or);
    if commutes && shared(a) {
        found.push((Outside { kind, factor: a }, b));
    }
    found
}

#[cfg(test)]
mod tests {
    use laneproof_semantics::term::Sort;

    use super::*;

    const KINDS: [Binary; 13] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::DivUnsigned,
        Binary::RemUnsigned,
        Binary::DivSigned,
        Binary::RemSigned,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::ShiftLeft,
        Binary::ShiftRight,
        Binary::ShiftRightSigned,
    ];

    fn identity(over: Binary) -> u128 {
        if over == Binary::And { 0xf } else { 0 }
    }

    /// `kind` of two numbers of four bits.
    fn applied(pool: &mut Pool, kind: Binary, a: u128, b: u128) -> u128 {
        let [a, b] = [a, b].map(|it| pool.bits(it, 4));
        let found = pool.binary(kind, a, b);
        pool.bits_of(found).unwrap_or_else(|| panic!("{kind:?} of two constants is none"))
    }

    /// The law as it is stated, for all numbers of four bits.
    fn holds(pool: &mut Pool, kind: Binary, over: Binary) -> bool {
        (0..16).all(|u| {
            applied(pool, kind, identity(over), u) == identity(over)
                && (0..16).all(|a| {
                    let left = applied(pool, kind, a, u);
                    (0..16).all(|b| {
                        let both = applied(pool, over, a, b);
                        let right = applied(pool, kind, b, u);
                        applied(pool, kind, both, u) == applied(pool, over, left, right)
                    })
                })
        })
    }

    /// No pair is listed that breaks the law, and of those that keep it none is missing.
    #[test]
    fn what_distributes_is_what_keeps_the_law() {
        let mut pool = Pool::new();
        for over in REDUCED {
            for kind in KINDS {
                let listed = distributes(kind, over);
                assert_eq!(listed, holds(&mut pool, kind, over), "{kind:?} over {over:?}");
            }
        }
    }

    #[test]
    fn a_factor_is_found_on_either_side_where_the_sides_may_change() {
        let mut pool = Pool::new();
        let [x, u] = ["x", "u"].map(|name| pool.fresh(name, Sort::Bits(8)));
        for (kind, sides) in [(Binary::Mul, 2), (Binary::ShiftLeft, 1)] {
            let mut found = 0;
            for (a, b) in [(x, u), (u, x)] {
                let part = pool.binary(kind, a, b);
                let taken = factors(&pool, Binary::Add, part, |it| it == u);
                for (outside, own) in taken {
                    assert_eq!((outside.factor, own), (u, x));
                    assert_eq!(outside.of(&mut pool, own), part);
                    found += 1;
                }
            }
            assert_eq!(found, sides, "{kind:?}");
        }
    }
}
