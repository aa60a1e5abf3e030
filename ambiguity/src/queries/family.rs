//! Instructions beside others of the same family: an operand that nearly all of them have, and a
//! second operand that may be left out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::ast::{Operand, SpecInstruction, Statement};
use laneproof_semantics::language::fact::TokenFact;
use laneproof_tokens as tokens;

use crate::finding::{Evidence, Finding, FindingKind};
use crate::rules::{Book, Circumstances, Known, ModuleWitness};

/// The least number of members of other documents in a family.
const MEMBERS: usize = 8;

/// The number of members, of ten, that must have the operand.
const NEARLY_ALL: usize = 9;

/// One finding for each instruction and operand that it lacks, and for each document that adds a
/// second operand of which either may be left out.
pub fn families(texts: &AsWritten) -> Vec<Finding> {
    let known = Known::of(texts);
    let declared = texts.specification.instructions.values();
    let own = declared.filter(|it| known.home(&it.name) == Some(&*it.document));
    let mut findings: Vec<Finding> =
        own.flat_map(|instruction| lacking(known, instruction)).collect();
    findings.extend(second_optional(texts, known));
    findings.extend(added_for_some(texts, known));
    findings
}

/// The words of an instruction's name, `Op` left out.
fn words(name: &str) -> Vec<&str> {
    let name = name.strip_prefix("Op").unwrap_or(name);
    let starts: Vec<usize> = name
        .char_indices()
        .filter(|(at, c)| {
            c.is_ascii_uppercase()
                && name[at + 1..].starts_with(|next: char| next.is_ascii_lowercase())
        })
        .map(|(at, _)| at)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([name.len()]);
    starts.iter().zip(ends).map(|(start, end)| &name[*start..end]).collect()
}

fn lacking(known: Known<'_>, instruction: &SpecInstruction) -> Vec<Finding> {
    let own = words(&instruction.name);
    let others: Vec<&SpecInstruction> = known
        .instructions()
        .into_iter()
        .filter(|name| known.home(name) != Some(&*instruction.document))
        .filter_map(|name| known.instruction(name))
        .collect();
    // The longest beginning that a family has in common.
    let family = (1..own.len()).rev().find_map(|length| {
        let beginning = format!("Op{}", own[..length].concat());
        let of = |it: &&&SpecInstruction| it.name.starts_with(&beginning);
        let members: Vec<&SpecInstruction> = others.iter().filter(of).copied().collect();
        (members.len() >= MEMBERS).then_some((length, members))
    });
    let Some((length, members)) = family else { return Vec::new() };
    let has = |it: &SpecInstruction, name: &str| it.operands.iter().any(|op| *op.name == *name);
    let names: BTreeSet<&str> =
        members.iter().flat_map(|it| it.operands.iter().map(|op| &*op.name)).collect();
    let lacked = names.into_iter().filter(|name| {
        let with = members.iter().filter(|it| has(it, name)).count();
        with * 10 >= members.len() * NEARLY_ALL && !has(instruction, name)
    });
    lacked
        .map(|operand| {
            let with = members.iter().filter(|it| has(it, operand)).count();
            let id = format!("operand-of-the-family/{}", instruction.document);
            Finding {
                instructions: [instruction.name.to_string()].into(),
                documents: [instruction.document.to_string()].into(),
                clauses: [format!("{}, {}", instruction.document, instruction.section)].into(),
                summary: format!(
                    "{with} of {} other instructions whose names begin with Op{} have an operand \
                     {operand}, and {} has none: no sentence says what holds in its place.",
                    members.len(),
                    own[..length].concat(),
                    instruction.name
                ),
                remedy: format!("What {operand} is for this instruction, or such an operand."),
                evidence: Evidence {
                    module: Some(ModuleWitness {
                        instruction: instruction.name.to_string(),
                        field: operand.to_owned(),
                        value: None,
                        circumstances: Circumstances::default(),
                    }),
                    ..Evidence::default()
                },
                ..Finding::of(
                    FindingKind::Gap,
                    format!("{}/{id}/{operand}", FindingKind::Gap.name()),
                )
            }
        })
        .collect()
}

