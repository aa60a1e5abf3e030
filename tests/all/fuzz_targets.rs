//! The files around the libFuzzer targets fit them: manifest, page, dictionaries, seeds, and what
//! builds them for ClusterFuzzLite.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn harness() -> PathBuf {
    root().join("fuzz/harness")
}

/// The names of the files of a folder, without this ending.
fn stems(folder: &Path, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let named = entries.filter(|it| it.extension().is_some_and(|it| it == ending));
    named.map(|it| it.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

fn targets() -> BTreeSet<String> {
    stems(&harness().join("fuzz_targets"), "rs")
}

#[test]
fn every_target_is_built_and_described() {
    let targets = targets();
    assert!(targets.len() >= 9, "{targets:?}");
    let manifest: toml::Table =
        fs::read_to_string(harness().join("Cargo.toml")).unwrap().parse().unwrap();
    let binaries = manifest["bin"].as_array().unwrap().iter();
    let binaries: BTreeSet<_> =
        binaries.map(|it| it["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(binaries, targets);
    let page = fs::read_to_string(harness().join("README.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.map(str::to_owned).collect::<BTreeSet<_>>(), targets, "the page's tables");
}

/// A line of a dictionary: a comment, or a string whose escapes libFuzzer knows.
fn is_entry(line: &str) -> bool {
    let text = line.split_once('=').filter(|it| !it.0.contains('"')).map_or(line, |it| it.1);
    let Some(text) = text.strip_prefix('"').and_then(|it| it.strip_suffix('"')) else {
        return false;
    };
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' | 0..=31 => return false,
            b'\\' => match bytes.next() {
                Some(b'\\' | b'"') => {}
                Some(b'x') if [bytes.next(), bytes.next()].iter().all(is_digit) => {}
                _ => return false,
            },
            _ => {}
        }
    }
    !text.is_empty()
}

fn is_digit(byte: &Option<u8>) -> bool {
    byte.is_some_and(|it| it.is_ascii_hexdigit())
}

#[test]
fn dictionaries_are_of_targets_and_read() {
    let dictionaries = stems(&harness().join("dictionaries"), "dict");
    assert!(dictionaries.len() >= 5 && dictionaries.is_subset(&targets()), "{dictionaries:?}");
    for name in dictionaries {
        let file = harness().join("dictionaries").join(format!("{name}.dict"));
        let text = fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            assert!(is_entry(line), "{name}: {line}");
        }
    }
    for wrong in ["a", "\"", "\"\"", "\"\\n\"", "\"\\x4\"", "\"a\"b\""] {
        assert!(!is_entry(wrong), "{wrong}");
    }
}

#[test]
fn every_target_has_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let script = harness().join("seed.sh");
    let done = Command::new("sh").arg(script).arg(folder.path()).current_dir(root()).status();
    assert!(done.unwrap().success());
    let made = fs::read_dir(folder.path()).unwrap();
    let made: BTreeSet<_> =
        made.map(|it| it.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(made, targets());
    for name in made {
        let seeds = fs::read_dir(folder.path().join(&name)).unwrap();
        let sizes: Vec<u64> = seeds.map(|it| it.unwrap().metadata().unwrap().len()).collect();
        assert!(sizes.len() >= 20 && sizes.iter().all(|size| *size < 65536), "{name}: {sizes:?}");
    }
}

/// The builder goes through the targets by their files; those that it names are some.
#[test]
fn cluster_fuzz_lite_builds_what_there_is() {
    let folder = root().join(".clusterfuzzlite");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("project.yaml").contains("language: rust"));
    assert!(read("Dockerfile").contains(".clusterfuzzlite/build.sh $SRC/build.sh"));
    let build = read("build.sh");
    for part in [
        "--fuzz-dir fuzz/harness",
        "fuzz/harness/fuzz_targets/*.rs",
        "fuzz/harness/dictionaries/$name.dict",
        "fuzz/harness/seed.sh",
        "_seed_corpus.zip",
    ] {
        assert!(build.contains(part), "{part}");
    }
    let named = build.lines().find_map(|line| line.strip_prefix("  for name in ")).unwrap();
    let named = named.split(';').next().unwrap().split(' ').map(str::to_owned);
    let named: BTreeSet<_> = named.collect();
    assert!(named.is_subset(&targets()), "{named:?}");
    // Those whose code asks the prover.
    let asks = targets().into_iter().filter(|name| {
        let file = harness().join("fuzz_targets").join(format!("{name}.rs"));
        fs::read_to_string(file).unwrap().contains("laneproof_toolchains")
    });
    assert_eq!(named, asks.collect());
}
