//! Statements about one operand that are missing for another of its kind, or contradict each other; and
//! operands of one name with different roles.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{
    BinaryOp, Clause, Expr, ExprKind, Operand, OperandType, SpecInstruction, Statement, UnaryOp,
};

use crate::finding::{Finding, FindingKind};

/// All findings about operands by themselves.
pub fn operands(texts: &AsWritten) -> Vec<Finding> {
    let mut findings = uniformity(texts);
    findings.extend(both(texts));
    findings.extend(roles(texts));
    findings
}

fn finding(kind: FindingKind, word: &str, instruction: &SpecInstruction, operand: &str) -> Finding {
    let id = Finding::id_of(kind, word, &instruction.document);
    Finding {
        documents: [instruction.document.to_string()].into(),
        ..Finding::of(kind, format!("{id}/{operand}"))
    }
}

/// A document says of operands whether they are uniform where it does so of that many.
const PRACTICE: usize = 2;

/// Images for which no document says whether invocations may name different ones, although
/// sentences say it for other operands of the same document. For operands with values, states show
/// it.
fn uniformity(texts: &AsWritten) -> Vec<Finding> {
    let instructions = || texts.specification.instructions.values();
    let mut stated: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for instruction in instructions() {
        for clause in &instruction.clauses {
            stated.entry(&*instruction.document).or_default().extend(uniform_or_not(clause));
        }
    }
    let mut findings: BTreeMap<String, Finding> = BTreeMap::new();
    for instruction in instructions() {
        let in_document = &stated[&*instruction.document];
        let own: BTreeSet<String> =
            instruction.clauses.iter().flat_map(|it| uniform_or_not(it)).collect();
        let images = instruction.operands.iter().filter(|it| it.ty == OperandType::Image);
        for operand in images.filter(|it| !own.contains(&*it.name)) {
            let Some(other) = in_document.first().filter(|_| in_document.len() >= PRACTICE) else {
                continue;
            };
            let new = finding(FindingKind::Gap, "uniformity-not-given", instruction, &operand.name);
            let known = findings.entry(new.id.clone()).or_insert_with(|| Finding {
                summary: format!(
                    "No sentence says whether invocations may name different objects as {}, as \
                     sentences do of {other}, or which of them counts then.",
                    operand.name
                ),
                remedy: format!("{} is dynamically uniform, or need not be.", operand.name),
                ..new
            });
            known.instructions.insert(instruction.name.to_string());
            let section = format!("{}, {}", instruction.document, instruction.section);
            known.clauses.insert(section);
        }
    }
    findings.into_values().collect()
}

/// Operands in which invocations may differ by one sentence and must not by another.
fn both(texts: &AsWritten) -> Vec<Finding> {
    let mut findings: BTreeMap<String, Finding> = BTreeMap::new();
    for instruction in texts.specification.instructions.values() {
        let may = |clause: &Clause, operand: &str| {
            let varies =
                |it: &Statement| matches!(it, Statement::Varies(name) if **name == *operand);
            clause.statements.iter().any(|(statement, _)| varies(statement))
        };
        for operand in &instruction.operands {
            let name = &*operand.name;
            let permits = instruction.clauses.iter().find(|it| may(it, name));
            let requires = instruction.clauses.iter().find(|it| requires_uniform(it, name));
            let Some((permits, requires)) = permits.zip(requires) else { continue };
            let new = finding(FindingKind::Overlap, "may-differ-and-must-not", instruction, name);
            let known = findings.entry(new.id.clone()).or_insert_with(|| Finding {
                summary: format!(
                    "Invocations may differ in {name} by one sentence, and must not by another."
                ),
                remedy: "One of the two sentences.".to_owned(),
                ..new
            });
            known.instructions.insert(instruction.name.to_string());
            for clause in [permits, requires] {
                known.clauses.insert(clause.id.to_string());
                known.documents.insert(clause.document.to_string());
            }
        }
    }
    findings.into_values().collect()
}

