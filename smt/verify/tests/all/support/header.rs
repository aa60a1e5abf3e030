//! The comment that a pair begins with: `key: value` lines after a title.

use std::collections::BTreeMap;

/// Keys and their values, in the order of the file where a key repeats.
#[derive(Clone, Debug, Default)]
pub struct Header(BTreeMap<String, Vec<String>>);

impl Header {
    pub fn parse(text: &str) -> Self {
        let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let comment = text.lines().map_while(|line| line.trim_start().strip_prefix(';'));
        for line in comment.skip(1) {
            if let Some((key, value)) = line.split_once(':') {
                keys.entry(key.trim().to_owned()).or_default().push(value.trim().to_owned());
            }
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
