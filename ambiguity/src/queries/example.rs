//! Examples and overviews against the formula.

use laneproof_queries::model_check::ModelCheckError;
use laneproof_semantics::language::ast::Statement;

use super::relation::legal;
use super::{Collected, shown};
use crate::case::by_relation;
use crate::finding::{Finding, FindingKind, ReadingOutcome};
use crate::probe::{both, condition, not};
use crate::question::Case;

/// The sizes of subgroups in examples.
const EXAMPLES: [u32; 4] = [1, 4, 8, 16];

/// The same, where sentences relate the results of all lanes.
const RELATED: [u32; 2] = [1, 2];

/// States in which what an example says does not follow.
pub(super) fn examples(case: &Case<'_>, found: &mut Collected) -> Result<(), ModelCheckError> {
    let settled = case.base.clone();
    for clause in &case.instruction.clauses {
        for (statement, _) in &clause.statements {
            let Statement::Example(holds, when) = statement else { continue };
            let kind = FindingKind::Overlap;
            let id = Finding::id_of(kind, "prose-and-formula", &clause.document);
            if !case.wants(&id) {
                continue;
            }
            let mut asked = not(holds.clone());
            if let Some(when) = when {
                asked = both(when.clone(), asked);
            }
            let state = match by_relation(case.instruction) {
                // Shown with results that the other sentences allow.
                true => case.lane_by_lane(&RELATED, |states, lane| {
                    let own = legal(case, states, &settled)?;
                    let lane = states.lane(lane);
                    Ok(vec![own, condition(case, &settled, states, lane, asked.clone())?])
                }),
                false => case.smallest_of(&EXAMPLES, |states, lane| {
                    Ok(vec![condition(case, &settled, states, lane, asked.clone())?])
                }),
            }?;
            let Some(state) = state else { continue };
            let ways = [("the formula".to_owned(), settled.clone())];
            let mut finding = shown(case, kind, id, &state, &ways)?;
            finding.clauses.insert(clause.id.to_string());
            finding.summary = format!(
                "What an example or overview says does not follow from the formula: {}",
                clause.wording
            );
            // The example is printed beside the formula, without a drawing of its own.
            finding.readings.push(ReadingOutcome {
                name: "the overview or example".to_owned(),
                outcome: format!("\u{201c}{}\u{201d}: not so here", clause.wording),
                lanes: Vec::new(),
            });
            finding.remedy =
                "An overview or an example that agrees with the formula, or a formula \
                              that agrees with it."
                    .to_owned();
            found.findings.push(finding);
        }
    }
    Ok(())
}
