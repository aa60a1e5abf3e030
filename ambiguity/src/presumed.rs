//! What a sentence presumes that no other one says: what is uniform within a scope, whether a later
//! sentence on "these instructions" has the condition under which they were named, and what holds
//! below the greatest version.

use crate::sentences::{Section, is_residue, plain};
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn presumed(sections: &[Section]) -> Vec<Vec<Slip>> {
    let defined = sections.iter().flat_map(|it| &it.sentences).any(|text| defines_uniform(text));
    let of_section = |section: &Section| {
        let mut found: Vec<Slip> = Vec::new();
        let numbered = (1..).zip(&section.sentences).filter(|(_, text)| !is_residue(text));
        for (sentence, text) in numbered {
            let words: Vec<&str> = text.split_whitespace().collect();
            let mut slip = |fault, words: Option<String>| {
                found.extend(words.map(|words| Slip { sentence, fault, words }));
            };
            slip(EditorialFault::UniformWithin, uniform_within(&words).filter(|_| !defined));
            slip(EditorialFault::GreatestOnly, greatest_version(section, &words));
        }
        found.extend(these_under_a_condition(section));
        found
    };
    sections.iter().map(of_section).collect()
}

/// Some words as they are shown.
fn shown(words: &[&str]) -> String {
    words.join(" ").replace(['*', '`'], "").trim_end_matches(['.', ',', ':', ';']).to_owned()
}

/// Something is `dynamically uniform` when, where or if something holds.
fn defines_uniform(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    let defining = ["if", "when", "means", "where"];
    let at = words.windows(2).position(|it| it == ["dynamically", "uniform"]);
    at.is_some_and(|at| words[at + 2..].iter().any(|word| defining.contains(&word.as_str())))
}

/// `dynamically uniform within Execution`: of a scope that is an operand, or has a name.
fn uniform_within(words: &[&str]) -> Option<String> {
    const WITHIN: [&str; 4] = ["within", "across", "over", "in"];
    let at = words.windows(3).position(|it| {
        plain(it[0]) == "dynamically" && plain(it[1]) == "uniform" && WITHIN.contains(&it[2])
    })?;
    // An invocation group is that of which SPIR-V speaks itself.
    let scope = words.get(at + 3)?;
    let is_name = scope.trim_start_matches(['*', '`']).starts_with(char::is_uppercase);
    is_name.then(|| shown(&words[at..at + 4]))
}

/// `the maximum version supported`, where no sentence of the section says that earlier ones are, too.
fn greatest_version(section: &Section, words: &[&str]) -> Option<String> {
    const GREATEST: [&str; 6] = ["maximum", "highest", "newest", "latest", "greatest", "largest"];
    const OTHERS: [&str; 9] =
        ["earlier", "older", "lower", "previous", "every", "all", "any", "below", "up"];
    let at = words.iter().position(|word| GREATEST.contains(&plain(word).as_str()))?;
    let version = (at + 1..words.len().min(at + 4)).find(|&it| plain(words[it]) == "version")?;
    let of_support = |word: &str| word.starts_with("support") || word.starts_with("accept");
    let is_supported = words.iter().any(|word| of_support(&plain(word)));
    let others = section
        .sentences
        .iter()
        .any(|text| text.split_whitespace().any(|word| OTHERS.contains(&plain(word).as_str())));
    (is_supported && !others).then(|| shown(&words[at..=version]))
}

/// Instructions that are listed with a value of one of their operands, and then spoken of without it.
fn these_under_a_condition(section: &Section) -> Option<Slip> {
    let mut value: Option<String> = None;
    for (sentence, text) in (1..).zip(&section.sentences) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let first: Vec<String> = words.iter().take(3).map(|word| plain(word)).collect();
        let [one, two, three] = first.as_slice() else { continue };
        if one == "for" && ["these", "those"].contains(&two.as_str()) {
            let Some(value) = &value else { continue };
            let repeats = words.iter().any(|word| shown(&[word]) == *value);
            let is_of_operands = words.len() > 3 && three.starts_with("instruction");
            if is_of_operands && !repeats {
                let words = shown(&words[..3]);
                let fault = EditorialFault::TheseUnderACondition;
                return Some(Slip { sentence, fault, words });
            }
        } else if text.trim_end().ends_with(':') {
            // A new list begins.
            value = listed_with(&words);
        }
    }
    None
}

/// The value of `the following … with Operand equal to Value:`.
fn listed_with(words: &[&str]) -> Option<String> {
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let following = plain.iter().position(|word| word == "following")?;
    let with = following + plain[following..].iter().position(|word| word == "with")?;
    let equal = with + plain[with..].windows(2).position(|it| it == ["equal", "to"])?;
    words.get(equal + 2).map(|word| shown(&[word]))
}
