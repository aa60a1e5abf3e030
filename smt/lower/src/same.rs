//! Values and addresses that are the same function of the lane on both sides, by a syntactic check.

use crate::flat::{Address, Flat, FlatValue, Step, StepId, ValueId};

/// Instructions that compute a number from numbers, each lane for itself. Where one gives an undefined
/// value, an access at it is undefined behavior.
const COMPUTE: [&str; 10] = [
    "OpIAdd",
    "OpISub",
    "OpIMul",
    "OpBitwiseAnd",
    "OpBitwiseOr",
    "OpShiftLeftLogical",
    "OpShiftRightLogical",
    "OpUConvert",
    "OpSConvert",
    "OpBitcast",
];

pub(crate) fn same_address([source, target]: [&Flat; 2], [ours, theirs]: [&Address; 2]) -> bool {
    let same = |ours: ValueId, theirs: ValueId| same_value([source, target], [ours, theirs]);
    let bases = match (ours.base, theirs.base) {
        (Some(ours), Some(theirs)) => same(ours, theirs),
        (None, None) => true,
        _ => false,
    };
    bases
        && ours.offset == theirs.offset
        && ours.indexes.len() == theirs.indexes.len()
        && ours.indexes.iter().zip(&theirs.indexes).all(|(ours, theirs)| {
            (ours.stride, ours.signed) == (theirs.stride, theirs.signed)
                && same(ours.index, theirs.index)
        })
}

/// Two values are the same function of the lane, by a syntactic check.
pub(crate) fn same_value([source, target]: [&Flat; 2], [ours, theirs]: [ValueId; 2]) -> bool {
    match (source.value(ours), target.value(theirs)) {
        (FlatValue::Parameter(ours), FlatValue::Parameter(theirs)) => ours == theirs,
        (FlatValue::Constant(ours), FlatValue::Constant(theirs)) => {
            ours == theirs && ours.iter().all(Option::is_some)
        }
        (FlatValue::BuiltIn(ours, _), FlatValue::BuiltIn(theirs, _)) => ours.name == theirs.name,
        (FlatValue::Part(ours, first), FlatValue::Part(theirs, second)) => {
            first == second && same_value([source, target], [*ours, *theirs])
        }
        (FlatValue::Result(ours), FlatValue::Result(theirs)) => {
            same_step([source, target], [*ours, *theirs])
        }
        _ => false,
    }
}

fn same_step([source, target]: [&Flat; 2], [ours, theirs]: [StepId; 2]) -> bool {
    let [ours, theirs] = [source.step(ours), target.step(theirs)];
    let operands = ours.operands.iter().flatten().zip(theirs.operands.iter().flatten());
    let numbers = |step: &Step| step.operands.iter().map(Vec::len).collect::<Vec<_>>();
    COMPUTE.contains(&&*ours.instruction.name)
        && ours.instruction.name == theirs.instruction.name
        && ours.instance.arguments == theirs.instance.arguments
        && ours.instance.result == theirs.instance.result
        && ours.instance.decorations == theirs.instance.decorations
        && numbers(ours) == numbers(theirs)
        && operands.into_iter().all(|(a, b)| same_value([source, target], [*a, *b]))
}
