//! Faults that a reading may explain.

use laneproof_generator::{ActiveSetShape, Covered, Generated, coverage};

use crate::outcome::FaultKind;

/// What is wrong is what was computed, which a reading may explain.
pub(crate) const fn is_of_value(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::WrongValue | FaultKind::Refuted | FaultKind::UndefinedBehavior)
}

/// Without maximal reconvergence, which kernels do not have, lanes need not be together in loops,
/// switches and calls, nor be apart from those that have left: a dynamic instance is identified by
/// the path to it, and nothing says when paths become one again. The result of a group instruction
/// there depends on a reading.
pub(crate) fn weaker_reconvergence(generated: &Generated) -> Option<String> {
    let tree = &generated.tree;
    let open = |covered: &Covered| {
        !matches!(covered.shape, ActiveSetShape::Straight | ActiveSetShape::Selection)
    };
    let weak = !tree.target.maximal_reconvergence;
    (weak && coverage(tree).iter().any(open)).then(|| "reconvergence=weaker".to_owned())
}
