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

/// Text in backquotes that looks like a file of the project.
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

/// The anchors of headings: lower case, a hyphen for each space, no punctuation.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in page.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let heading = line.trim_start_matches('#');
        if fenced || heading == line || !heading.starts_with(' ') {
            continue;
        }
        let kept = |c: &char| c.is_alphanumeric() || "-_ ".contains(*c);
        let name: String = heading.trim().to_lowercase().chars().filter(kept).collect();
        found.insert(name.replace(' ', "-"));
    }
    found
}

#[test]
fn pages_link_to_pages_and_headings_that_exist() {
    let mut all = BTreeSet::new();
    entries(root(), &mut all);
    let is_page = |path: &&PathBuf| path.extension().is_some_and(|it| it == "md");
    let mut missing = Vec::new();
    let mut headings = 0;
    for page in all.iter().filter(is_page).map(|path| root().join(path)) {
        let text = fs::read_to_string(&page).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (link, _) in links.filter(|(link, _)| !link.contains("://")) {
            let (target, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match target {
                "" => page.clone(),
                target => page.parent().unwrap().join(target),
            };
            let named = heading.is_empty() || {
                headings += 1;
                fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(heading))
            };
            if !target.exists() || !named {
                missing.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(headings > 0 && missing.is_empty(), "{missing:#?}");
}
