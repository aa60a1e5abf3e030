//! Entries are found by folder, by name and by part.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use laneproof_proofs::{Catalogue, CatalogueError, Pattern, Shard};

fn names(catalogue: &Catalogue) -> Vec<&str> {
    catalogue.entries.iter().map(|entry| entry.name.as_str()).collect()
}

fn theorems() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("theorems")
}

#[test]
fn what_is_compiled_in_is_what_lies_in_the_folder() {
    let compiled = Catalogue::built_in().unwrap();
    let mut on_disk = Catalogue::at(&theorems()).unwrap();
    for mut entry in Catalogue::at(&theorems().with_file_name("lowerings")).unwrap().entries {
        entry.name = format!("lowerings/{}", entry.name);
        on_disk.entries.push(entry);
    }
    on_disk.entries.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(names(&compiled), names(&on_disk));
    for (compiled, on_disk) in compiled.entries.iter().zip(&on_disk.entries) {
        assert_eq!(compiled.text, on_disk.text, "{}", compiled.name);
        assert_eq!(compiled.attachments, on_disk.attachments, "{}", compiled.name);
    }
    let attached = compiled.entries.iter().filter(|entry| !entry.attachments.is_empty());
    assert_eq!(
        (compiled.entries.len(), attached.count()),
        (1506, 86),
        "entries, those with more files"
    );
}

#[test]
fn names_are_unique() {
    let catalogue = Catalogue::built_in().unwrap();
    let unique: BTreeSet<&str> = names(&catalogue).into_iter().collect();
    assert_eq!(unique.len(), catalogue.entries.len());
}

#[test]
fn every_entry_is_in_one_shard() {
    let catalogue = Catalogue::built_in().unwrap();
    for count in [1, 2, 3, 7, 1000] {
        let shards = (1..=count).map(|index| format!("{index}/{count}").parse::<Shard>().unwrap());
        let parts: Vec<Catalogue> = shards.map(|shard| catalogue.clone().shard(shard)).collect();
        let sizes: Vec<usize> = parts.iter().map(|part| part.entries.len()).collect();
        let mut together: Vec<&str> = parts.iter().flat_map(names).collect();
        together.sort_unstable();
        assert_eq!(together, names(&catalogue), "{count} shards");
        assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{count} shards");
    }
}

#[test]
fn what_is_no_shard_is_refused() {
    for text in ["", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/2/3"] {
        assert!(text.parse::<Shard>().is_err(), "`{text}`");
    }
}

#[test]
fn patterns_fit_parts_or_with_stars_whole_names() {
    let cases = [
        ("shuffle", "rotate/as-shuffle", true),
        ("rotate/", "rotate/as-shuffle", true),
        ("", "rotate/as-shuffle", true),
        ("rotate/*", "rotate/as-shuffle", true),
        ("shuffle*", "rotate/as-shuffle", false),
        ("*shuffle", "rotate/as-shuffle", true),
        ("*/as-*", "rotate/as-shuffle", true),
        ("r*e/as*e", "rotate/as-shuffle", true),
        ("*mutant*", "rotate/as-shuffle", false),
        ("aba*aba", "aba", false),
        ("*a*a*", "a", false),
        ("*a*a*", "aa", true),
        ("*", "", true),
    ];
    for (pattern, name, fits) in cases {
        assert_eq!(Pattern::new(pattern).fits(name), fits, "`{pattern}` on `{name}`");
    }
}

#[test]
fn words_are_paths_or_patterns() {
    let gather = |words: &[&str]| {
        Catalogue::gather(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    };
    let all = gather(&[]).unwrap();
    let rotate = gather(&["rotate/*"]).unwrap();
    assert!(!rotate.entries.is_empty() && rotate.entries.len() < all.entries.len());
    assert!(rotate.entries.iter().all(|entry| entry.name.starts_with("rotate/")));

    let folder = theorems().join("rotate");
    assert_eq!(gather(&[folder.to_str().unwrap()]).unwrap().entries.len(), rotate.entries.len());

    let file = folder.join("as-shuffle.spvasm");
    let one = gather(&[file.to_str().unwrap()]).unwrap();
    assert_eq!(names(&one), ["as-shuffle"]);

    // Named twice, read once.
    let twice = gather(&["rotate/*", "rotate/as-shuffle"]).unwrap();
    assert_eq!(twice, rotate);

    let nothing = gather(&["no-such-theorem"]).unwrap_err();
    assert!(matches!(nothing, CatalogueError::Nothing(word) if word == "no-such-theorem"));
}

#[test]
fn every_entry_has_a_source_and_a_target_or_a_property() {
    let catalogue = Catalogue::built_in().unwrap();
    let has = |text: &str, name: &str| text.contains(&format!("OpName %{name} \"{name}\""));
    let properties = catalogue.entries.iter().filter(|entry| has(&entry.text, "property")).count();
    for entry in &catalogue.entries {
        let pair = has(&entry.text, "src") && has(&entry.text, "tgt");
        assert!(pair != has(&entry.text, "property"), "{}", entry.name);
    }
    assert!((40..catalogue.entries.len() / 2).contains(&properties), "{properties} properties");
}
