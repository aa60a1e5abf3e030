//! Smaller modules on which a tool is wrong in the same way.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use laneproof_generator::{Generated, Inputs, Tree, TreeStatement, shrunk, tidied, with_scalars};

/// How far a module is reduced, at most.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of smaller modules that are tried: what comes out does not depend on the machine.
    pub modules: u64,
    /// So long.
    pub time: Duration,
}

/// Reduces a module as long as `still` holds, within the effort, until `stop` is set. The inputs
/// are simplified last. A device's subgroups keep their size.
pub fn reduce(
    generated: &Generated,
    device: bool,
    effort: Effort,
    stop: &AtomicBool,
    mut still: impl FnMut(&Generated) -> bool,
) -> Generated {
    let (start, tried) = (Instant::now(), Cell::new(0));
    let over = || {
        tried.get() >= effort.modules
            || start.elapsed() >= effort.time
            || stop.load(Ordering::Relaxed)
    };
    let mut still = |smaller: &Generated| {
        tried.set(tried.get() + 1);
        still(smaller)
    };
    // What a module does not use costs time in each of the steps that follow.
    let mut best = tidy(generated.clone(), device, &over, &mut still);
    let mut again = true;
    while again && !over() {
        again = false;
        for tree in shrunk(&best.tree) {
            if over() {
                break;
            }
            let smaller = Generated::new(tree, best.inputs.clone());
            if still(&smaller) {
                best = smaller;
                again = true;
                break;
            }
        }
    }
    let best = tidy(best, device, &over, &mut still);
    plainer(best, &over, &mut still)
}

/// Without what is not used, with as few lanes as do, and with scalars for vectors.
fn tidy(
    mut best: Generated,
    device: bool,
    over: &dyn Fn() -> bool,
    still: &mut dyn FnMut(&Generated) -> bool,
) -> Generated {
    loop {
        let candidates = tidied(&best, device).into_iter().chain(with_scalars(&best));
        let found = candidates.into_iter().find(|tidier| !over() && still(tidier));
        match found {
            Some(tidier) => best = tidier,
            None => return best,
        }
    }
}

/// Inputs with fewer and smaller numbers.
fn plainer(
    mut best: Generated,
    over: &dyn Fn() -> bool,
    still: &mut dyn FnMut(&Generated) -> bool,
) -> Generated {
    let input = best.inputs.buffers.first().map_or(0, Vec::len);
    let each = best.tree.input_words().max(1) as usize;
    // Columns first, then lanes.
    for column in 0..each {
        for value in [|_: usize| 0u32, |_| 1, |lane| lane as u32] {
            if over() {
                return best;
            }
            let mut inputs = best.inputs.clone();
            for lane in 0..input / each {
                inputs.buffers[0][lane * each + column] = value(lane);
            }
            if accept(&mut best, inputs, still) {
                break;
            }
        }
    }
    for at in 0..input {
        if over() {
            return best;
        }
        if best.inputs.buffers[0][at] > 1 {
            let mut inputs = best.inputs.clone();
            inputs.buffers[0][at] = 0;
            accept(&mut best, inputs, still);
        }
    }
    best
}

fn accept(best: &mut Generated, inputs: Inputs, still: &mut dyn FnMut(&Generated) -> bool) -> bool {
    if inputs == best.inputs {
        return false;
    }
    let plainer = Generated::new(best.tree.clone(), inputs);
    let holds = still(&plainer);
    if holds {
        *best = plainer;
    }
    holds
}

/// How many instructions a module has beside the frame that loads inputs and leaves outputs, those of
/// functions of other modules among them.
pub fn instructions(tree: &Tree) -> usize {
    let mut count = 0;
    tree.each(&mut |statement| {
        count += usize::from(!matches!(statement, TreeStatement::Output { .. }));
    });
    count + tree.foreign.as_ref().map_or(0, |foreign| foreign.instructions())
}
