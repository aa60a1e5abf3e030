//! The state in which both functions are entered: sizes, lanes, parameters.

use std::collections::BTreeSet;

use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use crate::encode::{InputLeaf, sort_of};
use crate::flat::Flat;
use crate::obligation::{LARGEST, Problem, Sizes};

/// `SubgroupSize`: one size, or any of several.
pub(crate) fn subgroup_size(pool: &mut Pool, sizes: &Sizes, state: &mut Vec<Term>) -> Term {
    match sizes {
        Sizes::One(size) => pool.bits(u128::from(*size), 32),
        Sizes::All(sizes) => {
            let size = pool.fresh("SubgroupSize", Sort::Bits(32));
            let among: Vec<Term> = sizes
                .iter()
                .map(|&one| {
                    let one = pool.bits(u128::from(one), 32);
                    pool.equal(size, one)
                })
                .collect();
            state.push(pool.any(among));
            size
        }
    }
}

/// A power of two from SubgroupSize to twice that, 128 at most.
pub(crate) fn max_size(pool: &mut Pool, size: Term, state: &mut Vec<Term>) -> Term {
    let twice = pool.add(size, size);
    let limit = pool.bits(u128::from(LARGEST), 32);
    let fits = pool.less_equal(twice, limit);
    if pool.bool_of(fits) == Some(false) {
        return size;
    }
    let doubled = pool.fresh("SubgroupMaxSize.is.twice", Sort::Bool);
    state.push(pool.implies(doubled, fits));
    pool.ite(doubled, twice, size)
}

/// Which subgroup of its workgroup a question is about: any of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// `SubgroupId`, 32 bits.
    pub subgroup: Term,
    /// `NumSubgroups`, 32 bits.
    pub subgroups: Term,
    /// Something asked for one of them.
    pub consulted: bool,
}

impl Place {
    /// Subgroups before this one, this one, and subgroups after it: so numbers are below the
    /// number of subgroups by the way they are made, and no question has to say so.
    pub(crate) fn any(pool: &mut Pool) -> Self {
        let mut some = |name: &str| {
            let number = pool.fresh(name, Sort::Bits(31));
            pool.zero_extend(number, 32)
        };
        let (subgroup, after) = (some("SubgroupId"), some("subgroups.after"));
        let one = pool.bits(1, 32);
        let up_to_here = pool.add(subgroup, one);
        Self { subgroup, subgroups: pool.add(up_to_here, after), consulted: false }
    }
}

/// How many lanes exist: as many as the subgroup has, or fewer.
pub(crate) fn existing_lanes(
    pool: &mut Pool,
    partial: bool,
    size: Term,
    state: &mut Vec<Term>,
) -> Term {
    if !partial {
        return size;
    }
    let existing = pool.fresh("ExistingLanes", Sort::Bits(32));
    let one = pool.bits(1, 32);
    let some = pool.less_equal(one, existing);
    let at_most = pool.less_equal(existing, size);
    state.extend([some, at_most]);
    existing
}

/// A nonempty set of existing lanes, 128 bits.
pub(crate) fn active_lanes(
    pool: &mut Pool,
    problem: &Problem<'_>,
    sizes: &Sizes,
    existing: Term,
    state: &mut Vec<Term>,
) -> Term {
    let below = {
        let one = pool.bits(1, LARGEST);
        let wide = pool.zero_extend(existing, LARGEST);
        let end = pool.binary(Binary::ShiftLeft, one, wide);
        pool.binary(Binary::Sub, end, one)
    };
    if problem.all_active {
        return below;
    }
    let width = sizes.largest();
    let set = pool.fresh("ActiveLanes", Sort::Bits(width));
    let set = pool.zero_extend(set, LARGEST);
    let none = pool.bits(0, LARGEST);
    let empty = pool.equal(set, none);
    state.push(pool.not(empty));
    let outside = pool.bit_not(below);
    let stray = pool.binary(Binary::And, set, outside);
    state.push(pool.equal(stray, none));
    set
}

/// What stands in each leaf of the parameters, and whether some payload is only moved.
pub(crate) fn inputs(
    pool: &mut Pool,
    flat: &Flat,
    tags: bool,
    computed: &BTreeSet<u32>,
) -> (Vec<Vec<InputLeaf>>, bool) {
    let mut number = 0;
    let mut moved = false;
    let inputs = flat
        .inputs
        .iter()
        .map(|input| {
            let scalars = input.ty.leaves();
            scalars
                .into_iter()
                .enumerate()
                .map(|(leaf, scalar)| {
                    let source = number;
                    number += 1;
                    let tag = tags && !computed.contains(&source);
                    moved |= tag;
                    match (tag, input.uniform) {
                        (true, true) => InputLeaf::MovedUniform(source),
                        (true, false) => InputLeaf::Moved(source),
                        (false, uniform) => {
                            let name = format!("{}.{leaf}", input.name);
                            let symbol = pool.symbol(name, sort_of(scalar));
                            if uniform {
                                InputLeaf::Uniform(symbol)
                            } else {
                                InputLeaf::PerLane(symbol)
                            }
                        }
                    }
                })
                .collect()
        })
        .collect();
    (inputs, moved)
}
