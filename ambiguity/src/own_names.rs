//! Names in the sentences of a document that are not those of SPIR-V's grammar or its own: in other
//! case, of another extension, of an instruction that there is not.

use std::collections::BTreeSet;

use laneproof_tokens as tokens;

use crate::row::instruction;
use crate::sentences::Section;
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn own_names(sections: &[Section]) -> Vec<Vec<Slip>> {
    let own = names_of_extension(sections);
    let declared = declared(sections);
    let all = sections.iter().flat_map(|it| &it.sentences).flat_map(|it| it.split_whitespace());
    let all: BTreeSet<&str> = all.filter_map(whole).collect();
    let of_section = |section: &Section| {
        let mut found = Vec::new();
        for (sentence, text) in (1..).zip(&section.sentences) {
            let mut slip = |fault, words| found.push(Slip { sentence, fault, words });
            if let Some(words) = other_extension(text, &own) {
                slip(EditorialFault::OtherExtension, words);
            }
            for word in text.split_whitespace().filter_map(whole) {
                let known = tokens::in_other_case(word).filter(|_| is_name(word));
                // A token that stands there in both ways has two spellings.
                let twice = |known: &&str| {
                    word.starts_with(|c: char| c.is_ascii_uppercase()) && all.contains(known)
                };
                let known = known.filter(|known| !twice(known));
                if let Some(known) = known {
                    slip(EditorialFault::OtherCase, format!("{word} / {known}"));
                } else if is_opcode(word) && !declared.contains(word) && !is_known(word) {
                    slip(EditorialFault::NoSuchInstruction, word.to_owned());
                }
            }
        }
        found.extend(other_capabilities(section, sections));
        found
    };
    sections.iter().map(of_section).collect()
}

/// The capabilities that an instruction needs, where neither the grammar nor another section of the
/// document has one of that name.
fn other_capabilities(section: &Section, sections: &[Section]) -> Vec<Slip> {
    let Some(at) = section.sentences.iter().position(|it| it == "Capability:") else {
        return Vec::new();
    };
    let others = sections.iter().filter(|it| it.title != section.title);
    let elsewhere: BTreeSet<&str> = others
        .flat_map(|it| &it.sentences)
        .flat_map(|it| it.split(' '))
        .filter_map(whole)
        .collect();
    let needed = section.sentences.get(at + 1).filter(|_| instruction(section).is_some());
    let names = needed.into_iter().flat_map(|it| it.split(", ")).filter_map(whole);
    let unknown =
        names.filter(|name| is_name(name) && !tokens::is_name(name) && !elsewhere.contains(name));
    let sentence = u32::try_from(at + 2).unwrap_or(u32::MAX);
    let fault = EditorialFault::NoSuchCapability;
    unknown.map(|name| Slip { sentence, fault, words: name.to_owned() }).collect()
}

/// A word without what is around it, where no other name is joined to it, as `a::b` or `a.b` is.
fn whole(word: &str) -> Option<&str> {
    let own = word.trim_matches(|c: char| !c.is_alphanumeric());
    let plain = own.chars().all(|c| c.is_ascii_alphanumeric());
    // A star behind a name stands for what else it may be.
    (plain && !own.is_empty() && !word.ends_with("*") || word.matches('*').count() > 1 && plain)
        .then_some(own)
}

/// Letters of both kinds, a capital not only at the beginning.
fn is_name(word: &str) -> bool {
    word.chars().skip(1).any(|c| c.is_ascii_uppercase())
        && word.chars().any(|c| c.is_ascii_lowercase())
}

fn is_opcode(word: &str) -> bool {
    let mut letters = word.chars().skip(2);
    word.starts_with("Op")
        && letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && letters.any(|c| c.is_ascii_lowercase())
}

/// The grammar has the instruction, or one of which this is the plural.
fn is_known(word: &str) -> bool {
    tokens::is_name(word) || word.strip_suffix('s').is_some_and(tokens::is_name)
}

/// The names that a document gives a number, describes, or lists alone in a line.
fn declared(sections: &[Section]) -> BTreeSet<&str> {
    let listed = sections.iter().flat_map(|it| &it.sentences).filter(|it| !it.contains(' '));
    let described = sections.iter().filter_map(instruction);
    listed.filter_map(|it| whole(it)).chain(described).collect()
}

/// What the extension that a document is about is called; none where it is about none.
fn names_of_extension(sections: &[Section]) -> BTreeSet<&str> {
    let own = sections.iter().filter(|it| it.title == "Name Strings");
    own.flat_map(|it| &it.sentences).map(String::as_str).filter(|it| is_extension(it)).collect()
}

fn is_extension(name: &str) -> bool {
    name.starts_with("SPV_") && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `OpExtension "SPV_…"` with a name that is not the document's.
fn other_extension(text: &str, own: &BTreeSet<&str>) -> Option<String> {
    let first = own.first()?;
    let (_, after) = text.split_once("OpExtension ")?;
    let name = after.trim_matches(|c: char| !c.is_alphanumeric());
    (is_extension(name) && !own.contains(name)).then(|| format!("{name} / {first}"))
}
