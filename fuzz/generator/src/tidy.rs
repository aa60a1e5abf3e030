//! A module without what it does not use: what is left when a reducer has cut statements.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::Generated;
use crate::inputs::Inputs;
use crate::results::without_unused_results;
use crate::tree::copy::operands;
use crate::tree::{Tree, TreeOperand, TreePlace, TreeStatement, TreeValue, words_of};

/// Something that is not used goes; whether there was any.
type Step = fn(&mut Tree, &mut Inputs) -> bool;

/// What can be done to every module, and behind it what a device would not follow: its subgroups
/// have one size.
const STEPS: [Step; 7] = [
    without_unused_functions,
    without_unused_results,
    without_unused_variables,
    without_unused_inputs,
    without_gaps_in_outputs,
    of_one_subgroup,
    of_fewer_lanes,
];

/// The module without anything that it does not use, and, where that is too much at once, without
/// each such thing. Its subgroups have the size that they had if that is `fixed`.
pub fn tidied(generated: &Generated, fixed: bool) -> Vec<Generated> {
    let steps = &STEPS[..STEPS.len() - usize::from(fixed)];
    let apply = |steps: &[Step]| {
        let (mut tree, mut inputs) = (generated.tree.clone(), generated.inputs.clone());
        let changes = steps.iter().filter(|step| step(&mut tree, &mut inputs)).count();
        (changes > 0).then(|| Generated::new(tree, inputs))
    };
    let each = steps.iter().filter_map(|step| apply(std::slice::from_ref(step)));
    apply(steps).into_iter().chain(each).collect()
}

/// The values that anything uses.
fn used(tree: &Tree) -> BTreeSet<TreeValue> {
    let (mut tree, mut found) = (tree.clone(), BTreeSet::new());
    let mut see = |operand: &mut TreeOperand| {
        if let TreeOperand::Value(value) = operand {
            found.insert(*value);
        }
    };
    tree.functions.iter_mut().for_each(|it| operands(&mut it.body, &mut see));
    operands(&mut tree.body, &mut see);
    found
}

fn without_unused_functions(tree: &mut Tree, _: &mut Inputs) -> bool {
    let calls = |block: &crate::tree::TreeBlock, to: &mut BTreeSet<usize>| {
        block.each(&mut |statement| {
            if let TreeStatement::Call { function, .. } = statement {
                to.insert(*function);
            }
        });
    };
    let mut called = BTreeSet::new();
    calls(&tree.body, &mut called);
    // Each calls only later ones.
    for (index, function) in tree.functions.iter().enumerate() {
        if called.contains(&index) {
            calls(&function.body, &mut called);
        }
    }
    let mut foreign = BTreeSet::new();
    let mut index = 0;
    let before = tree.functions.len();
    tree.functions.retain(|_| {
        index += 1;
        called.contains(&(index - 1))
    });
    let renumbered: BTreeMap<usize, usize> =
        called.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    tree.each_mut(&mut |statement| match statement {
        TreeStatement::Call { function, .. } => {
            *function = renumbered.get(function).copied().unwrap_or(*function);
        }
        TreeStatement::Foreign { function, .. } => {
            foreign.insert(*function);
        }
        _ => {}
    });
    let unneeded = tree.foreign.take_if(|_| foreign.is_empty()).is_some();
    let fewer = tree.foreign.as_ref().and_then(|it| it.only(&foreign));
    let of_foreign = unneeded || fewer.is_some();
    if let Some(fewer) = fewer {
        tree.foreign = Some(Arc::new(fewer));
    }
    of_foreign || tree.functions.len() < before
}

fn without_unused_variables(tree: &mut Tree, _: &mut Inputs) -> bool {
    let mut seen = BTreeSet::new();
    tree.each(&mut |statement| {
        if let TreeStatement::Load { from: place, .. } | TreeStatement::Store { to: place, .. } =
            statement
            && let TreePlace::Variable(index) = place
        {
            seen.insert(*index);
        }
    });
    if seen.len() == tree.variables.len() {
        return false;
    }
    tree.variables = seen.iter().filter_map(|index| tree.variables.get(*index).cloned()).collect();
    let renumbered: BTreeMap<usize, usize> =
        seen.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    tree.each_mut(&mut |statement| {
        if let TreeStatement::Load { from: place, .. } | TreeStatement::Store { to: place, .. } =
            statement
            && let TreePlace::Variable(index) = place
        {
            *index = renumbered.get(index).copied().unwrap_or(*index);
        }
    });
    true
}

/// The words of each invocation, from those that it had.
pub(crate) fn rearranged(words: &mut Vec<u32>, each: usize, kept: &[usize]) {
    if each > 0 {
        let rows = words.chunks_exact(each);
        *words = rows.flat_map(|row| kept.iter().filter_map(|at| row.get(*at).copied())).collect();
    }
}

fn without_unused_inputs(tree: &mut Tree, inputs: &mut Inputs) -> bool {
    let used = used(tree);
    let (mut kept, mut columns, mut first) = (Vec::new(), Vec::new(), 0);
    let each = tree.input_words() as usize;
    for input in &tree.inputs {
        let next = first + words_of(&input.ty) as usize;
        if used.contains(&input.value) {
            kept.push(input.clone());
            columns.extend(first..next);
        }
        first = next;
    }
    let changed = kept.len() < tree.inputs.len();
    if changed {
        tree.inputs = kept;
        rearranged(&mut inputs.buffers[0], each, &columns);
    }
    changed
}

fn without_gaps_in_outputs(tree: &mut Tree, inputs: &mut Inputs) -> bool {
    let mut written = BTreeMap::new();
    tree.each(&mut |statement| {
        if let TreeStatement::Output { word, ty, .. } = statement {
            written.insert(*word, words_of(ty));
        }
    });
    let each = tree.output_words.max(1) as usize;
    let (mut next, mut columns, mut renumbered) = (0, Vec::new(), BTreeMap::new());
    for (word, count) in written {
        renumbered.insert(word, next);
        columns.extend((word..word + count).map(|it| it as usize));
        next += count;
    }
    // A buffer has one word at least.
    if next.max(1) >= tree.output_words {
        return false;
    }
    if next == 0 {
        (next, columns) = (1, vec![0]);
    }
    tree.each_mut(&mut |statement| {
        if let TreeStatement::Output { word, .. } = statement {
            *word = renumbered.get(word).copied().unwrap_or(*word);
        }
    });
    tree.output_words = next;
    rearranged(&mut inputs.buffers[1], each, &columns);
    true
}

/// The first invocations only.
fn truncated(tree: &mut Tree, inputs: &mut Inputs, invocations: u32) {
    tree.target.workgroup = invocations;
    let each = [tree.input_words(), tree.output_words.max(1), 3];
    for (buffer, words) in inputs.buffers.iter_mut().zip(each) {
        buffer.truncate((words * invocations) as usize);
    }
}

fn of_one_subgroup(tree: &mut Tree, inputs: &mut Inputs) -> bool {
    let size = tree.target.subgroup_size;
    let changed = tree.target.workgroup > size;
    if changed {
        truncated(tree, inputs, size);
    }
    changed
}

/// Half the lanes, in subgroups of half the size.
fn of_fewer_lanes(tree: &mut Tree, inputs: &mut Inputs) -> bool {
    let half = tree.target.subgroup_size / 2;
    let changed = half >= 4 && tree.target.workgroup > half;
    if changed {
        tree.target.subgroup_size = half;
        truncated(tree, inputs, half);
    }
    changed
}
