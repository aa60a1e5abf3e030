//! The comment that a pair begins with: `key: value` lines after a title.

use std::collections::BTreeMap;

use laneproof_module::header;

/// What the catalogue's headers say, and what these say besides.
const KEYS: [&str; 19] = [
    "active",
    "covers",
    "engine-may",
    "expect",
    "invariant",
    "lanes",
    "memory",
    "mutant-of",
    "origin",
    "outputs",
    "partial",
    "profile",
    "reading",
    "rung",
    "sizes",
    "spec",
    "subgroup",
    "subgroups",
    "why",
];

/// Keys and their values, in the order of the file where a key repeats.
#[derive(Clone, Debug, Default)]
pub struct Header(BTreeMap<String, Vec<String>>);

impl Header {
    pub fn parse(text: &str) -> Self {
        let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, value) in header(text).skip(1).filter_map(|line| line.entry()) {
            assert!(KEYS.contains(&key), "unknown key `{key}`");
            keys.entry(key.to_owned()).or_default().push(value.to_owned());
        }
        Self(keys)
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|values| values.first()).map(String::as_str)
    }

    pub fn all(&self, key: &str) -> &[String] {
        self.0.get(key).map_or(&[], Vec::as_slice)
    }

    pub fn is(&self, key: &str, value: &str) -> bool {
        self.get(key) == Some(value)
    }

    /// Powers of two with commas between them.
    pub fn numbers(&self, key: &str) -> Option<Vec<u32>> {
        let value = self.get(key).filter(|value| *value != "all")?;
        Some(value.split(',').map(|number| number.trim().parse().expect("a number")).collect())
    }
}
