//! Citations of the specification against the fingerprints of the documents' sentences: each names a
//! sentence that there is, and the one that was meant when it was written.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use laneproof_semantics::Specification;

/// Hashes of a document's sentences, section by section.
type Fingerprints = BTreeMap<String, Vec<String>>;

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The sections of a file of fingerprints, as far as titles and hashes go.
fn read(text: &str) -> Fingerprints {
    let mut all = Fingerprints::new();
    let (mut title, mut within) = (String::new(), false);
    for line in text.lines() {
        if let Some(named) = line.strip_prefix("title = ") {
            title = named.trim_matches('"').to_owned();
        } else if line == "words = \"\"\"" {
            within = true;
            all.entry(title.clone()).or_default();
        } else if line == "\"\"\"" {
            within = false;
        } else if within {
            let hashes = line.split_whitespace().map(str::to_owned);
            all.get_mut(&title).expect("a title stands before its words").extend(hashes);
        }
    }
    all
}

/// The documents whose sentences have fingerprints: those of the search for ambiguities, and core and the
/// extensions of atomics on floating point as far as they are cited. What is cited of core stands there sentence
/// by sentence as in the others: a paragraph is divided after each full stop.
fn documents() -> BTreeMap<String, Fingerprints> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder("tests/fingerprints")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        all.insert(name, read(&fs::read_to_string(&path).unwrap()));
    }
    for entry in fs::read_dir(folder("text")).unwrap() {
        let path = entry.unwrap().path();
        if let Ok(text) = fs::read_to_string(path.join("fingerprints.toml")) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            all.insert(name, read(&text));
        }
    }
    all
}

/// The hashes of a section, which may be named by the end of its path; of none or several, why not.
fn section<'f>(document: &'f Fingerprints, name: &str) -> Result<&'f Vec<String>, String> {
    if let Some(words) = document.get(name) {
        return Ok(words);
    }
    let end = format!(" / {name}");
    let found: Vec<_> = document.iter().filter(|(title, _)| title.ends_with(&end)).collect();
    match found.as_slice() {
        [(_, words)] => Ok(words),
        [] => Err("there is no such section".to_owned()),
        _ => Err(format!("{} sections end like this", found.len())),
    }
}

/// Everything that cites a sentence: document, section, number.
fn cited(specification: &Specification) -> BTreeSet<(String, String, u32)> {
    let instructions = specification.instructions.values().flat_map(|it| &it.clauses);
    let built_ins = specification.built_ins.values().flat_map(|it| &it.clauses);
    let clauses =
        instructions.chain(built_ins).map(|it| (&it.document, &it.section, &it.sentences));
    let rules = specification.rules.iter().map(|it| (&it.document, &it.section, &it.sentences));
    let margins = specification.margins.iter();
    let margins = margins.map(|it| (&it.document, &it.section, &it.sentences));
    let each = clauses.chain(rules).chain(margins).flat_map(|(document, section, sentences)| {
        sentences.iter().map(move |&number| (document.to_string(), section.to_string(), number))
    });
    each.collect()
}

/// One line for each citation, with the sentence's hash; and those that lead nowhere.
fn lines(
    documents: &BTreeMap<String, Fingerprints>,
    cited: &BTreeSet<(String, String, u32)>,
) -> (Vec<String>, Vec<String>) {
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for (document, title, number) in cited {
        let Some(known) = documents.get(document) else { continue };
        let place = format!("{document} / {title} [{number}]");
        match section(known, title).map(|words| words.get(*number as usize - 1)) {
            Ok(Some(hash)) => lines.push(format!("{place} {hash}")),
            Ok(None) => wrong.push(format!("{place}: there is no such sentence")),
            Err(why) => wrong.push(format!("{place}: {why}")),
        }
    }
    (lines, wrong)
}

/// `LANEPROOF_UPDATE=1` writes the list anew, once each changed line was read beside its document.
#[test]
fn each_citation_names_the_sentence_that_was_meant() {
    let documents = documents();
    assert_eq!(documents.len(), 9);
    let (lines, wrong) = lines(&documents, &cited(Specification::built_in()));
    assert!(wrong.is_empty(), "{wrong:#?}");
    let page = lines.join("\n") + "\n";
    let file = folder("tests/citations.txt");
    if std::env::var_os("LANEPROOF_UPDATE").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    let kept: BTreeSet<&str> = written.lines().collect();
    let changed: Vec<&String> = lines.iter().filter(|it| !kept.contains(it.as_str())).collect();
    assert!(changed.is_empty(), "not the sentences that were meant, or new: {changed:#?}");
    assert_eq!(written, page, "{} lists more than is cited", file.display());
    assert_eq!(lines.len(), 511);
}

#[test]
fn a_sentence_that_moved_is_seen() {
    let documents = documents();
    let cited = cited(Specification::built_in());
    let (before, _) = lines(&documents, &cited);
    for name in documents.keys() {
        let mut changed = documents.clone();
        for words in changed.get_mut(name).unwrap().values_mut() {
            words.insert(0, "00000000".to_owned());
        }
        let (after, _) = lines(&changed, &cited);
        let of_it = |line: &&String| line.starts_with(&format!("{name} /"));
        let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert_eq!(moved, before.iter().filter(of_it).count(), "{name}");
        assert!(moved > 0, "{name}");
    }
}

#[test]
fn a_citation_of_nothing_is_seen() {
    let mut cited = BTreeSet::new();
    let rotate = "SPV_KHR_subgroup_rotate".to_owned();
    cited.insert((rotate.clone(), "Name Strings".to_owned(), 9));
    cited.insert((rotate, "No Such Section".to_owned(), 1));
    let (lines, wrong) = lines(&documents(), &cited);
    assert_eq!((lines.len(), wrong.len()), (0, 2), "{wrong:?}");
}
