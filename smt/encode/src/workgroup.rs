//! A whole workgroup: lane l of subgroup g is encoded as lane g·S + l, its `LocalInvocationIndex`.
//!
//! Every lane has a number here, so the subgroup of a lane is known when terms are built. A
//! computed lane is a choice among all lanes.

use laneproof_semantics::term::{Pool, Sort, Term};

/// Subgroups of one size, the last of which may be partial.
#[derive(Clone, Copy, Debug)]
pub struct WorkgroupSubgroups {
    /// `SubgroupSize`.
    pub size: u32,
    /// `NumSubgroups`.
    pub subgroups: u32,
    /// The number of invocations, 32 bits.
    pub existing: Term,
    /// How many of them along each axis, 32 bits each.
    pub sides: [Term; 3],
}

impl WorkgroupSubgroups {
    /// Any workgroup of this number of subgroups; of the `declared` shape, if that has this number.
    pub fn new(
        pool: &mut Pool,
        (size, subgroups): (u32, u32),
        declared: Option<[u32; 3]>,
        partial: bool,
    ) -> Self {
        let fits =
            |shape: &[u32; 3]| invocations(*shape).map(|it| it.div_ceil(size)) == Some(subgroups);
        let Some(shape) = declared.filter(fits) else {
            return Self::any(pool, size, subgroups, partial);
        };
        let mut number = |number: u32| pool.bits(u128::from(number), 32);
        let existing = number(shape.iter().product());
        Self { size, subgroups, existing, sides: shape.map(number) }
    }

    /// Any workgroup of this number of subgroups, of any shape; if it may be `partial`, with any
    /// number of lanes in the last subgroup.
    fn any(pool: &mut Pool, size: u32, subgroups: u32, partial: bool) -> Self {
        let most = size * subgroups;
        let least = if partial { most - size + 1 } else { most };
        let mut existing = pool.bits(u128::from(least), 32);
        if least < most {
            let more = pool.fresh("ExistingLanes.more", Sort::Bits(size.ilog2()));
            let more = pool.zero_extend(more, 32);
            existing = pool.add(existing, more);
        }
        let shapes: Vec<Vec<[u32; 3]>> = (least..=most).map(shapes).collect();
        let count = shapes.iter().map(Vec::len).max().unwrap_or(1);
        let shape = (count > 1).then(|| {
            let shape =
                pool.fresh("workgroup.shape", Sort::Bits(count.next_power_of_two().ilog2()));
            pool.zero_extend(shape, 32)
        });
        let sides = [0, 1, 2].map(|axis| {
            let of_count = |pool: &mut Pool, shapes: &[[u32; 3]]| {
                let mut side = pool.bits(u128::from(shapes[0][axis]), 32);
                for (number, other) in shapes.iter().enumerate().skip(1) {
                    let Some(shape) = shape else { continue };
                    let number = pool.bits(number as u128, 32);
                    let here = pool.equal(shape, number);
                    let other = pool.bits(u128::from(other[axis]), 32);
                    side = pool.ite(here, other, side);
                }
                side
            };
            let mut side = of_count(pool, &shapes[0]);
            for (count, shapes) in (least..=most).zip(&shapes).skip(1) {
                let count = pool.bits(u128::from(count), 32);
                let here = pool.equal(existing, count);
                let other = of_count(pool, shapes);
                side = pool.ite(here, other, side);
            }
            side
        });
        Self { size, subgroups, existing, sides }
    }

    /// Whether two numbered lanes are in one subgroup.
    pub fn together(&self, pool: &Pool, lanes: [Term; 2]) -> bool {
        let [a, b] = lanes.map(|lane| pool.bits_of(lane).map(|lane| lane as u32 / self.size));
        a.is_some() && a == b
    }
}

/// How many invocations a workgroup of this shape has.
pub fn invocations(shape: [u32; 3]) -> Option<u32> {
    shape.iter().try_fold(1_u32, |all, side| all.checked_mul(*side)).filter(|all| *all > 0)
}

/// The shapes that a workgroup of this number of invocations can have; a row first.
fn shapes(count: u32) -> Vec<[u32; 3]> {
    let divisors = |of: u32| (1..=of).rev().filter(move |it| of.is_multiple_of(*it));
    divisors(count).flat_map(|x| divisors(count / x).map(move |y| [x, y, count / x / y])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_all_invocations_and_a_row_is_the_first() {
        for (count, expected) in [(1, 1), (2, 3), (4, 6), (6, 9), (8, 10)] {
            let shapes = shapes(count);
            assert_eq!(shapes[0], [count, 1, 1]);
            assert_eq!(shapes.len(), expected, "{count}");
            assert!(shapes.iter().all(|shape| shape.iter().product::<u32>() == count));
        }
    }
}
