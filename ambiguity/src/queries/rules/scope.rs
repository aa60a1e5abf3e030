//! Sentences about a subgroup in the description of an instruction whose group may be another one.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{
    Clause, Expr, ExprKind, LaneSet, OperandType, SpecInstruction, Statement,
};

use crate::finding::{Evidence, Finding, FindingKind};
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, prohibits};

/// The group that is not a subgroup.
const OTHER: &str = "Workgroup";

/// What a sentence names of a subgroup, in the words of a reader.
const SIZES: [&str; 2] = ["SubgroupSize", "SubgroupMaxSize"];
const LANES: &str = "the invocations in the subgroup";

/// One finding for each sentence that names something of a subgroup whatever the scope is, where no
/// rule makes other scopes illegal.
pub(super) fn of_subgroups(book: &Book<'_>, texts: &AsWritten) -> Vec<Finding> {
    let mut findings: BTreeMap<String, Finding> = BTreeMap::new();
    for instruction in texts.specification.instructions.values() {
        let Some(scope) = scope(instruction).filter(|it| may_be_other(book, instruction, it))
        else {
            continue;
        };
        for clause in instruction.clauses.iter().filter(|it| it.document == instruction.document) {
            let named = named(clause, scope);
            let (Some(last), false) = (clause.sentences.last(), named.is_empty()) else { continue };
            let kind = FindingKind::Gap;
            let id = Finding::id_of(kind, "subgroup-at-another-scope", &clause.document);
            // A sentence is known by its number in its section.
            let place = match clause.elsewhere {
                true => format!("{}-{last}", clause.section.replace(' ', "-")),
                false => last.to_string(),
            };
            let finding = findings.entry(format!("{id}/{place}")).or_insert_with_key(|id| {
                let witness = ModuleWitness {
                    instruction: instruction.name.to_string(),
                    field: scope.to_owned(),
                    value: Some(FieldValue::Word(OTHER.into())),
                    circumstances: Circumstances::default(),
                };
                Finding {
                    documents: [clause.document.to_string()].into(),
                    summary: format!(
                        "{scope} may be {OTHER}, and a sentence that holds whatever {scope} is speaks \
                         of {}: no sentence says what takes the place of that in a workgroup. \
                         (\u{201c}{}\u{201d})",
                        named.into_iter().collect::<Vec<_>>().join(" and "),
                        clause.wording
                    ),
                    remedy: format!(
                        "What holds where {scope} is {OTHER}, or that {scope} must be Subgroup."
                    ),
                    evidence: Evidence { module: Some(witness), ..Evidence::default() },
                    ..Finding::of(kind, id.clone())
                }
            });
            finding.instructions.insert(instruction.name.to_string());
            finding.clauses.insert(clause.id.to_string());
        }
    }
    findings.into_values().collect()
}

/// The operand that names the group.
fn scope(instruction: &SpecInstruction) -> Option<&str> {
    let is_group = |name: &str| name == "Execution";
    let mut operands = instruction.operands.iter();
    operands.find(|it| it.ty == OperandType::Scope && is_group(&it.name)).map(|it| &*it.name)
}

fn may_be_other(book: &Book<'_>, instruction: &SpecInstruction, scope: &str) -> bool {
    let other = FieldValue::Word(OTHER.into());
    let none = Circumstances::default();
    let place = (&*instruction.name, scope);
    prohibits(book, &instruction.document, place, &other, &none, true).is_empty()
}

/// What its formulas name of a subgroup, but for those that ask for the scope.
fn named(clause: &Clause, scope: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for (statement, _) in &clause.statements {
        of_statement(statement, scope, &mut found);
    }
    found
}

fn of_statement(statement: &Statement, scope: &str, found: &mut BTreeSet<&'static str>) {
    let expressions = statement.expressions();
    // An example is of what it says.
    if matches!(statement, Statement::Example(..)) || expressions.iter().any(|it| asks(it, scope)) {
        return;
    }
    expressions.into_iter().for_each(|expr| of_expression(expr, found));
    statement.nested().into_iter().flatten().for_each(|inner| of_statement(inner, scope, found));
}

fn asks(expr: &Expr, scope: &str) -> bool {
    matches!(&expr.kind, ExprKind::Is(operand, _) if **operand == *scope)
        || expr.parts().into_iter().any(|part| asks(part, scope))
}

fn of_expression(expr: &Expr, found: &mut BTreeSet<&'static str>) {
    match &expr.kind {
        ExprKind::Name(name) => found.extend(SIZES.iter().find(|size| ***size == **name.text())),
        ExprKind::Quantified { lanes: LaneSet::Existing | LaneSet::Subgroup, .. } => {
            found.insert(LANES);
        }
        _ => {}
    }
    expr.parts().into_iter().for_each(|part| of_expression(part, found));
}
