//! Values and addresses that are the same function of the lane on both sides, by a syntactic check.

use laneproof_semantics::Type;
use laneproof_semantics::denote::Argument;

use crate::flat::{Address, Flat, FlatValue, Step, StepId, ValueId};

/// Instructions that compute a number from numbers, each lane for itself. Where one gives an undefined
/// value, an access at it is undefined behavior.
const COMPUTE: [&str; 17] = [
    "OpIAdd",
    "OpISub",
    "OpIMul",
    "OpUDiv",
    "OpUMod",
    "OpBitwiseAnd",
    "OpBitwiseOr",
    "OpBitwiseXor",
    "OpNot",
    "OpShiftLeftLogical",
    "OpShiftRightLogical",
    "OpCompositeConstruct",
    "OpCompositeExtract",
    "OpVectorShuffle",
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
    if let (Some((whole, first)), Some((other, second))) =
        (component(source, ours), component(target, theirs))
    {
        return first == second
            && source.ty(ours) == target.ty(theirs)
            && same_value([source, target], [whole, other]);
    }
    match (source.value(ours), target.value(theirs)) {
        (FlatValue::Parameter(ours), FlatValue::Parameter(theirs)) => ours == theirs,
        (FlatValue::Constant(ours), FlatValue::Constant(theirs)) => {
            ours == theirs && ours.iter().all(Option::is_some)
        }
        (FlatValue::BuiltIn(ours, _), FlatValue::BuiltIn(theirs, _)) => ours.name == theirs.name,
        (FlatValue::Result(ours), FlatValue::Result(theirs)) => {
            same_step([source, target], [*ours, *theirs])
        }
        _ => false,
    }
}

/// The value of which this one is a part, and the leaf from which on it is: a part of a variable, or a
/// component that an instruction takes out of a vector.
fn component(flat: &Flat, value: ValueId) -> Option<(ValueId, usize)> {
    match flat.value(value) {
        FlatValue::Part(whole, first) => Some((*whole, *first)),
        FlatValue::Result(step) => {
            let step = flat.step(*step);
            let [Argument::Value(Type::Vector { .. }), Argument::Literals(numbers)] =
                &step.instance.arguments[..]
            else {
                return None;
            };
            let (Some([vector]), [number]) =
                (step.operands.first().map(Vec::as_slice), &numbers[..])
            else {
                return None;
            };
            (*step.instruction.name == *"OpCompositeExtract")
                .then_some((*vector, usize::try_from(*number).ok()?))
        }
        _ => None,
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
