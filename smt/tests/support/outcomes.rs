//! All outcomes of a function in one state: a run for every combination of choices.

use std::collections::BTreeSet;

use laneproof_interpreter::{Call, Enumerate, Finished, Options, Readings, Stop, call};
use laneproof_module::Function;
use laneproof_semantics::Scalar;

use super::pair::Pair;
use super::states::State;

/// Runs of one function in one state.
const MOST_RUNS: u64 = 1 << 18;
/// Instructions of one run: these functions are short, whatever takes longer goes on for ever.
const STEPS: u64 = 2_000;

/// Whatever an observer sees of a run, scalar after scalar: `None` in a lane that did not
/// return, `Some(None)` for an undefined value.
pub type Seen = Vec<Option<Option<u64>>>;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Returned(Seen),
    UndefinedBehavior,
    AssumptionFailed,
    ForEver,
}

/// Every outcome, and the widths of what is seen. `None`: more choices than can be walked.
pub fn outcomes(pair: &Pair, function: &Function, state: &State) -> Option<BTreeSet<Outcome>> {
    let request = Call {
        program: &pair.program,
        function: function.id,
        sizes: state.sizes,
        active: state.active,
        arguments: state.arguments.clone(),
    };
    let settle = |readings: Readings, (name, way): &(String, String)| readings.with(name, way);
    let readings = pair.readings.iter().fold(Readings::default(), settle);
    let options = Options { step_limit: STEPS, readings, ..Options::default() };
    let mut all = BTreeSet::new();
    let mut choices = Enumerate::new(MOST_RUNS);
    while choices.next() {
        all.insert(match call(&request, &options, &mut choices) {
            Ok(finished) => Outcome::Returned(seen(pair, function, state, &finished)),
            Err(Stop::UndefinedBehavior { .. }) => Outcome::UndefinedBehavior,
            Err(Stop::AssumptionFailed { .. }) => Outcome::AssumptionFailed,
            Err(Stop::StepLimit) => Outcome::ForEver,
            Err(stop) => panic!("{}: {stop}", pair.name),
        });
    }
    choices.complete().then_some(all)
}

/// Widths of the scalars that `Seen` holds for one lane.
pub fn widths(pair: &Pair, function: &Function) -> Vec<u32> {
    let leaves = |ty: &laneproof_module::Type| match ty {
        laneproof_module::Type::Data(ty) => ty.leaves().into_iter().map(Scalar::width).collect(),
        _ => Vec::new(),
    };
    let mut widths = leaves(&function.result);
    if pair.outputs {
        for parameter in &function.parameters {
            if let laneproof_module::Type::Pointer { pointee, .. } = &parameter.ty {
                widths.extend(leaves(pointee));
            }
        }
    }
    widths
}

fn seen(pair: &Pair, function: &Function, state: &State, finished: &Finished) -> Seen {
    let result = match &function.result {
        laneproof_module::Type::Data(ty) => ty.leaf_count(),
        _ => 0,
    };
    let mut seen = Seen::new();
    for lane in state.active_lanes() {
        match &finished.results[lane] {
            Some(value) => seen.extend(value.0.iter().map(|leaf| Some(*leaf))),
            None => seen.extend(vec![None; result]),
        }
        if pair.outputs {
            for output in &finished.outputs {
                seen.extend(output[lane].0.iter().map(|leaf| Some(*leaf)));
            }
        }
    }
    seen
}
