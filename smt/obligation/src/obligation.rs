//! Refinement as assertions: which states and lanes would refute it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Instant;

use laneproof_encode::{
    Conduct, Consequence, Encoder, InputLeaf, Memories, Place, Plan, Side, Surroundings, View,
    Workgroup, World, add_discards, by_laws, conduct, good, relation, some_lane,
};
use laneproof_lower::{Flat, ValueId};
use laneproof_semantics::denote::{DenoteError, Leaf, Survey};
use laneproof_semantics::term::{Pool, Term};

use crate::claim::{self, Claim};
use crate::disagreement::disagrees;
use crate::entry_state::{Entered, entered};
use crate::instances::instantiated;
use crate::problem::Problem;

/// An obligation, ready for a solver: refuted in a state in which the source behaves and the
/// target fails or disagrees.
pub struct Built<'f> {
    /// The terms.
    pub pool: Pool,
    /// No lane at or past this exists.
    pub bound: u32,
    /// `SubgroupSize`, 32 bits.
    pub size: Term,
    /// `SubgroupMaxSize`, 32 bits.
    pub max_size: Term,
    /// How many lanes exist, 32 bits.
    pub existing: Term,
    /// Which subgroup of its workgroup this is.
    pub place: Place,
    /// The workgroup and the grid around it.
    pub surroundings: Surroundings,
    /// The workgroup, where all of its subgroups are carried.
    pub workgroup: Option<Workgroup>,
    /// The lanes that enter, 128 bits.
    pub active: Term,
    /// The lane that stands for all, where there is one.
    pub lane: Option<Term>,
    /// The parameters, leaf by leaf.
    pub inputs: Vec<Vec<InputLeaf>>,
    /// The memories that both sides are given.
    pub memories: Memories,
    /// No memory is larger than a replay can take.
    pub small: Term,
    /// What holds of every state that counts.
    pub state: Vec<Term>,
    /// That part of it which says that what the target leaves open is legal.
    pub given: Option<Term>,
    /// The source behaves, as far as the view looks.
    pub source_behaves: Term,
    /// What the source leaves open is legal: whatever else it might be does not count.
    pub source_legal: Term,
    /// The target misbehaves in a lane that entered.
    pub target_fails: Term,
    /// Results disagree in a lane that entered.
    pub disagrees: Term,
    /// Where texts say nothing.
    pub silence: Vec<Consequence>,
    /// Some loop takes more rounds than are written out, where the source behaves.
    pub overrun: Term,
    /// What the target returns: lane and bits, leaf by leaf.
    pub returned: Vec<(Term, Term)>,
    /// Result leaves of source and target in the lane that stands for all.
    pub results: Vec<(Leaf, Leaf)>,
    /// The source, as far as it was encoded.
    pub source: Side<'f>,
    /// The target, likewise.
    pub target: Option<Side<'f>>,
    /// A proof holds whatever other subgroups of the workgroup do.
    pub covers_others: bool,
    /// Payloads were tags.
    pub moved: bool,
    /// Reductions were terms of their own.
    pub folded: bool,
    /// What is asked of all lanes was known by instances.
    pub surveyed: bool,
}

impl Built<'_> {
    /// Counts by their laws, where the plan goes by laws; whether there were any.
    pub fn count_by_laws(&mut self, plan: &Plan, assertions: &mut Vec<Term>) -> bool {
        if !plan.laws {
            return false;
        }
        let counts = by_laws(&mut self.pool, assertions, self.lane);
        assertions.extend(&counts);
        !counts.is_empty()
    }
}

/// Encodes `problem` as `plan` says, payloads as tags as far as they are only moved.
/// Gives up at `deadline`.
pub fn build<'f>(
    problem: &Problem<'f>,
    plan: &Plan,
    deadline: Instant,
) -> Result<Built<'f>, DenoteError> {
    let mut computed: BTreeSet<u32> = BTreeSet::new();
    loop {
        match attempt(problem, plan, &computed, deadline) {
            Err(DenoteError::NotMovement(sources)) => {
                let before = computed.len();
                computed.extend(sources);
                if computed.len() == before {
                    // Payloads of both kinds meet: as bits they do.
                    let plan = Plan { tags: false, ..plan.clone() };
                    return attempt(problem, &plan, &computed, deadline);
                }
            }
            other => return other,
        }
    }
}

