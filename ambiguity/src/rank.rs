//! Who can see a finding, and the order in which findings are read.

use laneproof_semantics::language::ast::OperandType;

use crate::finding::{Finding, FindingKind, Visibility};
use crate::observed;

/// Says who can see each finding, and puts what a program can see before what only a validator can,
/// and that before what only a reader can; of these what a device was seen to decide for itself
/// first, then what more instructions share. Slips of the pen come last.
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
