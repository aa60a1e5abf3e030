//! The specification beside the grammar of SPIR-V: numbers, names, capabilities, operands, and
//! where they differ; the documents beside each other likewise.

mod among;
mod fact;
mod instruction;
pub(crate) mod token;

use laneproof_semantics::Specification;

pub use instruction::{GrammarEntry, enabled_by, extensions, named_like, taking};
pub use token::{KINDS, Token, in_other_case, is_extension, is_name, named, nearest, with_brought};

/// Something that a document says and the grammar, or another place of a document, says
/// otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of tokens: `Opcode`, `Capability`, …
    pub kind: String,
    /// Their names in the documents.
    pub tokens: Vec<String>,
    /// The documents that say it, by short name.
    pub documents: Vec<String>,
    /// Where they do: document and section.
    pub citations: Vec<String>,
    /// What differs, as a sentence about each token.
    pub difference: String,
    /// In which respect.
    pub respect: Respect,
    /// A document says it; else it is a declaration of this specification that differs.
    pub stated: bool,
}

/// In which respect two places differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Respect {
    /// The grammar has the token under another name.
    Name,
    /// What a capability declares or depends on.
    Dependency,
    /// Any other.
    Other,
}

/// A difference, before its place is known.
struct Noted {
    respect: Respect,
    difference: String,
}

impl Noted {
    /// The grammar's name is another one.
    fn renamed(name: &str) -> Self {
        Self { respect: Respect::Name, difference: format!("the grammar's name is {name}") }
    }
}

impl From<String> for Noted {
    fn from(difference: String) -> Self {
        Self { respect: Respect::Other, difference }
    }
}

/// One observation, before observations of the same kind are put together.
struct Observation {
    kind: String,
    token: String,
    document: String,
    citation: String,
    noted: Noted,
}

/// Where they say different things: instructions as they are declared, facts against the grammar,
/// facts against each other.
pub fn differences(specification: &Specification) -> Vec<Difference> {
    let mut found: Vec<Difference> = Vec::new();
    let declared = instruction::observations(specification);
    let stated = fact::observations(specification);
    let declared = declared.into_iter().map(|it| (it, false));
    let stated = stated.into_iter().chain(among::observations(specification));
    for (it, stated) in declared.chain(stated.map(|it| (it, true))) {
        let same = |known: &&mut Difference| {
            known.kind == it.kind && known.difference == it.noted.difference
        };
        match found.iter_mut().find(same) {
            Some(known) => {
                add(&mut known.tokens, it.token);
                add(&mut known.documents, it.document);
                add(&mut known.citations, it.citation);
            }
            None => found.push(Difference {
                stated,
                respect: it.noted.respect,
                kind: it.kind,
                tokens: vec![it.token],
                documents: vec![it.document],
                citations: vec![it.citation],
                difference: it.noted.difference,
            }),
        }
    }
    found
}

fn add(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The name that the grammar gives to a number of a kind of tokens.
pub fn token_of_number(kind: &str, number: u32) -> Option<String> {
    match kind {
        "Opcode" => GrammarEntry::numbered(number).map(|entry| entry.name()),
        kind => token::numbered(kind, number).map(|token| token.name),
    }
}

/// "none", "A", "A or B".
fn any_of<T: AsRef<str>>(names: &[T]) -> String {
    match names.iter().map(AsRef::as_ref).collect::<Vec<_>>().as_slice() {
        [] => "none".to_owned(),
        names => names.join(" or "),
    }
}
