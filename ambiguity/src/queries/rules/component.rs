//! Listed types without a component that the clauses use.

use std::collections::BTreeSet;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Expr, ExprKind, SpecInstruction};

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness};

/// One cause for each operand.
pub(super) fn components(book: &Book<'_>, texts: &AsWritten) -> Vec<Cause> {
    let mut causes = Vec::new();
    for instruction in texts.specification.instructions.values() {
        for (operand, highest, clause) in used(instruction) {
            let lists = book
                .of_document(&instruction.document)
                .filter(|it| it.permits() && it.is_of(&instruction.name, &operand));
            for resolved in lists {
                let short = resolved.values.iter().find(|value| match value {
                    FieldValue::Type(ty) => u128::from(ty.components) <= highest,
                    _ => false,
                });
                let Some(value) = short else { continue };
                let clauses = [clause.clone(), resolved.rule.id.to_string()];
                causes.push(Cause {
                    about: Some(operand.clone()),
                    instructions: [instruction.name.to_string()].into(),
                    clauses: clauses.into(),
                    summary: format!(
                        "{operand} may be of the type {value}, and a sentence uses its {} component.",
                        ordinal(highest)
                    ),
                    remedy: format!("{operand} is a vector of at least {} components.", highest + 1),
                    witness: Some(ModuleWitness {
                        instruction: instruction.name.to_string(),
                        field: operand.clone(),
                        value: Some(value.clone()),
                        circumstances: Circumstances::default(),
                    }),
                    ..Cause::new(FindingKind::IllTyped, "no-such-component", resolved.rule)
                });
            }
        }
    }
    causes
}

/// A component by its number from 0, as sentences call it.
fn ordinal(number: u128) -> String {
    const NAMES: [&str; 4] = ["first (x)", "second (y)", "third (z)", "fourth (w)"];
    let named = usize::try_from(number).ok().and_then(|it| NAMES.get(it));
    named.map_or_else(|| format!("{}th", number + 1), |name| (*name).to_owned())
}

/// The operands whose components clauses use by number, the highest number, and a clause that uses
/// it.
fn used(instruction: &SpecInstruction) -> BTreeSet<(String, u128, String)> {
    let mut found: BTreeSet<(String, u128, String)> = BTreeSet::new();
    for clause in &instruction.clauses {
        for (statement, _) in &clause.statements {
            let mut here = Vec::new();
            statement.expressions().into_iter().for_each(|expr| walk(expr, &mut here));
            found.extend(here.into_iter().map(|(name, at)| (name, at, clause.id.to_string())));
        }
    }
    let highest = |name: &str| found.iter().filter(|it| it.0 == name).map(|it| it.1).max();
    let keep = found.iter().filter(|it| Some(it.1) == highest(&it.0));
    keep.cloned().collect()
}

fn walk(expr: &Expr, found: &mut Vec<(String, u128)>) {
    if let ExprKind::Call(function, arguments) = &expr.kind
        && &**function == "component"
        && let [of, at] = arguments.as_slice()
        && let ExprKind::Integer(at) = &at.kind
    {
        names(of, &mut |name| found.push((name.to_owned(), *at)));
    }
    expr.parts().into_iter().for_each(|part| walk(part, found));
}

/// The names in an expression, including operands in readings of whose value is meant.
fn names(expr: &Expr, each: &mut impl FnMut(&str)) {
    if let ExprKind::Name(name) = &expr.kind {
        each(name);
    }
    expr.parts().into_iter().for_each(|part| names(part, each));
}
