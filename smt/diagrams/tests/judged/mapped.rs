//! Extremes of images by one map, orders that are assumed, bits that are known.

use laneproof_diagrams::BrokenLaw;
use laneproof_semantics::term::{Binary, Compare, Pool, Term};

use super::builder::Builder;
use super::limited::extreme;
use super::{Case, LANES, WIDTH};

/// Images have this width.
const WIDE: u32 = 4;

/// A map of a value of [`WIDE`] bits.
#[derive(Clone, Copy)]
enum Map {
    Times(u128, u128),
    From(u128, u128),
    By(Binary, Term),
}

impl Map {
    fn of(self, pool: &mut Pool, value: Term) -> Term {
        match self {
            Self::Times(factor, constant) => {
                let [factor, constant] = [factor, constant].map(|it| pool.bits(it, WIDE));
                let product = pool.binary(Binary::Mul, value, factor);
                pool.add(product, constant)
            }
            Self::From(factor, constant) => {
                let [factor, constant] = [factor, constant].map(|it| pool.bits(it, WIDE));
                let product = pool.binary(Binary::Mul, value, factor);
                pool.binary(Binary::Sub, constant, product)
            }
            Self::By(operation, operand) => pool.binary(operation, value, operand),
        }
    }
}

/// What changes nothing beside others.
pub(super) fn weakest(less: Compare, greatest: bool) -> u128 {
    match (less, greatest) {
        (Compare::Less, true) => 0,
        (Compare::Less, false) => 15,
        (_, true) => 8,
        (_, false) => 7,
    }
}

impl Builder<'_> {
    fn map(&mut self) -> Map {
        let numbers = [self.next(5), self.next(16)].map(u128::from);
        let shared = self.pool.zero_extend(self.shared, WIDE);
        match self.next(6) {
            0 | 1 => Map::Times(numbers[0], numbers[1]),
            2 | 3 => Map::From(numbers[0], numbers[1]),
            4 => Map::By(Binary::ShiftRight, shared),
            _ => Map::By(
                [Binary::DivUnsigned, Binary::ShiftRightSigned][numbers[0] as usize % 2],
                shared,
            ),
        }
    }

    /// A payload of a lane that is mostly the same one for the same lane.
    pub(super) fn held(&mut self, lane: u32) -> Term {
        let lane = self.pool.bits(u128::from(lane), 32);
        self.pool.apply(self.payload, lane)
    }

    /// A lane takes part.
    pub(super) fn active(&mut self, lane: u32) -> Term {
        let lane = self.pool.bits(u128::from(lane), 32);
        self.pool.apply(self.member, lane)
    }

    /// Each payload is the extreme of those of the lanes before it and of itself, where it takes part, or
    /// everywhere.
    fn sorted(&mut self) -> Term {
        let greatest = self.next(2) == 0;
        let less = [Compare::Less, Compare::LessSigned][usize::from(self.next(2))];
        let everywhere = self.next(2) == 0;
        let mut all = Vec::new();
        for lane in 1..LANES {
            let own = self.held(lane);
            let mut so_far = own;
            for before in 0..lane {
                let (there, other) = (self.truth(0), self.held(before));
                let more = extreme(&mut self.pool, less, greatest, [so_far, other]);
                let always = everywhere || self.next(4) == 0;
                so_far = if always { more } else { self.pool.ite(there, more, so_far) };
            }
            all.push(self.pool.equal(so_far, own));
        }
        self.pool.all(all)
    }

    /// Of two limits one is not above the other where a condition holds; a payload is below one of them
    /// and not below the other.
    fn between_limits(&mut self, less: Compare) -> [Term; 3] {
        let (low, here, value) = (self.shared, self.truth(0), self.held(0));
        let strict = self.next(2) == 0;
        let negated = self.next(2) == 0;
        let other = self.truth(0);
        let pool = &mut self.pool;
        let high = pool.bit_not(low);
        let ordered = match strict {
            true => pool.compare(less, low, high),
            false => {
                let above = pool.compare(less, high, low);
                pool.not(above)
            }
        };
        let not_here = pool.not(here);
        let known = pool.or(not_here, ordered);
        let below_low = pool.compare(less, value, low);
        let below_high = pool.compare(less, value, high);
        let above_high = pool.not(below_high);
        let between = pool.and(below_low, above_high);
        [known, between, if negated { not_here } else { other }]
    }

    /// One payload is not above another one where a condition holds, or is an extreme of some.
    fn about_order(&mut self) -> Term {
        let (relation, here) = (self.relation(), self.truth(0));
        let first = u32::from(self.next(3));
        let mut holds = match self.next(3) {
            0 => {
                let (a, b) = (self.held(first), self.shared);
                let (a, b) = if self.next(2) == 0 { (a, b) } else { (b, a) };
                self.pool.compare(relation, a, b)
            }
            1 => {
                let (a, b) = (self.held(first), self.held((first + 1) % LANES));
                self.pool.compare(relation, a, b)
            }
            _ => {
                let greatest = self.next(2) == 0;
                let less = [Compare::Less, Compare::LessSigned][usize::from(self.next(2))];
                let own = self.held(first);
                let mut all = if self.next(4) == 0 { self.shared } else { own };
                for lane in 0..LANES {
                    let (there, other) = (self.truth(0), self.held(lane));
                    let more = extreme(&mut self.pool, less, greatest, [all, other]);
                    all = self.pool.ite(there, more, all);
                }
                self.pool.equal(all, own)
            }
        };
        if self.next(6) == 0 {
            holds = self.pool.not(holds);
        }
        let not_here = self.pool.not(here);
        if self.next(4) == 0 { holds } else { self.pool.or(not_here, holds) }
    }
}

