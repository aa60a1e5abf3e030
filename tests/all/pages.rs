//! Pages name files that exist, and link to pages that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file and folder of the workspace, relative to its root; not what is built or hidden.
fn entries(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "target" || name == ".git" {
            continue;
        }
        found.insert(path.strip_prefix(root()).unwrap().to_owned());
        if path.is_dir() {
            entries(&path, found);
        }
    }
}

/// The pages that say how the parts fit together.
fn pages() -> Vec<PathBuf> {
    let folder = root().join("docs/architecture");
    let more = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    std::iter::once(root().join("ARCHITECTURE.md")).chain(more).collect()
}

/// What stands between backquotes and looks like a file of the project's.
fn named(page: &str) -> impl Iterator<Item = &str> {
    let quoted = page.split('`').skip(1).step_by(2);
    quoted.filter(|it| {
        let one_word = !it.contains(char::is_whitespace) && !it.contains(['*', '<', '(']);
        one_word && (it.ends_with(".rs") || it.ends_with(".md") || it.ends_with(".toml"))
    })
}

#[test]
fn files_that_pages_name_exist() {
    let mut all = BTreeSet::new();
    entries(root(), &mut all);
    let mut missing = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for name in named(&text) {
            count += 1;
            if !all.iter().any(|path| path.ends_with(name)) {
                missing.push(format!("{}: {name}", page.display()));
            }
        }
    }
    assert!(count > 0 && missing.is_empty(), "{count} named, missing: {missing:#?}");
}

#[test]
fn pages_link_to_pages_that_exist() {
    let mut missing = Vec::new();
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let more = docs.filter(|path| path.extension().is_some_and(|it| it == "md"));
    for page in pages().into_iter().chain([root().join("README.md")]).chain(more) {
        let text = fs::read_to_string(&page).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (link, _) in links {
            let target = link.split('#').next().unwrap_or(link);
            let elsewhere = target.is_empty() || target.contains("://");
            if !elsewhere && !page.parent().unwrap().join(target).exists() {
                missing.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
