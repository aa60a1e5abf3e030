//! The orders in which lanes of a source execute its atomics.
//!
//! The interpreter runs lanes in lockstep: all lanes execute one instruction before any executes
//! the next. Real lanes need not. If several atomic instructions of a source reach one address
//! without an order between them, lockstep runs show only some behaviors; that none of these
//! explains the target proves nothing. The interpreter's oracle then decides over all orders.

use std::time::Instant;

use laneproof_interpreter::{Choices, Enumerate, Finished};
use laneproof_lower::{Flat, Touch};
use laneproof_module::{ModuleType, Site};
use laneproof_oracle::{Blind, Cell, OracleVerdict, SearchClock, SearchLimits, judge};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

use super::{Mode, State, Subject, active_lanes, run};
use crate::memory_state;

/// The most runs of the source in the search for an order that explains the target.
const RUNS: u64 = 1 << 12;

/// Why a source is left undecided.
pub(super) const OUT_OF_STEP: &str = "lanes of the source execute several atomics on one place in any order, \
                           and not all orders are known";

/// Enumerates all choices in lockstep, and records where lanes need not run in lockstep.
pub(super) struct Walk {
    choices: Enumerate,
    /// Lanes need not run in lockstep somewhere.
    out_of_step: bool,
    /// The final memory depends on the order there.
    ordered: bool,
}

impl Walk {
    pub(super) fn new(most: u64) -> Self {
        Self { choices: Enumerate::new(most), out_of_step: false, ordered: false }
    }

    /// Prepares the next run; false when there is none, or when the cap is reached.
    pub(super) fn next_run(&mut self) -> bool {
        self.choices.next()
    }

    /// All choices in lockstep may still be run before the cap is reached.
    pub(super) fn may_complete(&self) -> bool {
        self.choices.may_complete()
    }

    pub(super) fn runs(&self) -> u64 {
        self.choices.runs()
    }

    /// All choices in lockstep were run.
    pub(super) fn complete(&self) -> bool {
        self.choices.complete()
    }

    /// Another order may give a result that no run gave, unless all orders leave the same memory
    /// and no lane uses the value that it reads.
    pub(super) fn misses_orders(&self, flat: &Flat) -> bool {
        let used = flat.memory.accesses.iter().any(|access| match access.what {
            Touch::Step(step) => !flat.unused.contains(&step),
            Touch::Load(_) | Touch::Store(..) => false,
        });
        self.out_of_step && (self.ordered || used)
    }
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

/// Whether some order explains the target.
pub(super) enum Explained {
    Yes,
    No,
    Unknown,
}

/// Asks the oracle whether some choice of the source, in any order, gives the target's results
/// `found`.
pub(super) fn by_any_order(
    source: Subject<'_>,
    state: &State,
    found: &Finished,
    specification: &Specification,
    settled: &Settled,
    outputs: bool,
    deadline: Instant,
) -> Explained {
    let returned = active_lanes(state).all(|lane| found.results[lane as usize].is_some());
    if state.workgroup.is_some() || found.helpers != 0 || !returned {
        return Explained::Unknown;
    }
    let cells = observed(source, state, found, outputs);
    let subject = |follow: bool, choices: &mut dyn Choices| {
        let mode = if follow { Mode::Following } else { Mode::Plain };
        let finished = run(source, state, specification, settled, choices, mode)?;
        let cells = observed(source, state, &finished, outputs);
        Ok(cells.into_iter().map(|cell| cell.observed).collect())
    };
    let time = deadline.saturating_duration_since(Instant::now());
    let blind = Blind::of(source.program);
    match judge(
        &cells,
        &subject,
        blind,
        SearchLimits { runs: RUNS, time, clock: SearchClock::Wall },
    ) {
        OracleVerdict::NotAllowed { .. } => Explained::No,
        OracleVerdict::Allowed | OracleVerdict::Behavior(_) => Explained::Yes,
        OracleVerdict::Undecided { .. } | OracleVerdict::BadCall(_) => Explained::Unknown,
    }
}

/// The observable results of a run: results by lane, final parameters, final memory.
fn observed(source: Subject<'_>, state: &State, finished: &Finished, outputs: bool) -> Vec<Cell> {
    let result = match &source.function.result {
        ModuleType::Data(ty) => ty.leaves(),
        _ => Vec::new(),
    };
    let left = source.flat.interface.compared(outputs);
    let left: Vec<_> =
        left.filter_map(|(number, it)| Some((it.value, finished.outputs.get(number)?))).collect();
    let mut cells = Vec::new();
    for lane in active_lanes(state) {
        let lane = lane as usize;
        let returned = finished.results[lane].as_ref();
        for (leaf, &scalar) in result.iter().enumerate() {
            let observed = returned.and_then(|value| *value.0.get(leaf)?);
            cells.push(Cell { scalar, observed });
        }
        for &(value, lanes) in &left {
            let scalars = source.flat.ty(value).leaves();
            let leaves = lanes.get(lane).map(|value| value.0.as_slice()).unwrap_or_default();
            cells.extend(
                scalars
                    .into_iter()
                    .zip(leaves)
                    .map(|(scalar, &observed)| Cell { scalar, observed }),
            );
        }
    }
    let memory = memory_state::scalars_left(&state.memories, finished);
    cells.extend(memory.into_iter().map(|(scalar, observed)| Cell { scalar, observed }));
    cells
}