impl Case {
    /// The cases of this file.
    pub(super) const OF_MAPS: [fn(&[u8]) -> Self; 6] =
        [Self::mapped, Self::in_order, Self::masked, Self::apart, Self::chosen, Self::by_limits];

    /// Images by a map that turns the order, and the image of the wrong extreme.
    fn turned() -> Self {
        Self::built(&[], |builder| {
            let values = [0, 1].map(|lane| {
                let value = builder.held(lane);
                builder.pool.zero_extend(value, WIDE)
            });
            let there = [0, 1].map(|lane| {
                let lane = builder.pool.bits(lane, 32);
                builder.pool.apply(builder.member, lane)
            });
            let (pool, map) = (&mut builder.pool, Map::From(2, 9));
            let nothing = pool.bits(15, WIDE);
            let images = [0, 1].map(|place| {
                let image = map.of(pool, values[place]);
                pool.ite(there[place], image, nothing)
            });
            let least = extreme(pool, Compare::Less, false, images);
            let values = [0, 1].map(|place| pool.ite(there[place], values[place], nothing));
            let value = extreme(pool, Compare::Less, false, values);
            let (image, some) = (map.of(pool, value), pool.or(there[0], there[1]));
            let image = pool.ite(some, image, nothing);
            let equal = pool.equal(least, image);
            let differ = pool.not(equal);
            [differ, differ, differ]
        })
    }

    /// The least of a limit and of a payload, each where a condition holds, and the same where another
    /// condition holds for the payload; both were compared.
    fn beside_limit() -> Self {
        Self::built(&[], |builder| {
            let (limit, value) = (builder.shared, builder.held(0));
            let [p, q, r] = [0, 1, 2].map(|lane| {
                let lane = builder.pool.bits(lane, 32);
                builder.pool.apply(builder.member, lane)
            });
            let pool = &mut builder.pool;
            let weakest = pool.bits(3, WIDTH);
            let limit_there = pool.ite(p, limit, weakest);
            let sides = [q, r].map(|here| {
                let value = pool.ite(here, value, weakest);
                extreme(pool, Compare::Less, false, [limit_there, value])
            });
            let below = pool.compare(Compare::Less, value, limit);
            let compared = pool.or(r, below);
            let equal = pool.equal(sides[0], sides[1]);
            let differ = pool.not(equal);
            [compared, differ, differ]
        })
    }

