//! The lock file of a crate outside the workspace still fits what it depends on here: `--locked`
//! would refuse it otherwise, and nothing that runs every day asks for it.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod metadata;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What each package of the workspace is built of, by its manifest: names of packages that are
/// neither optional nor for tests alone.
fn needed() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata::of_workspace();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let own = packages.filter(|package| package["source"].is_null());
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let of = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
        let counts = |it: &&Value| it["kind"] != "dev" && it["optional"] == false;
        dependencies.filter(counts).map(|it| text(&it["name"])).collect()
    };
    own.map(|package| (text(&package["name"]), of(package))).collect()
}

/// The packages of a lock file that come from no registry, each with the names of what it is built
/// of.
fn locked(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let quoted = |line: &str| line.split('"').nth(1).expect("a quoted word").to_owned();
    let packages = text.split("[[package]]").skip(1);
    let own = packages.filter(|it| !it.lines().any(|line| line.starts_with("source = ")));
    let of = |package: &str| {
        let name = package.lines().find(|line| line.starts_with("name = ")).map(quoted);
        let built_of = package.lines().filter(|line| line.starts_with(" \""));
        // A version follows where there are several.
        let first = |line: &str| quoted(line).split(' ').next().expect("a word").to_owned();
        (name.expect("a name"), built_of.map(first).collect())
    };
    own.map(of).collect()
}

/// What a lock file lacks of what its packages need.
fn missing(
    locked: &BTreeMap<String, BTreeSet<String>>,
    needed: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<String> {
    let known = locked.iter().filter_map(|(name, has)| Some((name, has, needed.get(name)?)));
    let missing = known.flat_map(|(name, has, needs)| {
        needs.difference(has).map(move |other| format!("{name} needs {other}"))
    });
    missing.collect()
}

#[test]
fn the_fuzz_targets_lock_file_fits() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/harness/Cargo.lock");
    let text = std::fs::read_to_string(path).expect("a lock file");
    let (mut locked, needed) = (locked(&text), needed());
    assert_eq!(
        missing(&locked, &needed),
        Vec::<String>::new(),
        "run `cargo update --workspace` there"
    );
    // It has our packages, and one that lacks something is seen.
    let semantics = locked.get_mut("laneproof-semantics").expect("the semantics");
    assert!(semantics.remove("smallvec"));
    assert_eq!(missing(&locked, &needed), ["laneproof-semantics needs smallvec"]);
}

/// What takes seconds to compile and has a lighter version is built at that: it is a part of a first build, which
/// has a limit.
#[test]
fn a_first_build_has_no_second_parser_and_no_tables_of_languages() {
    // Cargo's metadata names optional packages that nothing switches on, too.
    let built = metadata::cargo(&["tree", "--workspace", "--edges", "all", "--prefix", "none"]);
    let built = String::from_utf8(built).expect("text");
    // The parser of Rust, the tables of textwrap, and what psm would read object files by.
    let heavy = ["syn v3", "icu_segmenter ", "object "];
    let heavy = built.lines().filter(|line| heavy.iter().any(|it| line.starts_with(it)));
    assert_eq!(heavy.collect::<Vec<_>>(), [""; 0]);
    assert!(built.lines().any(|line| line.starts_with("syn v2")), "the way packages are written");
}
