//! What the table of an instruction says of itself, and of the instruction as the text declares it.

use std::collections::BTreeSet;

use laneproof_fuzz::grammar::{self, Entry};
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::Instruction;
use laneproof_semantics::language::fact::Fact;

use crate::finding::{Finding, FindingKind};

/// The operands that every instruction with a result has.
const OF_ALL: [&str; 2] = ["ResultType", "Result"];

/// One finding for each instruction that the grammar does not know yet, so that nothing else tells
/// its table's slips: words that do not count the operands, operands that are not those that the
/// text describes, a capability that no table has.
pub fn tables(texts: &Specification) -> Vec<Finding> {
    let new = texts
        .facts
        .iter()
        .filter(|fact| &*fact.kind == "Opcode" && !fact.adds && Entry::of(&fact.token).is_none());
    let mut findings = Vec::new();
    for fact in new {
        let declared = texts.instructions.get(&fact.token);
        let slips = [words(fact), declared.and_then(|it| operands(fact, it))];
        let slips = slips.into_iter().flatten().chain(capabilities(fact, texts));
        for (cause, what) in slips {
            findings.push(Finding {
                instructions: [fact.token.to_string()].into(),
                documents: [fact.document.to_string()].into(),
                clauses: [fact.citation()].into(),
                summary: format!("{}: {what}", fact.token),
                remedy: "One of the two, in both places.".to_owned(),
                ..Finding::of(FindingKind::Token, format!("token/{}/{cause}", fact.token))
            });
        }
    }
    findings
}

/// The first word and one for each operand that is there.
fn words(fact: &Fact) -> Option<(&'static str, String)> {
    let words = fact.words.filter(|_| !fact.operands.is_empty())?;
    let needed = fact.operands.iter().filter(|it| !it.optional).count() + 1;
    let more = needed <= fact.operands.len();
    // What is said to have more may end in a list of any length.
    let agree = words.least as usize == needed && (words.more || !more);
    (!agree).then(|| {
        let or_more = |more: bool| if more { " or more" } else { "" };
        let what = format!(
            "its table has {}{} words, and operands for {needed}{}",
            words.least,
            or_more(words.more),
            or_more(more)
        );
        ("words", what)
    })
}

/// The operands of the table by the names that the text describes them by.
fn operands(fact: &Fact, declared: &Instruction) -> Option<(&'static str, String)> {
    let stated: Vec<&str> =
        fact.operands.iter().map(|it| &*it.name).filter(|name| !OF_ALL.contains(name)).collect();
    let known: Vec<&str> = declared.operands.iter().map(|it| &*it.name).collect();
    let same = stated.len() == known.len()
        && stated.iter().zip(&known).all(|(one, other)| one.eq_ignore_ascii_case(other));
    (!stated.is_empty() && !same).then(|| {
        let what = format!(
            "its table has the operands {}, and its description {}",
            stated.join(", "),
            known.join(", ")
        );
        ("operands", what)
    })
}

/// Capabilities that it is said to need, and that neither the grammar nor a table of the text has.
fn capabilities(fact: &Fact, texts: &Specification) -> Option<(&'static str, String)> {
    let stated: BTreeSet<&str> =
        texts.facts.iter().filter(|it| &*it.kind == "Capability").map(|it| &*it.token).collect();
    let unknown = fact
        .capabilities
        .iter()
        .find(|name| grammar::named("Capability", name).is_none() && !stated.contains(&***name))?;
    Some(("capability", format!("it needs {unknown}, which no table of capabilities has")))
}