fn attempt<'f>(
    problem: &Problem<'f>,
    plan: &Plan,
    computed: &BTreeSet<u32>,
    deadline: Instant,
) -> Result<Built<'f>, DenoteError> {
    if plan.view == View::Surveyed && !problem.shapes.is_empty() {
        return Err(DenoteError::NotModelled("memory that all lanes see at once".into()));
    }
    if problem.subgroups.is_some_and(|subgroups| subgroups > 1) {
        let sides = [Some(problem.source), problem.target];
        if sides.into_iter().flatten().any(Flat::promises_uniformity) {
            let what = "a parameter that is the same in all lanes of each of several subgroups";
            return Err(DenoteError::NotModelled(what.into()));
        }
    }
    let mut pool = Pool::new();
    let Entered { mut world, known: mut state, small, moved } =
        entered(&mut pool, problem, plan, computed, deadline)?;
    let World { size, max_size, existing, active, bound, .. } = world;
    let mut source = Side::source(problem.source, problem.target);
    let mut target = problem.target.map(|flat| Side::new(flat, "target"));
    let numbers: Vec<Term> = (0..bound).map(|lane| pool.bits(u128::from(lane), 32)).collect();
    let (lane, lanes) = match plan.view {
        View::EveryLane => (None, numbers.clone()),
        View::AnyLane | View::AnyLaneOfAll | View::Surveyed => {
            let lane = some_lane(&mut pool, "lane");
            let entered = pool.bit(active, lane);
            let exists = pool.less(lane, existing);
            state.extend([entered, exists]);
            (Some(lane), vec![lane])
        }
    };
    let mut behaves = Vec::new();
    let mut fails = Vec::new();
    let mut differs = Vec::new();
    let mut returned = Vec::new();
    let mut silence = Vec::new();
    let mut results = Vec::new();
    let mut history = History::default();
    let mut target_overruns = Vec::new();
    for &lane in &lanes {
        let conduct = conduct(&mut pool, &mut world, &mut source, lane, events_of(problem.source))?;
        history.note(&conduct, problem.target.is_none());
        let mut failures = Vec::new();
        let pairs = match &mut target {
            Some(target) => {
                behaves.extend(good(&mut pool, &conduct));
                silence.extend(conduct.silence);
                let conduct = laneproof_encode::conduct(
                    &mut pool,
                    &mut world,
                    target,
                    lane,
                    events_of(target.flat),
                )?;
                failures.extend(conduct.undefined_behavior.iter().map(|it| it.condition));
                failures.extend(conduct.broken_assumptions);
                silence.extend(conduct.silence);
                target_overruns.extend(conduct.overruns.iter().map(|(_, condition)| *condition));
                pairs(&mut pool, &mut world, &mut source, target, lane, problem.outputs)?
            }
            None => {
                // A property that reaches undefined behavior does not hold; one that would only
                // be excused by an assumption further on is neither here nor there.
                if conduct.assumed_late {
                    let what = "an assumption after what may be undefined behavior, in a property,";
                    return Err(DenoteError::NotModelled(what.into()));
                }
                let unmet = conduct.broken_assumptions.iter().map(|&it| pool.not(it));
                behaves.extend(unmet.collect::<Vec<_>>());
                failures.extend(conduct.undefined_behavior.iter().map(|it| it.condition));
                silence.extend(conduct.silence);
                property(&mut pool, &mut world, &mut source, lane)?
            }
        };
        let entered = pool.bit(active, lane);
        for (expected, found) in &pairs {
            returned.push((lane, found.bits));
            let differ = disagrees(&mut pool, *expected, *found)?;
            differs.push(pool.and(entered, differ));
        }
        let failed = pool.any(failures);
        fails.push(pool.and(entered, failed));
        results = pairs;
    }
    if plan.view == View::AnyLaneOfAll {
        for &lane in &numbers {
            behaves.extend(behaves_in(&mut pool, &mut world, &mut source, problem, lane)?);
        }
    }
    if plan.view == View::Surveyed
        && let Some(any) = world.surveys.enter(&mut pool)
    {
        let everywhere = behaves_in(&mut pool, &mut world, &mut source, problem, any)?;
        for condition in everywhere {
            let here = lanes[0];
            let survey = Survey::Every(condition);
            behaves.push(world.surveys.term(&mut pool, any, here, &survey)?);
        }
        world.surveys.leave();
    }
    let mut claim = Claim {
        pool: &mut pool,
        world: &mut world,
        joint: plan.joint,
        lane,
        view: plan.view,
        lanewise: plan.lanewise,
        traced: plan.traced,
        crowded: problem.is_crowded(&plan.sizes),
    };
    let of_memory = claim::claim(&mut claim, &mut source, target.as_mut())?;
    behaves.extend(&of_memory.behaves);
    fails.extend(&of_memory.fails);
    differs.extend(&of_memory.differs);
    let related = match plan.view {
        View::AnyLaneOfAll => lanes.iter().chain(&numbers).copied().collect(),
        View::AnyLane | View::EveryLane | View::Surveyed => lanes,
    };
    let chosen = relation(&mut pool, &mut world, &mut source, &related)?;
    let mut given = None;
    let mut source_legal = match &mut target {
        Some(target) => {
            let related = relation(&mut pool, &mut world, target, &related)?;
            let hypothesis = related.hypothesis(&mut pool);
            given = Some(hypothesis);
            state.push(hypothesis);
            chosen.legal
        }
        // A property is to hold whatever it chooses.
        None => chosen.hypothesis(&mut pool),
    };
    world.folds.check_lawful(&mut pool, &world.surveys.operators)?;
    let one_lane = lane.or_else(|| numbers.first().copied());
    state.extend(world.folds.laws(&mut pool, one_lane, deadline)?);
    state.extend(world.surroundings.facts(&mut pool, existing));
    let mut source_behaves = pool.all(behaves);
    let of_target = pool.any(target_overruns);
    let of_target = pool.and(source_behaves, of_target);
    let of_source = history.overrun(&mut pool);
    let mut overrun = pool.or(of_source, of_target);
    let mut target_fails = pool.any(fails);
    let mut disagrees = pool.any(differs);
    let mut folded = !world.folds.is_empty() || world.surveys.reduces();
    if plan.view == View::Surveyed {
        let mut terms = state;
        let held = terms.len();
        terms.extend([source_behaves, source_legal, target_fails, disagrees, overrun]);
        terms.extend(silence.iter().map(|it| it.condition));
        let surveys = &world.surveys;
        folded |= instantiated(&mut pool, surveys, &mut terms, active, lane, deadline)?;
        let asked: Vec<Term> = terms.drain(held..held + 5 + silence.len()).collect();
        [source_behaves, source_legal, target_fails, disagrees, overrun] =
            [asked[0], asked[1], asked[2], asked[3], asked[4]];
        for (it, &condition) in silence.iter_mut().zip(&asked[5..]) {
            it.condition = condition;
        }
        state = terms;
    }
    let split = source.split || target.as_ref().is_some_and(|target| target.split);
    if split && plan.view == View::Surveyed {
        // Instances are known at lanes, a choice of tangles at selector values.
        return Err(DenoteError::NotModelled("a choice of tangles, by instances,".into()));
    }
    silence.retain(|it| pool.bool_of(it.condition) != Some(false));
    // A choice that nothing hangs on is none.
    let mut roots = vec![source_behaves, source_legal, target_fails, disagrees, overrun];
    roots.extend(silence.iter().map(|it| it.condition));
    // What a survey is made of is not below its term.
    if plan.view != View::Surveyed {
        source.keep_choices(&pool, &pool.reachable(&roots));
    }
    Ok(Built {
        bound,
        size,
        max_size,
        existing,
        place: world.place,
        surroundings: world.surroundings,
        workgroup: world.workgroup,
        active,
        lane,
        inputs: world.inputs,
        memories: world.memories,
        small,
        state,
        given,
        source_behaves,
        source_legal,
        target_fails,
        disagrees,
        silence,
        overrun,
        returned,
        results,
        source,
        target,
        covers_others: of_memory.covers_others,
        moved,
        folded,
        surveyed: plan.view == View::Surveyed,
        pool,
    })
}

