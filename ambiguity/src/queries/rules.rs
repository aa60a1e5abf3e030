//! Queries about rules for modules: the same for every instruction, field and document.

mod absent;
mod alike;
mod beside;
mod brought;
mod combinations;
mod component;
mod condition;
mod elementless;
mod fields;
mod implied;
mod inventory;
mod label;
mod legal;
mod listed;
mod members;
mod modality;
mod name;
mod need;
mod other_operands;
mod parts;
mod scope;
mod shapes;
mod ties;
mod unenforced;
mod unmet;
mod unruled;
mod unusable;
mod unused;

use std::collections::BTreeSet;

use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::Rule;

use crate::finding::{Evidence, Finding, FindingKind};
use crate::reading_outcome::ReadingOutcome;
use crate::report::Harmless;
use crate::rules::{
    Book, Circumstances, ModuleWitness, NOTHING, ResolvedDemand, is_about, judge, smallest,
};
use crate::spelling::spaced;

/// All that is found in the rules of these texts, and what makes no difference.
pub fn rules(texts: &AsWritten) -> (Vec<Finding>, Vec<Harmless>) {
    let book = Book::of(texts);
    let mut causes = name::names(&book);
    let (permissions, harmless) = unusable::permissions(&book);
    causes.extend(permissions);
    causes.extend(unmet::requirements(&book));
    causes.extend(need::capabilities(&book));
    causes.extend(brought::unaccepted(&book));
    causes.extend(listed::silent(&book));
    causes.extend(legal::unpromised(&book));
    causes.extend(label::labels(&book, texts));
    causes.extend(component::components(&book, texts));
    causes.extend(modality::weaker(&book));
    causes.extend(inventory::missing(&book, texts));
    causes.extend(fields::unrestricted(&book, texts));
    causes.extend(condition::left_out(&book));
    causes.extend(unenforced::of_hosts(&book));
    causes.extend(unruled::left_out(&book));
    causes.extend(beside::copies(&book));
    causes.extend(alike::lists(&book));
    causes.extend(parts::of_listed_types(&book));
    causes.extend(members::of_lists(&book));
    causes.extend(ties::conditions(&book));
    causes.extend(other_operands::unlisted(&book));
    causes.extend(shapes::scalars_only(&book));
    causes.extend(elementless::lists(&book));
    causes.extend(combinations::in_no_row(&book));
    causes.extend(absent::in_some(&book));
    let mut findings: Vec<Finding> = Vec::new();
    for mut cause in without_copies(causes) {
        if let Some(witness) = cause.witness.as_mut().filter(|_| cause.readings.is_empty()) {
            where_it_is_spoken_of(&book, witness, &cause.clauses);
            cause.readings = judge(&book, &cause.documents, witness);
            // A silent document only matters if its silence is the fault.
            let spoken =
                |read: &ReadingOutcome| cause.kind == FindingKind::Gap || read.outcome != NOTHING;
            cause.readings.retain(spoken);
        }
        findings.push(cause.into());
    }
    findings.extend(implied::repeated(&book));
    findings.extend(unused::operands(&book, texts));
    findings.extend(scope::of_subgroups(&book, texts));
    (findings, harmless)
}

/// Where a cited sentence is about what the witness has, and nothing is known of the circumstances, it
/// is shown in the fewest in which that sentence holds.
fn where_it_is_spoken_of(book: &Book<'_>, witness: &mut ModuleWitness, clauses: &BTreeSet<String>) {
    if witness.circumstances != Circumstances::default() {
        return;
    }
    let about = |it: &&ResolvedDemand<'_>| {
        clauses.contains(&*it.rule.id)
            && is_about(book, it, (&witness.instruction, &witness.field))
            && witness.value.as_ref().is_none_or(|value| it.values.contains(value))
    };
    let cited: Vec<&ResolvedDemand<'_>> = book.resolved.iter().filter(about).collect();
    if cited.iter().any(|it| witness.circumstances.meet(it.when())) {
        return;
    }
    let all: Vec<_> = cited.iter().map(|it| it.when()).collect();
    let met = smallest(&all, |here| all.iter().all(|when| here.meet(when)))
        .or_else(|| smallest(&all, |here| all.iter().any(|when| here.meet(when))));
    witness.circumstances = met.unwrap_or_default();
}

