//! Versions of other documents: what is modified is of an earlier version than the one that is required,
//! and a version is named alone that stands with "or newer" elsewhere.

use crate::sentences::Section;
use crate::slip::{EditorialFault, Slip};

/// Words that take in the versions after one.
const AFTER: [&str; 4] = ["newer", "later", "higher", "above"];

/// A name and a version behind it, and whether later ones are taken in.
struct Version<'s> {
    name: &'s str,
    /// `1.5` is 1 and 5.
    number: (u32, u32),
    written: &'s str,
    or_newer: bool,
}

/// What is found in each section.
pub(crate) fn versions(sections: &[Section]) -> Vec<Vec<Slip>> {
    let named: Vec<Vec<(u32, &str, Vec<Version<'_>>)>> = sections
        .iter()
        .map(|section| {
            let numbered = (1..).zip(&section.sentences);
            numbered.map(|(number, text)| (number, text.as_str(), versions_of(text))).collect()
        })
        .collect();
    let newer: Vec<&Version<'_>> =
        named.iter().flatten().flat_map(|(.., all)| all).filter(|it| it.or_newer).collect();
    let of_section = |sentences: &Vec<(u32, &str, Vec<Version<'_>>)>| {
        let mut found = Vec::new();
        let written = sentences.iter().find(|(_, text, _)| text.contains("written against"));
        for (sentence, text, required) in sentences {
            let Some(at) = text.find("requires") else { continue };
            let after = |version: &&Version<'_>| text[at..].contains(version.written);
            for version in required.iter().filter(after) {
                if let Some((_, base, all)) = written
                    && let Some(base) = all
                        .iter()
                        .find(|it| base.contains(version.name) && it.number < version.number)
                {
                    let words = format!("{} / {} {}", base.written, version.name, version.written);
                    found.push((*sentence, EditorialFault::LaterVersion, words));
                }
                let elsewhere = newer.iter().find(|it| it.name == version.name);
                if let Some(other) = elsewhere.filter(|_| !version.or_newer) {
                    let words = format!(
                        "{0} {1} / {0} {2} or newer",
                        version.name, version.written, other.written
                    );
                    found.push((*sentence, EditorialFault::OrNewer, words));
                }
            }
        }
        found.into_iter().map(|(sentence, fault, words)| Slip { sentence, fault, words }).collect()
    };
    named.iter().map(of_section).collect()
}

/// `SPIR-V 1.3`, `OpenCL 2.0 or newer`, `Version 1.5`.
fn versions_of(text: &str) -> Vec<Version<'_>> {
    let bare =
        |word: &'_ str| -> String { word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned() };
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let written = pair[1].trim_matches(|c: char| !c.is_alphanumeric());
        let Some((major, minor)) = written.split_once('.') else { continue };
        let (Ok(major), Ok(minor)) = (major.parse(), minor.parse()) else { continue };
        let name = pair[0].trim_matches(|c: char| !c.is_alphanumeric());
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
            continue;
        }
        let or_newer = words.get(at + 2).is_some_and(|it| *it == "or")
            && words.get(at + 3).is_some_and(|it| AFTER.contains(&bare(it).as_str()));
        found.push(Version { name, number: (major, minor), written, or_newer });
    }
    found
}
