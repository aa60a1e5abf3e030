//! What the table of an instruction says of itself, and of the instruction as the text declares it.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::SpecInstruction;
use laneproof_semantics::language::fact::TokenFact;
use laneproof_semantics::language::rule::{
    Demand, DemandSubject, Fact as Circumstantial, Member, Values,
};
use laneproof_tokens::{self as tokens, GrammarEntry};

use crate::finding::{Finding, FindingKind};

/// The operands that every instruction with a result has.
const OF_ALL: [&str; 2] = ["ResultType", "Result"];

/// What is wrong in a table: as a word, in a sentence, and what would settle it.
type Slip = (&'static str, String, &'static str);

/// What settles a difference between two places.
const ONE: &str = "One of the two, in both places.";

/// One finding for each slip in the table of an instruction or capability that the grammar does not
/// know yet, so that nothing else tells it: words that do not count the operands, operands that are
/// not those that the text describes, no description, a capability that no table has, and one that
/// nothing needs.
pub fn tables(texts: &Specification) -> Vec<Finding> {
    let new = texts.facts.iter().filter(|fact| {
        &*fact.kind == "Opcode" && !fact.adds && GrammarEntry::of(&fact.token).is_none()
    });
    let mut findings = Vec::new();
    for fact in new {
        let declared = texts.instructions.get(&fact.token);
        let slips = match declared {
            Some(declared) => [words(fact), operands(fact, declared)],
            None => [words(fact), undescribed(fact, texts)],
        };
        let slips = slips.into_iter().flatten().chain(capabilities(fact, texts));
        findings.extend(slips.map(|slip| Finding {
            instructions: [fact.token.to_string()].into(),
            ..finding(fact, slip)
        }));
    }
    let needless = texts.facts.iter().filter(|fact| enables_nothing(fact, texts));
    findings.extend(needless.map(|fact| {
        let what = "it is in the table of capabilities, and nothing needs it".to_owned();
        finding(fact, ("needed-by-nothing", what, "What it enables, or no such capability."))
    }));
    findings
}

fn finding(fact: &TokenFact, (cause, what, remedy): Slip) -> Finding {
    Finding {
        documents: [fact.document.to_string()].into(),
        clauses: [fact.citation()].into(),
        summary: format!("{}: {what}", fact.token),
        remedy: remedy.to_owned(),
        ..Finding::of(FindingKind::Token, format!("token/{}/{cause}", fact.token))
    }
}

/// It is in the table of instructions of a text that describes others.
fn undescribed(fact: &TokenFact, texts: &Specification) -> Option<Slip> {
    let describes = texts.instructions.values().any(|it| it.document == fact.document);
    describes.then(|| {
        let what = "it has a number, and no sentence describes it".to_owned();
        ("no-description", what, "A description, or no such instruction.")
    })
}

/// A new capability that no token and no rule mentions.
fn enables_nothing(fact: &TokenFact, texts: &Specification) -> bool {
    let name = &fact.token;
    &*fact.kind == "Capability"
        && tokens::named("Capability", name).is_none()
        && !texts.facts.iter().any(|it| it.capabilities.contains(name))
        && !texts.rules.iter().any(|rule| rule.demands.iter().any(|demand| speaks_of(demand, name)))
}

fn speaks_of(demand: &Demand, capability: &Arc<str>) -> bool {
    let mut facts = Vec::new();
    demand.when.facts(&mut facts);
    let of_group = match &demand.subject {
        DemandSubject::Fields { group, .. } => group.members.as_slice(),
        DemandSubject::Tokens(_) => &[],
    };
    facts.iter().any(|it| matches!(it, Circumstantial::Capability(name) if name == capability))
        || of_group.iter().any(|it| matches!(it, Member::Capability(name) if name == capability))
        || demand
            .values
            .iter()
            .any(|it| matches!(it, Values::Words(all) if all.contains(capability)))
}

/// The first word and one for each operand that is there.
fn words(fact: &TokenFact) -> Option<Slip> {
    let words = fact.words.filter(|_| !fact.operands.is_empty())?;
    let needed = fact.operands.iter().filter(|it| !it.optional).count() + 1;
    let more = needed <= fact.operands.len();
    // An instruction with a "+" in its word count may end in a list of any length.
    let agree = words.least as usize == needed && (words.more || !more);
    (!agree).then(|| {
        let or_more = |more: bool| if more { " or more" } else { "" };
        let what = format!(
            "its table has {}{} words, and operands for {needed}{}",
            words.least,
            or_more(words.more),
            or_more(more)
        );
        ("words", what, ONE)
    })
}

/// The operands of the table by the names that the text describes them by.
fn operands(fact: &TokenFact, declared: &SpecInstruction) -> Option<Slip> {
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
        ("operands", what, ONE)
    })
}

/// Capabilities that it is said to need, and that neither the grammar nor a table of the text has.
fn capabilities(fact: &TokenFact, texts: &Specification) -> Option<Slip> {
    let stated: BTreeSet<&str> =
        texts.facts.iter().filter(|it| &*it.kind == "Capability").map(|it| &*it.token).collect();
    let unknown = fact
        .capabilities
        .iter()
        .find(|name| tokens::named("Capability", name).is_none() && !stated.contains(&***name))?;
    let what = format!("it needs {unknown}, which no table of capabilities has");
    Some(("capability", what, "The capability that is meant, or a row in the table."))
}
