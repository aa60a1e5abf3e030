//! The state in which both functions are entered: sizes, lanes, parameters.

use std::collections::BTreeSet;
use std::time::Instant;

use laneproof_encode::{
    EncodingPlan, EntryState, Folds, InputLeaf, LARGEST, LaneQuantifiers, Memories, Oracle,
    SizeSet, Standpoint, SubgroupPlace, Surroundings, View, WIDE, WorkgroupSubgroups, World, below,
    by_size, product, small,
};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Binary, Pool, Sort, Term};

use crate::claim;
use crate::problem::Problem;

/// The state in which both functions are entered, and the facts about it.
pub struct Entered<'a> {
    /// The state as terms.
    pub world: World<'a>,
    /// The facts about it; Boolean each.
    pub known: Vec<Term>,
    /// Every memory is small enough for a replay.
    pub small: Term,
    /// Payloads are tags.
    pub moved: bool,
}

/// The numbers of lanes are below.
fn lane_bound(problem: &Problem<'_>, plan: &EncodingPlan) -> u32 {
    match problem.group.subgroups {
        Some(subgroups) => plan.sizes.largest() * subgroups,
        None => problem.group.declared.map_or(plan.sizes.largest(), |it| it.bound(&plan.sizes)),
    }
}

/// An arbitrary state, in the view of `plan`; payloads that are `computed` with are bits.
pub fn entered<'a>(
    pool: &mut Pool,
    problem: &Problem<'a>,
    plan: &EncodingPlan,
    computed: &BTreeSet<u32>,
    deadline: Instant,
) -> Result<Entered<'a>, DenoteError> {
    let mut known = Vec::new();
    let size = subgroup_size(pool, &plan.sizes, &mut known);
    let max_size = if problem.group.kernel { max_size(pool, size, &mut known) } else { size };
    let (inputs, mut moved) = inputs(pool, problem, plan.tags, computed);
    let sides = match problem.group.declared {
        Some(declared) => Some(declared.sides(pool, problem.source, &inputs)?),
        None => None,
    };
    let workgroup = whole_workgroup(pool, problem, plan);
    if let (Some(workgroup), Some(sides)) = (workgroup, sides) {
        let same = workgroup.sides.into_iter().zip(sides);
        known.extend(same.map(|(side, declared)| pool.equal(side, declared)));
    }
    let bound = lane_bound(problem, plan);
    let around = WorkgroupFacts {
        sizes: &plan.sizes,
        size,
        invocations: sides.map(|sides| product(pool, sides)),
        standpoint: standpoint(problem),
        partial: problem.group.partial,
        fixed: problem.fixed.is_some(),
    };
    let place = around.place(pool, &mut known);
    let existing = match workgroup {
        Some(workgroup) => workgroup.existing,
        None => around.existing_lanes(pool, place.subgroup, &mut known),
    };
    around.required(pool, problem, [max_size, place.subgroups], &mut known);
    let others_missing = around.others_missing(pool, problem, place.subgroups);
    let alone = (problem.group.standpoint == Standpoint::Lone).then_some(existing);
    let surroundings = surroundings(pool, problem, sides, alone, plan);
    let mut quantifiers = LaneQuantifiers::new(plan.view == View::Quantified);
    let active = match plan.view {
        View::Quantified if !problem.group.all_active => {
            let set = pool.fresh("ActiveLanes", Sort::Bits(LARGEST));
            known.extend(quantifiers.all_exist(pool, set, existing)?);
            set
        }
        _ => active_lanes(pool, problem, bound, existing, &mut known),
    };
    let payloads = inputs.iter().map(Vec::len).sum::<usize>() as u32;
    let is_tag = |number: u32| plan.tags && !computed.contains(&(payloads + number));
    moved |= (0..problem.shapes.len() as u32).any(is_tag);
    let memories = memories(pool, problem, &inputs, &mut known, |number| {
        is_tag(number).then_some(payloads + number)
    });
    let small = claim::small(pool, &memories);
    let world = World {
        specification: problem.specification,
        settled: problem.settled,
        entry: EntryState {
            size,
            max_size,
            existing,
            place,
            surroundings,
            workgroup,
            active,
            bound,
            inputs,
            memories,
        },
        others_missing,
        oracle: plan.traced.then(Oracle::default),
        folds: Folds::new(plan.axioms),
        quantifiers,
        by_number: plan.diagrams,
        deadline,
    };
    known.extend(around.invocations.into_iter().flat_map(|it| countable(pool, it)));
    Ok(Entered { world, known, small, moved })
}

