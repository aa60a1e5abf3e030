//! The visibility of findings, and their order.

use laneproof_semantics::language::ast::OperandType;

use crate::finding::{Finding, FindingKind, Visibility};
use crate::observed;

/// Sets the visibility of each finding, and sorts: findings that a program can observe come before
/// those that only a validator can, and those before the ones that only a reader can; within each,
/// first those with observed device behavior, then those of more instructions. Editorial errors
/// come last.
pub(crate) fn rank(findings: &mut [Finding]) {
    observed::note(findings);
    for finding in findings.iter_mut() {
        finding.visibility = visibility(finding);
    }
    findings.sort_by(|a, b| {
        let key = |it: &Finding| {
            let instructions = usize::MAX - it.instructions.len();
            (it.editorial, it.visibility, it.evidence.observed.is_none(), instructions, it.kind)
        };
        key(a).cmp(&key(b)).then_with(|| a.id.cmp(&b.id))
    });
}

/// Where readings give values that differ, or something is silent, in a state that a program can
/// be in, it is a program's; what is about modules is a validator's.
fn visibility(finding: &Finding) -> Visibility {
    let shown = finding.evidence.witness.is_some()
        && matches!(
            finding.kind,
            FindingKind::Gap | FindingKind::Divergence | FindingKind::Overlap
        );
    let scene = finding.evidence.scenes.first();
    let has_operands = scene.is_none_or(|scene| {
        scene.instruction.operands.iter().any(|it| !matches!(it.ty, OperandType::Scope))
    });
    match (shown && has_operands, finding.evidence.module.is_some(), finding.editorial) {
        (_, _, true) => Visibility::Reader,
        (true, ..) => Visibility::Program,
        (_, true, _) => Visibility::Validator,
        _ if finding.kind == FindingKind::Token => Visibility::Validator,
        _ => Visibility::Reader,
    }
}
