//! No dependency needs a newer Rust than the workspace declares.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod metadata;

use serde_json::{Value, json};

/// Major, minor and patch number; what is left out is 0.
fn version(text: &str) -> [u64; 3] {
    let mut numbers = text.split('.').map(|number| number.parse().expect("a number"));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

/// The packages that need a newer Rust than `ours`, each with the version that it needs.
fn too_new(metadata: &Value, ours: [u64; 3]) -> Vec<String> {
    let packages = metadata["packages"].as_array().expect("packages");
    let needed = packages.iter().filter_map(|package| {
        let needed = package["rust_version"].as_str()?;
        let name = package["name"].as_str()?;
        (version(needed) > ours).then(|| format!("{name} needs Rust {needed}"))
    });
    needed.collect()
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let metadata = metadata::of_workspace();
    let ours = version(env!("CARGO_PKG_RUST_VERSION"));
    assert_eq!(too_new(&metadata, ours), Vec::<String>::new());
    // The other direction: of a hundred packages and more, some say what they need.
    assert!(!too_new(&metadata, [1, 0, 0]).is_empty());
}

#[test]
fn a_package_that_needs_a_newer_rust_is_named() {
    let metadata = json!({ "packages": [
        { "name": "old", "rust_version": "1.56" },
        { "name": "silent", "rust_version": null },
        { "name": "same", "rust_version": "1.95.0" },
        { "name": "new", "rust_version": "1.95.1" },
    ] });
    assert_eq!(too_new(&metadata, [1, 95, 0]), ["new needs Rust 1.95.1"]);
}
