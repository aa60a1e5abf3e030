//! How names are spelt for people.

use laneproof_tokens::KINDS;

/// A name of the grammar with a blank before each further capital: `ComponentType` is "Component Type".
pub(crate) fn spaced(name: &str) -> String {
    let mut words = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        // Of several capitals, as in `FPRoundingMode`, the last one begins a word.
        let is_lower = |at: Option<usize>| {
            at.and_then(|at| letters.get(at)).is_some_and(|it| it.is_lowercase())
        };
        let begins = is_lower(at.checked_sub(1)) || is_lower(Some(at + 1));
        if letter.is_uppercase() && !words.is_empty() && !words.ends_with(' ') && begins {
            words.push(' ');
        }
        words.push(*letter);
    }
    words
}

/// A field as people write it: a part of a type has its name in words, an operand its own.
pub(crate) fn field_in_words(field: &str) -> String {
    match field.rsplit_once(" of ") {
        Some((parts, operand)) => format!("{} of {operand}", spaced(parts)),
        None if KINDS.contains(&field) && field != "BuiltIn" => spaced(field),
        None => field.to_owned(),
    }
}

/// A summary in which kinds of enumerants have the names that SPIR-V's text has for them, `Storage Class`
/// in the place of `StorageClass`, but in quotations.
pub(crate) fn with_kinds_spaced(summary: &str) -> String {
    let mut quoted = false;
    let mut spelt = String::new();
    for word in summary.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        // SPIR-V writes built-in variables' kind as one word.
        let is_kind = KINDS.contains(&name) && name != "BuiltIn";
        if quoted || !is_kind {
            spelt.push_str(word);
        } else {
            spelt.push_str(&spaced(name));
            spelt.push_str(&word[name.len()..]);
        }
        quoted = (quoted || word.contains('\u{201c}')) && !word.contains('\u{201d}');
    }
    spelt
}

/// A summary in which types are in words, `16-bit integers` in the place of `u16`.
pub(crate) fn types_in_words(summary: &str) -> String {
    let word = |word: &str| {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        type_in_words(name).map_or_else(|| word.to_owned(), |it| it + &word[name.len()..])
    };
    summary.split_inclusive(char::is_whitespace).map(word).collect()
}

/// The plural of the values of a scalar type, by the name that it has in witnesses.
fn type_in_words(name: &str) -> Option<String> {
    let noun = match name.get(..1)? {
        "u" => "unsigned integers",
        "i" => "signed integers",
        "f" => "floating-point numbers",
        _ if name == "bool" => return Some("Booleans".to_owned()),
        _ => return None,
    };
    let width = name.get(1..)?;
    ["8", "16", "32", "64"].contains(&width).then(|| format!("{width}-bit {noun}"))
}

#[cfg(test)]
mod tests {
    use super::{field_in_words, spaced, types_in_words, with_kinds_spaced};

    #[test]
    fn each_word_of_a_name_begins_with_a_capital() {
        assert_eq!(spaced("ComponentType"), "Component Type");
        assert_eq!(spaced("FPRoundingMode"), "FP Rounding Mode");
        assert_eq!(spaced("MS"), "MS");
        assert_eq!(field_in_words("Width of MemberType of Type"), "Width of Member Type of Type");
        assert_eq!(field_in_words("InvocationId"), "InvocationId");
    }

    #[test]
    fn types_are_in_words() {
        let words = "of 8-bit unsigned integers, 64-bit floating-point numbers and Booleans.";
        assert_eq!(types_in_words("of u8, f64 and bool."), words);
        assert_eq!(
            types_in_words("u7 of u8x2 in \u{201c}u8\u{201d}"),
            "u7 of u8x2 in \u{201c}u8\u{201d}"
        );
    }

    #[test]
    fn kinds_are_spaced_but_in_quotations() {
        let text =
            "StorageClass of a BuiltIn, \u{201c}a StorageClass / ImageFormat\u{201d}: ImageFormat.";
        let spelt = "Storage Class of a BuiltIn, \u{201c}a StorageClass / ImageFormat\u{201d}: Image Format.";
        assert_eq!(with_kinds_spaced(text), spelt);
        assert_eq!(
            with_kinds_spaced("OpStorageClass, MyStorageClass"),
            "OpStorageClass, MyStorageClass"
        );
    }
}
