//! Takes factors that are equal in all lanes out of reductions.
//!
//! `Σ x·u` is `(Σ x)·u` if `u` is equal in all lanes, because multiplication by `u` distributes
//! over sums. The same holds for the other pairs of [`distributes`]: a map `h` with `h(a op b) =
//! h(a) op h(b)` commutes with the reduction; a monotone map commutes with minimum and maximum. A
//! test checks each axiom bit by bit. A reduction of no part is the identity, whatever `h` makes of
//! the identity. After this step, reductions with and without such a factor are one reduction.

use laneproof_semantics::term::{Binary, Compare, Node, Pool, Term};

/// The operator of a reduction that something can be taken out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduced {
    /// Of two numbers.
    By(Binary),
    /// The least or greatest, of numbers with a sign where `signed`.
    Extreme { greatest: bool, signed: bool },
}

/// What was taken out: a map that is applied to the reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    /// `kind` of the reduction (on the left) and `factor`.
    Factor { kind: Binary, factor: Term },
    /// The reduction, clamped by `limit`.
    Limit { greatest: bool, signed: bool, limit: Term },
}

impl Outside {
    /// Applies what was taken out to the reduction of the rest.
    pub(crate) fn of(self, pool: &mut Pool, reduction: Term) -> Term {
        match self {
            Self::Factor { kind, factor } => pool.binary(kind, reduction, factor),
            Self::Limit { greatest, signed, limit } => {
                let relation = if signed { Compare::LessSigned } else { Compare::Less };
                let [first, second] =
                    if greatest { [limit, reduction] } else { [reduction, limit] };
                let keeps = pool.compare(relation, first, second);
                pool.ite(keeps, reduction, limit)
            }
        }
    }

    /// It contains this term.
    pub(crate) fn is_by(self, term: Term) -> bool {
        match self {
            Self::Factor { factor, .. } => factor == term,
            Self::Limit { limit, .. } => limit == term,
        }
    }

    /// It maps the identity to itself.
    pub(crate) fn keeps(self, pool: &mut Pool, identity: Term) -> bool {
        self.of(pool, identity) == identity
    }
}

/// The operators of reductions that a factor can be taken out of.
const REDUCED: [Binary; 4] = [Binary::Add, Binary::Xor, Binary::Or, Binary::And];

/// `h(a op b) = h(a) op h(b)` where `h(x)` is `kind` of `x` and a factor.
pub(crate) fn distributes(kind: Binary, over: Reduced) -> bool {
    let shifts = matches!(kind, Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned);
    match over {
        Reduced::By(Binary::Add) => matches!(kind, Binary::Mul | Binary::ShiftLeft),
        Reduced::By(Binary::Xor) => kind == Binary::And || shifts,
        Reduced::By(Binary::Or | Binary::And) => matches!(kind, Binary::And | Binary::Or) || shifts,
        Reduced::Extreme { signed: false, .. } => {
            matches!(kind, Binary::ShiftRight | Binary::ShiftRightSigned | Binary::DivUnsigned)
        }
        Reduced::Extreme { signed: true, .. } => kind == Binary::ShiftRightSigned,
        Reduced::By(_) => false,
    }
}

/// The operator that placeholders 0 and 1 are combined by, where a factor can be taken out of it.
pub(crate) fn reduced_by(pool: &mut Pool, operator: Term) -> Option<Reduced> {
    let sort = pool.sort(operator);
    let [a, b] = [0, 1].map(|index| pool.placeholder(index, sort));
    if let Some(kind) = REDUCED.into_iter().find(|&kind| pool.binary(kind, a, b) == operator) {
        return Some(Reduced::By(kind));
    }
    let Extreme { of, greatest, signed } = extreme(pool, operator)?;
    (of == [a, b] || of == [b, a]).then_some(Reduced::Extreme { greatest, signed })
}

/// The lesser or the greater of two values.
struct Extreme {
    of: [Term; 2],
    greatest: bool,
    signed: bool,
}

/// A minimum or maximum, written as a choice between the two values that are compared.
fn extreme(pool: &Pool, term: Term) -> Option<Extreme> {
    let Node::Ite(condition, then, otherwise) = *pool.node(term) else { return None };
    let (order, turned) = match *pool.node(condition) {
        Node::Not(inner) => (inner, true),
        _ => (condition, false),
    };
    let Node::Compare(relation, less, more) = *pool.node(order) else { return None };
    let (chosen, other) = if turned { (otherwise, then) } else { (then, otherwise) };
    let greatest = match (less == chosen && more == other, more == chosen && less == other) {
        (true, _) => false,
        (_, true) => true,
        _ => return None,
    };
    let signed = matches!(relation, Compare::LessSigned | Compare::LessEqualSigned);
    Some(Extreme { of: [less, more], greatest, signed })
}