/// The subgroups of a workgroup that is encoded as a whole.
fn whole_workgroup(
    pool: &mut Pool,
    problem: &Problem<'_>,
    plan: &EncodingPlan,
) -> Option<WorkgroupSubgroups> {
    let parts = (plan.sizes.largest(), problem.group.subgroups?);
    let fixed = problem.group.declared.and_then(|it| it.fixed());
    // A workgroup size that is a specialization constant may leave the last subgroup partial.
    let any = problem.group.declared.is_some() && fixed.is_none();
    Some(WorkgroupSubgroups::new(pool, parts, fixed, problem.group.partial || any))
}

/// Which subgroup of its workgroup it is; of a known state, the first.
fn standpoint(problem: &Problem<'_>) -> Standpoint {
    match (problem.group.standpoint, problem.fixed) {
        (Standpoint::Any, Some(_)) => Standpoint::First,
        (standpoint, _) => standpoint,
    }
}

/// The workgroup and the grid; those of a known state, if it is one.
fn surroundings(
    pool: &mut Pool,
    problem: &Problem<'_>,
    sides: Option<[Term; 3]>,
    alone: Option<Term>,
    plan: &EncodingPlan,
) -> Surroundings {
    let (kernel, says) = (problem.group.kernel, plan.view != View::Quantified);
    let mut surroundings = Surroundings::any(pool, kernel, sides, alone, says);
    if let Some(fixed) = problem.fixed {
        surroundings.fix(pool, &fixed.grid);
    }
    surroundings
}

/// The memories that both sides are given, some as payloads with the tag `tag`, and the facts about
/// them.
fn memories(
    pool: &mut Pool,
    problem: &Problem<'_>,
    inputs: &[Vec<InputLeaf>],
    known: &mut Vec<Term>,
    tag: impl Fn(u32) -> Option<u32>,
) -> Memories {
    let mut memories = claim::memories(pool, problem.shapes, tag);
    if let Some(fixed) = problem.fixed {
        fixed.memories(pool, &mut memories);
    }
    claim::state(pool, problem, &memories, inputs, known);
    memories
}

/// A workgroup is not empty, and its invocations fit into an index.
fn countable(pool: &mut Pool, invocations: Term) -> [Term; 2] {
    let [none, most] = [0, u128::from(u32::MAX)].map(|it| pool.bits(it, WIDE));
    let some = pool.less(none, invocations);
    let few = pool.less_equal(invocations, most);
    [some, few]
}