/// A document adds an operand that may be left out to instructions that have one already.
fn second_optional(texts: &AsWritten, known: Known<'_>) -> Vec<Finding> {
    let documents: BTreeSet<&str> =
        texts.specification.documents.iter().map(|it| &*it.name).collect();
    let mut found: BTreeMap<&str, Finding> = BTreeMap::new();
    let adding = known.facts().filter(|it| it.adds && documents.contains(&*it.document));
    for fact in adding {
        let Some(added) = fact.operands.iter().find(|it| it.optional) else { continue };
        let declared = known.instruction(&fact.token);
        let before = declared.and_then(|it| {
            let other = |op: &&Operand| op.optional && !op.name.eq_ignore_ascii_case(&added.name);
            it.operands.iter().find(other)
        });
        let Some(before) = before else { continue };
        let finding = found.entry(&fact.document).or_insert_with(|| Finding {
            documents: [fact.document.to_string()].into(),
            clauses: [fact.citation()].into(),
            summary: format!(
                "An operand {} that may be left out is added to instructions that have one already, \
                 {}: no sentence says in which order they stand, or which of them is meant where \
                 one is given.",
                added.name, before.name
            ),
            remedy: "The place of the operand, and whether both may be there.".to_owned(),
            ..Finding::of(
                FindingKind::Gap,
                Finding::id_of(FindingKind::Gap, "second-optional-operand", &fact.document),
            )
        });
        finding.instructions.insert(fact.token.to_string());
    }
    found.into_values().collect()
}

/// A document adds values of a kind, and for these an operand or a capability to all instructions that
/// take that kind: what that means for other values.
fn added_for_some(texts: &AsWritten, known: Known<'_>) -> Vec<Finding> {
    let documents = texts.specification.documents.iter().map(|it| &*it.name);
    documents.flat_map(|document| of_adding_document(texts, known, document)).collect()
}

fn of_adding_document(texts: &AsWritten, known: Known<'_>, document: &str) -> Vec<Finding> {
    let facts = || known.facts().filter(|it| *it.document == *document);
    let book = Book::of(texts);
    let mut found: BTreeMap<String, Finding> = BTreeMap::new();
    for value in facts().filter(|it| it.number.is_some() && !it.adds) {
        let takers = tokens::taking(&value.kind);
        let adding = facts().filter(|it| it.adds && takers.iter().any(|name| **name == *it.token));
        for fact in adding {
            let ruled = |operand: &str| {
                book.of_document(document).any(|it| {
                    it.places.iter().any(|(_, field)| field.eq_ignore_ascii_case(operand))
                })
            };
            let operands = fact.operands.iter().filter(|it| {
                it.optional && !ruled(&it.name) && is_asked_for(texts, document, fact, &it.name)
            });
            for operand in operands {
                let id = Finding::id_of(FindingKind::Gap, "operand-for-other-values", document);
                let finding = found.entry(id.clone()).or_insert_with(|| Finding {
                    summary: format!(
                        "{} is added together with values of the kind {}, and may be left out: no \
                         sentence says whether it may be there for other values of that kind, or \
                         what it means then.",
                        operand.name, value.kind
                    ),
                    remedy: "It must not be there for other values, or what it means then."
                        .to_owned(),
                    ..Finding::of(FindingKind::Gap, id)
                });
                gathered(finding, document, fact, value);
            }
            let before = known.capabilities(&fact.token);
            let beside = |it: &&Arc<str>| {
                value.capabilities.contains(it) && before.iter().any(|other| **other != ***it)
            };
            for capability in fact.capabilities.iter().filter(beside) {
                let id = Finding::id_of(FindingKind::Gap, "capability-for-other-values", document);
                let finding = found.entry(id.clone()).or_insert_with(|| Finding {
                    summary: format!(
                        "{capability} is added to the capabilities any one of which enables an \
                         instruction, and is what the added values of the kind {} need: no sentence \
                         says whether it enables the instruction with other values, too.",
                        value.kind
                    ),
                    remedy: "It enables the instruction with the added values only, or with all."
                        .to_owned(),
                    ..Finding::of(FindingKind::Gap, id)
                });
                gathered(finding, document, fact, value);
            }
        }
    }
    found.into_values().collect()
}

/// A sentence of the document asks for the operand: then others may ask what it is for elsewhere.
fn is_asked_for(texts: &AsWritten, document: &str, fact: &TokenFact, operand: &str) -> bool {
    let Some(instruction) = texts.specification.instructions.get(&fact.token) else { return false };
    let clauses = instruction.clauses.iter().filter(|it| *it.document == *document);
    let asks = |statement: &Statement| {
        let conditions = statement.expressions().into_iter();
        conditions
            .map(ToString::to_string)
            .any(|it| it.to_lowercase().contains(&format!("present({})", operand.to_lowercase())))
    };
    clauses.flat_map(|it| &it.statements).any(|(statement, _)| asks(statement))
}

fn gathered(finding: &mut Finding, document: &str, fact: &TokenFact, value: &TokenFact) {
    finding.documents.insert(document.to_owned());
    finding.instructions.insert(fact.token.to_string());
    finding.clauses.extend([fact.citation(), value.citation()]);
}
