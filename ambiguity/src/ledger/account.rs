//! Every sentence of a ledger with the clauses that cite it.

use std::collections::BTreeSet;
use std::sync::Arc;

use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::{Clause, Statement};
use laneproof_semantics::language::fact::TokenFact;
use laneproof_semantics::language::rule::Rule;
use serde::Serialize;

use super::{Ledger, Reason, Section};

/// The status of each sentence of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The document's short name.
    pub document: String,
    /// Its sections in order.
    pub sections: Vec<AccountedSection>,
    /// Sentences that a clause cites although the ledger gives a reason to have none.
    pub overlaps: Vec<Overlap>,
    /// Citations of what the document does not have.
    pub strays: Vec<Stray>,
}

/// A section, sentence by sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountedSection {
    /// Path of headings.
    pub title: String,
    /// The status of each sentence, from sentence 1.
    pub sentences: Vec<SentenceStatus>,
}

/// The status of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SentenceStatus {
    /// These clauses cite it.
    Encoded(Vec<Citation>),
    /// These clauses cite it, and carry a part of it only.
    InPart {
        /// The clauses.
        clauses: Vec<Citation>,
        /// What they leave out.
        without: String,
    },
    /// It is about tokens, and facts encode it.
    Fact,
    /// It has nothing to execute in it, for this reason.
    Informative(String),
    /// No clause encodes it, for this reason.
    NotEncoded(String),
    /// Neither a clause nor the ledger knows it.
    Missing,
}

/// A clause that cites a sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Citation {
    /// The clause's name.
    pub clause: String,
    /// What encodes the sentence.
    pub carried: CarriedBy,
}

/// The part of a specification that encodes a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CarriedBy {
    /// The clause's statements.
    ByStatements,
    /// The declaration around the clause, its operands, its result and their types: the clause has no
    /// statements.
    ByDeclaration,
    /// Only remarks about the sentence, such as what it lacks.
    ByRemark,
}

/// A sentence that is listed as being without a clause, and has one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Overlap {
    /// Title of the section.
    pub section: String,
    /// The sentence's number.
    pub sentence: u32,
    /// The clauses.
    pub clauses: Vec<Citation>,
    /// The ledger's reason that there is no clause.
    pub why: String,
}

/// A citation of what is not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Stray {
    /// The clause's name.
    pub clause: String,
    /// The section that it cites.
    pub section: String,
    /// The number that the section does not have; `None`: no one section has this title.
    pub sentence: Option<u32>,
}

/// How many sentences there are of each standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shares {
    /// All of them.
    pub sentences: usize,
    /// Those that a clause's statements carry.
    pub by_statements: usize,
    /// Those that only declarations carry.
    pub by_declaration: usize,
    /// Those that clauses encode only in part.
    pub in_part: usize,
    /// Those that facts about tokens carry.
    pub facts: usize,
    /// Those with nothing to execute in them.
    pub informative: usize,
    /// Those that no clause encodes.
    pub not_encoded: usize,
    /// Those that are not accounted for.
    pub missing: usize,
}

impl Shares {
    /// Sentences that clauses or facts carry in full.
    pub fn encoded(&self) -> usize {
        self.by_statements + self.by_declaration + self.facts
    }

    /// Sentences that have something to execute in them.
    pub fn normative(&self) -> usize {
        self.sentences - self.informative
    }

    /// The percentage of normative sentences that are encoded in full, rounded down; 100 if there are
    /// none.
    pub fn per_cent_encoded(&self) -> usize {
        (100 * self.encoded()).checked_div(self.normative()).unwrap_or(100)
    }

    fn add(&mut self, standing: &SentenceStatus) {
        self.sentences += 1;
        *match standing {
            SentenceStatus::Encoded(by)
                if by.iter().any(|citation| citation.carried == CarriedBy::ByStatements) =>
            {
                &mut self.by_statements
            }
            SentenceStatus::Encoded(_) => &mut self.by_declaration,
            SentenceStatus::InPart { .. } => &mut self.in_part,
            SentenceStatus::Fact => &mut self.facts,
            SentenceStatus::Informative(_) => &mut self.informative,
            SentenceStatus::NotEncoded(_) => &mut self.not_encoded,
            SentenceStatus::Missing => &mut self.missing,
        } += 1;
    }
}

impl Account {
    /// Joins a ledger with the clauses that cite its document, and with what another
    /// specification knows of its tokens.
    pub fn of(ledger: &Ledger, specification: &Specification, facts: &Specification) -> Self {
        let mut account = Self {
            document: ledger.document.clone(),
            sections: Vec::new(),
            overlaps: Vec::new(),
            strays: Vec::new(),
        };
        let citing = cited(specification, &ledger.document);
        for section in &ledger.sections {
            let citing = citing.iter().filter(|cited| {
                ledger.section(cited.section).is_some_and(|found| found.title == section.title)
            });
            let about = |fact: &&Arc<TokenFact>| {
                *fact.document == *ledger.document
                    && ledger.section(&fact.section).is_some_and(|stated| covers(stated, section))
            };
            let facts = facts.facts.iter().any(|fact| about(&fact));
            account.section(section, &citing.collect::<Vec<_>>(), facts);
        }
        let strays: BTreeSet<_> = citing.iter().flat_map(|cited| strays(ledger, cited)).collect();
        account.strays = strays.into_iter().collect();
        account
    }

