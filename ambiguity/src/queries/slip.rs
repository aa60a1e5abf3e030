//! Slips of the pen, one finding for each kind of them in each document.

use std::collections::BTreeMap;

use crate::finding::{Finding, FindingKind};
use crate::quotes::{Quotes, unmarked};
use crate::slip::{EditorialFault, Slip};

/// One finding for each kind of slip in each document. A token with a finding already, such as one
/// that the grammar spells in another way, is not reported again as a slip: its sentence is a place of
/// that finding.
pub(crate) fn slips(quotes: &Quotes, documents: &[&str], known: &mut [Finding]) -> Vec<Finding> {
    let mut found: BTreeMap<(EditorialFault, &str, &str), (Vec<String>, Finding)> = BTreeMap::new();
    for (document, section, slip) in quotes.slips() {
        if !(documents.contains(&document) || quotes.is_read(document))
            || is_reported(quotes, document, section, slip, known)
        {
            continue;
        }
        let editorial = slip.fault.is_editorial();
        let kind = match (slip.fault, editorial) {
            (EditorialFault::Numbers, _) | (_, true) => FindingKind::Token,
            _ => FindingKind::Gap,
        };
        let id = format!("{}/{}/{document}", kind.name(), slip.fault.word());
        let apart = is_wrong_in_its_own_way(slip.fault);
        let about = if apart { slip.words.as_str() } else { "" };
        let id = if apart { format!("{id}/{about}") } else { id };
        // What documents copied from each other leaves the same open in each, or has the same words.
        let of = if editorial && !apart { document } else { "" };
        let (words, finding) = found.entry((slip.fault, of, about)).or_insert_with(|| {
            let finding = Finding {
                documents: [document.to_owned()].into(),
                remedy: slip.fault.remedy().to_owned(),
                editorial,
                ..Finding::of(kind, id)
            };
            (Vec::new(), finding)
        });
        let shown =
            if is_about_marks(slip.fault) { slip.words.clone() } else { unmarked(&slip.words) };
        let quoted = format!("\u{201c}{shown}\u{201d}");
        if !words.contains(&quoted) {
            words.push(quoted);
        }
        finding.documents.insert(document.to_owned());
        let place = quotes.place_of_slip(document, section, slip);
        if !finding.places.contains(&place) {
            finding.places.push(place);
        }
    }
    let reported = found.into_iter().map(|((fault, ..), (words, finding))| Finding {
        summary: format!("{}: {}{}.", fault.summary(), words.join(", "), fault.left_open(&words)),
        ..finding
    });
    reported.collect()
}

/// A finding tells it already: one about the token that is spelt so, of which the slip is a place, or one
/// of a query over rules about an operand without types.
fn is_reported(
    quotes: &Quotes,
    document: &str,
    section: &str,
    slip: &Slip,
    known: &mut [Finding],
) -> bool {
    let token = |it: &&mut Finding| {
        let named = it.id.split('/').nth(1).map(str::to_lowercase);
        let own = slip.words.split(" / ").next().map(str::to_lowercase);
        it.kind == FindingKind::Token && named == own
    };
    match slip.fault {
        EditorialFault::UntypedOperand => {
            let id = Finding::id_of(FindingKind::Gap, "no-type-given", document);
            known.iter().any(|it| it.id == id)
        }
        EditorialFault::TwoSpellings | EditorialFault::OtherCase => {
            let Some(finding) = known.iter_mut().find(token) else { return false };
            let place = quotes.place_of_slip(document, section, slip);
            if finding.documents.contains(document) && !finding.places.contains(&place) {
                finding.places.push(place);
            }
            true
        }
        _ => false,
    }
}

/// What is wrong is in the marks.
const fn is_about_marks(fault: EditorialFault) -> bool {
    matches!(
        fault,
        EditorialFault::EmptyLink
            | EditorialFault::Unmarked
            | EditorialFault::TwoMarks
            | EditorialFault::ListRunTogether
    )
}

/// Each word of such a kind is wrong in a way of its own.
const fn is_wrong_in_its_own_way(fault: EditorialFault) -> bool {
    matches!(
        fault,
        EditorialFault::Mangled
            | EditorialFault::Misspelt
            | EditorialFault::TwoSpellings
            | EditorialFault::SeveralNames
            | EditorialFault::SeveralWordings
            | EditorialFault::Opposite
            | EditorialFault::MayOnly
            | EditorialFault::Advice
            | EditorialFault::Modality
            | EditorialFault::Numbers
            | EditorialFault::LeftOutWord
            | EditorialFault::CutShort
            | EditorialFault::TwiceOver
            | EditorialFault::Unnamed
            | EditorialFault::Vague
            | EditorialFault::OtherCase
            | EditorialFault::OtherExtension
            | EditorialFault::NoSuchInstruction
            | EditorialFault::NoSuchCapability
            | EditorialFault::UnspokenOperand
            | EditorialFault::UntypedOperand
            | EditorialFault::NoSuchOperand
            | EditorialFault::FirstOfNoOrder
            | EditorialFault::InOtherWords
            | EditorialFault::CalledAsAnother
            | EditorialFault::WordAndNumeral
            | EditorialFault::CalledByWords
            | EditorialFault::TwoOrders
            | EditorialFault::ActiveOrAll
            | EditorialFault::CutOff
    )
}
