//! Sums word by word with carries, sums of a common summand compared, and extremes of extremes.

use laneproof_semantics::term::{Binary, Compare, Term};

use super::builder::Builder;
use super::limited::extreme;
use super::mapped::weakest;
use super::{Case, LANES, WIDTH};

/// The width of two words, and of what is compared.
const WIDE: u32 = 2 * WIDTH;

/// Minima and maxima of one order.
#[derive(Clone, Copy)]
struct Lattice(Compare);

impl Builder<'_> {
    /// Two words that a value is added to, with its upper word, and a carry, with a mistake now and then.
    fn added(&mut self, [low, high]: [Term; 2], [value, upper]: [Term; 2]) -> [Term; 2] {
        let [zero, one] = [0, 1].map(|it| self.pool.bits(it, WIDTH));
        let sum = self.pool.binary(Binary::Add, low, value);
        let (part, mistake) = ([low, value][usize::from(self.next(2))], self.next(40));
        let pool = &mut self.pool;
        let wraps = match mistake {
            0 => pool.compare(Compare::LessEqual, sum, part),
            1 => pool.compare(Compare::LessSigned, sum, part),
            _ => pool.compare(Compare::Less, sum, part),
        };
        let high = pool.binary(Binary::Add, high, upper);
        let carried = match self.next(2) {
            0 => {
                let carry = self.pool.ite(wraps, one, zero);
                self.pool.binary(Binary::Add, high, carry)
            }
            _ => {
                let more = self.pool.binary(Binary::Add, high, one);
                self.pool.ite(wraps, more, high)
            }
        };
        [sum, carried]
    }

    /// The value of a lane, and the upper word beside it.
    fn words(&mut self, lane: u32) -> [Term; 2] {
        let value = self.held(lane);
        let upper = match self.next(3) {
            0 => self.held((lane + 1) % LANES),
            1 => self.pool.bits(0, WIDTH),
            _ => self.shared,
        };
        [value, upper]
    }

    /// A value, and the same written otherwise, with a mistake now and then.
    fn of_lattice(&mut self, order: Lattice, depth: u32) -> [Term; 2] {
        if depth == 0 {
            let lane = u32::from(self.next(LANES as u8 + 1));
            return [if lane == LANES { self.shared } else { self.held(lane) }; 2];
        }
        let greatest = self.next(2) == 0;
        let other = greatest == (self.next(24) == 0);
        let (a, b) = (self.of_lattice(order, depth - 1), self.of_lattice(order, depth - 1));
        let of = |builder: &mut Self, greatest, a, b| {
            extreme(&mut builder.pool, order.0, greatest, [a, b])
        };
        match self.next(4) {
            0 => [of(self, greatest, a[0], b[0]), of(self, !other, b[1], a[1])],
            1 => {
                let around = of(self, other, a[1], b[1]);
                [a[0], of(self, greatest, around, a[1])]
            }
            2 => {
                let c = self.of_lattice(order, 0);
                let first = of(self, other, a[0], b[0]);
                let (x, y) = (of(self, greatest, a[1], c[1]), of(self, greatest, b[1], c[1]));
                [of(self, greatest, first, c[0]), of(self, other, x, y)]
            }
            _ => {
                let here = self.truth(0);
                let pool = &mut self.pool;
                [0, 1].map(|side| pool.ite(here, a[side], b[side]))
            }
        }
    }
}

impl Case {
    /// The cases of this file.
    pub(super) const OF_SUMS: [fn(&[u8]) -> Self; 3] =
        [Self::carried, Self::beside_summand, Self::in_lattice];

