//! What instructions are called in the place of their names: the name of a capability, or words.

use laneproof_module::names;
use laneproof_tokens::{self as tokens, GrammarEntry};

use crate::sentences::{Section, bare};
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn naming(sections: &[Section]) -> Vec<Vec<Slip>> {
    let all = || sections.iter().flat_map(|it| it.sentences.iter().map(String::as_str));
    let instructions: Vec<&str> = all()
        .flat_map(str::split_whitespace)
        .map(bare)
        .filter(|word| is_instruction(word))
        .collect();
    let of_section = |section: &Section| {
        let mut found = Vec::new();
        // An order to an editor is a heading, and has the number of what comes first below it.
        let heading = Some((1, section.heading.as_str())).filter(|_| !section.sentences.is_empty());
        let sentences = (1..).zip(section.sentences.iter().map(String::as_str));
        for (sentence, text) in heading.into_iter().chain(sentences) {
            let mut slip = |fault, words| found.push(Slip { sentence, fault, words });
            let words: Vec<&str> = text.split_whitespace().collect();
            if let Some((_, words)) = by_capability(&words).filter(|(name, _)| is_shared(name)) {
                slip(EditorialFault::NamedByCapability, words);
            }
            if let Some(words) = by_requirement(&words) {
                slip(EditorialFault::NamedByCapability, words);
            }
            let next = section.sentences.get(sentence as usize).map(String::as_str);
            // Many a name follows the words that describe it.
            if !next.is_some_and(|next| is_instruction(next) && !next.contains(' '))
                && let Some(words) = by_words(&words, &instructions)
            {
                slip(EditorialFault::CalledByWords, words);
            }
        }
        found
    };
    sections.iter().map(of_section).collect()
}

/// The capability enables an instruction that others enable as well, or none that is known.
fn is_shared(capability: &str) -> bool {
    let enabled = tokens::enabled_by(capability);
    let by_others =
        |it: &String| GrammarEntry::of(it).is_some_and(|entry| entry.capabilities().len() > 1);
    enabled.is_empty() || enabled.iter().any(by_others)
}

/// `each GroupNonUniformVote instruction`: the capability, and the words.
pub(crate) fn by_capability<'w>(words: &[&'w str]) -> Option<(&'w str, String)> {
    const ALL: [&str; 4] = ["each", "every", "all", "any"];
    let several = |word: &str| ["instruction", "instructions"].contains(&bare(word));
    let at = words.windows(2).position(|pair| {
        let capitals = bare(pair[0]).chars().filter(char::is_ascii_uppercase).count();
        // A name of one word is a word, too: `Shader instructions`.
        capitals > 1 && names::number_of("Capability", bare(pair[0])).is_some() && several(pair[1])
    })?;
    let from = at - usize::from(at > 0 && ALL.contains(&words[at - 1]));
    let shown: Vec<&str> = words[from..=at + 1].iter().map(|word| bare(word)).collect();
    Some((bare(words[at]), shown.join(" ")))
}

/// `instructions requiring these capabilities`: several capabilities may enable an instruction, each alone.
fn by_requirement(words: &[&str]) -> Option<String> {
    let plain: Vec<&str> = words.iter().map(|word| bare(word)).collect();
    let at = plain.windows(4).position(|it| {
        ["instruction", "instructions"].contains(&it[0])
            && ["requiring", "needing"].contains(&it[1])
            && ["these", "this", "those"].contains(&it[2])
            && ["capability", "capabilities"].contains(&it[3])
    })?;
    Some(plain[at..at + 4].join(" "))
}

fn is_instruction(word: &str) -> bool {
    word.strip_prefix("Op").is_some_and(|it| it.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// `the image block write instruction`, where the document has its name: words of it in small letters.
fn by_words(words: &[&str], instructions: &[&str]) -> Option<String> {
    let is_small = |word: &&&str| word.chars().all(|c| c.is_ascii_lowercase());
    words.iter().enumerate().find_map(|(end, word)| {
        let is_end = bare(word) == "instruction";
        // The name may follow.
        let named = words.get(end + 1).is_some_and(|next| is_instruction(bare(next)));
        let before = words[..end].iter().rev().take_while(is_small);
        let mut before: Vec<&str> = before.copied().take_while(|it| *it != "the").collect();
        before.reverse();
        let article = end > before.len()
            && ["the", "The"].contains(&words[end - before.len() - 1])
            && before.len() > 1;
        let joined: String = before.iter().map(|it| capitalized(it)).collect();
        let there =
            is_end && !named && article && instructions.iter().any(|it| it.contains(&joined));
        there.then(|| format!("the {} instruction", before.join(" ")))
    })
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}