fn events_of(flat: &Flat) -> Range<usize> {
    0..flat.events.len()
}

/// What excludes a state, and where loops go on, in the order in which it comes about. What
/// comes after a loop that is cut short never happened, so it excludes nothing.
#[derive(Default)]
struct History {
    excluded: Vec<(usize, Term)>,
    overruns: Vec<(usize, Term)>,
}

impl History {
    fn note(&mut self, conduct: &Conduct, property: bool) {
        self.overruns.extend(&conduct.overruns);
        // The undefined behavior of a property is no excuse.
        let counts = |broken: &bool| *broken || !property;
        let excluded = conduct.excluded.iter().filter(|(.., broken)| counts(broken));
        self.excluded.extend(excluded.map(|&(event, condition, _)| (event, condition)));
    }

    /// Some loop goes on that is reached without exclusion.
    fn overrun(&self, pool: &mut Pool) -> Term {
        let mut all = Vec::new();
        for &(event, condition) in &self.overruns {
            let before = self.excluded.iter().filter(|(earlier, _)| *earlier < event);
            let before: Vec<Term> = before.map(|(_, condition)| *condition).collect();
            let excluded = pool.any(before);
            let counts = pool.not(excluded);
            all.push(pool.and(condition, counts));
        }
        pool.any(all)
    }
}