    /// A sum of two words that some lanes add to, one after the other, and that of numbers of both
    /// words.
    fn carried(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let zero = builder.pool.bits(0, WIDTH);
            let (mut two, mut whole) = ([zero; 2], builder.pool.bits(0, WIDE));
            // By mistake only the last carry counts.
            let forgets = builder.next(8) == 0;
            for lane in 0..LANES {
                let [value, upper] = builder.words(lane);
                let wide = builder.pool.concat(upper, value);
                let all = builder.pool.binary(Binary::Add, whole, wide);
                let mut more = builder.added(two, [value, upper]);
                if forgets && lane + 1 < LANES {
                    more[1] = builder.pool.binary(Binary::Add, two[1], upper);
                }
                let here = builder.truth(0);
                if builder.next(4) == 0 {
                    (two, whole) = (more, all);
                } else {
                    whole = builder.pool.ite(here, all, whole);
                    two = [0, 1].map(|word| builder.pool.ite(here, more[word], two[word]));
                }
            }
            let halves = [(WIDTH - 1, 0), (WIDE - 1, WIDTH)];
            let halves = halves.map(|(high, low)| builder.pool.extract(whole, high, low));
            let same = [0, 1].map(|word| builder.pool.equal(halves[word], two[word]));
            let both = builder.pool.all(same);
            let upper = match builder.next(3) {
                0 => both,
                _ => same[1],
            };
            [builder.mostly_not(upper), builder.truth(0), builder.truth(0)]
        })
    }

    /// The least or greatest of sums that have a summand in common, and that of what is beside it, and
    /// the summand more.
    fn beside_summand(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
            let greatest = builder.next(2) == 0;
            let factor = u128::from(builder.next(4)) + 1;
            let factor = builder.pool.bits(factor, WIDE);
            let shared = builder.pool.zero_extend(builder.shared, WIDE);
            let summand = builder.pool.binary(Binary::Mul, shared, factor);
            let other = builder.held(0);
            let other = builder.pool.zero_extend(other, WIDE);
            let more = u128::from(builder.next(16));
            let number = builder.pool.bits(if more < 8 { 0 } else { more }, WIDE);
            let (mut before, mut after) = (None, None);
            for lane in 0..LANES {
                let value = builder.held(lane);
                let value = builder.pool.zero_extend(value, WIDE);
                let value = builder.pool.add(value, number);
                let own = if builder.next(12) == 0 { other } else { summand };
                let sum = builder.pool.add(value, own);
                let here = builder.truth(0);
                for (all, one) in [(&mut before, sum), (&mut after, value)] {
                    let pool = &mut builder.pool;
                    *all = Some(match *all {
                        None => one,
                        Some(all) => {
                            let next = extreme(pool, less, greatest, [all, one]);
                            pool.ite(here, next, all)
                        }
                    });
                }
            }
            let (Some(before), Some(after)) = (before, after) else {
                unreachable!("there are lanes");
            };
            let after = builder.pool.add(after, summand);
            let equal = builder.pool.equal(before, after);
            [builder.mostly_not(equal), builder.truth(0), builder.about_one()]
        })
    }

    /// A summand, an extreme that is there in some states and a value that is there in some; and the same
    /// with the extreme only where the value is not. In the states of both they differ.
    pub(super) fn extreme_beside_value() -> Self {
        Self::built(&[], |builder| {
            let values = [0, 1, 2, LANES].map(|lane| builder.held(lane));
            let [extreme_here, value_here] = [0, 1].map(|lane| builder.active(lane));
            let pool = &mut builder.pool;
            let zero = pool.bits(0, WIDTH);
            let greatest = extreme(pool, Compare::Less, true, [values[0], values[1]]);
            let value = pool.ite(value_here, values[2], zero);
            let sum = pool.add(values[3], greatest);
            let sum = pool.ite(extreme_here, sum, values[3]);
            let together = pool.add(sum, value);
            let chosen = pool.ite(extreme_here, greatest, zero);
            let chosen = pool.ite(value_here, values[2], chosen);
            let apart = pool.add(values[3], chosen);
            let equal = pool.equal(together, apart);
            let differ = pool.not(equal);
            [differ, differ, differ]
        })
    }

    /// The last bits of a product, and the product of the last bits.
    pub(super) fn high_bits_of_product() -> Self {
        Self::built(&[], |builder| {
            let values = [0, 1, 2].map(|lane| builder.held(lane));
            let pool = &mut builder.pool;
            let values = values.map(|it| pool.zero_extend(it, 2 * WIDTH));
            let [a, b] = [1, 2].map(|it| pool.binary(Binary::Mul, values[0], values[it]));
            let product = pool.binary(Binary::Mul, a, b);
            let [whole, a, b] = [product, a, b].map(|it| pool.extract(it, 2 * WIDTH - 1, 1));
            let of_bits = pool.binary(Binary::Mul, a, b);
            let equal = pool.equal(whole, of_bits);
            let differ = pool.not(equal);
            [differ, differ, differ]
        })
    }

    /// The least or greatest of sums of a value and a summand that depends on which lanes take part, each
    /// lane by what it knows of that where it takes part itself; and that of the values, and the summand
    /// more.
    pub(super) fn summand_seen_by_lanes(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
            let greatest = builder.next(2) == 0;
            let factor = u128::from(builder.next(4)) + 1;
            let factor = builder.pool.bits(factor, WIDE);
            // No lane of those that are reduced, though it holds what one of them does.
            let other = builder.held(LANES);
            let several = [builder.shared, other].map(|it| builder.pool.zero_extend(it, WIDE));
            let [first, second] = several.map(|it| builder.pool.binary(Binary::Mul, it, factor));
            let active = [0, 1, 2].map(|lane| builder.active(lane));
            let without_first = builder.pool.ite(active[1], second, first);
            let summand = builder.pool.ite(active[0], first, without_first);
            let views = [first, builder.pool.ite(active[0], first, second), summand];
            let neutral = builder.pool.bits(weakest(less, greatest), WIDE);
            let (mut before, mut after) = (neutral, neutral);
            for lane in 0..LANES {
                let value = builder.held(lane);
                let value = builder.pool.zero_extend(value, WIDE);
                let view = views[lane as usize];
                // By mistake a lane takes part of the summand for all of it, or takes it twice.
                let own = match builder.next(10) {
                    0 => second,
                    1 => builder.pool.add(view, view),
                    _ => view,
                };
                let sum = builder.pool.add(value, own);
                let here = match builder.next(8) {
                    0 => builder.truth(0),
                    _ => active[lane as usize],
                };
                for (all, one) in [(&mut before, sum), (&mut after, value)] {
                    let pool = &mut builder.pool;
                    let next = extreme(pool, less, greatest, [*all, one]);
                    *all = pool.ite(here, next, *all);
                }
            }
            let any = active.into_iter().reduce(|a, b| builder.pool.or(a, b)).unwrap_or(active[0]);
            let after = builder.pool.add(after, summand);
            let equal = builder.pool.equal(before, after);
            [builder.mostly_not(equal), any, builder.truth(0)]
        })
    }

    /// Minima and maxima of some values, and the same by other ones.
    fn in_lattice(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
            let depth = u32::from(builder.next(3)) + 1;
            let [a, b] = builder.of_lattice(Lattice(less), depth);
            let equal = builder.pool.equal(a, b);
            [builder.mostly_not(equal), builder.truth(0), builder.truth(0)]
        })
    }
}
