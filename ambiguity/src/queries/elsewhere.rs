//! Requirements on the values of an operand, or on which invocations execute an instruction, that other
//! documents have and that of the instruction has not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{
    AmbiguousShape, Clause, Expr, ExprKind, SpecInstruction, Statement,
};

use crate::finding::{Finding, FindingKind};

/// A document and an operand.
type Place = (Arc<str>, String);

/// One finding for each document and operand.
pub fn values(texts: &AsWritten) -> Vec<Finding> {
    let mut found: BTreeMap<Place, Finding> = BTreeMap::new();
    let mut wordings: BTreeMap<Place, BTreeSet<(String, String)>> = BTreeMap::new();
    for instruction in texts.specification.instructions.values() {
        let required: Vec<(&Arc<Clause>, String)> = required(texts, instruction);
        let is_own = |clause: &Clause| clause.document == instruction.document;
        for (clause, operand) in required.iter().filter(|(clause, _)| !is_own(clause)) {
            if required.iter().any(|(other, it)| is_own(other) && it == operand) {
                continue;
            }
            let key = (Arc::clone(&instruction.document), operand.clone());
            let finding = found.entry(key.clone()).or_insert_with(|| {
                let id = format!("values-restricted-elsewhere/{}/{operand}", instruction.document);
                Finding {
                    documents: [instruction.document.to_string()].into(),
                    remedy: "The same requirement, or that an environment may have its own."
                        .to_owned(),
                    ..Finding::of(FindingKind::Gap, format!("{}/{id}", FindingKind::Gap.name()))
                }
            });
            finding.instructions.insert(instruction.name.to_string());
            finding.documents.insert(clause.document.to_string());
            finding.clauses.insert(clause.id.to_string());
            let words = (clause.document.to_string(), clause.wording.to_string());
            wordings.entry(key).or_default().insert(words);
        }
    }
    let reported = found.into_iter().map(|(key, finding)| {
        let words = wordings.remove(&key).unwrap_or_default();
        let documents: BTreeSet<&str> = words.iter().map(|(document, _)| document.as_str()).collect();
        let said: BTreeSet<String> =
            words.iter().map(|(_, words)| format!("\u{201c}{words}\u{201d}")).collect();
        let summary = format!(
            "No sentence of {} says which values {} may have, and sentences of {} require something \
             of them: {}.",
            key.0,
            key.1,
            documents.into_iter().collect::<Vec<_>>().join(" and "),
            said.into_iter().collect::<Vec<_>>().join("; ")
        );
        Finding { summary, ..finding }
    });
    reported.collect()
}

/// The clauses by which something is required of the values of one operand and of nothing else, or
/// behavior is undefined, and that operand.
fn required<'i>(
    texts: &AsWritten,
    instruction: &'i SpecInstruction,
) -> Vec<(&'i Arc<Clause>, String)> {
    let is_must = |label: &str| {
        let mut points = texts.choice_points.iter();
        let point = points.find(|it| *it.name == *label);
        point.is_some_and(|it| matches!(it.kind.shape, AmbiguousShape::Must))
    };
    let of_clause = |clause: &'i Arc<Clause>| {
        clause.statements.iter().filter_map(move |(statement, _)| {
            let condition = match statement {
                Statement::UndefinedBehavior(condition) | Statement::Must(condition) => condition,
                Statement::Label(label, condition) if is_must(label) => condition,
                _ => return None,
            };
            let mut names = BTreeSet::new();
            let of_values = speaks(condition, &mut names);
            let mut operands = instruction.operands.iter().map(|it| it.name.to_string());
            let only = names.iter().next().filter(|_| names.len() == 1)?;
            (of_values && operands.any(|it| it == *only)).then(|| (clause, only.clone()))
        })
    };
    instruction.clauses.iter().flat_map(of_clause).collect()
}

/// One finding for each document whose instructions must be executed by all invocations by another one.
pub fn executions(texts: &AsWritten) -> Vec<Finding> {
    let mut found: BTreeMap<Arc<str>, Finding> = BTreeMap::new();
    let mut others: BTreeMap<Arc<str>, BTreeSet<String>> = BTreeMap::new();
    for instruction in texts.specification.instructions.values() {
        let of_lanes = |clause: &&Arc<Clause>| {
            clause.statements.iter().any(|(statement, _)| {
                matches!(statement, Statement::UndefinedBehavior(it) | Statement::Must(it) if of_execution(it))
            })
        };
        let clauses: Vec<&Arc<Clause>> = instruction.clauses.iter().filter(of_lanes).collect();
        if clauses.iter().any(|it| it.document == instruction.document) {
            continue;
        }
        for clause in clauses {
            let document = &instruction.document;
            let finding = found.entry(Arc::clone(document)).or_insert_with(|| Finding {
                documents: [document.to_string()].into(),
                remedy: "The same requirement, or that an environment may have its own.".to_owned(),
                ..Finding::of(
                    FindingKind::Gap,
                    Finding::id_of(FindingKind::Gap, "execution-restricted-elsewhere", document),
                )
            });
            finding.instructions.insert(instruction.name.to_string());
            finding.documents.insert(clause.document.to_string());
            finding.clauses.insert(clause.id.to_string());
            others.entry(Arc::clone(document)).or_default().insert(clause.document.to_string());
        }
    }
    let reported = found.into_iter().map(|(document, finding)| {
        let others = others.remove(&document).unwrap_or_default();
        let summary = format!(
            "No sentence of {document} says which invocations of a subgroup must execute these \
             instructions together; by {} behavior is undefined unless all of them do.",
            others.into_iter().collect::<Vec<_>>().join(" and ")
        );
        Finding { summary, ..finding }
    });
    reported.collect()
}

/// What says of a lane whether it executes an instruction.
const OF_EXECUTION: [&str; 2] = ["active", "inactive"];

/// It says of all invocations, and of nothing else, that they execute the instruction.
fn of_execution(condition: &Expr) -> bool {
    fn collect<'e>(expr: &'e Expr, calls: &mut BTreeSet<&'e str>) -> bool {
        if let ExprKind::Call(name, _) = &expr.kind {
            calls.insert(name);
        }
        let quantified = matches!(expr.kind, ExprKind::Quantified { .. });
        expr.parts().into_iter().fold(quantified, |all, part| collect(part, calls) || all)
    }
    let mut calls = BTreeSet::new();
    let quantified = collect(condition, &mut calls);
    let said = |words: &[&str]| calls.iter().any(|it| words.contains(it));
    let beside = ["lane_named", "exact"];
    quantified
        && said(&OF_EXECUTION)
        && calls.iter().all(|it| OF_EXECUTION.contains(it) || beside.contains(it))
}

/// What is said of lanes, forms or whether an operand is there is not said of values.
const NOT_OF_VALUES: [&str; 6] =
    ["uniform", "exists", "active", "inactive", "present", "capability"];

/// The names in a condition; false where it is not about values of the lane's own operands alone.
fn speaks(expr: &Expr, names: &mut BTreeSet<String>) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => {
            names.insert(name.to_string());
            true
        }
        // All ways to read it are about the same operand.
        ExprKind::Reading(_, ways) => ways.first().is_some_and(|(_, way)| speaks(way, names)),
        ExprKind::At(..)
        | ExprKind::Quantified { .. }
        | ExprKind::Fold { .. }
        | ExprKind::SomeOrder { .. }
        | ExprKind::Is(..) => false,
        ExprKind::Call(name, _) if NOT_OF_VALUES.contains(&&**name) => false,
        _ => expr.parts().into_iter().all(|part| speaks(part, names)),
    }
}
