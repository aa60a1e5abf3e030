//! Smaller modules on which a tool is wrong in the same way.

use std::time::{Duration, Instant};

use laneproof_generator::{Generated, Inputs, Statement, Tree, shrunk};

/// Cuts a module as long as `still` holds and there is time. The inputs are made plainer last.
pub fn reduce(
    generated: &Generated,
    time: Duration,
    mut still: impl FnMut(&Generated) -> bool,
) -> Generated {
    let end = Instant::now() + time;
    let mut best = generated.clone();
    let mut again = true;
    while again && Instant::now() < end {
        again = false;
        for tree in shrunk(&best.tree) {
            if Instant::now() >= end {
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
    plainer(best, end, &mut still)
}

/// Inputs with fewer and smaller numbers.
fn plainer(
    mut best: Generated,
    end: Instant,
    still: &mut dyn FnMut(&Generated) -> bool,
) -> Generated {
    let input = best.inputs.buffers.first().map_or(0, Vec::len);
    let each = best.tree.input_words().max(1) as usize;
    // Columns first, then lanes.
    for column in 0..each {
        for value in [|_: usize| 0u32, |_| 1, |lane| lane as u32] {
            if Instant::now() >= end {
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
        if Instant::now() >= end {
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

/// How many instructions a module has beside the frame that loads inputs and leaves outputs.
pub fn instructions(tree: &Tree) -> usize {
    let mut count = 0;
    tree.each(&mut |statement| {
        count += usize::from(!matches!(statement, Statement::Output { .. }));
    });
    count
}
