//! Capabilities that a document adds, beside the built-in variables by which it describes what they
//! enable.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Expr, ExprKind, Statement};
use laneproof_semantics::language::fact::TokenFact;
use laneproof_tokens as tokens;

use crate::finding::{Finding, FindingKind};

/// One finding for each document: of the capabilities that it adds no sentence says that they
/// declare or depend on one that a variable needs by which an instruction is described.
pub fn of_built_ins(texts: &AsWritten) -> Vec<Finding> {
    let documents = texts.specification.documents.iter().map(|it| &*it.name);
    documents.filter_map(|document| of_document(texts, document)).collect()
}

fn of_document(texts: &AsWritten, document: &str) -> Option<Finding> {
    let facts: Vec<&TokenFact> = facts(texts).filter(|it| *it.document == *document).collect();
    // A capability is the document's own where it gives it a number.
    let mut added: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for fact in facts.iter().filter(|it| &*it.kind == "Capability" && it.number.is_some()) {
        let declared = fact.declares.iter().map(ToString::to_string);
        added.entry(&fact.token).or_default().extend(tokens::with_brought(declared));
    }
    // A capability counts where it enables an instruction that is described by a variable.
    let opcodes = || facts.iter().filter(|it| &*it.kind == "Opcode");
    let mut described = described(texts, document);
    // Where no formula names one, the document's words may be about any of its instructions.
    if !opcodes().any(|it| described.contains(&*it.token)) {
        described.extend(opcodes().map(|it| it.token.to_string()));
    }
    added.retain(|capability, _| {
        let enabled = |it: &&&TokenFact| it.capabilities.iter().any(|it| **it == **capability);
        let mut all = opcodes().filter(enabled).peekable();
        all.peek().is_none() || all.any(|it| described.contains(&*it.token))
    });
    let variables = facts.iter().filter(|it| &*it.kind == "BuiltIn");
    let conditions = conditions(texts, document);
    let mut lacking: BTreeMap<&str, (Vec<String>, String)> = BTreeMap::new();
    let mut without: BTreeSet<&str> = BTreeSet::new();
    for variable in variables {
        let Some(token) = tokens::named("BuiltIn", &variable.token) else { continue };
        let any = token.capabilities();
        let implied = any.is_empty() || any.iter().any(|it| conditions.contains(it));
        let lacks = |declared: &BTreeSet<String>| !any.iter().any(|it| declared.contains(it));
        let lacks: Vec<&str> =
            added.iter().filter(|(_, it)| !implied && lacks(it)).map(|(name, _)| *name).collect();
        if !lacks.is_empty() {
            without.extend(lacks);
            lacking.entry(&variable.token).or_insert((any, variable.citation()));
        }
    }
    let (first, _) = lacking.iter().next()?;
    let needs = |(name, (any, _)): (&&str, &(Vec<String>, String))| {
        format!("{name} needs {}", any.join(" or "))
    };
    let kind = FindingKind::Gap;
    let declared = facts.iter().filter(|it| &*it.kind == "Capability" && it.number.is_some());
    Some(Finding {
        documents: [document.to_owned()].into(),
        instructions: facts
            .iter()
            .filter(|it| &*it.kind == "Opcode" && it.number.is_some())
            .filter(|it| described.contains(&*it.token))
            .map(|it| it.token.to_string())
            .collect(),
        clauses: declared
            .filter(|it| without.contains(&*it.token))
            .map(|it| it.citation())
            .chain(lacking.values().map(|(_, citation)| citation.clone()))
            .collect(),
        summary: format!(
            "Instructions are described by built-in variables that need a capability of their own \
             ({}), and no sentence says that {} declares or depends on one of these.",
            lacking.iter().map(needs).collect::<Vec<_>>().join(", "),
            without.into_iter().collect::<Vec<_>>().join(" or "),
        ),
        remedy: format!("A capability that {first} needs, declared by the new one."),
        ..Finding::of(kind, Finding::id_of(kind, "capability-of-a-built-in-variable", document))
    })
}

/// The instructions whose clauses name an invocation's own id or a size of the subgroup, or that have no
/// clauses with formulas.
fn described(texts: &AsWritten, document: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for instruction in texts.specification.instructions.values() {
        let own = instruction.clauses.iter().filter(|it| *it.document == *document);
        let statements: Vec<&Statement> =
            own.flat_map(|it| &it.statements).map(|(it, _)| it).collect();
        if statements.is_empty() || statements.iter().any(|it| names_variable(texts, it)) {
            found.insert(instruction.name.to_string());
        }
    }
    found
}

fn names_variable(texts: &AsWritten, statement: &Statement) -> bool {
    // What relates results to each other does so by the bits for invocations' ids.
    matches!(statement, Statement::ResultsSuchThat(_))
        || statement.expressions().into_iter().any(|expr| mentions_variable(texts, expr))
        || statement.nested().into_iter().flatten().any(|it| names_variable(texts, it))
}

/// The text's own term counts where it can be read in several ways, not what the ways make of it.
fn mentions_variable(texts: &AsWritten, expr: &Expr) -> bool {
    let is_variable = |name: &str| {
        ["id", "SubgroupSize", "SubgroupMaxSize"].contains(&name)
            || tokens::named("BuiltIn", name).is_some()
    };
    let words =
        |term: &str| term.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_variable);
    match &expr.kind {
        ExprKind::Name(name) => is_variable(name),
        ExprKind::Reading(name, _) => {
            texts.choice_points.iter().any(|point| point.name == *name && words(&point.term))
        }
        _ => expr.parts().into_iter().any(|part| mentions_variable(texts, part)),
    }
}

fn facts(texts: &AsWritten) -> impl Iterator<Item = &TokenFact> {
    let built_in = &Specification::built_in().facts;
    texts.specification.facts.iter().chain(built_in).map(|it| &**it)
}

/// Capabilities on which a sentence of the document makes something depend: where one is declared a
/// variable that needs it may be named.
fn conditions(texts: &AsWritten, document: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for instruction in texts.specification.instructions.values() {
        for clause in instruction.clauses.iter().filter(|it| *it.document == *document) {
            clause.statements.iter().for_each(|(it, _)| in_statement(it, &mut found));
        }
    }
    found
}

fn in_statement(statement: &Statement, found: &mut BTreeSet<String>) {
    statement.expressions().into_iter().for_each(|expr| in_expression(expr, found));
    statement.nested().into_iter().flatten().for_each(|inner| in_statement(inner, found));
}

fn in_expression(expr: &Expr, found: &mut BTreeSet<String>) {
    if let ExprKind::Call(name, arguments) = &expr.kind
        && &**name == "capability"
        && let [Expr { kind: ExprKind::Name(capability), .. }] = arguments.as_slice()
    {
        found.insert(capability.to_string());
    }
    expr.parts().into_iter().for_each(|part| in_expression(part, found));
}
