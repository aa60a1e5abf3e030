//! Lanes that are served in turn: in each step those that hold what the first of the others does.

use laneproof_semantics::term::{Binary, FloatFormat, FloatOp, Term};

use super::builder::Builder;
use super::{Case, LANES, WIDTH};

const COUNT: usize = LANES as usize;

/// Something of each lane.
type OfLanes = [Term; COUNT];

impl Builder<'_> {
    fn of_lanes_each(&mut self, each: impl Fn(&mut Self, usize) -> Term) -> OfLanes {
        std::array::from_fn(|lane| each(self, lane))
    }

    /// What lanes are told apart by: what they hold, or the same operation of that in each lane, with a mistake
    /// now and then.
    fn keys(&mut self) -> OfLanes {
        let operation = [None, None, Some(Binary::And), Some(Binary::Xor)];
        let operation = operation[usize::from(self.next(4))];
        let number = u128::from(self.next(4));
        self.of_lanes_each(|builder, lane| {
            let held = builder.held(lane as u32);
            let Some(operation) = operation else { return held };
            let other = match builder.next(8) {
                0 => builder.shared,
                _ => builder.pool.bits(number, WIDTH),
            };
            builder.pool.binary(operation, held, other)
        })
    }

    /// The key of the first of some lanes, or of the last; of another one where there is none, or a number.
    fn key_of_first(&mut self, keys: &OfLanes, among: &OfLanes) -> Term {
        let mut order: Vec<usize> = (0..COUNT).collect();
        if self.next(6) == 0 {
            order.reverse();
        }
        let mut chosen = match self.next(3) {
            0 => {
                let number = u128::from(self.next(4));
                self.pool.bits(number, WIDTH)
            }
            _ => keys[order[COUNT - 1]],
        };
        for &lane in order.iter().rev() {
            chosen = self.pool.ite(among[lane], keys[lane], chosen);
        }
        chosen
    }

    /// How many active lanes are told apart from each lane by nothing, and which are not served in the end.
    fn served_in_turn(&mut self, keys: &OfLanes) -> [OfLanes; 2] {
        let mut left = self.of_lanes_each(|builder, lane| builder.active(lane as u32));
        let mut results = [self.pool.bits(0, WIDTH + 1); COUNT];
        let steps = COUNT - usize::from(self.next(8) == 0);
        for _ in 0..steps {
            let first = self.key_of_first(keys, &left);
            let same = keys.map(|key| self.pool.equal(key, first));
            let mut served = same;
            for lane in 0..COUNT {
                if self.next(24) != 0 {
                    served[lane] = self.pool.and(left[lane], same[lane]);
                }
            }
            let number = self.count(&served);
            for lane in 0..COUNT {
                results[lane] = self.pool.ite(served[lane], number, results[lane]);
                let not = self.pool.not(same[lane]);
                left[lane] = self.pool.and(left[lane], not);
            }
        }
        [results, left]
    }

    /// Some active lane has another result than it should have.
    fn some_differs(&mut self, results: &OfLanes, wanted: &OfLanes) -> Term {
        let differ = self.of_lanes_each(|builder, lane| {
            let (here, equal) =
                (builder.active(lane as u32), builder.pool.equal(results[lane], wanted[lane]));
            let differ = builder.pool.not(equal);
            builder.pool.and(here, differ)
        });
        self.pool.any(differ.to_vec())
    }

    /// Whether a lane has the key of the first active one; or something else.
    fn about_first(&mut self, keys: &OfLanes) -> Term {
        if self.next(2) == 0 {
            return self.truth(0);
        }
        let active = self.of_lanes_each(|builder, lane| builder.active(lane as u32));
        let first = self.key_of_first(keys, &active);
        let lane = usize::from(self.next(LANES as u8));
        let same = self.pool.equal(keys[lane], first);
        if self.next(4) == 0 { self.pool.not(same) } else { same }
    }

    /// The same, each lane compared with each other.
    fn equal_to_own(&mut self, keys: &OfLanes) -> OfLanes {
        self.of_lanes_each(|builder, own| {
            let mut of = Vec::new();
            for lane in 0..COUNT {
                let same = builder.pool.equal(keys[lane], keys[own]);
                let here = builder.active(lane as u32);
                of.push(if builder.next(16) == 0 { same } else { builder.pool.and(here, same) });
            }
            builder.count(&of)
        })
    }
}

