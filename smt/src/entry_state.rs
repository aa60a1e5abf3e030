//! The state in which both functions are entered: sizes, lanes, parameters.

use std::collections::BTreeSet;
use std::time::Instant;

use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use crate::encode::{InputLeaf, World, sort_of};
use crate::flat::Flat;
use crate::fold::Folds;
use crate::lane::small;
use crate::memory_claim;
use crate::obligation::{LARGEST, Plan, Problem, Sizes, View};
use crate::surroundings::Surroundings;
use crate::survey::Surveys;
use crate::workgroup::Workgroup;

/// The state in which both functions are entered, and what is known of it.
pub(crate) struct Entered<'a> {
    pub world: World<'a>,
    pub known: Vec<Term>,
    /// No memory is larger than a replay can take.
    pub small: Term,
    /// Payloads are tags.
    pub moved: bool,
}

/// Any state that counts, seen as `plan` says; payloads that are `computed` with are bits.
pub(crate) fn entered<'a>(
    pool: &mut Pool,
    problem: &Problem<'a>,
    plan: &Plan,
    computed: &BTreeSet<u32>,
    deadline: Instant,
) -> Result<Entered<'a>, DenoteError> {
    let mut known = Vec::new();
    let size = subgroup_size(pool, &plan.sizes, &mut known);
    let max_size = if problem.kernel { max_size(pool, size, &mut known) } else { size };
    let whole = |subgroups| {
        let parts = (plan.sizes.largest(), subgroups);
        Workgroup::new(pool, parts, problem.local_size, problem.partial)
    };
    let workgroup = problem.subgroups.map(whole);
    let bound = plan.sizes.largest() * problem.subgroups.unwrap_or(1);
    let existing = match workgroup {
        Some(workgroup) => workgroup.existing,
        None => existing_lanes(pool, problem.partial, size, &mut known),
    };
    let mut surveys = Surveys::new(plan.view == View::Surveyed);
    let active = match plan.view {
        View::Surveyed if !problem.all_active => {
            let set = pool.fresh("ActiveLanes", Sort::Bits(LARGEST));
            known.extend(surveys.all_exist(pool, set, existing)?);
            set
        }
        _ => active_lanes(pool, problem, bound, existing, &mut known),
    };
    let (inputs, mut moved) = inputs(pool, problem.source, plan.tags, computed);
    let payloads = inputs.iter().map(Vec::len).sum::<usize>() as u32;
    let is_tag = |number: u32| plan.tags && !computed.contains(&(payloads + number));
    moved |= (0..problem.shapes.len() as u32).any(is_tag);
    let memories = memory_claim::memories(pool, problem.shapes, |number| {
        is_tag(number).then_some(payloads + number)
    });
    memory_claim::state(pool, problem, &memories, &inputs, &mut known);
    let small = memory_claim::small(pool, &memories);
    let world = World {
        specification: problem.specification,
        settled: problem.settled,
        size,
        max_size,
        existing,
        place: Place::new(pool, problem.any_subgroup),
        surroundings: Surroundings::any(pool, problem.local_size, plan.view != View::Surveyed),
        workgroup,
        active,
        bound,
        inputs,
        memories,
        folds: Folds::new(plan.laws),
        surveys,
        deadline,
    };
    Ok(Entered { world, known, small, moved })
}

/// `SubgroupSize`: one size, or any of several.
fn subgroup_size(pool: &mut Pool, sizes: &Sizes, state: &mut Vec<Term>) -> Term {
    match sizes {
        Sizes::One(size) => pool.bits(u128::from(*size), 32),
        Sizes::All(sizes) => {
            let size = small(pool, "SubgroupSize", LARGEST);
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
fn max_size(pool: &mut Pool, size: Term, state: &mut Vec<Term>) -> Term {
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

/// Which subgroup of its workgroup a question is about: the first, or any of them.
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
    pub(crate) fn new(pool: &mut Pool, any: bool) -> Self {
        let mut some = |name: &str| {
            let number = pool.fresh(name, Sort::Bits(31));
            pool.zero_extend(number, 32)
        };
        let before = any.then(|| some("SubgroupId"));
        let after = some("subgroups.after");
        let subgroup = before.unwrap_or_else(|| pool.bits(0, 32));
        let one = pool.bits(1, 32);
        let up_to_here = pool.add(subgroup, one);
        Self { subgroup, subgroups: pool.add(up_to_here, after), consulted: false }
    }
}

/// How many lanes exist: as many as the subgroup has, or fewer.
fn existing_lanes(pool: &mut Pool, partial: bool, size: Term, state: &mut Vec<Term>) -> Term {
    if !partial {
        return size;
    }
    let existing = small(pool, "ExistingLanes", LARGEST);
    let one = pool.bits(1, 32);
    let some = pool.less_equal(one, existing);
    let at_most = pool.less_equal(existing, size);
    state.extend([some, at_most]);
    existing
}

/// The lanes of which there are so many, 128 bits.
pub(crate) fn below(pool: &mut Pool, existing: Term) -> Term {
    let one = pool.bits(1, LARGEST);
    let wide = pool.zero_extend(existing, LARGEST);
    let end = pool.binary(Binary::ShiftLeft, one, wide);
    pool.binary(Binary::Sub, end, one)
}

/// A nonempty set of existing lanes, 128 bits.
fn active_lanes(
    pool: &mut Pool,
    problem: &Problem<'_>,
    bound: u32,
    existing: Term,
    state: &mut Vec<Term>,
) -> Term {
    if problem.alone {
        return pool.bits(1, LARGEST);
    }
    let below = below(pool, existing);
    if problem.all_active {
        return below;
    }
    let set = pool.fresh("ActiveLanes", Sort::Bits(bound));
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
fn inputs(
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
