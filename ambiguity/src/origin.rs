//! Whether every word of a clause's formula has its origin in the sentence that the clause cites.
//!
//! A formula that says more than its sentence hides a hole of the document. Where the documents are
//! at hand, each state, size and function that a formula names is looked for in the sentence, by the
//! phrases that a document may have for it. What has none must be said to be `repaired`.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Clause, Expr, ExprKind, LaneSet, Remark, Statement};

use crate::finding::{Finding, FindingKind};
use crate::quotes::Quotes;

/// Terms of formulas whose names are no words of specifications, in words.
const IN_WORDS: [(&str, &str); 8] = [
    ("active", "which invocations are active"),
    ("existing", "which invocations exist"),
    ("exists", "which invocations exist"),
    ("id", "SubgroupLocalInvocationId"),
    ("power_of_two", "whether a number is a power of two"),
    ("is_nan", "whether a value is a NaN"),
    ("row_bytes", "how many bytes a row of the image has"),
    ("texel_bytes", "how many bytes an image element has"),
];

/// A term as a reader knows it.
fn in_words(term: &str) -> String {
    let known = IN_WORDS.iter().find(|(name, _)| *name == term);
    known.map_or_else(|| format!("\u{201c}{term}\u{201d}"), |(_, words)| (*words).to_owned())
}

/// Terms of formulas, and the phrases that documents use for them, in lower case.
const PHRASES: [(&str, &[&str]); 17] = [
    ("active", &["active", "execut", "encounter"]),
    ("existing", &["exist"]),
    ("exists", &["exist"]),
    ("id", &["invocation", "localid", "workgroup"]),
    ("SubgroupSize", &["subgroupsize", "subgroup of size"]),
    ("SubgroupMaxSize", &["subgroupmaxsize"]),
    ("LocalInvocationId", &["localinvocationid"]),
    ("unsigned", &["unsigned", "signedness"]),
    ("signed", &[" signed", "signedness"]),
    ("uniform", &["uniform"]),
    ("power_of_two", &["power of"]),
    ("is_nan", &["nan"]),
    ("aligned", &["aligned", "multiple of"]),
    ("elements", &["out-of-range", "out-of-bounds", "elements"]),
    ("row_bytes", &["row", "width"]),
    ("height", &["row", "height"]),
    ("texel_bytes", &["size"]),
];

/// The terms of a clause's formulas without a phrase in its sentences.
pub fn without_origin(clause: &Clause, sentences: &[String]) -> BTreeSet<&'static str> {
    let text = sentences.join(" ").to_lowercase();
    let mut named = BTreeSet::new();
    for (statement, _) in &clause.statements {
        of_statement(statement, &mut named);
    }
    let unsaid = |(term, phrases): &(&'static str, &[&str])| {
        named.contains(*term) && !phrases.iter().any(|phrase| text.contains(phrase))
    };
    PHRASES.iter().filter(|it| unsaid(it)).map(|(term, _)| *term).collect()
}

/// Examples say what should follow, and choices ask what is meant: neither adds to a sentence.
fn of_statement(statement: &Statement, named: &mut BTreeSet<String>) {
    if matches!(statement, Statement::Example(..)) {
        return;
    }
    statement.expressions().into_iter().for_each(|expr| of_expression(expr, named));
    statement.nested().into_iter().flatten().for_each(|inner| of_statement(inner, named));
}

fn of_expression(expr: &Expr, named: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Reading(..) => return,
        ExprKind::Name(name) | ExprKind::Call(name, _) => drop(named.insert(name.to_string())),
        ExprKind::Quantified { lanes: LaneSet::Active, .. }
        | ExprKind::Fold { .. }
        | ExprKind::SomeOrder { .. } => drop(named.insert("active".to_owned())),
        ExprKind::Quantified { lanes: LaneSet::Existing, .. } => {
            named.insert("existing".to_owned());
        }
        _ => {}
    }
    expr.parts().into_iter().for_each(|part| of_expression(part, named));
}

/// One finding for each term of each document that a formula has and its sentence has not, where no
/// remark of the clause says so.
pub fn findings(texts: &AsWritten, quotes: &Quotes) -> Vec<Finding> {
    let whole: BTreeSet<&str> = quotes.whole().map(|(name, _)| name).collect();
    let mut found: BTreeMap<(&str, &str), Finding> = BTreeMap::new();
    for instruction in texts.specification.instructions.values() {
        let own = |it: &&std::sync::Arc<Clause>| whole.contains(&*it.document) && !is_repaired(it);
        for clause in instruction.clauses.iter().filter(own) {
            let place = quotes.place(&clause.document, &clause.section, &clause.sentences, "");
            for term in without_origin(clause, &place.words) {
                let finding = found.entry((&*clause.document, term)).or_insert_with(|| {
                    let cause = format!("word-without-origin/{term}");
                    let kind = FindingKind::Repaired;
                    Finding {
                        documents: [clause.document.to_string()].into(),
                        summary: format!(
                            "What the sentence is taken to say depends on {}, and none of its \
                             words speaks of that.",
                            in_words(term)
                        ),
                        remedy: "The word that is meant, in the sentence.".to_owned(),
                        ..Finding::of(kind, Finding::id_of(kind, &cause, &clause.document))
                    }
                });
                finding.instructions.insert(instruction.name.to_string());
                finding.clauses.insert(clause.id.to_string());
            }
        }
    }
    found.into_values().collect()
}

/// A slip of the pen says nothing of what a formula holds.
fn is_repaired(clause: &Clause) -> bool {
    let repaired =
        |it: &Statement| matches!(it, Statement::Remark(Remark::Repaired { editorial: false, .. }));
    clause.statements.iter().any(|(statement, _)| repaired(statement))
}