/// What has to hold for the source to behave in a lane; of a property, that it is not excused.
fn behaves_in<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut Side<'f>,
    problem: &Problem<'_>,
    lane: Term,
) -> Result<Vec<Term>, DenoteError> {
    let mut conduct = conduct(pool, world, source, lane, events_of(source.flat))?;
    if problem.target.is_none() {
        conduct.undefined_behavior.clear();
    }
    Ok(good(pool, &conduct))
}

/// Result leaves of both sides in a lane, and what is left in pointer parameters.
pub fn pairs<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut Side<'f>,
    target: &mut Side<'f>,
    lane: Term,
    outputs: bool,
) -> Result<Vec<(Leaf, Leaf)>, DenoteError> {
    let values = |flat: &Flat| -> Vec<ValueId> {
        let left = flat.outputs.iter().map(|(_, value)| *value).filter(|_| outputs);
        flat.result.into_iter().chain(left).collect()
    };
    let mut all = Vec::new();
    for (expected, found) in values(source.flat).into_iter().zip(values(target.flat)) {
        let expected = Encoder { pool, world, side: source }.leaves(expected, lane)?;
        let found = Encoder { pool, world, side: target }.leaves(found, lane)?;
        all.extend(expected.into_iter().zip(found));
    }
    add_discards(pool, world, source, target, lane, &mut all)?;
    Ok(all)
}

/// A property's result beside `true`.
fn property<'f>(
    pool: &mut Pool,
    world: &mut World<'f>,
    source: &mut Side<'f>,
    lane: Term,
) -> Result<Vec<(Leaf, Leaf)>, DenoteError> {
    let expected = Leaf { bits: pool.bool(true), undefined: pool.bool(false) };
    if source.flat.killed.is_some() || source.flat.terminated.is_some() {
        return Err(DenoteError::NotModelled("a killed lane in a property".into()));
    }
    let Some(result) = source.flat.result else { return Ok(Vec::new()) };
    let found = Encoder { pool, world, side: source }.leaves(result, lane)?;
    Ok(found.into_iter().map(|found| (expected, found)).collect())
}