    fn section(&mut self, section: &Section, citing: &[&Cited<'_>], facts: bool) {
        let standing = |number: u32| {
            let cites = |cited: &&&Cited<'_>| cited.sentences.contains(&number);
            let by: BTreeSet<_> = citing.iter().filter(cites).map(|it| it.citation()).collect();
            let by: Vec<_> = by.into_iter().collect();
            let reason = |listed: &[Reason]| {
                let found = listed.iter().find(|reason| reason.sentences.contains(&number));
                found.map(|reason| reason.why.clone())
            };
            let informative = reason(&section.informative).map(SentenceStatus::Informative);
            let listed =
                informative.or(reason(&section.not_encoded).map(SentenceStatus::NotEncoded));
            // What is remarked about a sentence does not execute it.
            let only_remarks = by.iter().all(|citation| citation.carried == CarriedBy::ByRemark);
            match (listed, by.is_empty()) {
                (Some(listed), false) if only_remarks => listed,
                (Some(listed), true) => listed,
                (None, true) if facts && section.facts.contains(&number) => SentenceStatus::Fact,
                (None, true) => SentenceStatus::Missing,
                (
                    Some(SentenceStatus::Informative(why) | SentenceStatus::NotEncoded(why)),
                    false,
                ) => {
                    let (section, clauses) = (section.title.clone(), by.clone());
                    self.overlaps.push(Overlap { section, sentence: number, clauses, why });
                    SentenceStatus::Encoded(by)
                }
                (_, false) => match reason(&section.in_part) {
                    Some(without) => SentenceStatus::InPart { clauses: by, without },
                    None => SentenceStatus::Encoded(by),
                },
            }
        };
        let sentences = (1..=section.sentences).map(standing).collect();
        self.sections.push(AccountedSection { title: section.title.clone(), sentences });
    }

    /// How many sentences there are of each standing.
    pub fn shares(&self) -> Shares {
        let mut shares = Shares::default();
        let sentences = self.sections.iter().flat_map(|section| &section.sentences);
        sentences.for_each(|standing| shares.add(standing));
        shares
    }

    /// Titles and numbers of the sentences that are not accounted for.
    pub fn missing(&self) -> Vec<(&str, u32)> {
        let mut missing = Vec::new();
        for section in &self.sections {
            let numbered = (1..).zip(&section.sentences);
            let here = numbered.filter(|(_, standing)| **standing == SentenceStatus::Missing);
            missing.extend(here.map(|(number, _)| (section.title.as_str(), number)));
        }
        missing
    }

    /// Every sentence is accounted for, once, and every citation is of a sentence.
    pub fn is_complete(&self) -> bool {
        self.missing().is_empty() && self.overlaps.is_empty() && self.strays.is_empty()
    }
}

/// It is the section, or one above it.
fn covers(stated: &Section, section: &Section) -> bool {
    let rest = section.title.strip_prefix(&stated.title);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" / "))
}

/// What cites sentences: a clause, or a rule about modules.
struct Cited<'s> {
    id: &'s str,
    section: &'s str,
    sentences: &'s [u32],
    carried: CarriedBy,
}

impl<'s> Cited<'s> {
    fn clause(clause: &'s Clause) -> Self {
        let Clause { id, section, sentences, statements, .. } = clause;
        let remark = |(statement, _): &(Statement, _)| matches!(statement, Statement::Remark(_));
        let carried = match statements.is_empty() {
            true => CarriedBy::ByDeclaration,
            false if statements.iter().all(remark) => CarriedBy::ByRemark,
            false => CarriedBy::ByStatements,
        };
        Self { id, section, sentences, carried }
    }

    fn rule(rule: &'s Rule) -> Self {
        let Rule { id, section, sentences, demands, .. } = rule;
        let carried = match demands.is_empty() {
            true => CarriedBy::ByRemark,
            false => CarriedBy::ByStatements,
        };
        Self { id, section, sentences, carried }
    }

    fn citation(&self) -> Citation {
        Citation { clause: self.id.to_owned(), carried: self.carried }
    }
}

/// What cites sentences of a document.
fn cited<'s>(specification: &'s Specification, document: &str) -> Vec<Cited<'s>> {
    let instructions = specification.instructions.values().flat_map(|known| &known.clauses);
    let variables = specification.built_ins.values().flat_map(|known| &known.clauses);
    let clauses = instructions.chain(variables).filter(|clause| *clause.document == *document);
    let rules = specification.rules.iter().filter(|rule| *rule.document == *document);
    clauses.map(|it| Cited::clause(it)).chain(rules.map(|it| Cited::rule(it))).collect()
}

/// What is cited and the document does not have.
fn strays(ledger: &Ledger, cited: &Cited<'_>) -> Vec<Stray> {
    let stray = |sentence| Stray {
        clause: cited.id.to_owned(),
        section: cited.section.to_owned(),
        sentence,
    };
    match ledger.section(cited.section) {
        None => vec![stray(None)],
        Some(section) => {
            let there = 1..=section.sentences;
            let beyond = cited.sentences.iter().filter(|number| !there.contains(number));
            beyond.map(|number| stray(Some(*number))).collect()
        }
    }
}
