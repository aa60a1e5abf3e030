//! Refinement as assertions: which states and lanes refute it.

use std::collections::BTreeSet;
use std::time::Instant;

use laneproof_encode::{EncodedSide, EncodingPlan, EntryState, View, some_lane};
use laneproof_lower::Flat;
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::{Pool, Term};

use crate::built::{Abstracted, Built, States};
use crate::entry_state::{Entered, entered};
use crate::problem::Problem;
use crate::statement::{Conjuncts, Statement};

/// Encodes `problem` as `plan` says, payloads as tags as far as they are only moved.
/// Gives up at `deadline`.
pub fn build<'f>(
    problem: &Problem<'f>,
    plan: &EncodingPlan,
    deadline: Instant,
) -> Result<Built<'f>, DenoteError> {
    let mut computed: BTreeSet<u32> = BTreeSet::new();
    loop {
        match attempt(problem, plan, &computed, deadline) {
            Err(DenoteError::NotMovement(sources)) => {
                let before = computed.len();
                computed.extend(sources);
                if computed.len() == before {
                    // Tags and bits are mixed: encode as bits.
                    let plan = EncodingPlan { tags: false, ..plan.clone() };
                    return attempt(problem, &plan, &computed, deadline);
                }
            }
            other => return other,
        }
    }
}

/// What the plan cannot express is not supported.
fn check(problem: &Problem<'_>, plan: &EncodingPlan) -> Result<(), DenoteError> {
    if plan.view == View::Quantified && !problem.shapes.is_empty() {
        return Err(DenoteError::NotModelled("memory that all lanes see at once".into()));
    }
    let sides = [Some(problem.source), problem.target];
    if problem.group.subgroups.is_some_and(|subgroups| subgroups > 1)
        && sides.into_iter().flatten().any(Flat::promises_uniformity)
    {
        let what = "a parameter that is the same in all lanes of each of several subgroups";
        return Err(DenoteError::NotModelled(what.into()));
    }
    Ok(())
}

/// The symbolic lane: any lane that entered.
pub(crate) fn lane_that_entered(
    pool: &mut Pool,
    name: &str,
    active: Term,
    existing: Term,
    state: &mut Vec<Term>,
) -> Term {
    let lane = some_lane(pool, name);
    let entered = pool.bit(active, lane);
    let exists = pool.less(lane, existing);
    state.extend([entered, exists]);
    lane
}

fn attempt<'f>(
    problem: &Problem<'f>,
    plan: &EncodingPlan,
    computed: &BTreeSet<u32>,
    deadline: Instant,
) -> Result<Built<'f>, DenoteError> {
    check(problem, plan)?;
    let mut pool = Pool::new();
    let Entered { world, known: mut state, small, moved } =
        entered(&mut pool, problem, plan, computed, deadline)?;
    let EntryState { active, existing, bound, .. } = world.entry;
    let mut source = EncodedSide::source(problem.source, problem.target);
    // Diagrams refute nothing.
    source.serialization.in_lane_order = plan.diagrams && problem.target.is_some();
    let target = problem.target.map(|flat| EncodedSide::new(flat, "target"));
    let numbers: Vec<Term> = (0..bound).map(|lane| pool.bits(u128::from(lane), 32)).collect();
    let lane = (plan.view != View::EveryLane)
        .then(|| lane_that_entered(&mut pool, "lane", active, existing, &mut state));
    let lanes = lane.map_or_else(|| numbers.clone(), |lane| vec![lane]);
    let conjuncts = Conjuncts::default();
    let mut statement = Statement { problem, plan, pool, world, source, target, conjuncts };
    for &lane in &lanes {
        statement.in_lane(lane)?;
    }
    match (plan.view, lane) {
        (View::AnyLaneOfAll, _) => statement.source_behaves_in(&numbers)?,
        (View::Quantified, Some(lane)) => statement.source_behaves_everywhere(lane)?,
        _ => {}
    }
    let covers_others = statement.memory(lane)?;
    let related: Vec<Term> = match plan.view {
        View::AnyLaneOfAll => lanes.iter().chain(&numbers).copied().collect(),
        View::AnyLane | View::EveryLane | View::Quantified => lanes,
    };
    let (given, source_legal) = statement.legal(&related)?;
    state.extend(given);
    let one_lane = lane.or_else(|| numbers.first().copied());
    let Statement { pool, world, .. } = &mut statement;
    world.folds.check_lawful(pool, &world.quantifiers.operators)?;
    state.extend(world.folds.axioms(pool, one_lane, deadline)?);
    state.extend(world.entry.surroundings.facts(pool, existing));
    let mut folded = !world.folds.is_empty() || world.quantifiers.reduces();
    let mut parts = statement.parts(source_legal);
    let quantified = plan.view == View::Quantified;
    if quantified {
        folded |= statement.instantiate(&mut state, &mut parts, lane, deadline)?;
        if statement.chooses_tangles() {
            // Quantifiers are instantiated at lanes, but choices of tangles depend on selector
            // values.
            return Err(DenoteError::NotModelled("a choice of tangles, by instances,".into()));
        }
    }
    let Statement { pool, conjuncts, .. } = &mut statement;
    conjuncts.silence.retain(|it| pool.bool_of(it.condition) != Some(false));
    if !quantified {
        // The definition of a quantifier is not below its term.
        statement.keep_choices(&parts);
    }
    let Statement { pool, world, source, target, conjuncts, .. } = statement;
    Ok(Built {
        entry: world.entry,
        lane,
        states: States { small, known: state, given },
        asks: parts.conditions(conjuncts.silence),
        returned: conjuncts.returned,
        results: conjuncts.results,
        source,
        target,
        covers_others,
        abstracted: Abstracted { moved, folded, quantified },
        pool,
    })
}
