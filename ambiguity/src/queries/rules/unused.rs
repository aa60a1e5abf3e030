//! Operands that no sentence uses.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Expr, ExprKind, SpecInstruction, Statement};

use crate::finding::{Evidence, Finding, FindingKind};
use crate::rules::{Book, ModuleWitness, judge};

/// One finding for each declared operand of a described instruction that neither its sentences nor
/// any rule mentions.
pub(super) fn operands(book: &Book<'_>, texts: &AsWritten) -> Vec<Finding> {
    let mut findings = Vec::new();
    for instruction in texts.specification.instructions.values() {
        if !instruction.clauses.iter().any(|it| it.statements.iter().any(|(it, _)| acts(it))) {
            continue;
        }
        let spoken = spoken_of(instruction);
        let added = book.known.added_by(&instruction.document, &instruction.name);
        for operand in &instruction.operands {
            let own = added.as_ref().is_none_or(|it| it.contains(&operand.name.to_lowercase()));
            if !own || spoken.contains(&*operand.name) || ruled(book, instruction, &operand.name) {
                continue;
            }
            let kind = FindingKind::Gap;
            let documents: BTreeSet<String> = [instruction.document.to_string()].into();
            let witness = ModuleWitness {
                instruction: instruction.name.to_string(),
                field: operand.name.to_string(),
                ..ModuleWitness::default()
            };
            let id = Finding::id_of(kind, "operand-without-a-use", &instruction.document);
            findings.push(Finding {
                instructions: [instruction.name.to_string()].into(),
                readings: judge(book, &documents, &witness),
                evidence: Evidence { module: Some(witness), ..Evidence::default() },
                documents,
                clauses: instruction.clauses.iter().map(|it| it.id.to_string()).collect(),
                summary: format!(
                    "{} has an operand {}, and no sentence says what it is for.",
                    instruction.name, operand.name
                ),
                remedy: format!("What {} does, or no such operand.", operand.name),
                ..Finding::of(kind, format!("{id}/{}", operand.name))
            });
        }
    }
    findings
}

/// It says what the instruction gives, or what it leaves in memory.
fn acts(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Result(..)
            | Statement::ResultsSuchThat(_)
            | Statement::Store { .. }
            | Statement::Ignored(_)
    )
}

fn ruled(book: &Book<'_>, instruction: &SpecInstruction, operand: &str) -> bool {
    let within = format!(" of {operand}");
    book.resolved.iter().any(|resolved| {
        let mut places = resolved.places.iter().filter(|(name, _)| **name == *instruction.name);
        places.any(|(_, field)| **field == *operand || field.ends_with(&within))
    })
}

/// The names in the clauses of an instruction.
fn spoken_of(instruction: &SpecInstruction) -> BTreeSet<Arc<str>> {
    let mut names = BTreeSet::new();
    for clause in &instruction.clauses {
        clause.statements.iter().for_each(|(statement, _)| in_statement(statement, &mut names));
    }
    names
}

fn in_statement(statement: &Statement, names: &mut BTreeSet<Arc<str>>) {
    match statement {
        Statement::Store { target, .. } => drop(names.insert(Arc::from(&**target))),
        Statement::Varies(operand) => drop(names.insert(Arc::clone(operand))),
        _ => {}
    }
    statement.expressions().into_iter().for_each(|expr| in_expression(expr, names));
    statement.nested().into_iter().flatten().for_each(|inner| in_statement(inner, names));
}

fn in_expression(expr: &Expr, names: &mut BTreeSet<Arc<str>>) {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Is(name, ..) => drop(names.insert(Arc::from(&**name))),
        _ => {}
    }
    expr.parts().into_iter().for_each(|part| in_expression(part, names));
}