/// Something that is wrong, before equal causes are put together.
struct Cause {
    kind: FindingKind,
    /// What is wrong, as a word.
    word: String,
    /// The document that has the fault.
    document: String,
    /// The field or instruction that tells this cause from others of its kind.
    about: Option<String>,
    documents: BTreeSet<String>,
    instructions: BTreeSet<String>,
    clauses: BTreeSet<String>,
    summary: String,
    /// What a sentence would have to say to settle it.
    remedy: String,
    witness: Option<ModuleWitness>,
    readings: Vec<ReadingOutcome>,
    /// A consequence is named, and no sentence says what it is.
    names_only: bool,
}

impl Cause {
    fn new(kind: FindingKind, word: &str, rule: &Rule) -> Self {
        Self {
            kind,
            word: word.to_owned(),
            document: rule.document.to_string(),
            about: None,
            documents: [rule.document.to_string()].into(),
            instructions: BTreeSet::new(),
            clauses: [rule.id.to_string()].into(),
            summary: String::new(),
            remedy: String::new(),
            witness: None,
            readings: Vec::new(),
            names_only: false,
        }
    }

    fn is(&self, other: &Self) -> bool {
        (self.kind, &self.word, &self.about) == (other.kind, &other.word, &other.about)
    }

    fn take(&mut self, other: Self) {
        self.documents.extend(other.documents);
        self.instructions.extend(other.instructions);
        self.clauses.extend(other.clauses);
        let size = |witness: &Option<ModuleWitness>| {
            witness.as_ref().map_or(usize::MAX, |witness| witness.lines().len())
        };
        if size(&other.witness) < size(&self.witness) {
            (self.witness, self.readings) = (other.witness, other.readings);
            self.summary = other.summary;
        }
    }
}

/// What is the same fault of one document is one cause, and so is what documents copy from each
/// other: the same fault in the same instructions.
fn without_copies(causes: Vec<Cause>) -> Vec<Cause> {
    let mut of_documents: Vec<Cause> = Vec::new();
    for cause in causes {
        match of_documents.iter_mut().find(|it| it.is(&cause) && it.document == cause.document) {
            Some(known) => known.take(cause),
            None => of_documents.push(cause),
        }
    }
    of_documents.sort_by(|a, b| a.document.cmp(&b.document));
    let mut unique: Vec<Cause> = Vec::new();
    for cause in of_documents {
        let copied = |it: &&mut Cause| {
            it.is(&cause) && it.instructions == cause.instructions && !cause.instructions.is_empty()
        };
        match unique.iter_mut().find(copied) {
            Some(known) => {
                // Both documents apply to the module only under the circumstances of both.
                if let (Some(one), Some(other)) = (&mut known.witness, &cause.witness) {
                    one.circumstances.and(&other.circumstances);
                }
                known.take(Cause { witness: None, ..cause });
            }
            None => unique.push(cause),
        }
    }
    unique
}

impl From<Cause> for Finding {
    fn from(cause: Cause) -> Self {
        let Cause { kind, word, document, about, .. } = cause;
        let id = match kind {
            // A wrong name is one cause, whichever rules use it.
            FindingKind::Token => format!("{}/{}", kind.name(), about.unwrap_or_default()),
            _ => {
                let about = about.map(|about| format!("/{about}")).unwrap_or_default();
                format!("{}/{word}/{document}{about}", kind.name())
            }
        };
        Self {
            instructions: cause.instructions,
            documents: cause.documents,
            clauses: cause.clauses,
            summary: cause.summary,
            remedy: cause.remedy,
            readings: cause.readings,
            evidence: Evidence {
                module: cause.witness,
                names_only: cause.names_only,
                ..Evidence::default()
            },
            ..Self::of(kind, id)
        }
    }
}

/// The field itself, without the operand that it is of.
fn short(field: &str) -> String {
    field.split_once(" of ").map_or(field, |(field, _)| field).to_owned()
}

/// A field of what a host makes, which no instruction has, as words: `HostPointer` is a "host pointer".
fn of_host(field: &str) -> String {
    let lower = |word: &str| match word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()) {
        true => word.to_owned(),
        false => word.to_lowercase(),
    };
    spaced(field).split(' ').map(lower).collect::<Vec<_>>().join(" ")
}
