//! Tables of faults: each in several wordings, with what is shown of it, and sound texts near it.

use laneproof_ambiguity::editorial::slips;
use laneproof_ambiguity::sentences::sections;
use laneproof_ambiguity::slip::EditorialFault;

/// A fault, where the words go, those that have it with what is shown, and those that have none.
pub struct Fault {
    pub fault: EditorialFault,
    pub text: &'static str,
    pub found: &'static [(&'static str, &'static str)],
    pub sound: &'static [&'static str],
}

pub const OVERVIEW: &str = "EXT_turn\n\nOverview\n\nWORDS\n\nIssues\n\nNone.";
pub const INSTRUCTION: &str = "EXT_turn\n\nInstructions\n\nOpTurnEXT\n\nTurn it.\n\nWORDS\n\nCapability:\n\n\
                               Kernel\n\nIssues\n\nNone.";

/// What is found in a text, place by place.
pub fn all_found(text: &str) -> Vec<(EditorialFault, String)> {
    let slips = slips(&sections(text)).into_iter().flatten();
    slips.map(|slip| (slip.fault, slip.words)).collect()
}

/// The same, where one fault may have several places.
pub fn found(text: &str) -> Vec<(EditorialFault, String)> {
    let mut found = all_found(text);
    found.dedup();
    found
}

/// The sentences of a table of which something else is found than it says; `of` is what counts for a fault.
pub fn mistaken(
    faults: &[Fault],
    of: impl Fn(EditorialFault, &str) -> Vec<(EditorialFault, String)>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for Fault { fault, text, found, sound } in faults {
        let of = |words: &str| of(*fault, &text.replace("WORDS", words));
        for (words, shown) in *found {
            let slips = of(words);
            if slips != [(*fault, (*shown).to_owned())] {
                wrong.push(format!("{words}: {slips:?}, expected {shown}"));
            }
        }
        for words in *sound {
            let slips = of(words);
            if !slips.is_empty() {
                wrong.push(format!("{words}: {slips:?}"));
            }
        }
    }
    wrong
}
