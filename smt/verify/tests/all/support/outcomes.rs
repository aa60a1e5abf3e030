//! All outcomes of a function in one state: a run for every combination of choices.

use std::collections::BTreeSet;

use laneproof_interpreter::{
    Call, Choices, Enumerate, Finished, Reachable, Readings, RunOptions, Stop, call,
};
use laneproof_module::{Function, Id, Instruction, Item, Region, Site, Terminator};

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

/// Outcomes of a function in one state.
pub struct Outcomes {
    pub all: BTreeSet<Outcome>,
    /// There may be others: lanes keep in step in runs, and need not.
    pub in_step_only: bool,
}

/// Every choice in turn, and whether lanes need not keep in step somewhere.
struct Walk {
    choices: Enumerate,
    out_of_step: bool,
    ordered: bool,
}

impl Choices for Walk {
    fn draw(&mut self, site: &Site, operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
        self.choices.draw(site, operand, leaf, lane, width)
    }

    fn pick(&mut self, site: &Site, options: u64) -> u64 {
        self.choices.pick(site, options)
    }

    fn out_of_step(&mut self, _object: usize, _offset: u64, commuting: bool) {
        self.out_of_step = true;
        self.ordered |= !commuting;
    }
}

/// Every outcome; `None` where there are more than `most_runs` choices.
pub fn outcomes(
    pair: &Pair,
    function: &Function,
    state: &State,
    most_runs: u64,
) -> Option<Outcomes> {
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
    let options = RunOptions {
        step_limit: STEPS,
        readings,
        reachable: Reachable { buffers: &buffers, variables: &variables, ..Reachable::default() },
        races: true,
        ..RunOptions::default()
    };
    let mut all = BTreeSet::new();
    let mut walk = Walk { choices: Enumerate::new(most_runs), out_of_step: false, ordered: false };
    while walk.choices.next() {
        all.insert(match call(&request, &options, &mut walk) {
            Ok(finished) => Outcome::Returned(seen(pair, function, state, &finished)),
            Err(Stop::UndefinedBehavior { .. }) => Outcome::UndefinedBehavior,
            Err(Stop::AssumptionFailed { .. }) => Outcome::AssumptionFailed,
            Err(Stop::Endless { .. } | Stop::StepLimit | Stop::MemoryLimit) => Outcome::ForEver,
            // Helpers in group instructions: not supported.
            Err(Stop::NotModelled { .. }) => return None,
            Err(stop) => panic!("{}: {stop}", pair.name),
        });
    }
    pair.runs.set(pair.runs.get() + walk.choices.runs());
    let in_step_only = walk.out_of_step && (walk.ordered || uses_atomics(function));
    walk.choices.complete().then_some(Outcomes { all, in_step_only })
}

/// Something is made of what an atomic finds.
fn uses_atomics(function: &Function) -> bool {
    let (mut found, mut used) = (BTreeSet::new(), BTreeSet::new());
    collect(&function.body, &mut found, &mut used);
    found.intersection(&used).next().is_some()
}

fn collect(region: &Region, found: &mut BTreeSet<Id>, used: &mut BTreeSet<Id>) {
    for item in &region.items {
        let block = match item {
            Item::Loop(inner) => {
                collect(&inner.body, found, used);
                continue;
            }
            Item::Block(block) => block,
        };
        let atomic = |it: &&Instruction| format!("{:?}", it.opcode).starts_with("Atomic");
        found.extend(block.instructions.iter().filter(atomic).filter_map(|it| it.result));
        let operands = block.instructions.iter().flat_map(|it| &it.operands);
        used.extend(operands.filter_map(|operand| operand.id_ref_any()));
        used.extend(block.phis.iter().flat_map(|phi| phi.incoming.iter().map(|(value, _)| *value)));
        used.extend(match block.terminator {
            Terminator::Conditional { condition, .. } => Some(condition),
            Terminator::Switch { selector, .. } => Some(selector),
            Terminator::ReturnValue(value) => Some(value),
            _ => None,
        });
    }
}

fn seen(pair: &Pair, function: &Function, state: &State, finished: &Finished) -> Seen {
    let result = match &function.result {
        laneproof_module::ModuleType::Data(ty) => ty.leaf_count(),
        _ => 0,
    };
    let bytes = finished.buffers.iter().flatten();
    let mut seen: Seen = bytes.map(|byte| Some(byte.map(u64::from))).collect();
    for lane in state.active_lanes() {
        let returned = finished.results[lane].as_ref();
        let helper = finished.helpers >> lane & 1 == 1;
        // Where a lane goes on that `OpKill` demoted is unknown.
        let remains = returned.is_some() || helper;
        seen.push(remains.then_some(Some(u64::from(!helper))));
        match returned {
            Some(value) => seen.extend(value.0.iter().map(|leaf| Some(*leaf))),
            None => seen.extend(vec![remains.then_some(None); result]),
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