/// It requires that all invocations have the same value of an operand, or behavior is undefined.
fn requires_uniform(clause: &Clause, operand: &str) -> bool {
    // Beside further requirements, but under no condition.
    fn holds(expr: &Expr, operand: &str) -> bool {
        match &expr.kind {
            ExprKind::Call(name, arguments) => {
                let is_operand =
                    |it: &Expr| matches!(&it.kind, ExprKind::Name(it) if **it == *operand);
                &**name == "uniform" && arguments.iter().any(is_operand)
            }
            ExprKind::Binary(BinaryOp::And, one, other) => {
                holds(one, operand) || holds(other, operand)
            }
            _ => false,
        }
    }
    clause.statements.iter().any(|(statement, _)| match statement {
        Statement::Must(it) => holds(it, operand),
        // A requirement without a consequence is a label where it is not met.
        Statement::UndefinedBehavior(it) | Statement::Label(_, it) => match &it.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => holds(inner, operand),
            _ => false,
        },
        _ => false,
    })
}

/// The operands that a clause declares equal in all invocations, or possibly different.
fn uniform_or_not(clause: &Clause) -> Vec<String> {
    fn in_expression(expr: &Expr, found: &mut Vec<String>) {
        if let ExprKind::Call(name, arguments) = &expr.kind
            && &**name == "uniform"
            && let [Expr { kind: ExprKind::Name(operand), .. }] = arguments.as_slice()
        {
            found.push(operand.to_string());
        }
        expr.parts().into_iter().for_each(|part| in_expression(part, found));
    }
    let mut found = Vec::new();
    for (statement, _) in &clause.statements {
        if let Statement::Varies(operand) = statement {
            found.push(operand.to_string());
        }
        statement.expressions().into_iter().for_each(|expr| in_expression(expr, &mut found));
    }
    found
}

/// What an operand holds: what the instruction gives again in some invocation, or a number of its
/// own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Data,
    Number,
}

fn role(instruction: &SpecInstruction, operand: &Operand) -> Option<Role> {
    match &operand.ty {
        ty @ OperandType::Variable(_) if instruction.result.as_ref() == Some(ty) => {
            Some(Role::Data)
        }
        OperandType::Int(_) | OperandType::AnyInt => Some(Role::Number),
        _ => None,
    }
}

/// The least number of instructions that give a name its usual role.
const USUAL: usize = 5;

/// Operands with a name that other instructions have for data, and that hold a number beside other
/// data; or the other way round.
fn roles(texts: &AsWritten) -> Vec<Finding> {
    let mut usual: BTreeMap<(&str, Role), usize> = BTreeMap::new();
    for instruction in Specification::built_in().instructions.values() {
        for operand in &instruction.operands {
            if let Some(role) = role(instruction, operand) {
                *usual.entry((&*operand.name, role)).or_default() += 1;
            }
        }
    }
    let times = |name: &str, role: Role| usual.get(&(name, role)).copied().unwrap_or(0);
    let mut findings: BTreeMap<String, Finding> = BTreeMap::new();
    for instruction in texts.specification.instructions.values() {
        for operand in &instruction.operands {
            let Some(role) = role(instruction, operand) else { continue };
            let other = if role == Role::Data { Role::Number } else { Role::Data };
            let often = times(&operand.name, other);
            if often < USUAL || often < USUAL * times(&operand.name, role) {
                continue;
            }
            let (here, there) = match role {
                Role::Data => ("the data", "a number that selects or counts"),
                Role::Number => ("a number that selects an invocation", "the data"),
            };
            let new =
                finding(FindingKind::Token, "name-of-another-thing", instruction, &operand.name);
            let known = findings.entry(new.id.clone()).or_insert_with(|| Finding {
                summary: format!(
                    "The operand {} is {here}; in {often} other instructions an operand of this \
                     name is {there}.",
                    operand.name
                ),
                remedy: "A name that no operand with another meaning has.".to_owned(),
                editorial: true,
                ..new
            });
            known.instructions.insert(instruction.name.to_string());
            let section = format!("{}, {}", instruction.document, instruction.section);
            known.clauses.insert(section);
        }
    }
    findings.into_values().collect()
}