/// The ways to split a part of a reduction by `over` into a value of the lane and a factor that is
/// `shared`.
pub(crate) fn factors(
    pool: &Pool,
    over: Reduced,
    part: Term,
    mut shared: impl FnMut(Term) -> bool,
) -> Vec<(Outside, Term)> {
    let mut found = Vec::new();
    if let Node::Binary(kind, a, b) = *pool.node(part)
        && distributes(kind, over)
    {
        if shared(b) {
            found.push((Outside::Factor { kind, factor: b }, a));
        }
        let commutes = matches!(kind, Binary::Mul | Binary::And | Binary::Or);
        if commutes && shared(a) {
            found.push((Outside::Factor { kind, factor: a }, b));
        }
    }
    if let Reduced::Extreme { signed: of_reduction, .. } = over
        && let Some(Extreme { of: [a, b], greatest, signed }) = extreme(pool, part)
        && signed == of_reduction
    {
        for (own, limit) in [(a, b), (b, a)] {
            if shared(limit) {
                found.push((Outside::Limit { greatest, signed, limit }, own));
            }
        }
    }
    found
}

/// Sums of more values than this are not split.
const SUMMANDS: usize = 4;

/// The summands of a part of a reduction by addition or exclusive or, each with its multiplicity;
/// `None` for a single value. Such a reduction is the combination of the reductions of each
/// summand.
pub(crate) fn summands(pool: &mut Pool, over: Reduced, part: Term) -> Option<Vec<(Term, Term)>> {
    let width = pool.width(part);
    let one = pool.bits(1, width);
    match (over, pool.node(part).clone()) {
        (Reduced::By(Binary::Add), Node::Linear(parts, constant)) => {
            if parts.len() > SUMMANDS {
                return None;
            }
            let mut summands: Vec<(Term, Term)> =
                parts.iter().map(|&(value, factor)| (value, pool.bits(factor, width))).collect();
            if constant != 0 {
                summands.push((pool.bits(constant, width), one));
            }
            Some(summands)
        }
        (Reduced::By(Binary::Xor), Node::Binary(Binary::Xor, a, b)) => {
            Some(vec![(a, one), (b, one)])
        }
        (Reduced::By(Binary::Xor), Node::BitNot(a)) => {
            let ones = pool.bits(u128::MAX >> (u128::BITS - width), width);
            Some(vec![(a, one), (ones, one)])
        }
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use laneproof_semantics::term::{GroundValue, Interpretation, Sort, Symbol};

    use super::*;

    /// `kind` of two numbers of four bits.
    fn applied(pool: &mut Pool, kind: Binary, a: u128, b: u128) -> u128 {
        let [a, b] = [a, b].map(|it| pool.bits(it, 4));
        let found = pool.binary(kind, a, b);
        pool.bits_of(found).unwrap_or_else(|| panic!("{kind:?} of two constants is none"))
    }

    /// Two numbers of four bits, reduced.
    fn reduced(pool: &mut Pool, over: Reduced, a: u128, b: u128) -> u128 {
        match over {
            Reduced::By(kind) => applied(pool, kind, a, b),
            Reduced::Extreme { greatest, signed } => {
                let turned = |it: u128| if signed { it ^ 8 } else { it };
                if (turned(a) < turned(b)) == greatest { b } else { a }
            }
        }
    }

    /// Every operator from which something can be taken out.
    fn every_operator() -> Vec<Reduced> {
        let pairs = [(false, false), (false, true), (true, false), (true, true)];
        let extremes = pairs.map(|(greatest, signed)| Reduced::Extreme { greatest, signed });
        REDUCED.map(Reduced::By).into_iter().chain(extremes).collect()
    }

    /// The law as it is stated, for all numbers of four bits.
    fn holds(pool: &mut Pool, over: Reduced, mut map: impl FnMut(&mut Pool, u128) -> u128) -> bool {
        let images: Vec<u128> = (0..16).map(|it| map(pool, it)).collect();
        (0..16).all(|a| {
            (0..16).all(|b| {
                let both = reduced(pool, over, a, b);
                let of_images = reduced(pool, over, images[a as usize], images[b as usize]);
                images[both as usize] == of_images
            })
        })
    }

    /// No pair is listed that breaks the law, and of those that keep it none is missing.
    #[test]
    fn what_distributes_is_what_keeps_the_law() {
        let mut pool = Pool::new();
        for over in every_operator() {
            for kind in Binary::ALL {
                let lawful =
                    (0..16).all(|u| holds(&mut pool, over, |pool, x| applied(pool, kind, x, u)));
                assert_eq!(distributes(kind, over), lawful, "{kind:?} over {over:?}");
            }
        }
    }

    /// Clamping commutes with the reductions by the same order, and taking it out loses nothing.
    #[test]
    fn a_limit_keeps_the_order_that_it_goes_by() {
        let mut pool = Pool::new();
        let [x, u] = ["x", "u"].map(|name| pool.fresh(name, Sort::Bits(4)));
        let mut found = 0;
        for over in every_operator() {
            for of_limit in every_operator() {
                let Reduced::Extreme { greatest, signed } = of_limit else { continue };
                let outside = Outside::Limit { greatest, signed, limit: u };
                let part = outside.of(&mut pool, x);
                for (it, own) in factors(&pool, over, part, |it| it == u) {
                    assert_eq!((it, own), (outside, x));
                    for limit in 0..16 {
                        let kept = holds(&mut pool, over, |pool, x| {
                            let limit = pool.bits(limit, 4);
                            let of = Outside::Limit { greatest, signed, limit };
                            let x = pool.bits(x, 4);
                            let limited = of.of(pool, x);
                            pool.bits_of(limited).unwrap()
                        });
                        assert!(kept, "{of_limit:?} over {over:?}");
                    }
                    found += 1;
                }
            }
        }
        assert_eq!(found, 8);
    }

    /// If the identity is changed, an empty reduction is a separate case.
    #[test]
    fn a_map_keeps_the_identity_or_not() {
        let mut pool = Pool::new();
        let u = pool.fresh("u", Sort::Bits(4));
        let [none, all] = [0, 0xf].map(|it| pool.bits(it, 4));
        let factor = |kind| Outside::Factor { kind, factor: u };
        let limit = |greatest| Outside::Limit { greatest, signed: false, limit: u };
        let cases = [
            (factor(Binary::Mul), none, true),
            (factor(Binary::And), none, true),
            (factor(Binary::And), all, false),
            (factor(Binary::Or), all, true),
            (factor(Binary::Or), none, false),
            (factor(Binary::DivUnsigned), none, false),
            (limit(false), all, false),
            (limit(true), none, false),
        ];
        for (outside, identity, keeps) in cases {
            assert_eq!(outside.keeps(&mut pool, identity), keeps, "{outside:?}");
        }
    }

    /// Numbers of two bits each.
    struct Values([Symbol; 2], u128);

    impl Interpretation for Values {
        fn variable(&self, symbol: Symbol) -> GroundValue {
            GroundValue::Bits(if symbol == self.0[0] { self.1 & 3 } else { self.1 >> 2 })
        }

        fn apply(&self, _: Symbol, _: u32) -> GroundValue {
            GroundValue::Bits(0)
        }
    }

    /// The summands with their multiplicities are what they came from, for all numbers.
    #[test]
    fn what_is_taken_apart_is_its_sum() {
        let mut pool = Pool::new();
        let symbols = ["x", "y"].map(|name| pool.symbol(name, Sort::Bits(2)));
        let [x, y] = symbols.map(|symbol| pool.variable(symbol));
        let [two, three] = [2, 3].map(|number| pool.bits(number, 2));
        let twice = pool.binary(Binary::Mul, x, two);
        let sum = pool.add(twice, y);
        let more = pool.add(sum, three);
        let either = pool.binary(Binary::Xor, x, y);
        let not = pool.bit_not(x);
        let cases = [(Binary::Add, more, 3), (Binary::Xor, either, 2), (Binary::Xor, not, 2)];
        for (over, part, count) in cases {
            let summands = summands(&mut pool, Reduced::By(over), part).unwrap();
            assert_eq!(summands.len(), count);
            let mut all = pool.bits(0, 2);
            for (value, multiplicity) in summands {
                let times = pool.binary(Binary::Mul, value, multiplicity);
                all = pool.binary(over, all, times);
            }
            for values in 0..1 << 4 {
                let found = pool.evaluate(&[part, all], &Values(symbols, values));
                assert_eq!(found[0], found[1], "{over:?} of {values:#b}");
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
                let taken = factors(&pool, Reduced::By(Binary::Add), part, |it| it == u);
                for (outside, own) in taken {
                    assert_eq!((outside, own), (Outside::Factor { kind, factor: u }, x));
                    assert_eq!(outside.of(&mut pool, own), part);
                    found += 1;
                }
            }
            assert_eq!(found, sides, "{kind:?}");
        }
    }
}
