//! Results of selections and loops that nothing uses.

use std::collections::BTreeMap;

use crate::inputs::Inputs;
use crate::tree::copy::{arms, operands};
use crate::tree::{End, Tree, TreeBlock, TreeLoop, TreeOperand, TreeStatement, TreeValue};

/// Results of constructs that nothing uses go, and what loops carry for them; whether there were any.
pub(crate) fn without_unused_results(tree: &mut Tree, _: &mut Inputs) -> bool {
    let mut changed = false;
    // What a result was for may be a result of a construct inside.
    while without_some(tree) {
        changed = true;
    }
    changed
}

fn without_some(tree: &mut Tree) -> bool {
    let mut uses = BTreeMap::new();
    let mut whole = tree.clone();
    whole.functions.iter_mut().for_each(|it| count(&mut it.body, &mut uses));
    count(&mut whole.body, &mut uses);
    let mut changed = false;
    tree.each_mut(&mut |statement| changed |= trimmed(statement, &uses));
    changed
}

fn count(block: &mut TreeBlock, uses: &mut BTreeMap<TreeValue, usize>) {
    operands(block, &mut |operand| {
        if let TreeOperand::Value(value) = operand {
            *uses.entry(*value).or_default() += 1;
        }
    });
}

fn trimmed(statement: &mut TreeStatement, uses: &BTreeMap<TreeValue, usize>) -> bool {
    let unused = |value: &TreeValue| !uses.contains_key(value);
    let results = match statement {
        TreeStatement::If(it) => &it.results,
        TreeStatement::Switch(it) => &it.results,
        TreeStatement::Loop(it) => &it.results,
        _ => return false,
    };
    let wanted = results.iter().position(|result| unused(&result.value));
    let Some(at) = wanted else { return false };
    match statement {
        TreeStatement::If(it) => {
            it.results.remove(at);
        }
        TreeStatement::Switch(it) => {
            it.results.remove(at);
            if at < it.unmatched.len() {
                it.unmatched.remove(at);
            }
        }
        TreeStatement::Loop(it) => return trimmed_loop(it, uses),
        _ => return false,
    }
    for arm in arms(statement) {
        if let End::Yield(values) = &mut arm.end {
            values.remove(at);
        }
    }
    true
}

/// A loop carries nothing that only feeds itself.
fn trimmed_loop(it: &mut TreeLoop, uses: &BTreeMap<TreeValue, usize>) -> bool {
    let idle = |at: usize, it: &mut TreeLoop| {
        let (result, carried) = (it.results[at].value, it.carried[at].definition.value);
        let mut own = 0;
        ends(&mut it.body, &mut |values| {
            own += usize::from(values.get(at) == Some(&TreeOperand::Value(carried)));
        });
        !uses.contains_key(&result) && uses.get(&carried).copied().unwrap_or(0) == own
    };
    let Some(at) = (0..it.results.len()).find(|at| idle(*at, it)) else { return false };
    it.results.remove(at);
    it.carried.remove(at);
    ends(&mut it.body, &mut |values| {
        if at < values.len() {
            values.remove(at);
        }
    });
    true
}

/// What each way out of an iteration hands on.
fn ends(body: &mut TreeBlock, see: &mut dyn FnMut(&mut Vec<TreeOperand>)) {
    if let End::Yield(values) = &mut body.end {
        see(values);
    }
    jumps(body, see);
}

/// Likewise of the breaks and continues in a block, which are of the loop around it.
fn jumps(block: &mut TreeBlock, see: &mut dyn FnMut(&mut Vec<TreeOperand>)) {
    if let End::Break(values) | End::Continue(values) = &mut block.end {
        see(values);
    }
    for statement in &mut block.statements {
        if !matches!(statement, TreeStatement::Loop(_)) {
            arms(statement).into_iter().for_each(|arm| jumps(arm, see));
        }
    }
}