impl Case {
    /// Lanes that are served in turn get something else than by comparing each with each, or some are not
    /// served.
    pub(super) fn served(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let keys = builder.keys();
            let [results, left] = builder.served_in_turn(&keys);
            let unserved = builder.pool.any(left.to_vec());
            if builder.next(3) == 0 {
                return [unserved, builder.about_first(&keys), builder.truth(0)];
            }
            // Other keys now and then.
            let others = if builder.next(6) == 0 { builder.keys() } else { keys };
            let wanted = builder.equal_to_own(&others);
            let any = builder.some_differs(&results, &wanted);
            let known = match builder.next(2) {
                0 => builder.pool.not(unserved),
                _ => builder.truth(0),
            };
            [any, known, builder.about_first(&keys)]
        })
    }

    /// Lanes that are served in turn compute with what the first of the others holds, which is what they hold
    /// themselves.
    pub(super) fn computed_in_turn(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let keys = builder.keys();
            let operation = [Binary::Mul, Binary::Add, Binary::Xor][usize::from(builder.next(3))];
            let mut left = builder.of_lanes_each(|builder, lane| builder.active(lane as u32));
            let mut results = [builder.pool.bits(0, WIDTH); COUNT];
            for _ in 0..COUNT {
                let first = builder.key_of_first(&keys, &left);
                let value = builder.pool.binary(operation, first, builder.shared);
                for lane in 0..COUNT {
                    let same = builder.pool.equal(keys[lane], first);
                    let here = match builder.next(16) {
                        0 => same,
                        _ => builder.pool.and(left[lane], same),
                    };
                    let sides = match builder.next(16) {
                        0 => [results[lane], value],
                        _ => [value, results[lane]],
                    };
                    results[lane] = builder.pool.ite(here, sides[0], sides[1]);
                    let not = builder.pool.not(same);
                    left[lane] = builder.pool.and(left[lane], not);
                }
            }
            let wanted = builder.of_lanes_each(|builder, lane| {
                builder.pool.binary(operation, keys[lane], builder.shared)
            });
            let any = builder.some_differs(&results, &wanted);
            let unserved = builder.pool.any(left.to_vec());
            let known = match builder.next(3) {
                0 => builder.truth(0),
                _ => builder.pool.not(unserved),
            };
            [any, known, builder.truth(0)]
        })
    }

    /// Numbers that are converted are equal, of which one is a number where a lane takes part; and there
    /// something is known of the integer.
    pub(super) fn converted_where_known(bytes: &[u8]) -> Self {
        Self::built(bytes, |builder| {
            let op = [FloatOp::FromUnsigned, FloatOp::FromSigned][usize::from(builder.next(2))];
            let (shared, here, number) =
                (builder.shared, builder.truth(0), u128::from(builder.next(4)));
            let number = builder.pool.bits(number, WIDTH);
            let chosen = builder.pool.ite(here, number, shared);
            let sides = [chosen, shared];
            let [a, b] = sides.map(|it| builder.pool.float(op, FloatFormat::Half, &[it]));
            let same = builder.pool.equal(a, b);
            let one = builder.pool.bits(1, WIDTH);
            let bit = builder.pool.binary(Binary::ShiftLeft, one, shared);
            let held = builder.held(0);
            let (held, not) = (builder.pool.equal(held, bit), builder.pool.not(here));
            let known = match builder.next(4) {
                0 => builder.truth(0),
                _ => here,
            };
            let said = builder.pool.or(not, held);
            let differ = builder.pool.not(same);
            [builder.mostly_not(differ), known, said]
        })
    }
}
