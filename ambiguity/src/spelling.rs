//! How names are spelt for people.

/// A name of the grammar with a blank before each further capital: `ComponentType` is "Component Type".
pub(crate) fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter);
    }
    words
}
