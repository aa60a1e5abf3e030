//! The command that shows an entry's lanes.

use laneproof_proofs::{Active, Entry, Header, HeaderStates, SubgroupChoice};

/// What to type to see the answer about an entry, where its file can be read.
pub fn of(entry: &Entry, profile: Option<&str>) -> Option<String> {
    entry.path.is_file().then(|| {
        let file = quoted(&entry.path.to_string_lossy());
        let words = [vec!["laneproof verify".to_owned(), file], flags(entry, profile)];
        words.concat().join(" ")
    })
}

/// What its header says, as the flags that say the same.
pub fn flags(entry: &Entry, profile: Option<&str>) -> Vec<String> {
    [states(&entry.header.states), meaning(entry, profile)].concat()
}

/// The states that its header names.
fn states(states: &HeaderStates) -> Vec<String> {
    let numbers = |all: &[u32]| all.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let mut words = Vec::new();
    if states.sizes != HeaderStates::default().sizes {
        words.push(format!("--sizes {}", numbers(&states.sizes)));
    }
    if !states.subgroups.is_empty() {
        words.push(format!("--subgroups {}", numbers(&states.subgroups)));
    }
    let flags = [
        ("--active all", states.active == Active::All),
        ("--partial", states.partial),
        ("--any-subgroup", states.subgroup == SubgroupChoice::Any),
    ];
    words.extend(flags.iter().filter(|(_, set)| *set).map(|(flag, _)| (*flag).to_owned()));
    words
}

/// How its clauses are read.
fn meaning(entry: &Entry, profile: Option<&str>) -> Vec<String> {
    let Header { profile: own, readings, specs, .. } = &entry.header;
    let mut words = Vec::new();
    if let Some(profile) = own.as_deref().or(profile) {
        words.push(format!("--profile {}", quoted(profile)));
    }
    for (reading, alternative) in readings {
        words.push(format!("--reading {}", quoted(&format!("{reading}={alternative}"))));
    }
    for spec in specs {
        let beside = entry.path.with_file_name(spec);
        words.push(format!("--spec {}", quoted(&beside.to_string_lossy())));
    }
    words
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:".contains(c);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