    /// Cases that show single faults, which random ones seldom do.
    pub(super) const SHOWN: [(BrokenLaw, fn() -> Self); 5] = [
        (BrokenLaw::MapNotTurned, Self::turned),
        (BrokenLaw::OutdoneEverywhere, Self::beside_limit),
        (BrokenLaw::ChosenTogether, Self::extreme_beside_value),
        (BrokenLaw::SomePartIsEqual, Self::lesser_or_in_some_states),
        (BrokenLaw::HighBitsOfProduct, Self::high_bits_of_product),
    ];

    /// The least or greatest of images by one map, and the image of the least or greatest, with a
    /// mistake now and then.
    pub(super) fn mapped(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
            let (greatest, mistake, map) = (builder.next(2) == 0, builder.next(8), builder.map());
            let turns = matches!(map, Map::From(..)) != (mistake == 0);
            let number = |builder: &mut Builder<'_>, greatest| {
                builder.pool.bits(weakest(less, greatest), WIDE)
            };
            let mut images = number(builder, greatest);
            let mut values = number(builder, greatest != turns);
            let (nothing, mut some) = (images, builder.pool.bool(false));
            for lane in 0..LANES {
                let (here, value) = (builder.truth(0), builder.held(lane));
                let value = builder.pool.zero_extend(value, WIDE);
                let map = if builder.next(12) == 0 { builder.map() } else { map };
                let pool = &mut builder.pool;
                let image = map.of(pool, value);
                let more = extreme(pool, less, greatest, [images, image]);
                images = pool.ite(here, more, images);
                let more = extreme(pool, less, greatest != turns, [values, value]);
                values = pool.ite(here, more, values);
                some = pool.or(some, here);
            }
            let pool = &mut builder.pool;
            let image = map.of(pool, values);
            let image = pool.ite(some, image, nothing);
            let equal = pool.equal(images, image);
            [builder.mostly_not(equal), builder.about_one(), builder.truth(0)]
        })
    }

    /// Orders are assumed, and the least or greatest of some payloads is one of them, or is not.
    pub(super) fn in_order(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let mut known = [builder.about_order(), builder.about_order()];
            if builder.next(2) == 0 {
                known = [builder.sorted(), known[0]];
            }
            let greatest = builder.next(2) == 0;
            let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
            let sorted = builder.next(2) == 0;
            let lane = if sorted { 0 } else { u32::from(builder.next(3)) };
            let mut all = builder.held(lane);
            for lane in 0..LANES {
                let (here, other) = (builder.truth(0), builder.held(lane));
                let more = extreme(&mut builder.pool, less, greatest, [all, other]);
                all = builder.pool.ite(here, more, all);
            }
            let lane = if sorted { 2 * u32::from(builder.next(2)) } else { lane };
            let value = builder.held(lane);
            let equal = builder.pool.equal(all, value);
            [known[0], known[1], builder.pool.not(equal)]
        })
    }

    /// What is beyond a limit is the limit: in each lane, or once for all, with a mistake now and then. Or
    /// a payload is below one of two limits that are in order where something holds.
    pub(super) fn by_limits(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let greatest = builder.next(2) == 0;
            let less = [Compare::Less, Compare::LessSigned][usize::from(builder.next(2))];
            if builder.next(2) == 0 {
                return builder.between_limits(less);
            }
            let mistake = u32::from(builder.next(6));
            let (mut each, mut all) = (builder.shared, builder.shared);
            let mut some = builder.pool.bool(false);
            for lane in 0..LANES {
                let (here, other) = (builder.truth(0), builder.held(lane));
                let (pool, limit) = (&mut builder.pool, builder.shared);
                let beyond = if greatest { [limit, other] } else { [other, limit] };
                let beyond = pool.compare(less, beyond[0], beyond[1]);
                let single = pool.ite(beyond, limit, other);
                if lane == 0 {
                    (each, all, some) = (single, other, beyond);
                    continue;
                }
                let more = extreme(pool, less, greatest, [each, single]);
                each = pool.ite(here, more, each);
                if mistake != lane {
                    let more = extreme(pool, less, greatest, [all, other]);
                    all = pool.ite(here, more, all);
                }
                let beyond = pool.and(here, beyond);
                some = pool.or(some, beyond);
            }
            let target = builder.pool.ite(some, builder.shared, all);
            let equal = builder.pool.equal(each, target);
            [builder.pool.not(equal), builder.about_one(), builder.truth(0)]
        })
    }

    /// Some bits of a payload are known, and something is said of it.
    pub(super) fn masked(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let lane = u32::from(builder.next(3));
            let (value, here) = (builder.held(lane), builder.truth(0));
            let place = u32::from(builder.next(2));
            let number = u128::from(builder.next(2));
            let kept = if builder.next(2) == 0 {
                let pool = &mut builder.pool;
                let mask = pool.bits(1 << place, WIDTH);
                let kept = pool.binary(Binary::And, value, mask);
                let number = pool.bits(number << place, WIDTH);
                pool.equal(kept, number)
            } else {
                let pool = &mut builder.pool;
                let part = pool.extract(value, place, place);
                let number = pool.bits(number, 1);
                pool.equal(part, number)
            };
            let not_here = builder.pool.not(here);
            let known = builder.pool.or(not_here, kept);
            let other = builder.payload(1);
            let number = u128::from(builder.next(4));
            let number = builder.pool.bits(number, WIDTH);
            let other = if builder.next(2) == 0 { other } else { number };
            let about = builder.pool.equal(value, other);
            [known, builder.mostly_not(about), builder.truth(1)]
        })
    }

    /// Each lane's value differs from a choice by one condition: of a sum by what is the case there, or of
    /// what it is elsewhere.
    pub(super) fn chosen(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let (a, b) = (builder.held(0), builder.held(1));
            let same = match builder.next(3) {
                0 => builder.truth(2),
                _ => builder.pool.equal(a, b),
            };
            let mut ways = Vec::new();
            let mistake = builder.next(4);
            for lane in 0..LANES {
                let (here, other) = (builder.truth(0), builder.held(lane));
                let pool = &mut builder.pool;
                let sum = pool.add(a, b);
                let (source, twice) = (pool.add(sum, other), pool.add(a, a));
                let fast = pool.add(twice, other);
                let otherwise = if mistake == 0 { fast } else { source };
                let fast = if mistake == 1 { twice } else { fast };
                let target = pool.ite(same, fast, otherwise);
                let equal = pool.equal(source, target);
                let differ = pool.not(equal);
                ways.push(pool.and(here, differ));
            }
            let differ = builder.pool.any(ways);
            [differ, builder.truth(0), differ]
        })
    }

    /// Two values of which no bit is set in both where a condition holds, combined bit by bit or added.
    pub(super) fn apart(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let conditions = [builder.truth(0), builder.truth(0)];
            let (mut sides, mut there) = (Vec::new(), Vec::new());
            for places in [2, 0] {
                let here = conditions[usize::from(builder.next(8) == 0)];
                let (a, b) = (builder.payload(0), builder.wide(0));
                let pool = &mut builder.pool;
                let a = pool.zero_extend(a, WIDE);
                let places = pool.bits(places, WIDE);
                let a = pool.binary(Binary::ShiftLeft, a, places);
                sides.push(pool.ite(here, a, b));
                there.push(a);
            }
            let operation = [Binary::Or, Binary::Xor][usize::from(builder.next(2))];
            let added = if builder.next(3) == 0 { there } else { sides.clone() };
            let pool = &mut builder.pool;
            let both = pool.binary(operation, sides[0], sides[1]);
            let sum = pool.add(added[0], added[1]);
            let equal = pool.equal(both, sum);
            let differ = pool.not(equal);
            let beside = if builder.next(3) == 0 { builder.truth(0) } else { conditions[0] };
            [differ, beside, builder.about_one()]
        })
    }
}
