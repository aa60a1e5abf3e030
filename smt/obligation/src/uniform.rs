//! Parameters that are equal in all lanes because the source assumes it.
//!
//! The assumptions of the source may imply that a parameter is equal in all lanes that entered:
//! `assume(allEqual(x))`, `assume(x == broadcastFirst(x))`. Other states are excused, and no lane
//! reads a parameter of a lane that did not enter. So only states in which it is one value need be
//! considered, as for a parameter that is declared uniform.

use std::time::Instant;

use laneproof_encode::{EncodedSide, EncodingPlan, InputLeaf, View};
use laneproof_lower::{Event, Flat};
use laneproof_semantics::denote::DenoteError;
use laneproof_semantics::term::Pool;

use crate::built::{Abstracted, Built, States};
use crate::entry_state::{Entered, entered};
use crate::obligation::lane_that_entered;
use crate::problem::Problem;
use crate::statement::{Conjuncts, Parts, Statement};

/// The source has assumptions that no loop controls.
pub fn assumes(source: &Flat) -> bool {
    source.events.iter().any(|event| matches!(event, Event::Assume(..)))
        && !source.events.iter().any(|event| matches!(event, Event::Overrun(_)))
}

/// A state in which all assumptions of the source hold and two lanes that entered differ in a leaf
/// of its parameters; `None` for a leaf that is uniform anyway.
pub fn apart_in_two_lanes<'f>(
    problem: &Problem<'f>,
    plan: &EncodingPlan,
    leaf: u32,
    deadline: Instant,
) -> Result<Option<Built<'f>>, DenoteError> {
    assert!(plan.view == View::Quantified && !plan.tags);
    // Only assumptions excuse a property.
    let problem = Problem { target: None, ..*problem };
    if !problem.shapes.is_empty() {
        return Ok(None);
    }
    let mut pool = Pool::new();
    let Entered { world, known: mut state, small, .. } =
        entered(&mut pool, &problem, plan, &Default::default(), deadline)?;
    let (active, existing) = (world.entry.active, world.entry.existing);
    let Some(InputLeaf::PerLane(symbol)) =
        world.entry.inputs.iter().flatten().nth(leaf as usize).copied()
    else {
        return Ok(None);
    };
    let lane = lane_that_entered(&mut pool, "lane", active, existing, &mut state);
    let other = lane_that_entered(&mut pool, "other", active, existing, &mut state);
    let [here, there] = [lane, other].map(|lane| pool.apply(symbol, lane));
    let same = pool.equal(here, there);
    let differs = pool.not(same);
    let source = EncodedSide::new(problem.source, "source");
    let conjuncts = Conjuncts::default();
    let mut statement =
        Statement { problem: &problem, plan, pool, world, source, target: None, conjuncts };
    statement.source_behaves_everywhere(lane)?;
    let Statement { pool, world, .. } = &mut statement;
    world.folds.check_lawful(pool, &world.quantifiers.operators)?;
    state.extend(world.entry.surroundings.facts(pool, existing));
    let legal = pool.bool(true);
    let parts = statement.parts(legal);
    let mut parts = Parts { disagrees: differs, ..parts };
    let folded = statement.instantiate(&mut state, &mut parts, Some(lane), deadline)?;
    let Statement { pool, world, source, .. } = statement;
    Ok(Some(Built {
        entry: world.entry,
        lane: Some(lane),
        states: States { small, known: state, given: None },
        asks: parts.conditions(Vec::new()),
        returned: Vec::new(),
        results: Vec::new(),
        source,
        target: None,
        covers_others: true,
        abstracted: Abstracted { moved: false, folded, quantified: true },
        pool,
    }))
}
