//! All outcomes of a function in one state: a run for every combination of choices.

use std::collections::BTreeSet;

use laneproof_interpreter::{Call, Enumerate, Finished, Options, Readings, Stop, call};
use laneproof_module::Function;

use super::pair::Pair;
use super::states::State;

/// Instructions of one run: these functions are short, whatever takes longer goes on for ever.
const STEPS: u64 = 2_000;

/// Whatever an observer sees of a run, scalar after scalar: `None` in a lane that did not
/// return, `Some(None)` for an undefined value. Each lane begins with whether its stores last (it is no helper).
pub type Seen = Vec<Option<Option<u64>>>;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Returned(Seen),
    UndefinedBehavior,
    AssumptionFailed,
    ForEver,
}

/// Every outcome; `None` where there are more than `most_runs` choices.
pub fn outcomes(
    pair: &Pair,
    function: &Function,
    state: &State,
    most_runs: u64,
) -> Option<BTreeSet<Outcome>> {
    let request = Call {
        program: &pair.specialized[state.specialization].1,
        function: function.id,
        sizes: state.sizes,
        active: state.active,
        arguments: state.arguments.clone(),
    };
    let settle = |readings: Readings, (name, way): &(String, String)| readings.with(name, way);
    let readings = pair.readings.iter().fold(Readings::default(), settle);
    let buffers = [state.memory.iter().map(|cell| Some(*cell as u8)).collect::<Vec<_>>()];
    let bound = pair.program.globals.values().filter(|global| global.binding.is_some());
    let variables: Vec<(u32, usize)> = bound.map(|global| (global.id, 0)).collect();
    let options = Options {
        step_limit: STEPS,
        readings,
        buffers: &buffers,
        variables: &variables,
        races: true,
        ..Options::default()
    };
    let mut all = BTreeSet::new();
    let mut choices = Enumerate::new(most_runs);
    while choices.next() {
        all.insert(match call(&request, &options, &mut choices) {
            Ok(finished) => Outcome::Returned(seen(pair, function, state, &finished)),
            Err(Stop::UndefinedBehavior { .. }) => Outcome::UndefinedBehavior,
            Err(Stop::AssumptionFailed { .. }) => Outcome::AssumptionFailed,
            Err(Stop::Endless { .. } | Stop::StepLimit) => Outcome::ForEver,
            Err(stop) => panic!("{}: {stop}", pair.name),
        });
    }
    pair.runs.set(pair.runs.get() + choices.runs());
    choices.complete().then_some(all)
}

fn seen(pair: &Pair, function: &Function, state: &State, finished: &Finished) -> Seen {
    let result = match &function.result {
        laneproof_module::Type::Data(ty) => ty.leaf_count(),
        _ => 0,
    };
    let bytes = finished.buffers.iter().flatten();
    let mut seen: Seen = bytes.map(|byte| Some(byte.map(u64::from))).collect();
    for lane in state.active_lanes() {
        let returned = finished.results[lane].as_ref();
        let acts = (!finished.helpers >> lane & 1) as u64;
        seen.push(returned.map(|_| Some(acts)));
        match returned {
            Some(value) => seen.extend(value.0.iter().map(|leaf| Some(*leaf))),
            None => seen.extend(vec![None; result]),
        }
        if pair.outputs {
            for output in &finished.outputs {
                let left = output[lane].0.iter();
                seen.extend(left.map(|leaf| returned.map(|_| *leaf)));
            }
        }
    }
    seen
}