/// `SubgroupSize`: one size, or any of several.
fn subgroup_size(pool: &mut Pool, sizes: &SizeSet, state: &mut Vec<Term>) -> Term {
    match sizes {
        SizeSet::One(size) => pool.bits(u128::from(*size), 32),
        SizeSet::All(sizes) => {
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

/// What is known of the workgroup around one subgroup.
struct WorkgroupFacts<'p> {
    sizes: &'p SizeSet,
    size: Term,
    /// The number of its invocations, [`WIDE`] bits, if it is declared.
    invocations: Option<Term>,
    standpoint: Standpoint,
    partial: bool,
    /// No other subgroup is around, unless it is declared.
    fixed: bool,
}

impl WorkgroupFacts<'_> {
    /// What execution modes require. In a declared workgroup only the last subgroup has fewer lanes
    /// than a full one, where fewer invocations are left.
    fn required(
        &self,
        pool: &mut Pool,
        problem: &Problem<'_>,
        [max_size, subgroups]: [Term; 2],
        known: &mut Vec<Term>,
    ) {
        let required = problem.group.required;
        if let Some(number) = required.subgroups {
            let term = pool.bits(u128::from(number), 32);
            known.push(pool.equal(subgroups, term));
            let whole = problem.group.subgroups.is_none_or(|subgroups| subgroups == number);
            known.push(pool.bool(whole));
        }
        let Some(number) = required.size else { return };
        let full = pool.bits(u128::from(number), 32);
        known.push(pool.equal(max_size, full));
        if self.invocations.is_some() {
            known.push(pool.equal(self.size, full));
        }
    }

    /// `SubgroupId` and `NumSubgroups`.
    fn place(&self, pool: &mut Pool, known: &mut Vec<Term>) -> SubgroupPlace {
        let one = pool.bits(1, 32);
        let first = pool.bits(0, 32);
        let declared = self.invocations.filter(|_| !self.partial);
        match (self.standpoint, declared) {
            (Standpoint::Lone, _) => {
                if let Some(all) = self.invocations {
                    let size = pool.zero_extend(self.size, WIDE);
                    known.push(pool.less_equal(all, size));
                }
                SubgroupPlace { subgroup: first, subgroups: one, consulted: false }
            }
            // Full subgroups, and one more for the remainder.
            (standpoint, Some(all)) => {
                let subgroups = by_size(pool, self.sizes, self.size, |pool, size| {
                    let [less, shift] =
                        [size - 1, size.ilog2()].map(|number| pool.bits(u128::from(number), WIDE));
                    let up = pool.add(all, less);
                    let count = pool.binary(Binary::ShiftRight, up, shift);
                    pool.extract(count, 31, 0)
                });
                let mut subgroup = first;
                if standpoint == Standpoint::Any {
                    subgroup = pool.fresh("SubgroupId", Sort::Bits(32));
                    known.push(pool.less(subgroup, subgroups));
                }
                SubgroupPlace { subgroup, subgroups, consulted: false }
            }
            // Subgroups before this one, this one, and subgroups after it: so `SubgroupId` is below
            // `NumSubgroups` by construction, and no query has to assert it.
            (standpoint, None) => {
                let mut some = |name: &str| {
                    let number = pool.fresh(name, Sort::Bits(31));
                    pool.zero_extend(number, 32)
                };
                let before = (standpoint == Standpoint::Any).then(|| some("SubgroupId"));
                let after = if self.fixed { first } else { some("subgroups.after") };
                let subgroup = before.unwrap_or(first);
                let up_to_here = pool.add(subgroup, one);
                SubgroupPlace { subgroup, subgroups: pool.add(up_to_here, after), consulted: false }
            }
        }
    }

    /// The number of existing lanes: the subgroup's size, or the remainder of the workgroup; any
    /// smaller number with `--partial`.
    fn existing_lanes(&self, pool: &mut Pool, subgroup: Term, known: &mut Vec<Term>) -> Term {
        let most = match self.invocations {
            None => self.size,
            Some(all) => by_size(pool, self.sizes, self.size, |pool, size| {
                let wide = pool.zero_extend(subgroup, WIDE);
                let shift = pool.bits(u128::from(size.ilog2()), WIDE);
                let before = pool.binary(Binary::ShiftLeft, wide, shift);
                let left = pool.binary(Binary::Sub, all, before);
                let size = pool.bits(u128::from(size), WIDE);
                let partial = pool.less(left, size);
                let most = pool.ite(partial, left, size);
                pool.extract(most, 31, 0)
            }),
        };
        if !self.partial {
            return most;
        }
        let existing = small(pool, "ExistingLanes", LARGEST);
        let one = pool.bits(1, 32);
        let some = pool.less_equal(one, existing);
        let at_most = pool.less_equal(existing, most);
        known.extend([some, at_most]);
        existing
    }

    /// Some invocation of another subgroup of the workgroup did not enter.
    fn others_missing(&self, pool: &mut Pool, problem: &Problem<'_>, subgroups: Term) -> Term {
        let none = pool.bool(false);
        let one_subgroup = problem.group.subgroups.is_none() && self.invocations.is_some();
        if !one_subgroup || problem.group.all_active || self.standpoint == Standpoint::Lone {
            return none;
        }
        let one = pool.bits(1, 32);
        let others = pool.less(one, subgroups);
        if pool.bool_of(others) == Some(false) {
            return none;
        }
        let missing = pool.fresh("others.missing", Sort::Bool);
        pool.and(others, missing)
    }
}

/// A nonempty set of existing lanes, 128 bits.
fn active_lanes(
    pool: &mut Pool,
    problem: &Problem<'_>,
    bound: u32,
    existing: Term,
    state: &mut Vec<Term>,
) -> Term {
    if problem.group.alone {
        return pool.bits(1, LARGEST);
    }
    if let Some(fixed) = problem.fixed {
        return pool.bits(fixed.active, LARGEST);
    }
    let below = below(pool, existing);
    if problem.group.all_active {
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

/// The value of each leaf of the parameters, and whether some payload is only moved.
fn inputs(
    pool: &mut Pool,
    problem: &Problem<'_>,
    tags: bool,
    computed: &BTreeSet<u32>,
) -> (Vec<Vec<InputLeaf>>, bool) {
    let mut number = 0;
    let mut moved = false;
    let inputs = problem
        .source
        .interface
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
                    match (tag, input.uniform || problem.same.has(source)) {
                        (true, true) => InputLeaf::MovedUniform(source),
                        (true, false) => InputLeaf::Moved(source),
                        (false, uniform) => {
                            let name = format!("{}.{leaf}", input.name);
                            let symbol = pool.symbol(name, Sort::from(scalar));
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
        .collect::<Vec<_>>();
    if let Some(fixed) = problem.fixed {
        fixed.parameters(pool, &inputs);
    }
    (inputs, moved)
}
